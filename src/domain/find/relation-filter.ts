/**
 * Maximum length of a path that the service follows. It is enough for a classification of four
 * levels.
 */
const maxHops = 4

/** A filter for records with this relation to this record or, in a hierarchy, to a narrower one. */
export const relationFilter = (relation: string, id: string, climbsBy?: string) => ({
  type: 'selection',
  key:
    climbsBy === undefined
      ? `relations.${relation}.key`
      : Array.from(
          { length: maxHops },
          (_, hops) => `properties.${[relation, ...Array(hops).fill(climbsBy)].join('.')}.value`
        ),
  value: [id],
  match_exact: true
})
