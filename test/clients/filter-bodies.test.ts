import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { metadata } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'
import { assertProblem, pointersOf } from '../support/records/write-cases.ts'

/*
 * The kinds of filter bodies that public clients of this interface send, with the records that are
 * found or the refusal, and why. The shapes are theirs; the data and the values are ours. Where
 * bodies differ only in the names of types and fields, one of them is here.
 *
 * They come from the sources of the platform that are public: its documentation (the current page
 * on filters and the one before), its Python services and SDK (every test file that has bodies, to
 * the end, and the module that builds them), and its front-end (the places that build a body, as
 * far as a search of the sources showed them: matchers, search boxes, pickers, menus, groups, maps,
 * comments, jobs, and the queries of the one public customer module for theatres). Not read:
 * customer modules that are not public, and the matcher that reads `and_condition`, of which only
 * the caller is public.
 */

type Given = { id: string; type: string; [member: string]: unknown }

const refs = (...pairs: readonly (readonly [type: string, key: string, members?: object])[]) =>
  pairs.map(([type, key, members]) => ({ type, key, ...members }))

const catalogue: readonly Given[] = [
  {
    id: 'VE-GENT',
    type: 'venue',
    metadata: metadata({ name: 'Hamletzaal', city: 'Gent', capacity: 300, latitude: 51.05, longitude: 3.72 })
  },
  {
    id: 'VE-ANTW',
    type: 'venue',
    identifiers: ['R 53.5'],
    metadata: metadata({ name: 'Schouwburg', city: 'Antwerpen', capacity: 900, latitude: 51.22, longitude: 4.4 })
  },
  { id: 'VE-NOWHERE', type: 'venue', metadata: metadata({ name: 'Wagen', city: 'Gent' }) },
  { id: 'BA-ONE', type: 'booking_agency', metadata: metadata({ name: 'Eerste' }) },
  { id: 'BA-TWO', type: 'booking_agency', metadata: metadata({ name: 'Tweede' }) },
  { id: 'LANG-NL', type: 'language', metadata: metadata({ name: 'Nederlands', code: 'nld' }) },
  {
    id: 'PERS-B',
    type: 'person',
    metadata: metadata({ name: 'Brusselmans, Herman', non_preferred_name: 'Hermans, Brussel', initials: 'hb' })
  },
  { id: 'PERS-C', type: 'person', metadata: metadata({ name: 'Couperus, Louis', initials: 'lc zn' }) },
  { id: 'SUBJ-S', type: 'subject', metadata: metadata({ name: 'Bladmuziek' }) },
  {
    id: 'W-B',
    type: 'work_word',
    metadata: metadata({ title: 'Ex-drummer' }),
    relations: refs(['refAuthors', 'PERS-B'])
  },
  {
    id: 'W-C',
    type: 'work_word',
    metadata: metadata({ title: 'Eline Vere' }),
    relations: refs(['refAuthors', 'PERS-C'], ['refSubjects', 'SUBJ-S'])
  },
  {
    id: 'W-M',
    type: 'work_music',
    metadata: metadata({ title: 'Mars' }),
    relations: refs(['refAuthors', 'PERS-B'], ['refAuthors', 'PERS-C'])
  },
  {
    id: 'PR-HAMLET',
    type: 'production',
    metadata: metadata({
      ...{ title: 'Hamlet', status: 'concept', duration: 90, premiere_date: '2026-03-10', is_original: true },
      ...{ serial_number: 'lpa1-1234', url_of_ticket: 'https://tickets.example' }
    }),
    relations: refs(['refVenues', 'VE-GENT'], ['refBookingAgency', 'BA-ONE'], ['hasKeyword', 'SUBJ-S', { lang: 'en' }])
  },
  {
    id: 'PR-PRINS',
    type: 'production',
    metadata: [
      ...metadata({ status: 'archived', duration: 120, premiere_date: '2025-11-01', serial_number: 'lpb2-99' }),
      { key: 'title', value: 'Prins Hamlet', lang: 'nl' },
      { key: 'title', value: 'Prince Hamlet', lang: 'en' }
    ],
    relations: refs(
      ['refVenues', 'VE-GENT'],
      ['refVenues', 'VE-ANTW'],
      ['refBookingAgency', 'BA-TWO'],
      ['hasKeyword', 'SUBJ-S', { lang: 'nl' }]
    )
  },
  {
    id: 'PR-OTHELLO',
    type: 'production',
    metadata: metadata({ title: 'Othello', status: 'concept', is_original: false })
  },
  ...(
    [
      ['MF-POSTER', 'posters', 'original', 'a.jpg', 4000, 'PR-HAMLET'],
      ['MF-SMALL', 'posters', 'transcode', 'a-small.jpg', 800, 'PR-HAMLET'],
      ['MF-TRAILER', 'trailer', 'original', 'b.mp4', 1920, 'PR-PRINS']
    ] as const
  ).map(([id, mediafile_type, technical_origin, original_filename, width, production]) => ({
    id,
    type: 'mediafile',
    metadata: metadata({ mediafile_type, technical_origin, original_filename, width, title: original_filename }),
    relations: refs(['refProductions', production])
  })),
  {
    id: 'CO-PICTURE',
    type: 'company',
    metadata: metadata({ name: 'Gezelschap' }),
    relations: refs(['refMediafiles', 'MF-TRAILER'])
  }
]

const service = await start({ after })
for (const entity of catalogue) await service.create(entity)

const productions = { type: 'type', value: 'production', match_exact: true }
const venues = { type: 'type', value: 'venue' }
const works = { type: 'selection', key: 'type', value: ['work_word', 'work_music'], match_exact: true }
const title = ['elody:1|metadata.title.value']
const allProductions = ['PR-HAMLET', 'PR-PRINS', 'PR-OTHELLO']
const allMedia = ['MF-POSTER', 'MF-SMALL', 'MF-TRAILER']
const mediaOf = {
  from: 'mediafiles',
  local_field: 'id',
  foreign_field: 'relations.refProductions.key',
  as: 'lookup.virtual_relations.hasMediafile'
}
/** The media files of a record, as the front-end joins them. */
const hasMediafile = {
  from: 'mediafiles',
  local_field: 'relations.hasMediafile.key',
  foreign_field: '_id',
  as: 'lookup.virtual_relations.hasMediafile'
}
const relatedWorks = {
  from: 'bibliographic_entities_actual',
  local_field: 'id',
  foreign_field: 'properties.ref_authors.value',
  as: 'lookup.virtual_relations.ref_authors',
  resolve_to_source_ids: true
}
const agencyOfMedia = {
  from: 'entities',
  local_field: 'properties.ref_productions.value',
  foreign_field: 'identifiers',
  as: '__lookup.virtual_relations.production'
}
const venueOf = {
  from: 'venues_actual',
  local_field: 'properties.ref_venues.value',
  foreign_field: 'id',
  as: 'lookup.virtual_relations.ref_venues'
}
const square = (west: number, south: number, east: number, north: number) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south]
]

interface Refusal {
  readonly refused: 'invalid_filter' | 'unknown_filter_type'
  readonly at: string
}
interface Options {
  readonly options: readonly (readonly [label: string, value: string])[]
}
interface Facets {
  readonly ids: readonly string[]
  readonly facets: readonly object[]
}

type Row = readonly [body: readonly object[], answer: readonly string[] | Refusal | Options | Facets, why: string]

const refusedAt = (at: string): Refusal => ({ refused: 'invalid_filter', at })

