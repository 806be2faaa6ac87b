import type { Entity, MetadataEntry } from '../entity/entity.ts'
import { isTranslatable, type RecordType } from '../record-types/record-type.ts'
import { identityOfEntry, identityOfRelation } from './merge-lists.ts'

/** The values of a record that people decide. */
export type Values = Pick<Entity, 'metadata' | 'relations'>

/**
 * Joins the values of two records that are merged. All of the survivor's stay. Of the victim's,
 * those are added for which there is room: fields and relations that the survivor lacks, and other
 * values of those that may have several.
 */
export function keepBoth(recordType: RecordType, survivor: Values, victim: Values): Values {
  const placeOf = placesIn(recordType)
  const taken = new Set(survivor.metadata.map(placeOf))
  const metadata = victim.metadata.filter(entry => isNew(taken, placeOf(entry)))

  const known = new Set(survivor.relations.map(identityOfRelation))
  const counts = new Map<string, number>()
  const count = (type: string) => counts.set(type, (counts.get(type) ?? 0) + 1)
  for (const { type } of survivor.relations) count(type)
  const relations = victim.relations.filter(relation => {
    const { type } = relation
    if ((counts.get(type) ?? 0) >= maxOf(recordType, type) || !isNew(known, identityOfRelation(relation))) return false
    count(type)
    return true
  })
  return { metadata: [...survivor.metadata, ...metadata], relations: [...survivor.relations, ...relations] }
}

/** The values of `one` that `other` has not. Counts, which the service makes, are left out. */
export function valuesWithout({ counts = [] }: RecordType, one: Values, other: Values): Values {
  const values = new Set(other.metadata.map(textOfEntry))
  const known = new Set(other.relations.map(identityOfRelation))
  return {
    metadata: one.metadata.filter(entry => !counts.includes(entry.key) && !values.has(textOfEntry(entry))),
    relations: one.relations.filter(relation => !known.has(identityOfRelation(relation)))
  }
}

const textOfEntry = ({ key, lang, value }: MetadataEntry) => JSON.stringify([key, lang ?? '', value])

/** The place of an entry: its value in a repeatable field, otherwise its field and language. */
function placesIn({ fields }: RecordType): (entry: MetadataEntry) => string {
  return entry => {
    const field = Object.hasOwn(fields, entry.key) ? fields[entry.key] : undefined
    if (field?.repeatable) return textOfEntry(entry)
    return field && isTranslatable(field) ? identityOfEntry(entry) : entry.key
  }
}

const maxOf = ({ relations = {} }: RecordType, type: string): number =>
  (Object.hasOwn(relations, type) ? relations[type]?.max : undefined) ?? Number.POSITIVE_INFINITY

/** Adds a text to a set; false if it was there. */
function isNew(set: Set<string>, text: string): boolean {
  const isNew = !set.has(text)
  set.add(text)
  return isNew
}
