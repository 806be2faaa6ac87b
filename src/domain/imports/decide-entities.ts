import type { Entity, EntityContent, EntityWrite, Relation } from '../entity/entity.ts'
import type { DerivedContent } from './derive.ts'
import { findDifferences, changedName } from '../editing/difference.ts'
import { asDerived, carryEdits, dropEdits, retainEdits } from './retain-edits.ts'
import { isSameJson } from '../json.ts'
import { holdings } from '../record-types/holdings.ts'

/*
 * Decides how entities change, from the earlier and the present content of their records. All facts
 * are arguments; nothing is looked up or written here.
 */

/** An entity as it is in the catalogue. */
export interface ExistingEntity {
  readonly content: EntityContent
  readonly version: number
  readonly createdBy: string
  readonly updatedBy: string
}

/** The content that imports gave an entity before, and the content that they give it now. */
export interface EntityPlan {
  readonly id: string
  /** Undefined when there was none. */
  readonly base: DerivedContent | undefined
  /** The content that an earlier version of the program gave it, where that was another. */
  readonly former?: DerivedContent | undefined
  /** Undefined when the entity is to be deleted. */
  readonly next: DerivedContent | undefined
  /** The entity that it is merged into: references and identifiers then lead there. */
  readonly into?: string | undefined
  /** Identifiers beside its id for a new entity, unless another entity has them. */
  readonly identifiers?: readonly string[]
}

export interface EntityToDelete {
  readonly plan: EntityPlan
  readonly entity: ExistingEntity
  /** Entities that refer to it and stay: outside of the plan, or retained themselves. */
  readonly referrers: readonly string[]
}

/** A deleted entity in its last state. */
export interface DeletedEntity {
  readonly entity: Entity
  /** The version that marks the deletion. */
  readonly version: number
}

/** A deleted entity to restore, with the identifiers that it gets back. */
export interface RestoredEntity extends DeletedEntity {
  /** The entity that has taken its id since. */
  readonly owner: string | undefined
}

export interface EntityFacts {
  /** The job that these decisions belong to. */
  readonly job: string
  readonly plans: readonly EntityPlan[]
  /**
   * Entities of the plan, owners of identifiers that go back, and referrers to deleted entities, as
   * far as they exist.
   */
  readonly existing: ReadonlyMap<string, ExistingEntity>
  readonly toDelete: ReadonlyMap<string, EntityToDelete>
  readonly restored: ReadonlyMap<string, RestoredEntity>
  /** Identifiers for entities that no entity has yet, by id. */
  readonly freeIdentifiers: ReadonlyMap<string, readonly string[]>
  /** Authorities without an entity, by the id that it will have. */
  readonly missingAuthorities: ReadonlyMap<string, MissingAuthority>
  /** Keys of authorities that imports may have created, by id. */
  readonly authorityKeys: ReadonlyMap<string, string>
  readonly newUuid: () => string
  /**
   * The fields and relations that a person changes in a source record, by the id of the entity:
   * edits of them do not stay.
   */
  readonly changedInSource?: ReadonlyMap<string, ReadonlySet<string>> | undefined
  /** The part of a content that its type has fields and relations for. */
  readonly fitting: (content: DerivedContent) => DerivedContent
}

export interface MissingAuthority {
  readonly key: string
  readonly content: DerivedContent
  readonly deleted: DeletedEntity | undefined
}

export interface EntityDecision {
  /**
   * In the order in which they can be written: an identifier is released before another entity
   * takes it.
   */
  readonly changes: readonly EntityWrite[]
  /** Keys of authorities that are created. */
  readonly createdAuthorities: readonly string[]
  /** Authorities that an entity no longer refers to, id and key. */
  readonly orphans: ReadonlyMap<string, string>
  /** Deleted entities, and the version that marks the deletion. */
  readonly deleted: ReadonlyMap<string, { readonly uuid: string; readonly version: number }>
  /** Identifiers of entities that this job had created and that were merged. */
  readonly merged: ReadonlyMap<string, readonly string[]>
  /**
   * Entities that people have edited: they differ from the content of their records. Those that are
   * created have the names of the fields that were edited in an entity of another type.
   */
  readonly edited: ReadonlyMap<string, readonly string[]>
}

/** Decides the writes that bring every entity to its plan and retain the edits of people. */
export function decideEntities(facts: EntityFacts): EntityDecision {
  const draft = new Draft(facts)
  draft.releaseIdentifiers()
  for (const plan of facts.plans) {
    const entity = facts.existing.get(plan.id)
    if (plan.next === undefined) draft.delete(plan.id)
    else if (entity !== undefined) draft.change(entity, plan, plan.next)
    else if (!draft.isDeletedHere(plan)) draft.create(plan, plan.next)
  }
  draft.redirectReferrers()
  return draft.decision()
}

/** Relations between the levels; their targets are part of the plan and never orphans. */
const structural = new Set(['refWork', 'refExpressions'])

