import { hostileTexts } from '../support/records/hostile-texts.ts'
import type { GeneratedRequest, OpenApiDocument, Operation, Schema } from './request-generator.ts'

/*
 * Requests of which one part has a given size: a parameter, a part of the path, a header, a value
 * in the body or the body itself. All parts are found in the document and in a request that
 * succeeded, so a new route, parameter or member of a body needs nothing here.
 */

export interface GrownRequest {
  readonly name: string
  /** Characters of the largest request that the service reads. */
  readonly largest: number
  make(size: number): GeneratedRequest
}

/** Characters: a little less than the first line of a request and its headers may have. */
const maxAddress = 24_000
/** Bytes: a little less than a body may have by default. */
const maxBody = 1_000_000

const headerNames = [
  ...['accept', 'accept-encoding', 'accept-language', 'authorization', 'content-type', 'cookie', 'if-match'],
  ...['if-none-match', 'idempotency-key', 'origin', 'prefer', 'range', 'upload-metadata', 'x-forwarded-for']
]

/** Makes a text of about so many characters. */
type Grow = (size: number) => string

const repeated =
  (part: string, separator: string): Grow =>
  size =>
    `${part}${separator}`.repeat(Math.max(1, Math.floor(size / (part.length + separator.length)))) + part

/** Values that differ, as many as there is room for. */
const numbered =
  (part: string, separator: string): Grow =>
  size =>
    Array.from({ length: Math.ceil(size / (part.length + separator.length + 4)) }, (_, at) => `${part}${at}`).join(
      separator
    )

const nested: Grow = size => '('.repeat(size / 2) + ')'.repeat(size / 2)

/** Texts that grow, beside those that are bad for everything: many of a value that is right. */
const textsLike = (value: string): Record<string, Grow> => ({
  ...hostileTexts,
  ...Object.fromEntries(
    [',', ' ', ' or ', ' and ', '*', '|'].map(each => [`"${value}" joined by "${each}"`, repeated(value, each)])
  ),
  'different values': numbered(value, ','),
  'different words': numbered(value, ' '),
  parentheses: nested
})

/** All requests that grow in one part of a request that succeeded. */
export function grownRequests(
  document: OpenApiDocument,
  operation: Operation,
  base: GeneratedRequest
): readonly GrownRequest[] {
  return [
    ...grownPaths(operation, base),
    ...grownParameters(operation, base),
    ...grownHeaders(base),
    ...(base.body === undefined ? [] : grownBodies(document, operation, base, base.body))
  ]
}

/** Leaves out as much of a text as it becomes longer in an address. */
function encoded(grow: Grow): Grow {
  const sample = grow(600)
  const factor = encodeURIComponent(sample).length / sample.length
  return size => encodeURIComponent(grow(Math.floor(size / factor)))
}

const within = (name: string, grows: Record<string, Grow>, make: (text: string) => GeneratedRequest): GrownRequest[] =>
  Object.entries(grows).map(([kind, grow]) => {
    const grown = encoded(grow)
    return { name: `${name}: ${kind}`, largest: maxAddress, make: size => make(grown(size)) }
  })

function grownPaths({ path }: Operation, base: GeneratedRequest): GrownRequest[] {
  const [address = '', query] = base.url.split('?')
  const given = address.split('/')
  return path.split('/').flatMap((part, at) => {
    if (!part.startsWith('{')) return []
    return within(`path ${part}`, textsLike('x'), text => ({
      ...base,
      url: `${given.with(at, text).join('/')}${query === undefined ? '' : `?${query}`}`
    }))
  })
}

function grownParameters({ parameters }: Operation, base: GeneratedRequest): GrownRequest[] {
  const [address = '', query = ''] = base.url.split('?')
  const given = query.split('&').filter(Boolean)
  return parameters
    .filter(each => each.in === 'query')
    .flatMap(({ name, schema }) => {
      const others = given.filter(each => !each.startsWith(`${name}=`))
      const known = given.find(each => each.startsWith(`${name}=`))?.slice(name.length + 1)
      const [first] = (schema.enum as readonly string[] | undefined) ?? []
      const grows = textsLike(decodeURIComponent(known ?? first ?? 'x'))
      const limit = typeof schema.maxLength === 'number' ? schema.maxLength : maxAddress
      const make = (text: string) => ({ ...base, url: `${address}?${[...others, `${name}=${text}`].join('&')}` })
      const all = within(`parameter ${name}`, grows, make)
      // A value that is refused for its length says nothing of one that is read.
      return limit >= maxAddress ? all : [...all, ...all.map(each => ({ ...each, largest: limit }))]
    })
}

function grownHeaders(base: GeneratedRequest): GrownRequest[] {
  return headerNames.flatMap(name => {
    const given = base.headers[name] ?? 'x'
    return Object.entries(textsLike(given))
      .filter(([, grow]) => /^[\x20-\x7e]+$/.test(grow(60)))
      .map(([kind, grow]) => ({
        name: `header ${name}: ${kind}`,
        largest: maxAddress,
        make: size => ({ ...base, headers: { ...base.headers, [name]: grow(size).trimEnd() } })
      }))
  })
}

