import type { Change, ChangeKind } from '#domain/events/change-event.ts'
import type { Entity } from '#domain/entity/entity.ts'
import type { ChangeAnswer, ChangeQuery, History, Identified, Merge, StoredEntity, Version } from '../store.ts'
import { cutPage, maxPageBytes } from '../page-budget.ts'
import { toMerge } from '../rows.ts'
import type { Sql } from './sql.ts'

/** What was, and what happened: versions and changes. */
export interface HistoryReader {
  findHistory(identifier: string, skip: number, limit: number): History | undefined
  findVersion(identifier: string, version: number): Version | undefined
  findVersionByUuid(uuid: string, version: number): Version | undefined
  identifyDeleted(ids: readonly string[]): Map<string, Identified>
  findMergesOf(uuids: readonly string[]): Merge[]
  sequenceAt(at: string): number
  findEntitiesAt(identifiers: readonly string[], sequence: number): Map<string, StoredEntity>
  namesMergedInto(uuid: string): string[]
  readChanges(question: ChangeQuery): ChangeAnswer
}

type Row = Record<string, unknown>

/**
 * Replaced versions and the one that holds now, in one table `v`. The latter is found by its uuid
 * among the identifiers: there is the index.
 */
const allVersions = `(
  SELECT uuid, version, id, type, changed, at, by, document, merged_into FROM versions
  UNION ALL
  SELECT e.uuid, e.version, e.id, e.type, e.changed, e.updated_at, e.updated_by, e.document, NULL
    FROM identifiers i CROSS JOIN entities e ON e.pk = i.entity_pk AND e.uuid = i.identifier
) v`

const versionColumns = 'v.version, v.at, v.by, v.document AS json, v.merged_into AS mergedInto, v.changed AS sequence'

/**
 * So many changes are looked through for one answer, so that a question about a rare type costs no
 * more than any other.
 */
const mostLookedThrough = 20_000

