import type { Change, ChangeKind } from '#domain/events/change-event.ts'
import type { Entity } from '#domain/entity/entity.ts'
import type { Identified, StoredEntity } from '../ports/entities.ts'
import type { ChangePage, ChangeQuery } from '../ports/feed.ts'
import type { DeletedEntity, History, Merge, Version } from '../ports/history.ts'
import { cutPage, maxPageBytes } from '#domain/page-budget.ts'
import { toMerge } from '../rows.ts'
import type { Session } from './dialect.ts'
import { type Sql, sql } from './sql.ts'

/** Queries about versions and changes. */
export interface HistoryReader {
  findHistory(identifier: string, skip: number, limit: number): Promise<History | undefined>
  findVersion(identifier: string, version: number): Promise<Version | undefined>
  findVersionByUuid(uuid: string, version: number): Promise<Version | undefined>
  identifyDeleted(ids: readonly string[]): Promise<Map<string, Identified>>
  findMergesOf(uuids: readonly string[]): Promise<Merge[]>
  listDeleted(after: string, limit: number): Promise<DeletedEntity[]>
  sequenceAt(at: string): Promise<number>
  findEntitiesAt(identifiers: readonly string[], sequence: number): Promise<Map<string, StoredEntity>>
  identifiersMergedInto(uuid: string): Promise<string[]>
  readChanges(query: ChangeQuery): Promise<ChangePage>
}

const versionColumns = 'v.version, v.at, v.by, v.document AS json, v.merged_into AS "mergedInto", v.changed AS sequence'

/**
 * Maximum number of changes read through for one answer, so that a query about a rare type costs no
 * more than any other.
 */
const maxReadThrough = 20_000

