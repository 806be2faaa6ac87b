import type { EntityPlan } from '#domain/imports/decide-entities.ts'
import {
  deriveExpression,
  deriveManifestation,
  deriveWork,
  type FindField,
  hasRepeats
} from '#domain/imports/derive.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { StoredItem, StoredRecord, UnplacedMention } from '#domain/imports/stored.ts'
import type { Staging } from '../state/staging.ts'
import type { Situation } from './find-positions.ts'
import { findSituation, type LinkedSituation } from './find-situation.ts'
import { findAuthorities } from './find-authorities.ts'
import { identifyItems, planItems } from './place-items.ts'
import { RecordLinks, type View } from './record-links.ts'
import { stageState } from './stage-state.ts'
import { isByImport, stageEntities } from './stage-entities.ts'
import {
  mentionIdsOf,
  type Placed,
  type Placing,
  type RecordChange,
  splitMention,
  type Authorities
} from './placing.ts'

/**
 * Creates, changes and deletes records, and places them and the records around them in works and
 * expressions. Everything is staged, nothing is written. The records have different names. Mentions
 * in `revisited` are placed again, too: somebody answered a question about them, or an undo moves
 * them back.
 */
export async function placeRecords(
  staging: Staging,
  requested: readonly RecordChange[],
  placing: Placing,
  revisited: readonly string[] = []
): Promise<Placed[]> {
  const known = await staging.find(
    'record',
    requested.map(each => each.name)
  )
  const retained = await findRetained(staging, requested, known, placing)
  const changes = requested.filter(({ name, next }) => !retained.has(name) && (next !== undefined || known.has(name)))
  const situation = await findSituation(staging, changes, known, revisited, placing)
  const authorities = await findAuthorities(staging, situation, placing)
  const manifestations = await planManifestations(staging, situation, authorities, placing)
  const items = placeItems(situation, authorities, manifestations.idOf, placing)
  const plans = [
    ...planWorks(situation, authorities, placing),
    ...planExpressions(situation, authorities, placing),
    ...manifestations.plans,
    ...items.plans
  ]
  await stageEntities(staging, plans, authorities, placing)
  await stageState(staging, situation, { idOf: manifestations.idOf, itemsOf: items.itemsOf }, placing)
  return requested.map(change => placedOf(change, situation, retained, manifestations.idOf))
}

/**
 * Finds records that are not deleted although the file says so: somebody edited the manifestation,
 * or other records refer to it.
 */
async function findRetained(
  staging: Staging,
  requested: readonly RecordChange[],
  known: ReadonlyMap<string, StoredRecord>,
  { findReferrers }: Placing
): Promise<ReadonlySet<string>> {
  const toDelete = requested.flatMap(({ name, next }) => {
    const record = next === undefined ? known.get(name) : undefined
    if (record === undefined) return []
    const own = [record.manifestationId, ...(record.items ?? []).map(({ id }) => id)]
    return [[name, own] as const]
  })
  const existing = await staging.findEntities(toDelete.flatMap(([, own]) => own))
  // Relations that an import made of links do not hold a record; they go with it.
  const links = new RecordLinks(staging, requested, known)
  await links.load(toDelete.map(([name]) => name))
  const retained = new Set<string>()
  for (const [name, own] of toDelete)
    for (const id of own) {
      const entity = existing.get(id)
      const parts = new Set(links.partsOf(name).map(part => links.manifestationOf(part)))
      const isInUse = async () =>
        (await findReferrers(id)).some(referrer => !own.includes(referrer) && !parts.has(referrer))
      if (entity && (!isByImport(entity) || (await isInUse()))) retained.add(name)
    }
  return retained
}

// Plans: the content of each entity before and after

type Members = ReadonlyMap<string, readonly string[]>

const mentionsIn = <T>(ids: readonly string[] | undefined, from: ReadonlyMap<string, T>): T[] =>
  (ids ?? []).flatMap(id => from.get(id) ?? [])

/** The fields as they were until version 1.1, when those of works and texts had one value each. */
const singleIn =
  (model: Model): FindField =>
  (type, key) =>
    model.fieldOf(type, key) && {}

function planWorks(
  { before, after, positions, linked }: LinkedSituation,
  authorities: Authorities,
  { model }: Placing
): EntityPlan[] {
  const findTarget = (key: string) => authorities.byKey.get(key)
  const { works, oldWorks, changedWorks, deletedWorks } = positions
  const derive = (view: View, id: string, findField: FindField = model.fieldOf) => {
    const ids = (view === 'before' ? oldWorks : works).get(id) ?? []
    const mentions = mentionsIn(ids, view === 'before' ? before : after)
    return mentions.length === 0 ? undefined : deriveWork(mentions, findTarget, findField, linked[view].ofWork(id, ids))
  }
  const former = (id: string) =>
    mentionsIn(oldWorks.get(id), before).some(each => hasRepeats(each.work))
      ? derive('before', id, singleIn(model))
      : undefined
  return [
    ...[...changedWorks].map(id => ({ id, base: derive('before', id), former: former(id), next: derive('after', id) })),
    ...deletedWorks.map(({ id, into }) => ({ id, into, base: derive('before', id), next: undefined }))
  ]
}

