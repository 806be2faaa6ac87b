import { checkMetadata } from '#domain/check-fields.ts'
import type { Entity, EntityContent, MetadataEntry } from '#domain/entity.ts'
import type { Fault } from '#domain/errors.ts'
import { type DerivedContent, deriveTarget } from '#domain/imports/derive.ts'
import { carryEdits, keepEdits } from '#domain/imports/keep-edits.ts'
import { recordLimits } from '#domain/record-limits.ts'
import type { EntityWrite } from '#store/store.ts'
import type { Desk, StandingEntity } from './desk.ts'
import type { DeletedEntity, EntityPlan, Planner, Targets } from './placing.ts'

export const isByImport = ({ createdBy, updatedBy }: StandingEntity) =>
  createdBy.startsWith('import:') && updatedBy.startsWith('import:')

/** Relations that hold the levels together; what they point to is planned, not swept. */
const structural = new Set(['refWork', 'refExpressions'])

/** Lays down what has to be written so that every entity is as planned, and what people made of them stays. */
export async function planEntities(
  desk: Desk,
  plans: readonly EntityPlan[],
  targets: Targets,
  planner: Planner
): Promise<void> {
  const changedTargets = targets.changed.map(
    ({ before, after }): EntityPlan => ({ id: after.id, base: deriveTarget(before), next: deriveTarget(after) })
  )
  const all = [...plans, ...changedTargets]
  const planned = new Set(all.map(each => each.id))
  const standing = await desk.findEntities(planned)
  const going = await findGoing(all, standing, planned, planner)
  const brought = await findBroughtBack(all, standing, planner)
  const names = await findFreeNames(all, standing, planner)
  const comeBack = new Map<string, DeletedEntity>()
  for (const [id, retired] of targets.retired) {
    const entity = await planner.findLast(retired)
    if (entity) comeBack.set(id, { entity, version: retired.version })
  }
  const settle = (content: DerivedContent) => settleContent(content, planner)

  /** Names that come to an entity from those that go over into it, and those that it gives back. */
  const gained = new Map<string, { readonly entity: StandingEntity; readonly base: DerivedContent | undefined }[]>()
  for (const { plan, entity } of going.values())
    if (plan.into !== undefined)
      gained.set(plan.into, [...(gained.get(plan.into) ?? []), { entity, base: plan.base && settle(plan.base) }])
  const lost = new Map<string, Set<string>>()
  for (const { entity, owner } of brought.values())
    if (owner !== undefined) lost.set(owner, new Set([...(lost.get(owner) ?? []), ...entity.identifiers]))

  const givenBackAll = new Set([...lost.values()].flatMap(names => [...names]))
  const comingTo = (id: string) => namesOf(gained.get(id)).filter(name => !givenBackAll.has(name))
  const [deletes, updates, inserts]: [EntityWrite[], EntityWrite[], EntityWrite[]] = [[], [], []]
  const insert = (write: EntityWrite & { content: EntityContent }) => {
    inserts.push(write)
    makeTargets(write.content)
  }
  const makeTargets = (content: EntityContent) => {
    for (const { key } of content.relations) {
      const missing = targets.findMissing(key)
      if (missing === undefined) continue
      targets.made(missing.key)
      const { type, metadata } = settle(deriveTarget(missing.target))
      const before = comeBack.get(key)
      const made = { id: key, uuid: planner.newUuid(), type, metadata, relations: [], otherIdentifiers: [] }
      if (before === undefined) inserts.push({ kind: 'insert', content: made })
      else
        inserts.push({
          kind: 'restore',
          content: { ...made, uuid: before.entity._id, otherIdentifiers: before.entity.identifiers.slice(2) },
          expectedVersion: before.version,
          created: before.entity.audit.created
        })
    }
  }
  const update = (entity: StandingEntity, content: EntityContent) => {
    if (JSON.stringify(content) === JSON.stringify(entity.content)) return
    updates.push({ kind: 'update', content, expectedVersion: entity.version })
    makeTargets(content)
    noteLoose(entity.content, content)
  }
  const noteLoose = (was: EntityContent, is: EntityContent | undefined) => {
    const still = new Set(is?.relations.map(each => each.key))
    for (const { key, type } of was.relations)
      if (!structural.has(type) && !still.has(key)) {
        const target = targets.keyOf(key)
        if (target !== undefined) desk.put('import loose', `${planner.job}\n${key}`, target)
      }
  }

  const others = await desk.findEntities([...lost.keys()].filter(id => !planned.has(id)))
  for (const [id, { content, version }] of others) {
    const otherIdentifiers = content.otherIdentifiers.filter(each => !lost.get(id)?.has(each))
    deletes.push({ kind: 'update', content: { ...content, otherIdentifiers }, expectedVersion: version })
  }
  for (const plan of all) {
    const entity = standing.get(plan.id)
    const next = plan.next && settle(plan.next)
    if (next === undefined) {
      const gone = going.get(plan.id)
      if (gone === undefined) continue
      const givenBack = lost.get(plan.id)
      const { content, version } = gone.entity
      // Names that are another's again must not go with it: whoever points to them points to that one.
      if (givenBack) {
        const otherIdentifiers = content.otherIdentifiers.filter(each => !givenBack.has(each))
        deletes.push({ kind: 'update', content: { ...content, otherIdentifiers }, expectedVersion: version })
      }
      const deletedAt = version + (givenBack ? 2 : 1)
      deletes.push({
        kind: 'delete',
        id: plan.id,
        expectedVersion: deletedAt - 1,
        ...(plan.into === undefined ? {} : { mergedInto: plan.into })
      })
      noteLoose(gone.entity.content, undefined)
      desk.put('import retired', plan.id, { uuid: content.uuid, version: deletedAt })
      if (plan.into !== undefined && gone.entity.createdBy === `import:${planner.job}`)
        desk.put('import passed', `${planner.job}\n${plan.id}`, [content.id, content.uuid])
      continue
    }
    if (entity === undefined) {
      const back = brought.get(plan.id)
      if (back) insert(broughtBack(back.entity, back.version, next))
      else
        insert({
          kind: 'insert',
          content: {
            id: plan.id,
            uuid: planner.newUuid(),
            type: next.type,
            metadata: next.metadata,
            relations: next.relations,
            otherIdentifiers: [...(names.get(plan.id) ?? []), ...comingTo(plan.id)]
          }
        })
      continue
    }
    const base = plan.base === undefined ? next : settle(plan.base)
    let content = { ...entity.content, ...keepEdits(entity.content, base, next) }
    for (const each of gained.get(plan.id) ?? [])
      if (each.base) content = { ...content, ...carryEdits(content, each.entity.content, each.base) }
    if (!isSame(content.metadata, next.metadata) || !isSame(content.relations, next.relations))
      desk.put('import edited', plan.id, true)
    const dropped = lost.get(plan.id)
    const own = entity.content.otherIdentifiers.filter(each => !dropped?.has(each))
    update(entity, { ...content, otherIdentifiers: [...own, ...comingTo(plan.id)] })
  }
  for (const { id, entity, content } of await repoint(desk, going, planned))
    if (!planned.has(id)) update(entity, content)
  // What goes lets go of its names before another takes them.
  for (const each of [...deletes, ...updates, ...inserts])
    desk.write(each, each.kind === 'delete' ? (standing.get(each.id)?.content.type ?? '') : each.content.type)
}

