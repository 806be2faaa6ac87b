import type { IndexValue } from '#domain/search/index-values.ts'

/** The number that stands for a document whose values were removed. */
export const noDocument = -1

/** Lists with at most so many values are not made shorter. */
const minLength = 64

/** The values of a metadata key of changed documents; those of a document follow each other. */
export class ChangedValues {
  /** Values, and at the same places the documents that have them. */
  values: IndexValue[] = []
  documents: number[] = []
  /** The place of the first value of each document. */
  firsts = new Map<number, number>()
  /** The number of values that were not removed. */
  #count = 0

  /** Adds a value of a document. All values of a document are added together. */
  add(document: number, value: IndexValue) {
    if (!this.firsts.has(document)) this.firsts.set(document, this.values.length)
    this.#count++
    this.values.push(value)
    this.documents.push(document)
  }

  remove(document: number) {
    const first = this.firsts.get(document)
    if (first === undefined) return
    this.firsts.delete(document)
    for (let at = first; this.documents[at] === document; at++) {
      this.documents[at] = noDocument
      this.#count--
    }
    if (this.values.length > minLength && this.#count * 2 < this.values.length) this.#shorten()
  }

  #shorten() {
    const { values, documents } = this
    this.values = []
    this.documents = []
    this.firsts = new Map()
    this.#count = 0
    documents.forEach((document, at) => {
      if (document !== noDocument) this.add(document, values[at] as IndexValue)
    })
  }
}
