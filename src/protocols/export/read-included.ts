import { invalidWith } from '#domain/errors.ts'
import { nearestName } from '#domain/search/nearest-name.ts'

const ofMarc = ['authorities', 'holdings'] as const

/** Parts of a catalogue that an export has only if they are asked for, by format. */
const includable = {
  ndjson: ['media', 'history'],
  marc21: ofMarc,
  marcxml: ofMarc,
  marcjson: ofMarc,
  mrk: ofMarc
} as const
export type Included = (typeof includable)[keyof typeof includable][number]

const all = [...new Set(Object.values(includable).flat())]
const partsOf = (format: string): readonly Included[] =>
  Object.entries(includable).find(([name]) => name === format)?.[1] ?? []

/** Reads the parts of a catalogue that an export in a format should include. Throws `invalid`. */
export function readIncluded(format: string, names: readonly string[]): readonly Included[] {
  const own = partsOf(format)
  const message = (name: string) => {
    if (own.some(each => each === name)) return []
    const formats = Object.keys(includable).filter(each => partsOf(each).some(part => part === name))
    if (formats.length > 0) return `The format "${format}" cannot include "${name}"; use ${formats.join(' or ')}`
    const nearest = nearestName(name, own.length > 0 ? own : all)
    const hint =
      nearest === undefined ? `use ${(own.length > 0 ? own : all).join(' or ')}` : `did you mean "${nearest}"?`
    return `An export cannot include "${name}"; ${hint}`
  }
  const faults = names.flatMap(message).map(each => ({ pointer: 'include', message: each }))
  if (faults.length > 0) throw invalidWith(faults)
  return names as readonly Included[]
}
