import type { DatabaseSync } from 'node:sqlite'

import type { EntityStore, Identified, StoredEntity } from '../ports/entities.ts'
import type { FeedState } from '../ports/feed.ts'
import type { HistoryStore } from '../ports/history.ts'
import type { ReferencePage, ReferenceQuery } from '../ports/queries.ts'
import { namesOf, toReference } from '../query/find-references.ts'
import { entityColumns as columns, toMerge } from '../rows.ts'
import { sqliteDialect } from './dialect.ts'
import { prepareOutcomeRead } from './outcomes.ts'

/** Reads by identifier. They cost microseconds, and run on the thread of the caller. */
export interface PointReads extends Omit<EntityStore, 'write'>, Pick<HistoryStore, 'findMerge'> {
  feedState(): FeedState
  /** Finds the references to an entity with few of them; undefined for others. */
  findFewReferences(query: ReferenceQuery): ReferencePage | undefined
}

/** Maximum number of references, of any type, that are read on the thread of the caller. */
const maxFewReferences = 50

export function preparePointReads(db: DatabaseSync): PointReads {
  const selectOne = db.prepare(
    `SELECT ${columns} FROM identifiers i JOIN entities e ON e.pk = i.entity_pk WHERE i.identifier = ?`
  )
  // A cross join keeps the order of the list.
  const selectMany = db.prepare(
    `SELECT i.identifier, ${columns} FROM json_each(?) j CROSS JOIN identifiers i ON i.identifier = j.value
     CROSS JOIN entities e ON e.pk = i.entity_pk`
  )
  const selectIdentified = db.prepare(
    `SELECT i.identifier, e.id, e.type FROM json_each(?) j CROSS JOIN identifiers i ON i.identifier = j.value
     CROSS JOIN entities e ON e.pk = i.entity_pk`
  )
  const selectLookedUp = db.prepare(
    `SELECT ${columns} FROM lookups l JOIN entities e ON e.pk = l.entity_pk
     WHERE l.key = ?1 AND l.value IN (SELECT value FROM json_each(?2)) AND (?3 = '' OR l.type = ?3) ORDER BY e.pk LIMIT 1000`
  )
  const selectClimbing = prepareClimbing(db)
  const selectMerge = db.prepare(
    `SELECT m.number, m.survivor_id, m.victim_id, m.written, m.undone FROM identifiers i JOIN entities e ON e.pk = i.entity_pk
     JOIN merges m ON m.survivor_uuid = e.uuid AND m.undone IS NULL
     WHERE i.identifier = ?1 AND (?2 = '' OR m.victim_id = ?2) ORDER BY m.number DESC LIMIT 1`
  )
  const selectReferences = db.prepare(
    `SELECT e.id, e.type, few.type AS relation_type FROM (
       SELECT r.entity_pk, r.position, r.type FROM relations r WHERE r.target IN (${namesOf}) LIMIT ${maxFewReferences + 1}
     ) few CROSS JOIN entities e ON e.pk = few.entity_pk ORDER BY few.entity_pk, few.position`
  )
  const selectFeed = db.prepare(
    `SELECT (SELECT value FROM properties WHERE name = 'epoch') AS epoch,
       (SELECT value FROM properties WHERE name = 'forgotten') AS forgotten, ${sqliteDialect.newestChange} AS newest`
  )

  return {
    findEntity: identifier => selectOne.get(identifier) as unknown as StoredEntity | undefined,
    findEntities: identifiers => byIdentifier<StoredEntity>(selectMany.all(JSON.stringify(identifiers))),
    findClimbing(identifier, links) {
      const row = selectClimbing.get(...links, identifier) as unknown as readonly unknown[] | undefined
      const found: StoredEntity[] = []
      for (let at = 0; row && at < row.length && row[at] !== null; at += 5) {
        const [id, uuid, type, version, json] = row.slice(at, at + 5) as [string, string, string, number, string]
        found.push({ id, uuid, type, version, json })
      }
      return found
    },
    identify: identifiers => byIdentifier<Identified>(selectIdentified.all(JSON.stringify(identifiers))),
    lookUp: (key, values, type = '') =>
      selectLookedUp.all(key, JSON.stringify(values), type) as unknown as readonly StoredEntity[],
    findOutcome: prepareOutcomeRead(db),
    findMerge(survivorId, victimId = '') {
      const row = selectMerge.get(survivorId, victimId)
      return row && toMerge(row)
    },
    findFewReferences({ id, relationTypes, readableTypes, limits, skip, limit }) {
      const rows = limits ? [] : selectReferences.all(id)
      if (limits || rows.length > maxFewReferences) return undefined
      const references = rows
        .map(toReference)
        .filter(
          ({ type, relationType }) =>
            (readableTypes?.includes(type) ?? true) && (relationTypes?.includes(relationType) ?? true)
        )
      const byType = [...Map.groupBy(references, each => each.relationType)].sort(([one], [other]) =>
        one < other ? -1 : 1
      )
      return {
        count: references.length,
        countByType: Object.fromEntries(byType.map(([type, list]) => [type, list.length])),
        references: references.slice(skip, skip + limit)
      }
    },
    feedState() {
      const row = selectFeed.get()
      const newest = Number(row?.newest)
      return { epoch: String(row?.epoch), oldest: Number(row?.forgotten ?? 0) + 1, newest }
    }
  }
}

function prepareClimbing(db: DatabaseSync) {
  const first = 'SELECT r.target FROM relations r WHERE r.type = ?'
  const statement = db.prepare(
    `SELECT ${['a', 'b', 'c'].map(each => columns.replaceAll('e.', `${each}.`)).join()}
     FROM identifiers i CROSS JOIN entities a ON a.pk = i.entity_pk
     LEFT JOIN identifiers j ON j.identifier = (${first} AND r.entity_pk = a.pk ORDER BY r.position LIMIT 1)
     LEFT JOIN entities b ON b.pk = j.entity_pk
     LEFT JOIN identifiers k ON k.identifier = (${first} AND r.entity_pk = b.pk ORDER BY r.position LIMIT 1)
     LEFT JOIN entities c ON c.pk = k.entity_pk WHERE i.identifier = ?`
  )
  statement.setReturnArrays(true)
  return statement
}

function byIdentifier<T>(rows: readonly unknown[]): ReadonlyMap<string, T> {
  return new Map(rows.map(row => [(row as { identifier: string }).identifier, row as T]))
}
