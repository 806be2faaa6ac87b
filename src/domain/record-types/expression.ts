import { roleDetails } from './common-fields.ts'
import { isInside, noPlaceIn } from './left-out.ts'
import { byMaterial, subtypesOf } from './subtypes.ts'

/** Ways to use a work: types of existing clients, without the umbrella in their names. */
export const waysToTakeIn = ['reading', 'listening', 'watching', 'playing', 'orienting', 'easy_reading'] as const

/** A realisation of a work, such as a translation. */
export const expressions = subtypesOf('expression', [...byMaterial('expression'), ...waysToTakeIn], {
  idPrefix: 'E',
  description: 'A realisation of a work, such as a translation or a reading aloud',
  nameField: 'title',
  toldApartBy: ['content_type', 'year', 'refWork', 'refLanguages', 'refAuthors'],
  fields: {
    title: { kind: 'text', required: true, leftOut: noPlaceIn('mods', 'citations') },
    content_type: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'mods') },
    year: { kind: 'year', leftOut: noPlaceIn('mods', 'citations', 'unimarc') }
  },
  relations: {
    refWork: { to: ['work'], min: 1, max: 1, leftOut: isInside('mods', 'citations', 'marc21') },
    refLanguages: { to: ['language'] },
    refAuthors: { to: ['person', 'corporation'], details: roleDetails },
    refCodeWordings: {
      to: ['code_wording'],
      leftOut: noPlaceIn('rdf', 'schema', 'dc', 'mods', 'citations', 'unimarc')
    },
    refTargetAudiences: { to: ['target_audience'], leftOut: noPlaceIn('dc', 'citations', 'unimarc') }
  }
})
