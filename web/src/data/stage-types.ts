import type { RecordTypeRow } from '../../../client/index.ts'
import { readinessFields } from './readiness-fields.ts'

/** The types of a theatre programme, where the catalogue has them. */
export interface StageTypes {
  /** The type that has media and declares their readiness. */
  readonly production: RecordTypeRow | undefined
  /** The type with a start time that belongs to one production. */
  readonly performance: RecordTypeRow | undefined
  /** The type with a first and a last day that productions belong to, and the relation to it. */
  readonly season: { readonly row: RecordTypeRow; readonly relation: string } | undefined
}

/** Recognises the types by their fields and relations. */
export function findStageTypes(types: readonly RecordTypeRow[]): StageTypes {
  const production = types.find(row => readinessFields(row.fields).length > 0)
  const performance = types.find(
    row =>
      row.fields.some(({ kind }) => kind === 'moment') &&
      row.relations.some(({ to, max }) => max === 1 && production !== undefined && to.includes(production.type))
  )
  const seasons = (production?.relations ?? []).flatMap(({ type: relation, to }) =>
    types.filter(row => to.includes(row.type) && hasDays(row)).map(row => ({ row, relation }))
  )
  return { production, performance, season: seasons[0] }
}

/** The fields with the first and the last day. */
export const days = { first: 'start_date', last: 'end_date' } as const

const hasDays = ({ fields }: RecordTypeRow) => Object.values(days).every(day => fields.some(({ key }) => key === day))
