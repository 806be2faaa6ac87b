import type { FilterPath } from '#domain/filter/filter-path.ts'
import type { OrderItem } from '#domain/filter/order.ts'
import { wemLinks } from '#domain/entity/publication.ts'
import { holdings } from '#domain/record-types/holdings.ts'
import { type FieldPlace, field, toExpression, toWork } from '#domain/search/search-fields.ts'

/*
 * The searchable indexes, as a table. A record is searched with all that it belongs to: the titles
 * of a publication include those of the work, its authors those of the work and the translation.
 */

export interface SruIndex {
  readonly set: string
  readonly name: string
  readonly title: string
  readonly kind: 'text' | 'year' | 'moment' | 'isbn' | 'code' | 'identifier' | 'type' | 'all' | 'any'
  readonly places: readonly FieldPlace[]
  /** Whether it says something about the record alone, not about what belongs to it. */
  readonly isOwn?: boolean
  /** Places for records without a value at any of these. */
  readonly otherwise?: readonly FieldPlace[]
  /** The fields whose values `scan` lists. */
  readonly scan?: { readonly keys: readonly string[]; readonly relation?: string }
  readonly sort?: OrderItem
  /** Whether its words order the records that have them. */
  readonly ranks?: boolean
  /** The values that facets count. */
  readonly facet?: FilterPath
}

/** Context sets by their prefixes. */
export const contextSets = {
  cql: 'info:srw/cql-context-set/1/cql-v1.2',
  dc: 'info:srw/cql-context-set/1/dc-v1.1',
  bib: 'info:srw/cql-context-set/1/bib-v1.1',
  rec: 'info:srw/cql-context-set/2/rec-1.1',
  bath: 'http://zing.z3950.org/cql/bath/2.0/',
  item: 'urn:libretto:cql-context-set:item'
} as const

const named = (type: string, through: readonly string[] = []): FieldPlace => ({
  through,
  path: { kind: 'relation_name', type }
})
/** Names of related records. */
const namedBy = (...types: readonly string[]) => types.map(type => named(type))

const titles = [
  ...['title', 'subtitle', 'parallel_title', 'other_title', 'original_title', 'name', 'non_preferred_name'].map(key =>
    field(key)
  ),
  named('refUniformTitles')
]
/** Other names of related records, such as pseudonyms. */
const variantsOf = (type: string) => field('non_preferred_name', [type])
/** Authors and contributors, by all names of the person. */
const makers: readonly FieldPlace[] = [
  named('refAuthors'),
  ...['name', 'non_preferred_name'].map(key => ({ ...field(key, ['refAuthors']), sharesNames: true as const }))
]
const series = [field('series_statement'), named('refSeries'), variantsOf('refSeries')]
const subjects = [...namedBy('refSubjects', 'refZizos'), variantsOf('refSubjects')]

/** Places whose words are all in the word index of a publication. */
const ranking: ReadonlySet<readonly FieldPlace[]> = new Set([titles, makers, subjects])

const index = (
  qualifiedName: `${keyof typeof contextSets}.${string}`,
  title: string,
  kind: SruIndex['kind'],
  places: readonly FieldPlace[],
  more: Pick<SruIndex, 'scan' | 'sort' | 'otherwise' | 'facet' | 'isOwn'> = {}
): SruIndex => {
  const [set, name] = qualifiedName.split('.') as [keyof typeof contextSets, string]
  return { set, name, title, kind, places, ranks: ranking.has(places), ...more }
}

const byTitle: OrderItem = { by: 'metadata', key: 'title' }
/** The first author of the work, else the first person of the translation or publication. */
const byAuthor: OrderItem = {
  by: 'related',
  paths: [toWork, [wemLinks.expression], toExpression, []].map(path => [...path, 'refAuthors']),
  key: 'name'
}
const byYear: OrderItem = { by: 'metadata', key: 'year_of_publication' }
const related = (type: string, through: readonly string[] = []): FilterPath => ({ kind: 'relation_key', type, through })
const titleScan = { keys: ['title', 'name'] }
const yearPlaces = ['year_of_publication', 'year'].map(key => field(key))
const isbnPlaces = [field('isbn')]
const genres = namedBy('refGenres')
/** A place in the items of a publication. */
const inItems = (place: FieldPlace): FieldPlace => ({ from: holdings.ofPublication, ...place })
const libraries = [
  inItems(named(holdings.at)),
  ...['code', 'non_preferred_name'].map(key => inItems(field(key, [holdings.at])))
]

