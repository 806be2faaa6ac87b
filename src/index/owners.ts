import { maxOwnerSteps, ownerRelation, ownerRelations } from '#domain/entity/owners.ts'
import { growingNumbers } from './arrays.ts'
import type { Base } from './base.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import type { GroupedDocuments } from './document-values.ts'
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
function ownersIn(index: CatalogueIndex): ForEachOwner {
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

/** Documents with the records that they belong to: all of one record, then of the next. */
interface DocumentsByHead extends GroupedDocuments {
  /** In ascending order among those of a record; one of several records is there for each. */
  readonly documents: Uint32Array
  /** Number of entries beyond one for each document. */
  readonly repeated: number
}

/** How documents are led to the records that they belong to in the end. */
export interface Heads {
  /** All documents as they are in the base, which holds for those that are not in `others`. */
  inBase(): DocumentsByHead
  readonly others: DocumentSet
  /** Calls back with each record that one belongs to, or with itself. */
  forEachHead: ForEachOwner
}

export function headsIn(index: CatalogueIndex, readable: DocumentSet | undefined): Heads {
  return {
    inBase: () => documentsByHead(index),
    others: index.hasPlainOwners ? withOtherHeads(index, readable) : index.everything(),
    forEachHead: climbing(ownersIn(index), readable)
  }
}

/** Leads to the owners of owners. A record may be reached more than once. */
function climbing(forEachOwner: ForEachOwner, readable: DocumentSet | undefined): ForEachOwner {
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
  return (document, work) => climb(document, maxOwnerSteps, work)
}

const documentsByHeads = new WeakMap<Base, DocumentsByHead>()

/** Sorts the documents of a base by their heads, once: every large group of documents is a part. */
function documentsByHead(index: CatalogueIndex): DocumentsByHead {
  const { base } = index
  const known = documentsByHeads.get(base)
  if (known) return known
  const { first, further, several } = ownersInBase(index)
  const [heads, withSeveral] = [first.slice(), several.slice()]
  for (let steps = 1; steps < maxOwnerSteps; steps++)
    inParts(0, base.size, (from, to) => {
      for (let document = from; document < to; document++) {
        if (has(withSeveral, first[document] as number)) add(withSeveral, document)
        heads[document] = first[heads[document] as number] as number
      }
    })
  const forEachHead = climbing((document, work) => {
    const owner = first[document] as number
    if (owner === document) return
    work(owner)
    for (const each of further.get(document) ?? []) work(each)
  }, undefined)
  const [documents, groups] = [growingNumbers(), growingNumbers()]
  const push = (document: number, head: number) => {
    documents.push(document)
    groups.push(head)
  }
  for (let document = 0; document < base.size; document++) {
    step()
    if (!has(withSeveral, document)) {
      push(document, heads[document] as number)
      continue
    }
    const found = new Set<number>()
    forEachHead(document, head => found.add(head))
    for (const head of found) push(document, head)
  }
  const sorted = sortByGroup(documents.array, groups.array, documents.length, base.size)
  const made = { ...sorted, repeated: documents.length - base.size }
  documentsByHeads.set(base, made)
  return made
}

/** Sorts pairs by their groups, which are numbers below a size; the others stay in their order. */
function sortByGroup(documents: Uint32Array, groups: Uint32Array, length: number, size: number): GroupedDocuments {
  const next = new Uint32Array(size + 1)
  inParts(0, length, (from, to) => {
    for (let at = from; at < to; at++) {
      const group = (groups[at] as number) + 1
      next[group] = (next[group] as number) + 1
    }
  })
  inParts(1, size + 1, (from, to) => {
    for (let at = from; at < to; at++) next[at] = (next[at] as number) + (next[at - 1] as number)
  })
  const sorted = { documents: new Uint32Array(length), groups: new Uint32Array(length) }
  inParts(0, length, (from, to) => {
    for (let at = from; at < to; at++) {
      const group = groups[at] as number
      const place = next[group] as number
      next[group] = place + 1
      sorted.documents[place] = documents[at] as number
      sorted.groups[place] = group
    }
  })
  return sorted
}

/** The documents that may have other heads than in the base. */
function withOtherHeads(index: CatalogueIndex, readable: DocumentSet | undefined): DocumentSet {
  // Both sets are new after each change.
  const scope = readable ?? index.everything()
  let others = othersInScopes.get(scope)
  if (!others) {
    const from = index.newSet()
    addAll(from, index.hidden)
    if (readable) {
      const unread = ownersNow(index).slice()
      removeAll(unread, readable)
      addAll(from, unread)
    }
    others = withParts(index, from, undefined)
    othersInScopes.set(scope, others)
  }
  return others
}

const othersInScopes = new WeakMap<DocumentSet, DocumentSet>()

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
  // Without branches, and with owners themselves, which are in the set already.
  for (let word = 0, document = 0; document < first.length; word++) {
    step(8)
    const end = Math.min(document + 32, first.length)
    let bits = 0
    for (let bit = 0; document < end; bit++, document++) {
      const owner = first[document] as number
      bits |= (((owners[owner >>> 5] as number) >>> (owner & 31)) & 1) << bit
    }
    parts[word] = bits
  }
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
    const others = index.hasPlainOwners ? addFirstOwners(index, from, wholes) : from
    forEach(others, document => forEachOwner(document, work))
    return wholes
  })
}

/** Adds the owners of documents that have one in the base, or none; returns the other documents. */
function addFirstOwners(index: CatalogueIndex, from: DocumentSet, wholes: DocumentSet): DocumentSet {
  const { first, several } = ownersInBase(index)
  const others = from.slice()
  for (let word = 0; word < several.length; word++) {
    step(8)
    const known = (from[word] as number) & ~((several[word] as number) | (index.hidden[word] as number))
    others[word] = (from[word] as number) & ~known
    for (let bits = known; bits !== 0; bits &= bits - 1)
      add(wholes, first[(word << 5) + (31 - Math.clz32(bits & -bits))] as number)
  }
  return others
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
