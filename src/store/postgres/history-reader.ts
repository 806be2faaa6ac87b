import type { Change, ChangeKind } from '#domain/events/change-event.ts'
import type { Entity } from '#domain/entity/entity.ts'
import type { ChangeAnswer, ChangeQuery, History, Identified, Merge, StoredEntity, Version } from '../store.ts'
import { cutPage, maxPageBytes } from '../page-budget.ts'
import { isStorable, type Row, type Statement, storableList } from './connection.ts'
import { toMerge } from '../rows.ts'

/** What was, and what happened: versions and changes. */
export interface HistoryReader {
  findHistory(identifier: string, skip: number, limit: number): Promise<History | undefined>
  findVersion(identifier: string, version: number): Promise<Version | undefined>
  findVersionByUuid(uuid: string, version: number): Promise<Version | undefined>
  identifyDeleted(ids: readonly string[]): Promise<Map<string, Identified>>
  findMergesOf(uuids: readonly string[]): Promise<Merge[]>
  sequenceAt(at: string): Promise<number>
  findEntitiesAt(identifiers: readonly string[], sequence: number): Promise<Map<string, StoredEntity>>
  namesMergedInto(uuid: string): Promise<string[]>
  readChanges(question: ChangeQuery): Promise<ChangeAnswer>
}

const anyOf = '= ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)))'

/** Replaced versions and the one that holds now, in one table `v`. */
const allVersions = `(
  SELECT uuid, version, id, type, changed, at, by, document, merged_into FROM versions
  UNION ALL
  SELECT uuid, version, id, type, changed, updated_at, updated_by, document, NULL FROM entities
) v`

/**
 * Everything that ever answered to some identifiers, and whether it does now, as it was after a
 * change; what did not exist then is left out. The later a version, the later its change, so the
 * last before that moment is the one, and the version that holds now is later than all replaced
 * ones.
 */
const entitiesAt = `SELECT named.name, named.is_now, was.* FROM (
    SELECT name, uuid, max(is_now) AS is_now FROM (
      SELECT i.identifier AS name, e.uuid, 1 AS is_now FROM identifiers i JOIN entities e ON e.pk = i.entity_pk WHERE i.identifier ${anyOf}
      UNION ALL SELECT id, uuid, 0 FROM versions WHERE id ${anyOf}
      UNION ALL SELECT uuid, uuid, 0 FROM versions WHERE uuid ${anyOf}
      UNION ALL SELECT identifier, uuid, 0 FROM names WHERE identifier ${anyOf}
    ) ever GROUP BY name, uuid
  ) named CROSS JOIN LATERAL (
    (SELECT e.id, e.uuid, e.type, e.version, e.document AS json FROM entities e WHERE e.uuid = named.uuid AND e.changed <= ?)
    UNION ALL
    (SELECT v.id, v.uuid, v.type, v.version, v.document FROM versions v WHERE v.uuid = named.uuid AND v.changed <= ?
      ORDER BY v.version DESC LIMIT 1)
    ORDER BY version DESC LIMIT 1
  ) was WHERE was.json IS NOT NULL`

const versionColumns = 'v.version, v.at, v.by, v.document AS json, v.merged_into AS "mergedInto", v.changed AS sequence'

/**
 * So many changes are looked through for one answer, so that a question about a rare type costs no
 * more than any other.
 */
const mostLookedThrough = 20_000

