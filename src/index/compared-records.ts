import { bareText, type DuplicateReason, nameReason, numberKeysOf, readNumber } from '#domain/entity/duplicates.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Field } from '#domain/record-types/record-type.ts'
import { textAt } from './arrays.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { type Column, isDerivedFlag, placeIn } from './columns.ts'
import { type DocumentSet, firstAt, has } from './sets.ts'
import { step } from './time-limit.ts'

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
      const reason = readNumber(key, recordType.fields[key] as Field, text)
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
  const targetsBy = (number: number, type: string) =>
    index.targetsBy(number, type).filter(target => !readable || has(readable, target))
  return number => {
    const changed = index.delta.get(number)
    return {
      type: index.typeOf(number),
      textsOf: key =>
        changed
          ? changed.values.flatMap(each => (each.key === key && !each.isDerived ? [each.folded] : []))
          : textsInBase(index.columns.get(key), number),
      targetsBy: type => targetsBy(number, type)
    }
  }
}

/** The values of a document of the base, as folded texts. */
function textsInBase(column: Column | undefined, number: number): string[] {
  const texts: string[] = []
  if (column) forEachValueOf(column, number, value => texts.push(textAt(column.folded, value)))
  return texts
}

/** Calls back with the values of a document, but those that were made from others. */
function forEachValueOf(column: Column, number: number, work: (value: number) => void) {
  const place = placeIn(column, number)
  if (place < 0) return
  const take = (value: number) => {
    step(2)
    if (((column.flags[value] as number) & isDerivedFlag) === 0) work(value)
  }
  take(column.firsts[place] as number)
  const { furtherDocuments, further } = column
  for (let at = firstAt(furtherDocuments, number); furtherDocuments[at] === number; at++) take(further[at] as number)
}

const ascending = (one: number, other: number) => one - other
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
