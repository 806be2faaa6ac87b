import type { DatabaseSync } from 'node:sqlite'

import { type Audit, type Entity, type EntityContent, type Relation, toEntity } from '#domain/entity.ts'
import { CatalogueError, type Fault } from '#domain/errors.ts'
import { indexValues } from '#domain/index-values.ts'
import type { Model } from '#domain/model.ts'
import type { EntityWrite, StoredEntity, WriteUnit } from '../store.ts'

export interface Writer {
  /** Applies a unit inside the transaction that is open. Throws without having cleaned up: the caller rolls back to its savepoint. */
  apply(unit: WriteUnit, now: number): (StoredEntity | undefined)[]
}

interface CurrentRow {
  readonly pk: number
  readonly version: number
  readonly document: string
}

/** How many references a refusal lists; `GET /entities/{id}/references` has them all. */
const listedReferences = 20

/** Writes entities with everything that belongs to them: versions, identifiers, relations, index rows, change rows. */
export function createWriter(db: DatabaseSync, model: Model): Writer {
  const lastChange = db.prepare('SELECT at FROM changes ORDER BY sequence DESC LIMIT 1')
  const insertChange = db.prepare(
    'INSERT INTO changes (kind, id, uuid, type, version, at, by) VALUES (?, ?, ?, ?, ?, ?, ?)'
  )
  const insertEntity = db.prepare(
    `INSERT INTO entities (id, uuid, type, umbrella, version, changed, created_at, created_by, updated_at, updated_by, document)
     VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?)`
  )
  const updateEntity = db.prepare(
    'UPDATE entities SET version = ?, changed = ?, updated_at = ?, updated_by = ?, document = ? WHERE pk = ?'
  )
  const deleteEntity = db.prepare('DELETE FROM entities WHERE pk = ?')
  const selectCurrent = db.prepare('SELECT pk, version, document FROM entities WHERE id = ?')
  const insertIdentifier = db.prepare('INSERT OR IGNORE INTO identifiers (identifier, entity_pk) VALUES (?, ?)')
  const deleteIdentifier = db.prepare('DELETE FROM identifiers WHERE identifier = ? AND entity_pk = ?')
  const identifierExists = db.prepare('SELECT 1 FROM identifiers WHERE identifier = ?')
  const insertVersion = db.prepare(
    'INSERT INTO versions (uuid, version, id, type, at, by, document) VALUES (?, ?, ?, ?, ?, ?, ?)'
  )
  const insertRelation = db.prepare('INSERT INTO relations (entity_pk, position, type, target) VALUES (?, ?, ?, ?)')
  const deleteRelations = db.prepare('DELETE FROM relations WHERE entity_pk = ?')
  const insertValue = db.prepare(
    `INSERT INTO field_values
       (entity_pk, key, position, text, folded, head, sort, number, instant, truth, is_name, is_derived)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  )
  const deleteText = db.prepare(
    'DELETE FROM field_text WHERE rowid IN (SELECT pk FROM field_values WHERE entity_pk = ?)'
  )
  const insertText = db.prepare('INSERT INTO field_text (rowid, folded) VALUES (?, ?)')
  const deleteValues = db.prepare('DELETE FROM field_values WHERE entity_pk = ?')
  const selectReferences = db.prepare(
    `SELECT e.id, e.type, r.type AS relationType FROM relations r JOIN entities e ON e.pk = r.entity_pk
     WHERE r.target IN (SELECT value FROM json_each(?)) ORDER BY e.pk, r.position LIMIT ?`
  )

  return {
    apply(unit, now) {
      const at = momentAfter(lastChange.get()?.at, now)
      const newRelations: { relation: Relation; index: number; position: number }[] = []
      const deleted: Entity[] = []
      const noteNew = (content: EntityContent, index: number, before: readonly Relation[]) => {
        const known = new Set(before.map(relation => relation.key))
        content.relations.forEach((relation, position) => {
          if (!known.has(relation.key)) newRelations.push({ relation, index, position })
        })
      }

      const stored = unit.writes.map((write, index) => {
        if (write.kind === 'insert') {
          noteNew(write.content, index, [])
          return insert(write.content, at, unit.by)
        }
        const row = readCurrent(write)
        const current = JSON.parse(row.document) as Entity
        if (write.kind === 'delete') {
          deleted.push(current)
          remove(row, current, at, unit.by)
          return undefined
        }
        noteNew(write.content, index, current.relations)
        return update(row, current, write.content, at, unit.by)
      })

      // Only now, so that the records of one unit may point to each other in any order.
      if (!unit.allowDangling) refuseMissingTargets(newRelations, unit.writes.length)
      for (const entity of deleted) refuseReferenced(entity)
      return stored
    }
  }

  function insert(content: EntityContent, at: string, by: string): StoredEntity {
    const audit: Audit = { created: { at, by }, updated: { at, by } }
    const json = JSON.stringify(toEntity(content, 1, audit))
    const changed = insertChange.run('created', content.id, content.uuid, content.type, 1, at, by).lastInsertRowid
    refuseTaken(content.id)
    const umbrella = model.umbrellaOf(content.type)
    const pk = Number(
      insertEntity.run(content.id, content.uuid, content.type, umbrella, changed, at, by, at, by, json).lastInsertRowid
    )
    for (const identifier of [content.uuid, content.id, ...content.otherIdentifiers]) addIdentifier(identifier, pk)
    writeRelations(pk, content)
    writeValues(pk, content)
    return { id: content.id, uuid: content.uuid, type: content.type, version: 1, json }
  }

  function update(row: CurrentRow, current: Entity, content: EntityContent, at: string, by: string): StoredEntity {
    const version = row.version + 1
    const json = JSON.stringify(toEntity(content, version, { created: current.audit.created, updated: { at, by } }))
    keepVersion(current, row)
    const changed = insertChange.run('updated', content.id, content.uuid, content.type, version, at, by).lastInsertRowid
    updateEntity.run(version, changed, at, by, json, row.pk)

    const wanted = new Set([content.uuid, content.id, ...content.otherIdentifiers])
    const had = new Set(current.identifiers)
    for (const identifier of had) if (!wanted.has(identifier)) deleteIdentifier.run(identifier, row.pk)
    for (const identifier of wanted) if (!had.has(identifier)) addIdentifier(identifier, row.pk)

    if (!isSame(current.relations, content.relations)) {
      deleteRelations.run(row.pk)
      writeRelations(row.pk, content)
    }
    if (!isSame(current.metadata, content.metadata)) {
      eraseValues(row.pk)
      writeValues(row.pk, content)
    }
    return { id: content.id, uuid: content.uuid, type: content.type, version, json }
  }

  function remove(row: CurrentRow, current: Entity, at: string, by: string) {
    keepVersion(current, row)
    // A version without a document marks the deletion.
    insertVersion.run(current._id, row.version + 1, current.id, current.type, at, by, null)
    insertChange.run('deleted', current.id, current._id, current.type, row.version + 1, at, by)
    deleteEntity.run(row.pk)
    for (const identifier of current.identifiers) deleteIdentifier.run(identifier, row.pk)
    deleteRelations.run(row.pk)
    eraseValues(row.pk)
  }

  function readCurrent(write: Exclude<EntityWrite, { kind: 'insert' }>): CurrentRow {
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
    insertVersion.run(current._id, row.version, current.id, current.type, at, by, row.document)
  }

  function addIdentifier(identifier: string, pk: number) {
    if (insertIdentifier.run(identifier, pk).changes === 0) throw taken(identifier)
  }

  function refuseTaken(identifier: string) {
    if (identifierExists.get(identifier)) throw taken(identifier)
  }

  function writeRelations(pk: number, content: EntityContent) {
    content.relations.forEach((relation, position) => {
      insertRelation.run(pk, position, relation.type, relation.key)
    })
  }

  function writeValues(pk: number, content: EntityContent) {
    for (const value of indexValues(model, content)) {
      const { lastInsertRowid } = insertValue.run(
        pk,
        value.key,
        value.position,
        value.text,
        value.folded,
        value.head,
        value.sort,
        value.number,
        value.instant,
        value.truth,
        value.isName,
        value.isDerived
      )
      insertText.run(lastInsertRowid, value.folded)
    }
  }

  function eraseValues(pk: number) {
    deleteText.run(pk)
    deleteValues.run(pk)
  }

  function refuseMissingTargets(
    relations: readonly { relation: Relation; index: number; position: number }[],
    writes: number
  ) {
    const faults: Fault[] = []
    for (const { relation, index, position } of relations) {
      if (identifierExists.get(relation.key)) continue
      const pointer = `${writes > 1 ? `/${index}` : ''}/relations/${position}/key`
      faults.push({ pointer, message: `No entity with id "${relation.key}"` })
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

const taken = (identifier: string) =>
  new CatalogueError('identifier_taken', `The identifier "${identifier}" is taken`, {
    about: ['identifier', identifier]
  })

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Now, but never before what was written last: a clock that is set back must not change the order of things. */
function momentAfter(last: unknown, now: number): string {
  const at = new Date(now).toISOString()
  return typeof last === 'string' && last > at ? last : at
}
