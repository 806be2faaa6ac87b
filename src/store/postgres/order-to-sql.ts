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
 * which is quick when much matches; or `gather` all that matches (the table `found`) and sort it,
 * which is quick when little does. Undefined leaves it to the server.
 */
export type Way = 'walk' | 'gather' | undefined

/**
 * What a gathered order needs of each entity: little more than its place where that will do, since
 * an index alone can give that.
 */
export const gatheredColumns = ({ items }: Order) =>
  items.every(({ by }) => by === 'created' || by === 'metadata') ? 'e.pk' : 'e.pk, e.uuid, e.id, e.type, e.changed'

/** The table `e` that an order goes over. */
const tableFor = (way: Way) => (way === 'gather' ? 'found e' : 'entities e')

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
  return [bySeveral(order.items, ascending, backwards, from?.position, way)]
}

function byCreation(ascending: boolean, position: Position | undefined, way: Way): OrderSql {
  return {
    columns: `'[]' AS sort_values, e.pk AS sequence`,
    from: tableFor(way),
    parameters: [],
    where: position
      ? { text: `e.pk ${ascending ? '>' : '<'} ?`, parameters: [position.sequence] }
      : { text: 'TRUE', parameters: [] },
    orderBy: `e.pk ${ascending ? 'ASC' : 'DESC'}`
  }
}

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
        columns: `json_build_array((SELECT change::text FROM counters))::text AS sort_values, e.changed AS sequence`,
        from: tableFor(way),
        parameters: [],
        where: { text: 'TRUE', parameters: [] },
        orderBy: `e.changed ${direction}`
      }
    ]
  }
  const beginning = Number(position.values[0])
  const beyond = ascending ? '>' : '<'
  const unmoved: OrderSql = {
    isMerged: true,
    columns: 'json_build_array(?::text)::text AS sort_values, e.changed AS sequence',
    from: tableFor(way),
    parameters: [String(beginning)],
    where: { text: `e.changed <= ? AND e.changed ${beyond} ?`, parameters: [beginning, position.sequence] },
    orderBy: `e.changed ${direction}`
  }
  const moved: OrderSql = {
    isMerged: true,
    columns: 'json_build_array(?::text)::text AS sort_values, then_.changed AS sequence',
    from: `${tableFor(way)} JOIN versions then_ ON then_.uuid = e.uuid AND then_.document IS NOT NULL
      AND then_.changed = (SELECT max(v.changed) FROM versions v WHERE v.uuid = e.uuid AND v.changed <= ?)`,
    parameters: [String(beginning), beginning],
    where: { text: `e.changed > ? AND then_.changed ${beyond} ?`, parameters: [beginning, position.sequence] },
    orderBy: `then_.changed ${direction}`
  }
  return [unmoved, moved]
}

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
    columns: 'json_build_array(s.sort)::text AS sort_values, e.pk AS sequence',
    from: `field_values s JOIN ${tableFor(way)} ON e.pk = s.entity_pk`,
    parameters: [],
    where:
      position && value !== null
        ? {
            text: `s.key = ? AND s.position = 0 AND s.sort ${after}= ? AND (s.sort <> ? OR s.entity_pk ${tie} ?)`,
            parameters: [key, value, value, position.sequence]
          }
        : { text: 's.key = ? AND s.position = 0', parameters: [key] },
    // A text that is joined keeps the server from walking the index.
    orderBy: `${way === 'gather' ? `s.sort || ''` : 's.sort'} ${direction}, s.entity_pk ${tieOrder}`
  }
  const withoutKey: OrderSql = {
    columns: `'[null]' AS sort_values, e.pk AS sequence`,
    from: tableFor(way),
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

/** Several keys, or id or type: sorted for the question, with each key joined in. */
function bySeveral(
  items: readonly OrderItem[],
  ascending: boolean,
  backwards: boolean,
  position: Position | undefined,
  way: Way
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
    columns: `json_build_array(${names.map(name => `${name}::text`).join(', ')})::text AS sort_values, e.pk AS sequence`,
    from: [tableFor(way), ...joins].join(' '),
    parameters,
    where: position ? afterSeveral(names, items, ascending, backwards, position) : { text: 'TRUE', parameters: [] },
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
