import { spawnSync } from 'node:child_process'
import { globSync, mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { byRelevance } from '#domain/filter/order.ts'
import type { Filter } from '#domain/filter/filter.ts'
import { levels } from '#domain/entity/publication.ts'
import { publicationTypes } from '#domain/record-types/families.ts'
import { readSearchText } from '#domain/search/search-language.ts'
import { foldText } from '#domain/values/fold.ts'
import { readConfig } from '../src/config.ts'
import { type Libretto, openLibretto } from '../src/main.ts'
import { createChance } from '../test/support/records/chance.ts'
import { forms, type KnownRecord, readKnown, textsOf } from './support/known-queries.ts'
import { loadMarc } from './support/marc-catalogue.ts'
import { printTable } from './support/report.ts'

/*
 * How often a known record is among the first three and the first ten, for queries in many forms
 * that are made from the records of a folder, beside SQLite FTS5 and Xapian on the same records.
 * Both search for all words, and for any word if nothing has all; Xapian corrects the spelling
 * before that.
 *
 * The known items are in two sets: `--set mending` is for changes of the ranking, the other one is
 * for the table and is not looked at before.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    items: { type: 'string', default: '800' },
    set: { type: 'string', default: 'table' },
    misses: { type: 'boolean', default: false }
  }
})

interface Asked {
  readonly form: string
  readonly query: string
  readonly wanted: string
}

/** The keys of the records found, the best first; undefined for a program that is not there. */
type Answers = readonly (readonly string[])[] | string

async function run(folder: string) {
  const files = globSync('**/*.{mrc,marc,mrk}', { cwd: folder })
    .toSorted()
    .map(file => join(folder, file))
  using scratch = mkdtempDisposableSync(join(tmpdir(), 'libretto-relevance-'))
  const database = `sqlite:${join(scratch.path, 'known-items.db')}`
  await using libretto = await openLibretto(readConfig({ DATABASE_URL: database, SAMPLE_DATA: '0' }))
  const documents = new Map<string, readonly string[]>()
  const known = new Map<string, KnownRecord>()
  const recordOf = await loadMarc(libretto, files, (record, { problems }) => {
    const parts = readKnown(record)
    const key = foldText([...parts.title, parts.surname, parts.year].join(' '))
    // Files may have a record twice. Records of other kinds than MARC 21 have no title here.
    if (parts.title.length === 0 || documents.has(key) || problems.some(({ kind }) => kind === 'no_title'))
      return undefined
    documents.set(key, textsOf(record).map(foldText))
    known.set(key, parts)
    return key
  })
  const asked = chooseItems(known).flatMap(([wanted, parts]) =>
    Object.entries(forms).flatMap(([form, make]): Asked[] => {
      const query = make(parts)
      return query === undefined || query.length > 500 ? [] : [{ form, query, wanted }]
    })
  )
  const programs: Readonly<Record<string, Answers>> = {
    'Libretto, by work': await askLibretto(libretto, recordOf, asked, true),
    'Libretto, publications': await askLibretto(libretto, recordOf, asked, false),
    FTS5: askFts(documents, asked),
    Xapian: askXapian(documents, asked, scratch.path)
  }
  report(asked, programs)
}

/**
 * Records with a title of two words or more and an author, at random; the last quarter for the
 * table. Once the misses of the table were read, a larger number of items makes a new quarter.
 */
function chooseItems(known: ReadonlyMap<string, KnownRecord>): [string, KnownRecord][] {
  const fit = [...known].filter(([, { title, surname }]) => title.length >= 2 && surname !== '')
  const chance = createChance(20_261_118)
  const chosen = new Map<string, KnownRecord>()
  const wanted = Math.min(Number(values.items), fit.length)
  while (chosen.size < wanted) chosen.set(...(fit[chance.below(fit.length)] as [string, KnownRecord]))
  const forMending = Math.floor((wanted * 3) / 4)
  return values.set === 'mending' ? [...chosen].slice(0, forMending) : [...chosen].slice(forMending)
}

async function askLibretto(
  { catalogue, operator, model }: Libretto,
  recordOf: ReadonlyMap<string, string>,
  asked: readonly Asked[],
  isByWork: boolean
): Promise<Answers> {
  const answers: string[][] = []
  const types = isByWork ? levels.flatMap(level => model.typesNamed(level)) : publicationTypes(model)
  const withText = (text: string): Filter => ({
    kind: 'all',
    of: [readSearchText(model, text), { kind: 'types', types }]
  })
  const list = (text: string) =>
    catalogue.lists.entities(operator, {
      filter: withText(text),
      order: byRelevance,
      ...(isByWork ? { groupBy: { facets: 'groups' } } : {}),
      ...{ skip: 0, limit: 10, cursor: undefined, search: { text, withText, withoutEach: [] } }
    })
  for (const { query } of asked) {
    let page = await list(query)
    const [offer] = page.instead?.offers ?? []
    if (offer && 'text' in offer) page = await list(offer.text)
    const found = page.groups?.map(({ head }) => head) ?? page.entities.map(({ id }) => id)
    answers.push(found.map(id => recordOf.get(id) ?? id))
  }
  return answers
}

function askFts(documents: ReadonlyMap<string, readonly string[]>, asked: readonly Asked[]): Answers {
  using db = new DatabaseSync(':memory:')
  db.exec("CREATE VIRTUAL TABLE records USING fts5(key UNINDEXED, title, names, rest, tokenize = 'unicode61')")
  const insert = db.prepare('INSERT INTO records VALUES (?, ?, ?, ?)')
  for (const [key, texts] of documents) insert.run(key, ...texts)
  const select = db.prepare('SELECT key FROM records WHERE records MATCH ? ORDER BY bm25(records) LIMIT 10')
  return asked.map(({ query }) => {
    const words = (foldText(query).match(/[\p{L}\p{N}]+/gu) ?? []).map(word => `"${word}"`)
    const search = (between: string) => select.all(words.join(between)).map(({ key }) => String(key))
    const found = search(' AND ')
    return found.length > 0 ? found : search(' OR ')
  })
}

function askXapian(
  documents: ReadonlyMap<string, readonly string[]>,
  asked: readonly Asked[],
  scratch: string
): Answers {
  const file = join(scratch, 'xapian.json')
  writeFileSync(file, JSON.stringify({ documents: [...documents], queries: asked.map(({ query }) => foldText(query)) }))
  const program = fileURLToPath(new URL('./support/search-with-xapian.py', import.meta.url))
  const { status, signal, stdout, stderr } = spawnSync('/usr/bin/python3', [program, file, join(scratch, 'xapian')], {
    encoding: 'utf8',
    maxBuffer: 1 << 28
  })
  return status === 0
    ? (JSON.parse(stdout) as string[][])
    : `not measured: ${signal ?? String(stderr).trim().split('\n').at(-1)}`
}

function report(asked: readonly Asked[], programs: Readonly<Record<string, Answers>>) {
  const row = (name: string, isMeant: (form: string) => boolean) => {
    const meant = asked.flatMap((each, at) => (isMeant(each.form) ? [at] : []))
    const within = (answers: readonly (readonly string[])[], most: number) =>
      meant.filter(at => answers[at]?.slice(0, most).includes(asked[at]?.wanted ?? '')).length
    const cells = Object.values(programs).map(answers =>
      typeof answers === 'string' ? '' : `${within(answers, 3)} / ${within(answers, 10)}`
    )
    return [name, String(meant.length), ...cells]
  }
  const rows = Object.keys(forms).map(form => row(form, each => each === form))
  printTable(['form', 'queries', ...Object.keys(programs)], [...rows, row('all', () => true)])
  for (const [name, answers] of Object.entries(programs)) if (typeof answers === 'string') console.log(name, answers)
  if (!values.misses) return
  const [grouped, , ...others] = Object.values(programs).filter(answers => typeof answers !== 'string')
  const isFound = (answers: Exclude<Answers, string> | undefined, at: number) =>
    answers?.[at]?.slice(0, 3).includes(asked[at]?.wanted ?? '') === true
  for (const [at, { form, query, wanted }] of asked.entries())
    if (!isFound(grouped, at) && others.some(answers => isFound(answers, at)))
      console.log(`${form}: ${query}\n  wanted ${wanted}\n  found ${grouped?.[at]?.slice(0, 3).join(' | ')}`)
}

const [folder] = positionals
if (folder === undefined) console.log('not measured: name a folder of MARC files')
else await run(resolve(folder))
