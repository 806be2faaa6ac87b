import { contentOf, type Entity, type EntityContent } from '#domain/entity.ts'
import { CatalogueError, type Fault, forbidden, notFound } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { StoredEntity } from '#store/store.ts'
import type { WriteOptions, Written } from './create-entity.ts'
import type { Parts } from './parts.ts'
import { prepareContent } from './prepare-content.ts'
import { showTo, visibleTargets } from './visibility.ts'

/** Which versions a change may be made to: from `If-Match`. Undefined means any. */
export type ExpectedVersions = ReadonlySet<number> | undefined

export interface ChangeOptions extends WriteOptions {
  readonly expected?: ExpectedVersions
}

/** What an edit makes of the entity as its editor sees it. Faults it adds are told together with all others. */
export type Edit = (current: Entity, faults: Fault[]) => EntityContent

/** So often is a change made again when somebody else was quicker; each time one of them has got through. */
const mostTries = 100

/**
 * Changes an entity: reads it, edits it, checks it, and writes it if nobody else has in the meantime; otherwise it starts again from what they
 * wrote, so that two changes of different fields both last. With `expected` it is not tried again: throws `version_mismatch`.
 */
export async function changeEntity(
  parts: Parts,
  principal: Principal,
  identifier: string,
  edit: Edit,
  options: ChangeOptions = {}
): Promise<Written> {
  for (let tries = 1; ; tries++) {
    const stored = await findWritable(parts, principal, identifier)
    refuseOtherVersion(stored, options.expected)
    try {
      return await changeOnce(parts, principal, stored, edit, options)
    } catch (error) {
      const isRace = error instanceof CatalogueError && error.code === 'version_mismatch'
      if (!isRace || options.expected || tries === mostTries) throw error
    }
  }
}

async function changeOnce(
  parts: Parts,
  principal: Principal,
  stored: StoredEntity,
  edit: Edit,
  { dryRun, allowDangling }: ChangeOptions
): Promise<Written> {
  const recordType = parts.model.findType(stored.type)
  if (!recordType) throw new Error(`Entity "${stored.id}" is of type "${stored.type}", which the model does not have`)
  const before = JSON.parse(stored.json) as Entity
  const isVisible = await visibleTargets(parts.store, principal, before.relations)
  const faults: Fault[] = []
  const edited = edit({ ...before, relations: before.relations.filter(isVisible) }, faults)
  // What the editor could not see, the editor could not mean to remove.
  const hidden = before.relations.filter(relation => !isVisible(relation))
  const wanted = { ...edited, relations: [...edited.relations, ...hidden] }
  const options = { before, ...(allowDangling === undefined ? {} : { allowDangling }) }
  const { content, warnings } = await prepareContent(parts, recordType, wanted, faults, options)
  if (isSameContent(contentOf(before), content)) {
    return { entity: await showTo(parts.store, principal, stored), warnings, changed: false }
  }
  const [entity] = await parts.store.write({
    writes: [{ kind: 'update', content, expectedVersion: stored.version }],
    by: principal.name,
    ...(dryRun === undefined ? {} : { dryRun }),
    ...(allowDangling === undefined ? {} : { allowDangling })
  })
  if (!entity) throw new Error('The store wrote an entity and did not give it back')
  return { entity: await showTo(parts.store, principal, entity), warnings, changed: true }
}

/** Finds an entity that the principal may write. One they can neither read nor write does not exist for them. */
export async function findWritable(parts: Parts, principal: Principal, identifier: string): Promise<StoredEntity> {
  const stored = await parts.store.findEntity(identifier)
  if (stored && principal.mayWrite(stored.type)) return stored
  if (stored && principal.mayRead(stored.type)) throw forbidden(`write records of type "${stored.type}"`)
  throw notFound('entity', identifier)
}

export function refuseOtherVersion(stored: StoredEntity, expected: ExpectedVersions) {
  if (!expected || expected.has(stored.version)) return
  throw new CatalogueError(
    'version_mismatch',
    `Entity "${stored.id}" has version ${stored.version}, not the one given`,
    {
      about: ['id', stored.id],
      extra: { current_version: stored.version }
    }
  )
}

const isSameContent = (one: EntityContent, other: EntityContent) =>
  JSON.stringify([one.metadata, one.relations, one.otherIdentifiers]) ===
  JSON.stringify([other.metadata, other.relations, other.otherIdentifiers])
