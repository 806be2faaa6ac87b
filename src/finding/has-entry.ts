import type { Entity, Json } from '#domain/entity/entity.ts'
import { isSameJson } from '#domain/json.ts'
import { textOf } from '#domain/search/index-values.ts'
import type { EntryCandidate, EntryFilter } from '#index/entries.ts'

/** Whether a document has an entry of metadata or a relation with the members of a filter. */
export function hasEntry(document: string, filter: EntryFilter, { positions }: EntryCandidate): boolean {
  const { path, test, members } = filter
  const entity = JSON.parse(document) as Entity
  const hasMembers = (entry: object | undefined) =>
    entry !== undefined &&
    Object.entries(members).every(
      ([name, value]) => Object.hasOwn(entry, name) && isSameJson((entry as Record<string, Json>)[name], value)
    )
  if (path.kind === 'relation_key') return positions?.some(at => hasMembers(entity.relations[at])) === true
  const isMet = (value: Json) => {
    const text = textOf(value)
    return test.kind === 'present' ? text !== '' : test.values.includes(text)
  }
  return entity.metadata.some(
    entry =>
      entry.key === path.key &&
      hasMembers(entry) &&
      (Array.isArray(entry.value) ? (entry.value as Json[]) : [entry.value]).some(isMet)
  )
}
