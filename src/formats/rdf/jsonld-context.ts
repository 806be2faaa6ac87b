import type { Json } from '#domain/entity/entity.ts'
import { iriOf, type Name, nameOf, prefixes, vocabularies } from './vocabularies.ts'

/*
 * The context of our JSON-LD: names of schema.org are plain (`author`), names of other vocabularies
 * have their prefix (`bf:instanceOf`). Values that always have one type are plain texts; the table
 * gives the type.
 */

// biome-ignore format: one line for each kind of value
const kindsOfValues: Readonly<Record<'@id' | 'xsd:dateTime' | 'xsd:decimal' | 'xsd:gYear', readonly Name[]>> = {
  '@id': ['schema:url', 'schema:sameAs', 'schema:eventStatus', 'schema:eventAttendanceMode', 'schema:additionalType', 'schema:availability', 'schema:contentUrl', 'bf:role'],
  'xsd:dateTime': ['schema:startDate', 'schema:endDate', 'schema:doorTime', 'schema:previousStartDate', 'schema:validFrom', 'schema:availabilityStarts'],
  'xsd:decimal': ['schema:latitude', 'schema:longitude', 'schema:price'],
  'xsd:gYear': ['schema:dateCreated', 'schema:datePublished', 'schema:birthDate', 'schema:deathDate', 'bf:originDate', 'bf:date']
}

const typeByName: ReadonlyMap<Name, string> = new Map(
  Object.entries(kindsOfValues).flatMap(([type, names]) =>
    names.map(name => [name, type === '@id' ? type : iriOf(type as Name)])
  )
)

/**
 * The type of a plain text as a value of a predicate: the IRI of a datatype, or `@id` for the IRI
 * of a node.
 */
export const typeOfTerm = (predicate: Name): string | undefined => typeByName.get(predicate)

/** The form of a name in our JSON-LD. */
export const termOf = (name: Name): string => (name.startsWith('schema:') ? name.slice('schema:'.length) : name)

/** The context as it is published. */
export function jsonLdContext(): { readonly '@context': Json } {
  const kinds = [...typeByName].map(([name, type]) => [termOf(name), { '@id': name, '@type': nameOf(type) ?? type }])
  return {
    '@context': {
      '@version': 1.1,
      '@vocab': vocabularies.schema,
      ...Object.fromEntries(prefixes.map(prefix => [prefix, vocabularies[prefix]])),
      ...Object.fromEntries(kinds)
    }
  }
}
