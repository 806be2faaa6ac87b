import type { Relation } from '../../../client/index.ts'
import { useSession } from '../session/session.tsx'
import { zoneOf } from './time-zones.ts'
import { useRecords } from './use-names.ts'

const toVenue = 'refVenues'
const toProduction = 'refProduction'

/** A performance, stored or in a form: its relations. */
interface Show {
  readonly relations: readonly Pick<Relation, 'type' | 'key'>[]
}

/**
 * The time zones of performances: that of the venue, or of the only venue of the production;
 * otherwise that of the catalogue.
 */
export function useZones(shows: readonly Show[]): (show: Show) => string {
  const { model } = useSession()
  const productions = useRecords(
    shows.filter(each => keysOf(each, toVenue).length === 0).flatMap(each => keysOf(each, toProduction).slice(0, 1))
  )
  const venueOf = (show: Show) => {
    const own = keysOf(show, toVenue)
    if (own.length > 0) return own.slice(0, 1)
    const production = productions.get(keysOf(show, toProduction)[0] ?? '')
    const ofProduction = production ? keysOf(production, toVenue) : []
    return ofProduction.length === 1 ? ofProduction : []
  }
  const venues = useRecords(shows.flatMap(venueOf))
  return show => zoneOf(venues.get(venueOf(show)[0] ?? ''), model.timeZone)
}

/** The time zone of a performance with these relations. */
export const useVenueZone = (relations: Show['relations']): string => useZones([{ relations }])({ relations })

const keysOf = ({ relations }: Show, wanted: string) =>
  relations.filter(({ type }) => type === wanted).map(({ key }) => key)