export function createHistoryReader(all: (statement: Statement) => Promise<Row[]>): HistoryReader {
  /** The entity that answers to an identifier, or the one that last did and was deleted. */
  const identify = async (identifier: string): Promise<{ uuid: string; id: string; type: string } | undefined> => {
    if (!isStorable(identifier)) return undefined
    const [row] = await all({
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

  const findVersionByUuid = async (uuid: string, version: number): Promise<Version | undefined> => {
    if (!isStorable(uuid)) return undefined
    // Whoever asks may name a number that no version can have.
    const [row] = await all({
      text: `SELECT ${versionColumns} FROM ${allVersions} WHERE v.uuid = ? AND v.version = ?::bigint`,
      parameters: [uuid, version]
    })
    return row as unknown as Version | undefined
  }

  return {
    async findHistory(identifier, skip, limit) {
      const entity = await identify(identifier)
      if (!entity) return undefined
      const [[counted], versions] = await Promise.all([
        all({ text: `SELECT count(*) AS n FROM ${allVersions} WHERE v.uuid = ?`, parameters: [entity.uuid] }),
        all({
          text: `SELECT ${versionColumns} FROM ${allVersions} WHERE v.uuid = ? ORDER BY v.version DESC LIMIT ? OFFSET ?`,
          parameters: [entity.uuid, limit + 1, skip]
        })
      ])
      return { ...entity, count: Number(counted?.n), versions: versions as unknown as Version[] }
    },

    async findVersion(identifier, version) {
      const entity = await identify(identifier)
      return entity && findVersionByUuid(entity.uuid, version)
    },
    findVersionByUuid,

    async identifyDeleted(ids) {
      const rows = await all({
        text: `SELECT id, type FROM versions
          WHERE id ${anyOf} AND document IS NULL ORDER BY changed`,
        parameters: [storableList(ids)]
      })
      return new Map(rows.map(row => [String(row.id), { id: String(row.id), type: String(row.type) }]))
    },

    async findMergesOf(uuids) {
      const rows = await all({
        text: `SELECT m.number, m.survivor_id, m.victim_id, m.written, m.undone FROM merges m
          WHERE EXISTS (SELECT 1 FROM jsonb_array_elements(m.written::jsonb) w
            WHERE w.value ->> 'uuid' = ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)))) ORDER BY m.number`,
        parameters: [storableList(uuids)]
      })
      return rows.map(toMerge)
    },

    async sequenceAt(at) {
      // Moments never go back as changes go on, so the index by moment leads straight to it.
      const [row] = await all({
        text: 'SELECT sequence FROM changes WHERE at <= ? ORDER BY at DESC, sequence DESC LIMIT 1',
        parameters: [at]
      })
      if (row) return Number(row.sequence)
      // Forgotten changes live on in the versions they made.
      const [kept] = await all({
        text: `SELECT max(changed) AS sequence FROM (
          (SELECT changed FROM versions WHERE at <= ? ORDER BY at DESC, changed DESC LIMIT 1)
          UNION ALL (SELECT changed FROM entities WHERE updated_at <= ? ORDER BY updated_at DESC, changed DESC LIMIT 1)) kept`,
        parameters: [at, at]
      })
      return Number(kept?.sequence ?? 0)
    },

    async findEntitiesAt(identifiers, sequence) {
      // All of them at once: a WEM answer needs some twenty, and each would be two or three
      // journeys to the server by itself.
      const rows = await all({
        text: entitiesAt,
        parameters: [...Array<string>(4).fill(storableList(identifiers)), sequence, sequence]
      })
      const candidates = Map.groupBy(rows, row => String(row.name))
      const found = new Map<string, StoredEntity>()
      for (const identifier of identifiers) {
        const ofName = candidates.get(identifier) ?? []
        // What had this name then comes before what answers to it now: a merge may have given it to
        // another.
        const named =
          ofName.find(row => (JSON.parse(String(row.json)) as Entity).identifiers.includes(identifier)) ??
          ofName.find(row => row.is_now === 1)
        if (named) found.set(identifier, toStored(named))
      }
      return found
    },

    async namesMergedInto(uuid) {
      if (!isStorable(uuid)) return []
      const rows = await all({
        text: `SELECT named.name FROM merges m
          JOIN jsonb_array_elements(m.written::jsonb) w ON w.value ->> 'id' = m.victim_id
          JOIN versions v ON v.uuid = w.value ->> 'uuid' AND v.version = (w.value ->> 'version')::bigint - 1
          CROSS JOIN LATERAL jsonb_array_elements_text(v.document::jsonb -> 'identifiers') WITH ORDINALITY AS named (name, place)
          WHERE m.survivor_uuid = ? AND m.undone IS NULL GROUP BY named.name ORDER BY min(m.number), min(named.place)`,
        parameters: [uuid]
      })
      return rows.map(row => String(row.name))
    },

    async readChanges({ after, limit, kinds, types, ids, readableTypes }) {
      const conditions: Statement[] = [
        { text: 'c.sequence > ?', parameters: [after] },
        { text: 'c.sequence <= ?', parameters: [after + mostLookedThrough] },
        ...among('c.kind', kinds),
        ...among('c.type', types),
        ...among('c.type', readableTypes),
        ...(ids
          ? [
              {
                text: `c.uuid IN (SELECT e.uuid FROM identifiers i JOIN entities e ON e.pk = i.entity_pk WHERE i.identifier ${anyOf}
                  UNION SELECT uuid FROM versions WHERE id ${anyOf}
                  UNION SELECT uuid FROM names WHERE identifier ${anyOf}
                  UNION SELECT jsonb_array_elements_text(?::text::jsonb) COLLATE "C")`,
                parameters: Array(4).fill(storableList(ids)) as string[]
              }
            ]
          : [])
      ]
      const [rows, [newest]] = await Promise.all([
        all({
          text: `SELECT * FROM (SELECT *, sum(octet_length(json)) OVER (ORDER BY sequence) - octet_length(json) AS bytes_before FROM (
            SELECT c.sequence, c.kind, c.id, c.uuid, c.type, c.version, c.at, c.by, c.merged_into AS "mergedInto",
              coalesce(
                (SELECT document FROM versions v WHERE v.uuid = c.uuid AND v.version = c.version),
                (SELECT document FROM entities e WHERE e.uuid = c.uuid AND e.version = c.version)) AS json
            FROM changes c WHERE ${conditions.map(each => each.text).join(' AND ')} ORDER BY c.sequence LIMIT ?) few
            ) read WHERE bytes_before IS NULL OR bytes_before <= ${maxPageBytes} ORDER BY sequence`,
          parameters: [...conditions.flatMap(each => each.parameters), limit]
        }),
        all({ text: 'SELECT change AS sequence FROM counters', parameters: [] })
      ])
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

const toStored = ({ id, uuid, type, version, json }: Row) =>
  ({ id, uuid, type, version, json }) as unknown as StoredEntity

function among(column: string, values: readonly string[] | undefined): Statement[] {
  return values
    ? [
        {
          text: `${column} = ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)))`,
          parameters: [JSON.stringify(values)]
        }
      ]
    : []
}
