/**
 * Returns a function for the keys of a list that only grows. Each call reads the new elements only,
 * so that a list of n elements is not searched n times.
 */
export function createListKeys<T>(keyOf: (element: T) => string): (list: readonly T[]) => ReadonlySet<string> {
  const known = new WeakMap<readonly T[], { count: number; keys: Set<string> }>()
  return list => {
    const found = known.get(list) ?? { count: 0, keys: new Set<string>() }
    known.set(list, found)
    for (const element of list.slice(found.count)) found.keys.add(keyOf(element))
    found.count = list.length
    return found.keys
  }
}