export function createHistoryReader(session: Session): HistoryReader {
  const { dialect, run } = session

  /** Replaced versions and the current one, in one table `v`. */
  const allVersions = `(
    SELECT uuid, version, id, type, changed, at, by, document, merged_into FROM versions
    UNION ALL
    SELECT e.uuid, e.version, e.id, e.type, e.changed, e.updated_at, e.updated_by, e.document, NULL
      FROM ${dialect.entitiesByUuid}
  ) v`

  const findVersionByUuid = async (uuid: string, version: number): Promise<Version | undefined> => {
    if (!dialect.isStorable(uuid)) return undefined
    // The caller may ask for a number that no version can have.
    const [row] = await run(
      sql(
        `SELECT ${versionColumns} FROM ${allVersions} WHERE v.uuid = ? AND v.version = CAST(? AS BIGINT)`,
        uuid,
        version
      )
    )
    return row as unknown as Version | undefined
  }

  return {
    async findHistory(identifier, skip, limit) {
      const entity = await identify(session, identifier)
      if (!entity) return undefined
      const page = sql(
        `SELECT ${versionColumns} FROM ${allVersions} WHERE v.uuid = ? ORDER BY v.version DESC LIMIT ? OFFSET ?`,
        ...[entity.uuid, limit + 1, skip]
      )
      const [[counted], rows] = await Promise.all([
        run(sql(`SELECT count(*) AS n FROM ${allVersions} WHERE v.uuid = ?`, entity.uuid)),
        run(dialect.withinBudget(page, 'json', 'version DESC'), maxPageBytes)
      ])
      const { page: versions } = cutPage(rows, limit + 1, row => row.json as string | null)
      return { ...entity, count: Number(counted?.n), versions: versions as unknown as Version[] }
    },

    async findVersion(identifier, version) {
      const entity = await identify(session, identifier)
      return entity && findVersionByUuid(entity.uuid, version)
    },
    findVersionByUuid,

    async identifyDeleted(ids) {
      const rows = await run(
        sql(
          `SELECT id, type FROM versions WHERE id ${dialect.inList()} AND document IS NULL ORDER BY changed`,
          dialect.toList(ids)
        )
      )
      return new Map(rows.map(row => [String(row.id), { id: String(row.id), type: String(row.type) }]))
    },

    listDeleted: (after, limit) => listDeleted(session, after, limit),

    async findMergesOf(uuids) {
      const rows = await run(
        sql(
          `SELECT m.number, m.survivor_id, m.victim_id, m.written, m.undone FROM merges m
            WHERE EXISTS (SELECT 1 FROM ${dialect.listedObjects('m.written')} w
              WHERE w.value ->> 'uuid' ${dialect.inList()}) ORDER BY m.number`,
          dialect.toList(uuids)
        )
      )
      return rows.map(toMerge)
    },

    async sequenceAt(at) {
      // Moments never go back as changes go on, so the index by moment leads straight to the
      // change.
      const [row] = await run(
        sql('SELECT sequence FROM changes WHERE at <= ? ORDER BY at DESC, sequence DESC LIMIT 1', at)
      )
      if (row) return Number(row.sequence)
      // Deleted changes leave the versions that they made.
      const [left] = await run(
        sql(
          `SELECT max(changed) AS sequence FROM (
            SELECT * FROM (SELECT changed FROM versions WHERE at <= ? AND changed > 0
              ORDER BY at DESC, changed DESC LIMIT 1) replaced
            UNION ALL SELECT * FROM (
              SELECT changed FROM entities WHERE updated_at <= ? ORDER BY updated_at DESC, changed DESC LIMIT 1) current
          ) newest`,
          at,
          at
        )
      )
      return Number(left?.sequence ?? 0)
    },

    findEntitiesAt: (identifiers, sequence) => findEntitiesAt(session, identifiers, sequence),

    async identifiersMergedInto(uuid) {
      if (!dialect.isStorable(uuid)) return []
      const { join, identifier: listedIdentifier, place: listedPlace } = dialect.history.documentIdentifiers
      const rows = await run(
        sql(
          `SELECT ${listedIdentifier} AS identifier FROM merges m
            JOIN ${dialect.listedObjects('m.written')} w ON w.value ->> 'id' = m.victim_id
            JOIN versions v ON v.uuid = w.value ->> 'uuid' AND v.version = CAST(w.value ->> 'version' AS BIGINT) - 1
            ${join} WHERE m.survivor_uuid = ? AND m.undone IS NULL
            GROUP BY ${listedIdentifier} ORDER BY min(m.number), min(${listedPlace})`,
          uuid
        )
      )
      return rows.map(row => String(row.identifier))
    },

    readChanges: query => readChanges(session, query)
  }
}

async function listDeleted({ dialect, run }: Session, after: string, limit: number): Promise<DeletedEntity[]> {
  // A purged entity has no document left.
  const rows = await run(
    sql(
      `SELECT v.uuid, max(v.id) AS id, max(v.type) AS type FROM versions v
        WHERE v.document IS NULL AND v.uuid > ?
          AND NOT EXISTS (SELECT 1 FROM ${dialect.entitiesByUuid} WHERE e.uuid = v.uuid)
          AND EXISTS (SELECT 1 FROM versions d WHERE d.uuid = v.uuid AND d.document IS NOT NULL)
        GROUP BY v.uuid ORDER BY v.uuid LIMIT ?`,
      after,
      limit
    )
  )
  return rows.map(({ uuid, id, type }) => ({ uuid: String(uuid), id: String(id), type: String(type) }))
}

async function findEntitiesAt(
  session: Session,
  identifiers: readonly string[],
  sequence: number
): Promise<Map<string, StoredEntity>> {
  const rows = await session.dialect.history.findEverIdentified(session, identifiers, sequence)
  const candidates = Map.groupBy(rows, row => String(row.identifier))
  const found = new Map<string, StoredEntity>()
  for (const identifier of identifiers) {
    const ever = candidates.get(identifier) ?? []
    // An entity that had this identifier then comes before the one that has it now: a merge may
    // have given it to another.
    const identified =
      ever.find(row => (JSON.parse(String(row.json)) as Entity).identifiers.includes(identifier)) ??
      ever.find(row => row.is_now === 1)
    if (!identified) continue
    const { id, uuid, type, version, json } = identified
    found.set(identifier, { id, uuid, type, version, json } as unknown as StoredEntity)
  }
  return found
}

