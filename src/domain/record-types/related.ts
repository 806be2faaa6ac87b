import { noPlaceIn } from './left-out.ts'
import { recordHead, nameFields, roleDetails, variantNames } from './common-fields.ts'
import { pseudonymRelation } from './pseudonyms.ts'
import type { Field, RecordType, RelationRule } from './record-type.ts'

/*
 * Records around publications: people, subjects, classifications. `resolvedAs` lists the fields
 * that a resolved relation to such a record shows.
 */

const words: Field = { kind: 'text', repeatable: true }

/** The parts of a record of an authority file that every kind of thing has. */
const authorityFields = {
  scheme: { ...words, isCode: true, leftOut: noPlaceIn('schema', 'dc') },
  note: { ...words, leftOut: noPlaceIn('schema') },
  source: { ...words, leftOut: noPlaceIn('schema', 'dc') },
  link: { ...words, isCode: true, isAddress: true, leftOut: noPlaceIn('skos') }
} as const satisfies RecordType['fields']

const termFields = {
  ...authorityFields,
  same_as: {
    ...words,
    isCode: true,
    isAddress: true,
    identifies: true,
    leftOut: noPlaceIn('schema', 'dc', 'marcauth')
  },
  scope_note: { ...words, leftOut: noPlaceIn('schema') }
} as const satisfies RecordType['fields']

const agentFields = {
  ...authorityFields,
  biography: { ...words, leftOut: noPlaceIn('skos') },
  active_dates: { kind: 'text', leftOut: noPlaceIn('schema', 'skos') },
  field_of_activity: { ...words, leftOut: noPlaceIn('dc', 'skos') }
} as const satisfies RecordType['fields']

/** The types whose records an authority file has. */
const authorityNames = ['person', 'corporation', 'subject', 'genre', 'place', 'time', 'title'] as const

/** An earlier or later form of the same thing, which has a record of its own. */
const refEarlier: RelationRule = { to: authorityNames, leftOut: noPlaceIn('schema') }
/** See also. */
const refRelated: RelationRule = { to: authorityNames, leftOut: noPlaceIn('schema') }

/** The relation to a term of another scheme with the same meaning; it holds in both directions. */
export const sameAsRelation = 'refSameAs'

const termRelations = {
  [sameAsRelation]: { to: authorityNames, leftOut: noPlaceIn('schema') },
  refBroader: { to: authorityNames, leftOut: noPlaceIn('schema') },
  refEarlier,
  refRelated
} as const satisfies RecordType['relations']

const agentRelations = {
  refMemberOf: { to: ['corporation', 'person'] },
  refEarlier,
  refRelated,
  refPlaces: { to: ['place'], details: roleDetails, leftOut: noPlaceIn('schema', 'skos') },
  refLanguages: { to: ['language'], leftOut: noPlaceIn('skos') }
} as const satisfies RecordType['relations']

const authorityTerm = (type: string, idPrefix: string, description: string): RecordType => ({
  ...term(type, idPrefix, description),
  fields: { ...nameFields, ...termFields },
  relations: termRelations
})

const term = (type: string, idPrefix: string, description: string): RecordType => ({
  ...recordHead(type, idPrefix, description),
  fields: nameFields,
  resolvedAs: { value: 'name' }
})

export const language: RecordType = {
  ...recordHead('language', 'LANG', 'A language, with its ISO 639 code'),
  toldApartBy: ['code'],
  fields: { name: nameFields.name, code: { kind: 'text', required: true, isCode: true, form: 'language' } },
  resolvedAs: { value: 'name', code: 'code' }
}

export const person: RecordType = {
  ...recordHead('person', 'PERS', 'A person: author, translator, actor'),
  toldApartBy: ['life_dates'],
  fields: {
    ...nameFields,
    life_dates: { kind: 'text', leftOut: noPlaceIn('skos') },
    fuller_name: { kind: 'text', repeatable: true, isVariantName: true, leftOut: noPlaceIn('dc', 'skos') },
    name_kind: { kind: 'choice', of: ['family'], leftOut: noPlaceIn('schema', 'dc', 'skos') },
    ...agentFields,
    occupation: { ...words, leftOut: noPlaceIn('dc', 'skos') }
  },
  relations: { [pseudonymRelation]: { to: ['person'], leftOut: noPlaceIn('schema') }, ...agentRelations },
  resolvedAs: { value: 'name', life_dates: 'life_dates' },
  omittedWhenEmpty: ['life_dates'],
  isMaker: true
}