const tables: Readonly<Record<string, readonly Row[]>> = {
  'Types of records': [
    [[{ type: 'type', value: 'production' }], allProductions, 'one type'],
    [[productions], allProductions, 'match_exact says nothing more of a type'],
    [[{ type: 'type', key: 'type', value: 'production' }], allProductions, 'the key of a type filter is the type'],
    [[{ type: 'type', value: 'work' }], ['W-B', 'W-C', 'W-M'], 'an umbrella'],
    [[works], ['W-B', 'W-C', 'W-M'], 'several types by a selection'],
    [[{ ...works, value: ['work'] }], [], 'an exact selection of an umbrella: no record has it as its type'],
    [[{ type: 'type', value: 'IotDevice' }], [], 'a type that does not exist is the type of nothing'],
    [[productions, { type: 'type', value: 'venue' }], [], 'two type filters are combined with AND'],
    [[productions, { type: 'type', value: '*' }], allProductions, 'any type'],
    [
      [
        { type: 'type', value: ['venue', 'booking_agency'] },
        { type: 'text', value: 'tweede' }
      ],
      ['BA-TWO'],
      'several types in one filter'
    ],
    [
      [
        { type: 'type', value: 'work_word', match_exact: true },
        { type: 'type', value: 'person', match_exact: true }
      ],
      [],
      'one search program of theirs reads this as one of both types; the specification says AND'
    ],
    [
      [
        {
          type: 'text',
          key: ['properties.name.value', 'properties.title.value'],
          value: 'hamlet',
          item_types: ['venue']
        }
      ],
      ['VE-GENT'],
      'item_types restricts'
    ],
    [
      [
        { type: 'type', value: 'work_word' },
        { type: 'selection', key: 'type', value: ['person'] },
        { type: 'text', value: 'mars', match_exact: false }
      ],
      [],
      'a type filter and a selection of types are combined with AND'
    ],
    [
      [
        { type: 'type', value: ['zizoDomein', 'zizoKast', 'venue'] },
        { type: 'text', key: 'name', value: 'wagen' }
      ],
      ['VE-NOWHERE'],
      'types of their screens that do not exist beside one that does'
    ],
    [
      [
        { type: 'selection', key: 'type', value: ['venue', 'language'], match_exact: true },
        { type: 'text', key: 'name', value: 'neder', match_exact: false }
      ],
      ['LANG-NL'],
      'types by a selection, and a field by its bare name'
    ],
    [[{ type: 'type', value: '' }], [], 'no record is without a type'],
    [[{ ...productions, item_types: [] }], allProductions, 'item_types without any restricts nothing']
  ],

  Texts: [
    [
      [productions, { type: 'text', key: title, value: 'hamlet', match_exact: false }],
      ['PR-HAMLET', 'PR-PRINS'],
      'contains'
    ],
    [[productions, { type: 'text', key: title, value: 'Hamlet', match_exact: true }], ['PR-HAMLET'], 'exactly'],
    [[productions, { type: 'text', key: title, value: 'hamlet', match_exact: true }], [], 'exactly, as stored'],
    [[productions, { type: 'text', key: title, value: '*' }], allProductions, 'any'],
    [[productions, { type: 'text', key: 'properties.serial_number.value', value: '' }], ['PR-OTHELLO'], 'none'],
    [[{ type: 'text', key: 'properties.serial_number.value', value: '^lpa1' }], ['PR-HAMLET'], 'at the beginning'],
    [[{ type: 'text', key: 'properties.serial_number.value', value: '99$' }], ['PR-PRINS'], 'at the end'],
    [
      [productions, { type: 'text', key: title, value: 'Ham*' }],
      ['PR-HAMLET'],
      '* in a text is the pattern of the whole field'
    ],
    [
      [productions, { type: 'text', key: title, value: ' hamlet ' }],
      ['PR-HAMLET', 'PR-PRINS'],
      'blanks around it are cut'
    ],
    [
      [
        { type: 'type', value: 'person' },
        { type: 'text', key: 'properties.initials.value', value: 'zn', match_not: true }
      ],
      ['PERS-B'],
      'contains not'
    ],
    [
      [
        {
          type: 'text',
          key: ['vlacc:1|properties.code.value', 'vlacc:1|properties.name.value'],
          value: 'neder',
          match_exact: false,
          operator: 'or'
        }
      ],
      ['LANG-NL'],
      'several keys, of which the second has it'
    ],
    [[{ type: 'text', value: 'couperus' }], ['PERS-C'], 'no key: the name of the record'],
    [
      [{ type: 'text', key: 'properties.name.value', value: 'herman brusselmans', match_all_words: true }],
      ['PERS-B'],
      'every word, in any order'
    ],
    [
      [{ type: 'text', key: 'properties.name.value', value: 'herman couperus', match_all_words: true }],
      [],
      'not one word of two'
    ],
    [
      [{ type: 'text', key: 'properties.name.value', value: 'herman brusselmans', match_all_words: false }],
      [],
      'one text, as it stands'
    ],
    [
      [
        {
          type: 'text',
          key: 'properties.name.value',
          value: 'Couperus, Louis',
          match_all_words: true,
          match_exact: true
        }
      ],
      ['PERS-C'],
      'exactly, words or not'
    ],
    [
      [{ type: 'text', key: 'properties.name.value', value: 'a '.repeat(17), match_all_words: true }],
      refusedAt('/0/value'),
      'too many words'
    ],
    [
      [{ type: 'selection', key: 'properties.name.value', value: ['a'], match_all_words: true }],
      refusedAt('/0/match_all_words'),
      'words are of texts'
    ],
    [
      [
        { type: 'text', key: ['vlacc:1|properties.name.value'], value: '*', match_exact: false },
        { type: 'text', key: ['vlacc:1|properties.title.value'], value: 'mars' }
      ],
      [],
      'a name and a title: no record has both'
    ],
    [
      [
        { type: 'selection', key: 'type', value: ['work_word', 'person'], match_exact: true },
        { type: 'text', key: ['vlacc:1|properties.title.value'], value: 'eline', operator: 'or', match_exact: false },
        { type: 'text', key: ['vlacc:1|properties.name.value'], value: 'eline', operator: 'or', match_exact: false }
      ],
      ['W-C'],
      'the search box of the front-end: one alternative for each field'
    ],
    [
      [
        {
          type: 'text',
          key: ['elody:1|metadata.title.value'],
          parent_key: 'metadata',
          value: 'eline',
          operator: 'or',
          item_types: ['work_word']
        }
      ],
      ['W-C'],
      'a list that is named beside the whole path'
    ],
    [
      [
        works,
        {
          type: 'text',
          key: ['elody:1|metadata.title.value', 'elody:1|metadata.description.value'],
          relation_keys: ['vlacc:1|properties.ref_authors.value'],
          value: 'couperus mars',
          operator: 'or',
          match_exact: false
        }
      ],
      ['W-M'],
      'relation_keys: each word in a field or in the name of an author'
    ],
    [
      [works, { type: 'text', key: title, relation_keys: ['properties.ref_authors.value'], value: '"Louis Couperus"' }],
      [],
      'relation_keys: words in quotation marks are one text'
    ],
    [
      [works, { type: 'text', key: title, relation_keys: ['properties.ref_authors.value'], value: '"rus, Lou" vere' }],
      ['W-C'],
      'relation_keys: such a text and a word'
    ],
    [[works, { type: 'text', key: title, relation_keys: [], value: 'mars' }], ['W-M'], 'relation_keys: no relations'],
    [
      [works, { type: 'text', key: title, relation_keys: ['properties.title.value'], value: 'mars' }],
      refusedAt('/1/relation_keys'),
      'relation_keys: a title is no relation'
    ],
    [
      [
        works,
        { type: 'text', key: title, relation_keys: ['properties.ref_authors.value'], value: 'Mars', match_exact: true }
      ],
      refusedAt('/1/relation_keys'),
      'relation_keys: words are parts of texts'
    ],
    [[{ type: 'text', key: '', value: 'couperus' }], ['PERS-C'], 'an empty key is none'],
    [[{ type: 'text', value: 'Hamlet', match_exact: true }], ['PR-HAMLET'], 'no key, exactly'],
    [[productions, { type: 'text', value: null, match_exact: false }], refusedAt('/1/value'), 'null is no value'],
    [[productions, { type: 'text', value: '*', match_exact: false }], allProductions, 'any name'],
    [[productions, { type: 'text', value: '', match_exact: false }], [], 'no name'],
    [[productions, { type: 'selection', value: ['', 'Othello'] }], ['PR-OTHELLO'], 'no name, or this one'],
    [
      [
        { type: 'type', value: 'person' },
        { type: 'text', key: 'properties.name.value', value: 'herman', match_exact: false, match_not: true }
      ],
      ['PERS-C'],
      'contains not, of a name'
    ],
    [
      [{ type: 'text', key: 'properties.name.value', value: 'herman mans, brus', match_all_words: true }],
      ['PERS-B'],
      'three words, with a comma'
    ],
    [
      [{ type: 'text', key: ['vlacc:1|properties.isbn_group.value.isbn'], value: '9789000000000', match_exact: false }],
      refusedAt('/0/key/0'),
      'a member of a value: values here have none'
    ],
    [
      [
        { type: 'text', key: ['vlacc:1|properties.name.value'], value: 'mozart', match_exact: false },
        { type: 'text', key: ['vlacc:1|properties.isbn.value'], value: '978-123', match_exact: false }
      ],
      [],
      'two fields, of which no record has both'
    ],
    [
      [{ type: 'text', key: ['ns:1|properties.title.value', 'ns:2|meta.title'], value: 'venice', operator: 'or' }],
      refusedAt('/0/key/1'),
      'a list that does not exist, beside one that does'
    ],
    [
      [
        { type: 'type', value: 'user' },
        { type: 'text', key: ['podiumnet:1|identifiers'], value: 'US-1', match_exact: true }
      ],
      [],
      'the record of the person who is signed in'
    ],
    [[{ type: 'text', key: 'properties.name.value', value: 'Hamlet(zaal)' }], [], 'brackets are letters'],
    [
      [{ type: 'text', key: 'title', value: '*', item_types: ['production'] }],
      allProductions,
      'a declared field, with types'
    ],
    [[{ type: 'text', key: 'filesize', value: '482978' }], refusedAt('/0/key'), 'a field that no type here has'],
    [
      [{ type: 'text', key: 'title', value: 'Hamlet', parent: '123dazm9dza0g' }],
      refusedAt('/0/parent'),
      'their first version; it does not say by which relation'
    ],
    ...['TextInput', 'MultiSelectInput', 'MinMaxInput', 'relation'].map(
      (type): Row => [
        [{ type, key: 'title', value: 'Village' }],
        { refused: 'unknown_filter_type', at: '/0/type' },
        'their first version, which they replaced'
      ]
    ),
    [
      [{ type: 'text', parent_key: 'metadata', key: 'title', value: 'othello' }],
      ['PR-OTHELLO'],
      'the list and the key apart'
    ],
    [[{ type: 'text', parent_key: '', key: 'identifiers', value: 'r 53' }], ['VE-ANTW'], 'no list'],
    [[{ type: 'text', parent_key: 'computed', key: 'x', value: 'x' }], refusedAt('/0/key'), 'there is no such list'],
    [[{ type: 'text', key: title, value: 5 }], refusedAt('/0/value'), 'not a text'],
    [[{ type: 'text', key: title }], refusedAt('/0/value'), 'no value: not everything'],
    [
      [{ type: 'text', key: 'alwaysFalse', value: 'x' }],
      refusedAt('/0/key'),
      'a key that no type declares, without a path'
    ]
  ],

  'Regular expressions': [
    [
      [
        productions,
        { type: 'text', key: 'properties.serial_number.value', value: '^(lpa1|lpb2)-[0-9]{4}$', regex: true }
      ],
      ['PR-HAMLET'],
      'of the safe subset'
    ],
    [
      [{ type: 'text', key: 'properties.serial_number.value', value: '-\\d+$', regex: true }],
      ['PR-HAMLET', 'PR-PRINS'],
      'not tied to the beginning'
    ],
    [[{ type: 'text', key: 'properties.serial_number.value', value: '^LPA', regex: true }], [], 'as stored'],
    [
      [{ type: 'text', key: 'properties.serial_number.value', value: '^LPA', regex: true, regex_options: 'i' }],
      ['PR-HAMLET'],
      'without regard to case'
    ],
    [[productions, { type: 'text', key: title, value: 'hamlet', regex: false }], ['PR-HAMLET', 'PR-PRINS'], 'not one'],
    [
      [{ type: 'text', key: title, value: '(a)\\1', regex: true }],
      refusedAt('/0/value'),
      'back references cannot be had in linear time'
    ],
    [[{ type: 'text', key: title, value: '(?=a)b', regex: true }], refusedAt('/0/value'), 'nor can looking ahead'],
    [
      [{ type: 'text', key: title, value: 'a', regex: true, regex_options: 'x' }],
      refusedAt('/0/regex_options'),
      'other options would change what is found'
    ],
    [[{ type: 'selection', key: title, value: ['a'], regex: true }], refusedAt('/0/regex'), 'only texts have them']
  ],

  Selections: [
    [
      [{ type: 'selection', key: ['elody:1|metadata.city.value'], value: ['Gent', 'Brugge'], match_exact: true }],
      ['VE-GENT', 'VE-NOWHERE'],
      'any of the values'
    ],
    [[{ type: 'selection', key: 'properties.city.value', value: 'ant', match_exact: false }], ['VE-ANTW'], 'contains'],
    [
      [venues, { type: 'selection', key: 'properties.city.value', value: 'gent', match_not: true }],
      ['VE-ANTW'],
      'contains not'
    ],
    [[venues, { type: 'selection', key: 'properties.capacity.value', value: '*' }], ['VE-GENT', 'VE-ANTW'], 'any'],
    [[venues, { type: 'selection', key: 'properties.capacity.value', value: '' }], ['VE-NOWHERE'], 'none'],
    [
      [{ type: 'selection', key: 'properties.capacity.value', value: ['300'], match_exact: true }],
      ['VE-GENT'],
      'a number by its text'
    ],
    [
      [{ type: 'selection', key: 'identifiers', value: ['R 53.5', 'PR-OTHELLO'], match_exact: true }],
      ['VE-ANTW', 'PR-OTHELLO'],
      'any identifier'
    ],
    [
      [{ type: 'selection', key: ['elody:1|identifiers'], value: [], match_exact: true }],
      [],
      'none of no values: not everything'
    ],
    [
      [
        {
          type: 'selection',
          key: ['vlacc:1|properties.name.value', 'vlacc:1|properties.non_preferred_name.value'],
          value: ['Hermans, Brussel'],
          match_exact: true,
          operator: 'or'
        }
      ],
      ['PERS-B'],
      'several keys'
    ],
    [
      [{ type: 'selection', key: ['podiumnet:1|properties.mediafile_type.value'], value: 'poster', match_exact: true }],
      ['MF-POSTER', 'MF-SMALL'],
      'poster is read as posters'
    ],
    [
      [{ type: 'selection', key: 'status', value: ['archived'], match_exact: true }],
      ['PR-PRINS'],
      'a declared field by its bare name'
    ],
    [
      [{ type: 'text', key: 'technical_origin', value: 'original', match_exact: true }],
      ['MF-POSTER', 'MF-TRAILER'],
      'a member of media files'
    ],
    [
      [{ type: 'text', key: ['podiumnet:1|metadata.technical_origin'], value: 'original' }],
      ['MF-POSTER', 'MF-TRAILER'],
      'without .value'
    ],
    [[{ type: 'text', key: 'original_filename', value: 'small' }], ['MF-SMALL'], 'another member of media files'],
    [
      [{ type: 'selection', key: ['elody:1|created_by'], value: ['token:admin'], match_exact: true }],
      catalogue.map(each => each.id),
      'the writer by its bare name'
    ],
    [
      [{ type: 'selection', key: ['vlacc:1|audit.updated.by'], value: ['nobody'], match_exact: true }],
      [],
      'the last writer'
    ],
    [
      [productions, { type: 'selection', key: ['vlacc:1|id'], value: ['PR-OTHELLO'], match_exact: true }],
      ['PR-OTHELLO'],
      'by id'
    ],
    [[{ type: 'selection', key: '_id', value: ['PR-OTHELLO'], match_exact: true }], ['PR-OTHELLO'], 'by _id'],
    [[productions, { type: 'text', key: ['vlacc:1|id'], value: '*', match_exact: false }], allProductions, 'any id'],
    [
      [
        { type: 'type', value: 'person' },
        {
          type: 'selection',
          key: ['vlacc:1|properties.name.value'],
          value: 'louis',
          match_exact: false,
          match_not: false
        }
      ],
      ['PERS-C'],
      'match_not that is false'
    ],
    [
      [
        works,
        { type: 'text', key: title, value: 'e', match_exact: false },
        { type: 'selection', key: title, value: 'vere', match_exact: false, match_not: true }
      ],
      ['W-B'],
      'contains this, and not that'
    ],
    [
      [
        {
          type: 'selection',
          key: [
            'vlacc:1|properties.name.value',
            'vlacc:1|properties.title.value',
            'vlacc:1|properties.non_preferred_name.value',
            'vlacc:1|properties.non_preferred_title.value'
          ],
          value: ['Bladmuziek'],
          match_exact: true,
          operator: 'or'
        },
        { type: 'selection', key: 'type', value: ['nomen', 'subject'], match_exact: true }
      ],
      ['SUBJ-S'],
      'four keys, and types of which one does not exist'
    ],
    [
      [
        {
          type: 'selection',
          key: ['vlacc:1|properties.ref_subjects.value', 'vlacc:1|properties.ref_authors.value'],
          value: ['SUBJ-S', 'PERS-B'],
          match_exact: true,
          operator: 'or'
        }
      ],
      ['W-B', 'W-C', 'W-M'],
      'several relations'
    ],
    [
      [
        productions,
        {
          type: 'selection',
          key: 'relations.refVenues.key',
          value: ['VE-GENT', 'VE-ANTW'],
          and_condition: true,
          match_exact: true
        }
      ],
      ['PR-PRINS'],
      'and_condition: all of the values'
    ],
    [
      [
        productions,
        {
          type: 'selection',
          key: 'relations.refVenues.key',
          value: ['VE-GENT', 'VE-ANTW'],
          and_condition: false,
          match_exact: true
        }
      ],
      ['PR-HAMLET', 'PR-PRINS'],
      'and_condition that is false: any of them'
    ],
    [
      [
        productions,
        { type: 'selection', key: 'relations.refVenues.key', value: [], and_condition: true, match_exact: true }
      ],
      [],
      'and_condition: none of no values'
    ],
    [
      [productions, { type: 'selection', key: title, value: ['prin', 'ham'], and_condition: true }],
      ['PR-PRINS'],
      'and_condition: all of the parts'
    ],
    [
      [productions, { type: 'text', key: title, value: 'a', and_condition: true }],
      refusedAt('/1/and_condition'),
      'of selections only'
    ],
    [
      [{ type: 'text', key: ['podiumnet:1|metadata.mimetype'], value: 'image', match_exact: false }],
      [],
      'the mimetype without .value: here of no file'
    ],
    [
      [{ type: 'selection', key: ['suggest_for_pipeline'], value: ['P-1'], match_exact: true }],
      refusedAt('/0/key/0'),
      'a key that only the server of one project knows'
    ],
    [
      [
        {
          type: 'selection',
          key: ['elody:1|computed_values.created_by'],
          value: ['token:admin'],
          match_exact: true,
          item_types: ['venue']
        }
      ],
      ['VE-GENT', 'VE-ANTW', 'VE-NOWHERE'],
      'their name of the writer'
    ],
    [
      [{ type: 'selection', key: ['elody:1|metadata.type.value'], value: ['import'], match_exact: true }],
      [],
      'a field called type'
    ],
    [[{ type: 'selection', value: ['Hamlet'], match_exact: true }], ['PR-HAMLET'], 'no key: the name of the record'],
    [[{ type: 'selection', key: title, value: [{ value: 'a' }] }], refusedAt('/0/value/0'), 'an object is no value']
  ],

  Identifiers: [
    [
      [{ type: 'id', parent_key: '', key: 'identifiers', value: ['R 53.5', 'PR-HAMLET'] }],
      ['VE-ANTW', 'PR-HAMLET'],
      'any of them'
    ],
    [
      [{ type: 'id', key: 'identifiers', value: 'R 53.5', match_exact: true, item_types: ['venue', 'company'] }],
      ['VE-ANTW'],
      'with types'
    ],
    [
      [{ type: 'id', key: 'identifiers', value: 'R 53.5', match_exact: true, item_types: ['company'] }],
      [],
      'with other types'
    ],
    [[{ type: 'id', key: 'identifiers', value: 'othel', match_exact: false }], ['PR-OTHELLO'], 'part of one']
  ],

  Dates: [
    [
      [{ type: 'date', key: ['elody:1|metadata.premiere_date.value'], value: '2026-03-10', match_exact: true }],
      ['PR-HAMLET'],
      'a day'
    ],
    [
      [
        {
          type: 'date',
          key: 'properties.premiere_date.value',
          value: { min: '2026-01-01T00:00:00+02:00', included: true }
        }
      ],
      ['PR-HAMLET'],
      'from'
    ],
    [
      [{ type: 'date', key: 'properties.premiere_date.value', value: { max: '2025-12-31', included: true } }],
      ['PR-PRINS'],
      'until'
    ],
    [
      [{ type: 'date', key: 'properties.premiere_date.value', value: { min: '2025-01-01', max: '2026-12-31' } }],
      ['PR-HAMLET', 'PR-PRINS'],
      'between'
    ],
    [
      [{ type: 'date', key: 'properties.premiere_date.value', value: { min: null, max: '2025-12-31' } }],
      ['PR-PRINS'],
      'a bound that is null'
    ],
    [
      [{ type: 'date', key: 'properties.premiere_date.value', value: { min: '2026-03-10T00:00:00' } }],
      ['PR-HAMLET'],
      'a bound without "included" is included, as their newer version says of ranges'
    ],
    [
      [productions, { type: 'date', key: 'created', value: { min: '2022-04-14T15:00:00' } }],
      refusedAt('/1/key'),
      'their name of a field that no type here has; date_created is the date of creation'
    ],
    [
      [productions, { type: 'date', key: 'properties.premiere_date.value', value: '*' }],
      ['PR-HAMLET', 'PR-PRINS'],
      'any'
    ],
    [[productions, { type: 'date', key: 'properties.premiere_date.value', value: '' }], ['PR-OTHELLO'], 'none'],
    [
      [
        productions,
        { type: 'date', key: ['elody:1|date_created'], value: { min: '2025-02-03T00:00:00+02:00', included: true } }
      ],
      allProductions,
      'of creation'
    ],
    [
      [
        {
          type: 'date',
          parent_key: 'metadata',
          key: 'premiere_date',
          value: { min: '2026-03-10T00:00:00', included: false }
        }
      ],
      [],
      'without the bound'
    ],
    [[{ type: 'date', key: ['vlacc:1|audit.updated.at'], value: { max: '2020-01-01' } }], [], 'of the last change'],
    [
      [{ type: 'date', key: 'properties.premiere_date.value', value: '2026-03-10T00:00:00+00:00', match_exact: true }],
      ['PR-HAMLET'],
      'an instant'
    ],
    [
      [{ type: 'date', key: 'properties.premiere_date.value', value: '2026-03-10T08:58:23.306000+00:00' }],
      [],
      'another instant of that day'
    ],
    [
      [
        productions,
        { type: 'date', key: ['elody:1|date_updated'], value: { max: '2020-03-12T00:00:00+02:00', included: true } }
      ],
      [],
      'of the last change, as they name it'
    ],
    [
      [
        productions,
        {
          type: 'date',
          key: ['elody:1|computed_values.created_at'],
          value: { min: '2020-01-15T11:00:00+00:00', max: '2999-01-16T22:00:00+00:00', included: true }
        }
      ],
      allProductions,
      'another name of the date of creation'
    ],
    [[{ type: 'date', value: { min: '2026-01-01' } }], refusedAt('/0/key'), 'no key, and a name is no date'],
    [[{ type: 'date', key: 'properties.premiere_date.value', value: {} }], refusedAt('/0/value'), 'no bounds'],
    [
      [{ type: 'date', key: 'properties.premiere_date.value', value: { min: '2027-01-01', max: '2026-01-01' } }],
      refusedAt('/0/value'),
      'bounds reversed'
    ]
  ],

  'Numbers and sizes': [
    [[{ type: 'number', key: 'properties.duration.value', value: 90 }], ['PR-HAMLET'], 'exactly'],
    [
      [{ type: 'number', key: 'properties.width.value', value: { min: 1920, included: true } }],
      ['MF-POSTER', 'MF-TRAILER'],
      'from'
    ],
    [
      [{ type: 'number', parent_key: 'metadata', key: 'width', value: { max: 800, included: true } }],
      ['MF-SMALL'],
      'until'
    ],
    [
      [{ type: 'number', key: 'properties.duration.value', value: { min: 90, max: 120, included: false } }],
      [],
      'between, without the bounds'
    ],
    [[productions, { type: 'number', key: 'properties.duration.value', value: '' }], ['PR-OTHELLO'], 'none'],
    [
      [
        productions,
        {
          type: 'number',
          key: 'properties.ref_venues.value',
          value: { min: 2, max: 6, included: true },
          match_exact: true,
          aggregation: 'size'
        }
      ],
      ['PR-PRINS'],
      'how many relations'
    ],
    [
      [productions, { type: 'number', key: 'properties.ref_venues.value', value: 0, aggregation: 'size' }],
      ['PR-OTHELLO'],
      'no relation'
    ],
    [
      [
        productions,
        { type: 'number', key: 'properties.ref_venues.value', value: { max: 1, included: true }, aggregation: 'size' }
      ],
      ['PR-HAMLET', 'PR-OTHELLO'],
      'at most, none included'
    ],
    [
      [productions, { type: 'number', key: 'properties.title.value', value: { min: 2 }, aggregation: 'size' }],
      ['PR-PRINS'],
      'how many values'
    ],
    [
      [productions, { type: 'number', key: 'properties.duration.value', value: 90, aggregation: '' }],
      ['PR-HAMLET'],
      'an empty aggregation is none'
    ],
    [
      [
        productions,
        {
          type: 'number',
          key: 'lookup.virtual_relations.hasKeyword',
          value: { min: 1, included: true },
          aggregation: 'size'
        }
      ],
      ['PR-HAMLET', 'PR-PRINS'],
      'a relation as they name it'
    ],
    [
      [
        productions,
        {
          type: 'number',
          key: hasMediafile.as,
          value: { min: 1, max: 5, included: true },
          aggregation: 'size',
          lookup: hasMediafile
        }
      ],
      ['PR-HAMLET', 'PR-PRINS'],
      'how many media files, as the front-end joins them'
    ],
    [
      [productions, { type: 'number', key: hasMediafile.as, value: 0, match_exact: true, aggregation: 'size' }],
      ['PR-OTHELLO'],
      'no media file, by the name of the relation'
    ],
    [
      [
        { type: 'type', value: 'company' },
        { type: 'number', key: hasMediafile.as, value: 1, aggregation: 'size' }
      ],
      ['CO-PICTURE'],
      'media files that a record refers to'
    ],
    [
      [
        { type: 'type', value: 'mediafile' },
        { type: 'number', key: 'properties.belongs_to.value', value: { min: 1, included: true }, aggregation: 'size' }
      ],
      [],
      'how many values of a field that no record has'
    ],
    [
      [productions, { type: 'number', key: mediaOf.as, value: 2, aggregation: 'size', lookup: mediaOf }],
      ['PR-HAMLET'],
      'how many records lead here'
    ],
    [
      [
        productions,
        { type: 'number', key: mediaOf.as, value: { max: 0, included: true }, aggregation: 'size', lookup: mediaOf }
      ],
      ['PR-OTHELLO'],
      'no record leads here'
    ],
    [
      [productions, { type: 'number', key: venueOf.as, value: 1, aggregation: 'size', lookup: venueOf }],
      ['PR-HAMLET'],
      'how many of a type'
    ],
    [
      [productions, { type: 'number', key: 'type', value: 1, aggregation: 'size' }],
      refusedAt('/1/key'),
      'a type is not counted'
    ],
    [
      [productions, { type: 'number', key: 'properties.duration.value', value: 90, aggregation: 'avg' }],
      refusedAt('/1/aggregation'),
      'only size'
    ],
    [
      [productions, { type: 'text', key: title, value: 'a', aggregation: 'size' }],
      refusedAt('/1/aggregation'),
      'a size is a number'
    ]
  ],

  Booleans: [
    [
      [productions, { type: 'boolean', key: ['elody:1|metadata.is_original.value'], value: true, match_exact: true }],
      ['PR-HAMLET'],
      'true'
    ],
    [
      [productions, { type: 'boolean', key: 'properties.is_original.value', value: false }],
      ['PR-PRINS', 'PR-OTHELLO'],
      'false is also no value'
    ],
    [
      [productions, { type: 'boolean', key: 'properties.is_original.value', value: '*' }],
      ['PR-HAMLET', 'PR-OTHELLO'],
      'any'
    ],
    [[productions, { type: 'boolean', key: 'properties.is_original.value', value: '' }], ['PR-PRINS'], 'none'],
    [
      [productions, { type: 'boolean', key: 'properties.is_original.value', value: 'true' }],
      refusedAt('/1/value'),
      'a text is no truth'
    ]
  ],

  Relations: [
    [
      [{ type: 'selection', key: 'relations.refVenues.key', value: ['VE-ANTW'], match_exact: true }],
      ['PR-PRINS'],
      'by id'
    ],
    [
      [{ type: 'selection', key: ['dams:1|relations.refVenues.key'], value: ['R 53.5'], match_exact: true }],
      ['PR-PRINS'],
      'by another identifier'
    ],
    [
      [
        {
          type: 'selection',
          parent_key: 'relations',
          key: 'refVenues',
          value: ['VE-GENT', 'VE-GENT'],
          match_exact: true
        }
      ],
      ['PR-HAMLET', 'PR-PRINS'],
      'the list and the key apart'
    ],
    [
      [{ type: 'selection', key: ['vlacc:1|properties.ref_authors.value'], value: ['PERS-B'], match_exact: true }],
      ['W-B', 'W-M'],
      'as a property'
    ],
    [
      [
        works,
        { type: 'selection', key: ['vlacc:1|properties.ref_authors.key'], value: 'brusselmans', match_exact: false }
      ],
      ['W-B', 'W-M'],
      'by the name'
    ],
    [
      [{ type: 'selection', key: ['vlacc:1|properties.ref_authors.key'], value: 'brusselmans', match_exact: true }],
      [],
      'by the exact name'
    ],
    [
      [{ type: 'selection', key: ['elody:1|relations.refVenues.key'], value: ['VE-NO-SUCH'], match_exact: true }],
      [],
      'a record that does not exist'
    ],
    [
      [productions, { type: 'text', key: 'relations.refVenues.key', value: '' }],
      ['PR-OTHELLO'],
      'no relation of a type'
    ],
    [
      [
        { type: 'type', value: 'venue' },
        { type: 'selection', parent_key: 'relations', key: 'isTenantFor', value: [], match_exact: true }
      ],
      [],
      'a relation to one of none'
    ],
    [
      [
        productions,
        {
          type: 'selection',
          parent_key: 'relations',
          key: 'relations.refVenues.key',
          value: ['VE-ANTW'],
          match_exact: true
        }
      ],
      ['PR-PRINS'],
      'the list beside the whole path'
    ],
    [
      [
        productions,
        { type: 'selection', key: ['podiumnet:1|properties.has_keyword.value'], value: ['SUBJ-S'], match_exact: true }
      ],
      [],
      'a field, since only relations that begin with ref are properties'
    ],
    [
      [{ type: 'text', key: 'relations.hasMediafile.key', value: '' }],
      refusedAt('/0/key'),
      'media files refer to their production; count them instead'
    ],
    [
      [{ type: 'text', key: 'relations.hasTag.value', value: 'x' }],
      refusedAt('/0/key'),
      'a relation has no value here'
    ],
    [
      [{ type: 'text', key: 'relations.hasKeyword.key', value: '*', inner_exact_matches: { lang: 'en' } }],
      ['PR-HAMLET'],
      'with a member of its own'
    ],
    [
      [
        {
          type: 'selection',
          key: 'relations.hasKeyword.key',
          value: ['SUBJ-S'],
          match_exact: true,
          inner_exact_matches: { lang: 'nl' }
        }
      ],
      ['PR-PRINS'],
      'to this, with that member'
    ],
    [
      [{ type: 'text', key: title, value: 'Prince Hamlet', match_exact: true, inner_exact_matches: { lang: 'en' } }],
      ['PR-PRINS'],
      'a value in this language'
    ],
    [
      [{ type: 'text', key: title, value: 'Prince Hamlet', match_exact: true, inner_exact_matches: { lang: 'nl' } }],
      [],
      'a value in another'
    ],
    [[productions, { type: 'text', key: title, value: '*', inner_exact_matches: {} }], allProductions, 'no members'],
    [
      [{ type: 'text', key: title, value: 'prin', inner_exact_matches: { lang: 'en' } }],
      refusedAt('/0/inner_exact_matches'),
      'parts of values are found by an index that has no members'
    ],
    [
      [{ type: 'metadata_on_relation', parent_key: 'relations', key: 'lang', value: 'en' }],
      { refused: 'unknown_filter_type', at: '/0/type' },
      'use inner_exact_matches, which says of which relation'
    ]
  ],

  'Other records (lookup)': [
    [
      [
        productions,
        {
          lookup: venueOf,
          type: 'selection',
          key: `${venueOf.as}.properties.name.value`,
          value: ['Schouwburg'],
          match_exact: true
        }
      ],
      ['PR-PRINS'],
      'of a relation'
    ],
    [
      [
        works,
        {
          type: 'selection',
          key: ['vlacc:1|properties.ref_authors.key'],
          value: 'brusselmans',
          match_exact: false,
          lookup: {
            from: 'entities_actual',
            local_field: 'properties.ref_authors.value',
            foreign_field: '_id',
            as: 'lookup.virtual_relations.ref_authors'
          }
        }
      ],
      ['W-B', 'W-M'],
      'beside a key of its own'
    ],
    [
      [
        venues,
        {
          lookup: {
            from: 'productions',
            local_field: 'id',
            foreign_field: 'properties.ref_venues.value',
            as: 'lookup.virtual_relations.shows'
          },
          type: 'selection',
          key: 'lookup.virtual_relations.shows.identifiers',
          value: ['PR-PRINS'],
          match_exact: true
        }
      ],
      ['VE-GENT', 'VE-ANTW'],
      'of what leads here'
    ],
    [
      [productions, { lookup: mediaOf, type: 'selection', key: 'identifiers', value: '*', match_exact: true }],
      ['PR-HAMLET', 'PR-PRINS'],
      'records that have others'
    ],
    [
      [
        productions,
        {
          lookup: { ...mediaOf, preserve_null_and_empty_arrays: true },
          type: 'selection',
          key: 'identifiers',
          value: '*'
        }
      ],
      allProductions,
      'and those that have none'
    ],
    [
      [productions, { lookup: mediaOf, type: 'text', key: `${mediaOf.as}.original_filename`, value: 'small' }],
      ['PR-HAMLET'],
      'a member of a media file'
    ],
    [
      [
        { type: 'selection', key: 'type', value: ['mediafile'] },
        {
          lookup: agencyOfMedia,
          type: 'selection',
          key: [`podiumnet:1|${agencyOfMedia.as}.properties.ref_booking_agency.value`],
          value: ['BA-ONE'],
          match_exact: true,
          or: []
        }
      ],
      ['MF-POSTER', 'MF-SMALL'],
      'two steps away'
    ],
    [
      [
        productions,
        { type: 'boolean', key: 'lookup.virtual_relations.ref_venues.properties.is_venue.value', value: true }
      ],
      [],
      'a relation as they name it'
    ],
    [
      [productions, { type: 'text', key: 'lookup.virtual_relations.ref_venues.properties.city.value', value: 'antw' }],
      ['PR-PRINS'],
      'and a field of its target'
    ],
    [
      [productions, { lookup: { ...mediaOf, from: 'devices_actual' }, type: 'text', key: 'identifiers', value: '*' }],
      refusedAt('/1/lookup/from'),
      'no such records'
    ],
    [
      [productions, { lookup: { ...mediaOf, foreign_field: 'tenants' }, type: 'text', key: 'identifiers', value: '*' }],
      refusedAt('/1/lookup/foreign_field'),
      'not a relation'
    ],
    [
      [
        productions,
        { lookup: hasMediafile, type: 'text', key: `${hasMediafile.as}.original_filename`, value: 'small' }
      ],
      ['PR-HAMLET'],
      'a member of a media file, as the front-end joins it'
    ],
    [
      [
        { type: 'type', value: 'company' },
        {
          lookup: hasMediafile,
          type: 'text',
          key: `${hasMediafile.as}.metadata.mediafile_type.value`,
          value: 'trailer'
        }
      ],
      ['CO-PICTURE'],
      'a field of a media file that a record refers to'
    ],
    [
      [
        { type: 'selection', key: 'type', value: ['person'], match_exact: true },
        {
          type: 'selection',
          key: [`vlacc:1|${relatedWorks.as}.identifiers`],
          operator: 'or',
          value: 'W-C',
          match_exact: true,
          lookup: relatedWorks
        }
      ],
      ['PERS-C'],
      'resolve_to_source_ids: the records that one record refers to'
    ],
    [
      [
        {
          type: 'selection',
          key: `${relatedWorks.as}.identifiers`,
          value: 'W-NO',
          match_exact: true,
          lookup: relatedWorks
        }
      ],
      [],
      'resolve_to_source_ids: of a record that does not exist'
    ],
    [
      [{ type: 'selection', key: `${relatedWorks.as}.properties.title.value`, value: 'Mars', lookup: relatedWorks }],
      refusedAt('/0/key'),
      'resolve_to_source_ids: a title is no identifier'
    ],
    [
      [
        { type: 'type', value: 'work_word' },
        {
          type: 'selection',
          key: ['vlacc:1|identifiers'],
          value: ['W-B', 'PERS-B'],
          match_exact: true,
          lookup: {
            from: 'entities_actual',
            local_field: 'properties.ref_authors.value',
            foreign_field: '_id',
            as: 'lookup.virtual_relations.ref_authors'
          }
        }
      ],
      ['W-B'],
      'identifiers of the record itself, beside a lookup'
    ],
    [
      [
        productions,
        {
          type: 'boolean',
          key: `${venueOf.as}.properties.is_booker.value`,
          value: false,
          distinct_by: 'id',
          lookup: venueOf
        }
      ],
      ['PR-HAMLET', 'PR-PRINS'],
      'each record once, however many others it is joined to'
    ],
    [
      [
        { type: 'selection', key: 'type', value: ['mediafile'], match_exact: true },
        {
          type: 'boolean',
          key: 'alwaysFalse',
          value: true,
          match_exact: true,
          policy_signature: null,
          or: [
            {
              lookup: agencyOfMedia,
              type: 'selection',
              key: `${agencyOfMedia.as}.properties.ref_booking_agency.value`,
              value: ['BA-ONE'],
              match_exact: true,
              or: []
            }
          ]
        }
      ],
      refusedAt('/1/key'),
      'a restriction that their server adds, with its alternatives'
    ],
    [
      [productions, { lookup: { ...mediaOf, as: '' }, type: 'text', key: 'identifiers', value: '*' }],
      refusedAt('/1/lookup/as'),
      'no name'
    ],
    [
      [productions, { lookup: 'mediafiles', type: 'text', key: 'identifiers', value: '*' }],
      refusedAt('/1/lookup'),
      'not an object'
    ]
  ],

  'Optional keys': [
    [
      [venues, { type: 'text', key: '?properties.capacity.value', value: '300', match_exact: true }],
      ['VE-GENT', 'VE-NOWHERE'],
      'has it, or has no value'
    ],
    [
      [venues, { type: 'text', key: '!?properties.capacity.value', value: '300', match_exact: true }],
      ['VE-GENT'],
      'has it after all'
    ],
    [
      [
        { type: 'type', value: 'mediafile' },
        {
          lookup: { ...agencyOfMedia, preserve_null_and_empty_arrays: true },
          type: 'selection',
          key: [`podiumnet:1|?${agencyOfMedia.as}.properties.ref_booking_agency.value`],
          value: ['BA-ONE'],
          match_exact: true
        }
      ],
      ['MF-POSTER', 'MF-SMALL'],
      'of another record'
    ]
  ],

  Combinations: [
    [
      [
        productions,
        { type: 'selection', key: 'properties.status.value', value: ['archived'], match_exact: true, operator: 'or' },
        { type: 'text', key: title, value: 'othello', operator: 'or' }
      ],
      ['PR-PRINS', 'PR-OTHELLO'],
      'one of those with operator or'
    ],
    [
      [
        {
          type: 'selection',
          key: 'relations.refVenues.key',
          value: ['VE-ANTW'],
          match_exact: true,
          or: [{ type: 'selection', key: 'relations.refBookingAgency.key', value: ['BA-ONE'], match_exact: true }]
        }
      ],
      ['PR-HAMLET', 'PR-PRINS'],
      'this or one of those'
    ],
    [
      [
        productions,
        { type: 'text', key: ['vlacc:1|properties.status.value'], value: 'concept', operator: 'or' },
        {
          type: 'selection',
          key: ['vlacc:1|properties.status.value'],
          value: ['archived'],
          match_exact: true,
          operator: 'or'
        },
        { type: 'selection', key: ['vlacc:1|properties.status.value'], value: ['archived'], match_exact: true }
      ],
      ['PR-PRINS'],
      'a filter beside alternatives on the same key narrows them'
    ],
    [
      [
        { type: 'selection', key: 'type', value: ['mediafile'], match_exact: true },
        { type: 'boolean', key: 'alwaysFalse', value: true, match_exact: true, or: [] }
      ],
      refusedAt('/1/key'),
      'the restriction that their server adds for a role'
    ],
    [
      [
        productions,
        { type: 'selection', key: ['elody:1|identifiers'], value: ['PR-HAMLET', 'PR-OTHELLO'], operator: 'and' },
        { type: 'text', key: ['elody:1|metadata.status.value'], value: 'Concept', operator: 'or' },
        { type: 'text', key: ['elody:1|metadata.status.value'], value: 'Verwacht', operator: 'or' }
      ],
      ['PR-HAMLET', 'PR-OTHELLO'],
      'some records, in one of two states'
    ],
    [
      [productions, { type: 'text', key: title, value: 'hamlet' }, { type: 'text', key: title, value: 'prins' }],
      ['PR-PRINS'],
      'two on one key both count'
    ],
    [
      [
        productions,
        {
          type: 'text',
          key: title,
          value: 'hamlet',
          parent_key: null,
          aggregation: null,
          lookup: null,
          distinct_by: null,
          item_types: null,
          bucket: null,
          facets: null,
          operator: null,
          __typename: 'AdvancedFilterInput'
        }
      ],
      ['PR-HAMLET', 'PR-PRINS'],
      'members that are null are absent'
    ],
    [
      [
        productions,
        {
          type: 'text',
          key: title,
          value: 'hamlet',
          label: 'x',
          metadata_key_as_label: '',
          provide_value_options_for_key: false,
          selectionOption: 'auto',
          returnIdAtIndex: 0,
          defaultValueMapping: [],
          includeDefaultValuesFromIntialValues: [],
          resolveDefaultValueToOptionIds: true
        }
      ],
      ['PR-HAMLET', 'PR-PRINS'],
      'hints for screens change nothing'
    ],
    [[{ ...productions, policy_signature: 'x' }], refusedAt('/0/policy_signature'), 'rights are those of the token'],
    [[{ ...productions, match_fuzzy: true }], refusedAt('/0/match_fuzzy'), 'unknown']
  ],

  'One of each value (distinct_by)': [
    [
      [
        { type: 'text', key: ['dams:1|metadata.status.value'], distinct_by: 'metadata.status.value', value: '*' },
        productions
      ],
      ['PR-HAMLET', 'PR-PRINS'],
      'the first of each status'
    ],
    [
      [venues, { type: 'text', key: 'properties.city.value', value: '*', distinct_by: 'properties.city.value' }],
      ['VE-GENT', 'VE-ANTW'],
      'the first of each city'
    ],
    [
      [{ ...productions, distinct_by: 'relations.refVenues.key' }],
      ['PR-HAMLET', 'PR-PRINS'],
      'the first of each venue; those without one are none'
    ],
    [[{ ...productions, distinct_by: '' }], allProductions, 'empty: all'],
    [
      [
        { type: 'text', value: '*', distinct_by: 'properties.status.value' },
        { type: 'selection', key: 'type', value: ['production'], match_exact: true }
      ],
      ['PR-HAMLET', 'PR-PRINS'],
      'without a key: any name'
    ],
    [[{ ...productions, distinct_by: 'id' }], allProductions, 'each id is of one record'],
    [
      [
        { type: 'text', key: ['vlacc:1|id'], value: '*', distinct_by: 'id', match_exact: false },
        { type: 'type', value: 'venue' }
      ],
      ['VE-GENT', 'VE-ANTW', 'VE-NOWHERE'],
      'a menu of ids'
    ],
    [
      [
        { type: 'text', value: '*', distinct_by: 'properties.status.value' },
        { type: 'selection', key: 'type', value: ['production'], match_exact: true },
        { type: 'selection', key: 'properties.is_original.value', value: 'false', match_exact: true }
      ],
      ['PR-OTHELLO'],
      'beside other filters'
    ],
    [
      [
        { ...productions, distinct_by: 'properties.status.value' },
        { type: 'text', key: title, value: '*', distinct_by: 'properties.duration.value' }
      ],
      refusedAt('/1/distinct_by'),
      'two of them'
    ],
    [
      [{ ...productions, distinct_by: 'audit.created.at' }],
      refusedAt('/0/distinct_by'),
      'neither a field nor a relation'
    ]
  ],

  'Options of menus': [
    [
      [
        productions,
        { type: 'text', key: ['elody:1|metadata.status.value'], value: '*', provide_value_options_for_key: true }
      ],
      {
        options: [
          ['concept', 'concept'],
          ['archived', 'archived']
        ]
      },
      'the values, most frequent first'
    ],
    [
      [
        {
          type: 'text',
          key: 'properties.city.value',
          value: 'ant',
          item_types: ['venue'],
          provide_value_options_for_key: true
        }
      ],
      { options: [['Antwerpen', 'Antwerpen']] },
      'of what matches'
    ],
    [
      [
        productions,
        {
          type: 'text',
          key: ['elody:1|relations.refVenues.key'],
          value: '*',
          metadata_key_as_label: 'metadata.name.value',
          provide_value_options_for_key: true
        }
      ],
      {
        options: [
          ['Hamletzaal', 'VE-GENT'],
          ['Schouwburg', 'VE-ANTW']
        ]
      },
      'related records with their names'
    ],
    [
      [{ type: 'text', key: 'type', value: '*', item_types: ['venue', 'season'], provide_value_options_for_key: true }],
      { options: [['venue', 'venue']] },
      'types'
    ],
    [
      [
        productions,
        {
          type: 'text',
          key: 'properties.status.value',
          value: '*',
          distinct_by: 'properties.status.value',
          provide_value_options_for_key: true
        }
      ],
      {
        options: [
          ['concept', 'concept'],
          ['archived', 'archived']
        ]
      },
      'options differ already'
    ],
    [
      [
        productions,
        {
          type: 'text',
          key: ['properties.status.value', 'properties.is_original.value'],
          value: '*',
          provide_value_options_for_key: true
        }
      ],
      {
        options: [
          ['concept', 'concept'],
          ['archived', 'archived'],
          ['false', 'false'],
          ['true', 'true']
        ]
      },
      'of several keys'
    ],
    [
      [
        productions,
        {
          type: 'text',
          key: `${venueOf.as}.properties.name.value`,
          value: '*',
          lookup: { ...venueOf, from: 'entities' },
          provide_value_options_for_key: true
        }
      ],
      {
        options: [
          ['Hamletzaal', 'Hamletzaal'],
          ['Schouwburg', 'Schouwburg']
        ]
      },
      'names of others'
    ],
    [
      [
        productions,
        {
          type: 'text',
          key: `${venueOf.as}.properties.city.value`,
          value: '*',
          lookup: venueOf,
          provide_value_options_for_key: true
        }
      ],
      refusedAt('/1/key'),
      'other fields of others are not counted'
    ],
    [
      [{ type: 'text', key: 'identifiers', value: '*', item_types: ['season'], provide_value_options_for_key: true }],
      { options: [] },
      'identifiers, here of no record'
    ],
    [[{ ...productions, provide_value_options_for_key: true }], refusedAt('/0/key'), 'no key: not records instead']
  ],

  Facets: [
    [
      [{ ...productions, facets: [{ key: 'properties.status.value' }] }],
      {
        ids: allProductions,
        facets: [
          {
            properties__status__value: [
              { _id: 'concept', count: 2 },
              { _id: 'archived', count: 1 }
            ]
          }
        ]
      },
      'counts beside the records'
    ],
    [
      [
        {
          ...productions,
          facets: [{ lookups: [{ ...venueOf, from: 'entities' }], key: `${venueOf.as}.properties.name.value` }]
        }
      ],
      {
        ids: ['PR-HAMLET', 'PR-PRINS'],
        facets: [
          {
            lookup__virtual_relations__ref_venues__properties__name__value: [
              { _id: 'Hamletzaal', count: 2 },
              { _id: 'Schouwburg', count: 1 }
            ]
          }
        ]
      },
      'over one lookup, which leaves out records without others'
    ],
    [
      [{ ...productions, facets: [{ lookups: [venueOf, venueOf], key: 'x' }] }],
      refusedAt('/0/facets/0/lookups'),
      'values two steps away are not counted'
    ],
    [[{ ...productions, facets: 'status' }], refusedAt('/0/facets'), 'not a list']
  ],

  'Places on the map (geo)': [
    [
      [
        venues,
        {
          type: 'geo',
          key: 'properties.gps_coordinates.geojson',
          value: { type: 'Polygon', coordinates: [square(3.5, 51, 4, 51.1)] }
        }
      ],
      ['VE-GENT'],
      'inside a polygon'
    ],
    [
      [
        {
          type: 'geo',
          key: ['elody:1|location'],
          value: { type: 'MultiPolygon', coordinates: [[square(3.5, 51, 4, 51.1)], [square(4.3, 51.2, 4.5, 51.3)]] }
        }
      ],
      ['VE-GENT', 'VE-ANTW'],
      'inside one of several'
    ],
    [
      [{ type: 'geo', value: { type: 'Polygon', coordinates: [square(3, 50, 5, 52), square(3.5, 51, 4, 51.1)] } }],
      ['VE-ANTW'],
      'not inside its hole'
    ],
    [
      [
        {
          type: 'geo',
          value: { type: 'Polygon', coordinates: [square(3.5, 51, 4, 51.1)] },
          match_not: true,
          item_types: ['venue']
        }
      ],
      ['VE-ANTW', 'VE-NOWHERE'],
      'outside, or nowhere'
    ],
    [[{ type: 'geo', value: { type: 'Point', coordinates: [3.7, 51] } }], refusedAt('/0/value'), 'a point is no area'],
    [
      [{ type: 'geo', value: { type: 'Polygon', coordinates: [square(3, 50, 5, 52).slice(1)] } }],
      refusedAt('/0/value'),
      'not closed'
    ],
    [
      [{ type: 'geo', key: 'properties.title.value', value: { type: 'Polygon', coordinates: [square(3, 50, 5, 52)] } }],
      refusedAt('/0/key'),
      'a title is no place'
    ],
    [
      [{ type: 'geo', value: { type: 'Polygon', coordinates: [square(3, 50, 5, 52)] }, bucket: 4 }],
      refusedAt('/0/bucket'),
      'one record for each square of a map is another answer'
    ],
    [
      [{ type: 'geo', value: { type: 'Polygon', coordinates: [square(3, 50, 5, 52)] }, bucket: '10' }],
      refusedAt('/0/bucket'),
      'also where its number is a text'
    ],
    [
      [{ type: 'geo', value: { type: 'Polygon', coordinates: [square(3, 50, 5, 52)] }, bucket: '' }],
      ['VE-GENT', 'VE-ANTW'],
      'an empty one is none'
    ]
  ]
}

