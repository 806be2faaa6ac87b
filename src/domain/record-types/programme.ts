/*
 * What a programme is made of, and whose programmes there are: performances of productions, at
 * venues. Whoever makes calendars and lists of them reads these tables, and names no type.
 */

/** The two types, and the relations between them and to what is around them. */
export const programme = {
  performance: 'performance',
  production: 'production',
  ofProduction: 'refProduction',
  at: 'refVenues',
  by: 'refCompanies',
  genres: 'refGenres'
} as const

export interface ProgrammeOwner {
  /** The relation by which performances point to it. */
  readonly performancesBy?: string
  /** The relation by which productions point to it; their performances are its own. */
  readonly productionsBy?: string
  /**
   * Only performances that are played at it. A production plays at several venues, and its
   * performances are not all at each.
   */
  readonly isPlace?: boolean
  /**
   * Fields with its first and last day, where it has such: performances outside are not its own.
   */
  readonly days?: readonly [first: string, last: string]
}

export const programmeOwners: Readonly<Record<string, ProgrammeOwner>> = {
  production: { performancesBy: 'refProduction' },
  venue: { performancesBy: 'refVenues', productionsBy: 'refVenues', isPlace: true },
  company: { productionsBy: 'refCompanies' },
  booking_agency: { productionsBy: 'refBookingAgency' },
  season: { productionsBy: 'refSeasons', days: ['start_date', 'end_date'] }
}
