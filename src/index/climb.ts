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
 * The same for many documents: all look at the one above them, and at the one above that. At the
 * end each has the cost that follows from the least that it says or is found by; until then only
 * `above` has it. A loop without branches, and without a function for each part, takes a third of
 * the time here. Where there are few candidates, other documents may be left without their costs.
 */
export function climbDensely(
  index: CatalogueIndex,
  scratch: Scratch,
  readable: DocumentSet | undefined,
  candidates: Uint32Array | undefined
) {
  const { own, above } = scratch
  const { parents } = index.relatives
  const within = readable ? parentsWithin(parents, readable) : parents
  const { first } = within
  const said = withFurther(within, scratch)
  const saidOrAbove = (document: number) =>
    document < first.length
      ? Math.min(said[document] as number, above[first[document] as number] as number)
      : (said[document] as number)
  if (candidates && candidates.length * manyShare < own.length)
    for (let at = 0; at < candidates.length; at++) {
      step()
      const document = candidates[at] as number
      takeLeast(own, document, saidOrAbove(document))
      if (document < first.length) takeLeast(own, document, saidOrAbove(first[document] as number))
    }
  else {
    for (let document = 0, end = 0; document < first.length; ) {
      end = partFrom(document, first.length)
      for (; document < end; document++) {
        const parent = first[document] as number
        const least = Math.min(
          said[document] as number,
          said[parent] as number,
          above[first[parent] as number] as number
        )
        own[document] = Math.min(own[document] as number, ownBySaid[least] as number)
      }
    }
    for (let document = first.length; document < own.length; document++) {
      step()
      takeLeast(own, document, said[document] as number)
    }
  }
  forEachFurther(within, (document, target) => takeLeast(own, document, saidOrAbove(target)))
}

/** The codes of documents, lowered to those of the documents above them that are not the first. */
function withFurther(parents: Parents, { above, said }: Scratch): Uint8Array {
  if (parents.documents.length === 0) return above
  said.set(above)
  forEachFurther(parents, (document, target) => {
    said[document] = Math.min(said[document] as number, above[target] as number)
  })
  return said
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

/** The documents above others that may be read. Both are new after each change. */
function parentsWithin(parents: Parents, readable: DocumentSet): Parents {
  const known = parentsInScopes.get(readable)
  if (known?.of === parents) return known.within
  const first = parents.first.slice()
  inParts(0, first.length, (from, end) => {
    for (let document = from; document < end; document++)
      if (!has(readable, first[document] as number)) first[document] = document
  })
  const isReadable = (_: number, at: number) => {
    step()
    return has(readable, parents.targets[at] as number)
  }
  const documents = parents.documents.filter(isReadable)
  const within = { first, documents, targets: parents.targets.filter(isReadable) }
  parentsInScopes.set(readable, { of: parents, within })
  return within
}

const parentsInScopes = new WeakMap<DocumentSet, { readonly of: Parents; readonly within: Parents }>()