function grownBodies(
  document: OpenApiDocument,
  operation: Operation,
  base: GeneratedRequest,
  body: string | Buffer
): GrownRequest[] {
  const media = base.headers['content-type'] ?? ''
  const named = (name: string, grow: (size: number) => string | Buffer): GrownRequest => ({
    name: `body ${media.split(';')[0]}, ${name}`,
    largest: maxBody,
    make: size => ({ ...base, body: grow(size) })
  })
  const bytes = Buffer.from(body)
  const whole = [
    named('the whole many times', size =>
      Buffer.concat(Array.from({ length: Math.ceil(size / (bytes.length + 1)) }, () => [bytes, newLine]).flat())
    ),
    ...Object.entries(hostileTexts).map(([kind, grow]) => named(kind, grow))
  ]
  if (media.startsWith('application/x-www-form-urlencoded')) return [...whole, ...grownFields(String(body), named)]
  const json = /[/+]json/.test(media) ? parse(String(body)) : undefined
  if (json === undefined) return whole
  const schema = operation.body?.[media.split(';')[0] ?? '']?.schema ?? {}
  return [...whole, ...grownValues(document, schema, json, '').map(({ name, grow }) => named(name, grow))]
}

const newLine = Buffer.from('\n')

function grownFields(body: string, named: (name: string, grow: Grow) => GrownRequest): GrownRequest[] {
  const fields = body.split('&')
  return fields.flatMap((field, at) => {
    const [name = '', value = ''] = field.split('=')
    return Object.entries(textsLike(decodeURIComponent(value) || 'x')).map(([kind, grow]) => {
      const grown = encoded(grow)
      return named(`field ${name}: ${kind}`, size => fields.with(at, `${name}=${grown(size)}`).join('&'))
    })
  })
}

interface GrownValue {
  readonly name: string
  /** The JSON of the whole value, with the part in it that grows. */
  readonly grow: Grow
}

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every part of a value that can grow: what it has, and what its schema has beside that. */
function grownValues(document: OpenApiDocument, given: Schema, value: unknown, name: string): GrownValue[] {
  const schema =
    typeof given.$ref === 'string' ? (document.components.schemas[given.$ref.split('/').at(-1) ?? ''] ?? {}) : given
  const here = replacements(value).map(([kind, grow]) => ({ name: `${name || '/'}: ${kind}`, grow }))
  if (Array.isArray(value)) {
    const [first, ...others] = value.map(each => JSON.stringify(each))
    if (first === undefined) return here
    const rest = others.map(each => `,${each}`).join('')
    const inner = grownValues(document, (schema.items ?? {}) as Schema, value[0], `${name}/0`)
    return [...here, ...inner.map(each => ({ ...each, grow: (size: number) => `[${each.grow(size)}${rest}]` }))]
  }
  if (!isObject(value)) return here
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Schema>>
  const names = [...new Set([...Object.keys(value), ...Object.keys(properties)])]
  const inner = names.flatMap(member => {
    const { [member]: own, ...rest } = value
    const others = JSON.stringify(rest).slice(0, -1)
    const head = `${others}${others === '{' ? '' : ','}${JSON.stringify(member)}:`
    return grownValues(document, properties[member] ?? {}, own ?? 'x', `${name}/${member}`).map(each => ({
      ...each,
      grow: (size: number) => `${head}${each.grow(size)}}`
    }))
  })
  return [...here, ...inner]
}

/** Values in the place of another: long texts, long lists, many members, many levels. */
function replacements(value: unknown): [kind: string, grow: Grow][] {
  const element = Array.isArray(value) ? (value[0] ?? 'x') : value
  const one = JSON.stringify(element)
  const unlike = differing(element)
  const list: [string, Grow][] = [
    ['equal elements', size => `[${repeated(one, ',')(size)}]`],
    ['different elements', size => `[${Array.from({ length: Math.ceil(size / (one.length + 5)) }, unlike).join(',')}]`],
    ['levels', size => '['.repeat(size / 2) + ']'.repeat(size / 2)],
    ['levels of objects', size => '{"a":'.repeat(size / 6) + 1 + '}'.repeat(size / 6)]
  ]
  if (isObject(value)) {
    const own = JSON.stringify(value).slice(0, -1)
    list.push(['members', size => `${own}${own === '{' ? '' : ','}${numbered('"m', '":0,')(size)}":0}`])
  }
  if (typeof value === 'string')
    list.push(
      ...Object.entries(textsLike(value)).map(([kind, grow]): [string, Grow] => [
        kind,
        size => JSON.stringify(grow(size))
      ])
    )
  return list
}

/** Makes elements that differ in what tells them apart, and are right otherwise. */
function differing(element: unknown): (_: unknown, at: number) => string {
  if (typeof element === 'string') return (_, at) => JSON.stringify(`${element}${at}`)
  if (!isObject(element)) return () => JSON.stringify(element)
  const telling = ['id', 'value', 'key'].find(each => typeof element[each] === 'string')
  if (telling === undefined) return (_, at) => JSON.stringify({ ...element, id: `x${at}` })
  return (_, at) => JSON.stringify({ ...element, [telling]: `${element[telling]}${at}` })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
