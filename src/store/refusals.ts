import type { Entity, EntityContent, Relation } from '#domain/entity/entity.ts'
import { CatalogueError, type Fault, keyReused, messageAt, missingTarget } from '#domain/errors.ts'
import { repointRelations } from '#domain/editing/merge-lists.ts'
import type { EarlierOutcome, EntityWrite, Once, WriteUnit } from './ports/entities.ts'

/* The rules by which a write is refused, with their messages, for both databases. */

/** Maximum number of references in a refusal; `GET /entities/{id}/references` lists them all. */
export const maxListedReferences = 20

/** An entity that was changed or deleted since the writer read it. */
const versionMismatch = (id: string, current: number | undefined, expected: number) =>
  new CatalogueError(
    'version_mismatch',
    current === undefined
      ? `Entity "${id}" was deleted in the meantime`
      : `Entity "${id}" has version ${current}, not ${expected}: somebody else changed it`,
    { about: ['id', id], extra: current === undefined ? {} : { current_version: current } }
  )

/** The row of an entity that exists. */
export interface CurrentRow {
  readonly pk: number
  readonly version: number
  readonly changed: number
  readonly document: string
}

/** Finds the row that a write changes. Throws when it has another version than the writer read. */
export function readCurrent(
  write: Extract<EntityWrite, { kind: 'update' | 'delete' }>,
  find: (id: string) => CurrentRow | undefined
): CurrentRow {
  const id = write.kind === 'update' ? write.content.id : write.id
  const row = find(id)
  if (row?.version === write.expectedVersion) return row
  throw versionMismatch(id, row?.version, write.expectedVersion)
}

/** A deleted entity that was restored since the writer read it. */
export const alreadyRestored = (id: string) =>
  new CatalogueError('version_mismatch', `Entity "${id}" was restored in the meantime`, { about: ['id', id] })

/** A merge that was undone since the writer read it. */
export const alreadyUnmerged = () => new CatalogueError('version_mismatch', 'This merge was undone in the meantime')

export const diskFull = (cause: unknown) =>
  new CatalogueError('storage_full', 'The disk is full; nothing was written', { cause })

export const webhookChanged = (id: string) =>
  new CatalogueError('version_mismatch', `Somebody else changed webhook "${id}" just now; try again`)

/** Throws when an Idempotency-Key comes again with another request. */
export function refuseReusedKey({ fingerprint }: EarlierOutcome, once: Once | undefined) {
  if (fingerprint !== once?.fingerprint) throw keyReused()
}

/** A relation that points to a deleted entity. */
export interface ListedReference {
  readonly id: string
  readonly type: string
  readonly relation: string
}

/** Throws when relations would point to a deleted entity after the whole unit. */
export function refuseReferenced({ id }: Pick<Entity, 'id'>, references: readonly ListedReference[]) {
  if (references.length === 0) return
  throw new CatalogueError('still_referenced', `Entity "${id}" is still referred to by others`, {
    about: ['id', id],
    extra: {
      references: references.slice(0, maxListedReferences).map(({ id, type, relation }) => ({ id, type, relation }))
    }
  })
}

/** The relations of a unit that were not there before. */
export class NewRelations {
  readonly #relations: { readonly key: string; readonly index: number; readonly position: number }[] = []

  /** Adds the relations of the write with an index, without those that the entity had before. */
  add({ relations }: EntityContent, index: number, before: readonly Relation[] = []) {
    const earlier = new Set(before.map(({ key }) => key))
    relations.forEach(({ key }, position) => {
      if (!earlier.has(key)) this.#relations.push({ key, index, position })
    })
  }

  /**
   * Throws when a target does not exist, or has another id than the relation states. Called after
   * all writes, so that the entities of one unit may refer to each other in any order. `idOf` finds
   * the id of the entity that has an identifier.
   */
  refuseUnsettled(unit: WriteUnit, idOf: (key: string) => string | undefined) {
    const faults: Fault[] = []
    const moved = new Map<number, Map<string, string>>()
    for (const { key, index, position } of this.#relations) {
      const id = idOf(key)
      if (id === undefined) {
        const place = unit.writes.length > 1 ? `/${index}` : ''
        if (!unit.allowDangling) faults.push(missingTarget(`${place}/relations/${position}/key`, key))
      } else if (id !== key) {
        const own = moved.get(index) ?? new Map<string, string>()
        moved.set(index, own.set(key, id))
      }
    }
    const [first] = faults
    if (first) throw new CatalogueError('invalid', messageAt(first), { faults })
    // The end of a merge restores relations as they were, so that all merges can be undone in any
    // order.
    if (moved.size === 0 || unit.unmerges !== undefined) return
    const writes = unit.writes.map((each, index) => {
      const own = moved.get(index)
      if (own === undefined || each.kind === 'delete') return each
      const relations = repointRelations(each.content.relations, key => own.get(key) ?? key)
      return { ...each, content: { ...each.content, relations } }
    })
    throw new TargetsMoved({ ...unit, writes })
  }
}

/**
 * Targets of new relations were merged into others after the unit was prepared. The writer applies
 * `unit`, which has their present ids, in place of the one that it was given.
 */
export class TargetsMoved extends Error {
  readonly unit: WriteUnit

  constructor(unit: WriteUnit) {
    super('Targets of new relations have other ids now')
    this.unit = unit
  }
}

/**
 * The moment of a write: now, but never before the last write. A clock that is set back must not
 * change the order of changes.
 */
export function momentAfter(last: string | null | undefined, now: number): string {
  const at = new Date(now).toISOString()
  return last != null && last > at ? last : at
}
