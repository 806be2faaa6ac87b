import { maxPageBytes } from '#domain/page-budget.ts'
import type { Dialect } from '../query/dialect.ts'
import { type Sql, sql } from '../query/sql.ts'
import { type Column, namesOf } from '../tables.ts'
import { isStorable, storableList } from './connection.ts'

const inList = (list = '?') => `= ANY (ARRAY(SELECT jsonb_array_elements_text(${list}::text::jsonb)))`

function withinBudget({ text, parameters }: Sql, document: string, orderBy: string): Sql {
  return {
    text: `SELECT * FROM (
        SELECT *, sum(octet_length(${document})) OVER (ORDER BY ${orderBy}) - octet_length(${document}) AS bytes_before
        FROM (${text}) page_rows
      ) page_read WHERE bytes_before IS NULL OR bytes_before <= ${maxPageBytes} ORDER BY ${orderBy}`,
    parameters
  }
}

/**
 * Entities that ever had one of some identifiers, as they were after a change. The later a version,
 * the later its change, so the last before that moment is the one, and the current version is later
 * than all replaced ones.
 */
const everIdentified = `SELECT ever.identifier, ever.is_now, was.* FROM (
    SELECT identifier, uuid, max(is_now) AS is_now FROM (
      SELECT i.identifier, e.uuid, 1 AS is_now FROM identifiers i JOIN entities e ON e.pk = i.entity_pk WHERE i.identifier ${inList()}
      UNION ALL SELECT id, uuid, 0 FROM versions WHERE id ${inList()}
      UNION ALL SELECT uuid, uuid, 0 FROM versions WHERE uuid ${inList()}
      UNION ALL SELECT identifier, uuid, 0 FROM names WHERE identifier ${inList()}
    ) listed GROUP BY identifier, uuid
  ) ever CROSS JOIN LATERAL (
    (SELECT e.id, e.uuid, e.type, e.version, e.document AS json FROM entities e WHERE e.uuid = ever.uuid AND e.changed <= ?)
    UNION ALL
    (SELECT v.id, v.uuid, v.type, v.version, v.document FROM versions v WHERE v.uuid = ever.uuid AND v.changed <= ?
      AND v.changed > 0
      ORDER BY v.version DESC LIMIT 1)
    ORDER BY version DESC LIMIT 1
  ) was WHERE was.json IS NOT NULL`

/** The objects of a JSON list, as a table `given` with these columns. */
export const listed = (columns: readonly Column[]) =>
  `json_to_recordset(?::text::json) AS given (${columns.map(({ name, kind }) => `${name} ${listedTypes[kind]}`).join(', ')})`

const listedTypes = {
  text: 'text',
  small: 'integer',
  whole: 'bigint',
  number: 'bigint',
  serial: 'bigint',
  moment: 'timestamptz'
}

export const postgresDialect: Dialect = {
  join: 'JOIN',
  inList,
  inSelect: select => `= ANY (ARRAY(${select}))`,
  listedTexts: 'SELECT jsonb_array_elements_text(?::text::jsonb) COLLATE "C"',
  listedNumbers: '(SELECT value::bigint AS value FROM jsonb_array_elements_text(?::text::jsonb))',
  listedInOrder: `(SELECT value::bigint AS value, position
    FROM jsonb_array_elements_text(?::text::jsonb) WITH ORDINALITY AS listed (value, position))`,
  listedObjects: list => `jsonb_array_elements(${list}::text::jsonb)`,
  selectListed: columns => `OVERRIDING SYSTEM VALUE SELECT ${namesOf(columns)} FROM ${listed(columns)}`,
  isStorable,
  toList: storableList,
  unindexed: column => `(${column} + 0)`,
  newestChange: '(SELECT change FROM counters)',
  lockChanges: 'SELECT change, at FROM counters FOR UPDATE',
  storeChange: 'UPDATE counters SET change = ?, at = ?',
  forUpdate: 'FOR UPDATE',
  newestEntity: '(SELECT entity FROM counters)',
  lastNumber: table => `(SELECT ${table === 'changes' ? 'change' : 'merge'} FROM counters)`,
  entitiesByUuid: 'entities e',
  uuidOfEntity: 'e.uuid',
  history: {
    documentIdentifiers: {
      join: `CROSS JOIN LATERAL jsonb_array_elements_text(v.document::jsonb -> 'identifiers') WITH ORDINALITY AS listed (identifier, place)`,
      identifier: 'listed.identifier',
      place: 'listed.place'
    },
    // All of them at once: a WEM answer needs some twenty, and each would be two or three journeys
    // to the server by itself.
    findEverIdentified: ({ run }, identifiers, sequence) =>
      run(sql(everIdentified, ...Array<string>(4).fill(storableList(identifiers)), sequence, sequence))
  },
  withinBudget
}
