/**
 * The same function, which remembers what it gave for the texts it was asked last: headings, roles
 * and titles come again and again in the records of a catalogue. For pure functions whose result
 * nobody changes. It holds at most twice as many as it is told.
 */
export function memoize<T>(most: number, find: (text: string) => T): (text: string) => T {
  let newer = new Map<string, T>()
  let older = new Map<string, T>()
  return text => {
    let found = newer.get(text)
    if (found !== undefined) return found
    found = older.get(text) ?? find(text)
    if (newer.size >= most) {
      older = newer
      newer = new Map()
    }
    newer.set(text, found)
    return found
  }
}
