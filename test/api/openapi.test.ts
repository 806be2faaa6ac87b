import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { createConfig, lintFromString } from '@redocly/openapi-core'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { type ProblemCode, problemKinds, problemPath } from '#http/reply/errors.ts'
import { aProduction, aVenue, createBook, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security?: readonly unknown[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: object
  }[]
  readonly requestBody?: { readonly required: boolean; readonly content: Record<string, { readonly schema: object }> }
  readonly responses: Record<
    string,
    { readonly description: string; readonly content?: Record<string, { readonly schema: object }> }
  >
}

interface Document {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, object>; readonly securitySchemes: object }
}

const service = await start({ after })
const answer = await service.get('/openapi.json', { token: undefined })
const document = answer.body as Document
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation }))
)

/**
 * The requirements of OpenAPI 3.1 for the parts that this document has
 * (https://spec.openapis.org/oas/v3.1.1).
 */
const structure = {
  type: 'object',
  required: ['openapi', 'info', 'paths'],
  properties: {
    openapi: { type: 'string', pattern: '^3\\.1\\.\\d+$' },
    info: {
      type: 'object',
      required: ['title', 'version'],
      properties: {
        title: { type: 'string' },
        version: { type: 'string' },
        description: { type: 'string' },
        contact: {
          type: 'object',
          required: ['name', 'url'],
          properties: { name: { type: 'string' }, url: { type: 'string', pattern: '^https://' } },
          additionalProperties: false
        },
        license: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, identifier: { type: 'string' } },
          additionalProperties: false
        }
      },
      additionalProperties: false
    },
    servers: { type: 'array', items: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } } },
    tags: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, description: { type: 'string' } },
        additionalProperties: false
      }
    },
    security: {
      type: 'array',
      items: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }
    },
    paths: {
      type: 'object',
      propertyNames: { pattern: '^/' },
      additionalProperties: {
        type: 'object',
        propertyNames: { enum: ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] },
        additionalProperties: { $ref: '#/$defs/operation' }
      }
    },
    components: {
      type: 'object',
      properties: {
        schemas: {
          type: 'object',
          propertyNames: { pattern: '^[A-Za-z0-9._-]+$' },
          additionalProperties: { $ref: '#/$defs/schema' }
        },
        securitySchemes: {
          type: 'object',
          additionalProperties: {
            type: 'object',
            required: ['type', 'scheme'],
            properties: { type: { const: 'http' }, scheme: { const: 'bearer' } },
            additionalProperties: false
          }
        }
      },
      additionalProperties: false
    }
  },
  additionalProperties: false,
  $defs: {
    schema: { $ref: 'https://json-schema.org/draft/2020-12/schema' },
    content: {
      type: 'object',
      minProperties: 1,
      // Media files are of whatever type they are.
      propertyNames: { pattern: '^(?:[a-z]+/[a-z0-9.+-]+|\\*/\\*)$' },
      additionalProperties: {
        type: 'object',
        required: ['schema'],
        properties: { schema: { $ref: '#/$defs/schema' }, example: {} },
        additionalProperties: false
      }
    },
    operation: {
      type: 'object',
      required: ['operationId', 'summary', 'description', 'tags', 'responses', 'x-codeSamples'],
      properties: {
        operationId: { type: 'string', pattern: '^[a-z][A-Za-z0-9]+$' },
        summary: { type: 'string', minLength: 1 },
        description: { type: 'string', minLength: 20 },
        'x-codeSamples': { type: 'array', minItems: 3 },
        tags: { type: 'array', items: { type: 'string' }, minItems: 1 },
        security: { type: 'array', maxItems: 0 },
        parameters: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'in', 'schema'],
            properties: {
              name: { type: 'string', minLength: 1 },
              in: { enum: ['path', 'query', 'header'] },
              required: { type: 'boolean' },
              description: { type: 'string' },
              schema: { $ref: '#/$defs/schema' },
              example: {}
            },
            additionalProperties: false
          }
        },
        requestBody: {
          type: 'object',
          required: ['content'],
          properties: {
            content: { $ref: '#/$defs/content' },
            required: { type: 'boolean' },
            description: { type: 'string' }
          },
          additionalProperties: false
        },
        responses: {
          type: 'object',
          minProperties: 1,
          propertyNames: { pattern: '^[1-5]\\d\\d$' },
          additionalProperties: {
            type: 'object',
            required: ['description'],
            properties: {
              description: { type: 'string', minLength: 1 },
              content: { $ref: '#/$defs/content' },
              headers: { type: 'object' }
            },
            additionalProperties: false
          }
        }
      },
      additionalProperties: false
    }
  }
}

