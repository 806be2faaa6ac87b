import { makers, pseudonymRelation } from '../record-types/pseudonyms.ts'

export { makers, pseudonymRelation }

/**
 * Maximum length of a path that the service follows. It is enough for a classification of four
 * levels.
 */
const maxHops = 4

/**
 * A filter for records with this relation to this record: in a hierarchy also to a narrower one,
 * and for the works of a person to a pseudonym.
 */
export function relationFilter(relation: string, id: string, climbsBy?: string) {
  const paths = (through: string, hops: number) =>
    Array.from(
      { length: hops },
      (_, count) => `properties.${[relation, ...Array(count).fill(through)].join('.')}.value`
    )
  const key =
    climbsBy !== undefined
      ? paths(climbsBy, maxHops)
      : relation === makers
        ? paths(pseudonymRelation, 2)
        : `relations.${relation}.key`
  return { type: 'selection', key, value: [id], match_exact: true }
}
