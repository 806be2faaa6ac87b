/**
 * Returns the same function with a cache of its latest results: headings, roles and titles repeat
 * in the records of a catalogue. For pure functions with immutable results. Holds at most twice
 * `max` results.
 */
export function memoize<T>(max: number, find: (text: string) => T): (text: string) => T {
  let newer = new Map<string, T>()
  let older = new Map<string, T>()
  return text => {
    let found = newer.get(text)
    if (found !== undefined) return found
    found = older.get(text) ?? find(text)
    if (newer.size >= max) {
      older = newer
      newer = new Map()
    }
    newer.set(text, found)
    return found
  }
}
