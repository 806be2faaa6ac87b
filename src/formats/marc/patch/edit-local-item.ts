import { holdings, type ItemField, type ItemMeaning } from '#domain/record-types/holdings.ts'
import type { ItemMapping } from '../../source/item-mapping.ts'
import { type DataField, isDataField, type MarcRecord, type Subfield } from '../record.ts'
import { withText } from './edit-values.ts'

/*
 * Changes of items in local fields (949, 952), whose subfields a mapping names. All other subfields
 * stay.
 */

type Change = readonly [was: string | undefined, is: string | undefined]

/** Replaces, adds or removes a value. Undefined if no field of the item can have it. */
export function withLocalValue(
  record: MarcRecord,
  from: readonly number[],
  key: ItemField,
  [was, is]: Change,
  mapping: ItemMapping
): MarcRecord | undefined {
  return withFirst(record, from, key, mapping, (field, codes) => {
    if (is === undefined) {
      const place = field.subfields.findIndex(({ code, value }) => codes.includes(code) && value.trim() === was)
      return place < 0 ? undefined : { ...field, subfields: field.subfields.toSpliced(place, 1) }
    }
    if (was !== undefined) return withText(field, codes, [was, is])
    return { ...field, subfields: [...field.subfields, { code: codes.slice(0, 1), value: is }] }
  })
}

/** Replaces, adds or removes the code of the library, which may stand in several subfields. */
export function withLocalLibrary(
  record: MarcRecord,
  from: readonly number[],
  [was, is]: Change,
  mapping: ItemMapping
): MarcRecord | undefined {
  return withFirst(record, from, holdings.library, mapping, (field, codes) => {
    const isOwn = ({ code }: Subfield) => codes.includes(code)
    const known = [...new Set(field.subfields.filter(isOwn).map(({ value }) => value.trim()))]
    if (known.join('/') !== (was ?? '')) return undefined
    if (is === undefined) return { ...field, subfields: field.subfields.filter(each => !isOwn(each)) }
    if (known.length === 0) return { ...field, subfields: [...field.subfields, { code: codes.slice(0, 1), value: is }] }
    const parts = known.length === 1 ? [is] : is.split('/')
    if (parts.length !== known.length) return undefined
    const next = new Map(known.map((each, place) => [each, parts[place] ?? '']))
    const subfields = field.subfields.map(each =>
      isOwn(each) ? { code: each.code, value: next.get(each.value.trim()) ?? each.value } : each
    )
    return { ...field, subfields }
  })
}

/** Changes the first field of an item that may have a value of some meaning, and can be changed. */
function withFirst(
  record: MarcRecord,
  from: readonly number[],
  meaning: ItemMeaning,
  mapping: ItemMapping,
  change: (field: DataField, codes: string) => DataField | undefined
): MarcRecord | undefined {
  for (const index of from) {
    const field = record.fields[index]
    const rule = field && mapping[field.tag]
    if (field === undefined || rule === undefined || !isDataField(field)) continue
    const codes = Object.keys(rule).filter(code => rule[code] === meaning)
    const edited = codes.length === 0 ? undefined : change(field, codes.join(''))
    if (edited !== undefined && edited.subfields.length > 0)
      return { leader: record.leader, fields: record.fields.with(index, edited) }
  }
  return undefined
}
