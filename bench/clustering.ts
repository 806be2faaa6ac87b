import { createReadStream, existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { foldText } from '#domain/values/fold.ts'
import type { Clusters } from '#domain/clustering/cluster-block.ts'
import { clusterRecords } from '../test/support/records/cluster-records.ts'
import type { RecordEvidence } from '#domain/clustering/evidence.ts'
import { titleKey } from '#domain/clustering/title-key.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { readMarcEvidence } from '#formats/marc/mapping/evidence.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import { controlNumberOf, findControlValue, isDataField, type MarcRecord } from '#formats/marc/record.ts'
import { findTestFile, notMeasured } from '../test/support/records/test-data.ts'

/*
 * How well works and expressions are found, beside the answers of a folder: each `Name.gold.json`
 * in it lists the works and expressions of the records in `Name.mrc` (or another MARC format). The
 * plain key of author and title stands beside it; a set where the program is below it is marked.
 * `--misses` lists pairs that were missed or joined wrongly; `--set` takes some sets; `--seed`
 * chooses which half loses its uniform titles; `--without 246,740,$8` removes fields and subfields
 * from all records first, to see what hangs on them.
 */

/** The answers about one record, as they stand in the file. */
interface Gold {
  readonly id_001: string
  readonly works: Readonly<Record<string, string>>
  readonly expressions: Readonly<Record<string, { readonly works: readonly string[] }>>
  readonly aggregate: boolean
  readonly has_gold: boolean
}

interface GoldSet {
  readonly name: string
  readonly records: readonly MarcRecord[]
  readonly gold: ReadonlyMap<string, Gold>
}

/** Which works and expressions a record has: of the whole, and of what is in it. */
interface Answer {
  readonly works: readonly string[]
  readonly expressions: readonly string[]
  /** The values by which it forms a pair with another record; for the baseline, its key alone. */
  readonly paired: readonly string[]
}

const { values } = parseArgs({
  options: {
    misses: { type: 'boolean', default: false },
    set: { type: 'string' },
    seed: { type: 'string', default: '2026' },
    without: { type: 'string', default: '' },
    folder: { type: 'string' }
  }
})

const folder = values.folder ?? findTestFile('frbr')
if (folder === undefined || !existsSync(folder)) {
  console.log(values.folder === undefined ? notMeasured : `not measured: there is no folder ${values.folder}`)
  process.exit()
}

const rows: string[][] = []
const sets = values.set?.split(',') ?? globSync('*.gold.json', { cwd: folder }).map(each => each.split('.')[0] ?? '')
for (const name of sets.sort()) {
  const set = await readSet(folder, name)
  const bare = { ...set, records: withoutHalf(set.records, Number(values.seed)) }
  for (const [what, given] of [['all', set] as const, ['half of 130/240 removed', bare] as const]) {
    const ours = measure(`${name}, ${what}`, given, answersOf(given), values.misses)
    const plain = measure('plain key', given, plainAnswers(given), false)
    rows.push([...ours.cells, isBelow(ours, plain) ? 'below' : ''], [...plain.cells, ''])
  }
}
const head = ['set', 'work P', 'R', 'expr P', 'R', 'in aggregates P', 'R', 'F1', 'asked in 100', 'plain key']
console.log(`| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|`)
for (const row of rows) console.log(`| ${row.join(' | ')} |`)

async function readSet(folder: string, name: string): Promise<GoldSet> {
  const list = JSON.parse(readFileSync(join(folder, `${name}.gold.json`), 'utf8')) as Gold[]
  const records: MarcRecord[] = []
  const [file = `${name}.mrc`] = globSync(`${name}.{mrc,mrk,xml,jsonl,ndjson}`, { cwd: folder })
  for await (const reading of readMarc(createReadStream(join(folder, file))))
    if (reading.outcome !== 'unreadable' && reading.record !== undefined) records.push(withoutParts(reading.record))
  return { name, records, gold: new Map(list.filter(each => each.has_gold).map(each => [each.id_001, each])) }
}

function withoutParts(record: MarcRecord): MarcRecord {
  const left = new Set(values.without.split(',').filter(Boolean))
  return {
    ...record,
    fields: record.fields
      .filter(each => !left.has(each.tag))
      .map(each =>
        isDataField(each) ? { ...each, subfields: each.subfields.filter(({ code }) => !left.has(`$${code}`)) } : each
      )
  }
}

/** The same records, but a random half of them without uniform titles. */
function withoutHalf(records: readonly MarcRecord[], seed: number): MarcRecord[] {
  let state = seed >>> 0
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const places = records.map((_, index) => ({ index, order: next() })).sort((one, other) => one.order - other.order)
  const chosen = new Set(places.slice(0, Math.floor(records.length / 2)).map(each => each.index))
  return records.map((record, index) =>
    chosen.has(index)
      ? { ...record, fields: record.fields.filter(each => each.tag !== '130' && each.tag !== '240') }
      : record
  )
}

interface Found extends ReadonlyMap<string, Answer> {
  readonly asked?: number
  /** The keys of the titles that a work was found by. */
  readonly titles?: ReadonlyMap<string, ReadonlySet<string>>
}

function answersOf({ records }: GoldSet): Found {
  const evidence = records.map((record): RecordEvidence => {
    const name = controlNumberOf(record) ?? ''
    return readMarcEvidence(record, describeRecord(record), name)
  })
  const clusters: Clusters = clusterRecords(evidence)
  const works = new Map<string, string>()
  const expressions = new Map<string, string>()
  for (const [number, work] of clusters.works.entries())
    for (const [version, expression] of work.expressions.entries())
      for (const { mention } of expression.members) {
        works.set(mention, String(number))
        expressions.set(mention, `${number}/${version}`)
      }
  const answers = new Map(
    evidence.map(({ record, works: mentioned }) => [
      record,
      {
        paired: mentioned.map((_, place) => works.get(`${record}#${place}`) ?? ''),
        works: [...new Set(mentioned.map((_, place) => works.get(`${record}#${place}`) ?? ''))],
        expressions: [...new Set(mentioned.map((_, place) => expressions.get(`${record}#${place}`) ?? ''))]
      }
    ])
  )
  const titles = new Map<string, Set<string>>()
  for (const { record, works: mentioned } of evidence)
    for (const [place, { names }] of mentioned.entries()) {
      const work = works.get(`${record}#${place}`) ?? ''
      const known = titles.get(work) ?? new Set()
      for (const { key } of names) known.add(key)
      titles.set(work, known)
    }
  return Object.assign(answers, { asked: clusters.questions.length, titles })
}

/**
 * The bar: author (100 $a) and title (240 or 130, else 245), folded; the expression is that with
 * language and kind of record.
 */
function plainAnswers({ records }: GoldSet): Map<string, Answer> {
  return new Map(
    records.map(record => {
      const part = (tags: string[], codes: string) =>
        record.fields
          .filter(each => tags.includes(each.tag))
          .slice(0, 1)
          .flatMap(each => (isDataField(each) ? each.subfields : []))
          .filter(each => codes.includes(each.code))
          .map(each => each.value)
          .join(' ')
      const fold = (text: string) =>
        foldText(text)
          .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
          .trim()
          .replace(/^(?:the|a|an) /, '')
      const title = part(['240'], 'a') || part(['130'], 'a') || part(['245'], 'a')
      const work = `${fold(part(['100'], 'a'))}/${fold(title)}`
      const language = part(['041'], 'a') || (findControlValue(record, '008') ?? '').slice(35, 38)
      const entries = record.fields.flatMap(each =>
        isDataField(each) && each.tag === '700' && each.indicators[1] === '2'
          ? [
              `${fold(each.subfields.find(({ code }) => code === 'a')?.value ?? '')}/${fold(each.subfields.find(({ code }) => code === 't')?.value ?? '')}`
            ]
          : []
      )
      return [
        controlNumberOf(record) ?? '',
        {
          paired: [work],
          works: [...new Set([work, ...entries])],
          expressions: [`${work}/${language}/${record.leader[6]}`]
        }
      ]
    })
  )
}

interface Measured {
  readonly cells: readonly string[]
  /** The harmonic means of precision and recall: works, expressions, works in aggregates. */
  readonly f1: readonly number[]
}

function isBelow(ours: Measured, plain: Measured): boolean {
  return ours.f1.some((each, place) => each < (plain.f1[place] ?? 0))
}

function measure(name: string, { gold, records }: GoldSet, found: Found, withMisses: boolean): Measured {
  const title = (id: string) => {
    const record = records.find(each => controlNumberOf(each) === id)
    const field = record?.fields.find(each => each.tag === '245')
    return `${id} ${
      field !== undefined && isDataField(field)
        ? field.subfields
            .map(each => each.value)
            .join(' ')
            .slice(0, 70)
        : ''
    }`
  }
  const single = [...gold.values()].filter(each => !each.aggregate && found.has(each.id_001))
  // Two records are a pair when they have one in common.
  const pairs = (of: (each: Gold) => string, answer: (each: Answer) => readonly string[], level: string) => {
    let both = 0
    let ours = 0
    let theirs = 0
    for (const [at, one] of single.entries())
      for (const other of single.slice(at + 1)) {
        const a = found.get(one.id_001)
        const b = found.get(other.id_001)
        const isOurs = a !== undefined && b !== undefined && answer(a).some(each => answer(b).includes(each))
        const isTheirs = of(one) === of(other)
        if (isOurs) ours++
        if (isTheirs) theirs++
        if (isOurs && isTheirs) both++
        if (withMisses && isOurs !== isTheirs)
          console.log(
            `${name}: ${level} ${isOurs ? 'joined wrongly' : 'missed'}: ${title(one.id_001)} + ${title(other.id_001)}`
          )
      }
    return { precision: share(both, ours), recall: share(both, theirs) }
  }
  const works = pairs(
    each => Object.keys(each.works)[0] ?? '',
    each => each.paired,
    'work'
  )
  const versions = pairs(
    each => Object.keys(each.expressions)[0] ?? '',
    each => each.expressions,
    'expression'
  )
  const parts = inAggregates(name, gold, found, withMisses, title)
  const f1 = [works, versions, parts].map(({ precision, recall }) =>
    precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  )
  const shares = [works, versions, parts].flatMap(({ precision, recall }) => [precision, recall])
  const asked = found.asked === undefined ? '' : ((found.asked * 100) / records.length).toFixed(1)
  return { cells: [name, ...[...shares, f1[2] ?? 0].map(each => each.toFixed(3)), asked], f1 }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole
}

/**
 * Works in records with several: each of ours stands for the one of theirs that it shares most
 * records with, of several such the one with its title; one to one.
 */
function inAggregates(
  name: string,
  gold: ReadonlyMap<string, Gold>,
  found: Found,
  withMisses: boolean,
  title: (id: string) => string
): { precision: number; recall: number } {
  const shared = new Map<string, number>()
  for (const { id_001: id, works } of gold.values())
    for (const theirs of Object.keys(works))
      for (const ours of found.get(id)?.works ?? []) {
        const key = `${ours}\t${theirs}`
        shared.set(key, (shared.get(key) ?? 0) + 1)
      }
  const ourOf = new Map<string, string>()
  const theirOf = new Map<string, string>()
  const named = new Map([...gold.values()].flatMap(each => Object.entries(each.works)))
  const pairs = [...shared].map(([key, count]) => {
    const [ours = '', theirs = ''] = key.split('\t')
    const isNamed = found.titles?.get(ours)?.has(titleKey(named.get(theirs) ?? '')) ?? false
    return { key, ours, theirs, count: count + (isNamed ? 0.5 : 0) }
  })
  for (const { ours, theirs } of pairs.sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))) {
    if (theirOf.has(ours) || ourOf.has(theirs)) continue
    theirOf.set(ours, theirs)
    ourOf.set(theirs, ours)
  }
  let both = 0
  let ours = 0
  let theirs = 0
  for (const { id_001: id, works, aggregate } of gold.values()) {
    if (!aggregate) continue
    const has = new Set(Object.keys(works))
    const said = found.get(id)?.works ?? []
    const right = said.filter(each => has.has(theirOf.get(each) ?? ''))
    both += right.length
    ours += said.length
    theirs += has.size
    if (withMisses && (right.length < said.length || right.length < has.size)) {
      const missed = [...has].filter(each => !said.includes(ourOf.get(each) ?? '')).map(each => works[each])
      console.log(
        `${name}: in aggregate ${title(id)}: missed [${missed.join(' | ')}], ${said.length - right.length} too many`
      )
    }
  }
  return { precision: share(both, ours), recall: share(both, theirs) }
}
