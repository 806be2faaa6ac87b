import type { Model } from '../record-types/model.ts'

/**
 * To be raised when the rows of the same record come out otherwise than before (index-values.ts,
 * index-words.ts): all are then written anew.
 */
const indexVersion = 1

/**
 * By the name of a type: what of the model its index rows follow from, as a text that changes when
 * they would.
 */
export type IndexRules = Readonly<Record<string, string>>

export function indexRulesOf(model: Model): IndexRules {
  // A key that any type declares as an ISBN is compared as one in all.
  const isbnKeys = model.recordTypes.flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([key, { kind }]) => (kind === 'isbn' ? [key] : []))
  )
  const common = [indexVersion, [...new Set(isbnKeys)].sort()]
  return Object.fromEntries(
    model.recordTypes.map(({ type, umbrella = null, nameField, isMaker = false, fields }) => {
      const kinds = Object.entries(fields)
        .map(([key, { kind }]) => `${key}:${kind}`)
        .sort()
      return [type, JSON.stringify([...common, umbrella, nameField, isMaker, kinds])]
    })
  )
}

/**
 * The types whose rows must be written anew: those whose rules are others, or are there no longer.
 */
export function changedTypes(known: IndexRules, wanted: IndexRules): string[] {
  return [...new Set([...Object.keys(known), ...Object.keys(wanted)])].filter(type => known[type] !== wanted[type])
}
