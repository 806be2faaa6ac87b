import { manifestationLevel, workLevel } from '#domain/entity/owners.ts'
import { wemLinks } from '#domain/entity/publication.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { orderingOf } from './order.ts'
import { type DocumentSet, has } from './sets.ts'
import { step } from './time-limit.ts'
import type { Values } from './values.ts'

/** The editions of a work that may be read. */
export interface WorkEditions {
  /** The id of the work. */
  readonly work: string
  readonly count: number
  /** The first and the last year of publication, where any is known; one if they are the same. */
  readonly years: readonly string[]
  /** The numbers of the newest. */
  readonly newest: readonly number[]
}

/** Maximum number of the newest editions of a work. */
const maxNewest = 10

const year = 'year_of_publication'

/** Finds the editions of those documents that are works. */
export function editionsOfWorks(
  index: CatalogueIndex,
  documents: readonly number[],
  readable: DocumentSet | undefined
): WorkEditions[] {
  const levelOf = (document: number) => index.model.umbrellaOf(index.typeOf(document))
  const { compare } = orderingOf(
    index,
    { items: [{ by: 'metadata', key: year }], ascending: false },
    // For some documents only: a set of all would be counted.
    new Uint32Array(0),
    readable,
    false
  )
  return documents
    .filter(document => levelOf(document) === workLevel)
    .map(work => {
      const found = new Set<number>()
      for (const text of sourcesOf(index, work, wemLinks.expression, readable))
        for (const edition of sourcesOf(index, text, wemLinks.manifestation, readable))
          if (levelOf(edition) === manifestationLevel) found.add(edition)
      const newest = firstAmong(found, compare)
      return { work: index.idOf(work), count: found.size, years: yearsOf(index, found), newest }
    })
}

/** The first of some documents in an order; few of many are wanted, so not all are sorted. */
function firstAmong(documents: Iterable<number>, compare: (one: number, other: number) => number): number[] {
  const first: number[] = []
  for (const document of documents) {
    step()
    let place = first.length
    while (place > 0 && compare(document, first[place - 1] as number) < 0) place--
    if (place === maxNewest) continue
    first.splice(place, 0, document)
    if (first.length > maxNewest) first.pop()
  }
  return first
}

/** The readable documents with a relation of a type to a document. */
function sourcesOf(index: CatalogueIndex, target: number, type: string, readable: DocumentSet | undefined) {
  const relations = index.relatives.by(type)
  const sources = new Set<number>()
  index.relatives.forEachSource(target, source => {
    if (readable && !has(readable, source)) return
    relations.forEachOf(source, to => {
      if (to === target) sources.add(source)
    })
  })
  return sources
}

function yearsOf(index: CatalogueIndex, editions: Iterable<number>): string[] {
  const values = index.values(year)
  /** The year in each value; undefined for none. */
  const known = index.rememberUntilChange('years of editions', () => new Map<number, string | undefined>())
  let [first, last]: [string | undefined, string | undefined] = [undefined, undefined]
  for (const edition of editions)
    values.forEachOf(edition, place => {
      if (!known.has(place)) known.set(place, yearAt(values, place))
      const found = known.get(place)
      if (found === undefined) return
      if (first === undefined || found < first) first = found
      if (last === undefined || found > last) last = found
    })
  return first === undefined || last === undefined ? [] : first === last ? [first] : [first, last]
}

const yearAt = (values: Values, place: number): string | undefined =>
  values.isDerived(place) ? undefined : /\d{4}/.exec(values.textOf(place) ?? '')?.[0]
