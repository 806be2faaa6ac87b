import type { Dialect, OrderDialect } from '../query/dialect.ts'
import type { Row, Session } from '../query/dialect.ts'
import { sql } from '../query/sql.ts'
import { sqliteEntries } from './entries.ts'
import { sqliteFacets } from './facets.ts'
import { isIndexed, matchesColumn, matchesValue } from './text-tests.ts'

const inList = (list = '?') => `IN (SELECT value FROM json_each(${list}))`

/** SQLite reads the tables of a cross join in the order given. */
const keyJoins = {
  walk: 'field_values s INDEXED BY field_values_by_sort CROSS JOIN entities e ON e.pk = s.entity_pk',
  gather: 'entities e CROSS JOIN field_values s ON s.entity_pk = e.pk',
  any: 'field_values s JOIN entities e ON e.pk = s.entity_pk'
} as const

const order: OrderDialect = {
  gathersUncounted: false,
  entities: () => 'entities e',
  keyedEntities: way => keyJoins[way ?? 'any'],
  byColumn: (column, way) => (way === 'gather' ? `+${column}` : column),
  bySortKey: () => 's.sort',
  pageToSql: (part, where, _way, _order, limit, skip) => ({
    text: `SELECT e.id, e.uuid, e.type, e.version, e.document, ${part.columns} FROM ${part.from}
      WHERE ${part.where.text} AND ${where.text} ORDER BY ${part.orderBy} LIMIT ? OFFSET ?`,
    parameters: [...part.parameters, ...part.where.parameters, ...where.parameters, limit, skip]
  }),
  countPartToSql: (part, where) => ({
    text: `SELECT count(*) AS n FROM ${part.from} WHERE ${part.where.text} AND ${where.text}`,
    parameters: [...part.parameters, ...part.where.parameters, ...where.parameters]
  }),
  countToSql: ({ text, set, parameters }) => {
    const from = set === undefined ? `entities e WHERE ${text}` : `(SELECT DISTINCT +pk FROM (${set}))`
    return { text: `SELECT count(*) AS n FROM ${from}`, parameters }
  }
}

/** Functions in statements are defined in reader.ts: `within_deadline`, `fold`,
 * `word_text`, `meets_regex`. */
export const sqliteDialect: Dialect = {
  join: 'CROSS JOIN',
  withinDeadline: 'within_deadline()',
  deadlineEvery: pk => `(${pk} & 63 <> 0 OR within_deadline())`,
  inList,
  inNumbers: inList(),
  inSelect: select => `IN (${select})`,
  listedTexts: 'SELECT value FROM json_each(?)',
  listedNumbers: 'json_each(?)',
  listedInOrder: '(SELECT value, key AS position FROM json_each(?))',
  listedObjects: list => `json_each(${list})`,
  jsonArray: texts => `json_array(${texts.join(', ')})`,
  isStorable: () => true,
  toList: texts => JSON.stringify(texts),
  unindexed: column => `+${column}`,
  readBy: index => `INDEXED BY ${index}`,
  // The sequence table answers when all changes were deleted.
  newestChange: `coalesce((SELECT max(sequence) FROM changes), (SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0)`,
  newestEntity: `coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'entities'), 0)`,
  entitiesByUuid: 'identifiers i CROSS JOIN entities e ON e.pk = i.entity_pk AND e.uuid = i.identifier',
  uuidOfEntity: 'i.identifier',
  matchesValue,
  matchesColumn,
  // Names that an index finds are few: beginning with them took 2 ms where SQLite, beginning with
  // the relations, took 270 (bench/filter.ts).
  joinFromNames: test => (isIndexed(test) ? 'CROSS JOIN' : 'JOIN'),
  isRemote: false,
  order,
  facets: sqliteFacets,
  entries: sqliteEntries,
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
        WHERE uuid = ? AND changed <= ? ORDER BY version DESC LIMIT 1`,
      uuid,
      sequence
    )
  )
  return past && past.json !== null ? past : undefined
}