const send = (body: readonly object[], query = '') => service.post(`/entities/filter${query}`, body)

describe('A filter body of an existing client', () => {
  for (const [name, rows] of Object.entries(tables)) {
    it(`is answered or refused: ${name}`, async () => {
      for (const [body, expected, why] of rows) {
        const answer = await send(body, '?limit=100')
        const what = `${why}: ${JSON.stringify(body)} → ${answer.text.slice(0, 400)}`
        if ('refused' in expected) {
          assertProblem(answer, expected.refused)
          assert.ok(pointersOf(answer).includes(expected.at), what)
          continue
        }
        assert.equal(answer.status, 200, what)
        const { count, results, facets } = answer.body
        if ('options' in expected) {
          const options = expected.options.map(([label, value]) => ({ label, value }))
          assert.deepEqual({ count, results }, { count: options.length, results: options }, what)
          continue
        }
        const ids = 'ids' in expected ? expected.ids : expected
        assert.deepEqual(
          results.map((each: { id: string }) => each.id),
          ids,
          what
        )
        assert.equal(count, ids.length, what)
        assert.deepEqual(facets, 'facets' in expected ? expected.facets : undefined, what)
      }
    })
  }

  it('is one of 16 groups, 250 bodies in all', () => {
    assert.deepEqual([Object.keys(tables).length, Object.values(tables).flat().length], [16, 250])
  })

  it('finds no more with a restriction than without it', async () => {
    const all = new Set(allMedia.concat(catalogue.map(each => each.id)))
    for (const [body, expected] of Object.values(tables).flat()) {
      if ('refused' in expected || 'options' in expected) continue
      const [first, ...others] = body
      if (!first || others.length === 0 || JSON.stringify(body).includes('"operator":"or"')) continue
      const wider = await send(others, '?limit=100')
      if (wider.status !== 200 || wider.body.facets) continue
      const found = new Set(wider.body.results.map((each: { id: string }) => each.id))
      const isDistinct = JSON.stringify(body).includes('distinct_by')
      for (const id of 'ids' in expected ? expected.ids : expected) {
        assert.ok(all.has(id))
        if (!isDistinct) assert.ok(found.has(id), `${id} of ${JSON.stringify(body)}`)
      }
    }
  })

  it('with history=1 lists the versions of the one record that it finds, and none of others', async () => {
    const one = [{ type: 'selection', key: ['elody:1|identifiers'], value: ['PR-HAMLET'], match_exact: true }]
    const answer = await send(one, '?history=1&limit=20&skip=0')
    assert.deepEqual([answer.status, answer.body.count, answer.body.results[0].id], [200, 1, 'PR-HAMLET'])
    for (const none of ['', '0', 'undefined']) assert.equal((await send(one, `?history=${none}`)).body.count, 1)
    assert.deepEqual(pointersOf(await send([productions], '?history=1')), [''])
    assert.deepEqual(pointersOf(await send(one, '?history=all')), ['history'])
    assert.deepEqual(pointersOf(await service.get('/entities?history=1')), ['history'])
  })

  it('cannot leave out members of the answer', async () => {
    assert.deepEqual(pointersOf(await send([productions], '?field=title')), ['field'])
    assert.deepEqual(pointersOf(await send([productions], '?field[]=title')), ['field[]'])
  })

  it('for options may ask for any number of them, and gets at most a page', async () => {
    const options = { type: 'text', key: 'properties.status.value', value: '*', provide_value_options_for_key: true }
    const answer = await send([productions, options], '?limit=999999&skip=0')
    assert.deepEqual([answer.status, answer.body.count, answer.body.limit], [200, 2, 1000])
    const second = await send([productions, options], '?limit=1&skip=1')
    assert.deepEqual(second.body, { count: 2, results: [{ label: 'archived', value: 'archived' }], skip: 1, limit: 1 })
    const records = await send([productions], '?limit=999999')
    assertProblem(records, 'invalid')
    assert.deepEqual(pointersOf(records), ['limit'])
  })

  it('with distinct_by is paged, ordered and counted as any other', async () => {
    const body = [{ ...productions, distinct_by: 'properties.status.value' }]
    const first = await send(body, '?limit=1&order_by=title&asc=0')
    assert.deepEqual([first.body.count, first.body.results[0].id], [2, 'PR-PRINS'])
    const second = await service.post(first.body.next, body)
    assert.deepEqual([second.body.count, second.body.results[0].id, second.body.next], [2, 'PR-HAMLET', undefined])
  })

  it('shows a token nothing of the records that it may not read', async () => {
    const token = await service.tokenWith('read:production')
    const found = async (...filters: object[]) => {
      const answer = await service.post('/entities/filter', filters, { token })
      assert.equal(answer.status, 200, answer.text)
      return answer.body.results.map((each: { id: string }) => each.id)
    }
    const size = { type: 'number', key: 'properties.ref_venues.value', aggregation: 'size' }
    assert.deepEqual(await found({ ...size, value: { min: 1 } }), [])
    assert.deepEqual(await found({ ...size, value: 0 }), allProductions)
    assert.deepEqual(
      await found({ type: 'number', key: mediaOf.as, value: { min: 1 }, aggregation: 'size', lookup: mediaOf }),
      []
    )
    assert.deepEqual(
      await found({ type: 'text', key: `${venueOf.as}.properties.name.value`, value: '*', lookup: venueOf }),
      []
    )
    assert.deepEqual(await found({ type: 'selection', key: 'identifiers', value: '*', lookup: mediaOf }), [])
    assert.deepEqual(
      await found({ type: 'text', key: 'relations.hasKeyword.key', value: '*', inner_exact_matches: { lang: 'en' } }),
      []
    )
    assert.deepEqual(await found({ ...productions, distinct_by: 'relations.refVenues.key' }), [])
    const medium = await service.tokenWith('read:mediafile')
    const referred = { type: 'selection', key: 'identifiers', value: '*', lookup: { ...agencyOfMedia } }
    assert.deepEqual((await service.post('/entities/filter', [referred], { token: medium })).body.results, [])
  })

  it('for a file is refused where it asks for options or facets', async () => {
    const facets = [{ ...productions, facets: [{ key: 'properties.status.value' }] }]
    assertProblem(await service.post('/export?format=ndjson', facets), 'invalid_filter')
  })
})
