import type { PublicationLevel } from '#domain/entity/publication.ts'
import { linkOf, locationTag, pieceTags } from './mapping/items.ts'
import { isHeld } from './patch/item-links.ts'
import { saidIn, saidOf } from './patch/item-texts.ts'
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
    const [first] = saidIn({ leader: record.leader, fields: group }).flatMap(each => {
      const place = open.findIndex(item => item.said === each)
      return place < 0 ? [] : open.splice(place, 1)
    })
    return first?.id
  }
  const holdings = groups.map((group, place) => toHoldings(record, group, idOf(group) ?? `${number}-${place + 1}`))
  const moved = new Set(groups.flat())
  const rest = { leader: record.leader, fields: record.fields.filter(each => !isDataField(each) || !moved.has(each)) }
  const isAsBefore = textOf([record]) === textOf([rest, ...holdings])
  return isAsBefore ? { record: rest, holdings } : { record, holdings: [] }
}

/** The fields of each location, and those of each copy without one. */
function heldGroups({ fields }: MarcRecord): DataField[][] {
  const held = fields.filter(isHeld)
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

/** A holdings record with the number of the record of its publication, and its agency. */
export function holdingsOf(record: MarcRecord, held: MarcRecord): MarcRecord {
  const wanted = [
    ['003', findControlValue(record, '003')],
    ['004', controlNumberOf(record)]
  ] as const
  const isTold = wanted.every(([tag, value]) => findControlValue(held, tag)?.trim() === value?.trim())
  if (isTold) return held
  const [number, others] = [
    held.fields.filter(each => each.tag === '001'),
    held.fields.filter(({ tag }) => !['001', '003', '004'].includes(tag))
  ]
  const told = wanted.flatMap(([tag, value]) => (value === undefined ? [] : [{ tag, value }]))
  return { leader: held.leader, fields: [...number, ...told, ...others] }
}

const textOf = (records: readonly MarcRecord[]) => records.flatMap(saidIn).join('\n')
