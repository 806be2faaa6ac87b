import { deriveAuthority } from '#domain/imports/derive.ts'
import type { EntityPlan } from '#domain/imports/decide-entities.ts'
import { joinAuthorities, type StoredAuthority } from '#domain/imports/stored.ts'
import type { SourceAuthority } from '#formats/source/source-item.ts'
import type { Staging } from '../state/staging.ts'
import { findNamed } from './find-authorities.ts'
import type { Placed, Placing } from './placing.ts'
import { stageEntities } from './stage-entities.ts'
import { toStoredAuthority } from './stored-authority.ts'

/**
 * Stages authority records: a person, subject or place that imported records already refer to gets
 * the other names, dates and identifiers of its authority record; any other is created, and records
 * that are imported later refer to it.
 */
export async function placeAuthorities(
  staging: Staging,
  items: readonly SourceAuthority[],
  placing: Placing
): Promise<Placed[]> {
  if (items.length === 0) return []
  const named = new Map<string, Omit<StoredAuthority, 'id'>>()
  const keys = items.map(({ authority }) => {
    const { key, target } = toStoredAuthority(authority)
    const known = named.get(key)
    named.set(key, { ...(known === undefined ? target : joinAuthorities(known, target)), isRecord: true })
    return key
  })
  const before = await staging.find('target', named.keys())
  const authorities = await findNamed(staging, named, new Set(named.keys()), placing)
  const plans: EntityPlan[] = []
  const outcomes = new Map<string, Placed['outcome']>()
  const changed = new Set(authorities.changed.map(({ after }) => after.id))
  for (const [key, { exists, ...target }] of authorities.byKey) {
    const next = deriveAuthority(target)
    const isNew = !exists
    // A record that people made gets what it lacks.
    const isForeign = exists && !before.has(key)
    if (isNew) placing.undoNotes?.add({ of: 'entity', id: target.id, version: null })
    if (isNew) plans.push({ id: target.id, base: undefined, next })
    if (isForeign) plans.push({ id: target.id, base: { type: next.type, metadata: [], relations: [] }, next })
    if (isNew) staging.put('target', key, { ...target, exists: true })
    outcomes.set(key, isNew ? 'created' : isForeign || changed.has(target.id) ? 'updated' : 'unknown')
  }
  await stageEntities(staging, plans, authorities, placing)
  return items.map(({ name }, index) => ({
    name,
    outcome: outcomes.get(keys[index] ?? '') ?? 'unknown',
    manifestationId: undefined,
    works: []
  }))
}
