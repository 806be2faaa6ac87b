import type { FieldTest, Filter } from '../filter/filter.ts'
import type { FilterPath } from '../filter/filter-path.ts'
import { wemLinks } from '../entity/publication.ts'
import { makers, pseudonymRelation } from '../record-types/pseudonyms.ts'

/*
 * Places that a word of a field is looked for. Publications are searched through their levels:
 * their titles include those of the work, their authors those of the work and the translation.
 * Records of other types are searched by their own fields and relations.
 */

/** A place of a field: a key of the record, or of a related one. */
export interface FieldPlace {
  /** The relation by which other records refer to this one, if it is a place in those. */
  readonly from?: string
  /** Relations to follow first. */
  readonly through: readonly string[]
  readonly path: FilterPath
  /** Whether a person has the names of the pseudonyms, and a pseudonym those of the person. */
  readonly sharesNames?: true
}

export const toExpression = [wemLinks.manifestation]
export const toWork = [...toExpression, wemLinks.expression]
/** Relations from a publication, and from an expression, to what is above them. */
const levels: readonly (readonly string[])[] = [[], toExpression, toWork, [wemLinks.expression]]

export const field = (key: string, through: readonly string[] = []): FieldPlace => ({
  through,
  path: { kind: 'metadata', key }
})

/** A test at any of some places. */
export const atPlaces = (places: readonly FieldPlace[], test: FieldTest): Filter => ({
  kind: 'any',
  of: places.map(({ from, through, path, sharesNames }) => {
    const own: Filter = { kind: 'field', path, test }
    const found = leadingThrough(through, sharesNames ? withPseudonyms(own) : own)
    return from === undefined ? found : { kind: 'referred', type: from, of: found }
  })
})

export const leadingThrough = (through: readonly string[], filter: Filter): Filter =>
  through.reduceRight<Filter>((of, type) => ({ kind: 'related', type, of }), filter)

/**
 * Finds persons and their pseudonyms by the names of each other, as a search for words does: the
 * works of one person are found by every name.
 */
function withPseudonyms(named: Filter): Filter {
  const behind: Filter = { kind: 'referred', type: pseudonymRelation, of: named }
  return {
    kind: 'any',
    of: [named, behind, { kind: 'related', type: pseudonymRelation, of: { kind: 'any', of: [named, behind] } }]
  }
}

/** A field of the search language: keys with text, and relations to records with such a name. */
export interface SearchField {
  /** The names that may stand before the colon. */
  readonly names: readonly string[]
  readonly kind: 'text' | 'year' | 'isbn'
  readonly keys: readonly string[]
  readonly relations: readonly string[]
}

// biome-ignore format: a row stands on one line, so that the table can be read as one
const searchFields: readonly SearchField[] = [
  { names: ['title', 'titel', 'titre'], kind: 'text', keys: ['title', 'subtitle', 'original_title', 'parallel_title', 'other_title', 'name'], relations: ['refUniformTitles'] },
  { names: ['author', 'auteur'], kind: 'text', keys: [], relations: [makers] },
  { names: ['subject', 'onderwerp', 'sujet'], kind: 'text', keys: [], relations: ['refSubjects', 'refZizos'] },
  { names: ['genre'], kind: 'text', keys: [], relations: ['refGenres'] },
  { names: ['publisher', 'uitgever', 'editeur'], kind: 'text', keys: [], relations: ['refPublishers'] },
  { names: ['language', 'taal', 'langue'], kind: 'text', keys: [], relations: ['refLanguages'] },
  { names: ['series', 'reeks', 'collection'], kind: 'text', keys: ['series_statement'], relations: ['refSeries'] },
  { names: ['year', 'jaar', 'annee'], kind: 'year', keys: ['year_of_publication', 'year'], relations: [] },
  { names: ['isbn', 'issn', 'ean'], kind: 'isbn', keys: ['isbn', 'issn', 'ean'], relations: [] }
]

const fieldByName = new Map(searchFields.flatMap(each => each.names.map(name => [name, each] as const)))

export const findSearchField = (name: string): SearchField | undefined => fieldByName.get(name.toLowerCase())

/**
 * A test of the texts of a field, at every level; of numbers and years in the record itself only.
 * `nameKeys` are those of the names of records.
 */
export function inField({ kind, keys, relations }: SearchField, test: FieldTest, nameKeys: readonly string[]): Filter {
  const has = (key: string): Filter => ({ kind: 'field', path: { kind: 'metadata', key }, test })
  const named: Filter = { kind: 'any', of: nameKeys.map(has) }
  const here: readonly Filter[] = [
    ...keys.map(has),
    ...relations.map((type): Filter => ({ kind: 'related', type, of: type === makers ? withPseudonyms(named) : named }))
  ]
  if (kind !== 'text') return { kind: 'any', of: here }
  return { kind: 'any', of: levels.flatMap(through => here.map(each => leadingThrough(through, each))) }
}
