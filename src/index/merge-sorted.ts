import { growingNumbers, sharedBytes, sharedNumbers, type Texts } from './arrays.ts'

/** Entries of several dictionaries in one order, each once. */
export interface MergedEntries {
  /** For each entry the dictionary that it is from, and its place there. */
  readonly parts: Uint8Array
  readonly places: Uint32Array
  /** Entries that equal one of those: four numbers each, dictionary and place of both. */
  readonly same: Uint32Array
}

export const notMerged = 0xffff_ffff

/** Compares an entry of one dictionary with one of another, or of the same. */
export type CompareEntries = (part: number, place: number, otherPart: number, otherPlace: number) => number

/** Limit of a byte for each entry. */
export const maxParts = 255

/** The base in which each document is live, of several that are merged. */
export interface LiveDocuments {
  /** One more than the highest number of a live document. */
  readonly size: number
  /** For each document the place of its base among them; `nowhere` for none. */
  readonly partOf: Uint8Array
}

export const nowhere = maxParts

/**
 * Merges sorted lists of places in dictionaries. Equal entries become one. The place of the next
 * entry is found by halving, so a short list costs little beside a long one.
 */
export function mergeSorted(lists: readonly Uint32Array[], compare: CompareEntries): MergedEntries {
  const bySize = lists.map((_, part) => part).sort((one, other) => length(lists, other) - length(lists, one))
  const [longest = 0, ...others] = bySize
  let places = lists[longest] ?? new Uint32Array(0)
  let parts = new Uint8Array(places.length).fill(longest)
  const same = growingNumbers()

  for (const part of others) {
    const list = lists[part] as Uint32Array
    if (list.length === 0) continue
    const [allPlaces, allParts] = [
      new Uint32Array(places.length + list.length),
      new Uint8Array(places.length + list.length)
    ]
    let from = 0
    let end = 0
    const copyTo = (to: number) => {
      allPlaces.set(places.subarray(from, to), end)
      allParts.set(parts.subarray(from, to), end)
      end += to - from
      from = to
    }
    for (let at = 0; at < list.length; at++) {
      const place = list[at] as number
      const isBefore = (at: number) => compare(parts[at] as number, places[at] as number, part, place) < 0
      copyTo(firstNotBefore(from, places.length, isBefore))
      if (from < places.length && compare(parts[from] as number, places[from] as number, part, place) === 0) {
        for (const each of [part, place, parts[from] as number, places[from] as number]) same.push(each)
      } else {
        allPlaces[end] = place
        allParts[end++] = part
      }
    }
    copyTo(places.length)
    places = allPlaces.subarray(0, end)
    parts = allParts.subarray(0, end)
  }

  return { parts, places, same: same.array.subarray(0, same.length) }
}

/**
 * For each dictionary, which have `counts` entries, the new places of its entries; `notMerged` for
 * those that are not among the merged ones.
 */
export function newPlaces({ parts, places, same }: MergedEntries, counts: readonly number[]): Uint32Array[] {
  const maps = counts.map(count => new Uint32Array(count).fill(notMerged))
  for (let at = 0; at < places.length; at++) (maps[parts[at] as number] as Uint32Array)[places[at] as number] = at
  for (let at = 0; at < same.length; at += 4) {
    const other = (maps[same[at + 2] as number] as Uint32Array)[same[at + 3] as number] as number
    ;(maps[same[at] as number] as Uint32Array)[same[at + 1] as number] = other
  }
  return maps
}

const length = (lists: readonly Uint32Array[], part: number) => lists[part]?.length ?? 0

/** The first of `length` entries at or after `from` that does not come before another. */
function firstNotBefore(from: number, length: number, isBefore: (at: number) => boolean): number {
  let low = from
  let step = 1
  while (low + step <= length && isBefore(low + step - 1)) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step - 1, length)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** Copies the texts of merged entries; those that were neighbours before at once. */
export function gatherTexts(sources: readonly Texts[], { parts, places }: MergedEntries): Texts {
  const starts = sharedNumbers(places.length + 1)
  let end = 0
  for (let at = 0; at < places.length; at++) {
    starts[at] = end
    const from = (sources[parts[at] as number] as Texts).starts
    const place = places[at] as number
    end += (from[place + 1] as number) - (from[place] as number)
  }
  starts[places.length] = end
  const bytes = sharedBytes(end)
  for (let at = 0; at < places.length; ) {
    const part = parts[at] as number
    const first = places[at] as number
    let run = 1
    while (parts[at + run] === part && places[at + run] === first + run) run++
    const source = sources[part] as Texts
    bytes.set(source.bytes.subarray(source.starts[first], source.starts[first + run]), starts[at])
    at += run
  }
  return { bytes, starts }
}

/** Compares two texts by their bytes, which in UTF-8 is the order of code points. */
export function compareTextsAt(one: Texts, place: number, other: Texts, otherPlace: number): number {
  const start = one.starts[place] as number
  const otherStart = other.starts[otherPlace] as number
  // The zero byte at the end comes before all others.
  const end = one.starts[place + 1] as number
  for (let at = start, otherAt = otherStart; at < end; at++, otherAt++) {
    const difference = (one.bytes[at] as number) - (other.bytes[otherAt] as number)
    if (difference !== 0) return difference
  }
  return 0
}

/** The places that are marked, in ascending order. */
export function markedPlaces(marks: Uint8Array): Uint32Array {
  const places = growingNumbers()
  for (let at = 0; at < marks.length; at++) if (marks[at] !== 0) places.push(at)
  return places.array.subarray(0, places.length)
}
