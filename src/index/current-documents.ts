import type { Model } from '#domain/record-types/model.ts'
import type { Numbers } from './arrays.ts'
import { type Base, Columns, noType } from './base.ts'
import { Delta } from './delta.ts'
import type { GroupedDocuments, GroupsByChange } from './document-values.ts'
import type { IndexChanges, IndexedDocument } from './document.ts'
import { findName, nameAt, nobody } from './names.ts'
import { Scratch } from './search-scratch.ts'
import { add, type DocumentSet, emptySet, has, isEmpty, removeAll } from './sets.ts'
import { SortedColumns } from './sorted-columns.ts'
import { inParts, step, stepsOfLookup } from './time-limit.ts'

/** For each document the place of a text that it has. */
export interface TextPlaces {
  readonly places: Numbers
  readonly texts: readonly string[]
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
 * Documents as they are now: a base that threads share, and a delta of this thread with those that
 * changed since. A document of the delta hides that of the base with its number.
 */
export class CurrentDocuments {
  readonly model: Model
  readonly tuning: Tuning
  readonly base: Base
  readonly columns: Columns
  readonly sortedColumns: SortedColumns
  /** One more than the highest number of a document. */
  size: number
  change: number
  /** Documents that were written or removed since the base. */
  hidden: DocumentSet
  readonly delta: Delta
  /** For each document the place of its type; of no use where there is none. */
  types: TextPlaces
  /** Identifiers that lead elsewhere than in the base; -1 for nowhere. */
  readonly #identifiers = new Map<string, number>()
  /** The same by the places of names in the base. */
  readonly #owners = new Map<number, number>()
  /** For documents: names of the base that lead to them now, and did not before. */
  readonly #newNames = new Map<number, number[]>()
  /** While changes are taken in: where identifiers led before. */
  readonly #ledBefore = new Map<string, number>()
  /** Documents that lost a name of the base, or got one that was not theirs. */
  readonly #renamed = new Set<number>()
  readonly #idIsUuid: ReadonlySet<number>
  #scratch: Scratch | undefined
  /** Sets of documents by the types wanted, as the base has them. */
  readonly #baseTypes = new Map<string, DocumentSet>()
  readonly #remembered = new Map<string, DocumentSet>()
  /** Other things that are remembered until the next change. */
  readonly #made = new Map<string, unknown>()

  constructor(model: Model, base: Base, tuning = usualTuning) {
    this.model = model
    this.tuning = tuning
    this.base = base
    this.columns = new Columns(base)
    this.sortedColumns = new SortedColumns(this.columns, base.size)
    this.size = base.size
    this.change = base.change
    this.hidden = emptySet(base.size)
    this.delta = new Delta(model)
    this.types = { places: base.types, texts: base.typeNames }
    this.#idIsUuid = new Set(base.idIsUuid)
  }

  /** Whether any document was changed since the base, or any name leads elsewhere. */
  get isChanged(): boolean {
    return this.delta.documents.size > 0 || this.#identifiers.size > 0
  }

  /** The number of documents that were changed since the base. */
  get changedCount(): number {
    return this.delta.documents.size
  }

