import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

import type { Chance } from '../records/chance.ts'

/*
 * A disk that loses unflushed data. The changes of a process to its files are read from a trace of
 * its system calls (strace), and the disk is restored as a loss of power could leave it at any
 * moment: flushed data are there; of the rest nothing, all, or any part.
 *
 * The disk is a strict one: a flushed file has its name only if its folder was flushed too, and a
 * folder only if the one above it was. Sectors of 512 bytes are whole or missing. Mapped memory is
 * not followed; SQLite maps only its index of the log, which it makes again.
 */

/** Calls that strace is asked for; those with a question mark are not on every machine. */
export const tracedCalls =
  '?open,openat,?creat,close,write,writev,pwrite64,?pwritev,ftruncate,fsync,fdatasync,?rename,renameat,?renameat2,?link,linkat,?unlink,unlinkat,?mkdir,mkdirat,?rmdir,sendto,sendmsg,?fallocate,?copy_file_range'

/** One thing that happened to the disk, or that was told to a client. */
export type Step =
  | { readonly kind: 'write'; readonly file: number; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: number; readonly size: number }
  /** Names that appear or go, all of them or none: a file, a folder, or nothing. */
  | { readonly kind: 'names'; readonly changes: readonly (readonly [path: string, target: Target])[] }
  | { readonly kind: 'flush'; readonly file: number; readonly path: string }
  | { readonly kind: 'flush folder'; readonly path: string }
  /** Bytes that were sent to a client. */
  | { readonly kind: 'told'; readonly text: string }

type Target = number | 'folder' | undefined

/** Calls whose texts are paths; relative ones begin at the folder that the program ran in. */
const namesPaths: ReadonlySet<string> = new Set(['openat', 'renameat', 'linkat', 'unlinkat', 'mkdirat'])

/**
 * Reads a trace of a program in a folder that was made with `strace -f -y -xx`. Only what is below
 * the folder is of interest.
 */
export function readTrace(trace: string, root: string): Step[] {
  const steps: Step[] = []
  const files = new Map<string, number>()
  const folders = new Set<string>([root])
  const places = new Map<string, number>()
  const sizes = new Map<number, number>()
  let inodes = 0
  const isBelow = (path: string) => path.startsWith(`${root}/`) && !path.endsWith('-shm')
  const noteSize = (file: number, size: number) => sizes.set(file, Math.max(sizes.get(file) ?? 0, size))

  const make = (path: string) => {
    const file = ++inodes
    files.set(path, file)
    sizes.set(file, 0)
    steps.push({ kind: 'names', changes: [[path, file]] })
    return file
  }
  const truncate = (file: number, size: number) => {
    sizes.set(file, size)
    steps.push({ kind: 'truncate', file, size })
  }
  const write = (path: string, at: number, bytes: Buffer) => {
    const file = files.get(path)
    if (file === undefined) return
    steps.push({ kind: 'write', file, at, bytes })
    noteSize(file, at + bytes.length)
  }
  const calls: Record<string, (call: Call) => void> = {
    openat: ({ strings: [path = ''], words, result }) => {
      if (!isBelow(path)) return
      const known = files.get(path)
      if (known === undefined && words.includes('O_CREAT')) make(path)
      else if (known !== undefined && words.includes('O_TRUNC')) truncate(known, 0)
      places.set(result, words.includes('O_APPEND') ? (sizes.get(files.get(path) ?? 0) ?? 0) : 0)
    },
    pwrite64: ({ path, strings, numbers }) => write(path, numbers.at(-1) ?? 0, bytesOf(strings[0])),
    write: ({ path, strings, descriptor }) => {
      const bytes = bytesOf(strings.join(''))
      if (!isBelow(path)) {
        if (isSocket(path)) steps.push({ kind: 'told', text: bytes.toString('latin1') })
        return
      }
      const at = places.get(descriptor) ?? 0
      write(path, at, bytes)
      places.set(descriptor, at + bytes.length)
    },
    ftruncate: ({ path, numbers }) => {
      const file = files.get(path)
      if (file !== undefined) truncate(file, numbers[0] ?? 0)
    },
    fsync: ({ path }) => {
      const file = files.get(path)
      if (file !== undefined) steps.push({ kind: 'flush', file, path })
      else if (folders.has(path)) steps.push({ kind: 'flush folder', path })
    },
    renameat: ({ strings: [from = '', to = ''] }) => {
      const file = files.get(from)
      if (file === undefined) return
      const isSame = files.get(to) === file
      // Of two names of one file a rename takes none away.
      if (!isSame) files.delete(from)
      files.set(to, file)
      steps.push({
        kind: 'names',
        changes: isSame
          ? [[to, file]]
          : [
              [from, undefined],
              [to, file]
            ]
      })
    },
    linkat: ({ strings: [from = '', to = ''] }) => {
      const file = files.get(from)
      if (file === undefined) return
      files.set(to, file)
      steps.push({ kind: 'names', changes: [[to, file]] })
    },
    unlinkat: ({ strings: [path = ''] }) => {
      if (files.delete(path)) steps.push({ kind: 'names', changes: [[path, undefined]] })
    },
    mkdirat: ({ strings: [path = ''] }) => {
      if (!isBelow(path)) return
      folders.add(path)
      steps.push({ kind: 'names', changes: [[path, 'folder']] })
    }
  }
  const same: Record<string, string> = {
    open: 'openat',
    creat: 'openat',
    writev: 'write',
    sendto: 'write',
    sendmsg: 'write',
    fdatasync: 'fsync',
    rename: 'renameat',
    renameat2: 'renameat',
    link: 'linkat',
    unlink: 'unlinkat',
    mkdir: 'mkdirat'
  }
  for (const call of callsIn(trace)) {
    if (call.isFailed) continue
    if (['fallocate', 'copy_file_range', 'pwritev'].includes(call.name) && isBelow(call.path))
      throw new Error(`The disk does not know ${call.name}`)
    const name = same[call.name] ?? call.name
    calls[name]?.(namesPaths.has(name) ? { ...call, strings: call.strings.map(each => resolve(root, each)) } : call)
  }
  return steps
}