// biome-ignore format: a row stands on one line, so that the table can be read as one
export const indexes: readonly SruIndex[] = [
  index('cql.serverChoice', 'Anywhere', 'any', [...titles, ...makers, ...subjects, ...namedBy('refPublishers'), field('responsibility'), ...series, field('isbn')]),
  index('cql.anywhere', 'Anywhere', 'any', [...titles, ...makers, ...subjects, ...namedBy('refPublishers'), field('responsibility'), ...series, field('isbn')]),
  index('cql.keywords', 'Title, makers and subjects', 'any', [...titles, ...makers, ...subjects]),
  index('cql.allRecords', 'Every record', 'all', []),

  index('dc.title', 'Title', 'text', titles, { scan: titleScan, sort: byTitle }),
  index('dc.creator', 'Author', 'text', makers, { scan: { keys: ['name'], relation: 'refAuthors' }, sort: byAuthor, facet: related('refAuthors', toWork) }),
  index('dc.contributor', 'Contributor', 'text', makers, { scan: { keys: ['name'], relation: 'refAuthors' } }),
  index('dc.subject', 'Subject', 'text', subjects, { scan: { keys: ['name'], relation: 'refSubjects' }, facet: related('refSubjects', toWork) }),
  index('dc.description', 'Description', 'text', ['description', 'description_short', 'responsibility', 'summary', 'contents', 'note', 'performers', 'credits', 'thesis'].map(key => field(key))),
  index('dc.publisher', 'Publisher', 'text', namedBy('refPublishers'), { scan: { keys: ['name'], relation: 'refPublishers' }, facet: related('refPublishers') }),
  index('dc.date', 'Year', 'year', yearPlaces, { scan: { keys: ['year_of_publication'] }, sort: byYear, isOwn: true, facet: { kind: 'metadata', key: 'year_of_publication' } }),
  index('dc.type', 'Genre, or type of record', 'type', genres, { scan: { keys: ['name'], relation: 'refGenres' } }),
  index('dc.format', 'Extent and carrier', 'text', [field('extent'), field('material_type')]),
  index('dc.identifier', 'ISBN, ISSN, EAN, DOI or another number, or identifier of the record', 'identifier', [...isbnPlaces, ...['issn', 'ean', 'lccn', 'publisher_number', 'cancelled_isbn', 'cancelled_issn', 'other_number'].map(key => field(key))]),
  index('dc.language', 'Language, by its code or its name', 'code', [named('refLanguages'), named('refLanguages', toExpression)], { scan: { keys: ['code'], relation: 'refLanguages' }, isOwn: true, otherwise: [named('refLanguages', toWork)], facet: related('refLanguages', toExpression) }),
  index('dc.relation', 'Series, host, preceding or succeeding title', 'text', [...['host', 'preceding_title', 'succeeding_title'].map(key => field(key)), ...series]),
  index('dc.coverage', 'Place or time', 'text', namedBy('refPlaces', 'refTimes')),

  index('bib.title', 'Title', 'text', titles, { scan: titleScan, sort: byTitle }),
  index('bib.titleSub', 'Subtitle', 'text', [field('subtitle')]),
  index('bib.titleUniform', 'Uniform title', 'text', namedBy('refUniformTitles')),
  index('bib.titleSeries', 'Series', 'text', series, { scan: { keys: ['name'], relation: 'refSeries' }, facet: related('refSeries') }),
  index('bib.titleAlternative', 'Parallel or other title, title of the work or the original', 'text', [field('parallel_title'), field('other_title'), field('title', toWork), field('original_title', toWork), field('original_title')], { isOwn: true }),
  index('bib.name', 'Author or contributor', 'text', makers, { scan: { keys: ['name'], relation: 'refAuthors' }, sort: byAuthor }),
  index('bib.namePersonal', 'Person', 'text', makers, { scan: { keys: ['name'], relation: 'refAuthors' } }),
  index('bib.nameCorporate', 'Corporate body', 'text', makers, { scan: { keys: ['name'], relation: 'refAuthors' } }),
  index('bib.subjectTopical', 'Subject', 'text', subjects, { scan: { keys: ['name'], relation: 'refSubjects' } }),
  index('bib.subjectPlace', 'Place as a subject', 'text', [named('refPlaces', toWork)], { isOwn: true }),
  index('bib.subjectTemporal', 'Time as a subject', 'text', [named('refTimes', toWork)], { isOwn: true }),
  index('bib.genre', 'Genre', 'text', genres, { scan: { keys: ['name'], relation: 'refGenres' }, facet: related('refGenres', toWork) }),
  index('bib.audience', 'Audience', 'text', namedBy('refTargetAudiences')),
  index('bib.classification', 'Class of any scheme: SISO, ZIZO, Dewey, LCC, UDC and others', 'code', [...namedBy('refSisos', 'refZizos'), ...['dewey', 'lcc', 'udc', 'classification'].map(key => field(key))]),
  index('bib.edition', 'Edition', 'text', [field('edition')]),
  index('bib.dateIssued', 'Year of publication', 'year', [field('year_of_publication')], { scan: { keys: ['year_of_publication'] }, sort: byYear, isOwn: true }),
  index('bib.originPlace', 'Place of publication', 'text', [named('refPlaces')], { isOwn: true }),

  index('bath.isbn', 'ISBN', 'isbn', isbnPlaces, { scan: { keys: ['isbn'] } }),
  index('bath.lccn', 'Number of the Library of Congress', 'text', [field('lccn')], { scan: { keys: ['lccn'] } }),
  index('bath.issn', 'ISSN', 'text', [field('issn')], { scan: { keys: ['issn'] } }),

  index('item.shelfMark', 'Shelf mark of an item', 'text', [inItems(field('shelf_mark'))]),
  index('item.barcode', 'Barcode of an item', 'text', [inItems(field('barcode'))]),
  index('item.library', 'Library that holds an item, by its name or its code', 'text', libraries, { facet: { kind: 'relation_key', type: holdings.at, from: holdings.ofPublication } }),

  index('rec.identifier', 'Identifier of the record', 'identifier', [], { sort: { by: 'id' } }),
  index('rec.id', 'Identifier of the record', 'identifier', [], { sort: { by: 'id' } }),
  index('rec.creationDate', 'Created', 'moment', [{ through: [], path: { kind: 'created_at' } }], { sort: { by: 'created' } }),
  index('rec.lastModificationDate', 'Changed', 'moment', [{ through: [], path: { kind: 'updated_at' } }], { sort: { by: 'updated' } })
]

