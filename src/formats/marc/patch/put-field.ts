import { keyOf } from '../../description/keys.ts'
import type { ComposedRecord } from '../composed-record.ts'
import { type DataField, isDataField, type MarcField, type MarcRecord } from '../record.ts'
import { everythingSaidBy, readOnce, statementsOf } from './statements.ts'

/**
 * Adds the composed fields for what a level that was not changed said by fields of the others: the
 * language of a work, say, that was the one of its text, or its title.
 */
export function withWhatWasLost(source: MarcRecord, composed: ComposedRecord, patched: MarcRecord): MarcRecord {
  const before = new Set(everythingSaidBy(readOnce(source)).map(each => each.line))
  const present = new Set(everythingSaidBy(readOnce(patched)).map(each => each.line))
  const lost = statementsOf(readOnce(composed.record)).filter(({ line }) => before.has(line) && !present.has(line))
  const fields = [...patched.fields]
  for (const index of new Set(lost.map(each => each.index))) {
    const field = composed.record.fields[index]
    if (field === undefined || !isDataField(field)) continue
    const isThere = tagsInPlaceOf(field.tag).length === 0 && fields.some(each => isLike(each, field))
    if (!isThere) put(fields, field)
  }
  return lost.length === 0 ? patched : { leader: patched.leader, fields }
}

/**
 * Fields that a record has once: another takes the place of the one that is there. A record has one
 * main entry, whichever of its tags it is.
 */
const mainEntry: readonly string[] = ['100', '110', '111', '130']
const tagsInPlaceOf = (tag: string): readonly string[] =>
  mainEntry.includes(tag) ? mainEntry : ['041', '240', '245', '306'].includes(tag) ? [tag] : []

/**
 * Inserts after the last field whose tag is not greater. A uniform title is the main entry only of
 * a record without a name there.
 */
export function put(fields: MarcField[], given: MarcField): void {
  const field = isDataField(given) ? fitted(given, fields) : given
  const old = fields.findIndex(each => tagsInPlaceOf(field.tag).includes(each.tag))
  if (old >= 0) fields.splice(old, 1)
  const place = fields.findLastIndex(each => each.tag <= field.tag)
  fields.splice(place + 1, 0, field)
}

function fitted(field: DataField, fields: readonly MarcField[]): DataField {
  const has = (...tags: readonly string[]) => fields.some(({ tag }) => tags.includes(tag))
  const isNamed = has('100', '110', '111')
  if (field.tag === '130' && (isNamed || has('240'))) return { ...field, tag: '240', indicators: '10' }
  if (field.tag === '240' && !isNamed && !has('240')) return { ...field, tag: '130', indicators: '0 ' }
  if (field.tag !== '245') return field
  // An entry under the title: as the record had it.
  const before = fields.filter(isDataField).find(({ tag }) => tag === '245')
  const first = before === undefined ? (has(...mainEntry) ? '1' : '0') : before.indicators[0]
  return { ...field, indicators: `${first}${field.indicators[1]}` }
}

export const isLike = (one: MarcField, other: MarcField) => one.tag === other.tag && textIn(one) === textIn(other)
const textIn = (field: MarcField) => (isDataField(field) ? keyOf(field.subfields[0]?.value ?? '') : field.value)
