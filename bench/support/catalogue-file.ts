import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import type { EntityContent } from '#domain/entity/entity.ts'
import { readConfig } from '../../src/config.ts'
import { openLibretto } from '../../src/main.ts'
import { benchSize, generateCatalogue, vocabularyOf } from './generate-catalogue.ts'
import { generateProgramme } from './generate-programme.ts'

/** A word of many titles, and one of a few. */
export const commonWord = 'leven'
export const rareWord = vocabularyOf(benchSize.seed)[6000] as string

const folder = join(tmpdir(), 'libretto-bench')

/** The values that determine the bytes of the file: it is made again when one of them changes. */
const madeBy = ['./generate-catalogue.ts', './random.ts', './words.ts', '../../src/store/tables.ts']

/**
 * Finds the catalogue where an earlier run left it, or makes it, which takes some minutes. Gives
 * its path; it is only to be read.
 */
export async function prepareCatalogue(manifestations = benchSize.manifestations): Promise<string> {
  const key = createHash('sha256')
  for (const file of madeBy) key.update(readFileSync(new URL(file, import.meta.url)))
  const kind = manifestations === benchSize.manifestations ? 'catalogue' : `catalogue-of-${manifestations}`
  const name = `${kind}-${key.digest('hex').slice(0, 16)}.db`
  const path = join(folder, name)
  if (existsSync(path)) return path

  mkdirSync(folder, { recursive: true })
  // Those of other sizes stay, and this one, which another run may be making.
  const isOld = new RegExp(`^${kind}-[0-9a-f]{16}[.]db`)
  for (const old of readdirSync(folder)) if (isOld.test(old) && !old.startsWith(name)) rmSync(join(folder, old))
  // Under a name of this process until it is whole, so that a stopped run leaves nothing that looks
  // finished, and two runs at once do not write one file.
  const unfinished = `${path}.${process.pid}.unfinished`
  await load(unfinished, generateCatalogue({ ...benchSize, manifestations }))
  foldLogIn(unfinished)
  renameSync(unfinished, path)
  return path
}

/** The catalogue with copies in libraries, a season, and records with very much around them. */
export async function prepareProgramme(manifestations = benchSize.manifestations): Promise<string> {
  const plain = await prepareCatalogue(manifestations)
  const made = readFileSync(new URL('./generate-programme.ts', import.meta.url))
  const path = plain.replace(/\.db$/, `-programme-${createHash('sha256').update(made).digest('hex').slice(0, 8)}.db`)
  if (existsSync(path)) return path
  const unfinished = `${path}.${process.pid}.unfinished`
  copyFileSync(plain, unfinished)
  const idsOf = (umbrella: string, count: number) => {
    using db = new DatabaseSync(plain, { readOnly: true })
    const statement = db.prepare('SELECT id FROM entities WHERE umbrella = ? ORDER BY pk LIMIT ?')
    return statement.all(umbrella, count).map(row => String(row.id))
  }
  await load(unfinished, generateProgramme(idsOf('manifestation', 20_000), idsOf('language', 16), idsOf('person', 100)))
  foldLogIn(unfinished)
  renameSync(unfinished, path)
  return path
}

/** Puts the log of the last writes into the file, which can then be moved and copied alone. */
function foldLogIn(path: string) {
  using db = new DatabaseSync(path)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}

/**
 * A fresh place for a copy or an empty database, gone with the process; the next call of any
 * process removes the places of those that were killed.
 */
export function scratchFolder(): string {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) {
    const [, pid] = /^scratch-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) remove(join(folder, name))
  }
  const scratch = mkdtempSync(join(folder, `scratch-${process.pid}-`))
  process.once('exit', () => remove(scratch))
  return scratch
}

const remove = (path: string) => rmSync(path, { recursive: true, force: true })

/** The ids of all manifestations, in the order of creation. */
export function manifestationIds(path: string): string[] {
  using db = new DatabaseSync(path, { readOnly: true })
  return db
    .prepare("SELECT id FROM entities WHERE umbrella = 'manifestation' ORDER BY pk")
    .all()
    .map(row => String(row.id))
}

/** Things to ask for, taken from the records themselves. */
export interface Samples {
  readonly isbn: string
  /** The id of the publisher with the most manifestations. */
  readonly publisher: string
  /** The id and the name of an author with some dozens of works and manifestations. */
  readonly author: string
  readonly authorName: string
  /** The id of the language of the most records. */
  readonly language: string
  /** The moment after which the last fiftieth or so of the records was written. */
  readonly recently: string
}

export function findSamples(path: string): Samples {
  using db = new DatabaseSync(path, { readOnly: true })
  const text = (statement: string) => String(Object.values(db.prepare(statement).get() ?? {})[0])
  const maxRelated = (type: string, rank: number) =>
    text(
      `SELECT target FROM relations WHERE type = '${type}' GROUP BY target ORDER BY count(*) DESC, target LIMIT 1 OFFSET ${rank}`
    )
  const author = maxRelated('refAuthors', 300)
  return {
    isbn: text(
      `SELECT m.value ->> 'value' FROM entities e, json_each(e.document, '$.metadata') m WHERE e.umbrella = 'manifestation'
        AND e.pk > (SELECT max(pk) / 2 FROM entities) AND m.value ->> 'key' = 'isbn' ORDER BY e.pk LIMIT 1`
    ),
    publisher: maxRelated('refPublishers', 0),
    author,
    authorName: text(
      `SELECT m.value ->> 'value' FROM entities e, json_each(e.document, '$.metadata') m
        WHERE e.id = '${author}' AND m.value ->> 'key' = 'name'`
    ),
    language: maxRelated('refLanguages', 0),
    recently: text(
      'SELECT updated_at FROM entities ORDER BY pk DESC LIMIT 1 OFFSET (SELECT count(*) / 50 FROM entities)'
    )
  }
}

/**
 * Straight through the store, many records to a transaction and some units ahead of the writer:
 * nothing here is measured.
 */
async function load(path: string, records: Iterable<EntityContent>) {
  const started = performance.now()
  await using libretto = await openLibretto(readConfig({ DATABASE_URL: `sqlite:${path}` }))
  const underWay: Promise<unknown>[] = []
  let unit: EntityContent[] = []
  let written = 0
  const send = async () => {
    const writes = unit.map(content => ({ kind: 'insert', content }) as const)
    written += unit.length
    unit = []
    underWay.push(libretto.store.write({ writes, by: 'bench' }))
    if (underWay.length > 4) await underWay.shift()
    if (written % 50_000 === 0) console.log(`Making the catalogue: ${written} records`)
  }
  for (const content of records) {
    unit.push(content)
    if (unit.length === 1000) await send()
  }
  await send()
  await Promise.all(underWay)
  console.log(`${written} records in ${Math.round((performance.now() - started) / 1000)} s`)
}
