import { rdfNamespace } from '../xml/namespaces.ts'

/** The vocabularies of descriptions, by their prefix in every serialization. */
export const vocabularies = {
  schema: 'https://schema.org/',
  bf: 'http://id.loc.gov/ontologies/bibframe/',
  bflc: 'http://id.loc.gov/ontologies/bflc/',
  lrmoo: 'http://iflastandards.info/ns/lrm/lrmoo/',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  rdf: rdfNamespace,
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  xsd: 'http://www.w3.org/2001/XMLSchema#'
} as const

export type Prefix = keyof typeof vocabularies

/** A name of one of the vocabularies, as in tables: `schema:Book`. */
export type Name = `${Prefix}:${string}`

/** The whole IRI of a name. */
export function iriOf(name: Name): string {
  const known = iris.get(name)
  if (known !== undefined) return known
  const colon = name.indexOf(':')
  const iri = vocabularies[name.slice(0, colon) as Prefix] + name.slice(colon + 1)
  iris.set(name, iri)
  return iri
}

/** The names come from tables, so their number is bounded. */
const iris = new Map<Name, string>()

/**
 * The name of an IRI, if a vocabulary has it. The part after the prefix is a plain name, so that
 * Turtle and XML need no escaping.
 */
export function nameOf(iri: string): Name | undefined {
  for (const prefix of prefixes) if (iri.startsWith(vocabularies[prefix])) return nameIn(prefix, iri)
  return undefined
}

function nameIn(prefix: Prefix, iri: string): Name | undefined {
  const rest = iri.slice(vocabularies[prefix].length)
  return plainName.test(rest) ? `${prefix}:${rest}` : undefined
}

export const prefixes = Object.keys(vocabularies) as readonly Prefix[]

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/

export const rdfType = iriOf('rdf:type')
