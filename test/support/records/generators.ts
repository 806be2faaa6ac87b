import fc from 'fast-check'

import type { Entity, Json } from '#domain/entity/entity.ts'
import type { Filter } from '#domain/filter/filter.ts'
import { type FilterObject, readInstants } from '../oracles/naive-evaluator.ts'
import { anyCharacter } from './any-character.ts'

/* Generators of the random tests: catalogues, and queries for them. */

// Texts

/**
 * Words that have led some program astray: case, marks, letters that grow when folded, wildcards,
 * other scripts, look-alikes.
 */
export const oddWords = [
  ...['Hamlet', 'HAMLET', 'hámlet', 'let', 'Ham', 'Straße', 'STRASSE', 'Øresund', 'oresund', 'Łódź', 'œuvre', 'Oeuvre'],
  ...[
    'Æsir',
    'þorn',
    'Ðuro',
    'İstanbul',
    'ıI',
    'ΣΊΣΥΦΟΣ',
    'Σίσυφος',
    'ﬁn',
    'fin',
    '％',
    '%',
    '_',
    '\\',
    '\\%',
    '"',
    "'"
  ],
  ...[
    '＊',
    'a＊b',
    '日本',
    '日',
    '👩‍👩‍👧',
    '👩',
    'e\u0301',
    'é',
    'E',
    'ﷺ',
    '\u200b',
    ' ',
    '\n',
    '\t',
    '-',
    'ＡＢＣ',
    'abc',
    'ⅷ'
  ],
  ...[
    '2024',
    '2024-01-05',
    'true',
    'false',
    'null',
    '[]',
    '{"a":1}',
    '0',
    '-0',
    '007',
    '1e3',
    '١٢',
    'NaN',
    '\u{10ffff}'
  ],
  ...['\ue000', '\u0301', 'K', 'ſ', 'Å', 'Å', 'i̇', '\u00a0', '\ufeff', 'ßß', 'ss', 'x', 'xy', 'xyz', 'xyzz']
] as const

/** Well-formed text without NUL. */
export const anyText = fc
  .oneof(
    { weight: 5, arbitrary: fc.constantFrom(...oddWords) },
    { weight: 3, arbitrary: fc.array(fc.constantFrom(...oddWords), { maxLength: 4 }).map(words => words.join(' ')) },
    { weight: 2, arbitrary: fc.array(fc.constantFrom(...oddWords), { maxLength: 4 }).map(words => words.join('')) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
    { weight: 1, arbitrary: fc.array(anyCharacter, { maxLength: 20 }).map(characters => characters.join('')) }
  )
  .map(withoutRefused)

const nonEmptyText = anyText.map(text => (text.trim() === '' ? 'x' : text))

/**
 * NUL is refused; the last two code points of the first plane are none that SQLite tells apart in a
 * pattern.
 */
function withoutRefused(text: string): string {
  return text.replace(/[\0\ufffd-\uffff]/g, '')
}

// Values

const days = ['2024-01-05', '2024-02-29', '2023-12-31', '1999-01-01', '0001-01-01', '9999-12-31'] as const
const moments = [
  ...['2024-01-05T00:00:00Z', '2024-01-05T23:59:59.999Z', '2024-01-06T00:30:00+01:00', '2024-01-04T23:00:00-01:00'],
  ...['2024-01-05 12:00', '2024-01-05T12:00:00.5', '1970-01-01T00:00:00Z', '2024-01-06T00:00:00Z', '1999-01-01T10:00Z']
] as const
const anyDate = fc.constantFrom(...days, ...moments)
const anyNumber = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 2, 10, 100, 0.5, -0.5, 1e21, 1e-7, 90, 1999, 800, 2 ** 53),
  fc.integer({ min: -5, max: 5 }),
  fc.double({ noNaN: true, noDefaultInfinity: true })
)
const numberText = fc.constantFrom('0', '1', '-1', '10', '9', '0.50', '.5', '1e2', ' 1', '+1', '00010')
const isbns = [
  ...[
    '9780306406157',
    '978-0-306-40615-7',
    '0306406152',
    '0-306-40615-2',
    'ISBN 0306406152',
    '080442957X',
    '0-8044-2957-x'
  ],
  ...['9780306406158', '0306406153', '978 0 8044 2957 3', '978‐0‐306‐40615‐7', 'not an isbn']
] as const
const anyIsbn = fc.constantFrom(...isbns)

