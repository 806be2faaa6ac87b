import { table } from '../table.ts'
import { type Entity, targetsOf } from '../entity/entity.ts'

/*
 * The tables of programmes: performances of productions at venues. Calendars and lists are made
 * from these tables, without naming types in code.
 */

/** The two types, and the relations between them and to their surroundings. */
export const programme = {
  performance: 'performance',
  production: 'production',
  ofProduction: 'refProduction',
  at: 'refVenues',
  by: 'refCompanies',
  genres: 'refGenres'
} as const

/** The venues of a performance: its own, or that of its production if that has exactly one. */
export function venuesOf(
  performance: Pick<Entity, 'relations'>,
  production: Pick<Entity, 'relations'> | undefined
): readonly string[] {
  const own = targetsOf(performance, programme.at)
  if (own.length > 0 || production === undefined) return own
  const ofProduction = targetsOf(production, programme.at)
  return ofProduction.length === 1 ? ofProduction : []
}

export interface ProgrammeOwner {
  /** The relation of performances to it. */
  readonly performancesBy?: string
  /** The relation of productions to it; their performances belong to it. */
  readonly productionsBy?: string
  /**
   * Whether only performances that are played at it count. A production plays at several venues,
   * and its performances are not all at each.
   */
  readonly isPlace?: boolean
  /**
   * Fields with its first and last day, if it has them: performances outside this period do not
   * count.
   */
  readonly days?: readonly [first: string, last: string]
}

export const programmeOwners: Readonly<Record<string, ProgrammeOwner>> = table({
  production: { performancesBy: 'refProduction' },
  venue: { performancesBy: 'refVenues', productionsBy: 'refVenues', isPlace: true },
  company: { productionsBy: 'refCompanies' },
  booking_agency: { productionsBy: 'refBookingAgency' },
  season: { productionsBy: 'refSeasons', days: ['start_date', 'end_date'] }
})
