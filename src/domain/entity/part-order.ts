import type { Relation } from './entity.ts'

/* Parts of a whole in the order of their numbers: the volumes of a series. */

/** The key of the number in the metadata of a relation to a whole. */
export const partNumberKey = 'number'

/** The numbers of a relation, as text: `12`, `vol. 3, p. 5-8`. */
export const numbersOf = ({ metadata = [] }: Pick<Relation, 'metadata'>): string[] =>
  metadata.filter(each => each.key === partNumberKey).map(each => String(each.value))

/**
 * Compares the relations of two parts to their whole: numbers within texts count as numbers, so
 * that 9 comes before 10. A part without a number comes last.
 */
export function compareNumbered(one: Relation, other: Relation): number {
  const [[first], [second]] = [numbersOf(one), numbersOf(other)]
  if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined)
  return compareNumbers(first, second)
}

/** Compares by the first number that differs, then by the text. */
function compareNumbers(one: string, other: string): number {
  const [first, second] = [digitsIn(one), digitsIn(other)]
  for (const [place, value] of first.entries()) {
    const difference = value - (second[place] ?? -1)
    if (difference !== 0) return difference
  }
  return first.length - second.length || (one < other ? -1 : one > other ? 1 : 0)
}

const digitsIn = (text: string) => (text.match(/\d{1,15}/g) ?? []).map(Number)
