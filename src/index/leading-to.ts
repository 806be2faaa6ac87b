import type { CatalogueIndex } from './catalogue-index.ts'
import { addMarked } from './document-values.ts'
import { nobody } from './names.ts'
import { type KeyColumn, keyColumnOf, kindOf } from './relations.ts'
import { add, countMembers, type DocumentSet, forEach, has, removeAll } from './sets.ts'
import { step } from './time-limit.ts'

/** The documents with a relation of a type to one of a set. */
export function leadingTo(index: CatalogueIndex, type: string, targets: DocumentSet): DocumentSet {
  const set = index.newSet()
  const kind = kindOf(index.base.relations, type)
  const column = keyColumnOf(index.base.relations, type)
  if (column) {
    const length = countMembers(column.documents) + column.further.length
    if (countSources(index, targets) * index.tuning.sourceCost < length) addSources(index, kind, targets, set)
    else addLeading(index, column, targets, set)
  }
  for (const document of index.delta.values()) {
    const leads = document.targets
    step(leads.length)
    if (document.relations.some((relation, at) => relation.type === type && isIn(targets, leads[at] as number)))
      add(set, document.number)
  }
  return set
}

/** The number of relations to the documents of a set, about. */
function countSources({ base }: CatalogueIndex, targets: DocumentSet): number {
  const { firstNames, relations, size } = base
  let sum = 0
  forEach(targets, target => {
    if (target >= size) return
    const first = firstNames[target] as number
    const end = firstNames[target + 1] as number
    sum += (relations.sourceStarts[end] as number) - (relations.sourceStarts[first] as number) + 1
  })
  return sum
}

/** Adds the documents of the base that lead to a set, from its members. */
function addSources(index: CatalogueIndex, kind: number, targets: DocumentSet, set: DocumentSet) {
  const { starts, kinds, keys } = index.base.relations
  let last = -1
  forEach(targets, target => {
    last = -1
    index.forEachSource(target, source => {
      // Several relations of a document to the same one follow each other.
      if (source === last) return
      last = source
      const end = starts[source + 1] as number
      step(end - (starts[source] as number))
      for (let at = starts[source] as number; at < end; at++)
        if (kinds[at] === kind && index.ownerOf(keys[at] as number) === target) add(set, source)
    })
  })
}

/** Adds the documents of the base that lead to a set, by looking at all keys of the type. */
function addLeading(index: CatalogueIndex, column: KeyColumn, targets: DocumentSet, set: DocumentSet) {
  const owners = index.ownersOf(column.names)
  const marks = new Uint8Array(owners.length)
  for (let at = 0; at < owners.length; at++) {
    step()
    const owner = owners[at] as number
    if (owner !== nobody && has(targets, owner)) marks[at] = 1
  }
  addMarked(column, marks, set)
  removeAll(set, index.hidden)
}

const isIn = (set: DocumentSet, number: number) => number >= 0 && has(set, number)
