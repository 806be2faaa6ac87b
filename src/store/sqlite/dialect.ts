import type { Dialect, Row, Session } from '../query/dialect.ts'
import { sql } from '../query/sql.ts'

const inList = (list = '?') => `IN (SELECT value FROM json_each(${list}))`

// The sequence table answers when all changes were deleted.
const newestChange = `coalesce((SELECT max(sequence) FROM changes), (SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0)`

export const sqliteDialect: Dialect = {
  join: 'CROSS JOIN',
  inList,
  inSelect: select => `IN (${select})`,
  listedTexts: 'SELECT value FROM json_each(?)',
  listedNumbers: 'json_each(?)',
  listedInOrder: '(SELECT value, key AS position FROM json_each(?))',
  listedObjects: list => `json_each(${list})`,
  // A condition, since ON may follow.
  selectListed: columns =>
    `SELECT ${columns.map(({ name }) => `value ->> '${name}'`).join(', ')} FROM json_each(?) WHERE TRUE`,
  isStorable: () => true,
  toList: texts => JSON.stringify(texts),
  unindexed: column => `+${column}`,
  newestChange,
  lockChanges: `SELECT ${newestChange} AS change, (SELECT at FROM changes ORDER BY sequence DESC LIMIT 1) AS at`,
  storeChange: undefined,
  forUpdate: '',
  newestEntity: `coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'entities'), 0)`,
  lastNumber: table => `coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), 0)`,
  entitiesByUuid: 'identifiers i CROSS JOIN entities e ON e.pk = i.entity_pk AND e.uuid = i.identifier',
  uuidOfEntity: 'i.identifier',
  history: {
    documentIdentifiers: {
      join: `JOIN json_each(v.document, '$.identifiers') listed`,
      identifier: 'listed.value',
      place: 'listed.key'
    },
    async findEverIdentified(session, identifiers, sequence) {
      const rows: Row[] = []
      for (const identifier of identifiers)
        for (const ever of await uuidsEverIdentified(session, identifier)) {
          const found = await findAt(session, String(ever.uuid), sequence)
          if (found) rows.push({ ...found, identifier, is_now: ever.is_now })
        }
      return rows
    }
  },
  // The reader stops while it reads.
  withinBudget: page => page
}

/** The uuids of all entities that ever had an identifier, and whether they have it now. */
const uuidsEverIdentified = ({ run }: Session, identifier: string) =>
  run(
    sql(
      `SELECT e.uuid, 1 AS is_now FROM identifiers i JOIN entities e ON e.pk = i.entity_pk WHERE i.identifier = ?
        UNION SELECT uuid, 0 FROM versions WHERE id = ?
        UNION SELECT uuid, 0 FROM versions WHERE uuid = ?
        UNION SELECT uuid, 0 FROM names WHERE identifier = ?`,
      ...Array<string>(4).fill(identifier)
    )
  )

/** An entity as it was after a change; undefined where it did not exist then. */
async function findAt({ run }: Session, uuid: string, sequence: number): Promise<Row | undefined> {
  const [now] = await run(
    sql(
      `SELECT e.id, e.uuid, e.type, e.version, e.document AS json FROM identifiers i JOIN entities e ON e.pk = i.entity_pk
        WHERE i.identifier = ? AND e.uuid = ? AND e.changed <= ?`,
      ...[uuid, uuid, sequence]
    )
  )
  if (now) return now
  // The later a version, the later its change, so the last before the moment is the one.
  const [past] = await run(
    sql(
      `SELECT id, uuid, type, version, document AS json FROM versions
        WHERE uuid = ? AND changed <= ? AND changed > 0 ORDER BY version DESC LIMIT 1`,
      uuid,
      sequence
    )
  )
  return past && past.json !== null ? past : undefined
}