const scalar: fc.Arbitrary<Json> = fc.oneof(
  anyText,
  anyNumber,
  fc.boolean(),
  fc.constant(null),
  fc.constant(''),
  anyDate,
  numberText
)
const mixedValue: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.array(fc.array(scalar, { maxLength: 2 }), { maxLength: 2 }) },
  { weight: 1, arbitrary: fc.dictionary(nonEmptyText, scalar, { maxKeys: 2 }).filter(isPlain) }
)

const oneOrMany = (value: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.oneof({ weight: 3, arbitrary: value }, { weight: 1, arbitrary: fc.array(value, { maxLength: 3 }) })

/**
 * Keys that no type declares, and what may stand under them. Some look like other parts of a path.
 */
const undeclaredKeys: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  note: anyText,
  mixed: mixedValue,
  flag: oneOrMany(fc.boolean()),
  when: oneOrMany(anyDate),
  size: oneOrMany(fc.oneof(anyNumber, numberText)),
  isbn: anyIsbn,
  'x.y': mixedValue,
  'a.value': anyText,
  'Ünï key': anyText,
  id: anyText,
  date_created: anyDate,
  ref_note: anyText,
  '%': anyText,
  // A text longer than any that is kept for exact comparing or sorting; never sorted by here.
  long: anyText.map(text => `${text}${'lang '.repeat(130)}${text}`)
}

const declaredKeys: Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<Json>>>>> = {
  production: {
    subtitle: anyText,
    duration: anyNumber.map(Math.abs),
    premiere_date: anyDate,
    age_category: fc.constantFrom('12+', 'all', '3+')
  },
  venue: { city: anyText, capacity: anyNumber.map(Math.abs), latitude: fc.integer({ min: -90, max: 90 }) },
  person: { life_dates: fc.oneof(anyText, fc.constant('1564-1616')) },
  genre: {},
  work_word: { year: fc.oneof(fc.constantFrom('1999', '800', 'ca. 1600'), fc.integer({ min: -50, max: 2100 })) },
  work_music: { original_title: anyText },
  expression_word: { content_type: anyText },
  reading: { year: fc.constantFrom('1999', 2001, '20', 3) },
  manifestation_word: {
    isbn: anyIsbn,
    is_omnibus: fc.boolean(),
    year_of_publication: fc.oneof(fc.constantFrom('1999', '2001', '900'), fc.integer({ min: 800, max: 2100 }))
  },
  manifestation_map: { isbn: anyIsbn, edition: anyText },
  siso: { code: nonEmptyText },
  code_wording: { code: nonEmptyText, wording: anyText },
  zizo: { code: fc.array(nonEmptyText, { minLength: 1, maxLength: 3 }), level: fc.constantFrom('1', '2') },
  performance: { start: anyDate, url: anyText },
  title: { subtitle: anyText }
}

const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  venue: ['name'],
  person: ['name'],
  genre: ['name'],
  siso: ['code'],
  code_wording: ['code'],
  zizo: ['code', 'title'],
  performance: ['start']
}

const generatedTypes = Object.keys(declaredKeys)

/** Relation types by the type of their target; the others may point anywhere. */
const declaredRelations: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  production: { refVenues: ['venue'], refGenres: ['genre'], refAuthors: ['person'] },
  work_word: { refAuthors: ['person'], refGenres: ['genre'], refZizos: ['zizo'], refSisos: ['siso'] },
  work_music: { refAuthors: ['person'], refUniformTitles: ['title'], refCodeWordings: ['code_wording'] },
  zizo: { refParentZizo: ['zizo'] },
  performance: { refProduction: ['production'], refVenues: ['venue'] }
}
const neededRelations: Readonly<Record<string, readonly [type: string, to: readonly string[]]>> = {
  expression_word: ['refWork', ['work_word', 'work_music']],
  reading: ['refWork', ['work_word', 'work_music']],
  manifestation_word: ['refExpressions', ['expression_word', 'reading']],
  manifestation_map: ['refExpressions', ['expression_word', 'reading']],
  performance: ['refProduction', ['production']]
}
const freeRelations = ['seeAlso', 'refOdd', 'ref_snake', 'refVenues2', 'Ünï rel'] as const

// Catalogues

interface PlannedRelation {
  readonly type: string
  /** A number that chooses among the targets that fit, or a key to nothing. */
  readonly target: number | string
}

interface PlannedEntity {
  readonly type: string
  readonly id: string | undefined
  readonly identifiers: readonly string[]
  readonly metadata: readonly { readonly key: string; readonly value: Json; readonly lang?: string }[]
  readonly relations: readonly PlannedRelation[]
}

/** An event after the records were created; `at` chooses the record. */
type PlannedChange =
  | { readonly kind: 'patch'; readonly at: number; readonly key: string; readonly value: Json }
  | { readonly kind: 'delete'; readonly at: number }

