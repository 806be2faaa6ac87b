import type { PublicationLevel } from '#domain/entity/publication.ts'
import { itemFields } from '#domain/record-types/holdings.ts'
import type { ItemDraft } from '../description/description.ts'
import { textsOf } from './compose/composer.ts'
import { itemTags, linkOf, locationTag, pieceTags, readItems } from './mapping/items.ts'
import { codeIn, codeOf, valuesIn } from './patch/edit-item.ts'
import { controlNumberOf, type DataField, findControlValue, isDataField, type MarcRecord } from './record.ts'

interface SplitRecord {
  readonly record: MarcRecord
  readonly holdings: readonly MarcRecord[]
}

/**
 * Takes the copies out of the record of a publication, into holdings records that name it (004):
 * one for each location (852), with all fields that belong to it. Its number is the id of its first
 * copy. The record stays whole if it has no number, or if other copies would be read from its
 * parts. Copies in local fields stay in it.
 */
export function splitHoldings(record: MarcRecord, items: readonly PublicationLevel[]): SplitRecord {
  const number = controlNumberOf(record)
  const groups = heldGroups(record)
  if (number === undefined || groups.length === 0) return { record, holdings: [] }
  const open = items.map(item => ({ id: item.entity.id, said: saidOf(item) }))
  const idOf = (group: readonly DataField[]): string | undefined => {
    const said = readItems({ leader: record.leader, fields: group }).map(saidBy)
    const [first] = said.flatMap(each => {
      const place = open.findIndex(item => item.said === each)
      return place < 0 ? [] : open.splice(place, 1)
    })
    return first?.id
  }
  const holdings = groups.map((group, place) => toHoldings(record, group, idOf(group) ?? `${number}-${place + 1}`))
  const moved = new Set(groups.flat())
  const rest = { leader: record.leader, fields: record.fields.filter(each => !isDataField(each) || !moved.has(each)) }
  const isAsBefore = said([record]) === said([rest, ...holdings])
  return isAsBefore ? { record: rest, holdings } : { record, holdings: [] }
}

/** The fields of each location, and those of each copy without one. */
function heldGroups({ fields }: MarcRecord): DataField[][] {
  const tags = itemTags()
  const held = fields.filter((each): each is DataField => isDataField(each) && Object.hasOwn(tags, each.tag))
  const places = held.filter(({ tag }) => tag === locationTag)
  if (places.length === 1) return [held]
  const located = places.map(place => {
    const link = linkOf(place)
    return held.filter(
      each => each === place || (each.tag !== locationTag && link !== undefined && linkOf(each) === link)
    )
  })
  const found = new Set(located.flat())
  return [...located, ...held.filter(each => pieceTags.includes(each.tag) && !found.has(each)).map(each => [each])]
}

function toHoldings(record: MarcRecord, fields: readonly DataField[], number: string): MarcRecord {
  const has = (tag: RegExp) => fields.some(each => tag.test(each.tag))
  const isSerial = 'bis'.includes(record.leader[7] || '?')
  const type = isSerial ? 'y' : has(/^8(?:5[345]|6[3-8])$/) ? 'v' : 'x'
  const control = (tag: string, value: string | undefined) => (value === undefined ? [] : [{ tag, value }])
  const created = /^\d{6}/.exec(findControlValue(record, '008') ?? '')?.[0] ?? '000000'
  return {
    // 05: new; 06: of one part, of several, or of a serial; 09: UTF-8; 18: with items, or without.
    leader: `00000n${type}  a2200000u${has(/^87/) ? 'i' : 'n'} 4500`,
    fields: [
      { tag: '001', value: number },
      ...control('003', findControlValue(record, '003')),
      ...control('004', controlNumberOf(record)),
      ...control('005', findControlValue(record, '005')),
      // Receipt, retention, completeness, lending and copying are unknown.
      { tag: '008', value: `${created}0u    0   0001uu   0000000` },
      ...fields
    ]
  }
}

/** What is said of a copy, as text: two copies of which the same is said have the same. */
const textOfCopy = (library: string | undefined, valuesOf: (key: (typeof itemFields)[number]) => string[]) =>
  JSON.stringify([library ?? '', ...itemFields.map(key => valuesOf(key).toSorted())])
const saidBy = (draft: ItemDraft) => textOfCopy(codeIn(draft), key => valuesIn(draft, key))
const saidOf = (item: PublicationLevel) => textOfCopy(codeOf(item), key => textsOf(item.entity, key))

const said = (records: readonly MarcRecord[]) => JSON.stringify(records.flatMap(each => readItems(each)).map(saidBy))