function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value.$ref] : []
  return [...own, ...Object.values(value).flatMap(references)]
}

/** Paths and methods as the router has them, from its own drawing. */
function registeredRoutes(drawing: string): string[] {
  const path: string[] = []
  return drawing.split('\n').flatMap(line => {
    const found = /^(.*?)(?:├──|└──) (\S+) \(([A-Z, ]+)\)$/.exec(line)
    if (!found) return []
    const [, indent = '', segment = '', methods = ''] = found
    path.splice(indent.length / 4, path.length, segment)
    const url = path.join('').replace(/:(\w+)/g, '{$1}')
    return methods
      .split(', ')
      .filter(method => method !== 'HEAD')
      .map(method => `${method} ${url}`)
  })
}

describe('GET /openapi.json', () => {
  it('is JSON, and needs no bearer', () => {
    assert.equal(answer.status, 200)
    assert.match(String(answer.headers['content-type']), /^application\/json/)
  })

  it('has the structure of an OpenAPI 3.1 document, each schema one of JSON Schema 2020-12', () => {
    const validate = new Ajv2020.Ajv2020({ strict: false, allErrors: true }).compile(structure)

    assert.ok(validate(document), JSON.stringify(validate.errors?.slice(0, 5), null, 1))
  })

  it('has every route that is registered, and no other', () => {
    const registered = registeredRoutes(service.app.printRoutes({ commonPrefix: false }))

    // The web page is for browsers; the document is for programs.
    const isPage = (name: string) =>
      /^GET \/(?:find.*|browse.*|record|record\/.*|new.*|manage.*|assets.*|site\/.*|help.*|sign-in|robots\.txt|favicon\.ico|\*)?$/.test(
        name
      )
    assert.ok(registered.length > 20)
    assert.ok(registered.some(isPage))
    assert.deepEqual(operations.map(({ name }) => name).sort(), registered.filter(name => !isPage(name)).sort())
  })

  it('has a unique operationId for each', () => {
    assert.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length)
  })

  it('describes each operation beyond its summary', () => {
    for (const { name, operation } of operations) {
      assert.match(operation.description, /^[A-Z0-9`].*\.$/s, name)
      assert.ok(!operation.description.startsWith(operation.summary), name)
    }
  })

  it('has no error and no warning of the recommended rules of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const found = await lintFromString({ source: answer.text, absoluteRef: '/openapi.json', config })
    // The specification has the path of a WEM, and routers prefer its fixed part to an id.
    const unavoidable = found.filter(
      ({ ruleId, message }) => ruleId === 'no-ambiguous-paths' && message.includes('`/entities/wem/{manifestation_id}`')
    )
    assert.deepEqual(
      found.filter(each => !unavoidable.includes(each)).map(({ message, location }) => [message, location[0]?.pointer]),
      []
    )
    assert.ok(unavoidable.length > 10, 'the rules were applied')
  })

  it('limits every whole number of a body, since databases do', () => {
    const unlimited: string[] = []
    const seen = new Set<string>()
    const visit = (value: unknown, place: string) => {
      if (typeof value !== 'object' || value === null) return
      const { type, maximum, enum: choices, $ref } = value as Readonly<Record<string, unknown>>
      if (type === 'integer' && maximum === undefined && choices === undefined) unlimited.push(place)
      if (typeof $ref === 'string' && !seen.has($ref)) {
        seen.add($ref)
        const name = $ref.split('/').at(-1) ?? ''
        visit((document as { components: { schemas: Record<string, unknown> } }).components.schemas[name], name)
      }
      for (const [key, each] of Object.entries(value)) visit(each, `${place}/${key}`)
    }
    for (const { name, operation } of operations)
      visit((operation as unknown as { requestBody?: unknown }).requestBody, name)
    assert.deepEqual(unlimited, [])
    assert.ok(seen.size > 10, 'bodies were looked at')
  })

  it('says of every list what its items are, as linters of such documents want', () => {
    const bare: string[] = []
    const visit = (value: unknown, place: string) => {
      if (typeof value !== 'object' || value === null) return
      const { type, items } = value as { type?: unknown; items?: unknown }
      if (type === 'array' && items === undefined) bare.push(place)
      for (const [key, each] of Object.entries(value)) visit(each, `${place}/${key}`)
    }
    visit(document, '')
    assert.deepEqual(bare, [])
  })

  it('has no reference that leads nowhere, and no component that nothing leads to', () => {
    const all = references(document)
    const names = Object.keys(document.components.schemas)
    for (const reference of all) {
      assert.match(reference, /^#\/components\/schemas\//)
      assert.ok(names.includes(reference.slice('#/components/schemas/'.length)), reference)
    }
    for (const name of names) {
      assert.ok(all.includes(`#/components/schemas/${name}`), `${name} is used nowhere`)
    }
  })

  it('names each parameter of a path, and each as required', () => {
    for (const { name, path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, each]) => each)
      const described = (operation.parameters ?? []).filter(each => each.in === 'path')
      assert.deepEqual(
        described.map(each => each.name),
        inPath,
        name
      )
      assert.ok(
        described.every(each => each.required),
        name
      )
      const names = (operation.parameters ?? []).map(each => `${each.in} ${each.name}`)
      assert.equal(new Set(names).size, names.length, name)
    }
  })

  it('lists the parameters of each path with their names', () => {
    const parametersOf = (name: string) =>
      operations.find(each => each.name === name)?.operation.parameters?.map(each => each.name) ?? []

    for (const name of ['type', 'order_by', 'asc', 'limit', 'skip'])
      assert.ok(parametersOf('GET /entities').includes(name))
    for (const name of ['order_by', 'asc', 'limit', 'skip'])
      assert.ok(parametersOf('POST /entities/filter').includes(name))
  })

  it('says what each answer is, problems included, by code and page', () => {
    for (const { name, operation } of operations) {
      assert.ok(
        Object.keys(operation.responses).some(status => status.startsWith('2')),
        name
      )
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) < 400 || name === 'GET /health/ready') continue
        assert.ok(response.content && 'application/problem+json' in response.content, `${name} ${status}`)
        const codes = [...response.description.matchAll(/`(\w+)` \((\S+)\)/g)]
        assert.ok(codes.length > 0, `${name} ${status}`)
        for (const [, code, page] of codes) {
          assert.equal(page, problemPath(code as ProblemCode))
          assert.equal(String(problemKinds[code as ProblemCode].status), status)
        }
      }
    }
  })

  it('says which routes need no bearer', () => {
    const open = operations.filter(({ operation }) => operation.security?.length === 0).map(({ name }) => name)

    assert.deepEqual(open.sort(), [
      'GET /context.jsonld',
      'GET /docs',
      'GET /health/live',
      'GET /health/ready',
      'GET /oai/libretto.xsd',
      'GET /openapi.json',
      'GET /problems/{name}',
      'GET /sign-in/issuers',
      'POST /sign-in/end',
      'POST /sign-in/finish',
      'POST /sign-in/refresh',
      'POST /sign-in/start'
    ])
  })

  it('names the three forms of PATCH', () => {
    const patch = operations.find(({ name }) => name === 'PATCH /entities/{id}')?.operation

    assert.deepEqual(Object.keys(patch?.requestBody?.content ?? {}).sort(), [
      'application/json',
      'application/json-patch+json',
      'application/merge-patch+json'
    ])
  })

  it('has a schema for every record type, with its fields and relations', () => {
    for (const { type, fields, relations: rules } of builtInRecordTypes) {
      const text = JSON.stringify(document.components.schemas[`${type}_record`])
      for (const name of [...Object.keys(fields), ...Object.keys(rules)])
        assert.ok(text.includes(`"const":"${name}"`), `${type} ${name}`)
    }
  })

  it('is made from the routes: every tag of an operation is described', () => {
    const tags = document.tags.map(each => each.name)
    for (const { operation } of operations) for (const tag of operation.tags) assert.ok(tags.includes(tag), tag)
  })
})

