import { contentOf, type Entity, type EntityContent } from '#domain/entity/entity.ts'
import { CatalogueError, invalidWith, mayNotWrite, missingTargetsIn, notFound } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Version } from '#store/ports/history.ts'
import { type ChangeOptions, changeEntity } from '../entities/change-entity.ts'
import { noteOf, repeatWrite, writeOne, type Written } from '../entities/create-entity.ts'
import { keyedOperation, onceOf } from '../entities/once.ts'
import type { Parts } from '../parts.ts'
import { prepareContent, recordTypeOf } from '../entities/prepare-content.ts'
import { viewOfWritten, visibleTargets } from '../guarded/visibility.ts'

const maxTries = 20

/**
 * Restores the content of an entity at a version; a deleted entity is restored. The result is a new
 * version: the history stays complete. Relations to records that do not exist any more are left
 * out, with a warning.
 */
export const revertEntity = keyedOperation<number, ChangeOptions, Written>(
  repeatWrite,
  async (parts, principal, identifier, version, options = {}) => {
    const { uuid, was } = await findVersion(parts, principal, identifier, version)
    const content = { ...contentOf(was), otherIdentifiers: await otherIdentifiersOf(parts, was) }
    const leavesOut = new Set<string>()
    for (let tries = 1; ; tries++) {
      const live = await parts.store.findEntity(uuid)
      try {
        if (live?.uuid !== uuid) return await restore(parts, principal, was, content, { ...options, leavesOut })
        // Relations that the editor cannot see stay as they are now.
        const isVisible = await visibleTargets(parts.store, principal, was.relations)
        const relations = was.relations.filter(isVisible)
        return await changeEntity(parts, principal, uuid, () => ({ ...content, relations }), { ...options, leavesOut })
      } catch (error) {
        // Somebody deleted the target of a relation just now.
        const missing = missingTargetsIn(error)?.filter(key => !leavesOut.has(key)) ?? []
        for (const key of missing) leavesOut.add(key)
        if (missing.length > 0) continue
        if (live?.uuid === uuid) throw error
        // Somebody else restored it meanwhile: then it exists, and is only changed.
        const isRace = error instanceof CatalogueError && ['version_mismatch', 'identifier_taken'].includes(error.code)
        const isRestored = (await parts.store.findEntity(uuid))?.uuid === uuid
        if (!isRace || !isRestored || options.expected || tries === maxTries) throw error
      }
    }
  }
)

async function findVersion(parts: Parts, principal: Principal, identifier: string, version: number) {
  const history = await parts.store.findHistory(identifier, 0, 0)
  const isKnown = history && [principal.mayRead, principal.mayWrite, principal.mayDelete].some(may => may(history.type))
  if (!isKnown) throw notFound('entity', identifier)
  const { uuid, type } = history
  if (!principal.mayWrite(type)) throw mayNotWrite(type)
  const past = await parts.store.findVersionByUuid(uuid, version)
  if (!past) throw notFound(`version ${version} of an entity`, identifier)
  if (past.json === null) {
    throw invalidWith([{ pointer: '/version', message: `Version ${version} is a deletion; revert to one before it` }])
  }
  return { uuid, was: JSON.parse(past.json) as Entity }
}

/**
 * The other identifiers at that version, and those of entities merged into it since: old ids
 * resolve until the merge is undone.
 */
async function otherIdentifiersOf(parts: Parts, was: Entity): Promise<string[]> {
  const merged = await parts.store.identifiersMergedInto(was._id)
  const held = await parts.store.identify(merged)
  const stillOwn = merged.filter(each => !was.identifiers.includes(each) && (held.get(each)?.id ?? was.id) === was.id)
  return [...was.identifiers.slice(2), ...stillOwn]
}

async function restore(
  parts: Parts,
  principal: Principal,
  was: Entity,
  wanted: EntityContent,
  options: ChangeOptions
): Promise<Written> {
  const recordType = recordTypeOf(parts, was)
  const history = await parts.store.findHistory(was._id, 0, 1)
  const [deletion] = history?.versions ?? []
  if (!deletion) throw notFound('entity', was.id)
  refuseMerged(was, deletion)
  if (options.expected && !options.expected.has(deletion.version)) {
    throw new CatalogueError(
      'version_mismatch',
      `Entity "${was.id}" was deleted with version ${deletion.version}, not the given version`,
      { about: ['id', was.id], extra: { current_version: deletion.version } }
    )
  }
  const isVisible = await visibleTargets(parts.store, principal, was.relations)
  const { content, warnings } = await prepareContent(parts, principal, recordType, wanted, {
    existing: was,
    retained: was.relations.filter(relation => !isVisible(relation)),
    ...(options.leavesOut ? { leavesOut: options.leavesOut } : {})
  })
  const view = await viewOfWritten(parts.store, principal, [content])
  const entity = await writeOne(parts, {
    writes: [{ kind: 'restore', content, expectedVersion: deletion.version, created: was.audit.created }],
    by: principal.name,
    dryRun: options.dryRun ?? false,
    ...onceOf(principal, options.once, noteOf({ warnings, isNew: true }))
  })
  return { entity: view(entity), warnings, changed: true, isNew: true }
}

function refuseMerged(was: Entity, deletion: Version) {
  if (deletion.mergedInto === null) return
  throw new CatalogueError(
    'still_referenced',
    `Entity "${was.id}" was merged into "${deletion.mergedInto}": undo the merge instead`,
    { about: ['id', was.id], extra: { merged_into: deletion.mergedInto } }
  )
}
