import type { Publication, PublicationLevel } from '#domain/entity/publication.ts'
import type { SourceItemState, StoredSourceRecord } from '#domain/imports/stored-source-record.ts'
import type { MarcRecord } from '../record.ts'
import { type CurrentHoldings, fieldsToAdd } from './add-items.ts'
import { editItem } from './edit-item.ts'
import { linkedHoldings } from './item-links.ts'
import { moveItem } from './move-item.ts'

/** A holdings record as it came in, and the items that came with it. */
export interface HeldRecord {
  readonly record: MarcRecord
  readonly items: readonly SourceItemState[]
}

interface PatchOptions {
  /** The meaning of the fields with items, where it is not that of MARC 21. */
  readonly mapping?: StoredSourceRecord['itemMapping']
  /** The holdings records of the publication. */
  readonly held?: readonly HeldRecord[]
}

/**
 * Brings the items of a source record up to date: values of changed items are replaced where they
 * stand, or beside a location of their own. Where that cannot be done, and for deleted items, the
 * fields are removed, and those that the record lacks are added. Returns the same record if there
 * are none.
 */
export function patchItems(
  source: MarcRecord,
  imported: readonly SourceItemState[],
  { items = [] }: Pick<Publication, 'items'>,
  { mapping, held = [] }: PatchOptions = {}
): MarcRecord {
  const present = new Map(items.map(each => [each.entity.id, each]))
  /** The fields of the items whose fields stay. */
  const kept = new Map<string, readonly number[]>()
  let record = source
  for (const { id, from, isChanged } of imported) {
    const item = present.get(id)
    if (item === undefined) continue
    const edited = isChanged ? editItem(record, from, item, mapping) : record
    const moved = edited === undefined ? moveItem(record, from, item) : { record: edited, from }
    if (moved === undefined) continue
    kept.set(id, moved.from)
    record = moved.record
  }
  const staying = new Set([...kept.values()].flat())
  const removed = new Set(
    imported.flatMap(({ id, from }) => (kept.has(id) ? [] : from.filter(index => !staying.has(index))))
  )
  const missing = items.filter(({ entity }) => !kept.has(entity.id))
  if (removed.size === 0 && missing.length === 0 && record === source) return source
  const left = { ...record, fields: record.fields.filter((_, index) => !removed.has(index)) }
  const linked = missing.length === 0 ? left : linkedHoldings(left)
  const given = source.fields.length - removed.size
  const fields = linked.fields.slice(0, given)
  for (const field of [
    ...linked.fields.slice(given),
    ...fieldsToAdd(linked, currentHoldings(held, missing), missing)
  ]) {
    const place = fields.findLastIndex(each => each.tag <= field.tag)
    fields.splice(place + 1, 0, field)
  }
  return { leader: source.leader, fields }
}

/** Holdings records with the changes of their items since, without those that have none left. */
export function currentHoldings(held: readonly HeldRecord[], items: readonly PublicationLevel[]): CurrentHoldings[] {
  return held.flatMap(({ record, items: imported }) => {
    const ids = new Set(imported.map(each => each.id))
    const own = items.filter(({ entity }) => ids.has(entity.id))
    return own.length === 0 ? [] : [{ record: patchItems(record, imported, { items: own }), items: own }]
  })
}
