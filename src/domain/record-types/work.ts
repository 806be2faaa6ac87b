import { byMaterial, subtypesOf } from './subtypes.ts'

/** The intellectual concept. */
export const works = subtypesOf('work', byMaterial('work'), {
  idPrefix: 'W',
  description: 'The intellectual concept, whatever its language or edition',
  nameField: 'title',
  toldApartBy: ['year', 'work_number', 'refAuthors'],
  fields: {
    title: { kind: 'text', required: true },
    original_title: { kind: 'text', repeatable: true },
    literary_type: { kind: 'text', repeatable: true },
    year: { kind: 'year' },
    scale: { kind: 'text', repeatable: true },
    coordinates: { kind: 'text', repeatable: true },
    work_number: { kind: 'text', repeatable: true }
  },
  relations: {
    refAuthors: { to: ['person', 'corporation'], facet: { order: 30 } },
    refSubjects: { to: ['subject', 'person', 'corporation', 'place', 'title', 'work'], facet: { order: 40 } },
    refGenres: { to: ['genre'], facet: { order: 20, isOpen: true } },
    refPlaces: { to: ['place'] },
    refTimes: { to: ['time'] },
    refZizos: { to: ['zizo'] },
    refSisos: { to: ['siso'] },
    refTargetAudiences: { to: ['target_audience'] },
    refUniformTitles: { to: ['title'] },
    refLanguages: { to: ['language'], facet: { order: 10, isOpen: true } },
    refParts: { to: ['work'] },
    refPrecededBy: { to: ['work'] },
    refRelatedWorks: { to: ['work'] },
    refCodeWordings: { to: ['code_wording'] }
  }
})
