import type { SourceVersion } from '#formats/source/source-item.ts'
import type { ImportKind } from './import-kind.ts'
import { type TakenVersion, takeVersions } from './take-versions.ts'

/* Versions of records that another catalogue exported. An undo leaves them, like all history. */

export const versions: ImportKind<SourceVersion, TakenVersion> = {
  refuse: () => undefined,
  place: (items, { parts, job }) => takeVersions(parts, items, job),
  summarise({ item, outcome, message }) {
    if (outcome === 'refused') return { item, counted: [], refusal: [message] }
    return outcome === 'taken' ? { item, counted: ['versions'] } : { item, counted: [], remarks: [message] }
  },
  undo: { of: [], restore: async () => {} }
}
