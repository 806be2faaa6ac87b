import type { Entity, Json, MetadataEntry, Relation } from '#domain/entity/entity.ts'
import { resolveRelations } from '#domain/entity/resolve-relation.ts'
import type { RelationSummaries } from '../entities/fetch-relation-summaries.ts'

/** The relations that a level shows; `link` is the relation to the level above it. */
export const relationsBeside = ({ relations }: Entity, link?: string): readonly Relation[] =>
  link === undefined ? relations : relations.filter(({ type }) => type !== link)

/**
 * Writes an entity as a level of a WEM answer or a tree: the JSON of its type, metadata and
 * relations, without the outer braces.
 */
export function levelText(entity: Entity, { shown, hidden }: RelationSummaries, link?: string): string {
  const relations = relationsBeside(entity, link)
  const visible = hidden.size === 0 ? relations : relations.filter(({ key }) => !hidden.has(key))
  const resolved = resolveRelations(visible, key => shown.get(key))
  return `"type":${JSON.stringify(entity.type)},"metadata":${metadataText(entity.metadata)},"relations":${resolved}`
}

/** Keys whose values a WEM answer shows as strings, also where numbers are stored. */
const alwaysText = new Set(['title', 'isbn', 'year_of_publication'])

/** Writes metadata by key; a repeated key shows the first value, and all of them beside it. */
function metadataText(metadata: readonly MetadataEntry[]): string {
  const groups = Map.groupBy(metadata, entry => entry.key)
  let text = ''
  for (const [key, entries] of groups) {
    const values = entries.map(({ value }) => JSON.stringify(alwaysText.has(key) ? toText(value) : value))
    const lang = entries[0]?.lang
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:{"value":${values[0]}`
    if (lang !== undefined) text += `,"lang":${JSON.stringify(lang)}`
    if (values.length > 1) text += `,"values":[${values.join()}]`
    if (values.length > 1 && entries.some(entry => entry.lang !== undefined))
      text += `,"langs":${JSON.stringify(entries.map(entry => entry.lang ?? null))}`
    text += '}'
  }
  return `{${text}}`
}

const toText = (value: Json) =>
  value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
