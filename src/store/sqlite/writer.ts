import type { DatabaseSync } from 'node:sqlite'

import type { ChangeKind } from '#domain/events/change-event.ts'
import { identifierTaken } from '#domain/errors.ts'
import { type Audit, type Entity, type EntityContent, toEntity } from '#domain/entity/entity.ts'
import { isSameJson } from '#domain/json.ts'
import type { Model } from '#domain/record-types/model.ts'
import { lookupValues } from '#domain/search/lookup-values.ts'
import {
  alreadyRestored,
  alreadyUnmerged,
  type ListedReference,
  maxListedReferences,
  momentAfter,
  NewRelations,
  refuseReferenced,
  refuseReusedKey,
  readCurrent,
  type CurrentRow
} from '../refusals.ts'
import type { EntityWrite, StoredEntity, WriteUnit } from '../ports/entities.ts'
import type { Merge } from '../ports/history.ts'
import { partings } from '../rows.ts'
import { prepareWriting } from './connection.ts'
import { IndexWriter } from './index-writer.ts'
import { NewEntities } from './new-entities.ts'
import { createOutcomeWriter } from './outcomes.ts'
import { createStateWriter } from './state-entries.ts'

/** The moment of a unit and its author, for the audit. */
interface Stamp {
  readonly at: string
  readonly by: string
}

type Insertion = Extract<EntityWrite, { kind: 'insert' | 'restore' }>

/**
 * Writes entities with everything that belongs to them: versions, identifiers, relations, lookups,
 * change rows.
 */
export class Writer {
  readonly #model: Model
  readonly #statements
  readonly #newEntities
  readonly #index
  readonly #outcomes
  readonly #writeState

  constructor(db: DatabaseSync, model: Model) {
    this.#model = model
    this.#statements = prepareStatements(db)
    this.#newEntities = new NewEntities(db)
    this.#index = new IndexWriter(db)
    this.#outcomes = createOutcomeWriter(db)
    this.#writeState = createStateWriter(db)
  }

  /**
   * Applies a unit inside the open transaction. Throws without cleaning up: the caller rolls back
   * to its savepoint, and applies the unit of a `TargetsMoved` in place of the given one.
   */
  apply(unit: WriteUnit, now: number): (StoredEntity | undefined)[] {
    const earlier = unit.once && this.#outcomes.find(unit.once.scope, unit.once.key, now)
    if (earlier) {
      refuseReusedKey(earlier, unit.once)
      return [...earlier.outcome]
    }
    const last = this.#statements.lastChange.get()?.at as string | undefined
    const stored = this.#write(unit, momentAfter(last, now))
    if (unit.state) this.#writeState(unit.state)
    if (unit.once) this.#outcomes.insert(unit.once, stored, now)
    return unit.isSilent ? [] : stored
  }

  /** Discards pending rows; must be called after every rollback. */
  clear() {
    this.#newEntities.clear()
    this.#index.clear()
  }

  #write(unit: WriteUnit, at: string): (StoredEntity | undefined)[] {
    const { isOpenMerge, insertMerge, undoMerge } = this.#statements
    const stamp = { at, by: unit.by }
    const newRelations = new NewRelations()
    const deleted: Entity[] = []
    const versions: Merge['written'][number][] = []
    // First of all: otherwise the identifiers that it returns would be found taken.
    if (unit.unmerges !== undefined && !isOpenMerge.get(unit.unmerges)) throw alreadyUnmerged()
    const stored = unit.writes.map((each, index) => {
      if (each.kind === 'insert' || each.kind === 'restore') {
        newRelations.add(each.content, index)
        return this.#insert(each, stamp)
      }
      this.#newEntities.flush()
      const row = readCurrent(each, id => this.#statements.selectCurrent.get(id) as unknown as CurrentRow | undefined)
      const current = JSON.parse(row.document) as Entity
      versions.push({ id: current.id, uuid: current._id, version: row.version + 1 })
      if (each.kind === 'delete') {
        deleted.push(current)
        this.#delete(row, current, stamp, each.mergedInto ?? null)
        return undefined
      }
      newRelations.add(each.content, index, current.relations)
      return this.#update(row, current, each.content, stamp)
    })
    this.#newEntities.flush()
    this.#index.flush()
    newRelations.refuseUnsettled(unit, this.#targetFinder(unit.writes))
    for (const entity of deleted) this.#refuseReferenced(entity)
    if (unit.merge) insertMerge.run(unit.merge.victimId, JSON.stringify(versions), at, unit.by, unit.merge.survivorId)
    if (unit.unmerges !== undefined) undoMerge.run(unit.unmerges)
    return stored
  }

  #insert(each: Insertion, stamp: Stamp): StoredEntity {
    const { content } = each
    const { version, formerKey } = this.#nextVersion(each)
    const audit: Audit = { created: each.kind === 'restore' ? each.created : stamp, updated: stamp }
    const json = JSON.stringify(toEntity(content, version, audit))
    const umbrella = this.#model.umbrellaOf(content.type)
    const pk = this.#newEntities.add({ content, umbrella, version, audit, json, formerKey })
    this.#index.insertRelations(pk, content.relations)
    this.#index.insertLookups(pk, lookupValues(this.#model, content, audit.created.by))
    return { id: content.id, uuid: content.uuid, type: content.type, version, json }
  }

