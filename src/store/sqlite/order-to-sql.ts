import type { Order, OrderItem } from '#domain/filter/order.ts'
import type { Position, Question } from '../store.ts'
import type { Sql } from './sql.ts'

/**
 * One statement's share of an order. The parts are read one after the other: records that have the
 * sort key, then those that lack it, which come last in both directions. Merged parts are read side
 * by side, and joined by their `sequence`.
 */
export interface OrderSql {
  readonly isMerged?: boolean
  readonly columns: string
  readonly from: string
  /** Of the columns and the joins; they stand before those of `where`. */
  readonly parameters: readonly (string | number)[]
  readonly where: Sql
  readonly orderBy: string
}

export interface OrderedRow {
  readonly id: string
  readonly uuid: string
  readonly type: string
  readonly version: number
  readonly document: string
  /** JSON array of the values sorted by, to go on from. */
  readonly sort_values: string
  readonly sequence: number
}

/**
 * How to find the first of what matches in an order. `walk` the order's index until enough was met,
 * which is quick when much matches; or `gather` all that matches and sort it, which is quick when
 * little does. Undefined leaves it to SQLite, which cannot know.
 */
export type Way = 'walk' | 'gather' | undefined

/**
 * Turns an order, and the place to go on from, into statements. Going on is a range of an index,
 * not a count of rows.
 */
export function orderToSql(order: Order, from: Question['from'], way: Way): OrderSql[] {
  const [only] = order.items
  const backwards = from?.backwards === true
  // Reading backwards is reading the opposite order forwards; the page is turned round afterwards.
  const ascending = order.ascending !== backwards
  if (order.items.length === 1 && only?.by === 'created') return [byCreation(ascending, from?.position, way)]
  if (order.items.length === 1 && only?.by === 'updated') return byChange(ascending, from?.position, way)
  if (order.items.length === 1 && only?.by === 'metadata') {
    const parts = byOneKey(only.key, ascending, backwards, from?.position, way)
    return backwards ? parts.reverse() : parts
  }
  return [bySeveral(order.items, ascending, backwards, from?.position)]
}

function byCreation(ascending: boolean, position: Position | undefined, way: Way): OrderSql {
  return {
    columns: `'[]' AS sort_values, e.pk AS sequence`,
    from: 'entities e',
    parameters: [],
    where: position
      ? { text: `e.pk ${ascending ? '>' : '<'} ?`, parameters: [position.sequence] }
      : { text: '1', parameters: [] },
    orderBy: `${unwalked(way)}e.pk ${ascending ? 'ASC' : 'DESC'}`
  }
}

/** A plus sign keeps SQLite from walking the column's index. */
const unwalked = (way: Way) => (way === 'gather' ? '+' : '')

/**
 * By the last change. A record that is changed while somebody walks the list moves to its end, and
 * would be met twice or never. So a walk remembers the newest change at its beginning, and
 * everything stands where it stood then: what was not changed since, and, joined with it, what was,
 * at the place of the version it had.
 */
function byChange(ascending: boolean, position: Position | undefined, way: Way): OrderSql[] {
  const direction = ascending ? 'ASC' : 'DESC'
  if (!position) {
    return [
      {
        columns: `json_array(CAST(${newestChange} AS TEXT)) AS sort_values, e.changed AS sequence`,
        from: 'entities e',
        parameters: [],
        where: { text: '1', parameters: [] },
        orderBy: `${unwalked(way)}e.changed ${direction}`
      }
    ]
  }
  const beginning = Number(position.values[0])
  const beyond = ascending ? '>' : '<'
  const unmoved: OrderSql = {
    isMerged: true,
    columns: 'json_array(?) AS sort_values, e.changed AS sequence',
    from: 'entities e',
    parameters: [String(beginning)],
    where: { text: `e.changed <= ? AND e.changed ${beyond} ?`, parameters: [beginning, position.sequence] },
    orderBy: `${unwalked(way)}e.changed ${direction}`
  }
  const moved: OrderSql = {
    isMerged: true,
    columns: 'json_array(?) AS sort_values, then_.changed AS sequence',
    from: `entities e JOIN versions then_ ON then_.uuid = e.uuid AND then_.document IS NOT NULL
      AND then_.changed = (SELECT max(v.changed) FROM versions v WHERE v.uuid = e.uuid AND v.changed <= ?)`,
    parameters: [String(beginning), beginning],
    where: { text: `e.changed > ? AND then_.changed ${beyond} ?`, parameters: [beginning, position.sequence] },
    orderBy: `then_.changed ${direction}`
  }
  return [unmoved, moved]
}

/** Also when all changes were forgotten. */
const newestChange = `coalesce((SELECT max(sequence) FROM changes), (SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0)`