export interface CataloguePlan {
  readonly entities: readonly PlannedEntity[]
  readonly changes: readonly PlannedChange[]
}

const lateNames = ['urn:late:1', 'urn:late:2', 'urn:late:3'] as const
/**
 * Keys to nothing; some of them are taken by a record that comes later, as its id or as another
 * identifier.
 */
const danglingKeys = [
  'GONE-1',
  'GONE-2',
  'LATE-1',
  'LATE-2',
  ...lateNames,
  ...lateNames,
  '__proto__',
  'gone %'
] as const
const lateIds = ['LATE-1', 'LATE-2', 'late-a', 'LATE-B'] as const
const otherIdentifiers = [...lateNames, 'urn:isbn:0306406152', 'Ünï 1', "o'brien", 'a*b', '%'] as const

function entriesOf(keys: Readonly<Record<string, fc.Arbitrary<Json>>>, most: number) {
  const names = Object.keys(keys)
  if (names.length === 0) return fc.constant([])
  const entry = fc
    .constantFrom(...names)
    .chain(key =>
      fc.record(
        { key: fc.constant(key), value: keys[key] ?? anyText, lang: fc.constantFrom('nl', 'en') },
        { requiredKeys: ['key', 'value'] }
      )
    )
  return fc.array(entry, { maxLength: most })
}

/** Declared fields that may have several values, typed by hand. */
const repeatableKeys = [
  ...['isbn', 'issn', 'ean', 'edition', 'extent', 'material_type', 'series_statement', 'responsibility'],
  ...['original_title', 'literary_type', 'scale', 'content_type', 'website', 'email', 'phone']
]

const oncePerKey = (entries: readonly { readonly key: string; readonly value: Json; readonly lang?: string }[]) =>
  entries.filter(
    (entry, index) =>
      repeatableKeys.includes(entry.key) || entries.findIndex(other => other.key === entry.key) === index
  )

const plannedEntity: fc.Arbitrary<PlannedEntity> = fc.constantFrom(...generatedTypes).chain(type => {
  const declared = declaredKeys[type] ?? {}
  const required = requiredKeys[type] ?? ['title']
  const relationTypes = [...Object.keys(declaredRelations[type] ?? {}), ...freeRelations]
  const target = fc.oneof(
    { weight: 4, arbitrary: fc.nat() },
    { weight: 1, arbitrary: fc.constantFrom(...danglingKeys) }
  )
  const needed = neededRelations[type]
  return fc
    .record({
      names: fc.tuple(...required.map(key => fc.tuple(fc.constant(key), declared[key] ?? nonEmptyText))),
      declared: entriesOf(Object.fromEntries(Object.entries(declared).filter(([key]) => !required.includes(key))), 3),
      undeclared: entriesOf(undeclaredKeys, 5),
      id: fc.option(fc.constantFrom(...lateIds), { nil: undefined, freq: 2 }),
      identifiers: fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom(...otherIdentifiers), { maxLength: 2 }) }
      ),
      relations: fc.array(fc.record({ type: fc.constantFrom(...relationTypes), target }), { maxLength: 4 }),
      neededTarget: target
    })
    .map(({ names, declared: own, undeclared, id, identifiers, relations, neededTarget }) => ({
      type,
      id,
      identifiers,
      metadata: [...oncePerKey([...names.map(([key, value]) => ({ key, value })), ...own]), ...undeclared],
      relations: [
        ...(needed ? [{ type: needed[0], target: neededTarget }] : []),
        ...relations.filter(relation => relation.type !== needed?.[0])
      ]
    }))
})

export const aCataloguePlan: fc.Arbitrary<CataloguePlan> = fc.record({
  entities: fc.array(plannedEntity, { maxLength: 60, size: 'max' }),
  changes: fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('patch' as const),
          at: fc.nat(),
          key: fc.constant('mixed'),
          value: mixedValue
        })
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: fc.nat() }) }
    ),
    { maxLength: 12 }
  )
})