export const corporation: RecordType = {
  ...term('corporation', 'CORP', 'An organisation that made something'),
  fields: {
    ...nameFields,
    name_kind: { kind: 'choice', of: ['meeting'], leftOut: noPlaceIn('schema', 'dc', 'skos') },
    ...agentFields
  },
  relations: agentRelations,
  isMaker: true
}
export const subject: RecordType = { ...authorityTerm('subject', 'SUBJ', 'A subject term'), relationLabel: 'nomen' }
export const publisher = term('publisher', 'PUB', 'A publisher')

/** A series; its volumes name it with their numbers. */
export const series: RecordType = {
  ...recordHead('series', 'SER', 'A series of publications'),
  fields: { ...nameFields, issn: { kind: 'text', repeatable: true, isCode: true, form: 'issn' } },
  resolvedAs: { value: 'name', issn: 'issn' },
  omittedWhenEmpty: ['issn']
}
export const targetAudience = term('target_audience', 'AUD', 'Whom something was made for')
export const genre = authorityTerm('genre', 'GEN', 'A genre, of books and of shows')
export const place = authorityTerm('place', 'PL', 'A place')
export const time = authorityTerm('time', 'TIME', 'A period of time')

export const title: RecordType = {
  ...recordHead('title', 'TIT', 'A uniform title', 'title'),
  toldApartBy: ['subtitle'],
  fields: {
    title: { kind: 'text', required: true, leftOut: noPlaceIn('schema') },
    subtitle: { kind: 'text', isSubtitle: true, leftOut: noPlaceIn('schema', 'dc', 'skos', 'marcauth') },
    non_preferred_name: variantNames,
    ...termFields
  },
  relations: termRelations,
  resolvedAs: { value: 'title', subtitle: 'subtitle' }
}

export const siso: RecordType = {
  ...recordHead('siso', 'SISO', 'A class of the SISO classification', 'code'),
  toldApartBy: ['land_or_language'],
  fields: {
    code: { kind: 'text', required: true, isCode: true },
    land_or_language: { kind: 'text', leftOut: noPlaceIn('dc') }
  },
  resolvedAs: { code: 'code', land_or_language: 'land_or_language' }
}

export const codeWording: RecordType = {
  ...recordHead('code_wording', 'CW', 'The designation of a role, such as author or illustrator', 'wording'),
  toldApartBy: ['code', 'code_wording_type'],
  fields: {
    code: { kind: 'text', required: true, isCode: true },
    wording: { kind: 'text' },
    code_wording_type: { kind: 'text', leftOut: noPlaceIn('rdf', 'schema', 'dc') }
  },
  resolvedAs: { code: 'code', wording: 'wording', code_wording_type: 'code_wording_type' }
}

export const zizo: RecordType = {
  ...recordHead('zizo', 'ZIZO', 'A class of the ZIZO classification, with its broader classes above it', 'title'),
  toldApartBy: ['code', 'refParentZizo'],
  fields: {
    code: { kind: 'codes', required: true },
    title: { kind: 'text', required: true },
    level: { kind: 'text', isCode: true, leftOut: noPlaceIn('rdf', 'schema', 'dc') }
  },
  relations: { refParentZizo: { to: ['zizo'], max: 1, leftOut: noPlaceIn('schema') } },
  resolvedAs: { code: 'code', title: 'title' },
  climbsBy: 'refParentZizo'
}

/** The types whose records an authority file has: MARC authority records and SKOS describe them. */
export const authorityTypes: readonly RecordType[] = [person, corporation, subject, genre, place, time, title]

const authorityTypeNames = new Set(authorityTypes.map(({ type }) => type))
export const isAuthority = ({ type }: RecordType) => authorityTypeNames.has(type)

/** The types of classes of library schemes, which readers see as the place on a shelf. */
export const classTypes: ReadonlySet<string> = new Set([siso.type, zizo.type])
