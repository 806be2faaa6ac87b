import { findJsonFault } from './json-fault.ts'
import {
  checkDepth,
  compactIri,
  type Context,
  createContextReader,
  definitionOf,
  emptyContext,
  isIri,
  isObject,
  type Json,
  type JsonObject,
  keywordOf,
  listOf,
  type TermDefinition,
  typeIri
} from './jsonld-terms.ts'
import { RdfTrouble } from './rdf-trouble.ts'
import { resolveIri } from './read-turtle.ts'
import { type Statements, toNode } from './statements.ts'
import type { Literal, Term } from './triples.ts'
import { iriOf, rdfType } from './vocabularies.ts'

/**
 * Reads JSON-LD 1.1 with the contexts that are in the file, the context of this program, and that
 * of schema.org. No other context is fetched: the file is refused, with its address. Graphs in
 * graphs count as one. https://www.w3.org/TR/json-ld11-api/
 */
export function readJsonLd(text: string, statements: Statements): void {
  const document = parse(text.startsWith('\ufeff') ? text.slice(1) : text)
  const readContext = createContextReader()
  readAny(document, emptyContext, 0)

  function readAny(value: Json, context: Context, depth: number) {
    checkDepth(depth)
    if (Array.isArray(value)) for (const each of value) readAny(each, context, depth + 1)
    else if (isObject(value)) readNode(value, context, depth + 1)
  }

  /** Reads an object with its members, and returns its node. */
  function readNode(object: JsonObject, around: Context, depth: number): string {
    checkDepth(depth)
    const context = Object.hasOwn(object, '@context') ? readContext(object['@context'] ?? null, around) : around
    const members = Object.entries(object).map(([key, value]) => [keywordOf(key, context), key, value] as const)
    const id = members.find(([keyword]) => keyword === '@id')?.[2]
    const node = typeof id === 'string' ? nodeOf(id, context) : statements.blankNode()
    for (const [keyword, key, value] of members) {
      if (keyword === '@type')
        for (const each of listOf(value))
          if (typeof each === 'string') addTo(node, rdfType, toNode(typeIri(each, context)))
      if (keyword === '@graph' || keyword === '@included') readAny(value, context, depth)
      if (keyword === '@reverse' && isObject(value))
        for (const [each, subjects] of Object.entries(value)) readReverse(node, each, subjects, context, depth)
      if (keyword === '@nest') throw new RdfTrouble('refused', '"@nest" is not supported')
      if (keyword === undefined) readMember(node, key, value, context, depth)
    }
    return node
  }

  function readMember(node: string, key: string, value: Json, context: Context, depth: number) {
    const definition = definitionOf(key, context)
    if (definition === undefined || value === null) return
    if (definition.isReverse) {
      readReverse(node, key, value, context, depth)
      return
    }
    const { containers } = definition
    for (const each of membersOf(value, definition)) addValue(node, each, context, definition, depth)
    if (containers.includes('@id') || containers.includes('@type') || containers.includes('@graph'))
      throw new RdfTrouble('refused', `The container of "${key.slice(0, 100)}" is not supported`)
  }

  function readReverse(node: string, key: string, value: Json, context: Context, depth: number) {
    const definition = definitionOf(key, context)
    if (definition === undefined) return
    for (const each of listOf(value)) {
      const subject = isObject(each)
        ? readNode(each, context, depth + 1)
        : typeof each === 'string'
          ? nodeOf(each, context)
          : undefined
      if (subject !== undefined) addTo(subject, definition.iri, toNode(node))
    }
  }

  function addValue(node: string, value: Json, context: Context, definition: TermDefinition, depth: number) {
    checkDepth(depth)
    if (Array.isArray(value)) {
      for (const each of value) addValue(node, each, context, definition, depth + 1)
      return
    }
    const term = isObject(value)
      ? termOfObject(value, context, definition, depth)
      : termOfPlain(value as string | number | boolean | null, context, definition, nodeOf)
    if (term !== undefined) addTo(node, definition.iri, term)
  }

  function termOfObject(
    object: JsonObject,
    context: Context,
    definition: TermDefinition,
    depth: number
  ): Term | undefined {
    const inner = Object.hasOwn(object, '@context') ? readContext(object['@context'] ?? null, context) : context
    const member = (keyword: string) =>
      Object.entries(object).find(([key]) => key === keyword || keywordOf(key, inner) === keyword)?.[1]
    const value = member('@value')
    if (value !== undefined) {
      const type = member('@type')
      const lang = member('@language')
      if (value === null || typeof value === 'object') return undefined
      if (typeof type === 'string') return typed(String(value), typeIri(type, inner))
      return typeof value === 'string'
        ? { kind: 'literal', text: value, ...(typeof lang === 'string' ? { lang: lang.toLowerCase() } : {}) }
        : plainOf(value)
    }
    const list = member('@list')
    if (list !== undefined) return toNode(readList(listOf(list), inner, definition, depth))
    return toNode(readNode(object, context, depth + 1))
  }

  function readList(values: readonly Json[], context: Context, definition: TermDefinition, depth: number): string {
    const ofItem = { ...definition, iri: iriOf('rdf:first') }
    let node = iriOf('rdf:nil')
    for (const value of values.toReversed()) {
      const item = statements.blankNode()
      addValue(item, value, context, ofItem, depth + 1)
      addTo(item, iriOf('rdf:rest'), toNode(node))
      node = item
    }
    return node
  }

  function addTo(subject: string, predicate: string, object: Term) {
    // A member whose name is no IRI means nothing.
    if (isIri(predicate)) statements.add(subject, predicate, object)
  }

  function nodeOf(id: string, context: Context): string {
    return id.startsWith('_:') ? statements.blankNode(id) : resolveIri(compactIri(id, context) ?? id, context.base)
  }
}

