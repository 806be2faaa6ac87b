import { narrowNumbers, type Numbers, shared, sharedFloats, sharedNumbers } from './arrays.ts'
import { sortByKeys } from './sort-by-keys.ts'

/* When documents were created and changed. */

export interface Times {
  /** The number of the last change of each document. No two have the same. */
  readonly changed: Uint32Array | Float64Array
  /** The documents in ascending order of their changes. */
  readonly byChange: Uint32Array
  readonly createdAt: Instants
  readonly updatedAt: Instants
}

/** Moments in milliseconds. Records that were written together share one. */
interface Moments {
  /** In ascending order where `places` has the place of each document's; else by document. */
  readonly values: Float64Array
  readonly places: Numbers | undefined
}

export interface Instants extends Moments {
  /**
   * The first and the last moment of each block of documents, in an order in which moments mostly
   * follow each other: that of creation, or of the last change. No order of time is relied on.
   */
  readonly earliest: Float64Array
  readonly latest: Float64Array
}

/** The number of documents of a block. */
export const instantsOfBlock = 1024

export const instantAt = ({ values, places }: Instants, number: number): number =>
  values[places ? (places[number] as number) : number] as number

/** The times of some documents, given in ascending order. The arrays are by document. */
export function toTimes(
  documents: Uint32Array,
  changed: Float64Array,
  createdAt: Float64Array,
  updatedAt: Float64Array
): Times {
  const byChange = shared(
    sortByKeys(
      documents,
      Float64Array.from(documents, number => changed[number] as number)
    )
  )
  return {
    changed: toChanges(changed),
    byChange,
    createdAt: { ...toMoments(createdAt), ...toBlocks(createdAt, documents, number => number) },
    updatedAt: { ...toMoments(updatedAt), ...toBlocks(updatedAt, byChange, (_, at) => at) }
  }
}

/** The blocks of documents; `placeOf` tells at which place in an order each stands. */
function toBlocks(
  instants: Float64Array,
  documents: Uint32Array,
  placeOf: (number: number, at: number) => number
): Pick<Instants, 'earliest' | 'latest'> {
  const count = Math.ceil(instants.length / instantsOfBlock)
  const earliest = sharedFloats(count).fill(Number.POSITIVE_INFINITY)
  const latest = sharedFloats(count).fill(Number.NEGATIVE_INFINITY)
  documents.forEach((number, at) => {
    const block = Math.floor(placeOf(number, at) / instantsOfBlock)
    const instant = instants[number] as number
    earliest[block] = Math.min(earliest[block] as number, instant)
    latest[block] = Math.max(latest[block] as number, instant)
  })
  return { earliest, latest }
}

/** Numbers of changes take four bytes each as long as they fit. */
function toChanges(changes: Float64Array): Uint32Array | Float64Array {
  if (changes.some(change => change > 0xffff_ffff)) return shared(changes)
  const small = sharedNumbers(changes.length)
  small.set(changes)
  return small
}

function toMoments(instants: Float64Array): Moments {
  // Records that were written together have the same one, and numbers without a record all have 0.
  const distinct = new Set<number>()
  let before: number | undefined
  for (const instant of instants) {
    if (instant !== before) distinct.add(instant)
    before = instant
  }
  const values = Float64Array.from(distinct).sort()
  // Where most differ, a list of them would take more than it saves.
  if (values.length * 2 > instants.length) return { values: shared(instants), places: undefined }
  const known = new Map<number, number>()
  values.forEach((instant, place) => {
    known.set(instant, place)
  })
  const places = new Uint32Array(instants.length)
  for (let at = 0; at < places.length; at++)
    places[at] =
      at > 0 && instants[at] === instants[at - 1]
        ? (places[at - 1] as number)
        : (known.get(instants[at] as number) as number)
  return { values: shared(values), places: narrowNumbers(places, values.length) }
}
