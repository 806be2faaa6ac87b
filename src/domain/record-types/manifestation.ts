import { roleDetails } from './common-fields.ts'
import { isInside, noPlaceIn } from './left-out.ts'
import type { Field } from './record-type.ts'
import { byMaterial, subtypesOf } from './subtypes.ts'

const classNumber: Field = {
  ...{ kind: 'text', repeatable: true, isCode: true, isShelfMark: true },
  leftOut: noPlaceIn('schema', 'citations')
}

/** A publication, such as an edition with an ISBN. */
export const manifestations = subtypesOf('manifestation', byMaterial('manifestation'), {
  idPrefix: 'M',
  description: 'A publication, such as an edition with an ISBN',
  nameField: 'title',
  toldApartBy: [
    'subtitle',
    'isbn',
    'issn',
    'ean',
    'lccn',
    'publisher_number',
    'year_of_publication',
    'edition',
    'extent',
    'host',
    'refExpressions',
    'refPublishers'
  ],
  fields: {
    title: { kind: 'text', required: true },
    subtitle: { kind: 'text', isSubtitle: true },
    isbn: { kind: 'isbn', repeatable: true },
    issn: { kind: 'text', repeatable: true, form: 'issn' },
    isbn_qualifier: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'dc', 'mods', 'citations') },
    ean: { kind: 'text', repeatable: true, form: 'ean', leftOut: noPlaceIn('citations') },
    year_of_publication: { kind: 'year' },
    publication_date: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'citations') },
    copyright_date: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'citations') },
    distribution: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'dc', 'mods', 'citations') },
    edition: { kind: 'text', repeatable: true },
    extent: { kind: 'text', repeatable: true },
    material_type: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'citations') },
    media_type: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'citations') },
    series_statement: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema') },
    responsibility: { kind: 'text', repeatable: true, leftOut: noPlaceIn('dc', 'citations') },
    is_omnibus: { kind: 'boolean', leftOut: noPlaceIn('rdf', 'schema', 'dc', 'mods', 'citations', 'marc21') },
    summary: { kind: 'text', repeatable: true },
    contents: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'citations') },
    note: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'citations') },
    award: { kind: 'text', repeatable: true, leftOut: noPlaceIn('citations', 'unimarc') },
    cover_link: {
      kind: 'text',
      repeatable: true,
      isCode: true,
      isAddress: true,
      leftOut: noPlaceIn('dc', 'mods', 'citations', 'marc21', 'unimarc')
    },
    performers: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'citations') },
    credits: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'citations') },
    thesis: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema') },
    duration: { kind: 'minutes', min: 0, leftOut: noPlaceIn('dc', 'mods', 'citations') },
    link: { kind: 'text', repeatable: true, isCode: true, isAddress: true },
    access: { kind: 'text', repeatable: true, leftOut: noPlaceIn('citations') },
    dewey: classNumber,
    lcc: classNumber,
    udc: classNumber,
    terms_of_availability: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'dc', 'mods', 'citations') },
    lccn: {
      kind: 'text',
      repeatable: true,
      isCode: true,
      identifies: true,
      leftOut: noPlaceIn('schema', 'citations', 'unimarc')
    },
    publisher_number: { kind: 'text', repeatable: true, isCode: true, leftOut: noPlaceIn('schema', 'citations') },
    cancelled_isbn: { kind: 'text', repeatable: true, isCode: true, leftOut: noPlaceIn('schema', 'dc', 'citations') },
    cancelled_issn: { kind: 'text', repeatable: true, isCode: true, leftOut: noPlaceIn('schema', 'dc', 'citations') },
    host: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema') },
    preceding_title: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'citations') },
    succeeding_title: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'citations') },
    parallel_title: { kind: 'text', repeatable: true, isVariantName: true, leftOut: noPlaceIn('citations') },
    frequency: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'dc', 'citations') },
    numbering: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'citations') },
    other_version: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'citations') },
    provenance: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'citations') },
    technical_details: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'citations') },
    classification: classNumber,
    other_number: { kind: 'text', repeatable: true, isCode: true, leftOut: noPlaceIn('schema', 'citations') },
    other_title: { kind: 'text', repeatable: true, isVariantName: true, leftOut: noPlaceIn('citations') }
  },
  relations: {
    refExpressions: { to: ['expression'], min: 1, leftOut: isInside('schema', 'mods', 'citations', 'marc21') },
    refPublishers: { to: ['publisher'], facet: { order: 50 } },
    refSeries: { to: ['series'], isPart: true, facet: { order: 60 } },
    refHost: { to: ['manifestation'], isPart: true },
    refPlaces: { to: ['place'], leftOut: noPlaceIn('schema', 'dc') },
    refAuthors: { to: ['person', 'corporation'], details: roleDetails },
    refLanguages: { to: ['language'] },
    refSisos: { to: ['siso'], leftOut: noPlaceIn('citations', 'unimarc') },
    refZizos: { to: ['zizo'], leftOut: noPlaceIn('citations', 'unimarc') },
    refTargetAudiences: { to: ['target_audience'], leftOut: noPlaceIn('dc', 'citations', 'unimarc') },
    refCodeWordings: { to: ['code_wording'], leftOut: noPlaceIn('rdf', 'schema', 'dc', 'mods', 'citations', 'unimarc') }
  }
})
