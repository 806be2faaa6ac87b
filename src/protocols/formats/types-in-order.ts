import type { Model } from '#domain/record-types/model.ts'

/**
 * The types of a model in groups, so that a record comes after the records that it refers to. A
 * reader of an export then creates each record at once, in the order of the file. Types that refer
 * to each other have the order of the model.
 */
export function typesInOrder({ recordTypes, umbrellaOf }: Model): string[][] {
  const targets = Map.groupBy(recordTypes, ({ type }) => umbrellaOf(type))
  const ranks = new Map<string, number>()
  const rankOf = (umbrella: string): number => {
    const known = ranks.get(umbrella)
    if (known !== undefined) return known
    // While its targets are ranked, a reference back to it does not count.
    ranks.set(umbrella, -1)
    const named = (targets.get(umbrella) ?? []).flatMap(({ relations }) =>
      Object.values(relations).flatMap(({ to }) => to)
    )
    const rank = 1 + Math.max(-1, ...named.map(each => rankOf(umbrellaOf(each))))
    ranks.set(umbrella, rank)
    return rank
  }
  const groups = Map.groupBy(recordTypes, ({ type }) => rankOf(umbrellaOf(type)))
  return [...groups].sort(([one], [other]) => one - other).map(([, list]) => list.map(({ type }) => type))
}