/** A planned record as the body of a create, its relations led to records that exist. */
export function toBody(planned: PlannedEntity, existing: readonly Entity[]) {
  const relations = new Map<string, { type: string; key: string }>()
  const allowed = { ...declaredRelations[planned.type] }
  const needed = neededRelations[planned.type]
  if (needed) allowed[needed[0]] = needed[1]
  const known = new Map(existing.flatMap(entity => entity.identifiers.map(each => [each, entity])))
  for (const { type, target } of planned.relations) {
    const fitting = existing.filter(entity => allowed[type]?.includes(entity.type) ?? true)
    const chosen = typeof target === 'string' ? undefined : fitting[target % Math.max(1, fitting.length)]
    const named = typeof target === 'string' ? target : (chosen?.id ?? 'GONE-0')
    // A key to nothing that somebody has taken by now must fit like any other.
    const taken = known.get(named)
    const key = taken && !(allowed[type]?.includes(taken.type) ?? true) ? 'GONE-0' : (taken?.id ?? named)
    const isOnly = type === 'refParentZizo'
    if (isOnly && [...relations.values()].some(each => each.type === type)) continue
    relations.set(`${type} ${key}`, { type, key })
  }
  return {
    type: planned.type,
    ...(planned.id === undefined ? {} : { id: planned.id }),
    metadata: planned.metadata,
    relations: [...relations.values()],
    identifiers: planned.identifiers
  }
}

// Questions

export interface GeneratedQuestion {
  readonly filters: readonly FilterObject[]
  readonly orderBy: string
  readonly asc: 0 | 1
  readonly skip: number
  readonly limit: number
}

const sortNames = [
  ...['date_created', 'date_updated', 'id', 'type', 'title', 'name', 'note', 'mixed', 'flag', 'when', 'size', 'isbn'],
  ...['x.y', 'year', 'year_of_publication', 'duration', 'premiere_date', 'start', 'code', 'Ünï key', 'no such key'],
  ...['properties.title.value', 'metadata.id.value', 'properties.date_created.value', 'subtitle', 'life_dates']
] as const

/** A random question about a catalogue, most of its words taken from the records. */
export function aQuestion(catalogue: readonly Entity[]): fc.Arbitrary<GeneratedQuestion> {
  return fc
    .record({
      filters: fc.oneof(
        { weight: 5, arbitrary: fc.array(aFilter(catalogue, 3), { minLength: 1, maxLength: 1 }) },
        { weight: 4, arbitrary: fc.array(aFilter(catalogue, 3), { minLength: 2, maxLength: 2 }) },
        { weight: 2, arbitrary: fc.array(aFilter(catalogue, 3), { maxLength: 5, size: 'max' }) }
      ),
      orderBy: fc.oneof(
        {
          weight: 4,
          arbitrary: fc
            .array(fc.constantFrom(...sortNames), { maxLength: 3 })
            .map(names => (names.length > 2 ? names : names.slice(0, 1)).join(','))
        },
        { weight: 1, arbitrary: fc.constantFrom('date_updated', 'date_created', 'title') }
      ),
      asc: fc.constantFrom(1 as const, 0 as const),
      skip: fc.oneof(fc.constant(0), fc.nat({ max: catalogue.length + 2 })),
      limit: fc.oneof(fc.integer({ min: 0, max: 25 }), fc.constant(1000)),
      distinctBy: fc.option(
        fc.constantFrom('properties.title.value', 'metadata.name.value', 'relations.refVenues.key'),
        {
          nil: undefined,
          freq: 8
        }
      )
    })
    .map(({ distinctBy, filters: [first, ...others], ...question }) => ({
      ...question,
      filters: first ? [distinctBy === undefined ? first : { ...first, distinct_by: distinctBy }, ...others] : []
    }))
}

/** Filter objects by the kind of filter that they mean. */
export const filtersByKind = (catalogue: readonly Entity[]) =>
  ({
    types: [{ weight: 2, arbitrary: typeFilter }],
    identifiers: [{ weight: 1, arbitrary: idFilter(catalogue) }],
    search: [{ weight: 4, arbitrary: searchFilter(catalogue) }],
    field: [
      { weight: 5, arbitrary: textFilter(catalogue) },
      { weight: 5, arbitrary: selectionFilter(catalogue) },
      { weight: 2, arbitrary: dateFilter(catalogue) },
      { weight: 2, arbitrary: numberFilter },
      { weight: 1, arbitrary: booleanFilter },
      { weight: 2, arbitrary: regexFilter }
    ],
    count: [{ weight: 2, arbitrary: sizeFilter }],
    related: [{ weight: 1, arbitrary: lookupFilter(catalogue, true) }],
    referred: [{ weight: 1, arbitrary: lookupFilter(catalogue, false) }],
    any: [{ weight: 1, arbitrary: optionalFilter(catalogue) }],
    part_of: [{ weight: 2, arbitrary: togetherFilter(catalogue) }],
    // A filter of type "together" makes both.
    whole_of: [],
    // Lists, `match_not` and `distinct_by` make these of any other.
    all: [],
    not: [],
    first_of: [],
    // Not generated: the evaluator leaves them to other tests.
    within: [],
    entry: []
  }) satisfies Record<Filter['kind'], readonly fc.WeightedArbitrary<FilterObject>[]>

