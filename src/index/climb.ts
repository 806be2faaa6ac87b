import type { CatalogueIndex } from './catalogue-index.ts'
import type { Parents } from './parents.ts'
import { none, noRelated, ownOfRelated, type Scratch } from './search-scratch.ts'
import { type DocumentSet, has } from './sets.ts'
import { inParts, partFrom, step } from './time-limit.ts'

/** Number of relations by which a document is found by everything that those above it say. */
export const maxClimbs = 2

/** Up to so many documents are walked in the order in which they were found. */
const maxUnsorted = 4000

/**
 * Everything that a document says is found in those below it, by one relation or two. Each step
 * begins with what the last one found, and takes effect when it has ended.
 */
export function climb({ relatives }: CatalogueIndex, scratch: Scratch, readable: DocumentSet | undefined) {
  const { above, touched, reached } = scratch
  const isAbove = relatives.above
  // In the order of their numbers, documents and those below them are near to each other.
  let from = touched.length > maxUnsorted ? scratch.sortTouched() : touched
  let first = 0
  let end = touched.length
  let said = 0
  const reach = (source: number, isClimb: boolean) => {
    if (isClimb && said < (above[source] as number)) scratch.reach(source, said)
  }
  for (let climbed = 0; climbed < maxClimbs && end > first; climbed++) {
    const begun = reached.length
    for (let at = first; at < end; at++) {
      step()
      const target = from.array[at] as number
      if (!has(isAbove, target) || (readable && !has(readable, target))) continue
      said = above[target] as number
      relatives.forEachSource(target, reach)
    }
    scratch.takeReached(begun)
    from = reached
    first = begun
    end = reached.length
  }
}

/** By the code of what a document or one above it says: the code of what the document costs. */
const ownBySaid = Uint16Array.from({ length: noRelated + 1 }, (_, said) =>
  said === noRelated ? none : ownOfRelated(said)
)

/** For one candidate in so many documents on, all documents are looked at. */
const manyShare = 16

/**
 * The same for many documents: in each of the two steps, all look at the one above them. At the end
 * each has the cost that follows from the least that it says or is found by; until then only
 * `above` has it. Loops without branches, and without a function for each part, take a third of the
 * time here. Where there are few candidates, other documents may be left without their costs.
 */
export function climbDensely(
  index: CatalogueIndex,
  scratch: Scratch,
  readable: DocumentSet | undefined,
  candidates: Uint32Array | undefined
) {
  const { own, above, said } = scratch
  const { parents } = index.relatives
  const { first } = parents
  const from = readable ? saidWithin(above, readable) : above
  said.set(above)
  forEachFurther(parents, (document, target) => {
    said[document] = Math.min(said[document] as number, from[target] as number)
  })
  if (candidates && candidates.length * manyShare < own.length) {
    const saidAbove = (document: number) =>
      document < first.length ? (from[first[document] as number] as number) : noRelated
    const saidOrAbove = (document: number) =>
      readable && !has(readable, document) ? noRelated : Math.min(said[document] as number, saidAbove(document))
    for (let at = 0; at < candidates.length; at++) {
      step()
      const document = candidates[at] as number
      takeLeast(own, document, Math.min(said[document] as number, saidAbove(document)))
      if (document < first.length) takeLeast(own, document, saidOrAbove(first[document] as number))
    }
    forEachFurther(parents, (document, target) => takeLeast(own, document, saidOrAbove(target)))
    return
  }
  for (let document = 0, end = 0; document < first.length; ) {
    end = partFrom(document, first.length)
    for (; document < end; document++)
      said[document] = Math.min(said[document] as number, from[first[document] as number] as number)
  }
  const next = readable ? saidWithin(said, readable) : said
  for (let document = 0, end = 0; document < first.length; ) {
    end = partFrom(document, first.length)
    for (; document < end; document++) {
      const least = Math.min(said[document] as number, next[first[document] as number] as number)
      own[document] = Math.min(own[document] as number, ownBySaid[least] as number)
    }
  }
  for (let document = first.length; document < own.length; document++) {
    step()
    takeLeast(own, document, said[document] as number)
  }
  forEachFurther(parents, (document, target) => {
    takeLeast(own, document, next[target] as number)
  })
}

function takeLeast(own: Uint16Array, document: number, said: number) {
  own[document] = Math.min(own[document] as number, ownBySaid[said] as number)
}

/** Calls back with documents and those above them that `first` does not have. */
function forEachFurther({ documents, targets }: Parents, work: (document: number, target: number) => void) {
  for (let at = 0; at < documents.length; at++) {
    step()
    work(documents[at] as number, targets[at] as number)
  }
}

/** Copies the codes of the documents of a set; others say nothing. */
function saidWithin(said: Uint8Array, set: DocumentSet): Uint8Array {
  const within = said.slice()
  inParts(0, within.length, (first, end) => {
    for (let number = first; number < end; number++) if (!has(set, number)) within[number] = noRelated
  })
  return within
}
