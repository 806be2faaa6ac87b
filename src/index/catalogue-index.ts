import { namingKeysOf } from '#domain/entity/duplicates.ts'
import type { Model } from '#domain/record-types/model.ts'
import { type Base, climbs, Columns, noType } from './base.ts'
import type { IndexedDocument } from './document.ts'
import { findName, nameAt, nobody } from './names.ts'
import { NumbersBy } from './numbers-by.ts'
import { climbMark, kindOf, sourceMask } from './relations.ts'
import { type NumberList, Scratch } from './search-scratch.ts'
import { add, type DocumentSet, emptySet, has, remove, removeAll } from './sets.ts'
import { SortedColumns } from './sorted-columns.ts'
import { inParts, step, stepsOfLookup } from './time-limit.ts'

/** A document of the delta, with where its relations lead. */
export interface DeltaDocument extends IndexedDocument {
  /** For each relation the number of the document it leads to, or -1. */
  targets: readonly number[]
}

/** Changes of some documents, up to a change number. */
export interface IndexChanges {
  /** The number of the last change. */
  readonly change: number
  /** Documents as they are after it. */
  readonly written: readonly IndexedDocument[]
  /** Own uuids of documents that are there no more. */
  readonly removed: readonly string[]
}

/** When to take which of two ways to the same result. */
export interface Tuning {
  /** Looking up a source and its relations costs as much as looking at so many in order. */
  readonly sourceCost: number
  /** A word that occurs this many times as often as there are candidates is pulled. */
  readonly pullFactor: number
  /** A word that has more than one occurrence for so many documents is looked for in all. */
  readonly denseShare: number
  /** For a page of one in so many of all documents, those that are sorted are looked through. */
  readonly sortedShare: number
}

const usualTuning: Tuning = { sourceCost: 8, pullFactor: 4, denseShare: 40, sortedShare: 64 }

/** Sets of types that are remembered as long as the base is used. */
const maxBaseTypes = 16

/** Sets remembered until the next change; each takes a bit for a document. */
const maxRemembered = 64

/**
 * Everything there is to find: a base that threads share, and a delta of this thread with the
 * documents that changed since. Documents of the delta hide those of the base with the same number.
 */
export class CatalogueIndex {
  readonly model: Model
  readonly tuning: Tuning
  readonly base: Base
  readonly columns: Columns
  readonly sortedColumns: SortedColumns
  /** One more than the highest number of a document. */
  size: number
  change: number
  /** Documents of the base that were written or removed since. */
  hidden: DocumentSet
  readonly delta = new Map<number, DeltaDocument>()
  /** For each document of the delta the change up to which it was last applied. */
  readonly #appliedAt = new Map<number, number>()
  /** The uuids of documents that were removed since the base, with the change of each. */
  readonly #removed = new Map<string, number>()
  /** The words of the delta, with the documents that have each and its weight there. */
  readonly deltaWords = new Map<string, Map<number, number>>()
  /** Identifiers that lead elsewhere than in the base; -1 for nowhere. */
  readonly #identifiers = new Map<string, number>()
  /** The same by the places of names in the base. */
  readonly #owners = new Map<number, number>()
  /** For documents: names of the base that lead to them now, and did not before. */
  readonly #newNames = new Map<number, number[]>()
  /** By key of a relation: the documents of the delta that have one to it. */
  readonly #deltaKeys = new NumbersBy<string>()
  /** By folded text: the documents of the delta that have it as a name or a number. */
  readonly #deltaNames = new NumbersBy<string>()
  readonly #namingKeys: ReadonlySet<string>
  readonly #deltaSources = new Map<number, Set<number>>()
  /** While changes are taken in: documents of the delta whose relations are to be resolved. */
  readonly #unresolved = new Set<number>()
  /** While changes are taken in: where identifiers led before. */
  readonly #ledBefore = new Map<string, number>()
  /** Documents that lost a name of the base, or got one that was not theirs. */
  readonly #renamed = new Set<number>()
  readonly #idIsUuid: ReadonlySet<number>
  /** For each type of relation in the base whether it leads to the document above. */
  readonly #isClimb: readonly boolean[]
  #scratch: Scratch | undefined
  /** Sets of documents by the types wanted, as the base has them. */
  readonly #baseTypes = new Map<string, DocumentSet>()
  readonly #remembered = new Map<string, DocumentSet>()

