/*
 * The types of the client, made from the OpenAPI document. `npm run docs` writes them to
 * `client/api.ts`, and `test/docs.test.ts` fails if they differ from the service. Decision 20
 * explains why this script is our own.
 */

type Schema = Readonly<Record<string, unknown>>

interface OpenApiOperation {
  readonly summary: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly description?: string
    readonly schema: Schema
  }[]
  readonly requestBody?: {
    readonly required?: boolean
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>
  }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Returns the text of `client/api.ts`. */
export function clientTypes({ paths, components }: OpenApiDocument): string {
  const all = Object.entries(components.schemas)
  const records = all.flatMap(([name, schema]) => (name.endsWith('_record') ? [schema as RecordSchema] : []))
  const schemas = all
    .filter(([name]) => !name.endsWith('_record') && name !== choiceOfRecords)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, schema]) => `${commentOf(schema)}export type ${name} = ${typeOf(answered(name, schema), '')}\n`)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(`${method.toUpperCase()} ${path}`, operation))
  )
  return [
    '/* Written by `npm run docs` from the OpenAPI document. Changes made here are lost. */\n',
    ...schemas,
    ...recordInterfaces(records),
    '/** Every path of the interface, by its method, with its input and output. */',
    'export interface Operations {',
    operations.join('\n'),
    '}\n'
  ].join('\n')
}

/** The schema with those of the record types, which the client has as interfaces. */
const choiceOfRecords = 'RecordInput'

/** The type of entities in answers: that of a model file is declared by the program. */
const typeOfAnswers: Schema = {}

/** The schemas of entities in answers, and of those in trees and WEMs. */
const entitySchemas = /^(?:Entity|WrittenEntity|Part|Tree\w+|Wem\w+)$/

/** Names the type of entities in answers by the interface that programs add to. */
function answered(name: string, schema: Schema): Schema {
  const properties = schema.properties as Schema | undefined
  if (!entitySchemas.test(name) || properties?.type === undefined) return schema
  return { ...schema, properties: { ...properties, type: typeOfAnswers } }
}

/** The schema of a record type, as `src/http/openapi/openapi.ts` makes it. */
interface RecordSchema extends Schema {
  readonly 'x-umbrella'?: string
  readonly properties: {
    readonly type: { readonly const: string }
    readonly metadata: { readonly items: { readonly anyOf: readonly Schema[] } }
    readonly relations: { readonly items: { readonly anyOf?: readonly Schema[] } }
  }
}

/**
 * The fields and relations of each record type, as interfaces: a program declares the names of its
 * model file beside them.
 */
function recordInterfaces(records: readonly RecordSchema[]): string[] {
  const sorted = [...records].sort((one, other) => (typeOfRecord(one) < typeOfRecord(other) ? -1 : 1))
  const fields = sorted.map(record => {
    const lines = record.properties.metadata.items.anyOf.flatMap(entry => {
      const { key, value } = (entry.properties ?? {}) as { key?: { const: string }; value?: Schema }
      return key === undefined || value === undefined ? [] : [`    ${key.const}: ${typeOf(value, '    ')}`]
    })
    return `  ${typeOfRecord(record)}: {\n${lines.join('\n')}\n  }`
  })
  const relations = sorted.map(record => {
    const names = (record.properties.relations.items.anyOf ?? []).flatMap(entry => {
      const { type } = (entry.properties ?? {}) as { type?: { const: string } }
      return type === undefined ? [] : [literal(type.const)]
    })
    return `  ${typeOfRecord(record)}: ${names.length === 0 ? 'never' : names.join(' | ')}`
  })
  const umbrellas = new Map<string, string[]>()
  for (const record of sorted) {
    const umbrella = record['x-umbrella']
    if (umbrella !== undefined) umbrellas.set(umbrella, [...(umbrellas.get(umbrella) ?? []), typeOfRecord(record)])
  }
  const members = [...umbrellas].map(([name, types]) => `  ${name}: ${types.map(literal).join(' | ')}`)
  return [
    `/** The metadata keys of each record type, with the type of their values. */`,
    `export interface RecordFields {\n${fields.join('\n')}\n}\n`,
    `/** The relation types of each record type. */`,
    `export interface RecordRelations {\n${relations.join('\n')}\n}\n`,
    `/** The groups of record types that have a name of their own. */`,
    `export interface RecordUmbrellas {\n${members.join('\n')}\n}\n`
  ]
}

