import type { Entity } from '../../../client/index.ts'
import { zoneOfCountry } from '../../../client/labels/zone-of-country.ts'
import { textOf, valuesOf } from './record-model.ts'

/** The time zone of this device. */
export const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The time zone of a venue, where its country tells it; otherwise that of this device. */
export function zoneOf(venue: Entity | undefined): string {
  const country = venue && textOf(valuesOf(venue, 'country')[0] ?? '')
  return (country && zoneOfCountry[country.toUpperCase()]) || ownZone()
}

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

/** The moment at which clocks of a zone show a day and a time; undefined if that is no time. */
export function momentAt(day: string, time: string, zone: string): Date | undefined {
  const wanted = Date.parse(`${day}T${time}:00Z`)
  if (Number.isNaN(wanted)) return undefined
  // The offset at the first guess may be that of the other half of the year, so it is done twice.
  let at = wanted
  for (let attempt = 0; attempt < 2; attempt++) {
    const shown = localTime(new Date(at), zone)
    at += wanted - Date.parse(`${shown.day}T${shown.time}:00Z`)
  }
  return new Date(at)
}

/** Whether clocks of a place differ from those of this device at a moment. */
export function isElsewhere(moment: Date, zone: string): boolean {
  if (Number.isNaN(moment.getTime())) return false
  const [here, there] = [localTime(moment, ownZone()), localTime(moment, zone)]
  return here.day !== there.day || here.time !== there.time
}

/** The name of a zone for readers: its city. */
export const zoneName = (zone: string) => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
