import { iriOf, type Name, nameOf, prefixes, vocabularies } from './vocabularies.ts'

/*
 * The context of our JSON-LD: a name of schema.org stands as it is (`author`), names of other
 * vocabularies have their prefix (`bf:instanceOf`). Values that are always of one kind are plain
 * texts; the table says of which.
 */

// biome-ignore format: one line for each kind of value
const kindsOfValues: Readonly<Record<'@id' | 'xsd:dateTime' | 'xsd:decimal' | 'xsd:gYear', readonly Name[]>> = {
  '@id': ['schema:url', 'schema:sameAs', 'schema:eventStatus', 'schema:availability', 'schema:contentUrl', 'bf:role'],
  'xsd:dateTime': ['schema:startDate', 'schema:endDate'],
  'xsd:decimal': ['schema:latitude', 'schema:longitude'],
  'xsd:gYear': ['schema:dateCreated', 'schema:datePublished', 'schema:birthDate', 'schema:deathDate', 'bf:originDate', 'bf:date']
}

const typeByIri = new Map(
  Object.entries(kindsOfValues).flatMap(([type, names]) =>
    names.map(name => [iriOf(name), type === '@id' ? type : iriOf(type as Name)])
  )
)

/**
 * The kind that a plain text has as a value of a predicate: the IRI of a datatype, or `@id` for the
 * name of a node.
 */
export const typeOfTerm = (predicate: string): string | undefined => typeByIri.get(predicate)

/** What an IRI is called in our JSON-LD. */
export function termOf(iri: string): string | undefined {
  const name = nameOf(iri)
  return name?.startsWith('schema:') ? name.slice('schema:'.length) : name
}

/** The context itself, as it is published. */
export function jsonLdContext(): object {
  const kinds = [...typeByIri].map(([iri, type]) => [
    termOf(iri) ?? iri,
    { '@id': nameOf(iri) ?? iri, '@type': nameOf(type) ?? type }
  ])
  return {
    '@context': {
      '@version': 1.1,
      '@vocab': vocabularies.schema,
      ...Object.fromEntries(prefixes.map(prefix => [prefix, vocabularies[prefix]])),
      ...Object.fromEntries(kinds)
    }
  }
}
