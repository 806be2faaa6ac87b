import { type Entity, type MetadataEntry, targetsOf } from '../entity/entity.ts'
import { zoneOfCountry } from '../labels/zone-of-country.ts'
import { programme, venuesOf } from '../record-types/programme.ts'

/** The time zone of a place: the one it states, or the only one of its country. */
export function zoneOfPlace(place: Pick<Entity, 'metadata'>): string | undefined {
  const stated = textOf(place.metadata, 'time_zone')
  if (stated !== '') return stated
  const country = textOf(place.metadata, 'country').toUpperCase()
  return Object.hasOwn(zoneOfCountry, country) ? zoneOfCountry[country] : undefined
}

const textOf = (metadata: readonly MetadataEntry[], key: string) => {
  const value = metadata.find(each => each.key === key)?.value
  return typeof value === 'string' ? value.trim() : ''
}

/** The time zone of a performance: that of its venue. */
export function zoneOfShow(
  performance: Pick<Entity, 'relations'>,
  find: (key: string) => Pick<Entity, 'metadata' | 'relations'> | undefined
): string | undefined {
  const [production] = targetsOf(performance, programme.ofProduction).flatMap(key => find(key) ?? [])
  for (const key of venuesOf(performance, production)) {
    const venue = find(key)
    const zone = venue && zoneOfPlace(venue)
    if (zone !== undefined) return zone
  }
  return undefined
}
