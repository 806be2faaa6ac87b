import { labelTable } from './label-table.ts'
import type { Labels, LabelTable } from './labels.ts'

/** The labels of the language at a place of each row of the table. */
const labelsAt = (place: number): Labels => {
  const pick = (section: LabelTable[keyof Labels]) =>
    Object.fromEntries(Object.entries(section).map(([name, label]) => [name, label[place] ?? name]))
  const { types, families, fields, relations, reverse, values } = labelTable
  return {
    types: pick(types),
    families: pick(families),
    fields: pick(fields),
    relations: pick(relations),
    reverse: pick(reverse),
    values: pick(values)
  }
}

/** The labels of each language that the service speaks. */
export const labelsOf = {
  en: labelsAt(0),
  nl: labelsAt(1),
  fr: labelsAt(2),
  de: labelsAt(3)
} as const satisfies Readonly<Record<string, Labels>>

/** The labels of the first of some languages that has any. */
export const labelsFor = (languages: readonly string[] = []): Labels | undefined =>
  languages.flatMap(tag => {
    const language = tag.slice(0, 2)
    return Object.hasOwn(labelsOf, language) ? labelsOf[language as keyof typeof labelsOf] : []
  })[0]