async function readChanges(
  { dialect, run }: Session,
  { after, limit, kinds, types, ids, readableTypes }: ChangeQuery
): Promise<ChangePage> {
  const among = (column: string, values: readonly string[] | undefined): Sql[] =>
    values ? [sql(`${column} ${dialect.inList()}`, dialect.toList(values))] : []
  const conditions: Sql[] = [
    sql('c.sequence > ? AND c.sequence <= ?', after, after + maxReadThrough),
    ...among('c.kind', kinds),
    ...among('c.type', types),
    ...among('c.type', readableTypes),
    ...(ids
      ? [
          sql(
            `c.uuid IN (SELECT e.uuid FROM identifiers i JOIN entities e ON e.pk = i.entity_pk WHERE i.identifier ${dialect.inList()}
              UNION SELECT uuid FROM versions WHERE id ${dialect.inList()}
              UNION SELECT uuid FROM names WHERE identifier ${dialect.inList()}
              UNION ${dialect.listedTexts})`,
            ...Array<string>(4).fill(dialect.toList(ids))
          )
        ]
      : [])
  ]
  const page: Sql = {
    text: `SELECT c.sequence, c.kind, c.id, c.uuid, c.type, c.version, c.at, c.by, c.merged_into AS "mergedInto",
        coalesce(
          (SELECT document FROM versions v WHERE v.uuid = c.uuid AND v.version = c.version),
          (SELECT document FROM ${dialect.entitiesByUuid} WHERE e.uuid = c.uuid AND e.version = c.version)) AS json
      FROM changes c WHERE ${conditions.map(each => each.text).join(' AND ')} ORDER BY c.sequence LIMIT ?`,
    parameters: [...conditions.flatMap(each => each.parameters), limit]
  }
  const [rows, [newest]] = await Promise.all([
    run(dialect.withinBudget(page, 'json', 'sequence'), maxPageBytes),
    run(sql(`SELECT ${dialect.newestChange} AS sequence`))
  ])
  const { page: cut, hasMore } = cutPage(rows, limit, row => row.json as string | null)
  const changes = cut.map(row => ({ ...row, kind: row.kind as ChangeKind })) as unknown as Change[]
  const isFull = hasMore || changes.length === limit
  // A full page ends at its last change; otherwise everything that was read through is told.
  const upTo = isFull
    ? Number(changes.at(-1)?.sequence ?? after)
    : Math.min(after + maxReadThrough, Number(newest?.sequence))
  return { changes, upTo: Math.max(after, upTo) }
}

/** The entity that has an identifier, or the one that had it last and was deleted. */
async function identify(
  { dialect, run }: Session,
  identifier: string
): Promise<Pick<History, 'uuid' | 'id' | 'type'> | undefined> {
  if (!dialect.isStorable(identifier)) return undefined
  const [row] = await run(
    sql(
      `SELECT e.uuid, e.id, e.type, 0 AS rank, e.changed FROM identifiers i JOIN entities e ON e.pk = i.entity_pk WHERE i.identifier = ?
      UNION ALL SELECT uuid, id, type, 1, changed FROM versions WHERE id = ?
      UNION ALL SELECT uuid, id, type, 1, changed FROM versions WHERE uuid = ?
      UNION ALL SELECT v.uuid, v.id, v.type, 2, v.changed FROM names n JOIN versions v ON v.uuid = n.uuid
        WHERE n.identifier = ? AND v.document IS NULL
      ORDER BY rank, changed DESC LIMIT 1`,
      ...Array<string>(4).fill(identifier)
    )
  )
  return row && { uuid: String(row.uuid), id: String(row.id), type: String(row.type) }
}
