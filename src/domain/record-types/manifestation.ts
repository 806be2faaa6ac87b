import { byMaterial, subtypesOf } from './subtypes.ts'

/** A publication, such as an edition with an ISBN. Interface specification, section 2.1. */
export const manifestations = subtypesOf('manifestation', byMaterial('manifestation'), {
  idPrefix: 'M',
  description: 'A publication, such as an edition with an ISBN',
  nameField: 'title',
  fields: {
    title: { kind: 'text', required: true },
    subtitle: { kind: 'text' },
    isbn: { kind: 'isbn', repeatable: true },
    issn: { kind: 'text', repeatable: true, form: 'issn' },
    ean: { kind: 'text', repeatable: true, form: 'ean' },
    year_of_publication: { kind: 'year' },
    edition: { kind: 'text', repeatable: true },
    extent: { kind: 'text', repeatable: true },
    material_type: { kind: 'text', repeatable: true },
    series_statement: { kind: 'text', repeatable: true },
    responsibility: { kind: 'text', repeatable: true },
    is_omnibus: { kind: 'boolean' },
    summary: { kind: 'text', repeatable: true },
    contents: { kind: 'text', repeatable: true },
    note: { kind: 'text', repeatable: true },
    performers: { kind: 'text', repeatable: true },
    credits: { kind: 'text', repeatable: true },
    thesis: { kind: 'text', repeatable: true },
    duration: { kind: 'minutes', min: 0 },
    link: { kind: 'text', repeatable: true, isCode: true, isAddress: true },
    access: { kind: 'text', repeatable: true },
    dewey: { kind: 'text', repeatable: true, isCode: true },
    lcc: { kind: 'text', repeatable: true, isCode: true },
    udc: { kind: 'text', repeatable: true, isCode: true },
    lccn: { kind: 'text', repeatable: true, isCode: true },
    publisher_number: { kind: 'text', repeatable: true, isCode: true },
    cancelled_isbn: { kind: 'text', repeatable: true, isCode: true },
    cancelled_issn: { kind: 'text', repeatable: true, isCode: true },
    host: { kind: 'text', repeatable: true },
    preceding_title: { kind: 'text', repeatable: true },
    succeeding_title: { kind: 'text', repeatable: true }
  },
  relations: {
    refExpressions: { to: ['expression'], min: 1 },
    refPublishers: { to: ['publisher'] },
    refPlaces: { to: ['place'] },
    refAuthors: { to: ['person', 'corporation'] },
    refLanguages: { to: ['language'] },
    refSisos: { to: ['siso'] },
    refZizos: { to: ['zizo'] },
    refTargetAudiences: { to: ['target_audience'] },
    refCodeWordings: { to: ['code_wording'] }
  }
})
