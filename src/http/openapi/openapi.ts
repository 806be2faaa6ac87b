import type { RouteOptions } from 'fastify'

import { isJsonObject } from '#domain/json.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Field, FieldKind, RecordType } from '#domain/record-types/record-type.ts'
import { type ProblemCode, problemKinds, problemPath } from '../reply/errors.ts'
import type { Json } from '#domain/entity/entity.ts'
import { findExampleBody } from './examples.ts'
import type { RouteDoc } from './route-doc.ts'
import { checkedByDomainMark, Problem } from '../schemas/common.ts'

type Schema = Record<string, unknown>

/** Problems of every request, of requests with a bearer, and of requests with a body. */
const commonProblems: readonly ProblemCode[] = ['bad_request', 'not_acceptable', 'internal']
const bearerProblems: readonly ProblemCode[] = ['unauthenticated', 'forbidden', 'unavailable']
const bodyProblems: readonly ProblemCode[] = [
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
  'request_timeout'
]

/**
 * Makes the OpenAPI document from the registered routes, so it is always complete. Schemas with an
 * `$id` become components; each record type adds one, made from its table.
 */
export function openApiDocument(
  routes: readonly RouteOptions[],
  model: Model,
  version: string,
  basePath: string
): object {
  const components: Record<string, Schema> = {}
  const paths: Record<string, Record<string, unknown>> = {}
  hoist(Problem as unknown as Schema, components)
  for (const route of routes.filter(each => !each.config?.doc?.isPage)) {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    for (const method of [route.method].flat()) {
      if (method !== 'HEAD') paths[path][method.toLowerCase()] = operationOf(route, method, path, components)
    }
  }
  for (const recordType of model.recordTypes) components[`${recordType.type}_record`] = recordSchema(recordType)
  nameRecordTypes(components, model)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Libretto',
      version,
      description:
        'A catalogue of works, expressions, manifestations and productions. Every path also exists under `/elody/v1` and `/v2`.',
      license: { name: 'MIT', identifier: 'MIT' }
    },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    tags: [
      { name: 'WEM', description: 'Work, expression and manifestation in one answer' },
      { name: 'Entities', description: 'Records of every type' },
      { name: 'Media', description: 'Media files: their records and their bytes' },
      { name: 'History', description: 'Versions, reverting, merging' },
      { name: 'Export', description: 'Records as files' },
      { name: 'Changes', description: 'The change feed' },
      { name: 'Webhooks', description: 'Notifications of changes, and their deliveries' },
      { name: 'Imports', description: 'Imports of files, and the works that were found' },
      { name: 'Access', description: 'Tokens' },
      { name: 'Protocols', description: 'Protocols of libraries: OAI-PMH, SRU, reconciliation' },
      { name: 'Service', description: 'Health, documentation and record types' }
    ],
    security: [{ bearer: [] }],
    paths,
    components: { schemas: components, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } }
  }
}

function operationOf(route: RouteOptions, method: string, path: string, components: Record<string, Schema>): Schema {
  const doc = route.config?.doc
  if (!doc) throw new Error(`${method} ${path} has no description`)
  const { params, querystring, body, response } = (route.schema ?? {}) as Record<string, Schema | undefined>
  const problems = [
    ...commonProblems,
    ...(doc.isPublic ? [] : bearerProblems),
    // A body is read even where none is required.
    ...(method === 'GET' ? [] : bodyProblems),
    ...(params ? (['uri_too_long'] as const) : []),
    ...(doc.problems ?? []),
    // An id that no entity has may be a word of another path, such as `wem`.
    ...(doc.problems?.includes('not_found') && route.url.includes('/:') ? (['method_not_allowed'] as const) : [])
  ]
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[{}]/g, '').replace(/[/_.-]+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary: doc.summary,
    ...(doc.description === undefined ? {} : { description: doc.description }),
    tags: [doc.tag],
    ...(doc.isPublic ? { security: [] } : {}),
    ...parametersOf(params, querystring, components),
    ...(body
      ? {
          requestBody: {
            required: true,
            content: bodiesOf(
              hoist(body, components),
              doc.consumes ?? ['application/json'],
              findExampleBody(method, path)
            )
          }
        }
      : {}),
    responses: {
      ...answersOf(response as Record<string, Schema> | undefined, doc, components),
      ...problemsOf(problems)
    }
  }
}

function parametersOf(
  params: Schema | undefined,
  query: Schema | undefined,
  components: Record<string, Schema>
): Schema {
  const list = [
    [params, 'path'],
    [query, 'query']
  ] as const
  const parameters = list.flatMap(([schema, where]) =>
    Object.entries((schema?.properties ?? {}) as Record<string, Schema>).map(([name, each]) => {
      const { description, ...rest } = each
      return {
        name,
        in: where,
        // A parameter with a default is optional.
        required:
          where === 'path' || (((schema?.required ?? []) as string[]).includes(name) && each.default === undefined),
        ...(description === undefined ? {} : { description }),
        schema: hoist(rest, components)
      }
    })
  )
  return parameters.length > 0 ? { parameters } : {}
}

/** Descriptions of answers without a body. */
const bodiless: Readonly<Record<string, string>> = { 201: 'Created, without content', 304: 'Not modified' }

function answersOf(
  response: Record<string, Schema> | undefined,
  { produces, alsoProduces = [], isList = false, inLines = [] }: RouteDoc,
  components: Record<string, Schema>
): Schema {
  if (!response) {
    const content = contentOfForms([produces ?? 'application/json', ...alsoProduces], isList ? 'array' : 'object')
    return { 200: { description: 'Done', content: { ...content, ...contentOf({ type: 'string' }, inLines) } } }
  }
  return Object.fromEntries(
    Object.entries(response).map(([status, schema]) => [
      status,
      schema.type === 'null'
        ? { description: bodiless[status] ?? 'Done, without content' }
        : {
            description: status === '201' ? 'Created' : 'Done',
            content: {
              ...contentOf(hoist(schema, components), [produces ?? 'application/json']),
              ...contentOfForms(alsoProduces)
            }
          }
    ])
  )
}

