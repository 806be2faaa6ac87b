import { authorityKeyOf } from '#domain/imports/authority-names.ts'
import {
  joinAuthorities,
  type StoredDraft,
  type StoredAuthority,
  type UnplacedMention,
  withoutStatements
} from '#domain/imports/stored.ts'
import { recognisedBy } from '#domain/search/lookup-values.ts'
import { foldText } from '#domain/values/fold.ts'
import type { Staging } from '../state/staging.ts'
import { type Placing, splitMention, type AuthorityState, type Authorities } from './placing.ts'
import type { LinkedSituation } from './find-situation.ts'

/**
 * Finds the authorities that the drafts refer to: first among imported authorities, then in the
 * catalogue by name. An authority that is in neither gets the id of a new entity.
 */
export async function findAuthorities(
  staging: Staging,
  situation: LinkedSituation,
  placing: Placing
): Promise<Authorities> {
  const keys = await keysNeeded(staging, situation)
  const named = new Map<string, Omit<StoredAuthority, 'id'>>()
  for (const { next } of situation.changes)
    for (const [key, target] of next?.authorities ?? []) {
      const known = named.get(key)
      named.set(key, known === undefined ? target : joinAuthorities(known, target))
      keys.add(key)
    }
  return findNamed(staging, named, keys, placing)
}

/** Finds the authorities with some keys, and joins them with those that are named now. */
export async function findNamed(
  staging: Staging,
  named: ReadonlyMap<string, Omit<StoredAuthority, 'id'>>,
  keys: ReadonlySet<string>,
  placing: Placing
): Promise<Authorities> {
  const stored = await staging.find('target', keys)
  for (const [key, target] of await findUnderFoldedKeys(staging, named, stored)) {
    stored.set(key, target)
    staging.put('target', key, target)
  }
  if (placing.verifies) {
    const existing = await staging.findEntities([...stored.values()].map(each => each.id))
    for (const [key, target] of stored)
      if (target.exists && !existing.has(target.id)) stored.set(key, { ...target, exists: false })
  }
  const found = await findInCatalogue(
    [...named].filter(([key]) => !stored.has(key)),
    placing
  )
  const byKey = new Map<string, AuthorityState>(stored)
  const changed: { before: StoredAuthority; after: StoredAuthority }[] = []
  for (const [key, target] of named) {
    const known = stored.get(key)
    if (known === undefined) {
      const id = found.get(key)
      const next = { ...target, id: id ?? placing.newId(target.type), exists: id !== undefined }
      byKey.set(key, next)
      staging.put('target', key, next)
      continue
    }
    const { replaced } = placing
    const base = replaced?.key === key ? withoutStatements(known, replaced.record.authority) : known
    const joined = joinAuthorities(base, target)
    if (joined === known) continue
    byKey.set(key, joined)
    staging.put('target', key, joined)
    placing.undoNotes?.add({ of: 'target', key, before: known, after: joined })
    if (known.exists) changed.push({ before: known, after: joined })
  }
  // An authority that had an entity once gets the same entity back.
  const deleted = await staging.find(
    'deleted',
    [...stored.values()].filter(each => !each.exists).map(each => each.id)
  )
  const keyById = new Map([...byKey].map(([key, target]) => [target.id, key]))
  return { byKey, keyById, deleted, changed }
}

/**
 * Finds authorities that were stored when diacritics did not count in keys, if their name has the
 * same letters.
 */
async function findUnderFoldedKeys(
  staging: Staging,
  named: ReadonlyMap<string, Omit<StoredAuthority, 'id'>>,
  stored: ReadonlyMap<string, AuthorityState>
): Promise<Map<string, AuthorityState>> {
  const folded = new Map<string, string>()
  for (const key of named.keys()) if (!stored.has(key) && foldText(key) !== key) folded.set(key, foldText(key))
  const found = new Map<string, AuthorityState>()
  if (folded.size === 0) return found
  const earlier = await staging.find('target', folded.values())
  for (const [key, earlierKey] of folded) {
    const target = earlier.get(earlierKey)
    if (target !== undefined && authorityKeyOf({ ...target, key: '' }) === key) found.set(key, target)
  }
  return found
}

