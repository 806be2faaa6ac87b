import type { CatalogueIndex } from './catalogue-index.ts'
import { has, hasAllMembers } from './sets.ts'

/** The metadata keys and the types of relations that records have. */
export interface NamesInUse {
  readonly keys: readonly string[]
  readonly relationTypes: readonly string[]
}

export function namesInUse(index: CatalogueIndex): NamesInUse {
  const { base, hidden, delta } = index
  const keys = new Set<string>()
  for (const [key, { documents }] of index.columns) if (!hasAllMembers(hidden, documents)) keys.add(key)
  const { types, starts, kinds } = base.relations
  const isUsed = new Uint8Array(types.length)
  for (let source = 0; source < base.size; source++) {
    if (has(hidden, source)) continue
    const end = starts[source + 1] as number
    for (let at = starts[source] as number; at < end; at++) isUsed[kinds[at] as number] = 1
  }
  const relationTypes = new Set(types.filter((_, kind) => isUsed[kind] === 1))
  for (const { values, relations } of delta.values()) {
    for (const { key } of values) keys.add(key)
    for (const { type } of relations) relationTypes.add(type)
  }
  return { keys: [...keys], relationTypes: [...relationTypes] }
}