  constructor(model: Model, base: Base, tuning = usualTuning) {
    this.model = model
    this.tuning = tuning
    this.base = base
    this.columns = new Columns(base)
    this.sortedColumns = new SortedColumns(this.columns, base.size)
    this.size = base.size
    this.change = base.change
    this.hidden = emptySet(base.size)
    this.#namingKeys = namingKeysOf(model)
    this.#idIsUuid = new Set(base.idIsUuid)
    this.#isClimb = base.relations.types.map(type => climbs.includes(type))
  }

  /** Whether any document of the base is hidden, or any name leads elsewhere. */
  get isChanged(): boolean {
    return this.delta.size > 0 || this.#identifiers.size > 0
  }

  /**
   * Takes in what was written. All identifiers that documents gave up are free before others take
   * them.
   */
  apply({ change, written, removed }: IndexChanges) {
    for (const uuid of removed) {
      const number = this.findByUuid(uuid)
      if (number >= 0) this.#drop(number)
      this.#removed.set(uuid, change)
    }
    for (const { uuid } of written) {
      const number = this.findByUuid(uuid)
      if (number >= 0) this.#drop(number)
      this.#removed.delete(uuid)
    }
    for (const document of written) {
      this.#insert(document)
      this.#appliedAt.set(document.number, change)
    }
    this.change = change
    this.#remembered.clear()
    this.#followIdentifiers()
  }