/** The keys of all authorities of drafts that entities were or will be derived from. */
async function keysNeeded(staging: Staging, situation: LinkedSituation): Promise<Set<string>> {
  const { changes, known: records, before, after, positions, components } = situation
  const keys = new Set<string>()
  const note = (draft: StoredDraft) => {
    for (const each of draft.relations) keys.add(each.target)
  }
  const noteMembers = (
    ids: Iterable<string>,
    members: ReadonlyMap<string, readonly string[]>,
    from: ReadonlyMap<string, UnplacedMention>,
    draftOf: (mention: UnplacedMention) => StoredDraft
  ) => {
    for (const id of ids)
      for (const each of members.get(id) ?? []) {
        const mention = from.get(each)
        if (mention) note(draftOf(mention))
      }
  }
  const { changedWorks, changedExpressions, deletedWorks, deletedExpressions } = positions
  const allWorks = [...changedWorks, ...deletedWorks.map(each => each.id)]
  const allExpressions = [...changedExpressions, ...deletedExpressions.map(each => each.id)]
  const [workOf, expressionOf] = [(each: UnplacedMention) => each.work, (each: UnplacedMention) => each.expression]
  noteMembers(allWorks, positions.works, after, workOf)
  noteMembers(allWorks, positions.oldWorks, before, workOf)
  noteMembers(allExpressions, positions.expressions, after, expressionOf)
  noteMembers(allExpressions, positions.oldExpressions, before, expressionOf)
  for (const { name, next } of changes) {
    if (next) note(next.record.manifestation)
    const old = records.get(name)
    if (old) note(old.manifestation)
    for (const { draft } of [...(next?.items ?? []), ...(old?.items ?? [])]) note(draft)
  }
  // Of records that only have another expression or host now, their own relations are needed to
  // tell which changes people made.
  const moved = new Set<string>(components)
  for (const [id, { expressionId }] of before)
    if (positions.of.get(id)?.expressionId !== expressionId) moved.add(splitMention(id)[0])
  for (const record of (await staging.find('record', moved)).values()) note(record.manifestation)

  return keys
}

/**
 * Finds entities that people created and that have the same name or code as an authority, and the
 * same values for everything else that the authority has.
 */
async function findInCatalogue(
  wanted: readonly (readonly [key: string, target: Omit<StoredAuthority, 'id'>])[],
  { model, findAuthorities }: Placing
): Promise<Map<string, string>> {
  const byType = new Map<string, (readonly [key: string, target: Omit<StoredAuthority, 'id'>])[]>()
  for (const each of wanted) {
    const known = byType.get(each[1].type)
    if (known === undefined) byType.set(each[1].type, [each])
    else known.push(each)
  }
  const found = new Map<string, string>()
  for (const [type, list] of byType) {
    const recordType = model.findType(type)
    if (recordType === undefined) continue
    const field = recognisedBy(model, type) ?? recordType.nameField
    const named = (target: Pick<StoredAuthority, 'metadata'>) => target.metadata.find(each => each.key === field)?.value
    const values = [...new Set(list.flatMap(([, target]) => named(target) ?? []))]
    for (let at = 0; at < values.length; at += maxValues) {
      const entities = await findAuthorities(type, field, values.slice(at, at + maxValues))
      for (const [key, target] of list) {
        const match = entities.find(entity => {
          const has = (name: string, value: string) =>
            entity.metadata.some(each => each.key === name && each.value === value)
          const says = (name: string) => entity.metadata.some(each => each.key === name)
          return target.metadata.every(({ key: name, value }) =>
            name === field
              ? has(name, value)
              : name === recordType.nameField || has(name, value) || (!says(name) && field === 'code')
          )
        })
        if (match) found.set(key, match.id)
      }
    }
  }
  return found
}

const maxValues = 500
