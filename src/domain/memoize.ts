/**
 * Returns the same function with a cache of its latest results: headings, roles and titles repeat
 * in the records of a catalogue. For pure functions with immutable results. Holds at most twice
 * `max` results.
 */
export function memoize<T>(max: number, find: (text: string) => T): (text: string) => T {
  let newer = new Map<string, T>()
  let older = new Map<string, T>()
  return text => {
    const known = newer.get(text)
    // A result may be undefined: the second question is asked for those alone.
    if (known !== undefined || newer.has(text)) return known as T
    const found = older.has(text) ? (older.get(text) as T) : find(text)
    if (newer.size >= max) {
      older = newer
      newer = new Map()
    }
    newer.set(text, found)
    return found
  }
}