  /**
   * The versions of a uuid continue where they ended, also when a deleted entity is restored. A
   * restored entity gets its former position in the order of creation, a new one comes last.
   */
  #nextVersion(each: Insertion) {
    const last = this.#statements.lastVersion.get(each.content.uuid)
    if (each.kind === 'restore' && (last?.version !== each.expectedVersion || last.document !== null))
      throw alreadyRestored(each.content.id)
    const formerKey = each.kind === 'restore' ? (last?.entity_pk as number | null) : null
    return { version: last ? Number(last.version) + 1 : 1, formerKey: formerKey ?? undefined }
  }

  #update(row: CurrentRow, current: Entity, content: EntityContent, { at, by }: Stamp): StoredEntity {
    const { updateEntity, deleteIdentifier } = this.#statements
    const version = row.version + 1
    const json = JSON.stringify(toEntity(content, version, { created: current.audit.created, updated: { at, by } }))
    this.#storeVersion(current, row)
    const changed = this.#addChange('updated', content, version, { at, by })
    this.#writeState(partings(current, content, { at, changed }))
    updateEntity.run(version, changed, at, by, json, row.pk)

    const wanted = new Set([content.uuid, content.id, ...content.otherIdentifiers])
    const known = new Set(current.identifiers)
    for (const identifier of known) if (!wanted.has(identifier)) deleteIdentifier.run(identifier, row.pk)
    for (const identifier of wanted) if (!known.has(identifier)) this.#addIdentifier(identifier, row.pk, content)

    if (!isSameJson(current.relations, content.relations)) this.#index.replaceRelations(row.pk, content.relations)
    const { by: createdBy } = current.audit.created
    const [before, after] = [current, content].map(each => lookupValues(this.#model, each, createdBy))
    if (before && after && !isSameJson(before, after)) {
      this.#index.deleteLookups(row.pk, before)
      this.#index.insertLookups(row.pk, after)
    }
    return { id: content.id, uuid: content.uuid, type: content.type, version, json }
  }

  #delete(row: CurrentRow, current: Entity, stamp: Stamp, mergedInto: string | null) {
    const { insertVersion, deleteEntity, deleteIdentifier } = this.#statements
    const { id, _id: uuid, type } = current
    const version = row.version + 1
    this.#storeVersion(current, row)
    const kind = mergedInto === null ? 'deleted' : 'merged'
    const changed = this.#addChange(kind, { id, uuid, type }, version, stamp, mergedInto)
    this.#writeState(partings(current, undefined, { at: stamp.at, changed }))
    // A version without a document marks the deletion.
    insertVersion.run(uuid, version, id, type, changed, stamp.at, stamp.by, null, mergedInto, row.pk)
    deleteEntity.run(row.pk)
    for (const identifier of current.identifiers) deleteIdentifier.run(identifier, row.pk)
    this.#index.deleteRelations(row.pk)
    this.#index.deleteLookups(row.pk, lookupValues(this.#model, current, current.audit.created.by))
  }

  #addChange(
    kind: ChangeKind,
    { id, uuid, type }: Pick<EntityContent, 'id' | 'uuid' | 'type'>,
    version: number,
    { at, by }: Stamp,
    mergedInto: string | null = null
  ): number {
    const { insertChange } = this.#statements
    return Number(insertChange.run(kind, id, uuid, type, version, at, by, mergedInto).lastInsertRowid)
  }

  #storeVersion(current: Entity, row: CurrentRow) {
    const { at, by } = current.audit.updated
    const { insertVersion } = this.#statements
    insertVersion.run(current._id, row.version, current.id, current.type, row.changed, at, by, row.document, null, null)
  }

  #addIdentifier(identifier: string, pk: number, { id, uuid }: Pick<EntityContent, 'id' | 'uuid'>) {
    const { insertIdentifier, insertName } = this.#statements
    if (Number(insertIdentifier.run(identifier, pk).changes) === 0) throw identifierTaken(identifier)
    if (identifier !== id && identifier !== uuid) insertName.run(identifier, uuid)
  }

  /**
   * Finds the id of the entity that has an identifier after the writes; ids of the unit's own
   * entities need no query.
   */
  #targetFinder(writes: readonly EntityWrite[]): (key: string) => string | undefined {
    const known = new Map<string, string>()
    for (const each of writes)
      if (each.kind === 'insert') known.set(each.content.id, each.content.id)
      else if (each.kind === 'delete') known.delete(each.id)
    const { idExists, selectOwner } = this.#statements
    return key => {
      const id = known.get(key) ?? (idExists.get(key) ? key : (selectOwner.get(key)?.id as string | undefined))
      if (id !== undefined) known.set(key, id)
      return id
    }
  }

  #refuseReferenced(entity: Entity) {
    const references = this.#statements.selectReferences.all(JSON.stringify(entity.identifiers), maxListedReferences)
    refuseReferenced(entity, references as unknown as readonly ListedReference[])
  }
}

