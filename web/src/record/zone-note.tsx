import { zoneName } from '../data/time-zones.ts'
import { useLocale } from '../i18n/locale.tsx'

/** Says on whose clocks the times of a list are. */
export function ZoneNote({ zones }: { readonly zones: readonly string[] }) {
  const { words } = useLocale()
  const names = [...new Set(zones.map(zoneName))].toSorted()
  if (names.length === 0) return null
  return <p className="hint zone-note">{words.inZone(names.join(', '))}</p>
}
