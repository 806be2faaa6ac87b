import type { FieldRow } from '../../../client/index.ts'

/** The readiness fields: those whose values run up to `complete`. */
export const readinessFields = (fields: readonly FieldRow[]) =>
  fields.filter(({ of }) => of?.includes('complete') && of.includes('follows_later'))
