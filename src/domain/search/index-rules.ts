import type { Model } from '../record-types/model.ts'

/**
 * Version of the lookups (lookup-values.ts). Raise it when the lookups of the same record change:
 * all are then written again.
 */
const indexVersion = 2

/**
 * For each type, the part of the model that its lookups and its umbrella depend on, as a text that
 * changes when they may.
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
        .map(
          ([key, { kind, isVariantName, isSearched }]) =>
            `${key}:${kind}${isVariantName ? ':name' : ''}${isSearched === undefined ? '' : `:${isSearched}`}`
        )
        .sort()
      return [type, JSON.stringify([...common, umbrella, nameField, isMaker, kinds])]
    })
  )
}

export const rulesText = (model: Model) => JSON.stringify(indexRulesOf(model))

/**
 * The types whose lookups must be written again: those whose rules have changed, or that no longer
 * exist.
 */
export function changedTypes(known: IndexRules, wanted: IndexRules): string[] {
  return [...new Set([...Object.keys(known), ...Object.keys(wanted)])].filter(type => known[type] !== wanted[type])
}
