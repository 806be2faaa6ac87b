import type { Entity } from '../../../client/index.ts'
import { zoneOfCountry } from '../../../src/domain/labels/zone-of-country.ts'
import { textOf, valuesOf } from './record-model.ts'

/** The time zone of this device. */
const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The time zone of a venue: the one it states, the only one of its country, or the other given. */
export function zoneOf(venue: Entity | undefined, otherwise: string): string {
  const [stated, country] = ['time_zone', 'country'].map(key => (venue ? textOf(valuesOf(venue, key)[0] ?? '') : ''))
  return stated || zoneOfCountry[country?.trim().toUpperCase() ?? ''] || otherwise
}

/** All names of time zones that this browser knows. */
export const zoneNames = (): readonly string[] => Intl.supportedValuesOf('timeZone')

/** The instant of a stored moment; one without an offset is in UTC. */
export const instantOf = (moment: string): Date => new Date(isWallTime(moment) ? `${moment}Z` : moment)

/** Whether a moment has a time and no offset: it is typed by the clocks of the venue. */
export const isWallTime = (moment: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(moment)

/** The day and the time at a place, as `2026-01-16` and `20:00`. */
export function localTime(moment: Date, zone: string): { readonly day: string; readonly time: string } {
  if (Number.isNaN(moment.getTime())) return { day: '', time: '' }
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', {
      ...({ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const),
      ...({ hourCycle: 'h23', timeZone: zone } as const)
    })
      .formatToParts(moment)
      .map(({ type, value }) => [type, value])
  )
  return {
    day: `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`,
    time: `${parts.hour}:${parts.minute}`
  }
}

/** Whether clocks of a place differ from those of this device at a moment. */
export function isElsewhere(moment: Date, zone: string): boolean {
  if (Number.isNaN(moment.getTime())) return false
  const [here, there] = [localTime(moment, ownZone()), localTime(moment, zone)]
  return here.day !== there.day || here.time !== there.time
}

/** The name of a zone for readers: its city. */
export const zoneName = (zone: string) => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
