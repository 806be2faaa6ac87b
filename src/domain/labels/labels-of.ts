import { labelsDe } from './de.ts'
import { labelsEn } from './en.ts'
import { labelsFr } from './fr.ts'
import type { Labels } from './labels.ts'
import { labelsNl } from './nl.ts'

/** The labels of each language that the service speaks. */
export const labelsOf = { en: labelsEn, nl: labelsNl, fr: labelsFr, de: labelsDe } as const satisfies Readonly<
  Record<string, Labels>
>

/** The labels of the first of some languages that has any. */
export const labelsFor = (languages: readonly string[] = []): Labels | undefined =>
  languages.flatMap(tag => {
    const language = tag.slice(0, 2)
    return Object.hasOwn(labelsOf, language) ? labelsOf[language as keyof typeof labelsOf] : []
  })[0]