/** A filter object of any type, nested at most so deep. */
export function aFilter(catalogue: readonly Entity[], depth: number): fc.Arbitrary<FilterObject> {
  const plain = fc.oneof(...Object.values(filtersByKind(catalogue)).flat())
  const members = fc.record(
    {
      match_not: fc.boolean(),
      operator: fc.constantFrom('or', 'and'),
      ...(depth > 1 ? { or: fc.array(aFilter(catalogue, depth - 1), { maxLength: 2 }) } : {})
    },
    { requiredKeys: [] }
  )
  const none: fc.Arbitrary<object> = fc.constant({})
  return fc
    .tuple(plain, fc.oneof({ weight: 3, arbitrary: none }, { weight: 2, arbitrary: members }))
    .map(([filter, more]) => ({ ...filter, ...more }))
}

/** Filters of one work or of one edition. */
const togetherFilter = (catalogue: readonly Entity[]): fc.Arbitrary<FilterObject> => {
  const inner = fc.oneof(typeFilter, textFilter(catalogue), selectionFilter(catalogue), numberFilter)
  const members = fc.record({ match_not: fc.boolean(), operator: fc.constantFrom('or', 'and') }, { requiredKeys: [] })
  const value = fc.array(
    fc.tuple(inner, members).map(([filter, more]) => ({ ...filter, ...more })),
    { maxLength: 3 }
  )
  return fc.record({ type: fc.constant('together' as const), key: fc.constantFrom('work', 'edition'), value })
}

/** How many values, relations or joined records there are. */
const sizeFilter: fc.Arbitrary<FilterObject> = fc
  .record({
    key: fc.oneof(
      fc.constant('').chain(() => metadataPath(metadataKeys)),
      fc.constantFrom('properties.ref_venues.value', 'relations.refAuthors.key', 'relations.refVenues.key')
    ),
    lookup: fc.option(aLookup(), { nil: undefined }),
    value: fc.oneof(
      fc.nat({ max: 3 }),
      fc.record({ min: fc.nat({ max: 2 }) }),
      fc.record({ max: fc.nat({ max: 2 }), included: fc.boolean() })
    )
  })
  .map(({ key, lookup, value }) => ({
    type: 'number',
    aggregation: 'size',
    value,
    ...(lookup ? { key: lookup.as, lookup } : { key })
  }))

const expressions = [
  ...['^[A-H]', '[0-9]{2}', '^(ha|pr|w-)', 'a.?e', '[^a-z0-9 ]$', '\\d+-\\w*$', '(a|e)(r|n)', '^.{3,5}$', 'ss', 'x?'],
  ...['^$', '[ ]', '^(?:[a-z]+ ?)+$', '(a+)+$', '[Éé]']
]

const regexFilter: fc.Arbitrary<FilterObject> = fc
  .record({
    key: fc.constant('').chain(() => textPath),
    value: fc.constantFrom(...expressions),
    isFolded: fc.boolean()
  })
  .map(({ key, value, isFolded }) => ({
    type: 'text',
    key,
    value: isFolded ? value.replace('[A-H]', '[a-h]').replace('[Éé]', 'e') : value,
    regex: true,
    ...(isFolded ? { regex_options: 'i' } : {})
  }))

/** A join by a relation, in one direction or the other. */
function aLookup(direction: fc.Arbitrary<boolean> = fc.boolean()) {
  return fc
    .record({
      from: fc.constantFrom('entities', 'entities', 'venues', 'works', 'productions', 'expressions'),
      relation: fc.constantFrom('refVenues', 'refAuthors', 'refWork', 'refExpressions', 'refProduction'),
      isForward: direction
    })
    .map(({ from, relation, isForward }) => ({
      from,
      local_field: isForward ? `relations.${relation}.key` : 'id',
      foreign_field: isForward ? 'identifiers' : `relations.${relation}.key`,
      as: 'lookup.virtual_relations.others'
    }))
}

const lookupFilter = (catalogue: readonly Entity[], isForward: boolean): fc.Arbitrary<FilterObject> =>
  fc
    .record({
      lookup: aLookup(fc.constant(isForward)),
      one: aTextSearch(catalogue),
      isOwn: fc.boolean(),
      isOptional: fc.boolean()
    })
    .map(({ lookup, one: { key, value }, isOwn, isOptional }) => ({
      type: 'text',
      lookup,
      key: [key].flat().map(each => {
        const path = each.replace(/^[\w.-]+:\d+\|/, '')
        return isOwn ? path : `${isOptional ? '?' : ''}${lookup.as}.${path}`
      }),
      value
    }))

