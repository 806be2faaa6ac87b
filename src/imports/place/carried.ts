import type { SourceCarried } from '#formats/source/source-item.ts'
import { excessOfRecord } from './draft-limits.ts'
import type { ImportKind } from './import-kind.ts'
import { notesOf } from './import-kind.ts'
import { refusalOf } from './records.ts'
import { digestOfValue, type TakenLine, takeCarried } from './take-carried.ts'

/* Lines with the knowledge of imports that another catalogue exported with its entities. */

export const carried: ImportKind<SourceCarried, TakenLine> = {
  refuse: ({ record }, rules) => record && refusalOf(record, excessOfRecord(record, rules)),

  place: (items, { parts, staging, job: { id, isPreview }, undoNotes }) =>
    takeCarried(parts, staging, items, { job: id, isPreview, undoNotes }),

  summarise: ({ item, outcome, message = '' }) =>
    outcome === 'refused' ? { item, counted: [], refusal: [message] } : { item, counted: ['sources'] },

  undo: {
    of: ['state'],
    async restore(notes, { staging, inBatches }) {
      // Later values were put on top of earlier ones.
      await inBatches(notesOf(notes, 'state').reverse(), async batch => {
        for (const { guard, before } of batch) {
          const now = (await staging.find(guard.kind, [guard.key])).get(guard.key)
          // Another import changed it since.
          if (digestOfValue(now) !== guard.digest) continue
          for (const { kind, key, value } of before) staging.put(kind, key, value as never)
        }
      })
    }
  }
}