const namesOf = (gained: readonly { readonly entity: StandingEntity }[] = []) =>
  gained.flatMap(({ entity: { content } }) => [content.id, content.uuid, ...content.otherIdentifiers])

interface Going {
  readonly plan: EntityPlan
  readonly entity: StandingEntity
  readonly referrers: readonly string[]
}

/** Entities that go. One that goes over into nothing stays where people changed it or point to it. */
async function findGoing(
  plans: readonly EntityPlan[],
  standing: ReadonlyMap<string, StandingEntity>,
  planned: ReadonlySet<string>,
  { findReferrers }: Planner
): Promise<Map<string, Going>> {
  const going = new Map<string, Going>()
  for (const plan of plans) {
    const entity = standing.get(plan.id)
    if (plan.next !== undefined || entity === undefined) continue
    const referrers = (await findReferrers(plan.id)).filter(id => !planned.has(id))
    if (plan.into === undefined && (!isByImport(entity) || referrers.length > 0)) continue
    going.set(plan.id, { plan, entity, referrers })
  }
  return going
}

/** Others that point to what goes over into another: they point there from now on. */
async function repoint(desk: Desk, going: ReadonlyMap<string, Going>, planned: ReadonlySet<string>) {
  const into = new Map<string, string>()
  const referrers = new Set<string>()
  for (const { plan, entity, referrers: own } of going.values()) {
    if (plan.into === undefined) continue
    for (const name of [entity.content.id, entity.content.uuid, ...entity.content.otherIdentifiers])
      into.set(name, plan.into)
    for (const id of own) if (!planned.has(id)) referrers.add(id)
  }
  const found = await desk.findEntities(referrers)
  return [...found].map(([id, entity]) => {
    const seen = new Set<string>()
    const relations = entity.content.relations
      .map(each => ({ ...each, key: into.get(each.key) ?? each.key }))
      .filter(({ type, key }) => {
        const name = `${type} ${key}`
        if (seen.has(name)) return false
        seen.add(name)
        return true
      })
    return { id, entity, content: { ...entity.content, relations } }
  })
}

