import { clusterShelf, expressionsIn, worksIn } from '../records/marc-lines.ts'
import type { Pattern } from '../records/clustering-patterns.ts'

/** How well the works and expressions of a pattern are found: pairs of mentions. */
export interface Measured {
  readonly found: number
  readonly right: number
  readonly wanted: number
  readonly asked: number
}

export function measurePattern({ cases }: Pattern): Measured {
  const sum = { found: 0, right: 0, wanted: 0, asked: 0 }
  for (const { shelf, works, expressions } of cases) {
    const clusters = clusterShelf(shelf)
    sum.asked += clusters.questions.length
    for (const [truth, found] of [
      [works, worksIn(clusters)],
      [expressions, expressionsIn(clusters)]
    ] as const) {
      if (truth === undefined) continue
      const [want, have] = [pairsIn(truth), pairsIn(found)]
      const measured = new Set(truth.flatMap(each => each.split(' ')))
      const counted = [...have].filter(pair => pair.split(' ').every(each => measured.has(each)))
      sum.wanted += want.size
      sum.found += counted.length
      sum.right += counted.filter(pair => want.has(pair)).length
    }
  }
  return sum
}

function pairsIn(groups: readonly string[]): Set<string> {
  const pairs = new Set<string>()
  for (const group of groups) {
    const members = group.split(' ').sort()
    for (const [place, one] of members.entries())
      for (const other of members.slice(place + 1)) pairs.add(`${one} ${other}`)
  }
  return pairs
}
