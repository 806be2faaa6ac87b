import type { FieldTest } from '#domain/filter/filter.ts'
import type { Order } from '#domain/filter/order.ts'
import { readRegularExpression, writeRegularExpression } from '#domain/filter/regular-expression.ts'
import { foldText } from '#domain/values/fold.ts'
import { betweenWords } from '#domain/search/word-text.ts'
import { maxPageBytes } from '../page-budget.ts'
import type { Dialect, OrderDialect, TextColumn, TextTest } from '../query/dialect.ts'
import type { Way } from '../query/order-parts.ts'
import { type Sql, sql } from '../query/sql.ts'
import { headRange, likePattern, wordPattern, wordsOf } from '../query/text-patterns.ts'
import { isStorable, storableList } from './connection.ts'
import { postgresEntries } from './entries.ts'

const inList = (list = '?') => `= ANY (ARRAY(SELECT jsonb_array_elements_text(${list}::text::jsonb)))`

/** All matches as the table `found`, or conditions on all entities. */
const gathered = (where: Sql, way: Way, order: Order) =>
  way === 'gather'
    ? {
        before: `WITH found AS MATERIALIZED (SELECT ${gatheredColumns(order)} FROM entities e WHERE ${where.text})`,
        beforeParameters: where.parameters,
        condition: 'TRUE',
        parameters: [],
        total: '(SELECT count(*) FROM found)'
      }
    : { before: '', beforeParameters: [], condition: where.text, parameters: where.parameters, total: 'NULL' }

/** The columns that a gathered order needs; the key alone where possible, since indexes have it. */
const gatheredColumns = ({ items }: Order) =>
  items.every(({ by }) => by === 'created' || by === 'metadata') ? 'e.pk' : 'e.pk, e.uuid, e.id, e.type, e.changed'

const entities = (way: Way) => (way === 'gather' ? 'found e' : 'entities e')

const order: OrderDialect = {
  gathersUncounted: true,
  entities,
  keyedEntities: way => `field_values s JOIN ${entities(way)} ON e.pk = s.entity_pk`,
  byColumn: column => column,
  // An expression keeps the server from walking the index.
  bySortKey: way => (way === 'gather' ? `s.sort || ''` : 's.sort'),
  // Documents are fetched last, and only those of the page: the rows that are sorted are narrow.
  pageToSql(part, where, way, order, limit, skip) {
    const { before, beforeParameters, condition, parameters, total } = gathered(where, way, order)
    const page = withinBudget(
      {
        text: `SELECT e.id, e.uuid, e.type, e.version, e.document, page.sort_values, page.sequence, page.rank, ${total} AS total FROM (
          SELECT sorted.*, row_number() OVER () AS rank FROM (
            SELECT e.pk, ${part.columns} FROM ${part.from}
            WHERE ${part.where.text} AND ${condition} ORDER BY ${part.orderBy} LIMIT ? OFFSET ?
          ) sorted
        ) page JOIN entities e ON e.pk = page.pk`,
        parameters: [...part.parameters, ...part.where.parameters, ...parameters, limit, skip]
      },
      'document',
      'rank'
    )
    return { text: `${before} ${page.text}`, parameters: [...beforeParameters, ...page.parameters] }
  },
  countPartToSql(part, where, way, order) {
    const { before, beforeParameters, condition, parameters } = gathered(where, way, order)
    return {
      text: `${before} SELECT count(*) AS n FROM ${part.from} WHERE ${part.where.text} AND ${condition}`,
      parameters: [...beforeParameters, ...part.parameters, ...part.where.parameters, ...parameters]
    }
  },
  countToSql({ text, set, parameters }) {
    const from = set === undefined ? `entities e WHERE ${text}` : `(SELECT DISTINCT pk FROM (${set}) matching) found`
    return { text: `SELECT count(*) AS n FROM ${from}`, parameters }
  }
}

function withinBudget({ text, parameters }: Sql, document: string, orderBy: string): Sql {
  return {
    text: `SELECT * FROM (
        SELECT *, sum(octet_length(${document})) OVER (ORDER BY ${orderBy}) - octet_length(${document}) AS bytes_before
        FROM (${text}) page_rows
      ) page_read WHERE bytes_before IS NULL OR bytes_before <= ${maxPageBytes} ORDER BY ${orderBy}`,
    parameters
  }
}

const likeToSql = (text: string, pieces: readonly string[]) => sql(`${text} LIKE ?`, likePattern(pieces))

