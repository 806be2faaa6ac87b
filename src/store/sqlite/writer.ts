import type { DatabaseSync } from 'node:sqlite'

import type { ChangeKind } from '#domain/events/change-event.ts'
import { type Audit, type Entity, type EntityContent, type Relation, toEntity } from '#domain/entity/entity.ts'
import { CatalogueError, type Fault, missingTarget } from '#domain/errors.ts'
import type { Model } from '#domain/record-types/model.ts'
import { isSameJson } from '#domain/json.ts'
import type { EntityWrite, Merge, StoredEntity, WriteUnit } from '../store.ts'
import { prepareWriting } from './connection.ts'
import { createIndexWriter } from './index-writer.ts'
import { gatherNewEntities } from './new-entities.ts'
import { createOutcomeBook } from './outcomes.ts'
import { createStateWriter } from './state-entries.ts'

export interface Writer {
  /**
   * Applies a unit inside the transaction that is open. Throws without having cleaned up: the
   * caller rolls back to its savepoint.
   */
  apply(unit: WriteUnit, now: number): (StoredEntity | undefined)[]
  /** To be said after every rollback: what was remembered as written is not. */
  forget(): void
}

interface CurrentRow {
  readonly pk: number
  readonly version: number
  readonly changed: number
  readonly document: string
}

/** How many references a refusal lists; `GET /entities/{id}/references` has them all. */
const listedReferences = 20

/**
 * Writes entities with everything that belongs to them: versions, identifiers, relations, index
 * rows, change rows.
 */
