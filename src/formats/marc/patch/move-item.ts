import type { PublicationLevel } from '#domain/entity/publication.ts'
import { isSameJson } from '#domain/json.ts'
import { composePlace } from '../compose/items.ts'
import { textsOf } from '../compose/composer.ts'
import { itemTags, locationTag, pieceTags, readItems } from '../mapping/items.ts'
import { type DataField, isDataField, type MarcRecord } from '../record.ts'
import { editItem } from './edit-item.ts'
import { linkedHoldings, nextLink, withLink } from './item-links.ts'

/** A record, and the positions of the fields of one item in it. */
interface PlacedItem {
  readonly record: MarcRecord
  readonly from: readonly number[]
}

/**
 * Gives a copy that differs from those beside it a location of its own, at the end of the record:
 * that of the others with its values, or a composed one. Its own field keeps what it has and is
 * linked to it, and the other copies stay. Undefined if that cannot be done.
 */
export function moveItem(record: MarcRecord, from: readonly number[], item: PublicationLevel): PlacedItem | undefined {
  const beside = readItems(record).filter(each => !isSameJson(each.from, from))
  const isShared = (index: number) => beside.some(each => each.from.includes(index))
  const fieldAt = (index: number) => record.fields[index]
  const own = from.find(index => !isShared(index) && pieceTags.includes(fieldAt(index)?.tag ?? ''))
  const place = from.find(index => isShared(index) && fieldAt(index)?.tag === locationTag)
  if (own === undefined || place === undefined) return undefined
  const linked = linkedHoldings(record)
  const link = nextLink(linked.fields)
  const relinked = (index: number): DataField[] => {
    const field = linked.fields[index]
    return field !== undefined && isDataField(field) ? [withLink(field, link)] : []
  }
  const [piece] = relinked(own)
  if (piece === undefined) return undefined
  const told = from.filter(
    index => isShared(index) && index !== place && Object.hasOwn(itemTags(), fieldAt(index)?.tag ?? '')
  )
  const ownNotes = new Set(piece.subfields.flatMap(({ code, value }) => (code === 'z' ? [value] : [])))
  const notes = textsOf(item.entity, 'note').filter(each => !ownNotes.has(each))
  for (const location of [relinked(place), composePlace(item, { link, notes })]) {
    const added = [...location, ...told.flatMap(relinked)]
    const moved = { leader: record.leader, fields: [...linked.fields.with(own, piece), ...added] }
    const found = findMoved(moved, own, beside)
    const edited = found && editItem(moved, found, item)
    if (edited !== undefined && found !== undefined) return { record: edited, from: found }
  }
  return undefined
}

/** The fields of the item with a field, if the other items are as they were. */
function findMoved(
  record: MarcRecord,
  own: number,
  beside: ReturnType<typeof readItems>
): readonly number[] | undefined {
  const all = readItems(record)
  const others = all.filter(each => !each.from.includes(own))
  const isAsBefore = isSameJson(others.map(withoutKey), beside.map(withoutKey))
  return isAsBefore && others.length === all.length - 1 ? all.find(each => each.from.includes(own))?.from : undefined
}

/** Items without a barcode have their place as their key. */
const withoutKey = ({ key: _key, ...rest }: ReturnType<typeof readItems>[number]) => rest