  /** The changes after one that were applied, for an index with a newer base. */
  changesSince(since: number): IndexChanges {
    const isLater = (change: number | undefined) => (change ?? 0) > since
    return {
      change: this.change,
      written: [...this.delta.values()].filter(({ number }) => isLater(this.#appliedAt.get(number))),
      removed: [...this.#removed].filter(([, change]) => isLater(change)).map(([uuid]) => uuid)
    }
  }

  /** Relations of the delta are resolved again if their keys lead to another record than before. */
  #followIdentifiers() {
    for (const [identifier, before] of this.#ledBefore) {
      if (this.resolve(identifier) === before) continue
      for (const number of this.#deltaKeys.get(identifier)) this.#unresolved.add(number)
    }
    this.#ledBefore.clear()
    for (const number of this.#unresolved) {
      const document = this.delta.get(number)
      if (!document) continue
      this.#forgetTargets(document)
      document.targets = document.relations.map(({ key }) => this.resolve(key))
      document.targets.forEach((target, at) => {
        if (target < 0) return
        const isClimb = climbs.includes(document.relations[at]?.type ?? '')
        const sources = this.#deltaSources.get(target)
        const marked = number + (isClimb ? climbMark : 0)
        if (sources) sources.add(marked)
        else this.#deltaSources.set(target, new Set([marked]))
      })
    }
    this.#unresolved.clear()
  }

  #forgetTargets({ number, targets }: DeltaDocument) {
    for (const target of targets) {
      const sources = this.#deltaSources.get(target)
      for (const marked of [number, number + climbMark]) sources?.delete(marked)
      if (sources?.size === 0) this.#deltaSources.delete(target)
    }
  }

  /** The number of the document that has an identifier, or -1. */
  resolve(identifier: string): number {
    const known = this.#identifiers.get(identifier)
    if (known !== undefined) return known
    step(stepsOfLookup)
    const name = findName(this.base.names, identifier)
    const owner = name < 0 ? nobody : (this.base.names.owners[name] as number)
    return owner === nobody ? -1 : owner
  }

  /** The document with this uuid of its own, or -1: after a merge a uuid may lead to another. */
  findByUuid(uuid: string): number {
    const number = this.resolve(uuid)
    return number >= 0 && this.uuidOf(number) === uuid ? number : -1
  }

  /** The document that a name of the base leads to now, or -1. */
  ownerOf(name: number): number {
    const changed = this.#owners.size > 0 ? this.#owners.get(name) : undefined
    if (changed !== undefined) return changed
    const owner = this.base.names.owners[name] as number
    return owner === nobody ? -1 : owner
  }

  /** The owners of all names of the base where none has changed; undefined otherwise. */
  get plainOwners(): Uint32Array | undefined {
    return this.#owners.size === 0 ? this.base.names.owners : undefined
  }

  /** The documents that names of the base lead to now, or `nobody`. */
  ownersOf(names: Uint32Array): Uint32Array {
    const { owners } = this.base.names
    const found = new Uint32Array(names.length)
    inParts(0, names.length, (first, end) => {
      for (let at = first; at < end; at++) found[at] = owners[names[at] as number] as number
    })
    if (this.#owners.size > 0)
      for (let at = 0; at < names.length; at++) {
        step()
        const owner = this.#owners.get(names[at] as number)
        if (owner !== undefined) found[at] = owner < 0 ? nobody : owner
      }
    return found
  }

  isInBase(number: number): boolean {
    return number < this.base.size && this.base.types[number] !== noType && !has(this.hidden, number)
  }

  uuidOf(number: number): string {
    return this.delta.get(number)?.uuid ?? nameAt(this.base.names, this.base.firstNames[number] as number)
  }

  /** The text of a name of the base. */
  nameOf(name: number): string {
    return nameAt(this.base.names, name)
  }

  idOf(number: number): string {
    return this.delta.get(number)?.id ?? this.baseIdOf(number)
  }

  /** The id that a document has in the base. */
  baseIdOf(number: number): string {
    const first = this.base.firstNames[number] as number
    return nameAt(this.base.names, this.#idIsUuid.has(number) ? first : first + 1)
  }

  typeOf(number: number): string {
    return this.delta.get(number)?.type ?? (this.base.typeNames[this.base.types[number] as number] as string)
  }

  changedOf(number: number): number {
    return this.delta.get(number)?.changed ?? (this.base.changed[number] as number)
  }

  /** Calls back with the names of the base that lead to a document now. */
  forEachName(number: number, work: (name: number) => void) {
    if (number < this.base.size) {
      const end = this.base.firstNames[number + 1] as number
      for (let name = this.base.firstNames[number] as number; name < end; name++)
        if (this.#owners.size === 0 || this.ownerOf(name) === number) work(name)
    }
    for (const name of this.#newNames.get(number) ?? []) if (this.ownerOf(name) === number) work(name)
  }

  /** Whether the names that a document has in the base are those that it has now. */
  hasOwnNames(number: number): boolean {
    return number < this.base.size && (this.#renamed.size === 0 || !this.#renamed.has(number))
  }

  /** Documents whose names in the base are not those that they have now. */
  get renamed(): ReadonlySet<number> {
    return this.#renamed
  }

  /** Calls back with the documents of the base that have a relation to a document. */
  forEachSource(number: number, work: (source: number, isClimb: boolean) => void) {
    const { sourceStarts, sources } = this.base.relations
    this.forEachName(number, name => {
      const end = sourceStarts[name + 1] as number
      step(1 + end - (sourceStarts[name] as number))
      for (let at = sourceStarts[name] as number; at < end; at++) {
        const marked = sources[at] as number
        const source = marked & sourceMask
        if (!has(this.hidden, source)) work(source, marked >= climbMark)
      }
    })
  }

  /**
   * Adds the documents that a document has a relation to, with `climbMark` where the document is
   * found by everything that they say.
   */
  addTargets(number: number, list: NumberList) {
    const changed = this.delta.size > 0 ? this.delta.get(number) : undefined
    if (changed) {
      changed.targets.forEach((target, at) => {
        if (target >= 0) list.push(target + (climbs.includes(changed.relations[at]?.type ?? '') ? climbMark : 0))
      })
      return
    }
    const { starts, kinds, keys } = this.base.relations
    const end = starts[number + 1] as number
    step(1 + end - (starts[number] as number))
    for (let at = starts[number] as number; at < end; at++) {
      const target = this.ownerOf(keys[at] as number)
      if (target >= 0) list.push(target + (this.#isClimb[kinds[at] as number] ? climbMark : 0))
    }
  }

  /** The documents that relations of a type lead to from a document, in their order. */
  targetsBy(number: number, type: string): number[] {
    const changed = this.delta.get(number)
    if (changed) return changed.targets.filter((target, at) => target >= 0 && changed.relations[at]?.type === type)
    const { starts, kinds, keys } = this.base.relations
    const kind = kindOf(this.base.relations, type)
    const targets: number[] = []
    const first = kind < 0 ? 0 : (starts[number] as number)
    const end = kind < 0 ? 0 : (starts[number + 1] as number)
    step(1 + end - first)
    for (let at = first; at < end; at++) {
      const target = kinds[at] === kind ? this.ownerOf(keys[at] as number) : -1
      if (target >= 0) targets.push(target)
    }
    return targets
  }

  /**
   * The documents that relations of the delta lead to, each with the documents of the delta that
   * have them, marked as in `Relations.sources`.
   */
  get deltaSources(): ReadonlyMap<number, ReadonlySet<number>> {
    return this.#deltaSources
  }

  /** Takes room for the costs of a word, which is clear. */
  takeScratch(): Scratch {
    const scratch = this.#scratch?.own.length === this.size ? this.#scratch : new Scratch(this.size)
    // Work that ends early leaves it as it is: then it is not used again.
    this.#scratch = undefined
    return scratch
  }

  /** Gives back the room, which was cleared. */
  returnScratch(scratch: Scratch) {
    this.#scratch = scratch
  }

  /**
   * The documents of a set that are as they are in the base. The set given must have documents that
   * exist only; the one returned must not be changed.
   */
  withoutHidden(set: DocumentSet): DocumentSet {
    if (this.delta.size === 0) return set
    const inBase = set.slice()
    removeAll(inBase, this.hidden)
    for (const number of this.delta.keys()) {
      step()
      remove(inBase, number)
    }
    return inBase
  }

  /** Sets are remembered until the next change. They must not be changed. */
  remember(key: string, make: () => DocumentSet): DocumentSet {
    const known = this.#remembered.get(key)
    if (known) return known
    const set = make()
    if (this.#remembered.size >= maxRemembered) this.#remembered.clear()
    this.#remembered.set(key, set)
    return set
  }

  newSet(): DocumentSet {
    return emptySet(this.size)
  }

  everything(): DocumentSet {
    return this.remember('everything', () => this.#ofTypes(() => true))
  }

  ofTypes(types: readonly string[]): DocumentSet {
    const wanted = new Set(types)
    return this.remember(`types ${JSON.stringify([...wanted].sort())}`, () => this.#ofTypes(type => wanted.has(type)))
  }

  #ofTypes(isWanted: (type: string) => boolean): DocumentSet {
    const set = this.newSet()
    const wanted = Uint8Array.from({ length: 256 }, (_, at) => {
      const name = this.base.typeNames[at]
      return name !== undefined && isWanted(name) ? 1 : 0
    })
    const key = wanted.join('')
    let inBase = this.#baseTypes.get(key)
    if (!inBase) {
      inBase = documentsOf(this.base, wanted)
      if (this.#baseTypes.size >= maxBaseTypes) this.#baseTypes.clear()
      this.#baseTypes.set(key, inBase)
    }
    set.set(inBase)
    removeAll(set, this.hidden)
    for (const { number, type } of this.delta.values()) {
      step()
      if (isWanted(type)) add(set, number)
    }
    return set
  }

  #drop(number: number) {
    for (const identifier of this.#identifiersOf(number))
      if (this.resolve(identifier) === number) this.#lead(identifier, -1)
    const document = this.delta.get(number)
    if (document) {
      for (const word of document.words.keys()) {
        const places = this.deltaWords.get(word)
        places?.delete(number)
        if (places?.size === 0) this.deltaWords.delete(word)
      }
      this.#forgetTargets(document)
      for (const { key } of document.relations) this.#deltaKeys.remove(key, number)
      for (const folded of this.#namesIn(document)) this.#deltaNames.remove(folded, number)
      this.delta.delete(number)
      this.#appliedAt.delete(number)
    }
    if (number < this.base.size) add(this.hidden, number)
  }

  #insert(document: IndexedDocument) {
    const { number } = document
    if (number >= this.size) this.#grow(number + 1)
    if (number < this.base.size) add(this.hidden, number)
    this.delta.set(number, { ...document, targets: [] })
    this.#unresolved.add(number)
    for (const { key } of document.relations) this.#deltaKeys.add(key, number)
    for (const folded of this.#namesIn(document)) this.#deltaNames.add(folded, number)
    for (const identifier of document.identifiers) this.#lead(identifier, number)
    for (const [word, weight] of document.words) {
      let places = this.deltaWords.get(word)
      if (!places) {
        places = new Map()
        this.deltaWords.set(word, places)
      }
      places.set(number, weight)
    }
  }

  #namesIn({ values }: IndexedDocument): string[] {
    return values.filter(({ key }) => this.#namingKeys.has(key)).map(({ folded }) => folded)
  }

  /** The documents of the delta with a name or a number of this folded text. */
  deltaNamed(folded: string): DeltaDocument[] {
    return [...this.#deltaNames.get(folded)].flatMap(number => this.delta.get(number) ?? [])
  }

  #identifiersOf(number: number): readonly string[] {
    const document = this.delta.get(number)
    if (document) return document.identifiers
    const identifiers: string[] = []
    if (number < this.base.size && !has(this.hidden, number)) {
      const end = this.base.firstNames[number + 1] as number
      for (let name = this.base.firstNames[number] as number; name < end; name++)
        identifiers.push(nameAt(this.base.names, name))
    }
    return identifiers
  }

  /** Leads an identifier to a document, or nowhere. Only differences from the base are noted. */
  #lead(identifier: string, to: number) {
    if (!this.#ledBefore.has(identifier)) this.#ledBefore.set(identifier, this.resolve(identifier))
    const name = findName(this.base.names, identifier)
    const owner = name < 0 ? nobody : (this.base.names.owners[name] as number)
    if (to === (owner === nobody ? -1 : owner)) {
      this.#identifiers.delete(identifier)
      this.#owners.delete(name)
      return
    }
    this.#identifiers.set(identifier, to)
    if (name < 0) return
    this.#owners.set(name, to)
    if (owner !== nobody) this.#renamed.add(owner)
    if (to < 0) return
    this.#renamed.add(to)
    const known = this.#newNames.get(to)
    if (!known) this.#newNames.set(to, [name])
    else if (!known.includes(name)) known.push(name)
  }

  /** Room for new documents is made for many at once; what is beyond the last is in no set. */
  #grow(size: number) {
    this.size = Math.ceil((size + 1024) / 1024) * 1024
    const hidden = emptySet(this.size)
    hidden.set(this.hidden)
    this.hidden = hidden
  }
}

function documentsOf({ types, size }: Base, wanted: Uint8Array): DocumentSet {
  const set = emptySet(size)
  inParts(0, types.length, (first, end) => {
    for (let number = first; number < end; number++) if (wanted[types[number] as number]) add(set, number)
  })
  return set
}
