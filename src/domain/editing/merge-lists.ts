import type { MetadataEntry, Relation } from '../entity/entity.ts'

/*
 * The meaning of PATCH for metadata and relations: entries of the same key (and language) are
 * replaced, relations of the same (type, key) are replaced, everything else stays unchanged, and so
 * does the order.
 */

export const mergeMetadata = (existing: readonly MetadataEntry[], given: readonly MetadataEntry[]) =>
  mergeBy(existing, given, identityOfEntry)

export const identityOfEntry = (entry: Pick<MetadataEntry, 'key' | 'lang'>) => `${entry.key}\n${entry.lang ?? ''}`

export const mergeRelations = (existing: readonly Relation[], given: readonly Relation[]) =>
  mergeBy(existing, given, identityOfRelation)

/** Adds relations; an existing one with the same (type, key) is replaced. */
export const addRelations = mergeRelations

export const identityOfRelation = (relation: Pick<Relation, 'type' | 'key'>) => `${relation.type}\n${relation.key}`

/**
 * The metadata without the entries named; an entry named without a language stands for the key in
 * every language.
 */
export function removeMetadata(
  existing: readonly MetadataEntry[],
  named: readonly Pick<MetadataEntry, 'key' | 'lang'>[]
): MetadataEntry[] {
  const keys = new Set(named.filter(each => each.lang === undefined).map(each => each.key))
  const entries = new Set(named.map(identityOfEntry))
  return existing.filter(entry => !keys.has(entry.key) && !entries.has(identityOfEntry(entry)))
}

export function removeRelations(
  existing: readonly Relation[],
  named: readonly Pick<Relation, 'type' | 'key'>[]
): Relation[] {
  const removed = new Set(named.map(identityOfRelation))
  return existing.filter(relation => !removed.has(identityOfRelation(relation)))
}

/**
 * Changes the keys of relations; the result of `keyOf` is the new key. Relations that become equal
 * are joined.
 */
export function repointRelations(relations: readonly Relation[], keyOf: (key: string) => string): Relation[] {
  const seen = new Set<string>()
  return relations
    .map(relation => {
      const key = keyOf(relation.key)
      return key === relation.key ? relation : { ...relation, key }
    })
    .filter(relation => {
      const identity = identityOfRelation(relation)
      if (seen.has(identity)) return false
      seen.add(identity)
      return true
    })
}

function mergeBy<T>(existing: readonly T[], given: readonly T[], identity: (each: T) => string): T[] {
  const groups = Map.groupBy(given, identity)
  const result: T[] = []
  const placed = new Set<string>()
  for (const each of existing) {
    const name = identity(each)
    const group = groups.get(name)
    if (!group) result.push(each)
    else if (!placed.has(name)) for (const one of group) result.push(one)
    placed.add(name)
  }
  for (const [name, group] of groups) if (!placed.has(name)) for (const one of group) result.push(one)
  return result
}

/**
 * Replaces the entries of some keys: the new ones stand where the first entry of the key stood, or
 * at the end. They are made of the key and that first entry, if there is one.
 */
export function replaceEntries(
  entries: readonly MetadataEntry[],
  keys: ReadonlySet<string>,
  make: (key: string, first?: MetadataEntry) => readonly MetadataEntry[]
): MetadataEntry[] {
  const placed = new Set<string>()
  const replaced = entries.flatMap(entry => {
    const { key } = entry
    if (!keys.has(key)) return [entry]
    if (placed.has(key)) return []
    placed.add(key)
    return make(key, entry)
  })
  return [...replaced, ...[...keys].flatMap(key => (placed.has(key) ? [] : make(key)))]
}
