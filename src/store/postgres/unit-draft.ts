import type { ChangeKind } from '#domain/events/change-event.ts'
import { type Audit, type Entity, type EntityContent, type Relation, toEntity } from '#domain/entity/entity.ts'
import { CatalogueError, type Fault, missingTarget } from '#domain/errors.ts'
import { foldText } from '#domain/values/fold.ts'
import type { Model } from '#domain/record-types/model.ts'
import { isSameJson } from '#domain/json.ts'
import type { EntityWrite, Merge, StoredEntity, WriteUnit } from '../store.ts'
import type { Link } from './connection.ts'
import type { CurrentRow, Known, Numbers } from './known.ts'
import {
  type IndexedRow,
  anyOf,
  deleteEntities,
  deleteIdentifiers,
  deleteRelations,
  deleteValues,
  deleteWords,
  identifierRow,
  insertChanges,
  insertEntities,
  insertIdentifiers,
  insertNames,
  insertRelations,
  insertValues,
  insertVersions,
  insertVocabulary,
  insertWords,
  relationRows,
  updateEntities,
  valueRows,
  vocabularyRows,
  wordRows
} from './write-rows.ts'

/** How many references a refusal lists; `GET /entities/{id}/references` has them all. */
const listedReferences = 20
interface ChangeRow {
  readonly sequence: number
  readonly kind: ChangeKind
  readonly id: string
  readonly uuid: string
  readonly type: string
  readonly version: number
  readonly at: string
  readonly by: string
  readonly merged_into: string | null
}

/**
 * What becomes of one row of `entities`: what it holds in the end, or nothing when it is deleted.
 */
interface Fate {
  readonly pk: number
  readonly wasThere: boolean
  content: EntityContent | undefined
  row: Readonly<Record<string, string | number>> | undefined
  hasNewRelations: boolean
  hasNewValues: boolean
}