/** Problems with the same status share a response, which lists their codes. */
function problemsOf(codes: readonly ProblemCode[]): Schema {
  const byStatus = Map.groupBy(new Set(codes), code => problemKinds[code].status)
  return Object.fromEntries(
    [...byStatus]
      .sort(([one], [other]) => one - other)
      .map(([status, all]) => [
        status,
        {
          description: all.map(code => `\`${code}\` (${problemPath(code)})`).join(', '),
          content: contentOf({ $ref: '#/components/schemas/Problem' }, ['application/problem+json'])
        }
      ])
  )
}

/** Contents of a body. A text format beside JSON is described in the text of the route. */
const bodiesOf = (schema: Schema, mediaTypes: readonly string[], example: Json | undefined) => {
  const texts = mediaTypes.includes('application/json') ? mediaTypes.filter(media => media.startsWith('text/')) : []
  const json = example === undefined ? {} : { 'application/json': { schema, example } }
  return { ...contentOf(schema, mediaTypes), ...json, ...contentOfForms(texts) }
}

const contentOf = (schema: Schema, mediaTypes: readonly string[]) =>
  Object.fromEntries(mediaTypes.map(media => [media, { schema }]))

/** Media types without a schema of their own: text, or JSON of another kind. */
const contentOfForms = (mediaTypes: readonly string[], jsonType: 'object' | 'array' = 'object') => {
  const json: Schema = jsonType === 'array' ? { type: 'array', items: { type: 'object' } } : { type: 'object' }
  return Object.fromEntries(
    mediaTypes.map(media => [media, { schema: media.endsWith('+json') ? json : { type: 'string' } }])
  )
}

/** Copies a schema for the document; schemas with an id move to the components. */
function hoist(schema: Schema, components: Record<string, Schema>): Schema {
  const copy: Schema = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$id' || (key === '$comment' && value === checkedByDomainMark)) continue
    copy[key] = Array.isArray(value)
      ? value.map(each => (isSchema(each) ? hoist(each, components) : each))
      : isSchema(value)
        ? key === 'properties'
          ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hoist(each as Schema, components)]))
          : hoist(value, components)
        : value
  }
  const name = schema.$id
  if (typeof name !== 'string') return copy
  components[name] = copy
  return { $ref: `#/components/schemas/${name}` }
}

/** Lists the record types where entities name theirs. */
function nameRecordTypes(components: Record<string, Schema>, model: Model) {
  const examples = model.recordTypes.map(({ type }) => type)
  for (const name of ['Entity', 'EntityInput']) {
    const properties = components[name]?.properties as Record<string, Schema> | undefined
    if (properties?.type) properties.type = { ...properties.type, examples }
  }
}

const isSchema = (value: unknown): value is Schema => isJsonObject(value)

/** The schema of a record type, for clients that generate forms and types. */
function recordSchema(recordType: RecordType): Schema {
  const metadata = Object.entries(recordType.fields).map(([key, field]) => ({
    type: 'object',
    required: ['key', 'value'],
    properties: { key: { const: key }, value: valueSchema(field), lang: { type: 'string' } },
    ...(field.required ? { description: 'Required' } : {})
  }))
  const relations = Object.entries(recordType.relations).map(([type, rule]) => ({
    type: 'object',
    required: ['key', 'type'],
    properties: {
      key: { type: 'string' },
      type: { const: type },
      metadata: { type: 'array', items: { $ref: '#/components/schemas/MetadataEntry' } }
    },
    description: `To ${rule.to.join(' or ')}${rule.min === undefined ? '' : `, at least ${rule.min}`}${rule.max === undefined ? '' : `, at most ${rule.max}`}`
  }))
  return {
    description: `${recordType.description}. Id prefix ${recordType.idPrefix}`,
    ...(recordType.umbrella === undefined ? {} : { 'x-umbrella': recordType.umbrella }),
    type: 'object',
    required: ['type'],
    properties: {
      type: { const: recordType.type },
      metadata: { type: 'array', items: { anyOf: [...metadata, { $ref: '#/components/schemas/MetadataEntry' }] } },
      relations: { type: 'array', items: { anyOf: [...relations, { $ref: '#/components/schemas/Relation' }] } }
    }
  }
}

const schemaByKind: Record<FieldKind, Schema> = {
  text: { type: 'string' },
  html: { type: 'string', contentMediaType: 'text/html' },
  choice: { type: 'string' },
  number: { type: 'number' },
  minutes: { type: 'number', description: 'Minutes' },
  year: { type: ['string', 'integer'] },
  date: { type: 'string', format: 'date' },
  moment: { type: 'string', format: 'date-time' },
  boolean: { type: 'boolean' },
  isbn: { type: 'string', description: 'ISBN-10 or ISBN-13, with or without hyphens' },
  codes: { type: 'array', items: { type: 'string' }, minItems: 1 },
  age_category: { type: 'string', pattern: '^(\\d{1,2}\\+|all)$' },
  time_zone: { type: 'string', description: 'Name of a time zone in the IANA database, such as `Europe/Brussels`' }
}

function valueSchema({ kind, of, maxLength, min, max, default: fallback }: Field): Schema {
  return {
    ...schemaByKind[kind],
    ...(of ? { enum: of } : {}),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(fallback === undefined ? {} : { default: fallback })
  }
}
