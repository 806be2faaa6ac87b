import {
  decideEntities,
  type DeletedEntity,
  type EntityPlan,
  type EntityToDelete,
  type ExistingEntity,
  type MissingAuthority,
  type RestoredEntity
} from '#domain/imports/decide-entities.ts'
import { isIdentifier, storedIdentifier } from '#domain/entity/ids.ts'
import { deriveAuthority } from '#domain/imports/derive.ts'
import { fittingContent, settleContent } from '#domain/imports/settle-content.ts'
import { keys } from '../state/import-state.ts'
import type { Staging } from '../state/staging.ts'
import type { Planner, Authorities } from './placing.ts'

export const isByImport = ({ createdBy, updatedBy }: ExistingEntity) =>
  createdBy.startsWith('import:') && updatedBy.startsWith('import:')

/** Looks up the facts that the decision about entities depends on, and stages its changes. */
export async function stageEntities(
  staging: Staging,
  plans: readonly EntityPlan[],
  authorities: Authorities,
  planner: Planner
): Promise<void> {
  const find = (key: string) => authorities.byKey.get(key)
  const changedAuthorities = authorities.changed.map(
    ({ before, after }): EntityPlan => ({
      id: after.id,
      base: deriveAuthority(before, find),
      next: deriveAuthority(after, find)
    })
  )
  const all = [...plans, ...changedAuthorities].map(plan => settlePlan(plan, planner))
  const planned = new Set(all.map(each => each.id))
  const existing = await staging.findEntities(planned)
  const toDelete = await findToDelete(all, existing, planned, planner)
  const restored = await findRestored(all, existing, planner)
  const missingAuthorities = await findMissingAuthorities(authorities, planner)
  const freeIdentifiers = await findFreeIdentifiers(all, existing, missingAuthorities, planner)
  const others = new Set([
    ...[...restored.values()].flatMap(({ owner }) => owner ?? []),
    ...[...toDelete.values()].filter(each => each.plan.into !== undefined).flatMap(each => each.referrers)
  ])
  for (const [id, entity] of await staging.findEntities([...others].filter(id => !planned.has(id))))
    existing.set(id, entity)

  const decision = decideEntities({
    job: planner.job,
    plans: all,
    existing,
    toDelete,
    restored,
    freeIdentifiers,
    missingAuthorities,
    authorityKeys: authorities.keyById,
    newUuid: planner.newUuid,
    changedInSource: planner.changedInSource,
    fitting: content => fittingContent(content, planner)
  })
  for (const change of decision.changes)
    staging.write(
      change,
      change.kind === 'delete' ? (existing.get(change.id)?.content.type ?? '') : change.content.type
    )
  for (const key of decision.createdAuthorities) {
    const target = authorities.byKey.get(key)
    if (target) staging.put('target', key, { ...target, exists: true })
  }
  for (const [id, target] of decision.orphans) staging.put('orphan', keys.orphan(planner.job, id), target)
  for (const [id, deleted] of decision.deleted) staging.put('deleted', id, deleted)
  for (const [id, identifiers] of decision.merged) staging.put('merged', keys.merged(planner.job, id), identifiers)
  const marks = await staging.find('edited', decision.edited.keys())
  for (const [id, names] of decision.edited)
    staging.put('edited', id, names.length > 0 ? names : (marks.get(id) ?? true))
}

const settlePlan = (plan: EntityPlan, planner: Planner): EntityPlan => ({
  ...plan,
  base: plan.base && settleContent(plan.base, planner),
  former: plan.former && settleContent(plan.former, planner),
  next: plan.next && settleContent(plan.next, planner)
})

/**
 * Finds the entities to delete. One that is not merged stays when people changed it or something
 * refers to it, and with it what it refers to.
 */
