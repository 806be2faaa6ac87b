import { jsonLdContext } from './jsonld-context.ts'
import { RdfTrouble } from './rdf-trouble.ts'
import { resolveIri } from './read-turtle.ts'
import { maxIriLength } from './statements.ts'
import { vocabularies } from './vocabularies.ts'

/* The contexts of JSON-LD files: the meaning of their names. */

/** Maximum nesting of objects, lists and contexts. */
const maxDepth = 100

/** Maximum terms of the contexts of a file, together: each context is copied into the next. */
const maxTerms = 100_000

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

export interface TermDefinition {
  readonly iri: string
  readonly type?: string | undefined
  readonly containers: readonly string[]
  readonly language?: string | null | undefined
  readonly isReverse: boolean
}

export interface Context {
  readonly terms: ReadonlyMap<string, TermDefinition>
  readonly vocab: string | undefined
  readonly base: string | undefined
  readonly language: string | undefined
}

export const emptyContext: Context = { terms: new Map(), vocab: undefined, base: undefined, language: undefined }

export function checkDepth(depth: number) {
  if (depth > maxDepth) throw new RdfTrouble('over_limit', `Objects are nested more than ${maxDepth} deep`)
}

/**
 * Creates a reader of the contexts of one file. It knows the context of this program and that of
 * schema.org by their addresses, and fetches none.
 */
export function createContextReader(): (given: Json, around: Context) => Context {
  const published = new Map<string, Context>()
  let terms = 0
  return (given, around) => readContext(given, around, 0)

  function readContext(given: Json, around: Context, depth: number): Context {
    checkDepth(depth)
    if (given === null) return emptyContext
    if (Array.isArray(given))
      return given.reduce<Context>((context, each) => readContext(each, context, depth + 1), around)
    if (typeof given === 'string') return readPublished(given, around)
    if (!isObject(given)) throw new RdfTrouble('not_well_formed', 'A context is an object, a list or an address')
    if (Object.hasOwn(given, '@import')) throw new RdfTrouble('refused', '"@import" in a context is not supported')
    const known = new Map(around.terms)
    terms += known.size + Object.keys(given).length
    if (terms > maxTerms) throw new RdfTrouble('over_limit', `The contexts have more than ${maxTerms} terms`)
    const text = (key: string, inherited: string | undefined) => {
      const value = given[key]
      return value === undefined ? inherited : typeof value === 'string' ? value : undefined
    }
    const base = text('@base', undefined)
    const bare: Context = {
      terms: known,
      vocab: text('@vocab', around.vocab),
      base: base === undefined ? around.base : resolveIri(base, around.base),
      language: text('@language', around.language)
    }
    // Prefixes come first: other terms use them, in any order.
    for (const [name, value] of Object.entries(given))
      if (!name.startsWith('@') && typeof value === 'string' && isIri(value)) known.set(name, define(value))
    for (const [name, value] of Object.entries(given)) if (!name.startsWith('@')) defineTerm(name, value, known, bare)
    return bare
  }

  function defineTerm(name: string, value: Json, known: Map<string, TermDefinition>, context: Context) {
    if (value === null) known.delete(name)
    else if (typeof value === 'string') known.set(name, define(nameIri(value, context)))
    else if (isObject(value)) {
      if (Object.hasOwn(value, '@context'))
        throw new RdfTrouble('refused', `The context inside the term "${name.slice(0, 100)}" is not supported`)
      const { '@id': id, '@reverse': reverse, '@type': type, '@container': container, '@language': language } = value
      const meant = reverse ?? id ?? name
      if (typeof meant !== 'string') return
      known.set(name, {
        iri: nameIri(meant, context),
        type: typeof type === 'string' ? (type.startsWith('@') ? type : typeIri(type, context)) : undefined,
        containers: listOf(container ?? null).filter(each => typeof each === 'string'),
        language: typeof language === 'string' || language === null ? language : undefined,
        isReverse: reverse !== undefined
      })
    }
  }

  /** A context that is known by its address. */
  function readPublished(address: string, around: Context): Context {
    const known = published.get(address)
    if (known !== undefined && around === emptyContext) return known
    const found = /\/context\.jsonld$/.test(address)
      ? (jsonLdContext() as { '@context': Json })['@context']
      : /^https?:\/\/schema\.org\/?(?:#|docs\/jsonldcontext\.jsonld?)?$/.test(address)
        ? { '@vocab': vocabularies.schema }
        : undefined
    if (found === undefined)
      throw new RdfTrouble(
        'refused',
        `The context ${JSON.stringify(address.slice(0, 200))} is not fetched; put it into the file, or send Turtle`
      )
    const context = readContext(found, around, 1)
    if (around === emptyContext) published.set(address, context)
    return context
  }
}

const define = (iri: string): TermDefinition => ({ iri, containers: [], isReverse: false })

export function definitionOf(key: string, context: Context): TermDefinition | undefined {
  const known = context.terms.get(key)
  if (known !== undefined) return known
  const iri = nameIri(key, context)
  return isIri(iri) ? define(iri) : undefined
}

/** The keyword that a member is, by itself or by an alias. */
export function keywordOf(key: string, context: Context): string | undefined {
  if (key.startsWith('@')) return key
  const iri = context.terms.get(key)?.iri
  return iri?.startsWith('@') ? iri : undefined
}

export function compactIri(text: string, { terms }: Context): string | undefined {
  const colon = text.indexOf(':')
  if (colon < 0 || text.startsWith('//', colon + 1)) return undefined
  const prefix = terms.get(text.slice(0, colon))
  return prefix === undefined ? undefined : prefix.iri + text.slice(colon + 1)
}

/** The IRI of the name of a property or a class. */
function nameIri(text: string, context: Context): string {
  if (text.startsWith('@') || text.length > maxIriLength) return text
  return (
    context.terms.get(text)?.iri ?? compactIri(text, context) ?? (isIri(text) ? text : (context.vocab ?? '') + text)
  )
}

export function typeIri(text: string, context: Context): string {
  const iri = nameIri(text, context)
  return isIri(iri) ? iri : resolveIri(iri, context.base)
}

export const isIri = (text: string) => /^[A-Za-z][A-Za-z0-9+.-]*:./.test(text)

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function listOf(given: Json): readonly Json[] {
  let value = given
  while (isObject(value) && Object.hasOwn(value, '@set')) value = value['@set'] ?? null
  return Array.isArray(value) ? value : value === null ? [] : [value]
}
