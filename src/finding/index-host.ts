import type { Entity } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import { type Base, buildBase } from '#index/base.ts'
import { CatalogueIndex } from '#index/catalogue-index.ts'
import { listDuplicates } from '#index/duplicates.ts'
import type { EntryCandidate, EntryFilter } from '#index/entries.ts'
import { type IndexChanges, type IndexedDocument, toIndexedDocument } from '#index/document.ts'
import { find } from '#index/find.ts'
import { countGrowth } from '#index/growth.ts'
import { namesInUse } from '#index/names-in-use.ts'
import { readableIn } from '#index/readable.ts'
import { findSameRecords } from '#index/same-records.ts'
import { has } from '#index/sets.ts'
import { suggest } from '#index/suggest.ts'
import { listTerms } from '#index/terms.ts'
import { TimeIsOver, withinTime } from '#index/time-limit.ts'
import type { FindReply, FindRequest, IndexSearch, IndexState, IndexUpdate } from './finder.ts'
import type { ChangeMark, DocumentRow } from './records.ts'

/** The index of one thread: a base that threads share, and the changes since. */
export class IndexHost {
  readonly #model: Model
  #index: CatalogueIndex | undefined
  /**
   * Changes that are applied together with those that follow. Documents are read as they are at the
   * end, so after a part of the changes two of them may claim the same identifier.
   */
  #waiting: IndexChanges | undefined
  #recent: readonly ChangeMark[] = []

  constructor(model: Model) {
    this.#model = model
  }

  get state(): IndexState | undefined {
    const index = this.#index
    if (!index) return undefined
    const { base, changedCount } = index
    const { change, written } = this.#waiting ?? { change: index.change, written: [] }
    return { change, recent: this.#recent, base: base.change, changed: changedCount + written.length, size: base.size }
  }

  /** Begins with a base. Changes after it that are known already are retained. */
  use(base: Base) {
    const before = this.#index
    const isKept = before !== undefined && (this.#waiting ?? before).change > base.change
    // Nothing is found in an index that could not be updated.
    this.#index = undefined
    const index = new CatalogueIndex(this.#model, base)
    if (before && before.change > base.change) index.apply(before.changesSince(base.change))
    if (!isKept) {
      this.#waiting = undefined
      this.#recent = base.recent
    }
    this.#index = index
  }

  /** Goes back to the base; returns false where there are no changes beside one. */
  restart(): boolean {
    const { state } = this
    const base = this.#index?.base
    if (!base || state?.change === base.change) return false
    this.discard()
    this.use(base)
    return true
  }

  discard() {
    this.#index = undefined
    this.#waiting = undefined
  }

  find({ update, timeLeft, search }: FindRequest): FindReply {
    const stopAt = performance.now() + timeLeft
    if (update) this.#take(update)
    if (search.kind !== 'nothing') this.#applyWaiting()
    const index = this.#index
    if (!index) throw new Error('There is no index')
    try {
      return withinTime(stopAt - performance.now(), () =>
        search.kind === 'query' ? findWith(index, search) : answer(index, search)
      )
    } catch (error) {
      if (error instanceof TimeIsOver) return { kind: 'late' }
      if (error instanceof MoreNeeded) return error.reply
      throw error
    }
  }

  #take({ isWhole, written, removed, change, recent }: IndexUpdate) {
    const documents = written.map(row => toDocument(this.#model, row))
    if (isWhole) {
      this.discard()
      const builder = buildBase()
      for (const document of documents) builder.add(document)
      this.#index = new CatalogueIndex(this.#model, builder.done(change, recent))
    } else this.#waiting = joinChanges(this.#waiting, { change, written: documents, removed })
    this.#recent = recent
  }

  #applyWaiting() {
    const index = this.#index
    const changes = this.#waiting
    if (!index || !changes) return
    // Nothing is found in an index that could not be updated.
    this.discard()
    index.apply(changes)
    this.#index = index
  }
}

/** Changes and those that follow them, as one. */
function joinChanges(first: IndexChanges | undefined, next: IndexChanges): IndexChanges {
  if (!first) return next
  const changed = new Set([...next.written.map(({ uuid }) => uuid), ...next.removed])
  return {
    change: next.change,
    written: [...first.written.filter(({ uuid }) => !changed.has(uuid)), ...next.written],
    removed: [...first.removed.filter(uuid => !changed.has(uuid)), ...next.removed]
  }
}

export const toDocument = (model: Model, { number, changed, document }: DocumentRow): IndexedDocument =>
  toIndexedDocument(model, JSON.parse(document) as Entity, number, changed)

function findWith(
  index: CatalogueIndex,
  { query, before, withEntries = [] }: Extract<IndexSearch, { kind: 'query' }>
): FindReply {
  let needed = 0
  const changesBefore = (numbers: readonly number[], change: number) => {
    if (!before) throw new MoreNeeded({ kind: 'moved', numbers, change })
    return before
  }
  const withEntry = (filter: EntryFilter, candidates: readonly EntryCandidate[]) => {
    if (candidates.length === 0) return []
    const given = withEntries[needed++]
    if (!given) throw new MoreNeeded({ kind: 'entries', filter, candidates })
    return given
  }
  return { kind: 'found', answer: find(index, query, changesBefore, withEntry) }
}

function answer(index: CatalogueIndex, search: Exclude<IndexSearch, { kind: 'query' }>): FindReply {
  switch (search.kind) {
    case 'nothing':
      return { kind: 'nothing' }
    case 'suggestion':
      return { kind: 'numbers', numbers: suggest(index, search.query) }
    case 'terms':
      return { kind: 'terms', terms: listTerms(index, search.query) }
    case 'growth':
      return { kind: 'growth', counts: countGrowth(index, search.query) }
    case 'duplicates':
      return { kind: 'duplicates', list: listDuplicates(index, search.query) }
    case 'same':
      return { kind: 'same', records: findSameRecords(index, search.query) }
    case 'names':
      return { kind: 'names', names: namesInUse(index) }
    case 'readable': {
      const readable = readableIn(index, search.query)
      const isReadable = (number: number) => !readable || (number < index.size && has(readable, number))
      return { kind: 'numbers', numbers: search.numbers.filter(isReadable) }
    }
  }
}

/** The index needs something that only the database knows. */
class MoreNeeded extends Error {
  readonly reply: FindReply

  constructor(reply: FindReply) {
    super('The index needs something of the database')
    this.reply = reply
  }
}
