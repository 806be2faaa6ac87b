import { itemTags, linkOf, locationTag } from '../mapping/items.ts'
import { type DataField, isDataField, type MarcField, type MarcRecord } from '../record.ts'

/* $8, by which the fields of items belong to their location. */

/** The first link number that no field of a record has. */
export function nextLink(fields: readonly MarcField[]): number {
  const used = fields.flatMap(field =>
    isDataField(field)
      ? field.subfields.filter(({ code }) => code === '8').map(({ value }) => Number.parseInt(value, 10) || 0)
      : []
  )
  return used.reduce((highest, each) => Math.max(highest, each), 0) + 1
}

/** A field with another link number; its sequence number stays. */
export function withLink(field: DataField, link: number | string): DataField {
  const at = field.subfields.findIndex(({ code }) => code === '8')
  const value = field.subfields[at]?.value.replace(/^\d*/, String(link)) ?? String(link)
  const subfields = at < 0 ? [{ code: '8', value }, ...field.subfields] : field.subfields.with(at, { code: '8', value })
  return { ...field, subfields }
}

/** Tests whether a field is about items (852 to 878). */
export const isHeld = (field: MarcField): field is DataField =>
  Object.hasOwn(itemTags(), field.tag) && isDataField(field)

/**
 * A record whose fields belong to its only location because there is no other, with links, so that
 * another can stand beside it.
 */
export function linkedHoldings(record: MarcRecord): MarcRecord {
  const held = record.fields.filter(isHeld)
  const [place, ...others] = held.filter(({ tag }) => tag === locationTag)
  if (place === undefined || others.length > 0 || held.length === 1) return record
  const link = held.map(linkOf).find(each => each !== undefined) ?? nextLink(record.fields)
  const fields = record.fields.map(each => (isHeld(each) && linkOf(each) === undefined ? withLink(each, link) : each))
  return { leader: record.leader, fields }
}
