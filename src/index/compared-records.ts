import { bareText, type DuplicateReason, nameReason, numberKeysOf, readNumber } from '#domain/entity/duplicates.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { type DocumentSet, has } from './sets.ts'

/* Records as they are compared to find duplicates, exactly. */

/** A record as it is compared: folded texts, and the documents that its relations lead to. */
export interface ComparedRecord {
  readonly type: string
  textsOf(key: string): readonly string[]
  targetsBy(type: string): readonly number[]
}

/** Everything by which a record may equal another, each with its reason. */
export function keysOf(model: Model, record: ComparedRecord): [string, DuplicateReason][] {
  const recordType = model.findType(record.type)
  if (!recordType) return []
  const umbrella = model.umbrellaOf(record.type)
  const keys: [string, DuplicateReason][] = []
  for (const key of numberKeysOf(recordType)) {
    for (const text of record.textsOf(key)) {
      const reason = readNumber(key, recordType.fields[key], text)
      if (reason) keys.push([JSON.stringify([umbrella, reason.reason, reason.value]), reason])
    }
  }
  const names = record.textsOf(recordType.nameField)
  if (names.length === 0) return keys
  const apart = (recordType.toldApartBy ?? []).map(key =>
    Object.hasOwn(recordType.relations, key)
      ? record.targetsBy(key).toSorted(ascending)
      : record.textsOf(key).map(bareText).sort(compare)
  )
  for (const name of names)
    keys.push([
      JSON.stringify([umbrella, nameReason, bareText(name), apart]),
      { reason: nameReason, value: bareText(name) }
    ])
  return keys
}

/** Reads documents of the index as they are compared. Relations to hidden records do not exist. */
export function recordsOf(
  index: CatalogueIndex,
  readable: DocumentSet | undefined
): (number: number) => ComparedRecord {
  return number => ({
    type: index.typeOf(number),
    textsOf: key => {
      const values = index.values(key)
      const texts: string[] = []
      values.forEachOf(number, place => {
        if (!values.isDerived(place)) texts.push(values.foldedOf(place))
      })
      return texts
    },
    targetsBy: type =>
      index.relatives
        .by(type)
        .targetsOf(number)
        .filter(target => !readable || has(readable, target))
  })
}

const ascending = (one: number, other: number) => one - other
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