class Draft {
  readonly #facts: EntityFacts
  readonly #planned: ReadonlySet<string>
  /** Entities that are merged into another, by its id. */
  readonly #gained = new Map<string, EntityToDelete[]>()
  /** Identifiers that go back to a restored entity, by their present owner. */
  readonly #lost = new Map<string, ReadonlySet<string>>()
  readonly #givenBack: ReadonlySet<string>
  readonly #deletes: EntityWrite[] = []
  readonly #updates: EntityWrite[] = []
  readonly #inserts: EntityWrite[] = []
  readonly #createdAuthorities = new Set<string>()
  readonly #orphans = new Map<string, string>()
  readonly #deleted = new Map<string, { uuid: string; version: number }>()
  readonly #merged = new Map<string, readonly string[]>()
  readonly #edited = new Map<string, readonly string[]>()

  constructor(facts: EntityFacts) {
    this.#facts = facts
    this.#planned = new Set(facts.plans.map(each => each.id))
    for (const each of facts.toDelete.values()) {
      const { into } = each.plan
      if (into !== undefined) this.#gained.set(into, [...(this.#gained.get(into) ?? []), each])
    }
    for (const { entity, owner } of facts.restored.values())
      if (owner !== undefined) this.#lost.set(owner, new Set([...(this.#lost.get(owner) ?? []), ...entity.identifiers]))
    this.#givenBack = new Set([...this.#lost.values()].flatMap(names => [...names]))
  }

  /** Takes identifiers that go back to restored entities from entities outside of the plan. */
  releaseIdentifiers(): void {
    for (const id of this.#lost.keys()) {
      const entity = this.#planned.has(id) ? undefined : this.#facts.existing.get(id)
      if (entity !== undefined) this.#release(entity)
    }
  }

  #release({ content, version }: ExistingEntity): void {
    const otherIdentifiers = content.otherIdentifiers.filter(each => !this.#lost.get(content.id)?.has(each))
    this.#deletes.push({ kind: 'update', content: { ...content, otherIdentifiers }, expectedVersion: version })
  }

