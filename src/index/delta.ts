import { namingKeysOf } from '#domain/entity/duplicates.ts'
import type { Model } from '#domain/record-types/model.ts'
import { climbs } from './base.ts'
import { ChangedValues } from './changed-values.ts'
import type { IndexChanges, IndexedDocument } from './document.ts'
import { NumbersBy } from './numbers-by.ts'
import { climbMark } from './relations.ts'

/** A document of the delta, with where its relations lead. */
export interface DeltaDocument extends IndexedDocument {
  /** For each relation the number of the document it leads to, or -1. */
  targets: readonly number[]
}

/**
 * The documents that changed since the base, with the ways to them. Only the files that join it
 * with the base know it; queries ask those.
 */
export class Delta {
  readonly documents = new Map<number, DeltaDocument>()
  /** The words of the documents, with those that have each and its weight there. */
  readonly words = new Map<string, Map<number, number>>()
  /** The values of the documents by their metadata keys. */
  readonly values = new Map<string, ChangedValues>()
  /** The documents by the types of relations that they have. */
  readonly withRelation = new NumbersBy<string>()
  /** The documents by what their relations lead to, marked as in `Relations.sources`. */
  readonly sources = new NumbersBy<number>()
  /** For each document the change up to which it was last applied. */
  readonly #appliedAt = new Map<number, number>()
  /** The uuids of documents that were removed since the base, with the change of each. */
  readonly #removed = new Map<string, number>()
  /** The documents by the keys of their relations. */
  readonly #referring = new NumbersBy<string>()
  /** The documents by the folded texts that they have as a name or a number. */
  readonly #named = new NumbersBy<string>()
  readonly #namingKeys: ReadonlySet<string>
  /** While changes are taken in: documents whose relations are to be resolved. */
  readonly #unresolved = new Set<number>()
  /** The ranks of values and documents among those of the base, which never change. */
  readonly ranks = new WeakMap<object, number>()
  /** The places where the base counts the texts of values, or -1. */
  readonly counted = new WeakMap<object, number>()

  constructor(model: Model) {
    this.#namingKeys = namingKeysOf(model)
  }

  /** The changes after one that were applied. */
  changesSince(since: number): Omit<IndexChanges, 'change'> {
    const isLater = (change: number | undefined) => (change ?? 0) > since
    return {
      written: [...this.documents.values()].filter(({ number }) => isLater(this.#appliedAt.get(number))),
      removed: [...this.#removed].filter(([, change]) => isLater(change)).map(([uuid]) => uuid)
    }
  }

  noteRemoved(uuid: string, change: number) {
    this.#removed.set(uuid, change)
  }

  insert(document: IndexedDocument, change: number) {
    const { number, relations, values } = document
    this.documents.set(number, { ...document, targets: [] })
    this.#appliedAt.set(number, change)
    this.#removed.delete(document.uuid)
    this.#unresolved.add(number)
    for (const { type, key } of relations) {
      this.withRelation.add(type, number)
      this.#referring.add(key, number)
    }
    for (const value of values) {
      let same = this.values.get(value.key)
      if (!same) {
        same = new ChangedValues()
        this.values.set(value.key, same)
      }
      same.add(number, value)
      if (this.#namingKeys.has(value.key)) this.#named.add(value.folded, number)
    }
    for (const [word, weight] of document.words) {
      let places = this.words.get(word)
      if (!places) {
        places = new Map()
        this.words.set(word, places)
      }
      places.set(number, weight)
    }
  }

  drop(number: number) {
    const document = this.documents.get(number)
    if (!document) return
    for (const word of document.words.keys()) {
      const places = this.words.get(word)
      places?.delete(number)
      if (places?.size === 0) this.words.delete(word)
    }
    this.#forgetTargets(document)
    for (const { type, key } of document.relations) {
      this.withRelation.remove(type, number)
      this.#referring.remove(key, number)
    }
    for (const { key, folded } of document.values) {
      const same = this.values.get(key)
      same?.remove(number)
      if (same?.firsts.size === 0) this.values.delete(key)
      this.#named.remove(folded, number)
    }
    this.documents.delete(number)
    this.#appliedAt.delete(number)
  }

  /** Has the relations with a key resolved again, as it leads to another document than before. */
  forgetKey(key: string) {
    for (const number of this.#referring.get(key)) this.#unresolved.add(number)
  }

  /** Resolves the relations that are new or lead elsewhere now. */
  resolveTargets(resolve: (key: string) => number) {
    for (const number of this.#unresolved) {
      const document = this.documents.get(number)
      if (!document) continue
      this.#forgetTargets(document)
      document.targets = document.relations.map(({ key }) => resolve(key))
      document.targets.forEach((target, at) => {
        const isClimb = climbs.includes(document.relations[at]?.type ?? '')
        if (target >= 0) this.sources.add(target, number + (isClimb ? climbMark : 0))
      })
    }
    this.#unresolved.clear()
  }

  #forgetTargets({ number, targets }: DeltaDocument) {
    for (const target of targets) for (const mark of [0, climbMark]) this.sources.remove(target, number + mark)
  }

  /** The documents with a name or a number of this folded text. */
  named(folded: string): DeltaDocument[] {
    return [...this.#named.get(folded)].flatMap(number => this.documents.get(number) ?? [])
  }
}
