import { maxOwnerSteps, ownerRelation, ownerRelations } from '#domain/entity/owners.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { add, addAll, type DocumentSet, forEach, isEmpty, keepCommon, removeAll } from './sets.ts'
import { step } from './time-limit.ts'

/** Returns a function that calls back with each document that one belongs to directly. */
export function ownersIn({ types, model, relatives }: CatalogueIndex) {
  const ownersOfTypes = types.texts.map(type => {
    const relation = ownerRelation(model, type)
    return relation === undefined ? undefined : relatives.by(relation)
  })
  return (document: number, work: (owner: number) => void) => {
    step()
    ownersOfTypes[types.places[document] as number]?.forEachOf(document, owner => {
      if (owner >= 0) work(owner)
    })
  }
}

/** A set with everything that belongs to its documents, through records that may be read. */
export function withParts(index: CatalogueIndex, set: DocumentSet, readable: DocumentSet | undefined): DocumentSet {
  const relations = ownerRelations(index.model)
  return closure(set, readable, from => {
    const parts = index.newSet()
    for (const { relation, from: types } of relations) {
      const leading = index.relatives.by(relation).leadingTo(from)
      keepCommon(leading, index.ofTypes(types))
      addAll(parts, leading)
    }
    return parts
  })
}

/** A set with everything that its documents belong to, through records that may be read. */
export function withWholes(index: CatalogueIndex, set: DocumentSet, readable: DocumentSet | undefined): DocumentSet {
  const forEachOwner = ownersIn(index)
  return closure(set, readable, from => {
    const wholes = index.newSet()
    forEach(from, document => forEachOwner(document, owner => add(wholes, owner)))
    return wholes
  })
}

/** A set with what steps from its members lead to; only members that may be read lead on. */
function closure(set: DocumentSet, readable: DocumentSet | undefined, next: (from: DocumentSet) => DocumentSet) {
  const found = set.slice()
  let from: DocumentSet = set.slice()
  for (let steps = 0; steps < maxOwnerSteps; steps++) {
    if (readable) keepCommon(from, readable)
    if (isEmpty(from)) break
    from = next(from)
    removeAll(from, found)
    addAll(found, from)
  }
  return found
}
