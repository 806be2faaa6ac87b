import { countOf, sharedBytes, sharedNumbers, shared } from './arrays.ts'
import {
  compareTextsAt,
  gatherTexts,
  type LiveDocuments,
  markedPlaces,
  mergeSorted,
  newPlaces,
  notMerged
} from './merge-sorted.ts'
import { compareFromEnds, type Words } from './words.ts'

/** Merges the words of several bases, without the documents that are not live in them. */
export function mergeWords(sources: readonly Words[], live: LiveDocuments): Words {
  const counts = sources.map(({ words }) => countOf(words))
  const used = sources.map((source, part) => markedPlaces(usedWords(source, part, live)))
  const merged = mergeSorted(used, (part, place, otherPart, otherPlace) =>
    compareTextsAt((sources[part] as Words).words, place, (sources[otherPart] as Words).words, otherPlace)
  )
  const maps = newPlaces(merged, counts)
  const words = gatherTexts(
    sources.map(each => each.words),
    merged
  )
  const starts = countPostings(sources, maps, countOf(words), live)
  const all = starts[countOf(words)] as number
  const documents = sharedNumbers(all)
  const weights = sharedBytes(all)
  const next = Uint32Array.from(starts)
  sources.forEach((source, part) => {
    const map = maps[part] as Uint32Array
    for (let word = 0; word < map.length; word++) {
      const place = map[word] as number
      if (place === notMerged) continue
      const middle = next[place] as number
      let to = middle
      const end = source.starts[word + 1] as number
      for (let at = source.starts[word] as number; at < end; at++) {
        const document = source.documents[at] as number
        if (live.partOf[document] !== part) continue
        documents[to] = document
        weights[to++] = source.weights[at] as number
      }
      next[place] = to
      mergeRuns(documents, weights, starts[place] as number, middle, to)
    }
  })
  return { words, starts, documents, weights, byEnd: mergeByEnd(sources, maps, words) }
}

/** Marks the words that a live document has. */
function usedWords({ starts, documents }: Words, part: number, { partOf }: LiveDocuments): Uint8Array {
  const marks = new Uint8Array(starts.length - 1)
  for (let word = 0; word < marks.length; word++) {
    const end = starts[word + 1] as number
    for (let at = starts[word] as number; at < end && marks[word] === 0; at++)
      if (partOf[documents[at] as number] === part) marks[word] = 1
  }
  return marks
}

function countPostings(
  sources: readonly Words[],
  maps: readonly Uint32Array[],
  count: number,
  { partOf }: LiveDocuments
): Uint32Array {
  const starts = sharedNumbers(count + 1)
  sources.forEach((source, part) => {
    const map = maps[part] as Uint32Array
    for (let word = 0; word < map.length; word++) {
      const place = map[word] as number
      if (place === notMerged) continue
      const end = source.starts[word + 1] as number
      let found = 0
      for (let at = source.starts[word] as number; at < end; at++)
        if (partOf[source.documents[at] as number] === part) found++
      starts[place + 1] = (starts[place + 1] as number) + found
    }
  })
  for (let at = 1; at < starts.length; at++) starts[at] = (starts[at] as number) + (starts[at - 1] as number)
  return starts
}

/** Merges two neighbouring runs of documents, each in ascending order, where they overlap. */
function mergeRuns(documents: Uint32Array, weights: Uint8Array, start: number, middle: number, end: number) {
  if (middle === start || middle === end) return
  if ((documents[middle - 1] as number) < (documents[middle] as number)) return
  const [later, laterWeights] = [documents.slice(middle, end), weights.slice(middle, end)]
  let before = middle - 1
  let after = later.length - 1
  for (let to = end - 1; after >= 0; to--) {
    const isBefore = before >= start && (documents[before] as number) > (later[after] as number)
    documents[to] = (isBefore ? documents[before] : later[after]) as number
    weights[to] = (isBefore ? weights[before] : laterWeights[after]) as number
    if (isBefore) before--
    else after--
  }
}

function mergeByEnd(sources: readonly Words[], maps: readonly Uint32Array[], words: Words['words']): Uint32Array {
  const lists = sources.map(({ byEnd }, part) => {
    const map = maps[part] as Uint32Array
    return Uint32Array.from(byEnd, place => map[place] as number).filter(place => place !== notMerged)
  })
  const { places } = mergeSorted(lists, (_, place, __, otherPlace) => compareFromEnds(words, place, otherPlace))
  return shared(places)
}