export function createWriter(db: DatabaseSync, model: Model): Writer {
  const lastChange = db.prepare('SELECT at FROM changes ORDER BY sequence DESC LIMIT 1')
  const insertChange = prepareWriting(
    db,
    'INSERT INTO changes (kind, id, uuid, type, version, at, by, merged_into) VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
  )
  const updateEntity = prepareWriting(
    db,
    'UPDATE entities SET version = ?, changed = ?, updated_at = ?, updated_by = ?, document = ? WHERE pk = ?'
  )
  const deleteEntity = prepareWriting(db, 'DELETE FROM entities WHERE pk = ?')
  const selectCurrent = db.prepare('SELECT pk, version, changed, document FROM entities WHERE id = ?')
  const insertIdentifier = prepareWriting(db, 'INSERT OR IGNORE INTO identifiers (identifier, entity_pk) VALUES (?, ?)')
  const insertName = prepareWriting(db, 'INSERT OR IGNORE INTO names (identifier, uuid) VALUES (?, ?)')
  const deleteIdentifier = prepareWriting(db, 'DELETE FROM identifiers WHERE identifier = ? AND entity_pk = ?')
  const identifierExists = db.prepare('SELECT 1 FROM identifiers WHERE identifier = ?')
  const insertVersion = prepareWriting(
    db,
    'INSERT INTO versions (uuid, version, id, type, changed, at, by, document, merged_into, entity_pk) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
  )
  const newEntities = gatherNewEntities(db, taken)
  const index = createIndexWriter(db, model)
  const selectReferences = db.prepare(
    `SELECT e.id, e.type, r.type AS relation FROM relations r JOIN entities e ON e.pk = r.entity_pk
     WHERE r.target IN (SELECT value FROM json_each(?)) ORDER BY e.pk, r.position LIMIT ?`
  )

  const lastVersion = db.prepare(
    'SELECT version, document, entity_pk FROM versions WHERE uuid = ? ORDER BY version DESC LIMIT 1'
  )
  const insertMerge = prepareWriting(
    db,
    'INSERT INTO merges (survivor_uuid, survivor_id, victim_id, written, at, by) SELECT uuid, id, ?, ?, ?, ? FROM entities WHERE id = ?'
  )
  const isOpenMerge = db.prepare('SELECT 1 FROM merges WHERE number = ? AND undone IS NULL')
  const undoMerge = prepareWriting(
    db,
    'UPDATE merges SET undone = (SELECT max(sequence) FROM changes) WHERE number = ?'
  )
  const outcomes = createOutcomeBook(db)
  const writePapers = createStateWriter(db)

  return {
    apply(unit, now) {
      const earlier = unit.once && outcomes.find(unit.once.scope, unit.once.key, now)
      if (earlier) {
        refuseReusedKey(earlier.fingerprint === unit.once?.fingerprint)
        return [...earlier.outcome]
      }
      const stored = write(unit, momentAfter(lastChange.get()?.at, now))
      if (unit.papers) writePapers(unit.papers)
      if (unit.once) outcomes.insert(unit.once, stored, now)
      return unit.isSilent ? [] : stored
    },
    forget() {
      newEntities.forget()
      index.forget()
    }
  }

  function write(unit: WriteUnit, at: string): (StoredEntity | undefined)[] {
    const newRelations: { relation: Relation; index: number; position: number }[] = []
    const deleted: Entity[] = []
    const versions: Merge['written'][number][] = []
    const noteNew = (content: EntityContent, index: number, before: readonly Relation[]) => {
      const known = new Set(before.map(relation => relation.key))
      content.relations.forEach((relation, position) => {
        if (!known.has(relation.key)) newRelations.push({ relation, index, position })
      })
    }

    // First of all: what it gives back would be found taken otherwise.
    if (unit.unmerges !== undefined && !isOpenMerge.get(unit.unmerges)) {
      throw new CatalogueError('version_mismatch', 'This merge was taken back in the meantime')
    }
    const stored = unit.writes.map((each, index) => {
      if (each.kind === 'insert' || each.kind === 'restore') {
        noteNew(each.content, index, [])
        return insert(each, at, unit.by)
      }
      newEntities.flush()
      const row = readCurrent(each)
      const current = JSON.parse(row.document) as Entity
      versions.push({ id: current.id, uuid: current._id, version: row.version + 1 })
      if (each.kind === 'delete') {
        deleted.push(current)
        remove(row, current, at, unit.by, each.mergedInto ?? null)
        return undefined
      }
      noteNew(each.content, index, current.relations)
      return update(row, current, each.content, at, unit.by)
    })

    newEntities.flush()
    index.flush()
    // Only now, so that the records of one unit may point to each other in any order.
    if (!unit.allowDangling) refuseMissingTargets(newRelations, unit)
    for (const entity of deleted) refuseReferenced(entity)
    if (unit.merge) insertMerge.run(unit.merge.victimId, JSON.stringify(versions), at, unit.by, unit.merge.survivorId)
    if (unit.unmerges !== undefined) undoMerge.run(unit.unmerges)
    return stored
  }

  function insert(each: Extract<EntityWrite, { kind: 'insert' | 'restore' }>, at: string, by: string): StoredEntity {
    const { content } = each
    const { version, place } = nextVersion(each)
    const created = each.kind === 'restore' ? each.created : { at, by }
    const audit: Audit = { created, updated: { at, by } }
    const json = JSON.stringify(toEntity(content, version, audit))
    const umbrella = model.umbrellaOf(content.type)
    const pk = newEntities.add({ content, umbrella, version, audit, json, place })
    index.write(pk, content)
    return { id: content.id, uuid: content.uuid, type: content.type, version, json }
  }

  /**
   * The versions of a uuid go on where they ended, also when a deleted entity comes back; that one
   * has its old place in the order of creation again, a new one comes last.
   */
  function nextVersion(each: Extract<EntityWrite, { kind: 'insert' | 'restore' }>) {
    const last = lastVersion.get(each.content.uuid)
    if (each.kind === 'restore' && (last?.version !== each.expectedVersion || last.document !== null)) {
      throw new CatalogueError('version_mismatch', `Entity "${each.content.id}" was brought back in the meantime`, {
        about: ['id', each.content.id]
      })
    }
    const place = each.kind === 'restore' ? Number(last?.entity_pk) : undefined
    return { version: last ? Number(last.version) + 1 : 1, place }
  }

  function noteChange(
    kind: ChangeKind,
    { id, uuid, type }: Pick<EntityContent, 'id' | 'uuid' | 'type'>,
    version: number,
    at: string,
    by: string,
    mergedInto: string | null = null
  ): number {
    return Number(insertChange.run(kind, id, uuid, type, version, at, by, mergedInto).lastInsertRowid)
  }

  function update(row: CurrentRow, current: Entity, content: EntityContent, at: string, by: string): StoredEntity {
    const version = row.version + 1
    const json = JSON.stringify(toEntity(content, version, { created: current.audit.created, updated: { at, by } }))
    keepVersion(current, row)
    const changed = noteChange('updated', content, version, at, by)
    updateEntity.run(version, changed, at, by, json, row.pk)

    const wanted = new Set([content.uuid, content.id, ...content.otherIdentifiers])
    const had = new Set(current.identifiers)
    for (const identifier of had) if (!wanted.has(identifier)) deleteIdentifier.run(identifier, row.pk)
    for (const identifier of wanted) if (!had.has(identifier)) addIdentifier(identifier, row.pk, content)

    index.rewrite(row.pk, content, {
      relations: !isSameJson(current.relations, content.relations),
      metadata: !isSameJson(current.metadata, content.metadata)
    })
    return { id: content.id, uuid: content.uuid, type: content.type, version, json }
  }

  function remove(row: CurrentRow, current: Entity, at: string, by: string, mergedInto: string | null) {
    const { id, _id: uuid, type } = current
    const version = row.version + 1
    keepVersion(current, row)
    const changed = noteChange(
      mergedInto === null ? 'deleted' : 'merged',
      { id, uuid, type },
      version,
      at,
      by,
      mergedInto
    )
    // A version without a document marks the deletion.
    insertVersion.run(uuid, version, id, type, changed, at, by, null, mergedInto, row.pk)
    deleteEntity.run(row.pk)
    for (const identifier of current.identifiers) deleteIdentifier.run(identifier, row.pk)
    index.erase(row.pk)
  }

  function readCurrent(write: Extract<EntityWrite, { kind: 'update' | 'delete' }>): CurrentRow {
    const id = write.kind === 'update' ? write.content.id : write.id
    const row = selectCurrent.get(id) as unknown as CurrentRow | undefined
    if (row?.version === write.expectedVersion) return row
    throw new CatalogueError(
      'version_mismatch',
      row
        ? `Entity "${id}" has version ${row.version}, not ${write.expectedVersion}: somebody else changed it`
        : `Entity "${id}" was deleted in the meantime`,
      { about: ['id', id], extra: row ? { current_version: row.version } : {} }
    )
  }

  function keepVersion(current: Entity, row: CurrentRow) {
    const { at, by } = current.audit.updated
    insertVersion.run(current._id, row.version, current.id, current.type, row.changed, at, by, row.document, null, null)
  }

  function addIdentifier(identifier: string, pk: number, { id, uuid }: Pick<EntityContent, 'id' | 'uuid'>) {
    if (Number(insertIdentifier.run(identifier, pk).changes) === 0) throw taken(identifier)
    if (identifier !== id && identifier !== uuid) insertName.run(identifier, uuid)
  }

  function refuseMissingTargets(
    relations: readonly { relation: Relation; index: number; position: number }[],
    { writes }: WriteUnit
  ) {
    const faults: Fault[] = []
    // What the unit itself made need not be looked for.
    const there = new Set<string>()
    for (const each of writes)
      if (each.kind === 'insert') there.add(each.content.id)
      else if (each.kind === 'delete') there.delete(each.id)
    for (const { relation, index, position } of relations) {
      if (there.has(relation.key)) continue
      if (identifierExists.get(relation.key)) {
        there.add(relation.key)
        continue
      }
      const pointer = `${writes.length > 1 ? `/${index}` : ''}/relations/${position}/key`
      faults.push(missingTarget(pointer, relation.key))
    }
    const [first] = faults
    if (first) throw new CatalogueError('invalid', `${first.message} at ${first.pointer}`, { faults })
  }

  function refuseReferenced(entity: Entity) {
    const references = selectReferences.all(JSON.stringify(entity.identifiers), listedReferences)
    if (references.length === 0) return
    throw new CatalogueError('still_referenced', `Entity "${entity.id}" is still pointed to by others`, {
      about: ['id', entity.id],
      extra: { references: references.map(reference => ({ ...reference })) }
    })
  }
}

function refuseReusedKey(isSameRequest: boolean) {
  if (!isSameRequest) throw new CatalogueError('key_reused', 'This Idempotency-Key was used for another request')
}

const taken = (identifier: string) =>
  new CatalogueError('identifier_taken', `The identifier "${identifier}" is taken`, {
    about: ['identifier', identifier]
  })

/**
 * Now, but never before what was written last: a clock that is set back must not change the order
 * of things.
 */
function momentAfter(last: unknown, now: number): string {
  const at = new Date(now).toISOString()
  return typeof last === 'string' && last > at ? last : at
}
