import { noPlaceIn } from './left-out.ts'
import type { Field, RecordType } from './record-type.ts'

/*
 * Records around publications: people, subjects, classifications. `resolvedAs` lists the fields
 * that a resolved relation to such a record shows.
 */

/** Other forms of the name, as existing clients call them: pseudonyms, spellings, translations. */
const variantNames: Field = { kind: 'text', repeatable: true, isVariantName: true, leftOut: noPlaceIn('dc') }

const named = (type: string, idPrefix: string, description: string): RecordType => ({
  type,
  idPrefix,
  description,
  nameField: 'name',
  fields: { name: { kind: 'text', required: true }, non_preferred_name: variantNames },
  relations: {},
  resolvedAs: { value: 'name' }
})

export const language: RecordType = {
  type: 'language',
  idPrefix: 'LANG',
  description: 'A language, with its ISO 639 code',
  nameField: 'name',
  toldApartBy: ['code'],
  fields: {
    name: { kind: 'text', required: true },
    code: { kind: 'text', required: true, isCode: true, form: 'language' }
  },
  relations: {},
  resolvedAs: { value: 'name', code: 'code' }
}

export const person: RecordType = {
  type: 'person',
  idPrefix: 'PERS',
  description: 'A person: author, translator, actor',
  nameField: 'name',
  toldApartBy: ['life_dates'],
  fields: {
    name: { kind: 'text', required: true },
    non_preferred_name: variantNames,
    life_dates: { kind: 'text' }
  },
  relations: {},
  resolvedAs: { value: 'name', life_dates: 'life_dates' },
  omittedWhenEmpty: ['life_dates'],
  isMaker: true
}

export const corporation: RecordType = {
  ...named('corporation', 'CORP', 'An organisation that made something'),
  isMaker: true
}
export const subject: RecordType = { ...named('subject', 'SUBJ', 'A subject term'), relationLabel: 'nomen' }
export const publisher = named('publisher', 'PUB', 'A publisher')

/** A series; its volumes name it with their numbers. */
export const series: RecordType = {
  type: 'series',
  idPrefix: 'SER',
  description: 'A series of publications',
  nameField: 'name',
  fields: {
    name: { kind: 'text', required: true },
    non_preferred_name: variantNames,
    issn: { kind: 'text', repeatable: true, isCode: true, form: 'issn' }
  },
  relations: {},
  resolvedAs: { value: 'name', issn: 'issn' },
  omittedWhenEmpty: ['issn']
}
export const targetAudience = named('target_audience', 'AUD', 'Whom something was made for')
export const genre = named('genre', 'GEN', 'A genre, of books and of shows')
export const place = named('place', 'PL', 'A place')
export const time = named('time', 'TIME', 'A period of time')

export const title: RecordType = {
  type: 'title',
  idPrefix: 'TIT',
  description: 'A uniform title',
  nameField: 'title',
  toldApartBy: ['subtitle'],
  fields: {
    title: { kind: 'text', required: true, leftOut: noPlaceIn('schema') },
    subtitle: { kind: 'text', leftOut: noPlaceIn('schema', 'dc') },
    non_preferred_name: variantNames
  },
  relations: {},
  resolvedAs: { value: 'title', subtitle: 'subtitle' }
}

export const siso: RecordType = {
  type: 'siso',
  idPrefix: 'SISO',
  description: 'A class of the SISO classification',
  nameField: 'code',
  toldApartBy: ['land_or_language'],
  fields: {
    code: { kind: 'text', required: true, isCode: true },
    land_or_language: { kind: 'text', leftOut: noPlaceIn('dc') }
  },
  relations: {},
  resolvedAs: { code: 'code', land_or_language: 'land_or_language' }
}

export const codeWording: RecordType = {
  type: 'code_wording',
  idPrefix: 'CW',
  description: 'The designation of a role, such as author or illustrator',
  nameField: 'wording',
  toldApartBy: ['code', 'code_wording_type'],
  fields: {
    code: { kind: 'text', required: true, isCode: true },
    wording: { kind: 'text' },
    code_wording_type: { kind: 'text', leftOut: noPlaceIn('rdf', 'schema', 'dc') }
  },
  relations: {},
  resolvedAs: { code: 'code', wording: 'wording', code_wording_type: 'code_wording_type' }
}

export const zizo: RecordType = {
  type: 'zizo',
  idPrefix: 'ZIZO',
  description: 'A class of the ZIZO classification, with its broader classes above it',
  nameField: 'title',
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
