import type { PreviewLine } from '#domain/imports/job.ts'
import type { Store } from '#store/store.ts'
import type { Model } from '#domain/record-types/model.ts'
import { controlNumberOf } from '#formats/source/source-item.ts'
import type { BatchOutcome } from './place/place-batch.ts'
import type { PlacedRecord, PlacedRow } from './place/place-rows.ts'
import { explain } from './review.ts'
import { keys, readState, type StateWrite, stateWrite } from './state/import-state.ts'

/** Maximum number of records that a preview lists; its counts include all. */
const maxLines = 1000

/** The lines of a preview, for the records and rows of a batch. */
export function previewWrites(job: string, outcome: BatchOutcome, model: Model): StateWrite[] {
  const { items, identities, changes, placed } = outcome
  const places = new Map(changes.map(({ name }, place) => [name, place]))
  const ofRecords = items.flatMap((item): StateWrite[] => {
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
  return [...ofRecords, ...previewOfRows(job, outcome.rows, model)]
}

function previewOfRows(job: string, rows: readonly PlacedRow[], model: Model): StateWrite[] {
  const names = new Map<string, string>()
  const nameOf = ({ type, metadata }: Pick<PlacedRecord, 'type' | 'metadata'>) =>
    String(metadata.find(each => each.key === model.findType(type)?.nameField)?.value ?? '')
  for (const { records } of rows) for (const each of records) names.set(each.id, nameOf(each))
  return rows.flatMap(({ item, records }) => {
    const { number } = item.position
    if (number > maxLines) return []
    const [first] = records
    const line: PreviewLine = {
      number,
      record: controlNumberOf(item) ?? '',
      title: first === undefined ? '' : nameOf(first),
      outcome: first?.outcome ?? 'unchanged',
      works: [],
      records: records.map(({ type, outcome, metadata, relations, id }) => ({
        type,
        title: names.get(id) ?? '',
        outcome,
        metadata,
        relations: relations.map(each => ({ type: each.type, name: names.get(each.key) ?? each.key }))
      }))
    }
    return [stateWrite('preview', keys.preview(job, number), line)]
  })
}

const titleIn = (metadata: readonly { readonly key: string; readonly value: string | boolean }[]) =>
  String(metadata.find(each => each.key === 'title')?.value ?? '')

export const listPreview = async (store: Store, job: string, limit: number, after = 0): Promise<PreviewLine[]> =>
  (await readState(store, 'preview', job, { limit, after: keys.preview(job, after) })).map(each => each.value)