/** A unit, worked out in memory. */
export function createDraft(model: Model, before: Known, at: string, by: string) {
  const entities = new Map(before.entities)
  const owners = new Map(before.owners)
  const lastVersions = new Map(before.lastVersions)
  let { entity: lastPk, change: lastChange } = before.numbers
  const fates = new Map<number, Fate>()
  const touchedNames = new Set<string>()
  const names: { identifier: string; uuid: string }[] = []
  const versions: Record<string, string | number | null>[] = []
  const changes: ChangeRow[] = []
  const deleted: Entity[] = []
  const written: Merge['written'][number][] = []

  function write(unit: WriteUnit): (StoredEntity | undefined)[] {
    const newRelations: { relation: Relation; index: number; position: number }[] = []
    const noteNew = (content: EntityContent, index: number, had: readonly Relation[]) => {
      const known = new Set(had.map(relation => relation.key))
      content.relations.forEach((relation, position) => {
        if (!known.has(relation.key)) newRelations.push({ relation, index, position })
      })
    }
    const stored = unit.writes.map((each, index) => {
      if (each.kind === 'insert' || each.kind === 'restore') {
        noteNew(each.content, index, [])
        return insert(each)
      }
      const row = readCurrent(each)
      const current = JSON.parse(row.document) as Entity
      written.push({ id: current.id, uuid: current._id, version: row.version + 1 })
      if (each.kind === 'delete') {
        deleted.push(current)
        remove(row, current, each.mergedInto ?? null)
        return undefined
      }
      noteNew(each.content, index, current.relations)
      return update(row, current, each.content)
    })
    // Only now, so that the records of one unit may point to each other in any order.
    if (!unit.allowDangling) refuseMissingTargets(newRelations, unit.writes.length)
    return stored
  }

  function insert(each: Extract<EntityWrite, { kind: 'insert' | 'restore' }>): StoredEntity {
    const { content } = each
    const last = lastVersions.get(content.uuid)
    if (each.kind === 'restore' && (last?.version !== each.expectedVersion || !last.isDeletion)) {
      throw new CatalogueError('version_mismatch', `Entity "${content.id}" was brought back in the meantime`, {
        about: ['id', content.id]
      })
    }
    // The versions of a uuid go on where they ended; what comes back has its old place in the order
    // of creation again, what is new comes last.
    const version = last ? last.version + 1 : 1
    const created = each.kind === 'restore' ? each.created : { at, by }
    if (owners.get(content.id) !== undefined) throw taken(content.id)
    const changed = noteChange('created', content, version)
    const pk = each.kind === 'restore' && last?.pk != null ? last.pk : ++lastPk
    const audit: Audit = { created, updated: { at, by } }
    const json = JSON.stringify(toEntity(content, version, audit))
    for (const identifier of [content.uuid, content.id, ...content.otherIdentifiers])
      addIdentifier(identifier, pk, content)
    settle(pk, false, content, { version, changed, audit, json })
    return { id: content.id, uuid: content.uuid, type: content.type, version, json }
  }

  function update(row: CurrentRow, current: Entity, content: EntityContent): StoredEntity {
    const version = row.version + 1
    const audit: Audit = { created: current.audit.created, updated: { at, by } }
    const json = JSON.stringify(toEntity(content, version, audit))
    keepVersion(current, row)
    const changed = noteChange('updated', content, version)
    const wanted = new Set([content.uuid, content.id, ...content.otherIdentifiers])
    const had = new Set(current.identifiers)
    for (const identifier of had) if (!wanted.has(identifier)) dropIdentifier(identifier, row.pk)
    for (const identifier of wanted) if (!had.has(identifier)) addIdentifier(identifier, row.pk, content)
    settle(
      row.pk,
      true,
      content,
      { version, changed, audit, json },
      {
        hasNewRelations: !isSameJson(current.relations, content.relations),
        hasNewValues: !isSameJson(current.metadata, content.metadata)
      }
    )
    return { id: content.id, uuid: content.uuid, type: content.type, version, json }
  }

  function remove(row: CurrentRow, current: Entity, mergedInto: string | null) {
    const { id, _id: uuid, type } = current
    const version = row.version + 1
    keepVersion(current, row)
    const changed = noteChange(mergedInto === null ? 'deleted' : 'merged', { id, uuid, type }, version, mergedInto)
    // A version without a document marks the deletion.
    keep({ uuid, version, id, type, changed, at, by, document: null, merged_into: mergedInto, entity_pk: row.pk })
    for (const identifier of current.identifiers) dropIdentifier(identifier, row.pk)
    const fate = fateOf(row.pk, true)
    fate.content = undefined
    fate.row = undefined
    entities.set(id, undefined)
  }

  function settle(
    pk: number,
    wasThere: boolean,
    content: EntityContent,
    { version, changed, audit, json }: { version: number; changed: number; audit: Audit; json: string },
    news = { hasNewRelations: true, hasNewValues: true }
  ) {
    const fate = fateOf(pk, wasThere)
    fate.content = content
    fate.hasNewRelations ||= news.hasNewRelations
    fate.hasNewValues ||= news.hasNewValues
    fate.row = {
      pk,
      id: content.id,
      folded_id: foldText(content.id),
      uuid: content.uuid,
      type: content.type,
      folded_type: foldText(content.type),
      umbrella: model.umbrellaOf(content.type),
      version,
      changed,
      created_at: audit.created.at,
      created_by: audit.created.by,
      folded_created_by: foldText(audit.created.by),
      updated_at: audit.updated.at,
      updated_by: audit.updated.by,
      folded_updated_by: foldText(audit.updated.by),
      document: json
    }
    entities.set(content.id, { pk, version, changed, document: json })
  }

  function fateOf(pk: number, wasThere: boolean): Fate {
    const known = fates.get(pk)
    if (known) return known
    const fate: Fate = { pk, wasThere, content: undefined, row: undefined, hasNewRelations: false, hasNewValues: false }
    fates.set(pk, fate)
    return fate
  }

  function readCurrent(each: Extract<EntityWrite, { kind: 'update' | 'delete' }>): CurrentRow {
    const id = each.kind === 'update' ? each.content.id : each.id
    const row = entities.get(id)
    if (row?.version === each.expectedVersion) return row
    throw new CatalogueError(
      'version_mismatch',
      row
        ? `Entity "${id}" has version ${row.version}, not ${each.expectedVersion}: somebody else changed it`
        : `Entity "${id}" was deleted in the meantime`,
      { about: ['id', id], extra: row ? { current_version: row.version } : {} }
    )
  }

  function noteChange(
    kind: ChangeKind,
    { id, uuid, type }: Pick<EntityContent, 'id' | 'uuid' | 'type'>,
    version: number,
    mergedInto: string | null = null
  ): number {
    changes.push({ sequence: ++lastChange, kind, id, uuid, type, version, at, by, merged_into: mergedInto })
    return lastChange
  }

  function keepVersion(current: Entity, row: CurrentRow) {
    keep({
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

  function keep(version: {
    uuid: string
    version: number
    document: string | null
    entity_pk: number | null
    [column: string]: string | number | null
  }) {
    versions.push(version)
    lastVersions.set(version.uuid, {
      version: version.version,
      isDeletion: version.document === null,
      pk: version.entity_pk
    })
  }

  function addIdentifier(identifier: string, pk: number, { id, uuid }: Pick<EntityContent, 'id' | 'uuid'>) {
    if (owners.get(identifier) !== undefined) throw taken(identifier)
    owners.set(identifier, pk)
    touchedNames.add(identifier)
    if (identifier !== id && identifier !== uuid) names.push({ identifier, uuid })
  }

  function dropIdentifier(identifier: string, pk: number) {
    // What an update did not name was not read; it is the entity's own.
    if ((owners.get(identifier) ?? pk) !== pk) return
    owners.set(identifier, undefined)
    touchedNames.add(identifier)
  }

  function refuseMissingTargets(
    relations: readonly { relation: Relation; index: number; position: number }[],
    writes: number
  ) {
    const faults: Fault[] = []
    for (const { relation, index, position } of relations) {
      if (owners.get(relation.key) !== undefined) continue
      const pointer = `${writes > 1 ? `/${index}` : ''}/relations/${position}/key`
      faults.push(missingTarget(pointer, relation.key))
    }
    const [first] = faults
    if (first) throw new CatalogueError('invalid', `${first.message} at ${first.pointer}`, { faults })
  }

  /** Nothing may point to what is deleted, once the whole unit has happened. */
  async function refuseReferenced(link: Link) {
    for (const entity of deleted) {
      const gone = new Set(entity.identifiers)
      const inUnit = [...fates.values()].flatMap(({ pk, content }) =>
        (content?.relations ?? []).flatMap((relation, position) =>
          content && gone.has(relation.key)
            ? [{ pk, position, id: content.id, type: content.type, relation: relation.type }]
            : []
        )
      )
      const elsewhere = (await link.run(
        `SELECT e.pk, r.position, e.id, e.type, r.type AS relation FROM relations r JOIN entities e ON e.pk = r.entity_pk
         WHERE r.target ${anyOf} AND r.entity_pk <> ALL (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)::bigint))
         ORDER BY e.pk, r.position LIMIT ${listedReferences}`,
        [JSON.stringify(entity.identifiers), JSON.stringify([...fates.keys()])]
      )) as unknown as typeof inUnit
      const references = [...inUnit, ...elsewhere].sort((a, b) => a.pk - b.pk || a.position - b.position)
      if (references.length === 0) continue
      throw new CatalogueError('still_referenced', `Entity "${entity.id}" is still pointed to by others`, {
        about: ['id', entity.id],
        extra: {
          references: references.slice(0, listedReferences).map(({ id, type, relation }) => ({ id, type, relation }))
        }
      })
    }
  }

  function send(sendOne: (text: string, ...parameters: string[]) => void) {
    const sendRows = (text: string, rows: readonly unknown[]) => {
      if (rows.length > 0) sendOne(text, JSON.stringify(rows))
    }
    const all = [...fates.values()]
    const isKept = (fate: Fate) => fate.wasThere && fate.row !== undefined
    const goneRows = all.filter(fate => fate.wasThere && !fate.row).map(fate => fate.pk)
    const newRows = all.filter(fate => !fate.wasThere && fate.row)
    const newRelations = all.filter(fate => fate.row && fate.hasNewRelations)
    const newValues = all.filter(fate => fate.row && fate.hasNewValues)
    const moved = [...touchedNames].filter(
      name => before.owners.get(name) !== owners.get(name) || !before.owners.has(name)
    )

    sendRows(insertVersions, versions)
    sendRows(deleteEntities, goneRows)
    sendRows(deleteIdentifiers, moved)
    sendRows(deleteRelations, [...goneRows, ...newRelations.filter(isKept).map(fate => fate.pk)])
    sendRows(deleteValues, [...goneRows, ...newValues.filter(isKept).map(fate => fate.pk)])
    sendRows(deleteWords, [...goneRows, ...newValues.filter(isKept).map(fate => fate.pk)])
    sendRows(
      updateEntities,
      all.filter(isKept).map(fate => fate.row)
    )
    sendRows(
      insertEntities,
      newRows.map(fate => fate.row)
    )
    sendRows(
      insertIdentifiers,
      moved.flatMap(identifier => {
        const owner = owners.get(identifier)
        return owner === undefined ? [] : [identifierRow(identifier, owner)]
      })
    )
    sendRows(insertNames, names)
    const rowsOf = (fated: readonly Fate[]) =>
      fated.flatMap(({ pk, content }): IndexedRow[] => (content ? [{ pk, content }] : []))
    sendRows(insertRelations, rowsOf(newRelations).flatMap(relationRows))
    sendRows(
      insertValues,
      rowsOf(newValues).flatMap(row => valueRows(row, model))
    )
    const words = rowsOf(newValues).flatMap(row => wordRows(row, model))
    sendRows(insertWords, words)
    sendRows(insertVocabulary, vocabularyRows(words))
    sendRows(insertChanges, changes)
  }

  return {
    write,
    refuseReferenced,
    send,
    written,
    numbers: (): Numbers => ({ ...before.numbers, entity: lastPk, change: lastChange, at }),
    known: () => ({ entities, owners, lastVersions })
  }
}
const taken = (identifier: string) =>
  new CatalogueError('identifier_taken', `The identifier "${identifier}" is taken`, {
    about: ['identifier', identifier]
  })
