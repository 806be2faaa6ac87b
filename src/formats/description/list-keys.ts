/**
 * Maximum number of elements that are compared one by one: for so few, that takes less time than
 * making and hashing keys. Records with thousands of elements are compared by keys.
 */
const maxCompared = 16

/**
 * Returns a function that tests whether a list has the same element. The list may only grow: each
 * call makes keys of the new elements only, so that a list of n elements is not searched n times.
 */
export function createListTest<T>(
  isSame: (one: T, other: T) => boolean,
  keyOf: (element: T) => string
): (list: readonly T[], wanted: T) => boolean {
  const known = new WeakMap<readonly T[], { count: number; keys: Set<string> }>()
  return (list, wanted) => {
    if (list.length <= maxCompared) return list.some(each => isSame(each, wanted))
    const found = known.get(list) ?? { count: 0, keys: new Set<string>() }
    known.set(list, found)
    for (; found.count < list.length; found.count++) found.keys.add(keyOf(list[found.count] as T))
    return found.keys.has(keyOf(wanted))
  }
}

/** Texts, each once. */
export class DistinctTexts {
  readonly #few: string[]
  #many: Set<string> | undefined

  constructor(first?: string) {
    this.#few = first === undefined ? [] : [first]
  }

  has(text: string): boolean {
    return this.#many?.has(text) ?? this.#few.includes(text)
  }

  /** Adds a text; returns false if it is there already. */
  add(text: string): boolean {
    if (this.has(text)) return false
    if (this.#many === undefined && this.#few.length === maxCompared) this.#many = new Set(this.#few)
    if (this.#many === undefined) this.#few.push(text)
    else this.#many.add(text)
    return true
  }
}
