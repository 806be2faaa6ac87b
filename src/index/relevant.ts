import { type DocumentSet, has } from './sets.ts'
import { step } from './time-limit.ts'

/** Documents that matter to the rest of a search. */
export interface Relevant {
  readonly set: DocumentSet
  /** The same, in ascending order. */
  readonly numbers: Uint32Array
}

/** A list is searched for each relevant document where it is so many times as long. */
const minLonger = 24

/** Calls back with the places of a part of a sorted list that have a relevant document. */
export function forEachCommon(
  sorted: Uint32Array,
  first: number,
  end: number,
  { set, numbers }: Relevant,
  work: (place: number) => void
) {
  if (end - first < numbers.length * minLonger) {
    for (let at = first; at < end; at++) {
      step()
      if (has(set, sorted[at] as number)) work(at)
    }
    return
  }
  let from = first
  for (let at = 0; at < numbers.length && from < end; at++) {
    step()
    const wanted = numbers[at] as number
    from = placeFrom(sorted, wanted, from, end)
    if (from < end && sorted[from] === wanted) work(from)
  }
}

/** The first place from `first` on with at least this number: by longer and longer steps. */
function placeFrom(sorted: Uint32Array, wanted: number, first: number, end: number): number {
  let [low, step] = [first, 1]
  while (low + step < end && (sorted[low + step] as number) < wanted) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step, end)
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) < wanted) low = middle + 1
    else high = middle
  }
  return low
}