describe('Answers', () => {
  const ajv = new Ajv2020.Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'doc', components: document.components })

  it('have the form that the document gives them', async () => {
    const venue = await service.create(aVenue())
    const { id } = await service.create(
      aProduction({ description: '<p onclick=x>y</p>' }, { relations: relations({ refVenues: venue.id }) })
    )
    const book = await createBook(service)
    const requests: readonly (readonly [string, string, unknown?])[] = [
      ['GET /entities', '/entities'],
      ['GET /entities', '/entities?envelope=1'],
      ['POST /entities/filter', '/entities/filter', []],
      ['GET /entities/{id}', `/entities/${id}`],
      ['GET /entities/{id}/metadata', `/entities/${id}/metadata`],
      ['GET /entities/{id}/relations', `/entities/${id}/relations`],
      ['GET /entities/{id}/references', `/entities/${venue.id}/references`],
      ['GET /entities/{id}/tree', `/entities/${book.work}/tree`],
      ['GET /entities/{id}/parts', `/entities/${book.work}/parts`],
      ['GET /entities/wem/{manifestation_id}', `/entities/wem/${book.manifestation}`],
      ['POST /entities/wem', '/entities/wem', { ids: [book.manifestation, 'unknown'] }],
      ['POST /entities', '/entities', aProduction({ description: '<script>x</script>' })],
      ['POST /entities', '/entities', {}],
      ['POST /entities', '/entities?dry_run=1', aVenue()],
      ['POST /entities', '/entities?soft=1', { type: 'venue' }],
      ['PUT /entities/{id}', `/entities/${venue.id}`, aVenue('new')],
      ['PATCH /entities/{id}', `/entities/${venue.id}`, {}],
      ['POST /entities/{id}/metadata', `/entities/${venue.id}/metadata`, []],
      ['GET /tokens', '/tokens'],
      ['POST /tokens', '/tokens', { name: 'x', scopes: ['read'] }],
      ['GET /health/live', '/health/live'],
      ['GET /entities/{id}', '/entities/unknown']
    ]
    for (const [name, url, body] of requests) {
      const [method = ''] = name.split(' ')
      const sent = await service.call(method, url, body === undefined ? {} : { body })
      const response = operations.find(each => each.name === name)?.operation.responses[String(sent.status)]
      const [schema] = Object.values(response?.content ?? {}).map(each => each.schema)
      assert.ok(schema, `${name} does not document ${sent.status}`)
      const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"doc#/components'))
      const validate = ajv.compile(absolute)
      assert.ok(validate(sent.body), `${name} ${sent.status}: ${JSON.stringify(validate.errors?.slice(0, 3))}`)
    }
  })
})