  delete(id: string): void {
    const found = this.#facts.toDelete.get(id)
    if (found === undefined) return
    const { plan, entity } = found
    const { content, version, createdBy } = entity
    // Identifiers that belong to another entity again must not be deleted with this one.
    const isReleased = this.#lost.has(id)
    if (isReleased) this.#release(entity)
    const deletedAt = version + (isReleased ? 2 : 1)
    const { into } = plan
    this.#deletes.push({
      kind: 'delete',
      id,
      expectedVersion: deletedAt - 1,
      ...(into === undefined ? {} : { mergedInto: into })
    })
    this.#noteOrphans(content, undefined)
    this.#deleted.set(id, { uuid: content.uuid, version: deletedAt })
    if (into !== undefined && createdBy === `import:${this.#facts.job}`)
      this.#merged.set(id, [content.id, content.uuid])
  }

  /** Tests whether people deleted an item of which its record says nothing new. */
  isDeletedHere({ id, base, next }: EntityPlan): boolean {
    return next?.type === holdings.item && !this.#facts.restored.has(id) && base !== undefined && isSameJson(base, next)
  }

  create(plan: EntityPlan, next: DerivedContent): void {
    const restored = this.#facts.restored.get(plan.id)
    const { type, metadata, relations } = restored === undefined ? this.#withEditsOfOtherType(plan, next) : next
    const otherIdentifiers = [...(this.#facts.freeIdentifiers.get(plan.id) ?? []), ...this.#comingTo(plan.id)]
    const insert: EntityWrite & { content: EntityContent } =
      restored === undefined
        ? {
            kind: 'insert',
            content: { id: plan.id, uuid: this.#facts.newUuid(), type, metadata, relations, otherIdentifiers }
          }
        : restore(restored, next)
    this.#inserts.push(insert)
    this.#createAuthorities(insert.content)
  }

  /** The content of a new entity, with the edits of the one of another type that it replaces. */
  #withEditsOfOtherType(plan: EntityPlan, next: DerivedContent): DerivedContent {
    let content = next
    for (const { entity, plan: merged } of this.#gained.get(plan.id) ?? []) {
      if (merged.base === undefined) continue
      const names = this.#facts.changedInSource?.get(merged.id)
      const current = names === undefined ? entity.content : dropEdits(entity.content, merged.base, names)
      content = this.#facts.fitting({ ...next, ...retainEdits(current, merged.base, content) })
    }
    const names = content === next ? [] : changedNames(next, content)
    if (names.length > 0) this.#edited.set(plan.id, names)
    return content
  }

  change(entity: ExistingEntity, plan: EntityPlan, next: DerivedContent): void {
    const base = plan.base === undefined ? next : asDerived(entity.content, plan.base, plan.former)
    const names = this.#facts.changedInSource?.get(plan.id)
    const current = names === undefined ? entity.content : dropEdits(entity.content, base, names)
    let content = { ...entity.content, ...retainEdits(current, base, next) }
    for (const { entity: deleted, plan: merged } of this.#gained.get(plan.id) ?? [])
      if (merged.base) content = { ...content, ...carryEdits(content, deleted.content, merged.base) }
    if (!isSameJson(content.metadata, next.metadata) || !isSameJson(content.relations, next.relations))
      this.#edited.set(plan.id, [])
    // Addresses in authority files that the records no longer give.
    const gone = plan.base?.identifiers?.filter(each => !next.identifiers?.includes(each)) ?? []
    const own = entity.content.otherIdentifiers.filter(
      each => !this.#lost.get(plan.id)?.has(each) && !gone.includes(each)
    )
    const free = this.#facts.freeIdentifiers.get(plan.id) ?? []
    this.#update(entity, { ...content, otherIdentifiers: [...own, ...free, ...this.#comingTo(plan.id)] })
  }

  /** Redirects entities that stay as they are to the entity that theirs was merged into. */
  redirectReferrers(): void {
    const into = new Map<string, string>()
    const referrers = new Set<string>()
    for (const { plan, entity, referrers: own } of this.#facts.toDelete.values()) {
      if (plan.into === undefined) continue
      for (const name of identifiersOf(entity)) into.set(name, plan.into)
      for (const id of own) referrers.add(id)
    }
    for (const id of referrers) {
      const entity = this.#facts.existing.get(id)
      if (entity === undefined) continue
      const redirected = entity.content.relations.map(each => ({ ...each, key: into.get(each.key) ?? each.key }))
      this.#update(entity, { ...entity.content, relations: withoutRepeats(redirected) })
    }
  }

  decision(): EntityDecision {
    return {
      changes: [...this.#deletes, ...this.#updates, ...this.#inserts],
      createdAuthorities: [...this.#createdAuthorities],
      orphans: this.#orphans,
      deleted: this.#deleted,
      merged: this.#merged,
      edited: this.#edited
    }
  }

  /** Identifiers of the entities that are merged into this one. */
  #comingTo(id: string): string[] {
    const names = (this.#gained.get(id) ?? []).flatMap(({ entity }) => identifiersOf(entity))
    return names.filter(name => !this.#givenBack.has(name))
  }

  #update(entity: ExistingEntity, content: EntityContent): void {
    if (isSameJson(content, entity.content)) return
    this.#updates.push({ kind: 'update', content, expectedVersion: entity.version })
    this.#createAuthorities(content)
    this.#noteOrphans(entity.content, content)
  }

  #createAuthorities({ relations }: EntityContent): void {
    for (const { key: id } of relations) {
      const missing = this.#facts.missingAuthorities.get(id)
      if (missing === undefined || this.#createdAuthorities.has(missing.key)) continue
      this.#createdAuthorities.add(missing.key)
      const { type, metadata } = missing.content
      const { deleted } = missing
      const content = { id, type, metadata, relations: [] }
      this.#inserts.push(
        deleted === undefined
          ? {
              kind: 'insert',
              content: {
                ...content,
                uuid: this.#facts.newUuid(),
                otherIdentifiers: this.#facts.freeIdentifiers.get(id) ?? []
              }
            }
          : {
              kind: 'restore',
              content: { ...content, uuid: deleted.entity._id, otherIdentifiers: deleted.entity.identifiers.slice(2) },
              expectedVersion: deleted.version,
              created: deleted.entity.audit.created
            }
      )
    }
  }

  #noteOrphans(was: EntityContent, is: EntityContent | undefined): void {
    const still = new Set(is?.relations.map(each => each.key))
    for (const { key: id, type } of was.relations) {
      const target = structural.has(type) || still.has(id) ? undefined : this.#facts.authorityKeys.get(id)
      if (target !== undefined) this.#orphans.set(id, target)
    }
  }
}

/**
 * Edits of people come back unchanged; content that only imports wrote is made from the present
 * records.
 */
function restore({ entity, version }: DeletedEntity, next: DerivedContent) {
  const isByImport = entity.audit.updated.by.startsWith('import:')
  return {
    kind: 'restore' as const,
    expectedVersion: version,
    created: entity.audit.created,
    content: {
      id: entity.id,
      uuid: entity._id,
      type: entity.type,
      metadata: isByImport ? next.metadata : entity.metadata,
      relations: isByImport ? next.relations : entity.relations,
      otherIdentifiers: entity.identifiers.slice(2)
    }
  }
}

function changedNames(one: DerivedContent, other: DerivedContent): string[] {
  const differences = findDifferences({ ...one, otherIdentifiers: [] }, { ...other, otherIdentifiers: [] })
  return [...new Set(differences.map(changedName))]
}

const identifiersOf = ({ content }: ExistingEntity) => [content.id, content.uuid, ...content.otherIdentifiers]

function withoutRepeats(relations: readonly Relation[]): Relation[] {
  const seen = new Set<string>()
  return relations.filter(({ type, key }) => {
    const name = `${type} ${key}`
    if (seen.has(name)) return false
    seen.add(name)
    return true
  })
}
