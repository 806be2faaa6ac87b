import type { Entity } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import { type Base, buildBase } from '#index/base.ts'
import { CatalogueIndex } from '#index/catalogue-index.ts'
import { type IndexedDocument, toIndexedDocument } from '#index/document.ts'
import { find } from '#index/find.ts'
import { suggest } from '#index/suggest.ts'
import type { DocumentRow, FindReply, FindRequest, IndexState, IndexUpdate } from './finder.ts'

/** The index of one thread: a base that threads share, and the changes since. */
export class IndexHost {
  readonly #model: Model
  #index: CatalogueIndex | undefined
  #mark = ''

  constructor(model: Model) {
    this.#model = model
  }

  get state(): IndexState | undefined {
    const index = this.#index
    if (!index) return undefined
    const { change, base, delta } = index
    return { change, mark: this.#mark, base: base.change, delta: delta.size, size: base.size }
  }

  /** Begins with a base. */
  use(base: Base) {
    this.#index = new CatalogueIndex(this.#model, base)
    this.#mark = base.mark
  }

  discard() {
    this.#index = undefined
  }

  find({ update, timeLeft, search }: FindRequest): FindReply {
    const stopAt = performance.now() + timeLeft
    if (update) this.#apply(update)
    const index = this.#index
    if (!index) throw new Error('There is no index')
    const checkTime = () => {
      if (performance.now() > stopAt) throw new TimeIsOver()
    }
    try {
      if (search.kind === 'none') return { kind: 'updated' }
      if (search.kind === 'suggestion') return { kind: 'suggested', numbers: suggest(index, search.query, checkTime) }
      const answer = find(index, search.query, checkTime, (numbers, change) => {
        if (!search.before) throw new RecordsMoved(numbers, change)
        return search.before
      })
      return { kind: 'found', answer }
    } catch (error) {
      if (error instanceof TimeIsOver) return { kind: 'late' }
      if (error instanceof RecordsMoved) return { kind: 'moved', numbers: error.numbers, change: error.change }
      throw error
    }
  }

  #apply({ isWhole, written, removed, change, mark }: IndexUpdate) {
    const index = this.#index
    // Nothing is found in an index that could not be updated.
    this.#index = undefined
    const documents = written.map(row => toDocument(this.#model, row))
    if (isWhole) {
      const builder = buildBase()
      for (const document of documents) builder.add(document)
      this.#index = new CatalogueIndex(this.#model, builder.done(change, mark))
    } else {
      index?.apply({ change, written: documents, removed })
      this.#index = index
    }
    this.#mark = mark
  }
}

export const toDocument = (model: Model, { number, changed, document }: DocumentRow): IndexedDocument =>
  toIndexedDocument(model, JSON.parse(document) as Entity, number, changed)

class TimeIsOver extends Error {}

class RecordsMoved extends Error {
  readonly numbers: readonly number[]
  readonly change: number

  constructor(numbers: readonly number[], change: number) {
    super('The last changes of some records are needed')
    this.numbers = numbers
    this.change = change
  }
}
