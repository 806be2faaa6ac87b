import type { FieldRow } from '../../../client/index.ts'

/** Fields that say how far the material of a show is: those whose values run up to `complete`. */
export const readinessFields = (fields: readonly FieldRow[]) =>
  fields.filter(({ of }) => of?.includes('complete') && of.includes('follows_later'))
