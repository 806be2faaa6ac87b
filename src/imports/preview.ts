import type { PreviewLine } from '#domain/imports/job.ts'
import type { Store } from '#store/store.ts'
import type { BatchOutcome } from './place/place-batch.ts'
import { explain } from './review.ts'
import { keys, readState, type StateWrite, stateWrite } from './state/import-state.ts'

/** Maximum number of records that a preview lists; its counts include all. */
const maxLines = 1000

export function previewWrites(job: string, { items, identities, changes, placed }: BatchOutcome): StateWrite[] {
  const places = new Map(changes.map(({ name }, place) => [name, place]))
  return items.flatMap((item): StateWrite[] => {
    const identity = identities.get(item)
    const place = places.get(identity?.name ?? '') ?? -1
    const [next, found] = [changes[place]?.next, placed[place]]
    if (next === undefined || found === undefined || item.position.number > maxLines) return []
    const line: PreviewLine = {
      number: item.position.number,
      record: identity?.number ?? found.name,
      title: titleIn(next.record.manifestation.metadata),
      outcome: found.outcome,
      works: found.works.map(({ isNewWork, link }, index) => ({
        title: titleIn(next.mentions[index]?.work.metadata ?? []),
        is_new: isNewWork,
        explanation: link === undefined ? null : explain(link.reason),
        ...(link === undefined ? {} : { reason: link.reason.code }),
        confidence: link?.confidence ?? null
      }))
    }
    return [stateWrite('preview', keys.preview(job, line.number), line)]
  })
}

const titleIn = (metadata: readonly { readonly key: string; readonly value: string | boolean }[]) =>
  String(metadata.find(each => each.key === 'title')?.value ?? '')

export const listPreview = async (store: Store, job: string, limit: number, after = 0): Promise<PreviewLine[]> =>
  (await readState(store, 'preview', job, { limit, after: keys.preview(job, after) })).map(each => each.value)
