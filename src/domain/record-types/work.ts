import { roleDetails } from './common-fields.ts'
import { noPlaceIn } from './left-out.ts'
import { byMaterial, subtypesOf } from './subtypes.ts'

/** The intellectual concept. */
export const works = subtypesOf('work', byMaterial('work'), {
  idPrefix: 'W',
  description: 'The intellectual concept, whatever its language or edition',
  nameField: 'title',
  toldApartBy: ['year', 'work_number', 'refAuthors'],
  fields: {
    title: { kind: 'text', required: true },
    original_title: { kind: 'text', repeatable: true, isVariantName: true },
    literary_type: { kind: 'text', repeatable: true, leftOut: noPlaceIn('mods', 'citations') },
    reading_level: {
      kind: 'text',
      repeatable: true,
      isCode: true,
      facet: { order: 45 },
      leftOut: noPlaceIn('dc', 'mods', 'citations', 'unimarc')
    },
    year: { kind: 'year', leftOut: noPlaceIn('mods', 'unimarc') },
    geographic_area: {
      kind: 'text',
      repeatable: true,
      isCode: true,
      leftOut: noPlaceIn('schema', 'dc', 'mods', 'citations')
    },
    scale: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'dc', 'citations') },
    coordinates: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'citations') },
    work_number: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'dc', 'mods', 'citations', 'unimarc') },
    medium: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'dc', 'mods', 'citations', 'unimarc') }
  },
  relations: {
    refAuthors: { to: ['person', 'corporation'], details: roleDetails, facet: { order: 30 } },
    refSubjects: {
      to: ['subject', 'person', 'corporation', 'place', 'title', 'work'],
      facet: { order: 40 },
      leftOut: noPlaceIn('citations')
    },
    refGenres: { to: ['genre'], facet: { order: 20, isOpen: true }, leftOut: noPlaceIn('citations') },
    refPlaces: { to: ['place'], leftOut: noPlaceIn('citations') },
    refTimes: { to: ['time'], leftOut: noPlaceIn('citations') },
    refZizos: { to: ['zizo'], leftOut: noPlaceIn('citations') },
    refSisos: { to: ['siso'], leftOut: noPlaceIn('citations') },
    refTargetAudiences: { to: ['target_audience'], leftOut: noPlaceIn('dc', 'citations') },
    refUniformTitles: { to: ['title'], leftOut: noPlaceIn('schema', 'dc', 'citations') },
    refLanguages: { to: ['language'], facet: { order: 10, isOpen: true }, leftOut: noPlaceIn('mods', 'citations') },
    refParts: { to: ['work'], leftOut: noPlaceIn('mods', 'citations', 'unimarc') },
    refPrecededBy: { to: ['work'], details: ['date'], leftOut: noPlaceIn('schema', 'mods', 'citations') },
    refSupplementTo: { to: ['work'], details: ['date'], leftOut: noPlaceIn('schema', 'mods', 'citations') },
    refTranslationOf: { to: ['work'], details: ['date'], leftOut: noPlaceIn('mods', 'citations') },
    refBasedOn: { to: ['work'], leftOut: noPlaceIn('mods', 'citations') },
    refRelatedWorks: { to: ['work'], leftOut: noPlaceIn('schema', 'mods', 'citations') },
    refCodeWordings: { to: ['code_wording'], leftOut: noPlaceIn('rdf', 'schema', 'dc', 'mods', 'citations', 'unimarc') }
  }
})
