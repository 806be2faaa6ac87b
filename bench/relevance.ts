import { mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { byRelevance } from '#domain/filter/order.ts'
import { readSearch } from '#domain/search/search.ts'
import { readConfig } from '../src/config.ts'
import { openLibretto } from '../src/main.ts'
import { findTestFile, notMeasured } from '../test/support/records/test-data.ts'
import { loadMarc } from './support/marc-catalogue.ts'
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
  const recordOf = await loadMarc(libretto, [file], (_, { controlNumber }) => controlNumber ?? '')

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

if (file === undefined) console.log(notMeasured)
else await run(file)
