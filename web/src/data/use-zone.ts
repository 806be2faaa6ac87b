import type { Entity, Relation } from '../../../client/index.ts'
import { zoneOf } from './time-zones.ts'
import { useRecords } from './use-names.ts'

const toVenue = 'refVenues'

/** The time zone of the venue among these relations; undefined where there is none. */
export function useVenueZone(relations: readonly Pick<Relation, 'type' | 'key'>[]): string | undefined {
  const ids = relations.filter(({ type }) => type === toVenue).map(({ key }) => key)
  const records = useRecords(ids.slice(0, 1))
  const venue: Entity | undefined = records.get(ids[0] ?? '')
  return venue && zoneOf(venue)
}
