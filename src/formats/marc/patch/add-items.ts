import type { PublicationLevel } from '#domain/entity/publication.ts'
import { isSameJson } from '#domain/json.ts'
import { composeItems } from '../compose/items.ts'
import { linkOf, locationTag } from '../mapping/items.ts'
import type { DataField, MarcField, MarcRecord } from '../record.ts'
import { isHeld, nextLink, withLink } from './item-links.ts'
import { saidIn } from './item-texts.ts'

/** A holdings record as it is now, with the items that it describes. */
export interface CurrentHoldings {
  readonly record: MarcRecord
  readonly items: readonly PublicationLevel[]
}

/**
 * The fields of items that the record of their publication lacks: those of their holdings records
 * as they came in, where the same items are read from them here, and composed ones.
 */
export function fieldsToAdd(
  record: MarcRecord,
  holdings: readonly CurrentHoldings[],
  items: readonly PublicationLevel[]
): MarcField[] {
  const added: MarcField[] = []
  const open = new Set(items)
  for (const { record: held, items: own } of holdings) {
    const whole = { leader: record.leader, fields: [...record.fields, ...added] }
    const isAlone = own.length === items.length && !record.fields.some(isHeld)
    const fields = embedded(whole, held, isAlone)
    if (fields === undefined) continue
    added.push(...fields)
    for (const each of own) open.delete(each)
  }
  return [...added, ...composeItems([...open], nextLink([...record.fields, ...added]))]
}

/**
 * The fields of a holdings record for the record of its publication. Beside other locations its own
 * fields are linked to its location. Undefined if other items would be read from them.
 */
function embedded(record: MarcRecord, held: MarcRecord, isAlone: boolean): DataField[] | undefined {
  const own = held.fields.filter(isHeld)
  const places = own.filter(({ tag }) => tag === locationTag)
  if (places.length === 0) return undefined
  const link = nextLink(record.fields)
  const fields = isAlone ? own : places.length > 1 ? relinked(own, link) : linkedTogether(own, link)
  const whole = { leader: record.leader, fields: [...record.fields, ...fields] }
  const isAsBefore = isSameJson(saidIn(whole).toSorted(), [...saidIn(record), ...saidIn(held)].toSorted())
  return isAsBefore ? fields : undefined
}

const linkedTogether = (fields: readonly DataField[], link: number): DataField[] =>
  fields.length === 1 && fields.every(each => linkOf(each) === undefined)
    ? [...fields]
    : fields.map(each => withLink(each, link))

/** Fields with other link numbers, from one on: those with one number have one number again. */
function relinked(fields: readonly DataField[], first: number): DataField[] {
  const numbers = [...new Set(fields.flatMap(each => linkOf(each) ?? []))]
  return fields.map(each => {
    const place = numbers.indexOf(linkOf(each) ?? '')
    return place < 0 ? each : withLink(each, first + place)
  })
}
