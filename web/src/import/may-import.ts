import type { RecordModel } from '../data/record-model.ts'

/**
 * Whether the user may import, as far as the page can tell: an import touches records of every
 * kind.
 */
export const mayImport = (model: RecordModel) =>
  model.types.length > 0 && model.types.every(({ may }) => may.includes('read') && may.includes('write'))

export const mayTakeBack = (model: RecordModel) =>
  mayImport(model) && model.types.every(({ may }) => may.includes('delete'))
