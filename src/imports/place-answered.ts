import { openStates } from '#domain/imports/job.ts'
import { placeRecords } from './place/place-records.ts'
import { type Placing, splitMention } from './place/placing.ts'
import { keys } from './state/import-state.ts'
import type { Staging } from './state/staging.ts'
import { UndoNotes } from './state/undo-notes.ts'

/**
 * Places mentions again after people answered questions about them or split their works. The
 * imports that these mentions come from note where mentions were: undoing one of them later gives
 * works that stay the ids that they had.
 */
export async function placeAnswered(staging: Staging, mentions: readonly string[], placing: Placing): Promise<void> {
  const records = await staging.find('record', new Set(mentions.map(id => splitMention(id)[0])))
  const jobs = await staging.find('job', new Set([...records.values()].map(({ job }) => keys.job(job))))
  const concerned = [...jobs.values()]
    .filter(({ state }) => state !== 'undone' && !openStates.includes(state))
    .map(job => ({ job, notes: new UndoNotes(staging, job.id, job.undoNotes) }))
  const undoNotes: Placing['undoNotes'] = {
    add: undo => {
      for (const { notes } of concerned) notes.add(undo)
    }
  }
  await placeRecords(staging, [], { ...placing, undoNotes }, mentions)
  for (const { job, notes } of concerned)
    if (notes.count > job.undoNotes) staging.put('job', keys.job(job.id), { ...job, undoNotes: notes.count })
}
