import type { PreviewLine } from '#domain/imports/job.ts'
import type { Store } from '#store/store.ts'
import { keys, readState, type StateWrite, stateWrite } from './state/import-state.ts'

/** Maximum number of records that a preview lists; its counts include all. */
const maxLines = 1000

/** The lines of a preview for a batch, as far as they are listed. */
export const previewWrites = (job: string, lines: readonly PreviewLine[]): StateWrite[] =>
  lines
    .filter(({ number }) => number <= maxLines)
    .map(line => stateWrite('preview', keys.preview(job, line.number), line))

export const listPreview = async (store: Store, job: string, limit: number, after = 0): Promise<PreviewLine[]> =>
  (await readState(store, 'preview', job, { limit, after: keys.preview(job, after) })).map(each => each.value)
