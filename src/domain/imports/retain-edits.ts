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
    metadata: retainBy(retainMetadata, current.metadata, base.metadata, next.metadata),
    relations: retainBy(retainRelations, current.relations, base.relations, next.relations)
  }
}

/**
 * The earlier content of records, with the values that an earlier version of the program gave in
 * the fields in which an entity still has these: they are no edits of people.
 */
export function asDerived<T extends ExistingContent>(
  current: ExistingContent,
  base: T,
  former: ExistingContent | undefined
): T {
  if (former === undefined) return base
  const [now, before, others] = [byKey(current.metadata), byKey(base.metadata), byKey(former.metadata)]
  const keys = [...before.keys()].filter(
    key => isSameJson(now.get(key), others.get(key)) && !isSameJson(now.get(key), before.get(key))
  )
  return { ...base, metadata: replaceEntries(base.metadata, new Set(keys), key => others.get(key) ?? []) }
}

/**
 * Replaces fields and relations, by key and type, by those of the records: a person changes them in
 * the source record now.
 */
export function dropEdits(
  current: ExistingContent,
  base: ExistingContent,
  names: ReadonlySet<string>
): ExistingContent {
  const typesOf = (relations: readonly Relation[], type: string) => relations.filter(each => each.type === type)
  let { relations } = current
  for (const type of names) {
    const was = typesOf(base.relations, type)
    if (isSameJson(typesOf(relations, type), was)) continue
    const at = relations.findIndex(each => each.type === type)
    const others = relations.filter(each => each.type !== type)
    relations = others.toSpliced(at < 0 ? others.length : at, 0, ...was)
  }
  const before = byKey(base.metadata)
  return { metadata: replaceEntries(current.metadata, names, key => before.get(key) ?? []), relations }
}

type Retain<T> = (current: readonly T[], base: readonly T[], next: readonly T[]) => readonly T[]

/** Takes the list of the side that changed it; retains the edits in one that both changed. */
function retainBy<T>(retain: Retain<T>, current: readonly T[], base: readonly T[], next: readonly T[]): readonly T[] {
  if (isSameJson(current, base)) return next
  return isSameJson(base, next) ? current : retain(current, base, next)
}

const retainMetadata: Retain<MetadataEntry> = (current, base, next) => {
  const [now, before, after] = [byKey(current), byKey(base), byKey(next)]
  const changed = new Set(
    [...new Set([...before.keys(), ...after.keys()])].filter(
      key => !isSameJson(before.get(key), after.get(key)) && isSameJson(now.get(key), before.get(key))
    )
  )
  return replaceEntries(current, changed, key => after.get(key) ?? [])
}

const retainRelations: Retain<Relation> = (current, base, next) => {
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