const isSocket = (path: string) => /^(socket|TCP)/.test(path)

interface Call {
  readonly name: string
  readonly descriptor: string
  /** Of the descriptor that it is about. */
  readonly path: string
  readonly strings: readonly string[]
  readonly numbers: readonly number[]
  /** Everything but the strings, such as flags. */
  readonly words: string
  readonly result: string
  readonly isFailed: boolean
}

/**
 * The calls of all threads, in order. One that is interrupted by another thread's counts as soon as
 * it began where it writes or tells, which is the earliest that a client can know of it, and only
 * when it has ended where it flushes.
 */
function* callsIn(trace: string): Generator<Call> {
  const begun = new Map<string, string>()
  for (const line of trace.split('\n')) {
    const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? []
    const resumed = /^<\.\.\. (\w+) resumed>(.*)$/.exec(rest)
    if (rest.endsWith('<unfinished ...>')) {
      const head = rest.slice(0, -'<unfinished ...>'.length)
      if (/^(f?data)?f?sync\(|^(open|mkdir|rename|link|unlink)/.test(head)) begun.set(thread, head)
      else yield* callOf(`${head}) = 0`)
    } else if (resumed) {
      const head = begun.get(thread)
      begun.delete(thread)
      if (head !== undefined) yield* callOf(head + (resumed[2] ?? ''))
    } else yield* callOf(rest)
  }
}

function* callOf(text: string): Generator<Call> {
  const [, name, inner = '', result = ''] = /^(\w+)\((.*)\)\s+= (.*)$/s.exec(text) ?? []
  if (name === undefined) return
  const strings = [...inner.matchAll(/"([^"]*)"/g)].map(each => each[1] ?? '')
  const plain = inner.replaceAll(/"[^"]*"/g, '""').replaceAll(/<[^>]*>/g, '')
  const [, descriptor = '', path = ''] = /^(\d+)<([^>]*)>/.exec(inner) ?? []
  const isAboutPaths = /^(open|creat|rename|link|unlink|mkdir)/.test(name)
  yield {
    name,
    descriptor,
    // strace writes the names of sockets as they are.
    path: path.startsWith('\\x') ? bytesOf(path).toString() : path,
    strings: isAboutPaths ? strings.map(each => bytesOf(each).toString()) : strings,
    numbers: plain.split(',').slice(1).map(Number).filter(Number.isFinite),
    words: plain,
    result: /^\d+/.exec(result)?.[0] ?? '',
    isFailed: result.startsWith('-1')
  }
}

/** Of `\x2f\x74…`. */
const bytesOf = (escaped = '') => Buffer.from(escaped.replaceAll('\\x', ''), 'hex')

/** The disk while the steps happen to it. */
export interface Disk {
  apply(step: Step): void
  /** Writes into an empty folder what a loss of power leaves at this moment. */
  lose(into: string, rest: 'nothing' | 'all' | 'some'): void
}

/** A change of the bytes of a file. */
type Change = Extract<Step, { kind: 'write' | 'truncate' }>

export function createDisk(root: string, chance: Chance): Disk {
  interface File {
    bytes: Buffer
    /** Changes that are not flushed yet. */
    pending: Change[]
  }
  const files = new Map<number, File>()
  const names = new Map<string, Target>()
  let pendingNames: (readonly (readonly [string, Target])[])[] = []
  const fileOf = (number: number): File => {
    const known = files.get(number)
    if (known) return known
    const file: File = { bytes: Buffer.alloc(0), pending: [] }
    files.set(number, file)
    return file
  }
  const apply = (list: Map<string, Target>, changes: readonly (readonly [string, Target])[]) => {
    for (const [path, target] of changes)
      if (target === undefined) list.delete(path)
      else list.set(path, target)
  }
  const isLucky = () => chance.oneIn(2)

  return {
    apply(step) {
      if (step.kind === 'write' || step.kind === 'truncate') fileOf(step.file).pending.push(step)
      else if (step.kind === 'flush') {
        const file = fileOf(step.file)
        file.bytes = changed(file.bytes, file.pending)
        file.pending = []
      } else if (step.kind === 'names') pendingNames.push(step.changes)
      else if (step.kind === 'flush folder') {
        const isHere = ([path]: readonly [string, Target]) => dirname(path) === step.path
        for (const changes of pendingNames) if (changes.some(isHere)) apply(names, changes)
        pendingNames = pendingNames.filter(changes => !changes.some(isHere))
      }
    },
    lose(into, rest) {
      const left = new Map(names)
      const kept = rest === 'nothing' ? 0 : rest === 'all' ? pendingNames.length : chance.below(pendingNames.length + 1)
      for (const changes of pendingNames.slice(0, kept)) apply(left, changes)
      const isReachable = (path: string): boolean =>
        path === root || (left.get(path) === 'folder' && isReachable(dirname(path)))
      const made = new Set<string>()
      for (const [path, target] of left) {
        if (typeof target !== 'number' || !isReachable(dirname(path))) continue
        const { bytes, pending } = fileOf(target)
        const changes =
          rest === 'nothing'
            ? []
            : rest === 'all'
              ? pending
              : pending.flatMap(change => (change.kind === 'write' ? sectors(change) : [change])).filter(isLucky)
        const copy = join(into, path.slice(root.length))
        if (!made.has(dirname(copy))) mkdirSync(dirname(copy), { recursive: true })
        made.add(dirname(copy))
        writeFileSync(copy, changed(bytes, changes))
      }
    }
  }
}

/** A file after some changes, which are made in one copy of it. */
function changed(old: Buffer, changes: readonly Change[]): Buffer {
  if (changes.length === 0) return old
  let size = old.length
  const ends = changes.map(change => (change.kind === 'write' ? change.at + change.bytes.length : change.size))
  const bytes = Buffer.alloc(Math.max(size, ...ends))
  old.copy(bytes)
  for (const change of changes) {
    if (change.kind === 'write') {
      change.bytes.copy(bytes, change.at)
      size = Math.max(size, change.at + change.bytes.length)
    } else {
      // Bytes beyond the new end are gone when the file grows again.
      bytes.fill(0, change.size, size)
      size = change.size
    }
  }
  return bytes.subarray(0, size)
}

const sectorSize = 512

/** The parts of a write that are in one sector each. */
function sectors({ file, at, bytes }: Extract<Step, { kind: 'write' }>): Change[] {
  const parts: Change[] = []
  for (let from = at; from < at + bytes.length; ) {
    const end = Math.min(at + bytes.length, (Math.floor(from / sectorSize) + 1) * sectorSize)
    parts.push({ kind: 'write', file, at: from, bytes: bytes.subarray(from - at, end - at) })
    from = end
  }
  return parts
}
