import { growingNumbers, type Numbers, shared } from './arrays.ts'
import { step } from './time-limit.ts'

/** The documents above others: those whose texts others are found by, too. */
export interface Parents {
  /**
   * For each document the one above it; the document itself where there is none. Those above others
   * are in the list themselves; some without any may be missing at its end.
   */
  readonly first: Uint32Array
  /** Documents with more than one above them, once for each further one, which `targets` has. */
  readonly documents: Uint32Array
  readonly targets: Uint32Array
}

/** Relations of documents, each with its type and the place of its key. */
interface KindsAndKeys {
  readonly starts: Uint32Array
  readonly kinds: Numbers
  readonly keys: Uint32Array
}

/**
 * Finds the documents above others. `isClimb` says of each type of relation whether it leads to
 * one, and `ownerOf` has the document of a key, or a number that is none.
 */
export function findParents(
  { starts, kinds, keys }: KindsAndKeys,
  isClimb: readonly boolean[],
  ownerOf: (key: number) => number
): Parents {
  const size = starts.length - 1
  const first = Uint32Array.from({ length: size }, (_, number) => number)
  const [documents, targets] = [growingNumbers(), growingNumbers()]
  for (let document = 0, at = 0; document < size; document++) {
    const end = starts[document + 1] as number
    step(1 + end - at)
    let isFirst = true
    for (; at < end; at++) {
      if (!isClimb[kinds[at] as number]) continue
      const target = ownerOf(keys[at] as number)
      if (target < 0) continue
      if (isFirst) first[document] = target
      else {
        documents.push(document)
        targets.push(target)
      }
      isFirst = false
    }
  }
  return { first: shared(first), documents: documents.done(), targets: targets.done() }
}