  /**
   * Takes in what was written. All identifiers that documents gave up are free before others take
   * them.
   */
  apply({ change, written, removed }: IndexChanges) {
    for (const uuid of removed) {
      this.#drop(uuid)
      this.delta.noteRemoved(uuid, change)
    }
    for (const { uuid } of written) this.#drop(uuid)
    for (const document of written) this.#insert(document, change)
    this.change = change
    this.#remembered.clear()
    this.#made.clear()
    for (const [identifier, before] of this.#ledBefore)
      if (this.resolve(identifier) !== before) this.delta.forgetKey(identifier)
    this.#ledBefore.clear()
    this.delta.resolveTargets(key => this.resolve(key))
  }

  /** The changes after one that were applied, for an index with a newer base. */
  changesSince(since: number): IndexChanges {
    return { change: this.change, ...this.delta.changesSince(since) }
  }

  /** The metadata keys that documents may have. */
  keys(): Iterable<string> {
    return new Set([...this.base.columnKeys, ...this.delta.values.keys()])
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

  /** Whether all names of the base lead to the documents that they lead to there. */
  get hasPlainOwners(): boolean {
    return this.#owners.size === 0
  }

  uuidOf(number: number): string {
    return this.delta.documents.get(number)?.uuid ?? nameAt(this.base.names, this.base.firstNames[number] as number)
  }

  idOf(number: number): string {
    return this.delta.documents.get(number)?.id ?? this.baseIdOf(number)
  }

  /** The id that a document has in the base. */
  baseIdOf(number: number): string {
    const first = this.base.firstNames[number] as number
    return nameAt(this.base.names, this.#idIsUuid.has(number) ? first : first + 1)
  }

  typeOf(number: number): string {
    return this.types.texts[this.types.places[number] as number] as string
  }

  changedOf(number: number): number {
    return this.delta.documents.get(number)?.changed ?? (this.base.changed[number] as number)
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

  /** The documents of a set that are as they are in the base. It must not be changed. */
  unchangedOf(set: DocumentSet): DocumentSet {
    if (!this.isChanged) return set
    const unchanged = set.slice()
    removeAll(unchanged, this.hidden)
    return unchanged
  }

  /** Groups of documents that are as they are in the base, and the others. */
  splitByChange({ documents, groups }: GroupedDocuments): GroupsByChange {
    const unchanged = { documents, groups }
    const isChanged = this.newSet()
    for (let at = 0; at < documents.length && this.isChanged; at++) {
      step()
      if (has(this.hidden, documents[at] as number)) add(isChanged, groups[at] as number)
    }
    if (isEmpty(isChanged)) return { unchanged, changed: noGroups }
    const ofGroups = (wanted: boolean): GroupedDocuments => {
      const isWanted = (_: number, at: number) => {
        step()
        return has(isChanged, groups[at] as number) === wanted
      }
      return { documents: documents.filter(isWanted), groups: groups.filter(isWanted) }
    }
    return { unchanged: ofGroups(false), changed: ofGroups(true) }
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

  /** The same for anything else; the kinds are few. */
  rememberUntilChange<T>(key: string, make: () => T): T {
    if (this.#made.has(key)) return this.#made.get(key) as T
    const made = make()
    this.#made.set(key, made)
    return made
  }

  newSet(): DocumentSet {
    return emptySet(this.size)
  }

  everything(): DocumentSet {
    return this.remember('everything', () => this.#ofTypes('everything', () => true))
  }

  ofTypes(types: readonly string[]): DocumentSet {
    const wanted = new Set(types)
    const name = `types ${JSON.stringify([...wanted].sort())}`
    return this.remember(name, () => this.#ofTypes(name, type => wanted.has(type)))
  }

  #ofTypes(name: string, isWanted: (type: string) => boolean): DocumentSet {
    const set = this.newSet()
    let inBase = this.#baseTypes.get(name)
    if (!inBase) {
      inBase = documentsOf(this.base, isWanted)
      if (this.#baseTypes.size >= maxBaseTypes) this.#baseTypes.clear()
      this.#baseTypes.set(name, inBase)
    }
    set.set(inBase)
    removeAll(set, this.hidden)
    for (const { number, type } of this.delta.documents.values()) {
      step()
      if (isWanted(type)) add(set, number)
    }
    return set
  }

  #drop(uuid: string) {
    const number = this.findByUuid(uuid)
    if (number < 0) return
    for (const identifier of this.#identifiersOf(number))
      if (this.resolve(identifier) === number) this.#lead(identifier, -1)
    this.delta.drop(number)
    add(this.hidden, number)
  }

  #insert(document: IndexedDocument, change: number) {
    const { number } = document
    if (number >= this.size) this.#grow(number + 1)
    add(this.hidden, number)
    this.#setType(number, document.type)
    this.delta.insert(document, change)
    for (const identifier of document.identifiers) this.#lead(identifier, number)
  }

  /** Changes the type of a document, in a copy of what threads share. */
  #setType(number: number, type: string) {
    const texts = this.types.texts.includes(type) ? this.types.texts : [...this.types.texts, type]
    let { places } = this.types
    const Places = texts.length > noType ? Uint16Array : Uint8Array
    if (places === this.base.types || places.length < this.size || !(places instanceof Places)) {
      places = new Places(this.size)
      places.set(this.types.places)
    }
    places[number] = texts.indexOf(type)
    this.types = { places, texts }
  }

  #identifiersOf(number: number): readonly string[] {
    const document = this.delta.documents.get(number)
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

const noGroups: GroupedDocuments = { documents: new Uint32Array(0), groups: new Uint32Array(0) }

function documentsOf({ types, typeNames, size }: Base, isWanted: (type: string) => boolean): DocumentSet {
  const set = emptySet(size)
  const wanted = typeNames.map(isWanted)
  inParts(0, types.length, (first, end) => {
    for (let number = first; number < end; number++) if (wanted[types[number] as number]) add(set, number)
  })
  return set
}
