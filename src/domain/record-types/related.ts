import { noPlaceIn } from './left-out.ts'
import { recordHead, nameFields, variantNames } from './common-fields.ts'
import type { RecordType } from './record-type.ts'

/*
 * Records around publications: people, subjects, classifications. `resolvedAs` lists the fields
 * that a resolved relation to such a record shows.
 */

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
  fields: { ...nameFields, life_dates: { kind: 'text' } },
  resolvedAs: { value: 'name', life_dates: 'life_dates' },
  omittedWhenEmpty: ['life_dates'],
  isMaker: true
}

export const corporation: RecordType = {
  ...term('corporation', 'CORP', 'An organisation that made something'),
  isMaker: true
}
export const subject: RecordType = { ...term('subject', 'SUBJ', 'A subject term'), relationLabel: 'nomen' }
export const publisher = term('publisher', 'PUB', 'A publisher')

/** A series; its volumes name it with their numbers. */
export const series: RecordType = {
  ...recordHead('series', 'SER', 'A series of publications'),
  fields: { ...nameFields, issn: { kind: 'text', repeatable: true, isCode: true, form: 'issn' } },
  resolvedAs: { value: 'name', issn: 'issn' },
  omittedWhenEmpty: ['issn']
}
export const targetAudience = term('target_audience', 'AUD', 'Whom something was made for')
export const genre = term('genre', 'GEN', 'A genre, of books and of shows')
export const place = term('place', 'PL', 'A place')
export const time = term('time', 'TIME', 'A period of time')

export const title: RecordType = {
  ...recordHead('title', 'TIT', 'A uniform title', 'title'),
  toldApartBy: ['subtitle'],
  fields: {
    title: { kind: 'text', required: true, leftOut: noPlaceIn('schema') },
    subtitle: { kind: 'text', isSubtitle: true, leftOut: noPlaceIn('schema', 'dc') },
    non_preferred_name: variantNames
  },
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
