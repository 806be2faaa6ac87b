import { invalidWith } from '#domain/errors.ts'
import { nearestName } from '#domain/search/nearest-name.ts'

/** Parts of a catalogue that an export in NDJSON has only if they are asked for. */
const includable = ['media', 'history'] as const
export type Included = (typeof includable)[number]

/** Reads the parts of a catalogue that an export in a format should include. Throws `invalid`. */
export function readIncluded(format: string, names: readonly string[]): readonly Included[] {
  const message = (name: string) => {
    if (!includable.some(each => each === name)) {
      const nearest = nearestName(name, includable)
      const hint = nearest === undefined ? `use ${includable.join(' or ')}` : `did you mean "${nearest}"?`
      return `An export cannot include "${name}"; ${hint}`
    }
    return format === 'ndjson' ? [] : `Only the format "ndjson" can include "${name}"`
  }
  const faults = names.flatMap(message).map(each => ({ pointer: 'include', message: each }))
  if (faults.length > 0) throw invalidWith(faults)
  return names as readonly Included[]
}
