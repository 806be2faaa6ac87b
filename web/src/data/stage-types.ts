import type { RecordTypeRow } from '../../../client/index.ts'
import { readinessFields } from './readiness-fields.ts'

/** The types of a stage's programme, as far as the catalogue has them. */
export interface StageTypes {
  /** What has media, and declares how far they are. */
  readonly production: RecordTypeRow | undefined
  /** What happens at a moment, and is of one production. */
  readonly performance: RecordTypeRow | undefined
  /** What productions belong to and has a first and a last day, with the relation that leads to it. */
  readonly season: { readonly row: RecordTypeRow; readonly relation: string } | undefined
}

/** Finds them in the tables by what they hold. */
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

/** The fields in which something that lasts has its first and its last day. */
export const days = { first: 'start_date', last: 'end_date' } as const

const hasDays = ({ fields }: RecordTypeRow) => Object.values(days).every(day => fields.some(({ key }) => key === day))
