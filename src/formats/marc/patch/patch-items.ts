import type { Publication } from '#domain/entity/publication.ts'
import type { StoredSourceRecord } from '#domain/imports/stored-source-record.ts'
import { composeItems } from '../compose/items.ts'
import type { MarcRecord } from '../record.ts'
import { editItem } from './edit-item.ts'
import { moveItem } from './move-item.ts'
import { linkedHoldings, nextLink } from './item-links.ts'

/**
 * Brings the items of a source record up to date: values of changed items are replaced where they
 * stand, or beside a location of their own. Where that cannot be done, and for deleted items, the
 * fields are removed, and those that the record lacks are added. Returns the same record if there
 * are none.
 */
export function patchItems(
  source: MarcRecord,
  imported: StoredSourceRecord['items'],
  { items = [] }: Pick<Publication, 'items'>
): MarcRecord {
  const present = new Map(items.map(each => [each.entity.id, each]))
  /** The fields of the items whose fields stay. */
  const kept = new Map<string, readonly number[]>()
  let record = source
  for (const { id, from, isChanged } of imported) {
    const item = present.get(id)
    if (item === undefined) continue
    const edited = isChanged ? editItem(record, from, item) : record
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
  const { fields: linked } = missing.length === 0 ? left : linkedHoldings(left)
  const given = source.fields.length - removed.size
  const fields = linked.slice(0, given)
  for (const field of [...linked.slice(given), ...composeItems(missing, nextLink(linked))]) {
    const place = fields.findLastIndex(each => each.tag <= field.tag)
    fields.splice(place + 1, 0, field)
  }
  return { leader: source.leader, fields }
}
