import type { Chance } from '../support/records/chance.ts'
import { oddWords } from '../support/records/generators.ts'
import { createBodyWriter } from './generated-bodies.ts'

/* Makes requests from an OpenAPI document: as it says, at its limits, and against it. */

export type Schema = { readonly [keyword: string]: unknown }

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: Schema
}

export interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Readonly<Record<string, { readonly schema: Schema }>> | undefined
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface DocumentOperation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Operation['body'] & object }
  readonly responses: Operation['responses']
}

export interface GeneratedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string | Buffer | undefined
}

/**
 * The records and tokens that exist while requests are made, so that some requests refer to them.
 */
export interface Surroundings {
  readonly tokens: readonly string[]
  /** Ids by type. */
  readonly ids: ReadonlyMap<string, readonly string[]>
  /** Ids of media files, uploads, imports, webhooks, deliveries, tokens and tickets. */
  readonly made: ReadonlyMap<string, readonly string[]>
  /** Ids of what earlier requests made, and what may as well be deleted. */
  readonly leftBehind: readonly string[]
  /** Answers that were given lately, to be asked for again only if they changed. */
  readonly seen: readonly { readonly url: string; readonly etag: string }[]
}

export function readOperations(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content,
      responses: operation.responses
    }))
  )
}

/** The operation that a request is for, or undefined when the document has none. */
export function findOperation(operations: readonly Operation[], method: string, url: string): Operation | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method
  const path = (url.split(/[?#]/)[0] ?? '').replace(/^\/elody\/v1(?=\/|$)/, '')
  const segments = (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).split('/')
  const fitting = operations.filter(operation => {
    const pattern = operation.path.split('/')
    return (
      operation.method === wanted &&
      pattern.length === segments.length &&
      pattern.every((part, index) => part.startsWith('{') || part === segments[index])
    )
  })
  // A fixed part goes before a parameter, from the left.
  const fixedness = ({ path: each }: Operation) =>
    each
      .split('/')
      .map(part => (part.startsWith('{') ? '1' : '0'))
      .join('')
  return fitting.sort((one, other) => (fixedness(one) < fixedness(other) ? -1 : 1))[0]
}

/** Large answers that are always the same; a few of them are enough. */
const seldom = new Set(['/openapi.json', '/docs'])

export type RequestGenerator = ReturnType<typeof createRequestGenerator>

export function createRequestGenerator(document: OpenApiDocument, chance: Chance, surroundings: Surroundings) {
  const operations = readOperations(document)
  const recordTypes = Object.entries(document.components.schemas).filter(([name]) => name.endsWith('_record'))
  const typeNames = recordTypes.map(([name]) => name.replace(/_record$/, ''))
  const fieldNames = [...new Set(recordTypes.flatMap(([, schema]) => constants(schema, 'metadata', 'key')))]
  const relationNames = [...new Set(recordTypes.flatMap(([, schema]) => constants(schema, 'relations', 'type')))]
  const mediaTypes = [...new Set(operations.flatMap(({ body }) => Object.keys(body ?? {})))]
  const values = createValueGenerator(document, chance, { typeNames, fieldNames, relationNames, anId, anIdOf })
  const bodies = createBodyWriter(chance, { ...values, anId })

  function next(): GeneratedRequest {
    return chance.oneIn(50) ? again() : anyRequest()
  }

  /** Asks for what was answered before, unless it is still the same. */
  function again(): GeneratedRequest {
    const { url, etag } = chance.pickOr(surroundings.seen, { url: '/entities', etag: '*' })
    const headers = { authorization: `Bearer ${aToken()}`, 'if-none-match': chance.oneIn(4) ? `"x", ${etag}` : etag }
    return { method: 'GET', url, headers, body: undefined }
  }

  function anyRequest(): GeneratedRequest {
    let operation = chance.pickOr(operations, operations[0] as Operation)
    if (seldom.has(operation.path) && !chance.oneIn(20)) operation = chance.pickOr(operations, operation)
    return requestFor(operation, chance.oneIn(3) ? 1 + chance.below(2) : 0)
  }

  /** A request to an operation, with so many odd things about it. */
  function requestFor(operation: Operation, oddities: number): GeneratedRequest {
    const request: DraftRequest = {
      method: operation.method,
      path: operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(pathValue(operation, name))),
      query: queryOf(operation),
      headers: { authorization: `Bearer ${aToken()}` },
      body: undefined
    }
    if (operation.body) {
      const media = chance.pickOr(Object.keys(operation.body), 'application/json')
      const json = () => {
        const body = values.body(operation, media)
        return JSON.stringify(chance.oneIn(3) ? values.mutate(body) : body)
      }
      Object.assign(request, bodies.write(operation.path, media, json))
      request.headers['content-type'] ??= media
    }
    Object.assign(request, bodies.withoutDescription(operation) ?? {})
    for (const [name, value] of Object.entries(bodies.headersOf(operation))) request.headers[name] = value
    for (let times = 0; times < oddities; times++) spoil(request, chance, values, mediaTypes)
    const query = request.query.map(([name, value]) => `${name}=${value}`).join('&')
    const url = `${request.path}${query === '' ? '' : `?${query}`}`
    return { method: request.method, url, headers: request.headers, body: request.body }
  }

  /** The first may do everything; the others come now and then. */
  const aToken = () => (chance.oneIn(8) ? chance.pickOr(surroundings.tokens, '') : (surroundings.tokens[0] ?? ''))

  function anId(): string {
    const all = [...surroundings.ids.values()]
    return chance.pickOr(chance.pickOr(all, []), 'NONE-1')
  }

  function anIdOf(kind: string): string {
    return chance.pickOr(surroundings.made.get(kind) ?? surroundings.ids.get(kind) ?? [], 'nothing')
  }

  function pathValue(operation: Operation, name: string): string {
    if (chance.oneIn(12)) return values.oddText()
    if (name === 'collection') return chance.pick(['entities', 'mediafiles', 'other'])
    if (name === 'database') return chance.pick(['all', 'production', 'person', 'other'])
    const kinds: Record<string, string> = {
      upload_id: 'uploads',
      delivery_id: 'deliveries',
      mediafile_id: 'mediafiles'
    }
    const [, first = ''] = operation.path.split('/')
    const kind = kinds[name] ?? (first === 'jobs' ? 'imports' : first)
    if (surroundings.made.has(kind)) return anIdOf(kind)
    if (operation.path.startsWith('/problems'))
      return chance.pick(['invalid', 'not-found', 'internal', 'no-such', name])
    if (operation.method === 'DELETE' && operation.path === '/entities/{id}' && !chance.oneIn(20))
      return chance.pickOr(surroundings.leftBehind, 'NONE-1')
    if (/\/(?:origin|like-cases|source)$/.test(operation.path)) return anIdOf('imported')
    const families: Record<string, string> = { wem: 'manifestation', tree: 'work', merge: 'production' }
    const family = families[/wem|tree|merge/.exec(operation.path)?.[0] ?? ''] ?? ''
    const fitting = [...surroundings.ids].filter(([type]) => type.startsWith(family)).flatMap(([, ids]) => ids)
    // Records that earlier requests made are read too: some of them are hostile.
    return chance.pickOr(chance.oneIn(6) ? surroundings.leftBehind : fitting, fitting[0] ?? 'NONE-1')
  }

  function queryOf(operation: Operation): [string, string][] {
    return operation.parameters
      .filter(parameter => parameter.in === 'query')
      .filter(({ name, required }) => required || chance.oneIn(name === 'dry_run' ? 2 : 4))
      .map(({ name, schema }) => [name, encodeURIComponent(values.parameter(name, schema))])
  }

  return { next, requestFor, operations }
}

interface DraftRequest {
  method: string
  path: string
  readonly query: [string, string][]
  readonly headers: Record<string, string>
  body: string | Buffer | undefined
}

/** Values of `Authorization` that are no valid token. */
const oddBearers = [
  ...['', 'Bearer', 'Bearer ', 'Basic YTpi', 'bearer x', 'Bearer \u00e9', `Bearer ${'x'.repeat(2000)}`],
  ...['Bearer eyJhbGciOiJub25lIn0.eyJpc3MiOiJ4In0.', 'Bearer a.b.c', 'Bearer a b']
] as const

/** Values of `If-Match` and `If-None-Match`. */
const oddConditions = [
  ...['*', '"1"', '1', 'W/"1"', '"0"', '"999"', '', ' ', '"1", "2"', ',', '"', '"abc', '-1', '1e9', '9'.repeat(40)],
  ...['"é"', '\t"1"', '"1"junk', '""']
] as const

/** Values of `Accept`. */
const oddAccepts = [
  ...['*/*', 'application/json', 'text/html', 'text/*', 'application/*', 'image/png', '', 'junk', ',,', '*'],
  ...['application/json;q=0', 'application/problem+json', 'a/b;c=d, text/plain;q=0.1', ';'.repeat(50)]
] as const

/** Paths near a path, and others that are odd. */
const oddPaths = (path: string, text: string) =>
  [
    ...[`/elody/v1${path}`, `${path}/`, `${path}//`, `/${path}`, `/elody${path}`],
    ...[`${path}/x`, `${path}%00`, `${path}%2f..`, `${path}/%zz`, `${path};a=b`],
    ...[path.toUpperCase(), `${path}#x`, `/elody/v1/elody/v1${path}`, `/entities/${'x'.repeat(5000)}`],
    ...[`/entities/${encodeURIComponent(text)}`, '/', '/elody/v1', '/*', '/entities/%ED%A0%80', '/entities/%FF']
  ] as const

/** Makes one thing about a request odd or wrong. */
function spoil(request: DraftRequest, chance: Chance, values: ValueGenerator, mediaTypes: readonly string[]) {
  const { headers, query } = request
  const spoilers: readonly [() => void, ...(() => void)[]] = [
    () => {
      headers.authorization = chance.pick(oddBearers)
    },
    () => delete headers.authorization,
    () => {
      headers[chance.pick(['if-match', 'if-none-match'])] = chance.pick(oddConditions)
    },
    () => {
      headers.accept = chance.pick(oddAccepts)
    },
    () => {
      headers['content-type'] = chance.pick([
        ...[
          'text/plain',
          'application/xml',
          '',
          'json',
          'application/json; charset=utf-16',
          'APPLICATION/JSON',
          ';',
          '/'
        ],
        // A media type of another operation may be unknown to this one.
        ...[chance.pickOr(mediaTypes, ''), chance.pickOr(mediaTypes, ''), 'multipart/form-data; boundary=x'],
        ...[
          'application/json;charset="',
          'application/jsonx',
          'application/json, text/plain',
          'application/x-www-form-urlencoded'
        ]
      ] as const)
    },
    () => delete headers['content-type'],
    () => {
      headers[chance.pick(['x-tenant-id', 'x-http-method-override', 'prefer', 'range', 'idempotency-key', 'origin'])] =
        values.headerText()
    },
    () => {
      request.method = chance.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'])
    },
    () => query.push([encodeURIComponent(values.oddText()), encodeURIComponent(values.oddText())]),
    () => {
      const again = chance.pickOr<[string, string]>(query, ['limit', '1'])
      query.push([again[0], again[1]])
    },
    () => {
      const [name] = chance.pickOr<[string, string]>(query, ['limit', ''])
      query.push([chance.pick([name, `${name}[]`, `${name}[0]`, name.toUpperCase()]), values.oddNumber()])
    },
    () => {
      query.push([
        chance.pick(['ids', 'type', 'order_by', 'cursor', 'resolve', '__proto__', 'constructor', '']),
        chance.pick([
          ...['%', '%zz', '%00', '%ff', '%ED%A0%80', '%F4%90%80%80', '+', '%2B', '%0d%0aX: y', '%EF%BF%BD', '&', '='],
          ...['%u0041', '%C3', ',', ',,,', '%22%27', 'a'.repeat(3000)]
        ] as const)
      ])
    },
    () => {
      request.path = chance.pick(oddPaths(request.path, values.oddText()))
    },
    () => {
      request.body = breakText(chance, typeof request.body === 'string' ? request.body : '{"type":"venue"}')
      if (headers['content-type'] === undefined && chance.oneIn(2)) headers['content-type'] = 'application/json'
    },
    () => {
      request.body = undefined
    }
  ]
  chance.pick(spoilers)()
}

/** Returns text that is no longer JSON, or barely. */
function breakText(chance: Chance, text: string): string | Buffer {
  const at = chance.below(text.length + 1)
  return chance.pick<() => string | Buffer>([
    () => text.slice(0, at),
    () =>
      text.slice(0, at) +
      chance.pick(['"', '}', ']', '\0', ',', '\\', 'NaN', '\u2028', '/*', '\n', '1', 'é']) +
      text.slice(at),
    () => '',
    () => ' ',
    () => `\ufeff${text}`,
    () => `${text} ${text}`,
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])]),
    () => Buffer.from(text.replace(/[a-z]/, '\xe9'), 'latin1'),
    () => text.replace(/"[^"]*"/, '"\\ud800"'),
    () => text.replace(/"[^"]*"/, '"\\u0000"'),
    () => text.replace(/"[^"]*":/, '"__proto__":'),
    () => text.replace(/"[^"]*":/, '"\\u005f_proto__":'),
    () => text.replace(/\d+/, chance.pick(['1e999', '-1e999', '0x10', '01', '1_000', '-', '.5', '9'.repeat(400)])),
    () => '['.repeat(chance.pick([31, 32, 33, 1000, 20_000])),
    () => `${'['.repeat(40)}${']'.repeat(40)}`,
    () => `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
    () => JSON.stringify('x'.repeat(70_000)),
    () => 'null',
    () => '"text"',
    () => '[]',
    () => '{}',
    () => '0'
  ])()
}

interface Names {
  readonly typeNames: readonly string[]
  readonly fieldNames: readonly string[]
  readonly relationNames: readonly string[]
  anId(): string
  anIdOf(kind: string): string
}

type OddTexts = ReturnType<typeof createOddTexts>

/** Texts that programs often treat wrongly. */
function createOddTexts(chance: Chance) {
  const oddText = (): string => {
    const word = () => chance.pick(oddWords)
    return chance.pick<() => string>([
      word,
      () => word() + word(),
      () => `${word()}*${word()}`,
      () => '',
      () => '*'.repeat(chance.below(40)),
      () => word().repeat(chance.pick([1, 10, 100, 600])),
      () => "' OR 1=1 --",
      () => '"; DROP TABLE entities; --',
      () => '../../etc/passwd',
      () => '#{7*7}{{7*7}}%s%n',
      () => '__proto__',
      () => 'constructor',
      () => String.fromCodePoint(chance.below(0x10f_fff)).toWellFormed(),
      () => '\0'
    ])()
  }

  const oddNumber = () =>
    chance.pick([
      ...[
        '-1',
        '0',
        '1',
        '2',
        '20',
        '1000',
        '1001',
        '999999999999999',
        '1e3',
        '0x10',
        '1.5',
        '',
        ' 1',
        '١',
        'NaN',
        'null'
      ],
      ...['-0', '+1', '01', '9'.repeat(30), 'Infinity', 'true', '%20']
    ] as const)

  const headerText = () => oddText().replace(/[^\x20-\xff]/g, '?')

  return { oddText, oddNumber, headerText }
}

/** Creates values of named members, as far as their schema is a text. */
function createTextValues(chance: Chance, names: Names, { oddText }: OddTexts) {
  const { typeNames, fieldNames, relationNames, anId, anIdOf } = names
  return function text({ format, maxLength, minLength, pattern }: Schema, name: string): string {
    if (format === 'date') return chance.pick(['2026-01-31', '2024-02-29', '2023-02-29', '0000-01-01'])
    if (format === 'date-time')
      return chance.pick(['2026-01-31T20:00:00Z', '2026-01-31T20:00:00+01:00', '2026-13-01T00:00:00Z'])
    if (typeof pattern === 'string') return chance.pick(['12+', 'all', 'F-1', 'x'])
    const makers: Record<string, () => string> = {
      type: () =>
        chance.pickOr(
          [...typeNames, ...relationNames, 'text', 'selection', 'date', 'number', 'boolean', 'id', 'type'],
          'id'
        ),
      key: () => chance.pickOr([...fieldNames, ...fieldNames.map(each => `properties.${each}.value`), anId()], 'title'),
      ids: anId,
      id: anId,
      from: () => chance.pick(['now', 'beginning', 'x']),
      victim_id: () => anIdOf('production'),
      question: () => anIdOf('questions'),
      event_types: () => chance.pick(['entity.created', 'entity.deleted', 'x']),
      entity_types: () => chance.pickOr([...typeNames, 'work'], 'venue'),
      entity_id: anId,
      mediafile_id: () => anIdOf('mediafiles'),
      url: () => chance.pick(['http://127.0.0.1:8099/webhook', 'http://10.0.0.1/', 'https://[', 'ftp://x/']),
      scopes: () => chance.pick(['read', 'write', 'delete', 'admin', 'read:manifestation', 'write:venue', 'read:x']),
      name: () => chance.pick(['kiosk', 'Ünï', 'a.b', "o'x"]),
      expires_at: () => chance.pick(['2030-01-01', '2020-01-01T00:00:00Z', 'tomorrow', '9999-12-31'])
    }
    const made = (makers[name] ?? oddText)()
    if (chance.oneIn(15) && typeof maxLength === 'number') return 'm'.repeat(maxLength + chance.below(2))
    return made === '' && Number(minLength ?? 0) > 0 ? 'x' : made
  }
}

/** Creates values that match a schema, or nearly. */
function createSchemaValues(document: OpenApiDocument, chance: Chance, names: Names, oddTexts: OddTexts) {
  const { typeNames, anId } = names
  const { oddText } = oddTexts
  const text = createTextValues(chance, names, oddTexts)
  const resolve = (schema: Schema): Schema =>
    typeof schema.$ref === 'string'
      ? (document.components.schemas[schema.$ref.slice('#/components/schemas/'.length)] ?? {})
      : schema

  /** A record as its type's own schema describes it. */
  function aRecord(): Record<string, unknown> {
    const type = chance.pickOr(typeNames, 'venue')
    const schema = document.components.schemas[`${type}_record`] ?? {}
    const metadata = alternatives(schema, 'metadata')
      .filter(entry => entry.description === 'Required' || chance.oneIn(4))
      .map(entry => value(entry, '', 0))
    const relations = alternatives(schema, 'relations')
      .filter(relation => /at least/.test(String(relation.description)) || chance.oneIn(5))
      .map(relation => ({ ...(value(relation, '', 0) as object), key: anId() }))
    return {
      type,
      metadata: chance.oneIn(4)
        ? [...metadata, value({ $ref: '#/components/schemas/MetadataEntry' }, '', 0)]
        : metadata,
      relations,
      ...(chance.oneIn(8) ? { id: `F-${chance.below(50)}` } : {}),
      ...(chance.oneIn(8) ? { identifiers: [`urn:f:${chance.below(50)}`, oddText()] } : {}),
      ...(chance.oneIn(20) ? { _id: `00000000-0000-7000-8000-0000000000${10 + chance.below(10)}` } : {})
    }
  }

  function value(given: Schema, name: string, depth: number): unknown {
    const schema = resolve(given)
    if (schema.const !== undefined) return schema.const
    if (Array.isArray(schema.enum)) return chance.pickOr(schema.enum, null)
    const options = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined
    if (options) return value(chance.pickOr(options, {}), name, depth)
    const type = Array.isArray(schema.type) ? chance.pickOr(schema.type as string[], 'string') : schema.type
    switch (type) {
      case 'string':
        return text(schema, name)
      case 'integer':
      case 'number':
        return chance.pick([Number(schema.minimum ?? 0), Number(schema.maximum ?? 100), chance.below(50), 0.5])
      case 'boolean':
        return chance.oneIn(2)
      case 'null':
        return null
      case 'array': {
        const least = Number(schema.minItems ?? 0)
        const length = depth > 3 ? least : least + chance.below(4)
        return Array.from({ length }, () => value((schema.items ?? {}) as Schema, name, depth + 1))
      }
      case 'object': {
        const required = (schema.required ?? []) as readonly string[]
        const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
        return Object.fromEntries(
          properties
            .filter(([member]) => required.includes(member) || (depth < 4 && chance.oneIn(3)))
            .map(([member, each]) => [member, value(each, member, depth + 1)])
        )
      }
      default:
        return anyJson(depth)
    }
  }

  function anyJson(depth: number): unknown {
    return chance.pick<() => unknown>([
      oddText,
      () => chance.pickOr(typeNames, ''),
      () => chance.below(1000) - 500,
      () => 1e300,
      () => chance.oneIn(2),
      () => null,
      () => ({ min: chance.below(10), max: chance.below(10) + 5 }),
      () => ({ min: '2020-01-01', included: false }),
      () => (depth > 4 ? [] : Array.from({ length: chance.below(4) }, () => anyJson(depth + 1))),
      () => (depth > 4 ? {} : { [oddText()]: anyJson(depth + 1), b: anyJson(depth + 1) })
    ])()
  }

  return { aRecord, value, anyJson }
}

/** Creates filters and operations of JSON Patch. */
function createFilters(
  document: OpenApiDocument,
  chance: Chance,
  { typeNames, fieldNames, relationNames, anId }: Names,
  { oddText, anyJson }: { readonly oddText: () => string; readonly anyJson: (depth: number) => unknown }
) {
  const patchOperation = () => ({
    op: chance.pick(['add', 'remove', 'replace', 'move', 'copy', 'test']),
    path: chance.pick([
      '/metadata/0/value',
      '/metadata/-',
      '/metadata',
      '/relations/0',
      '',
      '/id',
      '/x/y',
      '/metadata/9',
      '//',
      '/~1'
    ]),
    from: chance.pick(['/metadata/0', '/metadata', '', '/identifiers', '/relations/0/key', '/audit']),
    value: chance.oneIn(2) ? { key: chance.pickOr(fieldNames, 'title'), value: oddText() } : anyJson(0)
  })

  const filterTypes = String(
    (document.components.schemas.Filter?.properties as Record<string, Schema> | undefined)?.type?.description
  ).match(/\w+/g)

  /** A filter object; the document names its types in words. */
  function aFilter(depth: number): Record<string, unknown> {
    const type = chance.pickOr(filterTypes ?? [], 'text')
    const field = chance.pickOr(fieldNames, 'title')
    const snake = chance.pickOr(relationNames, 'refVenues').replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
    const paths = [`properties.${field}.value`, `metadata.${field}.value`, `properties.${snake}.value`] as const
    const path = () =>
      chance.pick([...paths, `properties.${snake}.name`, 'id', 'identifiers', 'audit.updated.at', 'type'])
    const makers: Record<string, () => unknown> = {
      type: () => chance.pickOr(typeNames, 'venue'),
      id: anId,
      date: () =>
        chance.pick<unknown>(['2026-01-01', { min: '2020-01-01' }, { max: '2030-01-01T00:00:00Z', included: false }]),
      number: () => chance.pick<unknown>([1, { min: 0, max: 100 }, { min: 5, included: false }]),
      boolean: () => chance.oneIn(2),
      selection: () => (chance.oneIn(2) ? [oddText(), anId(), 'concept'] : oddText())
    }
    return {
      type,
      key: chance.oneIn(2) ? `catalog:1|${path()}` : [path(), path()],
      value: (makers[type] ?? (() => `${oddText()}*`))(),
      ...(chance.oneIn(4) ? { match_exact: chance.oneIn(2) } : {}),
      ...(chance.oneIn(4) ? { match_not: chance.oneIn(2) } : {}),
      ...(chance.oneIn(6) ? { operator: 'or' } : {}),
      ...(chance.oneIn(6) && depth < 5 ? { or: [aFilter(depth + 1), aFilter(depth + 1)] } : {})
    }
  }

  return { patchOperation, aFilter }
}

/** Returns a function that changes one place in a value to something else. */
function createMutation(chance: Chance, oddText: () => string, anyJson: (depth: number) => unknown) {
  function mutate(given: unknown): unknown {
    if (typeof given !== 'object' || given === null || chance.oneIn(6)) return replacement()
    if (Array.isArray(given)) {
      const at = chance.below(given.length + 1)
      if (chance.oneIn(6)) return Array.from({ length: 70 }, () => given[at] ?? given[0] ?? null)
      return at === given.length
        ? [...given, replacement()]
        : given.map((each, index) => (index === at ? mutate(each) : each))
    }
    const members = Object.keys(given)
    const member = chance.pickOr(members, 'x')
    const copy: Record<string, unknown> = { ...given }
    const what = chance.below(8)
    if (what === 0) delete copy[member]
    else if (what === 1)
      copy[chance.pick(['x', 'version', 'audit', '_id', '_key', 'schema', 'or', 'match_not', 'lang', ''])] =
        replacement()
    else copy[member] = mutate(copy[member])
    return copy
  }

  const replacement = () =>
    chance.pick<() => unknown>([
      () => anyJson(0),
      oddText,
      () => null,
      () => [],
      () => ({}),
      () => -1,
      () => 1.5,
      () => 'x'.repeat(600),
      () => true,
      () => [[[[[[]]]]]],
      () => JSON.parse(`${'['.repeat(30)}1${']'.repeat(30)}`) as unknown,
      () => Array.from({ length: 1001 }, (_, index) => String(index))
    ])()

  return mutate
}

/** Creates arguments of protocols. */
function createProtocolValues(chance: Chance, { typeNames, fieldNames }: Names, oddText: () => string) {
  /** Arguments of protocols and exports, most of them such that they find something. */
  function protocolValues(id: () => string): Record<string, () => string> {
    const day = () => chance.pick(['2020-01-01', '2027-01-01', '2026-02-30', '2026-01-01T00:00:00Z'])
    return {
      verb: () => chance.pick(oaiVerbs),
      metadataPrefix: () => chance.pick(['oai_dc', 'marcxml', 'mods', 'libretto', 'other']),
      identifier: () => `oai:localhost:${id()}`,
      from: day,
      until: day,
      to: day,
      at: () => '2027-01-01T00:00:00Z',
      timestamp: () => '2027-01-01T00:00:00Z',
      tz: () => chance.pick(['Europe/Brussels', 'UTC', 'Mars/Base']),
      set: () => chance.pickOr(typeNames, 'venue'),
      operation: () => chance.pick(['searchRetrieve', 'explain', 'scan', 'other']),
      query: () => aCqlQuery(0),
      scanClause: () => `dc.title=${chance.pick(['a', '"show 1"', 'zz'])}`,
      maximumRecords: () => String(chance.below(120)),
      maximumTerms: () => String(chance.below(60)),
      startRecord: () => String(chance.below(9)),
      recordSchema: () => chance.pick(['dc', 'marcxml', 'mods', 'libretto', 'json', 'other']),
      version: () => chance.pick(['1', '2', '1.1', '1.2', '2.0']),
      queries: () => JSON.stringify({ q0: { query: oddText(), limit: chance.below(9) }, q1: { query: 'Show' } }),
      extend: () => JSON.stringify({ ids: [id(), id()], properties: [{ id: chance.pickOr(fieldNames, 'title') }] }),
      prefix: () => chance.pick(['sho', 'per', 'b', 'titl']),
      id,
      q: () => chance.pick(['show', 'per', 'boo', 'venue 1']),
      columns: () => `id,type,properties.${chance.pickOr(fieldNames, 'title')}.value`,
      facets: () => `type,properties.${chance.pickOr(fieldNames, 'title')}.value`,
      include: () => chance.pick(['relations', 'summaries', 'total', 'x']),
      types: () => chance.pick(['production', 'entity.created', 'entity.deleted,person', 'x']),
      since: () => `${'0'.repeat(16)}-${chance.below(500)}`,
      category: () => chance.pick(['posters', 'trailer', 'x']),
      width: () => String(chance.pick([1, 64, 300, 5000]))
    }
  }

  /** A query of SRU, with up to some hundred clauses. */
  function aCqlQuery(depth: number): string {
    const index = chance.pick(['dc.title', 'dc.creator', 'cql.anywhere', 'rec.identifier', 'bib.titleSub', 'x.y'])
    const term = chance.pick([
      'show',
      '"book 1"',
      'b*',
      '*',
      '""',
      '9780306406157',
      `"${oddText().replaceAll('"', '')}"`
    ])
    const clause = `${index} ${chance.pick(['=', '==', 'all', 'any', '<>', '<', 'within', 'x'])} ${term}`
    if (depth > 5 || chance.oneIn(2)) return chance.oneIn(4) ? term : clause
    return `(${aCqlQuery(depth + 1)}) ${chance.pick(['and', 'or', 'not', 'prox', ''])} ${aCqlQuery(depth + 1)}`
  }

  return { protocolValues, aCqlQuery }
}