const prepareStatements = (db: DatabaseSync) => ({
  lastChange: db.prepare('SELECT at FROM changes ORDER BY sequence DESC LIMIT 1'),
  insertChange: prepareWriting(
    db,
    'INSERT INTO changes (kind, id, uuid, type, version, at, by, merged_into) VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
  ),
  updateEntity: prepareWriting(
    db,
    'UPDATE entities SET version = ?, changed = ?, updated_at = ?, updated_by = ?, document = ? WHERE pk = ?'
  ),
  deleteEntity: prepareWriting(db, 'DELETE FROM entities WHERE pk = ?'),
  selectCurrent: db.prepare('SELECT pk, version, changed, document FROM entities WHERE id = ?'),
  insertIdentifier: prepareWriting(db, 'INSERT OR IGNORE INTO identifiers (identifier, entity_pk) VALUES (?, ?)'),
  insertName: prepareWriting(db, 'INSERT OR IGNORE INTO names (identifier, uuid) VALUES (?, ?)'),
  deleteIdentifier: prepareWriting(db, 'DELETE FROM identifiers WHERE identifier = ? AND entity_pk = ?'),
  idExists: db.prepare('SELECT 1 FROM entities WHERE id = ?'),
  selectOwner: db.prepare(
    'SELECT e.id FROM identifiers i JOIN entities e ON e.pk = i.entity_pk WHERE i.identifier = ?'
  ),
  insertVersion: prepareWriting(
    db,
    'INSERT INTO versions (uuid, version, id, type, changed, at, by, document, merged_into, entity_pk) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
  ),
  lastVersion: db.prepare(
    'SELECT version, document, entity_pk FROM versions WHERE uuid = ? ORDER BY version DESC LIMIT 1'
  ),
  selectReferences: db.prepare(
    `SELECT e.id, e.type, r.type AS relation FROM relations r JOIN entities e ON e.pk = r.entity_pk
     WHERE r.target IN (SELECT value FROM json_each(?)) ORDER BY e.pk, r.position LIMIT ?`
  ),
  insertMerge: prepareWriting(
    db,
    'INSERT INTO merges (survivor_uuid, survivor_id, victim_id, written, at, by) SELECT uuid, id, ?, ?, ?, ? FROM entities WHERE id = ?'
  ),
  isOpenMerge: db.prepare('SELECT 1 FROM merges WHERE number = ? AND undone IS NULL'),
  undoMerge: prepareWriting(db, 'UPDATE merges SET undone = (SELECT max(sequence) FROM changes) WHERE number = ?')
})
