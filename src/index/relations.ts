import { growingNumbers, sharedNumbers } from './arrays.ts'

/*
 * Relations in both directions. A key is a place in the list of names, so that a relation to
 * nothing is one like any other.
 */

export interface Relations {
  readonly types: readonly string[]
  /**
   * Where the relations of each type begin; one more than there are types. Within a type they are
   * in the order of their sources.
   */
  readonly starts: Uint32Array
  readonly sources: Uint32Array
  /** Places in the list of names. */
  readonly keys: Uint32Array
  /** For each name where its relations begin in `toName`; one more than there are names. */
  readonly toNameStarts: Uint32Array
  /** Places of relations, in the order of the names they lead to. */
  readonly toName: Uint32Array
}

export interface RelationsBuilder {
  /** `key` is a place in a list of keys that `done` leads to the names. */
  add(source: number, type: string, key: number): void
  done(names: number, namesOfKeys: Uint32Array): Relations
}

export function buildRelations(): RelationsBuilder {
  const types = new Map<string, number>()
  const [sources, kinds, keys] = [growingNumbers(), growingNumbers(), growingNumbers()]
  return {
    add(source, type, key) {
      let kind = types.get(type)
      if (kind === undefined) {
        kind = types.size
        types.set(type, kind)
      }
      sources.push(source)
      kinds.push(kind)
      keys.push(key)
    },
    done(names, namesOfKeys) {
      const byType = group(kinds.array.subarray(0, kinds.length), types.size)
      const sortedSources = sharedNumbers(sources.length)
      const sortedKeys = sharedNumbers(keys.length)
      for (let at = 0; at < byType.order.length; at++) {
        const from = byType.order[at] as number
        sortedSources[at] = sources.array[from] as number
        sortedKeys[at] = namesOfKeys[keys.array[from] as number] as number
      }
      const byKey = group(sortedKeys, names)
      return {
        types: [...types.keys()],
        starts: byType.starts,
        sources: sortedSources,
        keys: sortedKeys,
        toNameStarts: byKey.starts,
        toName: byKey.order
      }
    }
  }
}

/**
 * The places of an array in the order of its values, and where each value begins (counting sort;
 * equal values stay in order).
 */
export function group(
  values: Uint32Array,
  bound: number
): { readonly starts: Uint32Array; readonly order: Uint32Array } {
  const starts = sharedNumbers(bound + 1)
  for (let at = 0; at < values.length; at++) {
    const next = (values[at] as number) + 1
    starts[next] = (starts[next] as number) + 1
  }
  for (let value = 1; value <= bound; value++) starts[value] = (starts[value] as number) + (starts[value - 1] as number)
  const next = Uint32Array.from(starts)
  const order = sharedNumbers(values.length)
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number
    const to = next[value] as number
    next[value] = to + 1
    order[to] = at
  }
  return { starts, order }
}

/** The relations of a type, as a range. */
export function rangeOf({ types, starts }: Relations, type: string): readonly [first: number, end: number] {
  const kind = types.indexOf(type)
  return kind < 0 ? [0, 0] : [starts[kind] as number, starts[kind + 1] as number]
}
