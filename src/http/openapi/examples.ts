import type { Json } from '#domain/entity/entity.ts'
import { production } from '#domain/record-types/production.ts'
import { venue } from '#domain/record-types/stage.ts'

/*
 * Examples of bodies: those that are written down here, and for others one that is made from the
 * schema.
 */

type Schema = Readonly<Record<string, unknown>>

const aVenue: Json = {
  type: venue.type,
  metadata: [
    { key: 'name', value: 'Schouwburg' },
    { key: 'city', value: 'Gent' }
  ]
}
const filters: Json = [
  { type: 'type', value: production.type },
  { type: 'text', key: 'properties.title.value', value: 'hamlet' }
]

/** Bodies whose schema alone would say little. */
const bodies: Readonly<Record<string, Json>> = {
  'POST /entities': aVenue,
  'PUT /entities': [{ id: 'VE-1', metadata: [{ key: 'capacity', value: 300 }] }],
  'PUT /entities/{id}': aVenue,
  'PATCH /entities/{id}': { metadata: [{ key: 'capacity', value: 300 }] },
  'POST /entities/filter': filters,
  'POST /entities/filter_v2': filters,
  'POST /mediafiles/filter': [{ type: 'selection', key: 'mediafile_type', value: ['posters'], match_exact: true }],
  'POST /entities/wem': { ids: ['M-1', 'M-2'] },
  'POST /entities/{id}/metadata': [{ key: 'phone', value: '+32 9 000 00 00' }],
  'PUT /entities/{id}/metadata': [{ key: 'name', value: 'Schouwburg' }],
  'PATCH /entities/{id}/metadata': [{ key: 'capacity', value: 300 }],
  'POST /entities/{id}/relations': [{ type: 'refVenues', key: 'VE-1' }],
  'PUT /entities/{id}/relations': [{ type: 'refVenues', key: 'VE-1' }],
  'PATCH /entities/{id}/relations': [{ type: 'refVenues', key: 'VE-1' }],
  'POST /tokens': { name: 'website', scopes: ['read'] }
}

export const findExampleBody = (method: string, path: string): Json | undefined =>
  bodies[`${method.toUpperCase()} ${path}`]

/** Maximum depth of an example that is made from a schema. */
const maxDepth = 5

/** Makes a value of the shape of a schema: required members, and the first of alternatives. */
export function exampleOf(schema: Schema, schemas: Readonly<Record<string, Schema>>, depth = 0): Json {
  if (typeof schema.$ref === 'string') {
    const target = schemas[schema.$ref.split('/').at(-1) ?? '']
    return target === undefined || depth > maxDepth ? {} : exampleOf(target, schemas, depth + 1)
  }
  if (schema.const !== undefined) return schema.const as Json
  for (const given of [schema.example, schema.examples, schema.enum])
    if (given !== undefined) return (Array.isArray(given) ? given[0] : given) as Json
  if (schema.default !== undefined && schema.default !== '') return schema.default as Json
  const [first] = (schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []) as readonly Schema[]
  if (first !== undefined) return exampleOf(first, schemas, depth + 1)
  const type = Array.isArray(schema.type) ? (schema.type[0] as unknown) : schema.type
  if (type === 'object') {
    const required = (schema.required ?? []) as readonly string[]
    const members = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
    const shown = members.filter(([name]) => required.includes(name) || required.length === 0)
    return Object.fromEntries(
      depth > maxDepth ? [] : shown.map(([name, each]) => [name, exampleOf(each, schemas, depth + 1)])
    )
  }
  if (type === 'array')
    return schema.items === undefined || depth > maxDepth ? [] : [exampleOf(schema.items as Schema, schemas, depth + 1)]
  if (type === 'integer' || type === 'number') return typeof schema.minimum === 'number' ? schema.minimum : 1
  if (type === 'boolean') return true
  return type === 'string' ? textFor(schema.format) : {}
}

const textFor = (format: unknown) =>
  format === 'date-time' ? '2026-03-10T20:00:00Z' : format === 'date' ? '2026-03-10' : 'text'
