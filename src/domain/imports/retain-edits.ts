import type { MetadataEntry, Relation } from '../entity/entity.ts'
import type { DerivedContent } from './derive.ts'
import { replaceEntries } from '../editing/merge-lists.ts'
import { isSameJson } from '../json.ts'

/** The content of an existing entity, without its identifiers. */
export type ExistingContent = Pick<DerivedContent, 'metadata' | 'relations'>

/**
 * Updates an entity from the earlier content of its records (`base`) to the present one (`next`)
 * and retains the edits of people: a field that somebody changed stays unchanged, an added relation
 * stays, a removed one does not come back.
 */
export function retainEdits(current: ExistingContent, base: ExistingContent, next: ExistingContent): ExistingContent {
  return {
    metadata: retainMetadata(current.metadata, base.metadata, next.metadata),
    relations: retainRelations(current.relations, base.relations, next.relations)
  }
}

function retainMetadata(
  current: readonly MetadataEntry[],
  base: readonly MetadataEntry[],
  next: readonly MetadataEntry[]
): readonly MetadataEntry[] {
  if (isSameJson(current, base)) return next
  if (isSameJson(base, next)) return current
  const [now, before, after] = [byKey(current), byKey(base), byKey(next)]
  const changed = new Set(
    [...new Set([...before.keys(), ...after.keys()])].filter(
      key => !isSameJson(before.get(key), after.get(key)) && isSameJson(now.get(key), before.get(key))
    )
  )
  return replaceEntries(current, changed, key => after.get(key) ?? [])
}

function retainRelations(
  current: readonly Relation[],
  base: readonly Relation[],
  next: readonly Relation[]
): readonly Relation[] {
  if (isSameJson(current, base)) return next
  if (isSameJson(base, next)) return current
  const name = (each: Relation) => `${each.type} ${each.key}`
  const before = new Map(base.map(each => [name(each), each]))
  const after = new Map(next.map(each => [name(each), each]))
  const result = current.flatMap(each => {
    const was = before.get(name(each))
    if (was === undefined || !isSameJson(was, each)) return [each]
    return after.get(name(each)) ?? []
  })
  const there = new Set(current.map(name))
  return [...result, ...next.filter(each => !before.has(name(each)) && !there.has(name(each)))]
}

function byKey(entries: readonly MetadataEntry[]): Map<string, MetadataEntry[]> {
  const found = new Map<string, MetadataEntry[]>()
  for (const entry of entries) {
    const known = found.get(entry.key)
    if (known === undefined) found.set(entry.key, [entry])
    else known.push(entry)
  }
  return found
}

/**
 * Copies the additions of people from a merged entity to the one it was merged into, except fields
 * that already have a value there.
 */
export function carryEdits(into: ExistingContent, edited: ExistingContent, base: ExistingContent): ExistingContent {
  const [known, made] = [byKey(into.metadata), byKey(base.metadata)]
  const entries = edited.metadata.filter(each => !known.has(each.key) && !made.has(each.key))
  const name = (each: Relation) => `${each.type} ${each.key}`
  const there = new Set([...into.relations, ...base.relations].map(name))
  return {
    metadata: [...into.metadata, ...entries],
    relations: [...into.relations, ...edited.relations.filter(each => !there.has(name(each)))]
  }
}
