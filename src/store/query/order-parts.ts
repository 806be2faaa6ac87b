import type { Sql } from './sql.ts'

/**
 * The part of an order that one statement reads. The parts are read one after the other: records
 * that have the sort key, then those that lack it, which come last in both directions. Merged parts
 * are read side by side, and joined by their `sequence`.
 */
export interface OrderSql {
  readonly isMerged?: boolean
  readonly columns: string
  readonly from: string
  /** Parameters of the columns and the joins; they come before those of `where`. */
  readonly parameters: readonly (string | number)[]
  readonly where: Sql
  readonly orderBy: string
}

export interface OrderedRow {
  readonly id: string
  readonly uuid: string
  readonly type: string
  readonly version: number
  readonly document: string
  /** JSON array of the values sorted by, to go on from. */
  readonly sort_values: string
  readonly sequence: number
  /** The number of matches, where all of them were gathered. */
  readonly total?: number | null
}

/**
 * The way to find the first matches in an order: `walk` the index of the order until enough matches
 * were met, which is fast when many records match; or `gather` all matches and sort them, which is
 * fast when few do. Undefined leaves it to the database.
 */
export type Way = 'walk' | 'gather' | undefined
