import { table } from '../table.ts'
import { type Entity, targetsOf, valuesOf } from '../entity/entity.ts'
import { readDate } from '../values/dates.ts'

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
  halls: 'refHalls',
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

/** The first and the last performance of a production, as houses announce them. */
export type Occasion = 'premiere' | 'last_night'

/** One performance with the related entities. */
export interface ProgrammeEntry {
  readonly performance: Entity
  readonly production: Entity | undefined
  /** Its own venues, or the venue of its production if that has exactly one. */
  readonly venues: readonly Entity[]
  /** The halls of the venue in which it is played. */
  readonly halls: readonly Entity[]
  readonly companies: readonly Entity[]
  readonly genres: readonly Entity[]
  /** Whether it is the first or the last one of its production, where that was asked for. */
  readonly occasion?: Occasion | undefined
}

/** The kinds of events at which a production is played; an event without one is such an event. */
export const playedTypes: readonly string[] = ['performance', 'school_performance']

/** Values of events that go without saying; pages and calendars do not show them. */
export const usualValues: ReadonlySet<unknown> = new Set(['performance', 'scheduled', 'on_sale'])

/** The occasions of performances by their ids, from all performances that productions have. */
export function occasionsOf(
  played: readonly Pick<Entity, 'id' | 'metadata' | 'relations'>[]
): ReadonlyMap<string, Occasion> {
  const occasions = new Map<string, Occasion>()
  const startOf = (each: Pick<Entity, 'metadata'>) => readDate(String(valuesOf(each, 'start')[0]))?.first ?? 0
  for (const all of Map.groupBy(played, each => targetsOf(each, programme.ofProduction)[0]).values()) {
    const sorted = all.toSorted((one, other) => startOf(one) - startOf(other))
    const [first, last] = [sorted[0], sorted.at(-1)]
    if (last) occasions.set(last.id, 'last_night')
    if (first) occasions.set(first.id, 'premiere')
  }
  return occasions
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
  season: { productionsBy: 'refSeasons', days: ['start_date', 'end_date'] },
  hall: { performancesBy: 'refHalls' },
  subscription: { performancesBy: 'refSubscriptions', productionsBy: 'refSubscriptions' },
  tour: { performancesBy: 'refTours', productionsBy: 'refTours' }
})