/** The usual sort by title or date: an index holds the first values of a key in order. */
function byOneKey(
  key: string,
  ascending: boolean,
  backwards: boolean,
  position: Position | undefined,
  way: Way
): OrderSql[] {
  const value = position?.values[0] ?? null
  const direction = ascending ? 'ASC' : 'DESC'
  const after = ascending ? '>' : '<'
  // Ties are in the order of creation whichever way the key goes.
  const tie = backwards ? '<' : '>'
  const tieOrder = backwards ? 'DESC' : 'ASC'
  const withKey: OrderSql = {
    columns: 'json_array(s.sort) AS sort_values, e.pk AS sequence',
    from: keyJoins[way ?? 'any'],
    parameters: [],
    where:
      position && value !== null
        ? {
            text: `s.key = ? AND s.position = 0 AND s.sort ${after}= ? AND (s.sort <> ? OR s.entity_pk ${tie} ?)`,
            parameters: [key, value, value, position.sequence]
          }
        : { text: 's.key = ? AND s.position = 0', parameters: [key] },
    orderBy: `s.sort ${direction}, s.entity_pk ${tieOrder}`
  }
  const withoutKey: OrderSql = {
    columns: `'[null]' AS sort_values, e.pk AS sequence`,
    from: 'entities e',
    parameters: [],
    where: {
      text: `NOT EXISTS (SELECT 1 FROM field_values s WHERE s.entity_pk = e.pk AND s.key = ?)${
        position && value === null ? ` AND e.pk ${tie} ?` : ''
      }`,
      parameters: position && value === null ? [key, position.sequence] : [key]
    },
    orderBy: `e.pk ${tieOrder}`
  }
  if (!position) return [withKey, withoutKey]
  if (value === null) return backwards ? [withKey, withoutKey] : [withoutKey]
  return backwards ? [withKey] : [withKey, withoutKey]
}

/** SQLite takes the tables of a cross join in the order given. */
const keyJoins = {
  walk: 'field_values s INDEXED BY field_values_by_sort CROSS JOIN entities e ON e.pk = s.entity_pk',
  gather: 'entities e CROSS JOIN field_values s ON s.entity_pk = e.pk',
  any: 'field_values s JOIN entities e ON e.pk = s.entity_pk'
} as const

/** Several keys, or id or type: sorted for the question, with each key joined in. */
function bySeveral(
  items: readonly OrderItem[],
  ascending: boolean,
  backwards: boolean,
  position: Position | undefined
): OrderSql {
  const direction = ascending ? 'ASC' : 'DESC'
  const joins: string[] = []
  const parameters: string[] = []
  const names = items.map((item, index) => {
    if (item.by !== 'metadata') return columnOf(item.by)
    joins.push(
      `LEFT JOIN field_values s${index} ON s${index}.entity_pk = e.pk AND s${index}.key = ? AND s${index}.position = 0`
    )
    parameters.push(item.key)
    return `s${index}.sort`
  })
  const nullsAt = backwards ? 'NULLS FIRST' : 'NULLS LAST'
  return {
    columns: `json_array(${names.map(name => `CAST(${name} AS TEXT)`).join(', ')}) AS sort_values, e.pk AS sequence`,
    from: ['entities e', ...joins].join(' '),
    parameters,
    where: position ? afterSeveral(names, items, ascending, backwards, position) : { text: '1', parameters: [] },
    orderBy: [...names.map(name => `${name} ${direction} ${nullsAt}`), `e.pk ${backwards ? 'DESC' : 'ASC'}`].join(', ')
  }
}

/** `(a, b, pk) > (?, ?, ?)`, written out because a missing value is last in either direction. */
function afterSeveral(
  names: readonly string[],
  items: readonly OrderItem[],
  ascending: boolean,
  backwards: boolean,
  position: Position
): Sql {
  const alternatives: string[] = []
  const parameters: (string | number)[] = []
  const equal: string[] = []
  const equalParameters: (string | number)[] = []
  names.forEach((name, index) => {
    const text = position.values[index] ?? null
    const item = items[index]
    const value = text !== null && (item?.by === 'created' || item?.by === 'updated') ? Number(text) : text
    const beyond = ascending ? '>' : '<'
    if (value === null) {
      if (backwards) {
        alternatives.push([...equal, `${name} IS NOT NULL`].join(' AND '))
        parameters.push(...equalParameters)
      }
      equal.push(`${name} IS NULL`)
      return
    }
    const past = backwards ? `${name} ${beyond} ?` : `(${name} ${beyond} ? OR ${name} IS NULL)`
    alternatives.push([...equal, past].join(' AND '))
    parameters.push(...equalParameters, value)
    equal.push(`${name} = ?`)
    equalParameters.push(value)
  })
  alternatives.push([...equal, `e.pk ${backwards ? '<' : '>'} ?`].join(' AND '))
  parameters.push(...equalParameters, position.sequence)
  return { text: `(${alternatives.map(each => `(${each})`).join(' OR ')})`, parameters }
}

function columnOf(by: 'created' | 'updated' | 'id' | 'type'): string {
  return { created: 'e.pk', updated: 'e.changed', id: 'e.id', type: 'e.type' }[by]
}
