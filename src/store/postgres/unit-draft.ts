import type { ChangeKind } from '#domain/events/change-event.ts'
import { identifierTaken } from '#domain/errors.ts'
import { type Audit, type Entity, type EntityContent, toEntity } from '#domain/entity/entity.ts'
import { isSameJson } from '#domain/json.ts'
import type { Model } from '#domain/record-types/model.ts'
import {
  alreadyRestored,
  type CurrentRow,
  maxListedReferences,
  NewRelations,
  readCurrent,
  refuseReferenced
} from '../refusals.ts'
import type { EntityWrite, StoredEntity, WriteUnit } from '../ports/entities.ts'
import type { Merge } from '../ports/history.ts'
import type { StateWrite } from '../ports/state.ts'
import { partings } from '../rows.ts'
import type { Link } from './connection.ts'
import type { LastVersion, Numbers, Owner, PrefetchedRows } from './prefetched-rows.ts'
import { RowChanges } from './row-changes.ts'
import { lookupRows } from '../query/derived-rows.ts'
import { anyOf } from './write-rows.ts'

/**
 * A unit, applied in memory to the prefetched rows. Nothing is sent until all of it is known to be
 * sound.
 */
export class UnitDraft {
  readonly #model: Model
  readonly #before: PrefetchedRows
  readonly #at: string
  readonly #by: string
  readonly #entities: Map<string, CurrentRow | undefined>
  readonly #owners: Map<string, Owner | undefined>
  readonly #lastVersions: Map<string, LastVersion | undefined>
  #lastKey: number
  #lastChange: number
  readonly #rows = new RowChanges()
  readonly #touchedIdentifiers = new Set<string>()
  readonly #deleted: Entity[] = []
  /** The entities that were updated or deleted, with their new versions. */
  readonly written: Merge['written'][number][] = []
  /** The publications that items leave. */
  readonly partings: StateWrite[] = []

  constructor(model: Model, before: PrefetchedRows, at: string, by: string) {
    this.#model = model
    this.#before = before
    this.#at = at
    this.#by = by
    this.#entities = new Map(before.entities)
    this.#owners = new Map(before.owners)
    this.#lastVersions = new Map(before.lastVersions)
    this.#lastKey = before.numbers.entity
    this.#lastChange = before.numbers.change
  }