/** The expression in the syntax of the server. */
const regularExpression = ({ source, isFolded }: Extract<FieldTest, { kind: 'regex' }>): string =>
  writeRegularExpression(readRegularExpression(source, isFolded ? foldText : undefined))

/** Separators of words, for a regular expression of the server. */
const separators = `[${betweenWords.map(range => range.map(code => `\\u${code.toString(16).padStart(4, '0')}`).join('-')).join('')}]+`

/** Trigrams of the text lead to possible matches (`pg_trgm`); the pattern decides. */
function textToSql(column: string, folded: string, test: TextTest): Sql {
  switch (test.kind) {
    case 'regex':
      return sql(`${test.isFolded ? folded : column} ~ ?`, regularExpression(test))
    case 'contains': {
      const parts = test.folded.map(each => likeToSql(folded, ['', each, '']))
      return {
        text: parts.length === 0 ? 'FALSE' : `(${parts.map(part => part.text).join(' OR ')})`,
        parameters: parts.flatMap(part => part.parameters)
      }
    }
    case 'pattern':
      return likeToSql(folded, test.pieces)
    case 'words': {
      const words = wordsOf(test).filter(word => word !== '')
      const parts = [
        ...words.map(word => likeToSql(folded, ['', word, ''])),
        sql(`' ' || btrim(regexp_replace(${folded}, ?, ' ', 'g'), ' ') || ' ' LIKE ?`, separators, wordPattern(test))
      ]
      return {
        text: parts.map(part => part.text).join(' AND '),
        parameters: parts.flatMap(part => part.parameters)
      }
    }
  }
}

/**
 * The columns with the folded copy of each. Folding changes no letter of a moment but two, which
 * are lowered.
 */
const foldedColumns = {
  'e.type': 'e.folded_type',
  'e.id': 'e.folded_id',
  'e.created_at': 'lower(e.created_at)',
  'e.created_by': 'e.folded_created_by',
  'e.updated_at': 'lower(e.updated_at)',
  'e.updated_by': 'e.folded_updated_by',
  'r.target': 'r.folded_target',
  'ta.identifier': 'ta.folded',
  'ci.identifier': 'ci.folded'
} as const satisfies Record<TextColumn, string>

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
      ORDER BY v.version DESC LIMIT 1)
    ORDER BY version DESC LIMIT 1
  ) was WHERE was.json IS NOT NULL`

export const postgresDialect: Dialect = {
  join: 'JOIN',
  // The server stops a statement after its deadline by itself.
  withinDeadline: 'TRUE',
  deadlineEvery: () => 'TRUE',
  inList,
  inNumbers: '= ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)::integer))',
  inSelect: select => `= ANY (ARRAY(${select}))`,
  listedTexts: 'SELECT jsonb_array_elements_text(?::text::jsonb) COLLATE "C"',
  listedNumbers: '(SELECT value::bigint AS value FROM jsonb_array_elements_text(?::text::jsonb))',
  listedInOrder: `(SELECT value::bigint AS value, position
    FROM jsonb_array_elements_text(?::text::jsonb) WITH ORDINALITY AS listed (value, position))`,
  listedObjects: list => `jsonb_array_elements(${list}::text::jsonb)`,
  jsonArray: texts => `json_build_array(${texts.join(', ')})::text`,
  isStorable,
  toList: storableList,
  unindexed: column => `(${column} + 0)`,
  readBy: () => '',
  newestChange: '(SELECT change FROM counters)',
  newestEntity: '(SELECT entity FROM counters)',
  entitiesByUuid: 'entities e',
  uuidOfEntity: 'e.uuid',
  matchesValue(test) {
    const matches = textToSql('v.text', 'v.folded', test)
    if (test.kind === 'regex') return { ...matches, text: `v.text IS NOT NULL AND ${matches.text}` }
    if (test.kind !== 'pattern' || !test.pieces[0]) return matches
    // A pattern that begins with letters is a range of the index by head.
    const range = headRange(test.pieces[0])
    return sql(`${range.text} AND ${matches.text}`, ...range.parameters, ...matches.parameters)
  },
  matchesColumn: (column, test) => textToSql(column, foldedColumns[column], test),
  joinFromNames: (_test: FieldTest) => 'JOIN',
  isRemote: true,
  order,
  entries: postgresEntries,
  facets: { collectHits: undefined, specialCounts: () => () => undefined },
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