const typeOfRecord = ({ properties }: RecordSchema) => properties.type.const

function operationOf(name: string, { summary, parameters = [], requestBody, responses }: OpenApiOperation): string {
  // `soft=1`, which answers "good", is for other clients.
  const members = (where: string) => parameters.filter(each => each.in === where && each.name !== 'soft')
  const group = (where: string) => {
    const all = members(where)
    if (all.length === 0) return '{}'
    const lines = all.map(
      ({ name: key, required, description, schema }) =>
        `${commentOf({ description }, '      ')}      ${key}${required ? '' : '?'}: ${typeOf(schema, '      ')}`
    )
    return `{\n${lines.join('\n')}\n    }`
  }
  const bodies = requestBody?.required ? requestBody.content : {}
  const body = bodies['application/json']?.schema ?? Object.values(bodies)[0]?.schema
  const answers = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { content }]) => {
      const found = content?.['application/json'] ?? Object.values(content ?? {})[0]
      return status === '204' || found === undefined ? 'undefined' : typeOf(found.schema, '    ')
    })
    .map(type => type.replace(/ \| (?:Good|WriteReceipt)\b/g, ''))
  return [
    commentOf({ description: summary }, '  ').trimEnd(),
    `  '${name}': {`,
    `    path: ${group('path')}`,
    `    query: ${group('query')}`,
    `    body: ${body === undefined ? 'undefined' : typeOf(body, '    ')}`,
    `    answer: ${[...new Set(answers)].join(' | ')}`,
    '  }'
  ].join('\n')
}

function typeOf(schema: Schema, indent: string): string {
  const { $ref, anyOf, oneOf, enum: values, type, items, examples } = schema
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1)
  if ('const' in schema) return literal(schema.const)
  if (Array.isArray(values)) return values.map(literal).join(' | ')
  const choices = anyOf ?? oneOf
  if (Array.isArray(choices)) {
    const types = choices.map(each => typeOf(each as Schema, indent))
    return types.filter(each => each !== choiceOfRecords).join(' | ')
  }
  if (Array.isArray(type)) return type.map(each => typeOf({ ...schema, type: each }, indent)).join(' | ')
  if (schema === typeOfAnswers) return 'keyof RecordFields & string'
  // Known values, while other texts are allowed: an editor can offer them.
  if (type === 'string' && Array.isArray(examples)) return `${examples.map(literal).join(' | ')} | (string & {})`
  if (type === 'array') {
    const item = items === undefined ? 'unknown' : typeOf(items as Schema, indent)
    return /[|&]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
  }
  if (type === 'object') return objectOf(schema, indent)
  if (type === 'integer' || type === 'number') return 'number'
  return typeof type === 'string' ? type : 'unknown'
}

function objectOf(schema: Schema, indent: string): string {
  const { properties, required = [], additionalProperties } = schema
  const inner = `${indent}  `
  const lines = Object.entries((properties ?? {}) as Record<string, Schema>).map(
    ([key, each]) =>
      `${commentOf(each, inner)}${inner}${key}${(required as readonly string[]).includes(key) ? '' : '?'}: ${typeOf(each, inner)}`
  )
  if (lines.length === 0) {
    const rest = typeof additionalProperties === 'object' ? typeOf(additionalProperties as Schema, indent) : 'unknown'
    return `{ [key: string]: ${rest} }`
  }
  if (additionalProperties === true) lines.push(`${inner}[key: string]: unknown`)
  return `{\n${lines.join('\n')}\n${indent}}`
}

/** Maximum width of a comment. */
const maxColumns = 100

/** The comment of a schema, on one line if it fits. */
function commentOf({ description }: Schema, indent = ''): string {
  if (typeof description !== 'string') return ''
  const text = description.replaceAll('*/', '* /')
  const line = `${indent}/** ${text} */`
  if (line.length <= maxColumns && !text.includes('\n')) return `${line}\n`
  const lines: string[] = []
  let current = `${indent} *`
  for (const word of text.split(/\s+/)) {
    if (current.length + 1 + word.length > maxColumns && current !== `${indent} *`) {
      lines.push(current)
      current = `${indent} *`
    }
    current += ` ${word}`
  }
  return `${indent}/**\n${[...lines, current].join('\n')}\n${indent} */\n`
}

const literal = (value: unknown) => (typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value))