/** Context sets of names without a prefix, in the order of look-up. */
const unprefixed = ['dc', 'bib', 'bath', 'rec', 'cql', 'item'] as const

/** Finds an index by its name, with or without a prefix, as the query defines prefixes. */
export function findIndex(
  name: string,
  prefixes: Readonly<Record<string, string>>
): { readonly index: SruIndex } | { readonly unknown: 'set' | 'index' } {
  const dot = name.indexOf('.')
  const prefix = dot < 0 ? '' : name.slice(0, dot).toLowerCase()
  const local = name.slice(dot + 1).toLowerCase()
  const stated = Object.hasOwn(prefixes, prefix) ? prefixes[prefix] : undefined
  const sets: readonly string[] =
    stated !== undefined
      ? Object.entries(contextSets).flatMap(([set, uri]) => (isSameSet(uri, stated) ? [set] : []))
      : prefix === ''
        ? unprefixed
        : Object.keys(contextSets).filter(set => set === prefix)
  if (sets.length === 0) return { unknown: 'set' }
  for (const set of sets) {
    const found = indexes.find(each => each.set === set && each.name.toLowerCase() === local)
    if (found) return { index: found }
  }
  return { unknown: 'index' }
}

/** Versions of a set differ in additions only. */
const isSameSet = (one: string, other: string) => one.replace(/-v?[\d.]+$/, '') === other.replace(/-v?[\d.]+$/, '')
