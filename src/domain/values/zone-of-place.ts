import type { MetadataEntry } from '../entity/entity.ts'
import { zoneOfCountry } from '../labels/zone-of-country.ts'

/** The time zone of a place, if its country has one. */
export function zoneOfPlace(place: { readonly metadata: readonly MetadataEntry[] }): string | undefined {
  const country = place.metadata.find(({ key }) => key === 'country')?.value
  const code = typeof country === 'string' ? country.trim().toUpperCase() : ''
  return Object.hasOwn(zoneOfCountry, code) ? zoneOfCountry[code] : undefined
}
