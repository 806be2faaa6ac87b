import { createReadStream, mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { EntityContent, MetadataEntry, Relation } from '#domain/entity/entity.ts'
import { byRelevance } from '#domain/filter/order.ts'
import { readSearch } from '#domain/search/search.ts'
import type { RelationDraft, RecordDescription } from '#formats/description/description.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import { readConfig } from '../src/config.ts'
import { type Libretto, openLibretto } from '../src/main.ts'
import { findTestFile, notMeasured } from '../test/support/records/test-data.ts'
import { printTable } from './support/report.ts'

/*
 * How often somebody who looks for a record they know finds it among the first three. The searches
 * were written by looking at real MARC records; the list has what was typed and the control number
 * that was wanted. The records are read from the folder that TEST_DATA names.
 *
 * Every record becomes a work, an expression and a manifestation, people and the rest one each by
 * their name. All types are searched at once, and any of the three levels of the wanted record will
 * do.
 */

interface KnownItem {
  readonly kind: string
  readonly query: string
  /** A control number (001). */
  readonly wanted: string
}

const file = findTestFile('marc21/bibs.mrc')
const items = JSON.parse(
  readFileSync(new URL('./relevance/known-items.json', import.meta.url), 'utf8')
) as readonly KnownItem[]
const enough = 0.95

async function run(file: string) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'libretto-relevance-'))
  const path = join(folder.path, 'known-items.db')
  await using libretto = await openLibretto(readConfig({ DATABASE_URL: `sqlite:${path}`, SAMPLE_DATA: '0' }))
  const recordOf = await load(libretto, file)

  const kinds = [...new Set(items.map(item => item.kind))]
  const ranks = new Map<KnownItem, number>()
  const missed: string[][] = []
  for (const item of items) {
    const { entities } = await libretto.catalogue.lists.entities(libretto.operator, {
      filter: { kind: 'search', search: readSearch(item.query) },
      order: byRelevance,
      skip: 0,
      limit: 20,
      cursor: undefined
    })
    const rank = entities.findIndex(entity => recordOf.get(entity.id) === item.wanted) + 1
    ranks.set(item, rank)
    if (rank === 0 || rank > 3) missed.push([item.query, item.wanted, rank === 0 ? 'not in 20' : String(rank)])
  }
  const row = (name: string, of: readonly KnownItem[]) => {
    const within = (most: number) => {
      const found = of.filter(item => (ranks.get(item) ?? 0) > 0 && (ranks.get(item) ?? 0) <= most).length
      return `${found} (${((found / of.length) * 100).toFixed(1)} %)`
    }
    return [name, String(of.length), within(1), within(3), within(20)]
  }
  printTable(
    ['searched by', 'searches', 'first', 'in the first three', 'in the first twenty'],
    [
      ...kinds.map(kind =>
        row(
          kind,
          items.filter(item => item.kind === kind)
        )
      ),
      row('all', items)
    ]
  )
  if (missed.length > 0) printTable(['missed', 'wanted', 'rank'], missed)
  const share = items.filter(item => [1, 2, 3].includes(ranks.get(item) ?? 0)).length / items.length
  if (share < enough) process.exitCode = 1
}

/** Writes the records, and gives the control number that each level came from, by its id. */
async function load({ store }: Libretto, file: string): Promise<ReadonlyMap<string, string>> {
  const recordOf = new Map<string, string>()
  const targets = new Map<string, string>()
  let number = 0
  let unit: EntityContent[] = []
  const send = async () => {
    await store.write({ writes: unit.map(content => ({ kind: 'insert', content })), by: 'bench' })
    unit = []
  }
  const add = (type: string, metadata: readonly MetadataEntry[], relations: readonly Relation[]): string => {
    const id = `K-${++number}`
    const uuid = `0190aaaa-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
    unit.push({ id, uuid, type, metadata, relations, otherIdentifiers: [] })
    return id
  }
  const relate = (drafts: readonly RelationDraft[]): Relation[] => {
    const relations = new Map<string, Relation>()
    for (const { relation, target } of drafts) {
      const name = [target.type, target.key, target.birthYear ?? ''].join('\n')
      const id = targets.get(name) ?? add(target.type, target.metadata, [])
      targets.set(name, id)
      relations.set(`${relation} ${id}`, { type: relation, key: id })
    }
    return [...relations.values()]
  }
  const addRecord = (description: RecordDescription, wanted: string) => {
    const works = description.works.map(each => add(each.type, plain(each.metadata), relate(each.relations)))
    const expressions = description.expressions.map(each =>
      add(each.type, plain(each.metadata), [
        { type: 'refWork', key: works[each.work] ?? '' },
        ...relate(each.relations)
      ])
    )
    const { type, metadata, relations } = description.manifestation
    const published = [...expressions.map(key => ({ type: 'refExpressions', key })), ...relate(relations)]
    for (const id of [...works, ...expressions, add(type, plain(metadata), published)]) recordOf.set(id, wanted)
  }
  for await (const reading of readMarc(createReadStream(file))) {
    if (reading.outcome !== 'record') continue
    const description = describeRecord(reading.record)
    addRecord(description, description.controlNumber ?? '')
    if (unit.length > 1000) await send()
  }
  await send()
  console.log(`${number} records made of ${new Set(recordOf.values()).size} MARC records`)
  return recordOf
}

const plain = (statements: readonly { readonly key: string; readonly value: string | boolean }[]) =>
  statements.map(({ key, value }) => ({ key, value }))

if (file === undefined) console.log(notMeasured)
else await run(file)
