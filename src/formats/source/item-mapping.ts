import { type Fault, invalidWith } from '#domain/errors.ts'
import { isJsonObject, pointerTo } from '#domain/json.ts'
import { type ItemMeaning, itemMeanings } from '#domain/record-types/holdings.ts'

/**
 * The meaning of the subfields of each tag with items, such as
 * `{"949": {"i": "barcode", "m": "library"}}`.
 */
export type ItemMapping = Readonly<Record<string, Readonly<Record<string, ItemMeaning>>>>

const maxTags = 16

/** Reads the mapping of an import. Throws `invalid` with the pointer of every fault. */
export function readItemMapping(given: unknown): ItemMapping {
  const faults: Fault[] = []
  const fault = (pointer: string, message: string) => faults.push({ pointer: `items${pointer}`, message })
  const tags = isJsonObject(given) ? Object.entries(given) : []
  if (!isJsonObject(given)) fault('', 'Must be an object with the subfields of each tag')
  if (tags.length > maxTags) fault('', `At most ${maxTags} tags`)
  for (const [tag, subfields] of tags) {
    const at = pointerTo('', tag)
    if (!/^(?!00)[0-9A-Za-z]{3}$/.test(tag)) fault(at, `"${tag}" is not the tag of a data field`)
    if (!isJsonObject(subfields)) {
      fault(at, 'Must be an object with the meaning of each subfield')
      continue
    }
    for (const [code, meaning] of Object.entries(subfields)) {
      if (!/^[0-9A-Za-z]$/.test(code)) fault(pointerTo(at, code), `"${code}" is not the code of a subfield`)
      if (!itemMeanings.includes(meaning as ItemMeaning))
        fault(pointerTo(at, code), `A subfield is one of ${itemMeanings.join(', ')}`)
    }
  }
  if (faults.length > 0) throw invalidWith(faults)
  return given as ItemMapping
}