/** The values of a member: those of a list, a set, or a map by language or index. */
function membersOf(value: Json, { containers }: TermDefinition): readonly Json[] {
  if (containers.includes('@list')) return [isObject(value) ? value : { '@list': listOf(value) }]
  if (containers.includes('@language') && isObject(value))
    return Object.entries(value).flatMap(([lang, texts]) =>
      listOf(texts).map(
        (each): JsonObject => (lang === '@none' ? { '@value': each } : { '@value': each, '@language': lang })
      )
    )
  if (containers.includes('@index') && isObject(value)) return Object.values(value).flatMap(listOf)
  return listOf(value)
}

function termOfPlain(
  value: string | number | boolean | null,
  context: Context,
  { type, language }: TermDefinition,
  nodeOf: (id: string, context: Context) => string
): Term | undefined {
  if (value === null) return undefined
  if (typeof value !== 'string')
    return type === undefined || type.startsWith('@') ? plainOf(value) : typed(String(value), type)
  if (type === '@id') return toNode(nodeOf(value, context))
  if (type === '@vocab') return toNode(typeIri(value, context))
  if (type !== undefined && type !== '@none') return typed(value, type)
  const lang = language === null ? undefined : (language ?? context.language)
  return { kind: 'literal', text: value, ...(lang === undefined ? {} : { lang: lang.toLowerCase() }) }
}

const typed = (text: string, datatype: string): Literal =>
  datatype === iriOf('xsd:string') || datatype.startsWith('@')
    ? { kind: 'literal', text }
    : { kind: 'literal', text, datatype }

function plainOf(value: number | boolean | string): Literal {
  if (typeof value === 'boolean') return typed(String(value), iriOf('xsd:boolean'))
  if (typeof value === 'string') return { kind: 'literal', text: value }
  return Number.isInteger(value) && Math.abs(value) < 1e21
    ? typed(String(value), iriOf('xsd:integer'))
    : typed(value.toExponential(15).replace(/(\d)0*e\+?/, '$1E'), iriOf('xsd:double'))
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    const before = text.slice(0, findJsonFault(text)).split('\n')
    const where = `Line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
    throw new RdfTrouble('not_well_formed', `${where}: This is not JSON`)
  }
}
