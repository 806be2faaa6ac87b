import type { Filter } from '#domain/filter/filter.ts'
import {
  joinAuthorities,
  type StoredDraft,
  type StoredAuthority,
  type UnplacedMention
} from '#domain/imports/stored.ts'
import type { Staging } from '../state/staging.ts'
import type { Situation } from './find-situation.ts'
import type { Placing, Targets } from './placing.ts'

/**
 * Finds everything that the drafts point to: among what was imported, then in the catalogue, by its
 * name; the rest gets an id for a new entity.
 */
export async function findTargets(staging: Staging, situation: Situation, placing: Placing): Promise<Targets> {
  const { changes, known: records, before, after, positions } = situation
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
  }
  // Records that only have another expression now: their own relations are needed to tell what
  // people changed.
  const moved = new Set<string>()
  for (const [id, { expressionId }] of before)
    if (positions.of.get(id)?.expressionId !== expressionId) moved.add(id.slice(0, id.lastIndexOf('#')))
  for (const record of (await staging.find('record', moved)).values()) note(record.manifestation)

  const named = new Map<string, Omit<StoredAuthority, 'id'>>()
  for (const { next } of changes)
    for (const [key, target] of next?.targets ?? []) {
      const known = named.get(key)
      named.set(key, known === undefined ? target : joinAuthorities(known, target))
      keys.add(key)
    }
  const kept = await staging.find('target', keys)
  if (placing.verifies) {
    const there = await staging.findEntities([...kept.values()].map(each => each.id))
    for (const [key, target] of kept)
      if (target.exists && !there.has(target.id)) kept.set(key, { ...target, exists: false })
  }
  const found = await findInCatalogue(
    [...named].filter(([key]) => !kept.has(key)),
    placing
  )
  const targets = new Map<string, StoredAuthority & { readonly exists: boolean }>(kept)
  const changed: { key: string; before: StoredAuthority; after: StoredAuthority }[] = []
  for (const [key, target] of named) {
    const known = kept.get(key)
    if (known === undefined) {
      const there = found.get(key)
      const made = { ...target, id: there ?? placing.newId(target.type), exists: there !== undefined }
      targets.set(key, made)
      staging.put('target', key, made)
      continue
    }
    const joined = joinAuthorities(known, target)
    if (joined === known) continue
    targets.set(key, joined)
    staging.put('target', key, joined)
    placing.noteUndo?.({ of: 'target', key, before: known, after: joined })
    if (known.exists) changed.push({ key, before: known, after: joined })
  }
  // One that was there before comes back as itself.
  const deleted = await staging.find(
    'deleted',
    [...kept.values()].filter(each => !each.exists).map(each => each.id)
  )
  const keyById = new Map([...targets].map(([key, target]) => [target.id, key]))
  const missing = new Map(
    [...targets].filter(([, each]) => !each.exists).map(([key, target]) => [target.id, { key, target }])
  )
  return {
    find: key => targets.get(key),
    findMissing: id => missing.get(id),
    deleted,
    keyOf: id => keyById.get(id),
    changed,
    made(key) {
      const target = targets.get(key)
      if (target === undefined) return
      missing.delete(target.id)
      staging.put('target', key, { ...target, exists: true })
    }
  }
}

/**
 * Entities that people made and that have the very name, or code, and say the same of everything
 * else that the target says.
 */
async function findInCatalogue(
  wanted: readonly (readonly [key: string, target: Omit<StoredAuthority, 'id'>])[],
  { model, ask }: Placing
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
    const field = recordType.fields.code?.kind === 'text' ? 'code' : recordType.nameField
    const named = (target: Pick<StoredAuthority, 'metadata'>) => target.metadata.find(each => each.key === field)?.value
    const values = [...new Set(list.flatMap(([, target]) => named(target) ?? []))]
    for (let at = 0; at < values.length; at += maxValues) {
      const filter: Filter = {
        kind: 'all',
        of: [
          { kind: 'types', types: [type] },
          {
            kind: 'field',
            path: { kind: 'metadata', key: field },
            test: { kind: 'equals', values: values.slice(at, at + maxValues) }
          }
        ]
      }
      const entities = await ask(filter)
      for (const [key, target] of list) {
        const match = entities.find(entity => {
          // What an import made goes by its own key.
          if (entity.audit.created.by.startsWith('import:')) return false
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
