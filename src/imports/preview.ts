import type { ImportItem } from '#domain/imports/item.ts'
import type { PreviewLine } from '#domain/imports/job.ts'
import type { Store } from '#store/store.ts'
import type { Placed } from './place/placing.ts'
import { explain } from './review.ts'
import { keys, readState, type StateWrite, stateWrite } from './state/import-state.ts'

/** Maximum number of records that are shown of a preview; the counts are of all. */
const maxLines = 1000

export function previewWrites(
  job: string,
  { placed, items }: { readonly placed: readonly Placed[]; readonly items: readonly ImportItem[] }
): StateWrite[] {
  const byName = new Map(placed.map(each => [each.name, each]))
  return items.flatMap((item): StateWrite[] => {
    if (item.kind !== 'record' || item.position.number > maxLines) return []
    const found = byName.get(item.name)
    if (found === undefined) return []
    const line: PreviewLine = {
      number: item.position.number,
      record: item.number ?? item.name,
      title: titleIn(item.manifestation.metadata),
      outcome: found.outcome,
      works: found.works.map(({ isNewWork, link }, place) => ({
        title: titleIn(item.mentions[place]?.work.metadata ?? []),
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
