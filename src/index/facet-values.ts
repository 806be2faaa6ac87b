import { encode } from './arrays.ts'
import { type FacetValue, Top } from './facet-counts.ts'
import { step } from './time-limit.ts'
import type { Values } from './values.ts'

/** The most frequent values of a metadata key. */
export function topValues(values: Values, counts: Uint32Array, limit: number): FacetValue[] {
  const top = new Top(limit)
  // Of a million titles most occur once: their texts are made only where they may come first.
  let [least, lastByte] = [1, 256]
  for (let place = 0; place < counts.length; place++) {
    step()
    const count = counts[place] as number
    if (count < least || (count === least && values.leastFirstByte(place) > lastByte)) continue
    top.offer(count, () => values.textOf(place))
    if (!top.last) continue
    least = top.last.count
    lastByte = encode(top.last.value.slice(0, 2))[0] ?? 0
  }
  return top.found
}
