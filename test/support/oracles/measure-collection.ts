import type { Clusters } from '#domain/clustering/cluster-block.ts'
import { clusterRecords } from '../records/cluster-records.ts'
import type { MadeRecord } from '../records/made-collection.ts'
import { evidenceFrom } from '../records/marc-lines.ts'

/** Joins or questions of one kind, and how many of them are about one work. */
export interface Tally {
  count: number
  right: number
}

export interface PairTally {
  found: number
  right: number
  wanted: number
}

/** How well the works of a collection are found, and what the confidence of joins is worth. */
export class CollectionMeasure {
  readonly byConfidence = new Map<string, Tally>()
  readonly byReason = new Map<string, Tally>()
  readonly byQuestion = new Map<string, Tally>()
  /** Joins that are said to be certain. */
  readonly sure: Tally = { count: 0, right: 0 }
  readonly pairs = {
    work: { found: 0, right: 0, wanted: 0 } satisfies PairTally,
    expression: { found: 0, right: 0, wanted: 0 } satisfies PairTally
  }
  records = 0
  questions = 0
  /**
   * Works with several records: all, those that are wrong, the latter without a question, and the
   * latter without a question whose right answer changes them.
   */
  readonly works = { all: 0, wrong: 0, unasked: 0, unmended: 0 }
  readonly #onMiss: (what: string, mentions: readonly string[]) => void

  constructor(onMiss: (what: string, mentions: readonly string[]) => void = () => {}) {
    this.#onMiss = onMiss
  }

  /** Adds the figures of a collection, clustered alone. */
  add(records: readonly MadeRecord[], linesOf: (record: MadeRecord) => string = each => each.lines): void {
    const truth = new Map<string, string>()
    const versions = new Map<string, string>()
    for (const { name, works, expression } of records) {
      for (const [place, work] of works.entries()) truth.set(`${name}#${place}`, work)
      versions.set(`${name}#0`, expression)
    }
    const clusters = clusterRecords(records.map(each => evidenceFrom(each.name, linesOf(each), each.language)))
    this.records += records.length
    this.questions += clusters.questions.length
    for (const { one, other, level, reason, areJoined } of clusters.questions)
      if (level === 'work')
        count(this.byQuestion, `${reason.code}, ${areJoined ? 'joined' : 'apart'}`, truth.get(one) === truth.get(other))
    this.#addJoins(clusters, truth)
    this.#addWorks(clusters, truth)
    const mentionsIn = (members: readonly { readonly mention: string }[]) => members.map(each => each.mention)
    const works = clusters.works.map(each => mentionsIn(each.members))
    countPairs(this.pairs.work, works, truth)
    const expressions = clusters.works.flatMap(each => each.expressions.map(({ members }) => mentionsIn(members)))
    countPairs(this.pairs.expression, expressions, versions)
  }

  #addJoins({ works }: Clusters, truth: ReadonlyMap<string, string>): void {
    for (const { mention, link } of works.flatMap(each => each.members)) {
      if (link === undefined || !truth.has(mention) || !truth.has(link.to)) continue
      const isRight = truth.get(mention) === truth.get(link.to)
      count(this.byConfidence, link.confidence.toFixed(2), isRight)
      count(this.byReason, `${link.confidence.toFixed(2)} ${link.reason.code}`, isRight)
      if (!link.isSure) continue
      this.sure.count++
      if (isRight) this.sure.right++
      else this.#onMiss('sure and wrong', [mention, link.to])
    }
  }

  #addWorks({ works, questions }: Clusters, truth: ReadonlyMap<string, string>): void {
    const aboutWorks = questions.filter(each => each.level === 'work')
    const asked = new Set(aboutWorks.flatMap(({ one, other }) => [one, other]))
    const mended = new Set(
      aboutWorks
        .filter(({ one, other, areJoined }) => areJoined !== (truth.get(one) === truth.get(other)))
        .flatMap(({ one, other }) => [one, other])
    )
    const workOf = new Map(
      works.flatMap(({ members }, index) => members.map(({ mention }) => [mention, index] as const))
    )
    const byTruth = new Map<string, string[]>()
    for (const [mention, work] of truth) byTruth.set(work, [...(byTruth.get(work) ?? []), mention])
    for (const mentions of byTruth.values()) {
      if (mentions.length < 2) continue
      this.works.all++
      const [index, ...more] = new Set(mentions.map(each => workOf.get(each)))
      const members = works[index ?? -1]?.members.map(each => each.mention) ?? []
      if (more.length === 0 && members.every(each => !truth.has(each) || mentions.includes(each))) continue
      this.works.wrong++
      if (![...mentions, ...members].some(each => mended.has(each))) this.works.unmended++
      if ([...mentions, ...members].some(each => asked.has(each))) continue
      this.works.unasked++
      this.#onMiss('wrong and not asked about', mentions)
    }
  }
}

function count(tallies: Map<string, Tally>, key: string, isRight: boolean): void {
  const tally = tallies.get(key) ?? { count: 0, right: 0 }
  tally.count++
  if (isRight) tally.right++
  tallies.set(key, tally)
}

function countPairs(tally: PairTally, found: readonly (readonly string[])[], truth: ReadonlyMap<string, string>): void {
  const pairsIn = (keys: readonly (string | undefined)[]) => {
    const counts = new Map<string, number>()
    for (const key of keys) if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1)
    return [...counts.values()].reduce((total, each) => total + (each * (each - 1)) / 2, 0)
  }
  tally.wanted += pairsIn([...truth.values()])
  for (const group of found) {
    const known = group.filter(each => truth.has(each))
    tally.found += (known.length * (known.length - 1)) / 2
    tally.right += pairsIn(known.map(each => truth.get(each)))
  }
}
