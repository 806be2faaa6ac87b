import type { EntityContent, Json } from '#domain/entity/entity.ts'
import { type DuplicateReason, formsOfNumber, nameReason, numberKeysOf, readNumber } from '#domain/entity/duplicates.ts'
import { differentRelation } from '#domain/record-types/different-relation.ts'
import { textOf } from '#domain/search/index-values.ts'
import { foldText } from '#domain/values/fold.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { readableIn, type Scope } from './readable.ts'
import { type ComparedRecord, keysOf, recordsOf } from './compared-records.ts'
import { type NamedRecord, namedRecord } from './named-record.ts'
import { addAll, type DocumentSet, has, keepCommon, numbersIn, remove } from './sets.ts'
import { step } from './time-limit.ts'

/** The content of a record, stored or not, to compare with all others. */
export interface SameRecordsQuery extends Scope {
  readonly content: Pick<EntityContent, 'uuid' | 'type' | 'metadata' | 'relations'>
  readonly limit: number
}

export interface SameRecord extends NamedRecord {
  readonly reason: DuplicateReason
}

/**
 * Finds the records that are likely to be the same as one that is being written, and that
 * nobody said are different, in the order of creation. Names are looked up by their folded text, so
 * names that differ in punctuation are not found here, as they are in the list.
 */
export function findSameRecords(index: CatalogueIndex, query: SameRecordsQuery): SameRecord[] {
  const { content, limit } = query
  const { model } = index
  const readable = readableIn(index, query)
  const written: ComparedRecord = {
    type: content.type,
    textsOf: key => content.metadata.flatMap(each => (each.key === key ? foldedTextsOf(each.value) : [])),
    targetsBy: type =>
      content.relations.flatMap(relation => {
        const target = relation.type === type ? index.resolve(relation.key) : -1
        return target >= 0 && (!readable || has(readable, target)) ? [target] : []
      })
  }
  const candidates = findCandidates(index, written)
  if (!candidates) return []
  const keys = new Map(keysOf(model, written))
  const own = index.findByUuid(content.uuid)
  const different = new Set(written.targetsBy(differentRelation))
  keepCommon(candidates, index.ofTypes(model.typesNamed(model.umbrellaOf(content.type))))
  if (readable) keepCommon(candidates, readable)
  if (own >= 0) remove(candidates, own)
  const records = recordsOf(index, readable)
  const found: SameRecord[] = []
  for (const number of numbersIn(candidates)) {
    step()
    if (found.length === limit) break
    if (different.has(number) || index.relatives.by(differentRelation).targetsOf(number).includes(own)) continue
    const [, reason] = keysOf(model, records(number)).find(([key]) => keys.has(key)) ?? []
    if (!reason) continue
    const record = namedRecord(index, number)
    found.push({ ...record, reason: reason.reason === nameReason ? { ...reason, value: record.label } : reason })
  }
  return found
}

const foldedTextsOf = (value: Json): string[] =>
  (Array.isArray(value) ? (value as readonly Json[]) : [value])
    .map(textOf)
    .filter(text => text !== '')
    .map(foldText)

/**
 * The documents that have one of the numbers or the name of a record, in one of their forms.
 * Undefined where there is none: most records that are written are new, and nothing should be paid
 * for the size of the catalogue then.
 */
function findCandidates(index: CatalogueIndex, written: ComparedRecord): DocumentSet | undefined {
  const { model } = index
  const wanted = new Map<string, Set<string>>()
  const want = (key: string, folded: string) => {
    const known = wanted.get(key)
    if (known) known.add(folded)
    else wanted.set(key, new Set([folded]))
  }
  const recordType = model.findType(written.type)
  if (recordType) {
    const numberKeys = numberKeysOf(recordType)
    for (const key of numberKeys)
      for (const folded of written.textsOf(key)) {
        const number = readNumber(key, recordType.fields[key], folded)
        // An EAN may be stored as an ISBN.
        for (const form of number ? formsOfNumber(number, folded) : []) for (const each of numberKeys) want(each, form)
      }
    for (const name of written.textsOf(recordType.nameField)) want(recordType.nameField, name)
  }
  let set: DocumentSet | undefined
  for (const [key, texts] of wanted) {
    const found = index.values(key).withFolded(texts)
    if (set && found) addAll(set, found)
    else set ??= found
  }
  return set
}
