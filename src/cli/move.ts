import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

import { mediaFolderOf } from '#media/open-media.ts'
import { type Archive, type ArchiveRow, archiveParts, type UnfinishedMove } from '#store/archive.ts'
import { openArchive } from '#store/open-store.ts'
import type { TableName } from '#store/tables.ts'
import type { Config } from '../config.ts'
import { modelOf } from '../main.ts'
import { findSecretKey, keyFileOf, lostKey, placeOfKey } from '../service-secrets.ts'
import { adviceOnMedia, countMedia, fingerprintIn } from './belongings.ts'
import { type Command, jsonOption, refuseMissingFolder, UsageError } from './command.ts'
import { createProgress } from './progress.ts'

const pageSize = 500

export const move: Command = {
  summary:
    'Moves a catalogue with its history and feed into another database; run it again to continue an interrupted move.',
  usage: 'MOVE_TO=postgres://user:password@host/database npx libretto move [--from …] [--to …] [--json]',
  examples: [
    ['MOVE_TO=postgres://user:password@host/catalogue npx libretto move', 'from SQLite to PostgreSQL'],
    ['npx libretto move --from postgres://host/catalogue --to sqlite:catalogue.db', 'back into a file']
  ],
  options: {
    from: {
      type: 'string',
      describe: 'The current database; nothing may write to it meanwhile. By default that of DATABASE_URL'
    },
    to: {
      type: 'string',
      describe: 'An empty database, or the target of the same interrupted move. By default that of MOVE_TO'
    },
    json: jsonOption
  },
  async run({ config, options }) {
    const [from, to] = [options.from ?? config.databaseUrl, options.to ?? config.moveTo]
    if (typeof from !== 'string' || typeof to !== 'string')
      throw new UsageError('Give the target: set MOVE_TO, or give --to …')
    for (const [name, given] of Object.entries({ from: options.from, to: options.to }))
      if (typeof given === 'string' && URL.parse(given)?.password)
        console.error(`--${name} shows its password to other users of this machine; use DATABASE_URL and MOVE_TO`)
    if (from === to) throw new Error('--from and --to are the same database')
    refuseMissingFile(from)
    refuseMissingFolder(to, '--to')
    const model = modelOf(config)
    await using source = await openArchive(from, model)
    const [before, after] = [
      { ...config, databaseUrl: from },
      { ...config, databaseUrl: to }
    ]
    // Before the target is created.
    const carriesKey = await planKey(source, before, after)
    await using target = await openArchive(to, model)
    const mark = await begin(source, target)
    const progress = createProgress('Moving')
    let moved = 0
    for (const part of archiveParts) {
      await movePart(source, target, part, count => {
        moved += count
        progress.show(moved)
      })
    }
    await target.writeNumbers(await source.readNumbers())
    progress.step('comparing both databases')
    const digests = await compare(source, target)
    await refuseChangedSource(source, mark)
    await target.writeMove(undefined)
    progress.end()
    if (carriesKey) copyKey(before, after)
    const [media, keyFile] = [await countMedia(target, after), resolve(keyFileOf(after))]
    if (options.json)
      console.log(JSON.stringify({ moved, digests, media, ...(carriesKey ? { key_file: keyFile } : {}) }))
    else console.log(summary(digests) + (carriesKey ? `\nThe secret key was copied to "${keyFile}".` : ''))
    const advice = adviceOnMedia(media)
    if (advice !== undefined)
      console.error(`Media files are not moved; those of --from are in "${resolve(mediaFolderOf(before))}". ${advice}`)
    return 0
  }
}

/**
 * Finds the secret key of the catalogue. Returns whether it has to be copied beside the new
 * database. Throws when it is not where these settings look for it, or when another key is in the
 * place of the copy: a service on the new database would not start.
 */
async function planKey(source: Archive, before: Config, after: Config): Promise<boolean> {
  const fingerprint = await fingerprintIn(source)
  if (fingerprint === undefined || before.secretKeyPrevious === lostKey) return false
  if (findSecretKey(before)?.fingerprint !== fingerprint)
    throw new Error(
      `The secret key of --from is not in ${placeOfKey(before)}. Run the command in the folder of the service and with its settings, or set SECRET_KEY to the key; if it is lost, SECRET_KEY_PREVIOUS=none`
    )
  const existing = findSecretKey(after)
  if (existing !== undefined && existing.fingerprint !== fingerprint)
    throw new Error(`A service on --to would use another secret key, that of ${placeOfKey(after)}. Move that file away`)
  return existing === undefined
}

