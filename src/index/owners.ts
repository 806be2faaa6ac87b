import { maxOwnerSteps, ownerRelation, ownerRelations } from '#domain/entity/owners.ts'
import type { Base } from './base.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { nobody } from './names.ts'
import { kindOf } from './relations.ts'
import { add, addAll, count, type DocumentSet, emptySet, forEach, has, isEmpty, keepCommon, removeAll } from './sets.ts'
import { inParts, step } from './time-limit.ts'

/** The documents of a base that its documents belong to directly. */
interface OwnersInBase {
  /** The first one of each document; the document itself where there is none. */
  readonly first: Uint32Array
  /** The others of documents that belong to several. */
  readonly further: ReadonlyMap<number, readonly number[]>
  /** The documents that belong to several. */
  readonly several: DocumentSet
  /** The documents that others belong to. */
  readonly owners: DocumentSet
}

const ownersInBases = new WeakMap<Base, OwnersInBase>()

function ownersInBase({ base, model }: CatalogueIndex): OwnersInBase {
  const known = ownersInBases.get(base)
  if (known) return known
  const { starts, kinds, keys } = base.relations
  const kindsOfTypes = base.typeNames.map(type => kindOf(base.relations, ownerRelation(model, type) ?? ''))
  const first = new Uint32Array(base.size)
  const further = new Map<number, number[]>()
  const [several, owners] = [emptySet(base.size), emptySet(base.size)]
  inParts(0, base.size, (from, to) => {
    for (let document = from; document < to; document++) {
      first[document] = document
      const kind = kindsOfTypes[base.types[document] as number] as number
      if (kind < 0) continue
      for (let at = starts[document] as number; at < (starts[document + 1] as number); at++) {
        if (kinds[at] !== kind) continue
        const owner = base.names.owners[keys[at] as number] as number
        if (owner === nobody) continue
        add(owners, owner)
        if (first[document] === document) first[document] = owner
        else {
          further.set(document, [...(further.get(document) ?? []), owner])
          add(several, document)
        }
      }
    }
  })
  const found = { first, further, several, owners }
  ownersInBases.set(base, found)
  return found
}

type ForEachOwner = (document: number, work: (owner: number) => void) => void

/** Returns a function that calls back with each document that one belongs to directly. */
export function ownersIn(index: CatalogueIndex): ForEachOwner {
  const { types, model, relatives, hidden } = index
  const ownersOfTypes = types.texts.map(type => {
    const relation = ownerRelation(model, type)
    return relation === undefined ? undefined : relatives.by(relation)
  })
  const related: ForEachOwner = (document, work) => {
    step()
    ownersOfTypes[types.places[document] as number]?.forEachOf(document, owner => {
      if (owner >= 0) work(owner)
    })
  }
  if (!index.hasPlainOwners) return related
  const { first, further, several } = ownersInBase(index)
  return (document, work) => {
    if (document >= first.length || has(hidden, document)) return related(document, work)
    const owner = first[document] as number
    if (owner === document) return
    step()
    work(owner)
    if (has(several, document)) for (const each of further.get(document) ?? []) work(each)
  }
}

/** Returns a function that calls back with each record that one belongs to, or with itself. */
export function headsIn(index: CatalogueIndex, readable: DocumentSet | undefined): ForEachOwner {
  const forEachOwner = ownersIn(index)
  const climb = (document: number, steps: number, work: (head: number) => void) => {
    let isOwned = false
    forEachOwner(document, owner => {
      if (readable && !has(readable, owner)) return
      isOwned = true
      if (steps === 1) work(owner)
      else climb(owner, steps - 1, work)
    })
    if (!isOwned) work(document)
  }
  if (!index.hasPlainOwners) return (document, work) => climb(document, maxOwnerSteps, work)
  const { first, several } = ownersInBase(index)
  const { hidden } = index
  return (document, work) => {
    step()
    let head = document
    for (let steps = 0; steps < maxOwnerSteps; steps++) {
      if (head >= first.length || has(hidden, head) || has(several, head)) return climb(document, maxOwnerSteps, work)
      const owner = first[head] as number
      if (owner === head || (readable && !has(readable, owner))) break
      head = owner
    }
    work(head)
  }
}

/** A set with everything that belongs to its documents, through records that may be read. */
export function withParts(index: CatalogueIndex, set: DocumentSet, readable: DocumentSet | undefined): DocumentSet {
  const relations = ownerRelations(index.model)
  const owners = index.hasPlainOwners ? ownersNow(index) : undefined
  return closure(set, readable, from => {
    if (owners) keepCommon(from, owners)
    if (owners && count(from) * minShare > index.size) return partsOfMany(index, from)
    const parts = index.newSet()
    if (isEmpty(from)) return parts
    for (const { relation, from: types } of relations) {
      const leading = index.relatives.by(relation).leadingTo(from)
      keepCommon(leading, index.ofTypes(types))
      addAll(parts, leading)
    }
    return parts
  })
}

/** The documents that others belong to, or may belong to. */
function ownersNow(index: CatalogueIndex): DocumentSet {
  const { owners } = ownersInBase(index)
  if (!index.isChanged) return owners
  return index.remember('owners', () => {
    const set = index.newSet()
    set.set(owners)
    const forEachOwner = ownersIn(index)
    for (const document of index.delta.documents.keys()) forEachOwner(document, owner => add(set, owner))
    return set
  })
}

/** From one document in so many on, all documents are looked at for their owners. */
const minShare = 64

function partsOfMany(index: CatalogueIndex, owners: DocumentSet): DocumentSet {
  const { first, further } = ownersInBase(index)
  const parts = index.newSet()
  inParts(0, first.length, (from, to) => {
    for (let document = from; document < to; document++) {
      const owner = first[document] as number
      if (owner !== document && has(owners, owner)) add(parts, document)
    }
  })
  for (const [document, others] of further) {
    step()
    if (others.some(owner => has(owners, owner))) add(parts, document)
  }
  if (!index.isChanged) return parts
  removeAll(parts, index.hidden)
  const forEachOwner = ownersIn(index)
  for (const document of index.delta.documents.keys())
    forEachOwner(document, owner => {
      if (has(owners, owner)) add(parts, document)
    })
  return parts
}

/** A set with everything that its documents belong to, through records that may be read. */
export function withWholes(index: CatalogueIndex, set: DocumentSet, readable: DocumentSet | undefined): DocumentSet {
  const forEachOwner = ownersIn(index)
  return closure(set, readable, from => {
    const wholes = index.newSet()
    const work = (owner: number) => add(wholes, owner)
    forEach(from, document => forEachOwner(document, work))
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
