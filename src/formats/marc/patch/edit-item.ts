import { type PublicationLevel, relatedBy } from '#domain/entity/publication.ts'
import { holdings, itemFields } from '#domain/record-types/holdings.ts'
import { isSameJson } from '#domain/json.ts'
import type { ItemDraft } from '../../description/description.ts'
import { dataField, textOf, textsOf } from '../compose/composer.ts'
import { codesOf, readItems } from '../mapping/items.ts'
import { isDataField, type MarcRecord } from '../record.ts'
import { withText } from './edit-values.ts'

/**
 * Replaces the changed values of an item in the subfields where they stand; `from` has the
 * positions of its fields. Volumes in numbers get a text beside them (866), at the end of the
 * record. Undefined if that cannot be done without changing anything else.
 */
export function editItem(record: MarcRecord, from: readonly number[], item: PublicationLevel): MarcRecord | undefined {
  const before = readItems(record)
  const place = before.findIndex(each => isSameJson(each.from, from))
  const draft = before[place]
  if (draft === undefined || codeIn(draft) !== codeOf(item)) return undefined
  let edited = record
  for (const key of itemFields) {
    const [was, is] = [valuesIn(draft, key), textsOf(item.entity, key)]
    const [gone, come] = [was.filter(each => !is.includes(each)), is.filter(each => !was.includes(each))]
    if (gone.length !== come.length) return undefined
    for (const [at, text] of gone.entries()) {
      const next = withValue(edited, from, key, [text, come[at] ?? ''])
      if (next === undefined) return undefined
      edited = next
    }
  }
  const after = readItems(edited)
  const isExpected =
    after.length === before.length &&
    after.every((each, index) => {
      const other = before[index]
      if (other === undefined || codeIn(each) !== codeIn(other)) return false
      return itemFields.every(key => {
        const wanted = index === place ? textsOf(item.entity, key) : valuesIn(other, key)
        return isSameJson(valuesIn(each, key).toSorted(), wanted.toSorted())
      })
    })
  return isExpected ? edited : undefined
}

export const valuesIn = ({ metadata }: ItemDraft, key: string) =>
  metadata.flatMap(each => (each.key === key ? [each.value] : []))
export const codeIn = ({ library }: ItemDraft) => library?.metadata.find(each => each.key === 'code')?.value

export function codeOf(item: PublicationLevel) {
  const library = relatedBy(item, holdings.at)[0]
  return textOf(library, 'code') ?? textOf(library, 'name')
}

/** The last field that has the value is the nearest to the item. */
function withValue(
  record: MarcRecord,
  from: readonly number[],
  key: (typeof itemFields)[number],
  change: readonly [was: string, is: string]
): MarcRecord | undefined {
  for (const index of from.toReversed()) {
    const field = record.fields[index]
    const codes = field && codesOf(field.tag, key)
    if (field === undefined || !isDataField(field) || codes === undefined) continue
    const edited = withText(field, codes, change)
    if (edited !== undefined) return { leader: record.leader, fields: record.fields.with(index, edited) }
  }
  const [, text] = change
  const numbers = from.map(index => record.fields[index]).find(each => each !== undefined && /^86[345]$/.test(each.tag))
  if (key !== 'volume' || numbers === undefined || !isDataField(numbers)) return undefined
  const link = /^\d+/.exec(numbers.subfields.find(({ code }) => code === '8')?.value ?? '')?.[0]
  const stated = dataField(String(Number(numbers.tag) + 3), '41', [
    ['8', link],
    ['a', text]
  ])
  return { leader: record.leader, fields: [...record.fields, ...stated] }
}