const optionalFilter = (catalogue: readonly Entity[]): fc.Arbitrary<FilterObject> =>
  aTextSearch(catalogue).map(({ key, value }) => ({ type: 'text', key: [key].flat().map(each => `?${each}`), value }))

const typeNames = [...generatedTypes, 'work', 'expression', 'manifestation', 'no_such_type']
const typeFilter: fc.Arbitrary<FilterObject> = fc.record({
  type: fc.constant('type'),
  value: fc.oneof(fc.constantFrom(...typeNames), fc.array(fc.constantFrom(...typeNames), { maxLength: 8 }))
})

const metadataKeys = [
  ...new Set([...Object.keys(undeclaredKeys), 'title', 'name', ...Object.values(declaredKeys).flatMap(Object.keys)])
]
const relationNames = [
  ...['ref_venues', 'refVenues', 'ref_genres', 'ref_authors', 'ref_work', 'ref_expressions', 'ref_odd', 'ref_zizos'],
  ...['ref_sisos', 'ref_code_wordings', 'ref_uniform_titles', 'ref_parent_zizo', 'ref_production', 'ref_venues2']
] as const
const relationTypes = [...freeRelations, 'refVenues', 'refGenres', 'refAuthors', 'refWork', 'refExpressions'] as const
const textColumns = [
  ...['type', 'id', 'identifiers', '_id', '_key', 'audit.created.at', 'audit.created.by', 'audit.updated.at'],
  ...['audit.updated.by', 'date_created', 'date_updated']
] as const
const prefixes = ['', '', 'catalog:1|', 'dams:2|', 'a.b-c_d:10|'] as const

const prefixed = (path: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom(...prefixes), path).map(([prefix, each]) => `${prefix}${each}`)
const metadataPath = (keys: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...keys), fc.constantFrom('properties', 'metadata'))
    .map(([key, root]) => `${root}.${key}.value`)
const relationPath = fc.oneof(
  fc
    .tuple(fc.constantFrom(...relationNames), fc.constantFrom('value', 'name'))
    .map(([name, side]) => `properties.${name}.${side}`),
  fc.constantFrom(...relationTypes).map(type => `relations.${type}.key`)
)
const textPath = prefixed(
  fc.oneof(
    { weight: 5, arbitrary: metadataPath(metadataKeys) },
    { weight: 3, arbitrary: relationPath },
    { weight: 2, arbitrary: fc.constantFrom(...textColumns) }
  )
)
/** Paths over two to four relations. */
const hoppingPath = fc
  .tuple(
    fc.array(fc.constantFrom(...relationTypes.filter(type => /^ref\w+$/.test(type))), { minLength: 2, maxLength: 4 }),
    fc.constantFrom('value', 'name')
  )
  .map(([types, side]) => `properties.${types.join('.')}.${side}`)

/** Paths to count the values of. */
export const someFacets: fc.Arbitrary<readonly string[]> = fc.uniqueArray(
  fc.oneof({ weight: 2, arbitrary: textPath.filter(path => !path.includes(',')) }, hoppingPath),
  { minLength: 1, maxLength: 3 }
)

/** Paths of what referring records are related to. */
export const referringFacets: readonly string[] = relationTypes
  .filter(type => /^ref\w+$/.test(type))
  .flatMap((by, at, types) => [
    `referring.${by}.${by}.value`,
    `referring.${by}.${types[(at + 1) % types.length]}.value`
  ])

const oneOrSeveral = (path: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 3, arbitrary: path }, { weight: 2, arbitrary: fc.array(path, { maxLength: 3 }) })

interface Written {
  readonly path: string
  readonly text: string
  /** Another name of what is pointed to than the one that stands there. */
  readonly isOther?: boolean
}

/** Every text that stands in a catalogue, with a path that leads to it. */
function textsOf(catalogue: readonly Entity[]): Written[] {
  const known = new Map(catalogue.flatMap(entity => entity.identifiers.map(each => [each, entity])))
  return catalogue.flatMap(entity => [
    { path: 'id', text: entity.id },
    { path: 'type', text: entity.type },
    ...entity.identifiers.map(text => ({ path: 'identifiers', text })),
    ...entity.relations.flatMap(({ type, key }) => [
      { path: `relations.${type}.key`, text: key },
      ...(known.get(key)?.identifiers ?? []).map(text => ({
        path: `relations.${type}.key`,
        text,
        isOther: known.get(key)?.id !== key
      })),
      { path: `properties.${type}.name`, text: String(known.get(key)?.metadata[0]?.value ?? key) }
    ]),
    ...entity.metadata.flatMap(({ key, value }) =>
      (Array.isArray(value) ? (value as Json[]) : [value]).map(each => ({
        path: `metadata.${key}.value`,
        text: typeof each === 'object' ? JSON.stringify(each) : String(each)
      }))
    )
  ])
}