function copyKey(before: Config, after: Config) {
  const file = keyFileOf(after)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, readFileSync(keyFileOf(before)), { flag: 'wx', mode: 0o600, flush: true })
}

/** Throws for a missing file, which opening would create. */
function refuseMissingFile(from: string) {
  const [, file] = /^sqlite:(.+)$/.exec(from) ?? []
  if (file !== undefined && !existsSync(file)) throw new Error(`There is no file "${file}" to move from`)
}

/**
 * Marks the target, so that no service uses it half filled, or finds the mark of the same
 * interrupted move.
 */
async function begin(source: Archive, target: Archive): Promise<UnfinishedMove> {
  if (await source.readMove()) throw new Error('A move into --from is not finished; finish it first')
  if (await isEmpty(source)) throw new Error('--from is empty; is it the right database?')
  const [mark, begun] = [await markOf(source), await target.readMove()]
  if (begun && begun.epoch !== mark.epoch) {
    throw new Error('--to is the target of another unfinished move; use an empty database')
  }
  if (begun && begun.change !== mark.change) throw changedSource()
  if (!begun && !(await isEmpty(target))) throw new Error('--to is not empty; use an empty database')
  await target.writeMove(mark)
  return mark
}

/** Identifies the state of a catalogue. */
async function markOf(source: Archive): Promise<UnfinishedMove> {
  const rows = await source.read('properties', undefined, 100)
  const epoch = rows.find(([name]) => name === 'epoch')?.[1]
  return { epoch: String(epoch), change: (await source.readNumbers()).change }
}

async function isEmpty(archive: Archive): Promise<boolean> {
  const { entity, change } = await archive.readNumbers()
  if (entity > 0 || change > 0) return false
  for (const part of archiveParts) if (part !== 'properties' && (await archive.last(part))) return false
  return true
}

const changedSource = () =>
  new Error(
    'The catalogue was changed since the move began. Stop all writers to --from, and move into an empty database'
  )

async function refuseChangedSource(source: Archive, mark: UnfinishedMove) {
  if ((await markOf(source)).change !== mark.change) throw changedSource()
}

/**
 * Moves rows in the order of their keys, one page per transaction, so the last row of the target is
 * the position reached.
 */
async function movePart(source: Archive, target: Archive, part: TableName, onPage: (rows: number) => void) {
  // The target may already have other values of the few properties, from its creation.
  let last = part === 'properties' ? undefined : await target.last(part)
  for (;;) {
    const rows = await source.read(part, last, pageSize)
    if (rows.length === 0) return
    await target.write(part, rows)
    last = rows.at(-1)
    onPage(rows.length)
  }
}

interface PartDigest {
  readonly part: string
  readonly rows: number
  readonly digest: string
}

/** Reads both databases completely and compares their digests. */
async function compare(source: Archive, target: Archive): Promise<PartDigest[]> {
  const digests: PartDigest[] = []
  for (const part of archiveParts) {
    const [one, other] = await Promise.all([digestOf(source, part), digestOf(target, part)])
    if (one.digest !== other.digest) {
      throw new Error(
        `The databases differ: ${part} has ${one.rows} rows in --from and ${other.rows} in --to. Move into an empty database again`
      )
    }
    digests.push(one)
  }
  return digests
}

async function digestOf(archive: Archive, part: TableName): Promise<PartDigest> {
  const hash = createHash('sha256')
  let rows = 0
  let last: ArchiveRow | undefined
  do {
    const page = await archive.read(part, last, pageSize)
    for (const row of page) hash.update(`${JSON.stringify(row)}\n`)
    rows += page.length
    last = page.at(-1)
  } while (last)
  return { part, rows, digest: hash.digest('hex') }
}

const summary = (digests: readonly PartDigest[]) =>
  `Moved; both databases are equal:\n${digests.map(({ part, rows, digest }) => `  ${part.padEnd(12)}${String(rows).padStart(9)} rows  ${digest.slice(0, 16)}`).join('\n')}`