type ValueGenerator = ReturnType<typeof createValueGenerator>

/** Creates parameters and bodies that match the document, or nearly. */
function createValueGenerator(document: OpenApiDocument, chance: Chance, names: Names) {
  const { typeNames, fieldNames, anId, anIdOf } = names
  const oddTexts = createOddTexts(chance)
  const { oddText, oddNumber, headerText } = oddTexts
  const { aRecord, value, anyJson } = createSchemaValues(document, chance, names, oddTexts)
  const { patchOperation, aFilter } = createFilters(document, chance, names, { oddText, anyJson })
  const { protocolValues, aCqlQuery } = createProtocolValues(chance, names, oddText)
  const mutate = createMutation(chance, oddText, anyJson)

  function parameter(name: string, schema: Schema): string {
    if (chance.oneIn(10)) return chance.oneIn(2) ? oddNumber() : oddText()
    if (Array.isArray(schema.enum)) return String(chance.pickOr(schema.enum, ''))
    // Large pages are right, and slow; a few are enough.
    if (name === 'limit') return String(chance.oneIn(30) ? 1000 : chance.below(25))
    if (schema.type === 'integer') return String(chance.below(30))
    const makers: Record<string, () => string> = {
      type: () => list(() => chance.pickOr([...typeNames, 'work', 'manifestation'], 'venue')),
      ids: () => list(anId),
      order_by: () => list(() => chance.pickOr(['date_created', 'date_updated', 'id', 'type', ...fieldNames], 'id')),
      cursor: () => aCursor(),
      references: () => 'detach',
      ...protocolValues(anId),
      ticket: () => anIdOf('tickets'),
      after: () => anIdOf('imports')
    }
    return (makers[name] ?? oddText)()
  }

  const list = (make: () => string) => Array.from({ length: 1 + chance.below(3) }, make).join(',')

  /** The form that cursors have here, with anything in it. */
  function aCursor(): string {
    const place = [
      Array.from({ length: chance.below(3) }, () => (chance.oneIn(4) ? null : oddText())),
      chance.below(99),
      0,
      0
    ]
    const text = chance.pick([
      JSON.stringify(place),
      '[]',
      'null',
      '[[],1e99,0,0]',
      '[[],1,0,-1]',
      '[["x"],1,1,9]',
      '{'
    ])
    return Buffer.from(text).toString('base64url')
  }

  function body(operation: Operation, media: string): unknown {
    if (media === 'application/json-patch+json') return Array.from({ length: chance.below(4) }, patchOperation)
    if (operation.path.endsWith('/filter')) return Array.from({ length: chance.below(4) }, () => aFilter(0))
    if (operation.method === 'DELETE' && operation.path === '/mediafiles') return [anIdOf('mediafiles')]
    const schema = operation.body?.[media]?.schema ?? {}
    const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
    if (name === 'EntityInput') return aRecord()
    if (name === 'EntityReplacement' || name === 'EntityPatch') {
      const { type, ...record } = aRecord()
      return chance.oneIn(2) ? record : Object.fromEntries(Object.entries(record).filter(() => chance.oneIn(2)))
    }
    if (name === 'SavedSearchDraft')
      return {
        metadata: [{ key: 'title', value: chance.pick(['Tragedies', 'Ünï', 'x']) }],
        address: chance.pick(['/find?q=hamlet', '/find?type=work&sort=title', '/find']),
        private: chance.oneIn(2)
      }
    return value(schema, '', 0)
  }

  return { body, mutate, parameter, oddText, oddNumber, headerText, aRecord, aCqlQuery }
}

const oaiVerbs = [
  'Identify',
  'ListRecords',
  'ListIdentifiers',
  'ListSets',
  'ListMetadataFormats',
  'GetRecord',
  'Other'
] as const

/** The alternatives that a record's schema gives for the entries of one of its lists. */
function alternatives(schema: Schema, list: string): Schema[] {
  const properties = schema.properties as Record<string, { items?: { anyOf?: Schema[] } }> | undefined
  return (properties?.[list]?.items?.anyOf ?? []).filter(each => each.$ref === undefined)
}

function constants(schema: Schema, list: string, member: string): string[] {
  return alternatives(schema, list).flatMap(each => {
    const { const: value } = ((each.properties ?? {}) as Record<string, { const?: unknown }>)[member] ?? {}
    return typeof value === 'string' ? [value] : []
  })
}
