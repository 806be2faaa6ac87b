import { differentRelation } from './different-relation.ts'
import { mediaRelations } from './media-relations.ts'
import type { Field, RecordType } from './record-type.ts'
import { shelfOrderKey } from '../search/shelf-order.ts'
import { facetsOf, type ModelFacet } from './facets.ts'

/**
 * All record types of one catalogue, found by name. Plain data, so that it can be sent to a worker.
 */
export interface Model {
  readonly recordTypes: readonly RecordType[]
  /** Finds a type by its exact name. */
  findType(name: string): RecordType | undefined
  /**
   * The types that a name stands for: itself, or all under an umbrella. Empty for an unknown name.
   */
  typesNamed(name: string): readonly string[]
  isUmbrella(name: string): boolean
  /** The umbrella of a type, or the type itself if it has none. */
  umbrellaOf(type: string): string
  /** Tests whether any type declares a key as an ISBN: ISBNs are equal whatever their hyphens. */
  isIsbnKey(key: string): boolean
  /** Tests whether any type declares a field of this key. */
  isDeclaredKey(key: string): boolean
  /** Tests whether any type declares relations of this type, or every type may have them. */
  isDeclaredRelation(type: string): boolean
  readonly declaredKeys: readonly string[]
  readonly declaredRelations: readonly string[]
  /** The names of types and umbrellas. */
  readonly typeNames: readonly string[]
  /** The fields that name records, of all types. */
  readonly nameFields: readonly string[]
  /** The facets by which people narrow a search, in their order. */
  readonly facets: readonly ModelFacet[]
  findFacet(name: string): ModelFacet | undefined
  /** The stored value for another spelling of it; undefined if there is none. */
  storedSpelling(key: string, value: string): string | undefined
  fieldOf(type: string, key: string): Field | undefined
}

export function createModel(recordTypes: readonly RecordType[]): Model {
  const byName = new Map(recordTypes.map(recordType => [recordType.type, recordType]))
  const fields = new Map(recordTypes.map(({ type, fields }) => [type, new Map(Object.entries(fields))]))
  const byUmbrella = new Map<string, string[]>()
  const isbnKeys = new Set<string>()
  const declaredKeys = new Set([
    ...recordTypes.flatMap(({ fields, counts = [] }) => [...Object.keys(fields), ...counts]),
    shelfOrderKey
  ])
  const declaredRelations = new Set([
    ...recordTypes.flatMap(({ relations }) => Object.keys(relations)),
    ...Object.keys(mediaRelations),
    differentRelation
  ])
  const facets = facetsOf(recordTypes)
  const facetByName = new Map(facets.map(facet => [facet.name, facet]))
  const spellings = new Map(
    recordTypes.flatMap(({ fields }) =>
      Object.entries(fields).flatMap(([key, { readAs = {} }]) =>
        Object.entries(readAs).map(([spelling, value]) => [`${key}\n${spelling}`, value] as const)
      )
    )
  )
  for (const { type, umbrella, fields } of recordTypes) {
    if (umbrella !== undefined) byUmbrella.set(umbrella, [...(byUmbrella.get(umbrella) ?? []), type])
    for (const [key, field] of Object.entries(fields)) if (field.kind === 'isbn') isbnKeys.add(key)
  }

  return {
    recordTypes,
    findType: name => byName.get(name),
    typesNamed: name => (byName.has(name) ? [name] : (byUmbrella.get(name) ?? [])),
    isUmbrella: name => byUmbrella.has(name),
    umbrellaOf: type => byName.get(type)?.umbrella ?? type,
    isIsbnKey: key => isbnKeys.has(key),
    isDeclaredKey: key => declaredKeys.has(key),
    isDeclaredRelation: type => declaredRelations.has(type),
    declaredKeys: [...declaredKeys],
    declaredRelations: [...declaredRelations],
    typeNames: [...byName.keys(), ...byUmbrella.keys()],
    nameFields: [...new Set(recordTypes.map(({ nameField }) => nameField))],
    facets,
    findFacet: name => facetByName.get(name),
    storedSpelling: (key, value) => spellings.get(`${key}\n${value}`),
    fieldOf: (type, key) => fields.get(type)?.get(key)
  }
}
