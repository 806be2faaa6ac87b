import { language } from '#domain/record-types/related.ts'
import type { Dialect } from '../record.ts'

/*
 * Authority records: the type of record that each kind of preferred name becomes, and the fields
 * and relations that their other fields give. Records are written by the same rows.
 * https://www.loc.gov/marc/authority/
 */

export interface HeadingRow {
  /** The tag of the preferred name, of its other forms, and of other authorities (see also). */
  readonly heading: string
  readonly tracing: string
  readonly seeAlso: string
  /** A subfield that the preferred name must have. */
  readonly has?: string
  /** The first indicator that tells it from other names with the tag. */
  readonly first?: string
  readonly type: string
  readonly as: 'personal name' | 'corporate name' | 'meeting name' | 'title' | 'term'
  /** Codes of subfields. */
  readonly from: string
  /** The kind of name, if the type has several. */
  readonly kind?: 'family' | 'meeting'
}

// biome-ignore format: a row stands on one line, so that the table can be read as one
export const authorityTables: Readonly<Record<Dialect, readonly HeadingRow[]>> = {
  marc21: [
    { heading: '100', tracing: '400', seeAlso: '500', has: 't', type: 'title', as: 'title', from: 'tnpmr' },
    { heading: '110', tracing: '410', seeAlso: '510', has: 't', type: 'title', as: 'title', from: 'tnp' },
    { heading: '100', tracing: '400', seeAlso: '500', first: '3', type: 'person', as: 'personal name', from: 'abc', kind: 'family' },
    { heading: '100', tracing: '400', seeAlso: '500', type: 'person', as: 'personal name', from: 'abc' },
    { heading: '111', tracing: '411', seeAlso: '511', type: 'corporation', as: 'meeting name', from: 'anqdce', kind: 'meeting' },
    { heading: '110', tracing: '410', seeAlso: '510', type: 'corporation', as: 'corporate name', from: 'ab' },
    { heading: '130', tracing: '430', seeAlso: '530', type: 'title', as: 'title', from: 'anp' },
    { heading: '148', tracing: '448', seeAlso: '548', type: 'time', as: 'term', from: 'ax' },
    { heading: '150', tracing: '450', seeAlso: '550', type: 'subject', as: 'term', from: 'abx' },
    { heading: '151', tracing: '451', seeAlso: '551', type: 'place', as: 'term', from: 'ax' },
    { heading: '155', tracing: '455', seeAlso: '555', type: 'genre', as: 'term', from: 'ax' }
  ],
  unimarc: [
    { heading: '220', tracing: '420', seeAlso: '520', type: 'person', as: 'personal name', from: 'acd', kind: 'family' },
    { heading: '200', tracing: '400', seeAlso: '500', type: 'person', as: 'personal name', from: 'abcd' },
    { heading: '210', tracing: '410', seeAlso: '510', first: '1', type: 'corporation', as: 'meeting name', from: 'abdfe', kind: 'meeting' },
    { heading: '210', tracing: '410', seeAlso: '510', type: 'corporation', as: 'corporate name', from: 'ab' },
    { heading: '215', tracing: '415', seeAlso: '515', type: 'place', as: 'term', from: 'ax' },
    { heading: '230', tracing: '430', seeAlso: '530', type: 'title', as: 'title', from: 'ahi' },
    { heading: '250', tracing: '450', seeAlso: '550', type: 'subject', as: 'term', from: 'ax' },
    { heading: '280', tracing: '480', seeAlso: '580', type: 'genre', as: 'term', from: 'ax' }
  ]
}

/** A field of the authority. */
export interface DetailRow {
  readonly tags: readonly string[]
  readonly from: string
  readonly gives: string
  /** Whether each subfield is a value; else the field is one. */
  readonly each?: true
  /** Whether it is a number of another file, of which the address is stored. */
  readonly isNumber?: true
}

// biome-ignore format: a row stands on one line, so that the table can be read as one
export const detailTables: Readonly<Record<Dialect, readonly DetailRow[]>> = {
  marc21: [
    { tags: ['678'], from: 'ab', gives: 'biography' },
    { tags: ['680', '677'], from: 'ia', gives: 'scope_note' },
    { tags: ['667', '663', '664', '665', '666', '688'], from: 'abt', gives: 'note' },
    { tags: ['670'], from: 'abu', gives: 'source' },
    { tags: ['372'], from: 'a', gives: 'field_of_activity', each: true },
    { tags: ['374'], from: 'a', gives: 'occupation', each: true },
    { tags: ['730', '748', '750', '751', '755'], from: '01', gives: 'same_as', each: true, isNumber: true },
    { tags: ['856'], from: 'u', gives: 'link', each: true }
  ],
  unimarc: [
    { tags: ['340'], from: 'a', gives: 'biography' },
    { tags: ['330'], from: 'a', gives: 'scope_note' },
    { tags: ['300', '305', '320', '356', '820', '830'], from: 'ab', gives: 'note' },
    { tags: ['810'], from: 'ab', gives: 'source' },
    { tags: ['856'], from: 'u', gives: 'link', each: true }
  ]
}