/** A path or several, and a text to look for there, most of the time one that stands there. */
function aTextSearch(catalogue: readonly Entity[]): fc.Arbitrary<{ key: string | string[]; value: string }> {
  const written = textsOf(catalogue)
  const anywhere = fc.tuple(oneOrSeveral(textPath), wantedForm(anyText)).map(([key, value]) => ({ key, value }))
  if (written.length === 0) return anywhere
  // Relations to what came later under another name are few, and easily overlooked: each kind of
  // path has its share.
  const kinds = [...Map.groupBy(written, ({ path, isOther }) => `${path.split('.')[0]} ${isOther}`).values()]
  const place = fc.oneof(...kinds.map(each => fc.constantFrom(...each)))
  const there = place.chain(({ path, text }) =>
    fc
      .tuple(oneOrSeveral(prefixed(fc.constant(path))), wantedForm(fc.constant(text)))
      .map(([key, value]) => ({ key, value }))
  )
  const elsewhere = fc
    .tuple(oneOrSeveral(textPath), wantedForm(place.map(({ text }) => text)))
    .map(([key, value]) => ({ key, value }))
  return fc.oneof({ weight: 6, arbitrary: there }, { weight: 2, arbitrary: elsewhere }, anywhere)
}

/**
 * A text whole, in part, in another case, or as a pattern. At most 512 characters, at most 32
 * stars.
 */
function wantedForm(source: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .record({
      text: source,
      shape: fc.constantFrom(
        'whole',
        'whole',
        'part',
        'upper',
        'lower',
        'begins',
        'ends',
        'holds',
        'holes',
        'nothing',
        'star',
        'tied',
        'tiedToStart',
        'tiedToEnd',
        'blanks'
      ),
      from: fc.nat({ max: 8 }),
      length: fc.nat({ max: 12 })
    })
    .map(({ text, shape, from, length }) => {
      const letters = [...text]
      const part = letters
        .slice(from % Math.max(1, letters.length))
        .slice(0, length)
        .join('')
      const made: Record<string, string> = {
        whole: text,
        part,
        upper: text.toUpperCase(),
        lower: text.toLowerCase(),
        begins: `${letters.slice(0, length).join('')}*`,
        ends: `*${letters.slice(-Math.max(1, length)).join('')}`,
        holds: `*${part}*`,
        holes: letters.map((letter, index) => (index % 3 === from % 3 ? '*' : letter)).join(''),
        nothing: '',
        star: '*',
        tied: `^${text}$`,
        tiedToStart: `^${letters.slice(0, length).join('')}`,
        tiedToEnd: `${letters.slice(-Math.max(1, length)).join('')}$`,
        blanks: ` ${part} `
      }
      return withinLimits(made[shape] ?? text)
    })
}

function withinLimits(text: string): string {
  let stars = 0
  const letters = [...withoutRefused(text)].slice(0, 512)
  return letters.filter(letter => letter !== '*' || ++stars <= 32).join('')
}

const textFilter = (catalogue: readonly Entity[]): fc.Arbitrary<FilterObject> =>
  aTextSearch(catalogue).map(({ key, value }) => ({ type: 'text', key, value }))

function selectionFilter(catalogue: readonly Entity[]): fc.Arbitrary<FilterObject> {
  const one = aTextSearch(catalogue)
  const others = fc.array(
    one.map(({ value }) => value),
    { maxLength: 3 }
  )
  const odd = fc.array(fc.oneof(anyNumber, fc.boolean()), { maxLength: 2 })
  return fc
    .record({
      one,
      others: fc.oneof({ weight: 5, arbitrary: others }, { weight: 1, arbitrary: odd }),
      shape: fc.constantFrom('one', 'one', 'list', 'list', 'others'),
      match_exact: fc.constantFrom(true, false, undefined)
    })
    .map(({ one: { key, value }, others: more, shape, match_exact }) => ({
      type: 'selection',
      key,
      value: shape === 'one' ? value : shape === 'list' ? [value, ...more] : more,
      ...(match_exact === undefined ? {} : { match_exact })
    }))
}

const searchFilter = (catalogue: readonly Entity[]): fc.Arbitrary<FilterObject> =>
  aSearchText(catalogue).map(value => ({ type: 'search', value }))