describe('GET /docs', () => {
  it('is one HTML page that loads and runs nothing but its own script', async () => {
    const page = await service.get('/docs', { token: undefined, headers: { accept: 'text/html,*/*;q=0.8' } })

    assert.equal(page.status, 200)
    assert.match(String(page.headers['content-type']), /^text\/html; charset=utf-8/)
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
    assert.doesNotMatch(String(page.headers['content-security-policy']), /unsafe|https?:|\*/)
    // The script is there where the page was built.
    const policy = / script-src 'self'; connect-src 'self'; .*trusted-types 'none'; /
    assert.equal(policy.test(String(page.headers['content-security-policy'])), page.text.includes('<script'))
    assert.doesNotMatch(
      page.text
        .replaceAll(/<script type="module" crossorigin src="\/assets\/[\w.-]+"><\/script>/g, '')
        // Examples have addresses, as text.
        .replaceAll(/<pre [^>]+><code>[^<]*<\/code><\/pre>/g, ''),
      /<script|<link|<iframe|<img|<object|<embed|\ssrc=|@import|url\(|\son\w+=|https?:\/\//i
    )
    assert.match(page.text, /^<!doctype html>\n<html lang="en">/)
  })

  it('has every operation, and every schema that it links to', async () => {
    const { text } = await service.get('/docs', { token: undefined })
    for (const { path, operation } of operations) {
      assert.ok(text.includes(`<code>${path}</code>`), path)
      assert.ok(text.includes(operation.summary.split('`')[0] ?? ''), operation.summary)
    }
    const anchors = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const links = [...text.matchAll(/ href="([^"]+)"/g)].map(([, link = '']) => link)
    assert.ok(links.length > 50)
    for (const link of links) assert.ok(link === 'openapi.json' || anchors.has(link.slice(1)), link)
  })
})