interface BroughtBack extends DeletedEntity {
  /** Who answers to its id in the meantime. */
  readonly owner: string | undefined
}

async function findBroughtBack(
  plans: readonly EntityPlan[],
  standing: ReadonlyMap<string, StandingEntity>,
  { findDeleted, findOwners }: Planner
): Promise<Map<string, BroughtBack>> {
  const brought = new Map<string, BroughtBack>()
  if (findDeleted === undefined) return brought
  for (const { id, next } of plans) {
    if (next === undefined || standing.has(id)) continue
    const deleted = await findDeleted(id)
    if (deleted === undefined) continue
    const owners = await findOwners(deleted.entity.identifiers)
    const owner = owners.get(id)
    // Names that it had taken over itself may have gone their own way since.
    const names = deleted.entity.identifiers.filter(name => owners.get(name) === owner)
    brought.set(id, { ...deleted, entity: { ...deleted.entity, identifiers: names }, owner })
  }
  for (const [id, each] of brought) {
    const own = new Set([id, each.entity._id])
    const isAnothers = (name: string) => !own.has(name) && (brought.has(name) || uuids(brought).has(name))
    const identifiers = [
      each.entity._id,
      id,
      ...each.entity.identifiers.filter(name => !own.has(name) && !isAnothers(name))
    ]
    brought.set(id, { ...each, entity: { ...each.entity, identifiers } })
  }
  return brought
}

const uuids = (brought: ReadonlyMap<string, BroughtBack>) => new Set([...brought.values()].map(each => each.entity._id))

function broughtBack(entity: Entity, version: number, next: DerivedContent) {
  // What people had changed comes back as they left it; what only imports wrote is made from the records that there are now.
  const isOurs = entity.audit.updated.by.startsWith('import:')
  return {
    kind: 'restore' as const,
    expectedVersion: version,
    created: entity.audit.created,
    content: {
      id: entity.id,
      uuid: entity._id,
      type: entity.type,
      metadata: isOurs ? next.metadata : entity.metadata,
      relations: isOurs ? next.relations : entity.relations,
      otherIdentifiers: entity.identifiers.slice(2)
    }
  }
}

/** The names that new entities want and nobody has. */
async function findFreeNames(
  plans: readonly EntityPlan[],
  standing: ReadonlyMap<string, StandingEntity>,
  { findOwners }: Planner
): Promise<Map<string, string[]>> {
  const wanted = plans.filter(each => each.identifiers && !standing.has(each.id))
  const names = wanted.flatMap(each => each.identifiers ?? [])
  if (names.length === 0) return new Map()
  const taken = new Set((await findOwners(names)).keys())
  const free = new Map<string, string[]>()
  for (const { id, identifiers = [] } of wanted) {
    const own = identifiers.filter(name => !taken.has(name))
    for (const name of own) taken.add(name)
    free.set(id, own)
  }
  return free
}

/**
 * Content as it may be stored: what does not fit its record type is put right or left out. Many records
 * together may say more of a work than a record may hold; then the first of it is kept.
 */
function settleContent(derived: DerivedContent, { model, sanitizeHtml }: Planner): DerivedContent {
  const recordType = model.findType(derived.type)
  if (recordType === undefined) return derived
  const content = {
    ...derived,
    metadata: derived.metadata.slice(0, recordLimits.maxMetadata),
    relations: derived.relations.slice(0, recordLimits.maxRelations)
  }
  const given = content.metadata.map(entry => {
    const isList = model.fieldOf(content.type, entry.key)?.kind === 'codes'
    return isList && !Array.isArray(entry.value) ? { ...entry, value: [entry.value] } : entry
  })
  const faults: Fault[] = []
  const { metadata } = checkMetadata(recordType, given, sanitizeHtml, faults)
  if (faults.length === 0) return { ...content, metadata }
  const faulty = new Set(faults.map(each => Number(/^\/metadata\/(\d+)/.exec(each.pointer)?.[1] ?? -1)))
  const kept: MetadataEntry[] = metadata.filter((_, index) => !faulty.has(index))
  const words = kept.map(each => each.value).find(value => typeof value === 'string' && value !== '')
  for (const [key, field] of Object.entries(recordType.fields))
    if (field.required && !kept.some(each => each.key === key && each.value !== ''))
      kept.unshift({ key, value: words ?? '[?]' })
  return { ...content, metadata: kept }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
