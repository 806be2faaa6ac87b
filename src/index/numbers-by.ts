/** The numbers of documents by something that they have, such as a value. */
export class NumbersBy<Key> {
  readonly #sets = new Map<Key, Set<number>>()

  get(key: Key): ReadonlySet<number> {
    return this.#sets.get(key) ?? nothing
  }

  add(key: Key, number: number): void {
    const numbers = this.#sets.get(key)
    if (numbers) numbers.add(number)
    else this.#sets.set(key, new Set([number]))
  }

  remove(key: Key, number: number): void {
    const numbers = this.#sets.get(key)
    numbers?.delete(number)
    if (numbers?.size === 0) this.#sets.delete(key)
  }

  keys(): Iterable<Key> {
    return this.#sets.keys()
  }

  [Symbol.iterator](): Iterator<readonly [Key, ReadonlySet<number>]> {
    return this.#sets.entries()
  }
}

const nothing: ReadonlySet<number> = new Set()