async function findToDelete(
  plans: readonly EntityPlan[],
  existing: ReadonlyMap<string, ExistingEntity>,
  planned: ReadonlySet<string>,
  { findReferrers, onRetained }: Planner
): Promise<Map<string, EntityToDelete>> {
  const toDelete = new Map<string, EntityToDelete>()
  for (const plan of plans) {
    const entity = existing.get(plan.id)
    if (plan.next !== undefined || entity === undefined) continue
    toDelete.set(plan.id, { plan, entity, referrers: await findReferrers(plan.id) })
  }
  const unwanted = new Set(toDelete.keys())
  const stays = (id: string) => !planned.has(id) || (unwanted.has(id) && !toDelete.has(id))
  for (let before = Number.POSITIVE_INFINITY; toDelete.size < before; ) {
    before = toDelete.size
    for (const [id, { plan, entity, referrers }] of toDelete)
      if (plan.into === undefined && (!isByImport(entity) || referrers.some(stays))) {
        toDelete.delete(id)
        onRetained?.(entity)
      }
  }
  return new Map([...toDelete].map(([id, each]) => [id, { ...each, referrers: each.referrers.filter(stays) }]))
}

/**
 * Finds deleted entities that are restored, each with those of its identifiers that its present
 * owner has.
 */
async function findRestored(
  plans: readonly EntityPlan[],
  existing: ReadonlyMap<string, ExistingEntity>,
  { findDeleted, findOwners }: Planner
): Promise<Map<string, RestoredEntity>> {
  const restored = new Map<string, RestoredEntity>()
  if (findDeleted === undefined) return restored
  for (const { id, next } of plans) {
    if (next === undefined || existing.has(id)) continue
    const deleted = await findDeleted(id)
    if (deleted === undefined) continue
    const owners = await findOwners(deleted.entity.identifiers)
    const owner = owners.get(id)
    // Identifiers that it had taken over itself may belong to another entity by now.
    const identifiers = deleted.entity.identifiers.filter(name => owners.get(name) === owner)
    restored.set(id, { ...deleted, entity: { ...deleted.entity, identifiers }, owner })
  }
  const uuids = new Set([...restored.values()].map(each => each.entity._id))
  for (const [id, each] of restored) {
    const { entity } = each
    const rest = entity.identifiers.filter(
      name => name !== id && name !== entity._id && !restored.has(name) && !uuids.has(name)
    )
    restored.set(id, { ...each, entity: { ...entity, identifiers: [entity._id, id, ...rest] } })
  }
  return restored
}

/**
 * Finds the wanted identifiers that are not taken: those of new entities, and the addresses in
 * authority files that an entity does not have yet.
 */
async function findFreeIdentifiers(
  plans: readonly EntityPlan[],
  existing: ReadonlyMap<string, ExistingEntity>,
  missing: ReadonlyMap<string, MissingAuthority>,
  { findOwners }: Planner
): Promise<Map<string, string[]>> {
  const wanted = new Map<string, readonly string[]>()
  for (const [id, { content }] of missing) wanted.set(id, content.identifiers ?? [])
  for (const { id, identifiers = [], base, next } of plans) {
    const added = next?.identifiers?.filter(each => !base?.identifiers?.includes(each)) ?? []
    wanted.set(id, [...(existing.has(id) ? [] : identifiers), ...added])
  }
  const names = [...wanted.values()].flat().filter(isIdentifier).map(storedIdentifier)
  if (names.length === 0) return new Map()
  const taken = new Set((await findOwners(names)).keys())
  const free = new Map<string, string[]>()
  for (const [id, own] of wanted) {
    const open = own
      .filter(isIdentifier)
      .map(storedIdentifier)
      .filter(name => !taken.has(name))
    for (const name of open) taken.add(name)
    if (open.length > 0) free.set(id, open)
  }
  return free
}

/** The authorities without an entity, by the id that it will have. */
async function findMissingAuthorities(
  authorities: Authorities,
  planner: Planner
): Promise<Map<string, MissingAuthority>> {
  const missing = new Map<string, MissingAuthority>()
  for (const [key, target] of authorities.byKey) {
    if (target.exists) continue
    const deletion = authorities.deleted.get(target.id)
    const entity = deletion && (await planner.findLast(deletion))
    const deleted: DeletedEntity | undefined = deletion && entity && { entity, version: deletion.version }
    const content = deriveAuthority(target, each => authorities.byKey.get(each))
    missing.set(target.id, { key, content: settleContent(content, planner), deleted })
  }
  return missing
}