  write(unit: WriteUnit): (StoredEntity | undefined)[] {
    const newRelations = new NewRelations()
    const stored = unit.writes.map((each, index) => {
      if (each.kind === 'insert' || each.kind === 'restore') {
        newRelations.add(each.content, index)
        return this.#insert(each)
      }
      const row = readCurrent(each, id => this.#entities.get(id))
      const current = JSON.parse(row.document) as Entity
      this.written.push({ id: current.id, uuid: current._id, version: row.version + 1 })
      if (each.kind === 'delete') {
        this.#deleted.push(current)
        this.#delete(row, current, each.mergedInto ?? null)
        return undefined
      }
      newRelations.add(each.content, index, current.relations)
      return this.#update(row, current, each.content)
    })
    newRelations.refuseUnsettled(unit, key => this.#owners.get(key)?.id)
    return stored
  }

  /** Throws when relations point to a deleted entity after the whole unit. */
  async refuseReferenced(link: Link) {
    const changes = [...this.#rows.entities.values()]
    for (const entity of this.#deleted) {
      const identifiers = new Set(entity.identifiers)
      const inUnit = changes.flatMap(({ pk, content }) =>
        (content?.relations ?? []).flatMap((relation, position) =>
          content && identifiers.has(relation.key)
            ? [{ pk, position, id: content.id, type: content.type, relation: relation.type }]
            : []
        )
      )
      const elsewhere = (await link.run(
        `SELECT e.pk, r.position, e.id, e.type, r.type AS relation FROM relations r JOIN entities e ON e.pk = r.entity_pk
         WHERE r.target ${anyOf} AND r.entity_pk <> ALL (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)::bigint))
         ORDER BY e.pk, r.position LIMIT ${maxListedReferences}`,
        [JSON.stringify(entity.identifiers), JSON.stringify(changes.map(({ pk }) => pk))]
      )) as unknown as typeof inUnit
      refuseReferenced(
        entity,
        [...inUnit, ...elsewhere].sort((one, other) => one.pk - other.pk || one.position - other.position)
      )
    }
  }

  /** Sends all rows of the unit. */
  send(sendOne: (text: string, ...parameters: string[]) => void) {
    const { owners } = this.#before
    for (const identifier of this.#touchedIdentifiers) {
      const owner = this.#owners.get(identifier)
      if (owners.get(identifier)?.pk !== owner?.pk || !owners.has(identifier))
        this.#rows.owners.set(identifier, owner?.pk)
    }
    this.#rows.send(sendOne)
  }

  get numbers(): Numbers {
    return { ...this.#before.numbers, entity: this.#lastKey, change: this.#lastChange, at: this.#at }
  }

  /** The prefetched rows as they are after the unit. */
  get rows(): Pick<PrefetchedRows, 'entities' | 'owners' | 'lastVersions'> {
    return { entities: this.#entities, owners: this.#owners, lastVersions: this.#lastVersions }
  }

  #insert(each: Extract<EntityWrite, { kind: 'insert' | 'restore' }>): StoredEntity {
    const { content } = each
    const last = this.#lastVersions.get(content.uuid)
    if (each.kind === 'restore' && (last?.version !== each.expectedVersion || !last.isDeletion))
      throw alreadyRestored(content.id)
    // The versions of a uuid continue where they ended. A restored entity gets its former position
    // in the order of creation, a new one comes last.
    const version = last ? last.version + 1 : 1
    if (this.#owners.get(content.id) !== undefined) throw identifierTaken(content.id)
    const changed = this.#addChange('created', content, version)
    const pk = each.kind === 'restore' && last?.pk != null ? last.pk : ++this.#lastKey
    const stamp = { at: this.#at, by: this.#by }
    const audit: Audit = { created: each.kind === 'restore' ? each.created : stamp, updated: stamp }
    for (const identifier of [content.uuid, content.id, ...content.otherIdentifiers])
      this.#addIdentifier(identifier, pk, content)
    this.#rows.writeLookups(lookupRows(this.#model, pk, content, audit.created.by))
    return this.#stage({ pk, existed: false, content, version, changed, audit }, true)
  }

  #update(row: CurrentRow, current: Entity, content: EntityContent): StoredEntity {
    const version = row.version + 1
    const audit: Audit = { created: current.audit.created, updated: { at: this.#at, by: this.#by } }
    this.#storeReplaced(current, row)
    const changed = this.#addChange('updated', content, version)
    this.partings.push(...partings(current, content, { at: this.#at, changed }))
    const wanted = new Set([content.uuid, content.id, ...content.otherIdentifiers])
    const known = new Set(current.identifiers)
    for (const identifier of known) if (!wanted.has(identifier)) this.#dropIdentifier(identifier, row.pk)
    for (const identifier of wanted) if (!known.has(identifier)) this.#addIdentifier(identifier, row.pk, content)
    const [before, after] = [current, content].map(each => lookupRows(this.#model, row.pk, each, audit.created.by))
    if (before && after && !isSameJson(before, after)) {
      this.#rows.deleteLookups(before)
      this.#rows.writeLookups(after)
    }
    const hasNewRelations = !isSameJson(current.relations, content.relations)
    return this.#stage({ pk: row.pk, existed: true, content, version, changed, audit }, hasNewRelations)
  }

  #delete(row: CurrentRow, current: Entity, mergedInto: string | null) {
    const { id, _id: uuid, type } = current
    const version = row.version + 1
    this.#storeReplaced(current, row)
    const kind = mergedInto === null ? 'deleted' : 'merged'
    const changed = this.#addChange(kind, { id, uuid, type }, version, mergedInto)
    const [at, by] = [this.#at, this.#by]
    this.partings.push(...partings(current, undefined, { at, changed }))
    // A version without a document marks the deletion.
    this.#storeVersion({
      ...{ uuid, version, id, type, changed, at, by },
      ...{ document: null, merged_into: mergedInto, entity_pk: row.pk }
    })
    for (const identifier of current.identifiers) this.#dropIdentifier(identifier, row.pk)
    this.#rows.deleteLookups(lookupRows(this.#model, row.pk, current, current.audit.created.by))
    const change = this.#rows.of(row.pk, true)
    change.content = undefined
    change.row = undefined
    this.#entities.set(id, undefined)
  }

  /** Stages the new state of a row of `entities`. */
  #stage({ pk, existed, content, version, changed, audit }: StagedRow, hasNewRelations: boolean): StoredEntity {
    const { id, uuid, type } = content
    const json = JSON.stringify(toEntity(content, version, audit))
    const change = this.#rows.of(pk, existed)
    change.content = content
    change.hasNewRelations ||= hasNewRelations
    change.row = {
      ...{ pk, id, uuid, type, umbrella: this.#model.umbrellaOf(type), version, changed },
      created_at: audit.created.at,
      created_by: audit.created.by,
      updated_at: audit.updated.at,
      updated_by: audit.updated.by,
      document: json
    }
    this.#entities.set(id, { pk, version, changed, document: json })
    return { id, uuid, type, version, json }
  }

  #addChange(
    kind: ChangeKind,
    { id, uuid, type }: Pick<EntityContent, 'id' | 'uuid' | 'type'>,
    version: number,
    mergedInto: string | null = null
  ): number {
    const sequence = ++this.#lastChange
    const [at, by] = [this.#at, this.#by]
    this.#rows.changes.push({ sequence, kind, id, uuid, type, version, at, by, merged_into: mergedInto })
    return sequence
  }

  /** Stores the version that is replaced. */
  #storeReplaced(current: Entity, row: CurrentRow) {
    this.#storeVersion({
      uuid: current._id,
      version: row.version,
      id: current.id,
      type: current.type,
      changed: row.changed,
      at: current.audit.updated.at,
      by: current.audit.updated.by,
      document: row.document,
      merged_into: null,
      entity_pk: null
    })
  }

  #storeVersion(row: VersionRow) {
    this.#rows.versions.push(row)
    const { uuid, version, document, entity_pk } = row
    this.#lastVersions.set(uuid, { version, isDeletion: document === null, pk: entity_pk })
  }

  #addIdentifier(identifier: string, pk: number, { id, uuid }: Pick<EntityContent, 'id' | 'uuid'>) {
    if (this.#owners.get(identifier) !== undefined) throw identifierTaken(identifier)
    this.#owners.set(identifier, { pk, id })
    this.#touchedIdentifiers.add(identifier)
    if (identifier !== id && identifier !== uuid) this.#rows.names.push({ identifier, uuid })
  }

  #dropIdentifier(identifier: string, pk: number) {
    // An identifier that an update drops was not prefetched; it is the entity's own.
    if ((this.#owners.get(identifier)?.pk ?? pk) !== pk) return
    this.#owners.set(identifier, undefined)
    this.#touchedIdentifiers.add(identifier)
  }
}

interface StagedRow {
  readonly pk: number
  readonly existed: boolean
  readonly content: EntityContent
  readonly version: number
  readonly changed: number
  readonly audit: Audit
}

interface VersionRow {
  readonly uuid: string
  readonly version: number
  readonly document: string | null
  readonly entity_pk: number | null
  readonly [column: string]: string | number | null
}
