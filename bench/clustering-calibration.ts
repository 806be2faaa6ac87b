import { parseArgs } from 'node:util'

import { clusterLevels } from '#domain/clustering/cluster-block.ts'
import { halfWithoutOriginals, type MadeRecord, makeCollection } from '../test/support/records/made-collection.ts'
import { CollectionMeasure, type Tally } from '../test/support/oracles/measure-collection.ts'

/*
 * Whether the confidence of joins means what it says: the share of right joins for each confidence
 * and reason, the number of questions for 100 records, and the works that are wrong although nobody
 * is asked. The collections are made up (test/support/records/made-collection.ts); README.md lists
 * seeds that the rules were made with. `--half` removes 240, 765 and 500 from half of the records;
 * `--misses` lists errors.
 */

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '101,102,103,104,105' },
    records: { type: 'string', default: '2000' },
    misses: { type: 'boolean', default: false },
    half: { type: 'boolean', default: false }
  }
})

let records: readonly MadeRecord[] = []
const measure = new CollectionMeasure((what, mentions) => {
  if (!values.misses) return
  console.log(what)
  for (const mention of mentions) {
    const record = records.find(({ name }) => mention.startsWith(`${name}#`))
    console.log(`  ${mention} ${record?.works[0]} ${record?.lines.replaceAll('\n', ' | ')}`)
  }
})
const linesOf = values.half ? halfWithoutOriginals : ({ lines }: MadeRecord) => lines
for (const seed of values.seeds.split(',')) {
  records = makeCollection(Number(seed), Number(values.records))
  measure.add(records, linesOf)
}

const share = (part: number, whole: number) => (whole === 0 ? '1.000' : (part / whole).toFixed(3))
const rowsOf = (tallies: ReadonlyMap<string, Tally>) =>
  [...tallies]
    .sort(([one], [other]) => (one < other ? 1 : -1))
    .map(([key, { count, right }]) => [key, count, share(right, count)])

print(['confidence', 'joins', 'right'], rowsOf(measure.byConfidence))
print(['confidence and reason', 'joins', 'right'], rowsOf(measure.byReason))
print(['question', 'number', 'same'], rowsOf(measure.byQuestion))
print(
  ['level', 'P', 'R'],
  clusterLevels.map(level => {
    const { found, right, wanted } = measure.pairs[level]
    return [level, share(right, found), share(right, wanted)]
  })
)
const { works, sure, questions } = measure
print(
  [
    'records',
    'sure joins right',
    'questions for 100',
    'works of several records',
    'wrong',
    'wrong, not asked, in 100',
    'wrong, no answer mends it, in 100'
  ],
  [
    [
      measure.records,
      share(sure.right, sure.count),
      ((questions * 100) / measure.records).toFixed(2),
      works.all,
      works.wrong,
      ((works.unasked * 100) / works.all).toFixed(2),
      ((works.unmended * 100) / works.all).toFixed(2)
    ]
  ]
)

function print(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  console.log(`| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|`)
  for (const row of rows) console.log(`| ${row.join(' | ')} |`)
  console.log('')
}