export function createHistoryReader(all: (statement: Sql, maxBytes?: number) => Row[]): HistoryReader {
  /** The entity that answers to an identifier, or the one that last did and was deleted. */
  const identify = (identifier: string): { uuid: string; id: string; type: string } | undefined => {
    const [row] = all({
      text: `SELECT e.uuid, e.id, e.type, 0 AS rank, e.changed FROM identifiers i JOIN entities e ON e.pk = i.entity_pk WHERE i.identifier = ?
        UNION ALL SELECT uuid, id, type, 1, changed FROM versions WHERE id = ?
        UNION ALL SELECT uuid, id, type, 1, changed FROM versions WHERE uuid = ?
        UNION ALL SELECT v.uuid, v.id, v.type, 2, v.changed FROM names n JOIN versions v ON v.uuid = n.uuid
          WHERE n.identifier = ? AND v.document IS NULL
        ORDER BY rank, changed DESC LIMIT 1`,
      parameters: [identifier, identifier, identifier, identifier]
    })
    return row && { uuid: String(row.uuid), id: String(row.id), type: String(row.type) }
  }

  const findVersionByUuid = (uuid: string, version: number): Version | undefined => {
    const [row] = all({
      text: `SELECT ${versionColumns} FROM ${allVersions} WHERE v.uuid = ? AND v.version = ?`,
      parameters: [uuid, version]
    })
    return row as unknown as Version | undefined
  }

  /** Everything that ever answered to an identifier, and whether it does now. */
  const uuidsEverNamed = (identifier: string): { uuid: string; isNow: boolean }[] => {
    const rows = all({
      text: `SELECT e.uuid, 1 AS isNow FROM identifiers i JOIN entities e ON e.pk = i.entity_pk WHERE i.identifier = ?
        UNION SELECT uuid, 0 FROM versions WHERE id = ?
        UNION SELECT uuid, 0 FROM versions WHERE uuid = ?
        UNION SELECT uuid, 0 FROM names WHERE identifier = ?`,
      parameters: [identifier, identifier, identifier, identifier]
    })
    return rows.map(row => ({ uuid: String(row.uuid), isNow: row.isNow === 1 }))
  }

  /** An entity as it was after a change; undefined where it did not exist then. */
  const findAt = (uuid: string, sequence: number): StoredEntity | undefined => {
    const [now] = all({
      text: `SELECT e.id, e.uuid, e.type, e.version, e.document AS json FROM identifiers i JOIN entities e ON e.pk = i.entity_pk
        WHERE i.identifier = ? AND e.uuid = ? AND e.changed <= ?`,
      parameters: [uuid, uuid, sequence]
    })
    // The later a version, the later its change, so the last before the moment is the one.
    const [past] = now
      ? []
      : all({
          text: `SELECT id, uuid, type, version, document AS json FROM versions
            WHERE uuid = ? AND changed <= ? ORDER BY version DESC LIMIT 1`,
          parameters: [uuid, sequence]
        })
    const row = now ?? past
    return row && row.json !== null ? (row as unknown as StoredEntity) : undefined
  }

  return {
    findHistory(identifier, skip, limit) {
      const entity = identify(identifier)
      if (!entity) return undefined
      const [counted] = all({
        text: `SELECT count(*) AS n FROM ${allVersions} WHERE v.uuid = ?`,
        parameters: [entity.uuid]
      })
      const versions = all({
        text: `SELECT ${versionColumns} FROM ${allVersions} WHERE v.uuid = ? ORDER BY v.version DESC LIMIT ? OFFSET ?`,
        parameters: [entity.uuid, limit + 1, skip]
      })
      return { ...entity, count: Number(counted?.n), versions: versions as unknown as Version[] }
    },

    findVersion(identifier, version) {
      const entity = identify(identifier)
      return entity && findVersionByUuid(entity.uuid, version)
    },
    findVersionByUuid,

    identifyDeleted(ids) {
      const rows = all({
        text: `SELECT id, type FROM versions
          WHERE id IN (SELECT value FROM json_each(?)) AND document IS NULL ORDER BY changed`,
        parameters: [JSON.stringify(ids)]
      })
      return new Map(rows.map(row => [String(row.id), { id: String(row.id), type: String(row.type) }]))
    },

    findMergesOf(uuids) {
      const rows = all({
        text: `SELECT m.number, m.survivor_id, m.victim_id, m.written, m.undone FROM merges m
          WHERE EXISTS (SELECT 1 FROM json_each(m.written) w
            WHERE w.value ->> 'uuid' IN (SELECT value FROM json_each(?))) ORDER BY m.number`,
        parameters: [JSON.stringify(uuids)]
      })
      return rows.map(toMerge)
    },

    sequenceAt(at) {
      // Moments never go back as changes go on, so the index by moment leads straight to it.
      const [row] = all({
        text: 'SELECT sequence FROM changes WHERE at <= ? ORDER BY at DESC, sequence DESC LIMIT 1',
        parameters: [at]
      })
      if (row) return Number(row.sequence)
      // Forgotten changes live on in the versions they made.
      const [kept] = all({
        text: `SELECT max(changed) AS sequence FROM (SELECT max(changed) AS changed FROM versions WHERE at <= ?
          UNION ALL SELECT max(changed) FROM entities WHERE updated_at <= ?)`,
        parameters: [at, at]
      })
      return Number(kept?.sequence ?? 0)
    },

    findEntitiesAt(identifiers, sequence) {
      const found = new Map<string, StoredEntity>()
      for (const identifier of identifiers) {
        const candidates = uuidsEverNamed(identifier)
          .map(uuid => ({ isNow: uuid.isNow, entity: findAt(uuid.uuid, sequence) }))
          .filter((each): each is { isNow: boolean; entity: StoredEntity } => each.entity !== undefined)
        // What had this name then comes before what answers to it now: a merge may have given it to
        // another.
        const named =
          candidates.find(({ entity }) => (JSON.parse(entity.json) as Entity).identifiers.includes(identifier)) ??
          candidates.find(({ isNow }) => isNow)
        if (named) found.set(identifier, named.entity)
      }
      return found
    },

    namesMergedInto(uuid) {
      const rows = all({
        text: `SELECT named.value AS name FROM merges m JOIN json_each(m.written) w
            ON w.value ->> 'id' = m.victim_id
          JOIN versions v ON v.uuid = w.value ->> 'uuid' AND v.version = (w.value ->> 'version') - 1
          JOIN json_each(v.document, '$.identifiers') named
          WHERE m.survivor_uuid = ? AND m.undone IS NULL GROUP BY named.value ORDER BY min(m.number), min(named.key)`,
        parameters: [uuid]
      })
      return rows.map(row => String(row.name))
    },

    readChanges({ after, limit, kinds, types, ids, readableTypes }) {
      const conditions: Sql[] = [
        { text: 'c.sequence > ?', parameters: [after] },
        { text: 'c.sequence <= ?', parameters: [after + mostLookedThrough] },
        ...among('c.kind', kinds),
        ...among('c.type', types),
        ...among('c.type', readableTypes),
        ...(ids
          ? [
              {
                text: `c.uuid IN (SELECT e.uuid FROM identifiers i JOIN entities e ON e.pk = i.entity_pk
                    WHERE i.identifier IN (SELECT value FROM json_each(?))
                  UNION SELECT uuid FROM versions WHERE id IN (SELECT value FROM json_each(?))
                  UNION SELECT uuid FROM names WHERE identifier IN (SELECT value FROM json_each(?))
                  UNION SELECT value FROM json_each(?))`,
                parameters: Array(4).fill(JSON.stringify(ids)) as string[]
              }
            ]
          : [])
      ]
      const rows = all(
        {
          text: `SELECT c.sequence, c.kind, c.id, c.uuid, c.type, c.version, c.at, c.by, c.merged_into AS mergedInto,
            coalesce(
              (SELECT document FROM versions v WHERE v.uuid = c.uuid AND v.version = c.version),
              (SELECT document FROM identifiers i JOIN entities e ON e.pk = i.entity_pk
                WHERE i.identifier = c.uuid AND e.uuid = c.uuid AND e.version = c.version)) AS json
          FROM changes c WHERE ${conditions.map(each => each.text).join(' AND ')} ORDER BY c.sequence LIMIT ?`,
          parameters: [...conditions.flatMap(each => each.parameters), limit]
        },
        maxPageBytes
      )
      const [newest] = all({
        text: 'SELECT coalesce(max(sequence), ?) AS sequence FROM changes',
        parameters: [after]
      })
      const { page, hasMore } = cutPage(rows, limit, row => row.json as string | null)
      const changes = page.map(row => ({ ...row, kind: row.kind as ChangeKind })) as unknown as Change[]
      const isFull = hasMore || changes.length === limit
      // A full page ends at its last change; otherwise everything that was looked through is told.
      const upTo = isFull
        ? Number(changes.at(-1)?.sequence ?? after)
        : Math.min(after + mostLookedThrough, Number(newest?.sequence))
      return { changes, upTo: Math.max(after, upTo) }
    }
  }
}

function among(column: string, values: readonly string[] | undefined): Sql[] {
  return values ? [{ text: `${column} IN (SELECT value FROM json_each(?))`, parameters: [JSON.stringify(values)] }] : []
}