/** Words that stand in the records: whole, begun, mistyped, a few together. */
export function aSearchText(catalogue: readonly Entity[]): fc.Arbitrary<string> {
  const written = textsOf(catalogue).flatMap(({ text }) => text.split(/[^\p{L}\p{N}\p{M}]+/u).slice(0, 12))
  const words = [...new Set(written.filter(word => word !== ''))]
  const word = fc
    .record({
      text: words.length === 0 ? anyText : fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...words) }, anyText),
      shape: fc.constantFrom(
        'whole',
        'whole',
        'whole',
        'upper',
        'begun',
        'less',
        'more',
        'other',
        'exchanged',
        'twice'
      ),
      at: fc.nat({ max: 12 })
    })
    .map(({ text, shape, at }) => {
      const letters = [...text]
      const place = at % Math.max(1, letters.length)
      const made: Record<string, readonly string[]> = {
        upper: [text.toUpperCase()],
        begun: letters.slice(0, place + 1),
        less: letters.toSpliced(place, 1),
        more: letters.toSpliced(place, 0, 'e'),
        other: letters.toSpliced(place, 1, 'x'),
        exchanged: [
          ...letters.slice(0, place),
          ...letters.slice(place, place + 2).reverse(),
          ...letters.slice(place + 2)
        ],
        twice: letters.toSpliced(place, 1, 'x').toSpliced((place + 3) % Math.max(1, letters.length), 1)
      }
      return (made[shape] ?? letters).join('')
    })
  const isbn = fc.constantFrom(
    '0-8044-2957-X',
    '080442957X',
    '978 0 8044 2957 3',
    'ISBN 9780804429573',
    '9780804429570'
  )
  return fc
    .array(fc.oneof({ weight: 12, arbitrary: word }, isbn), { minLength: 0, maxLength: 3 })
    .map(parts => withinLimits(parts.join(' ')))
}

const dateKeys = ['when', 'premiere_date', 'start', 'mixed', 'x.y', 'note', 'date_created', 'size'] as const

function dateFilter(catalogue: readonly Entity[]): fc.Arbitrary<FilterObject> {
  const stamps = catalogue.map(entity => entity.audit.updated.at)
  const date = stamps.length === 0 ? anyDate : fc.oneof(anyDate, fc.constantFrom(...stamps))
  const columns = fc.constantFrom('audit.created.at', 'audit.updated.at', 'date_created', 'date_updated')
  return fc.record({
    type: fc.constant('date'),
    key: oneOrSeveral(prefixed(fc.oneof(metadataPath(dateKeys), columns))),
    value: fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom('*', '') },
      { weight: 6, arbitrary: date },
      {
        weight: 6,
        arbitrary: aRange(date, (min, max) => (readInstants(min)?.[0] ?? 0) <= (readInstants(max)?.[1] ?? 0))
      }
    )
  })
}

const numberKeys = ['size', 'duration', 'capacity', 'mixed', 'x.y', 'year', 'latitude', 'note'] as const
const numberFilter: fc.Arbitrary<FilterObject> = fc.record({
  type: fc.constant('number'),
  key: oneOrSeveral(prefixed(metadataPath(numberKeys))),
  value: fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom('*', '') },
    { weight: 6, arbitrary: anyNumber },
    { weight: 6, arbitrary: aRange(anyNumber, (min, max) => min <= max) }
  )
})

/** Two ends, one of them or both, the smaller one first. */
function aRange<T>(end: fc.Arbitrary<T>, isInOrder: (min: T, max: T) => boolean): fc.Arbitrary<object> {
  return fc
    .record({
      one: end,
      other: end,
      ends: fc.constantFrom('min', 'max', 'both', 'both'),
      included: fc.option(fc.boolean())
    })
    .map(({ one, other, ends, included }) => {
      const [min, max] = isInOrder(one, other) ? [one, other] : [other, one]
      return {
        ...(ends === 'max' ? {} : { min }),
        ...(ends === 'min' ? {} : { max }),
        ...(included === null ? {} : { included })
      }
    })
}

const booleanFilter: fc.Arbitrary<FilterObject> = fc.record({
  type: fc.constant('boolean'),
  key: oneOrSeveral(prefixed(metadataPath(['flag', 'is_omnibus', 'mixed', 'note', 'x.y']))),
  value: fc.boolean()
})

function idFilter(catalogue: readonly Entity[]): fc.Arbitrary<FilterObject> {
  const names = [...catalogue.flatMap(entity => entity.identifiers), 'no such id']
  const name = fc.constantFrom(...names)
  return fc.record({ type: fc.constant('id'), value: fc.oneof(name, fc.array(name, { maxLength: 4 })) })
}

/** JavaScript reads this member as something else, so it is refused (and tried elsewhere). */
function isPlain(value: object): boolean {
  return !Object.keys(value).includes('__proto__')
}