function planExpressions(
  { before, after, positions }: Situation,
  authorities: Authorities,
  { model }: Placing
): EntityPlan[] {
  const findTarget = (key: string) => authorities.byKey.get(key)
  const derive = (
    members: Members,
    id: string,
    from: ReadonlyMap<string, UnplacedMention>,
    workOf: (mention: string) => string | undefined,
    findField: FindField = model.fieldOf
  ) => {
    const ids = members.get(id) ?? []
    const workId = workOf(ids[0] ?? '')
    return workId === undefined ? undefined : deriveExpression(mentionsIn(ids, from), workId, findTarget, findField)
  }
  const { expressions, oldExpressions, changedExpressions, deletedExpressions, of } = positions
  const workBefore = (mention: string) => before.get(mention)?.workId
  const base = (id: string) => derive(oldExpressions, id, before, workBefore)
  const former = (id: string) =>
    mentionsIn(oldExpressions.get(id), before).some(each => hasRepeats(each.expression))
      ? derive(oldExpressions, id, before, workBefore, singleIn(model))
      : undefined
  const next = (id: string) => derive(expressions, id, after, mention => of.get(mention)?.workId)
  return [
    ...[...changedExpressions].map(id => ({ id, base: base(id), former: former(id), next: next(id) })),
    ...deletedExpressions.map(({ id, into }) => ({ id, into, base: base(id), next: undefined }))
  ]
}

/** The items of the records that change. */
function placeItems(
  { changes, known }: Situation,
  authorities: Authorities,
  idOf: ReadonlyMap<string, string>,
  placing: Placing
) {
  const find = (key: string) => authorities.byKey.get(key)
  const itemsOf = new Map<string, readonly StoredItem[]>()
  const plans = changes.flatMap(({ name, next }) => {
    const old = known.get(name)
    const before = old && { manifestationId: old.manifestationId, items: old.items ?? [] }
    const items = identifyItems(before?.items ?? [], next?.items ?? [], placing)
    itemsOf.set(name, items)
    return planItems(before, { manifestationId: idOf.get(name) ?? '', items }, find)
  })
  return { plans, itemsOf }
}

/**
 * Manifestations of the records that change, and of those whose expressions or hosts have other ids
 * now.
 */
async function planManifestations(
  staging: Staging,
  situation: LinkedSituation,
  authorities: Authorities,
  placing: Placing
) {
  const { changes, known, before, positions, linked, components } = situation
  const findTarget = (key: string) => authorities.byKey.get(key)
  const idOf = new Map<string, string>()
  for (const { name, next } of changes) {
    const old = known.get(name)
    // An entity never changes its type: a record that is about another kind of thing now gets
    // another manifestation.
    const isOther = next !== undefined && old !== undefined && old.manifestation.type !== next.record.manifestation.type
    const id = (isOther ? undefined : old?.manifestationId) ?? next?.manifestationId
    idOf.set(name, id ?? placing.newId(next?.record.manifestation.type ?? ''))
  }
  const moved = new Set<string>(components)
  for (const [id, { expressionId }] of before) {
    const [record] = splitMention(id)
    if (!idOf.has(record) && positions.of.get(id)?.expressionId !== expressionId) moved.add(record)
  }
  const others = await staging.find('record', moved)
  const mentions = await staging.find(
    'mention',
    [...others].flatMap(([name, record]) => mentionIdsOf(name, record)).filter(id => !before.has(id))
  )
  const oldOf = (name: string, record: Pick<StoredRecord, 'mentions'> | undefined) =>
    mentionIdsOf(name, record).flatMap(id => (before.get(id) ?? mentions.get(id))?.expressionId ?? [])
  const newOf = (name: string, record: Pick<StoredRecord, 'mentions'> | undefined) =>
    mentionIdsOf(name, record).flatMap(id => positions.of.get(id)?.expressionId ?? mentions.get(id)?.expressionId ?? [])
  const plans: EntityPlan[] = []
  for (const { name, next } of changes) {
    const old = known.get(name)
    const id = idOf.get(name) ?? ''
    const base =
      old && deriveManifestation(old.manifestation, oldOf(name, old), findTarget, linked.before.hostsOf(name, idOf))
    const isReplaced = old !== undefined && old.manifestationId !== id
    if (isReplaced) plans.push({ id: old.manifestationId, base, next: undefined, into: id })
    plans.push({
      id,
      base: isReplaced ? undefined : base,
      next:
        next &&
        deriveManifestation(
          next.record.manifestation,
          newOf(name, next.record),
          findTarget,
          linked.after.hostsOf(name, idOf)
        ),
      ...(next?.identifier === undefined ? {} : { identifiers: [next.identifier] })
    })
  }
  for (const [name, record] of others)
    plans.push({
      id: record.manifestationId,
      base: deriveManifestation(
        record.manifestation,
        oldOf(name, record),
        findTarget,
        linked.before.hostsOf(name, idOf)
      ),
      next: deriveManifestation(record.manifestation, newOf(name, record), findTarget, linked.after.hostsOf(name, idOf))
    })
  return { plans, idOf }
}

function placedOf(
  { name, next }: RecordChange,
  { known, positions }: Situation,
  retained: ReadonlySet<string>,
  idOf: ReadonlyMap<string, string>
): Placed {
  const record = known.get(name)
  const outcome = retained.has(name) ? 'kept' : next ? (record ? 'updated' : 'created') : record ? 'deleted' : 'unknown'
  const works = mentionIdsOf(name, next?.record).flatMap(id => positions.of.get(id) ?? [])
  return { name, outcome, manifestationId: idOf.get(name) ?? record?.manifestationId, works }
}