/** A place or a language of the authority: each subfield is one. */
export interface AroundRow {
  readonly tag: string
  readonly code: string
  readonly relation: 'refPlaces' | 'refLanguages' | 'refMemberOf'
  readonly to: string
  readonly role?: string
}

// biome-ignore format: a row stands on one line, so that the table can be read as one
export const aroundTables: Readonly<Record<Dialect, readonly AroundRow[]>> = {
  marc21: [
    { tag: '370', code: 'a', relation: 'refPlaces', to: 'place', role: 'birth' },
    { tag: '370', code: 'b', relation: 'refPlaces', to: 'place', role: 'death' },
    { tag: '370', code: 'c', relation: 'refPlaces', to: 'place', role: 'country' },
    { tag: '370', code: 'e', relation: 'refPlaces', to: 'place', role: 'residence' },
    { tag: '370', code: 'f', relation: 'refPlaces', to: 'place' },
    { tag: '373', code: 'a', relation: 'refMemberOf', to: 'corporation' },
    { tag: '377', code: 'a', relation: 'refLanguages', to: language.type }
  ],
  unimarc: [{ tag: '101', code: 'a', relation: 'refLanguages', to: language.type }]
}

/** A relation to another authority; a reversed one is a relation of the other to this one. */
export interface SeeAlso {
  readonly relation: 'refBroader' | 'refEarlier' | 'refMemberOf' | 'refPseudonymOf' | 'refRelated' | 'refPlaces'
  readonly isReversed?: true
  readonly role?: string
}

const earlier: SeeAlso = { relation: 'refEarlier' }
const later: SeeAlso = { relation: 'refEarlier', isReversed: true }
const broader: SeeAlso = { relation: 'refBroader' }
const narrower: SeeAlso = { relation: 'refBroader', isReversed: true }
const parent: SeeAlso = { relation: 'refMemberOf' }
const member: SeeAlso = { relation: 'refMemberOf', isReversed: true }
const pseudonym: SeeAlso = { relation: 'refPseudonymOf', isReversed: true }
const realName: SeeAlso = { relation: 'refPseudonymOf' }
const place = (role?: string): SeeAlso => ({ relation: 'refPlaces', ...(role === undefined ? {} : { role }) })

/** The subfield with the code of the relation at its first position. */
export const controlCodes: Readonly<Record<Dialect, string>> = { marc21: 'w', unimarc: '5' }

/** $w of MARC 21 and $5 of UNIMARC. */
export const byControl: Readonly<Record<Dialect, Readonly<Record<string, SeeAlso>>>> = {
  marc21: { a: earlier, b: later, g: broader, h: narrower, t: parent },
  unimarc: { a: earlier, b: later, e: pseudonym, f: realName, g: broader, h: narrower, l: pseudonym }
}

/** $4: the codes of the Integrated Authority File (GND). */
export const byCode: Readonly<Record<string, SeeAlso>> = {
  vorg: earlier,
  nach: later,
  obal: broader,
  obge: broader,
  obin: broader,
  obmo: broader,
  obpa: broader,
  pseu: pseudonym,
  nawi: realName,
  affi: parent,
  adue: parent,
  mitg: member,
  ortg: place('birth'),
  orts: place('death'),
  ortw: place('residence'),
  orta: place('residence'),
  ortv: place(),
  geow: place()
}

/**
 * $4 of 548 and 550 of the GND where they are no other authority, but a date or an occupation of
 * this one; those without a field of the model stay in the record.
 */
export const detailCodes = {
  life_dates: ['datl'],
  active_dates: ['datb', 'datz', 'datw'],
  occupation: ['berc', 'beru'],
  none: ['datf', 'datj', 'dats', 'datu', 'datv', 'datx', 'daty']
} as const

/** $i: the beginning of the words for the relation (RDA, appendix K). */
export const byWords: readonly (readonly [begin: string, SeeAlso])[] = [
  ['alternate identity', pseudonym],
  ['pseudonym', pseudonym],
  ['real identity', realName],
  ['real name', realName],
  ['predecessor', earlier],
  ['earlier', earlier],
  ['successor', later],
  ['later', later],
  ['group member of', parent],
  ['member of', parent],
  ['employer', parent],
  ['hierarchical superior', parent],
  ['group member', member],
  ['hierarchical subordinate', member],
  ['broader', broader],
  ['narrower', narrower]
]

/** The words and codes with which relations are written in MARC 21. */
export const writtenSeeAlso: Readonly<Record<string, { readonly control: string; readonly words?: string }>> = {
  refBroader: { control: 'g' },
  refEarlier: { control: 'a' },
  refMemberOf: { control: 'r', words: 'Group member of:' },
  refPseudonymOf: { control: 'r', words: 'Real identity:' },
  refRelated: { control: '' }
}

/** 008/11 of MARC 21: the thesaurus of a subject; other ones stand in 040 $f. */
export const thesauri: Readonly<Record<string, string>> = {
  a: 'lcsh',
  b: 'lcshac',
  c: 'mesh',
  d: 'nal',
  k: 'cash',
  r: 'aat',
  s: 'sears',
  v: 'rvm'
}
