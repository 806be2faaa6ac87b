import type { PublicationLevel } from '#domain/entity/publication.ts'
import { type ItemField, itemFields } from '#domain/record-types/holdings.ts'
import { isSameJson } from '#domain/json.ts'
import type { ItemMapping } from '../../source/item-mapping.ts'
import { dataField, textsOf } from '../compose/composer.ts'
import { codesOf, readItems } from '../mapping/items.ts'
import { isDataField, type MarcRecord } from '../record.ts'
import { withLocalLibrary, withLocalValue } from './edit-local-item.ts'
import { withText } from './edit-values.ts'
import { codeIn, codeOf, valuesIn } from './item-texts.ts'

/**
 * Replaces the changed values of an item in the subfields where they stand; `from` has the
 * positions of its fields. Volumes in numbers get a text beside them (866), at the end of the
 * record. In local fields (`mapping`), values also come and go. Undefined if that cannot be done
 * without changing anything else.
 */
export function editItem(
  record: MarcRecord,
  from: readonly number[],
  item: PublicationLevel,
  mapping?: ItemMapping
): MarcRecord | undefined {
  const before = readItems(record, mapping)
  const place = before.findIndex(each => isSameJson(each.from, from))
  const draft = before[place]
  if (draft === undefined) return undefined
  let edited = record
  const [wasAt, isAt] = [codeIn(draft), codeOf(item)]
  if (wasAt !== isAt) {
    const next = mapping && withLocalLibrary(edited, from, [wasAt, isAt], mapping)
    if (next === undefined) return undefined
    edited = next
  }
  for (const key of itemFields) {
    const [was, is] = [valuesIn(draft, key), textsOf(item.entity, key)]
    const [gone, come] = [was.filter(each => !is.includes(each)), is.filter(each => !was.includes(each))]
    if (gone.length !== come.length && mapping === undefined) return undefined
    for (let at = 0; at < Math.max(gone.length, come.length); at++) {
      const change = [gone[at], come[at]] as const
      const next = mapping ? withLocalValue(edited, from, key, change, mapping) : withValue(edited, from, key, change)
      if (next === undefined) return undefined
      edited = next
    }
  }
  const after = readItems(edited, mapping)
  const isExpected =
    after.length === before.length &&
    after.every((each, index) => {
      const other = before[index]
      if (other === undefined || codeIn(each) !== (index === place ? isAt : codeIn(other))) return false
      return itemFields.every(key => {
        const wanted = index === place ? textsOf(item.entity, key) : valuesIn(other, key)
        return isSameJson(valuesIn(each, key).toSorted(), wanted.toSorted())
      })
    })
  return isExpected ? edited : undefined
}

/** The last field that has the value is the nearest to the item. */
function withValue(
  record: MarcRecord,
  from: readonly number[],
  key: ItemField,
  [was = '', text = '']: readonly [was: string | undefined, is: string | undefined]
): MarcRecord | undefined {
  for (const index of from.toReversed()) {
    const field = record.fields[index]
    const codes = field && codesOf(field.tag, key)
    if (field === undefined || !isDataField(field) || codes === undefined) continue
    const edited = withText(field, codes, [was, text])
    if (edited !== undefined) return { leader: record.leader, fields: record.fields.with(index, edited) }
  }
  const numbers = from.map(index => record.fields[index]).find(each => each !== undefined && /^86[345]$/.test(each.tag))
  if (key !== 'volume' || numbers === undefined || !isDataField(numbers)) return undefined
  const link = /^\d+/.exec(numbers.subfields.find(({ code }) => code === '8')?.value ?? '')?.[0]
  const stated = dataField(String(Number(numbers.tag) + 3), '41', [
    ['8', link],
    ['a', text]
  ])
  return { leader: record.leader, fields: [...record.fields, ...stated] }
}
