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
    title: { kind: 'text', required: true },
    content_type: { kind: 'text', repeatable: true },
    year: { kind: 'year' }
  },
  relations: {
    refWork: { to: ['work'], min: 1, max: 1 },
    refLanguages: { to: ['language'] },
    refAuthors: { to: ['person', 'corporation'] },
    refCodeWordings: { to: ['code_wording'] },
    refTargetAudiences: { to: ['target_audience'] }
  }
})
