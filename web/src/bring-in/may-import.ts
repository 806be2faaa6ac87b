import type { RecordModel } from '../data/record-model.ts'

/**
 * Whether whoever is signed in may import, as far as can be told from here: an import touches records of every kind. The service has the last word.
 */
export const mayImport = (model: RecordModel) =>
  model.types.length > 0 && model.types.every(({ may }) => may.includes('read') && may.includes('write'))

export const mayTakeBack = (model: RecordModel) =>
  mayImport(model) && model.types.every(({ may }) => may.includes('delete'))
