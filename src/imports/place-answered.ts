import { placeRecords } from './place/place-records.ts'
import { type Placing, splitMention } from './place/placing.ts'
import { keys, type MentionUndo } from './state/import-state.ts'
import type { Staging } from './state/staging.ts'

/**
 * Places mentions again after people answered questions about them or split their works. The
 * imports that these mentions come from note where mentions were: undoing one of them later gives
 * works that stay the ids that they had.
 */
export async function placeAnswered(staging: Staging, mentions: readonly string[], placing: Placing): Promise<void> {
  const moves: MentionUndo[] = []
  const undoNotes: Placing['undoNotes'] = {
    add: undo => {
      if (undo.of === 'mention') moves.push(undo)
    }
  }
  await placeRecords(staging, [], { ...placing, undoNotes }, mentions)
  if (moves.length === 0) return
  const records = await staging.find('record', new Set(mentions.map(id => splitMention(id)[0])))
  const jobs = await staging.find('job', new Set([...records.values()].map(({ job }) => keys.job(job))))
  for (const { id, state } of jobs.values()) {
    if (state === 'undone') continue
    const keyOf = ({ mention }: MentionUndo) => keys.moved(id, mention)
    const known = await staging.find('undo', moves.map(keyOf))
    // The first place since the import counts.
    for (const move of moves) if (!known.has(keyOf(move))) staging.put('undo', keyOf(move), move)
  }
}
