import { climbs } from './base.ts'
import type { CurrentDocuments } from './current-documents.ts'
import {
  addMarked,
  type Counting,
  countValues,
  countValuesByGroup,
  type GroupsByChange,
  groupsIn
} from './document-values.ts'
import { nameAt } from './names.ts'
import { findParents, type Parents } from './parents.ts'
import { climbMark, type KeyColumn, keyColumnOf, kindOf, sourceMask } from './relations.ts'
import type { NumberList } from './search-scratch.ts'
import { add, countMembers, type DocumentSet, forEach, has, hasAny, membersOf, removeAll } from './sets.ts'
import { step } from './time-limit.ts'

type SourceWork = (source: number, isClimb: boolean) => void

/** The relations of all documents, in both directions, as they are now. */
export class Relatives {
  readonly #index: CurrentDocuments
  /** For each type of relation in the base whether it leads to the document above. */
  readonly #isClimb: readonly boolean[]
  readonly #byType = new Map<string, RelationsOfType>()

  constructor(index: CurrentDocuments) {
    this.#index = index
    this.#isClimb = index.base.relations.types.map(type => climbs.includes(type))
  }

  /** The types of relations that documents may have. */
  types(): Iterable<string> {
    return new Set([...this.#index.base.relations.types, ...this.#index.delta.withRelation.keys()])
  }

  by(type: string): RelationsOfType {
    let relations = this.#byType.get(type)
    if (!relations) {
      relations = new RelationsOfType(this.#index, this, type)
      this.#byType.set(type, relations)
    }
    return relations
  }

  /** The key of the relation that a document has at a position. */
  keyOf(document: number, position: number): string {
    const changed = this.#index.delta.documents.get(document)
    if (changed) return changed.relations[position]?.key as string
    const { starts, keys } = this.#index.base.relations
    return nameAt(this.#index.base.names, keys[(starts[document] as number) + position] as number)
  }

  /**
   * Adds the documents that a document has a relation to, with `climbMark` where the document is
   * found by everything that they say.
   */
  addTargets(number: number, list: NumberList) {
    const index = this.#index
    if (has(index.hidden, number)) {
      const changed = index.delta.documents.get(number)
      changed?.targets.forEach((target, at) => {
        if (target >= 0) list.push(target + (climbs.includes(changed.relations[at]?.type ?? '') ? climbMark : 0))
      })
      return
    }
    const { starts, kinds, keys } = index.base.relations
    const end = starts[number + 1] as number
    step(1 + end - (starts[number] as number))
    for (let at = starts[number] as number; at < end; at++) {
      const target = index.ownerOf(keys[at] as number)
      if (target >= 0) list.push(target + (this.#isClimb[kinds[at] as number] ? climbMark : 0))
    }
  }

  /** Calls back with the documents that have a relation to a document. */
  forEachSource(number: number, work: SourceWork) {
    const index = this.#index
    const { firstNames } = index.base
    const hidden = index.isChanged ? index.hidden : undefined
    if (!hidden || index.hasOwnNames(number))
      this.#visit(firstNames[number] as number, firstNames[number + 1] as number, hidden, work)
    else index.forEachName(number, name => this.#visit(name, name + 1, hidden, work))
    if (!hidden) return
    for (const marked of index.delta.sources.get(number)) {
      step()
      work(marked & sourceMask, marked >= climbMark)
    }
  }

  /**
   * Writes a number for the documents that are related to a document otherwise than below it, where
   * they have a higher one: for many documents, a third faster than a function for each.
   */
  lowerRelated(document: number, number: number, numbers: Uint8Array) {
    if (this.#index.isChanged) {
      this.forEachSource(document, (source, isClimb) => {
        if (!isClimb && number < (numbers[source] as number)) numbers[source] = number
      })
      return
    }
    const { firstNames, relations } = this.#index.base
    const { sourceStarts, sources } = relations
    const end = sourceStarts[firstNames[document + 1] as number] as number
    let at = sourceStarts[firstNames[document] as number] as number
    step(1 + ((end - at) >> 3))
    for (; at < end; at++) {
      const marked = sources[at] as number
      if (marked < climbMark && number < (numbers[marked] as number)) numbers[marked] = number
    }
  }

  /** Calls back with the sources of names that follow each other, but those that are hidden. */
  #visit(name: number, nextName: number, hidden: DocumentSet | undefined, work: SourceWork) {
    const { sourceStarts, sources } = this.#index.base.relations
    const end = sourceStarts[nextName] as number
    for (let at = sourceStarts[name] as number; at < end; at++) {
      step()
      const marked = sources[at] as number
      const source = marked & sourceMask
      if (!(hidden && has(hidden, source))) work(source, marked >= climbMark)
    }
  }

  /** The documents that may be above others. */
  get above(): DocumentSet {
    return this.#withChanged('above', this.#index.base.relations.isAbove)
  }

  /** The documents that others may lead to by any other relation. */
  get related(): DocumentSet {
    return this.#withChanged('related', this.#index.base.relations.isRelated)
  }

  /** Adds the documents whose sources may have changed. */
  #withChanged(key: string, inBase: DocumentSet): DocumentSet {
    const index = this.#index
    if (!index.isChanged) return inBase
    return index.remember(key, () => {
      const set = index.newSet()
      set.set(inBase)
      for (const numbers of [index.renamed, index.delta.sources.keys()])
        for (const number of numbers) {
          step()
          add(set, number)
        }
      return set
    })
  }

  /** The documents above all others. */
  get parents(): Parents {
    const { base, isChanged } = this.#index
    if (!isChanged) return base.relations.parents
    return this.#index.rememberUntilChange('parents', () => this.#findParents())
  }

  #findParents(): Parents {
    const index = this.#index
    const { hidden } = index
    const { relations } = index.base
    const known = index.hasPlainOwners
      ? relations.parents
      : findParents(relations, this.#isClimb, name => index.ownerOf(name))
    // Names of the base may lead to new documents.
    const first = new Uint32Array(index.size)
    first.set(known.first)
    for (let number = known.first.length; number < first.length; number++) first[number] = number
    forEach(hidden, number => {
      first[number] = number
    })
    const [documents, targets]: [number[], number[]] = [[], []]
    known.documents.forEach((document, at) => {
      step()
      if (has(hidden, document)) return
      documents.push(document)
      targets.push(known.targets[at] as number)
    })
    for (const [target, sources] of index.delta.sources)
      for (const marked of sources) {
        step()
        if (marked < climbMark) continue
        documents.push(marked & sourceMask)
        targets.push(target)
      }
    return { first, documents: Uint32Array.from(documents), targets: Uint32Array.from(targets) }
  }
}

/** The relations of one type. A target is -1 where no document has the key. */
class RelationsOfType {
  readonly #index: CurrentDocuments
  readonly #relatives: Relatives
  readonly #type: string
  readonly #kind: number
  readonly #column: KeyColumn | undefined

  constructor(index: CurrentDocuments, relatives: Relatives, type: string) {
    this.#index = index
    this.#relatives = relatives
    this.#type = type
    this.#kind = kindOf(index.base.relations, type)
    this.#column = keyColumnOf(index.base.relations, type)
  }

  /** The changed documents with a relation of this type. */
  get #changed(): ReadonlySet<number> {
    return this.#index.delta.withRelation.get(this.#type)
  }

  /** Calls back with the relations of all documents, each with its position in its document. */
  forEach(work: (source: number, target: number, position: number) => void) {
    const { hidden } = this.#index
    const ofSource = (source: number) => this.forEachOf(source, (target, position) => work(source, target, position))
    for (const source of this.#column ? membersOf(this.#column.documents) : [])
      if (!has(hidden, source)) ofSource(source)
    for (const source of this.#changed) ofSource(source)
  }

  /** Calls back with the relations of a document, in their order. */
  forEachOf(document: number, work: (target: number, position: number) => void) {
    const index = this.#index
    if (has(index.hidden, document)) {
      const { relations, targets } = index.delta.documents.get(document) ?? nothing
      step(1 + relations.length)
      for (let at = 0; at < relations.length; at++)
        if (relations[at]?.type === this.#type) work(targets[at] as number, at)
      return
    }
    if (this.#kind < 0) return
    const { starts, kinds, keys } = index.base.relations
    const first = starts[document] as number
    const end = starts[document + 1] as number
    step(1 + end - first)
    for (let at = first; at < end; at++)
      if (kinds[at] === this.#kind) work(index.ownerOf(keys[at] as number), at - first)
  }

  /** The documents that relations lead to from a document, in their order. */
  targetsOf(document: number): number[] {
    const targets: number[] = []
    this.forEachOf(document, target => {
      if (target >= 0) targets.push(target)
    })
    return targets
  }

  /** Whether a document of a set has such a relation. */
  isIn(set: DocumentSet): boolean {
    if (this.#changed.values().some(document => has(set, document))) return true
    return this.#column !== undefined && hasAny(this.#index.unchangedOf(set), this.#column.documents)
  }

  /** The documents with a relation to one of a set. */
  leadingTo(targets: DocumentSet): DocumentSet {
    const index = this.#index
    const column = this.#column
    const set = index.newSet()
    if (column) {
      const length = countMembers(column.documents) + column.further.length
      if (this.#countSources(targets) * index.tuning.sourceCost < length) this.#addSources(targets, set)
      else {
        addMarked(column, this.#keysTo(column, targets), set)
        removeAll(set, index.hidden)
      }
    }
    for (const source of this.#changed)
      this.forEachOf(source, target => {
        if (target >= 0 && has(targets, target)) add(set, source)
      })
    return set
  }

  /** The number of relations to the documents of a set, about. */
  #countSources(targets: DocumentSet): number {
    const { firstNames, relations, size } = this.#index.base
    let sum = 0
    forEach(targets, target => {
      if (target >= size) return
      const first = firstNames[target] as number
      const end = firstNames[target + 1] as number
      sum += (relations.sourceStarts[end] as number) - (relations.sourceStarts[first] as number) + 1
    })
    return sum
  }

  /** Adds the documents that lead to a set, from its members. */
  #addSources(targets: DocumentSet, set: DocumentSet) {
    forEach(targets, target => {
      let last = -1
      this.#relatives.forEachSource(target, source => {
        // Several relations of a document to the same one follow each other.
        if (source === last) return
        last = source
        this.forEachOf(source, to => {
          if (to === target) add(set, source)
        })
      })
    })
  }

  /** Marks the keys that lead to a set. */
  #keysTo({ names }: KeyColumn, targets: DocumentSet): Uint8Array {
    const marks = new Uint8Array(names.length)
    for (let at = 0; at < names.length; at++) {
      step()
      const owner = this.#index.ownerOf(names[at] as number)
      if (owner >= 0 && has(targets, owner)) marks[at] = 1
    }
    return marks
  }

  /**
   * Calls back with the number of documents of a set that lead to each target, or have a key that
   * leads nowhere. Those with less than a number may be left out.
   */
  countIn(set: DocumentSet, least: () => number, work: TargetWork) {
    const changed = this.#changed.values().filter(document => has(set, document))
    const inBase = (column: KeyColumn, counting: Counting) =>
      countValues(column, this.#index.unchangedOf(set), counting)
    this.#count(
      changed.map(document => [document]),
      inBase,
      least,
      work
    )
  }

  /** The same with the number of groups. */
  countByGroup({ unchanged, changed }: GroupsByChange, least: () => number, work: TargetWork) {
    this.#count(groupsIn(changed), (column, counting) => countValuesByGroup(column, unchanged, counting), least, work)
  }

  #count(
    changed: Iterable<Iterable<number>>,
    countBase: (column: KeyColumn, counting: Counting) => Uint32Array,
    least: () => number,
    work: TargetWork
  ) {
    const index = this.#index
    const [further, loose] = this.#countChanged(changed)
    const column = this.#column
    if (column) {
      const { names } = column
      const counted = countedKeys(column, index)
      const counts = countBase(column, { valueCount: names.length, counted, isDistinct: true })
      // Of many targets most are in few documents: their owners are not looked up.
      const isWhole = further.size === 0 && loose.size === 0
      for (let place = 0; place < counts.length; place++) {
        step()
        const inBase = counts[place] as number
        if (inBase === 0 || (isWhole && inBase < least())) continue
        const owner = index.ownerOf(names[place] as number)
        if (owner < 0) {
          const key = nameAt(index.base.names, names[place] as number)
          loose.set(key, (loose.get(key) ?? 0) + inBase)
          continue
        }
        const count = inBase + (further.get(owner) ?? 0)
        if (count >= least()) work(count, owner, '')
        if (further.size > 0) further.delete(owner)
      }
    }
    for (const [target, count] of further) work(count, target, '')
    for (const [key, count] of loose) work(count, -1, key)
  }

  /** Counts groups of documents by target, and by key where it leads nowhere. */
  #countChanged(groups: Iterable<Iterable<number>>): [Map<number, number>, Map<string, number>] {
    const targets = new Map<number, number>()
    const loose = new Map<string, number>()
    for (const group of groups) {
      const known = new Set<number | string>()
      for (const source of group)
        this.forEachOf(source, (target, position) => {
          known.add(target < 0 ? this.#relatives.keyOf(source, position) : target)
        })
      for (const value of known) {
        step()
        if (typeof value === 'string') loose.set(value, (loose.get(value) ?? 0) + 1)
        else targets.set(value, (targets.get(value) ?? 0) + 1)
      }
    }
    return [targets, loose]
  }
}

/** Takes the number of documents that lead to a target, or to -1 by a key that nothing has. */
export type TargetWork = (count: number, target: number, key: string) => void

const nothing = { relations: [], targets: [] }

/** For each key the first of the same document; undefined where each is of another one. */
function countedKeys(column: KeyColumn, index: CurrentDocuments): Int32Array | undefined {
  const known = index.hasPlainOwners ? countedByKeys.get(column) : undefined
  if (known !== undefined) return known ?? undefined
  const { names } = column
  const firsts = new Map<number, number>()
  let counted: Int32Array | undefined
  for (let at = 0; at < names.length; at++) {
    step()
    const owner = index.ownerOf(names[at] as number)
    const first = owner < 0 ? at : firsts.get(owner)
    if (first === undefined) firsts.set(owner, at)
    else if (first !== at) {
      counted ??= Int32Array.from({ length: names.length }, (_, place) => place)
      counted[at] = first
    }
  }
  if (index.hasPlainOwners) countedByKeys.set(column, counted ?? null)
  return counted
}

const countedByKeys = new WeakMap<KeyColumn, Int32Array | null>()
