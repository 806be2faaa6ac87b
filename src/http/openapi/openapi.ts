import type { RouteOptions } from 'fastify'

import { isJsonObject } from '#domain/json.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Field, FieldKind, RecordType } from '#domain/record-types/record-type.ts'
import { type ProblemCode, problemKinds, problemPath } from '../reply/errors.ts'
import { codeSamples } from './code-samples.ts'
import type { Example, Examples } from './examples.ts'
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

export interface DocumentParts {
  readonly model: Model
  readonly version: string
  readonly homepage: string
  readonly basePath: string
  readonly examples: Examples
}

/**
 * Makes the OpenAPI document from the registered routes, so it is always complete. Schemas with an
 * `$id` become components; each record type adds one, made from its table.
 */
export function openApiDocument(
  routes: readonly RouteOptions[],
  { model, version, homepage, basePath, examples }: DocumentParts
): object {
  const components: Record<string, Schema> = {}
  const paths: Record<string, Record<string, unknown>> = {}
  hoist(Problem as unknown as Schema, components)
  for (const route of routes.filter(each => !each.config?.doc?.isPage)) {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    for (const method of [route.method].flat()) {
      if (method === 'HEAD') continue
      const example = examples[`${method} ${path}`]
      paths[path][method.toLowerCase()] = operationOf({ route, method, path, example }, components)
    }
  }
  describeRecordTypes(components, model)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Libretto',
      version,
      description:
        'A catalogue of works, expressions, manifestations and productions. Every path also exists under `/elody/v1` and `/v2`.',
      contact: { name: 'Libretto', url: homepage },
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

interface DocumentedRoute {
  readonly route: RouteOptions
  readonly method: string
  readonly path: string
  readonly example: Example | undefined
}

function operationOf({ route, method, path, example }: DocumentedRoute, components: Record<string, Schema>): Schema {
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
    description: doc.description,
    tags: [doc.tag],
    ...(doc.isPublic ? { security: [] } : {}),
    ...parametersOf({ params, querystring, example }, components),
    ...requestBodyOf(body && withRecordTypes(hoist(body, components)), doc.consumes, example),
    responses: {
      ...withAnswer(answersOf(response as Record<string, Schema> | undefined, doc, components), example),
      ...problemsOf(problems)
    },
    ...(example === undefined
      ? {}
      : { 'x-codeSamples': codeSamples({ ...example, method, template: path, isPublic: doc.isPublic === true }) })
  }
}

interface GivenParameters {
  readonly params: Schema | undefined
  readonly querystring: Schema | undefined
  readonly example: Example | undefined
}

function parametersOf({ params, querystring, example }: GivenParameters, components: Record<string, Schema>): Schema {
  const list = [
    [params, 'path'],
    [querystring, 'query']
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
        schema: hoist(rest, components),
        ...exampleIn(example?.[where]?.[name])
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
): Record<string, Answer> {
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
          content: contentOf(referenceTo('Problem'), ['application/problem+json'])
        }
      ])
  )
}

const exampleIn = (example: unknown) => (example === undefined ? {} : { example })

/** The body of a request. Text or MARC beside JSON is described in the text of the route. */
function requestBodyOf(
  schema: Schema | undefined,
  mediaTypes: readonly string[] | undefined,
  example?: Example
): Schema {
  // Bytes of any type have no schema, and are read even where none are sent.
  if (schema === undefined && mediaTypes === undefined) return {}
  if (schema === undefined)
    return { requestBody: { content: contentOf({ type: 'string', format: 'binary' }, mediaTypes) } }
  const all = mediaTypes ?? ['application/json']
  const isText = (media: string) => /^(?:text\/|application\/marc)/.test(media)
  const texts = all.includes('application/json') ? all.filter(isText) : []
  const content = { ...contentOf(schema, all), ...contentOfForms(texts) }
  return { requestBody: { required: true, content: withExample(content, all[0], example?.body) } }
}

/** Adds an example to the content of one media type. */
const withExample = (content: Record<string, object>, mediaType = '', example?: unknown) =>
  content[mediaType] === undefined || example === undefined
    ? content
    : { ...content, [mediaType]: { ...content[mediaType], example } }

/** Adds the answer of an example to the answer with its status. */
function withAnswer(answers: Record<string, Answer>, example: Example | undefined): Record<string, Answer> {
  const answer = answers[example?.status ?? '']
  if (example === undefined || answer?.content === undefined) return answers
  const content = withExample(answer.content, example.mediaType, example.answer)
  return { ...answers, [example.status]: { ...answer, content } }
}

interface Answer {
  readonly description: string
  readonly content?: Record<string, object>
}

const contentOf = (schema: Schema, mediaTypes: readonly string[] = []): Record<string, object> =>
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
  return referenceTo(name)
}

/** Offers the schemas of the record types where an entity of any type is sent. */
const withRecordTypes = (schema: Schema): Schema =>
  schema.$ref === referenceTo('EntityInput').$ref ? { anyOf: [referenceTo('RecordInput'), schema] } : schema

const referenceTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const recordSchemaOf = ({ type }: RecordType) => `${type}_record`

/** Adds a schema for each record type, and lists the types where entities name theirs. */
function describeRecordTypes(components: Record<string, Schema>, model: Model) {
  for (const recordType of model.recordTypes) components[recordSchemaOf(recordType)] = recordSchema(recordType)
  components.RecordInput = {
    description: 'A record of one of the types of this catalogue, with the fields and relations of that type',
    anyOf: model.recordTypes.map(recordType => referenceTo(recordSchemaOf(recordType)))
  }
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
      metadata: { type: 'array', items: referenceTo('MetadataEntry') }
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
      metadata: { type: 'array', items: oneOrMore([...metadata, referenceTo('MetadataEntry')]) },
      relations: { type: 'array', items: oneOrMore([...relations, referenceTo('Relation')]) }
    }
  }
}

const oneOrMore = (schemas: readonly Schema[]): Schema =>
  schemas.length === 1 ? { ...schemas[0] } : { anyOf: schemas }

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
  age_category: { type: 'string', pattern: '^(\\d{1,2}\\+|\\d{1,2}-\\d{1,2}|all)$' },
  price: {
    type: 'string',
    pattern: '^\\d{1,7}(\\.\\d{1,3})? [A-Z]{3}( \\S.*)?$',
    description: 'Amount, currency (ISO 4217) and name of the tariff: `24.50 EUR Standard`'
  },
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
