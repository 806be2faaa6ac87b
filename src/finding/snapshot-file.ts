import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

import type { Base } from '#index/base.ts'
import {
  isDamaged,
  isThisFormat,
  readSnapshot,
  readSnapshotChange,
  snapshotPieces,
  type SnapshotSource
} from '#index/snapshot.ts'
import type { MaybePromise } from '#domain/maybe-promise.ts'

/*
 * A base in a file: only a cache, which processes may share. A file that is damaged, of another
 * format or of another database is not read. While it is written it has another name, with the id
 * of the process.
 */

/** Reads the base in a file; undefined where there is none that can be used. */
export const loadSnapshot = (file: string, database: string): Base | undefined =>
  readIfPossible(file, source => readSnapshot(source, database))

/** The last change that the base in a file knows of; undefined where there is none to use. */
export const findSnapshotChange = (file: string, database: string): number | undefined =>
  readIfPossible(file, source => readSnapshotChange(source, database))

/** Describes, for a check, a file that was damaged, or that is ahead of its database. */
export function findSnapshotFault(file: string, database: string, lastChange: number): string | undefined {
  if (!existsSync(file)) return undefined
  // One of another program version, or of another database, is replaced by the service.
  const isFaulty = readFrom(file, source => isThisFormat(source) && isDamaged(source))
  if (isFaulty) return 'is damaged'
  const change = findSnapshotChange(file, database) ?? 0
  return change > lastChange ? `has changes up to ${change}, the database up to ${lastChange}` : undefined
}

function readIfPossible<T>(file: string, work: (source: SnapshotSource) => T): T | undefined {
  try {
    return readFrom(file, work)
  } catch {
    return undefined
  }
}

function readFrom<T>(file: string, work: (source: SnapshotSource) => T): T {
  const opened = openSync(file, 'r')
  try {
    return work({ size: fstatSync(opened).size, read: (at, bytes) => readFully(opened, at, bytes) })
  } finally {
    closeSync(opened)
  }
}

function readFully(opened: number, at: number, bytes: Uint8Array) {
  for (let read = 0; read < bytes.length; ) {
    const more = readSync(opened, bytes, read, Math.min(bytes.length - read, maxAtOnce), at + read)
    if (more === 0) throw new Error('The file ends too early')
    read += more
  }
}

function writeFully(opened: number, bytes: Uint8Array) {
  for (let written = 0; written < bytes.length; )
    written += writeSync(opened, bytes, written, Math.min(bytes.length - written, maxAtOnce))
}

/** Bytes that are read or written at once; systems have a limit of two gigabytes. */
const maxAtOnce = 1 << 28

/**
 * Writes a base to a file, and resolves when it is on the disk. Resolves to false, and leaves no
 * file, where a record of the base was purged meanwhile. A purge deletes the file after its commit,
 * so one that is not seen after the file got its name deletes it.
 */
export async function saveSnapshot(
  file: string,
  base: Base,
  database: string,
  isPurged: () => MaybePromise<boolean>
): Promise<boolean> {
  const unfinished = nameUnfinished(file, process.pid)
  try {
    // It contains everything that the database does, so only its owner may read it.
    const opened = openSync(unfinished, 'w', 0o600)
    try {
      for (const piece of snapshotPieces(base, database)) writeFully(opened, piece)
      fsyncSync(opened)
    } finally {
      closeSync(opened)
    }
    if (await isPurged()) return false
    renameSync(unfinished, file)
  } finally {
    rmSync(unfinished, { force: true })
  }
  if (!(await isPurged())) return true
  rmSync(file, { force: true })
  return false
}

/** Deletes a snapshot after a purge, also where a process is still writing it: its writer fails. */
export function deleteSnapshot(file: string | undefined) {
  if (file === undefined) return
  rmSync(file, { force: true })
  deleteUnfinished(file, () => true)
}

/** Deletes what processes that were killed left of a snapshot, or this one. */
export function deleteAbandoned(file: string | undefined) {
  if (file !== undefined) deleteUnfinished(file, pid => pid === process.pid || !isRunning(pid))
}

const nameUnfinished = (file: string, pid: number) => `${file}.${pid}.unfinished`

function deleteUnfinished(file: string, isToDelete: (pid: number) => boolean) {
  for (const name of listFolder(dirname(file))) {
    const pid = Number(/\.(\d+)\.unfinished$/.exec(name)?.[1])
    const isOfFile = name === basename(nameUnfinished(file, pid))
    if (isOfFile && isToDelete(pid)) rmSync(join(dirname(file), name), { force: true })
  }
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // There is no file in a folder that is not there.
    return []
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It runs for somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
