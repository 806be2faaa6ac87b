import { bareText } from '#domain/entity/duplicates.ts'
import { comparedKinds, type SimilarRecord, similarityOf } from '#domain/entity/similarity.ts'
import { differentRelation } from '#domain/record-types/different-relation.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { recordsOf } from './compared-records.ts'
import { findNamesakes } from './hash-collisions.ts'
import type { DocumentSet } from './sets.ts'
import { step } from './time-limit.ts'

/*
 * Documents with an equal name of which some lack what would tell them apart, with the score of
 * `domain/entity/similarity.ts`.
 */

/** Documents that are similar, in ascending order, and the score of their least similar pair. */
export interface SimilarGroup {
  readonly members: readonly number[]
  readonly name: string
  readonly score: number
}

/** Maximum number of records with one name that are compared; common titles say little. */
const maxNamesakes = 40

/** Finds the groups with at least a score, among documents that may be read. */
export function findSimilar(
  index: CatalogueIndex,
  among: DocumentSet,
  readable: DocumentSet | undefined,
  least: number
): SimilarGroup[] {
  const { model } = index
  const kinds = new Set(comparedKinds())
  const records = recordsOf(index, readable)
  const byName = new Map<string, number[]>()
  const candidates = findNamesakes(index, among, kinds)
  for (let at = 0; at < candidates.length; at++) {
    step()
    const number = candidates[at] as number
    const { type, textsOf } = records(number)
    const umbrella = model.umbrellaOf(type)
    for (const name of new Set(textsOf(model.findType(type)?.nameField ?? '').map(bareText))) {
      const key = `${umbrella} ${name}`
      const same = byName.get(key)
      if (same) same.push(number)
      else byName.set(key, [number])
    }
  }
  const groups: SimilarGroup[] = []
  for (const [key, members] of byName) {
    if (members.length < 2 || members.length > maxNamesakes) continue
    const [umbrella = ''] = key.split(' ', 1)
    const compared = members.map((number): Compared => {
      const record = records(number)
      const name = record.textsOf(model.findType(record.type)?.nameField ?? '')[0] ?? ''
      const different = index.relatives.by(differentRelation).targetsOf(number)
      return { number, name, different, textsOf: record.textsOf, targetsBy: record.targetsBy }
    })
    groups.push(...groupsAmong(umbrella, compared, least))
  }
  return groups
}

interface Compared extends SimilarRecord {
  readonly number: number
  /** The documents that somebody said are different. */
  readonly different: readonly number[]
}

/** Joins similar records, the most similar pairs first; never two that are told apart. */
function groupsAmong(umbrella: string, records: readonly Compared[], least: number): SimilarGroup[] {
  const rivals = rivalsAmong(umbrella, records)
  const pairs: { readonly one: Compared; readonly other: Compared; readonly score: number }[] = []
  const apart = new Set<string>()
  records.forEach((one, place) => {
    for (const other of records.slice(place + 1)) {
      step()
      const isDecided = one.different.includes(other.number) || other.different.includes(one.number)
      const score = isDecided ? undefined : similarityOf(umbrella, one, other, rivals)
      if (score === undefined) apart.add(`${one.number} ${other.number}`)
      else if (score >= least) pairs.push({ one, other, score })
    }
  })
  const groups = new Map(records.map(each => [each.number, { members: [each.number], score: 100 }]))
  for (const { one, other, score } of pairs.sort((a, b) => b.score - a.score)) {
    const [first, second] = [groups.get(one.number), groups.get(other.number)]
    if (!first || !second || first === second) continue
    const members = [...first.members, ...second.members].sort((a, b) => a - b)
    if (members.some((each, at) => members.slice(at + 1).some(later => apart.has(`${each} ${later}`)))) continue
    const joined = { members, score: Math.min(first.score, second.score, score) }
    for (const each of members) groups.set(each, joined)
  }
  const name = records[0]?.name ?? ''
  return [...new Set(groups.values())].filter(({ members }) => members.length > 1).map(each => ({ ...each, name }))
}

/** The number of records of which each is told apart from all others. */
function rivalsAmong(umbrella: string, records: readonly Compared[]): number {
  const rivals: Compared[] = []
  for (const record of records)
    if (rivals.every(each => similarityOf(umbrella, each, record, 1) === undefined)) rivals.push(record)
  return rivals.length
}
