import type { Order, OrderItem } from '#domain/filter/order.ts'
import type { EntityQuery, Position } from '../ports/queries.ts'
import type { Dialect } from './dialect.ts'
import type { OrderSql, Way } from './order-parts.ts'
import { type Sql, sql } from './sql.ts'

/** An order and its direction, with the position to go on from. */
interface Course {
  readonly dialect: Dialect
  readonly way: Way
  readonly ascending: boolean
  readonly backwards: boolean
  readonly position: Position | undefined
}

/**
 * Turns an order, and the position to go on from, into parts of statements. Going on is a range of
 * an index, not a count of rows.
 */
export function orderToSql(dialect: Dialect, order: Order, from: EntityQuery['from'], way: Way): OrderSql[] {
  const [only] = order.items
  const backwards = from?.backwards === true
  // Reading backwards is reading the opposite order forwards; the page is reversed afterwards.
  const course = { dialect, way, backwards, ascending: order.ascending !== backwards, position: from?.position }
  if (order.items.length === 1 && only?.by === 'created') return [byCreation(course)]
  if (order.items.length === 1 && only?.by === 'updated') return byChange(course)
  if (order.items.length === 1 && only?.by === 'metadata') {
    const parts = byOneKey(only.key, course)
    return backwards ? parts.reverse() : parts
  }
  return [bySeveral(order.items, course)]
}

function byCreation({ dialect, way, ascending, position }: Course): OrderSql {
  return {
    columns: `'[]' AS sort_values, e.pk AS sequence`,
    from: dialect.order.entities(way),
    parameters: [],
    where: position ? sql(`e.pk ${ascending ? '>' : '<'} ?`, position.sequence) : sql('TRUE'),
    orderBy: `${dialect.order.byColumn('e.pk', way)} ${ascending ? 'ASC' : 'DESC'}`
  }
}

/**
 * By the last change. A record that changes while a client walks the list moves to its end, and
 * would be met twice or never. So a walk carries the newest change at its beginning, and every
 * record stays at its position of then: the records unchanged since, joined with the changed ones
 * at the position of their version of then.
 */
function byChange({ dialect, way, ascending, position }: Course): OrderSql[] {
  const direction = ascending ? 'ASC' : 'DESC'
  const byChanged = `${dialect.order.byColumn('e.changed', way)} ${direction}`
  if (!position) {
    const newest = dialect.jsonArray([`CAST(${dialect.newestChange} AS TEXT)`])
    return [
      {
        columns: `${newest} AS sort_values, e.changed AS sequence`,
        from: dialect.order.entities(way),
        parameters: [],
        where: sql('TRUE'),
        orderBy: byChanged
      }
    ]
  }
  const beginning = Number(position.values[0])
  const beyond = ascending ? '>' : '<'
  const given = dialect.jsonArray(['CAST(? AS TEXT)'])
  const unmoved: OrderSql = {
    isMerged: true,
    columns: `${given} AS sort_values, e.changed AS sequence`,
    from: dialect.order.entities(way),
    parameters: [String(beginning)],
    where: sql(`e.changed <= ? AND e.changed ${beyond} ?`, beginning, position.sequence),
    orderBy: byChanged
  }
  const moved: OrderSql = {
    isMerged: true,
    columns: `${given} AS sort_values, then_.changed AS sequence`,
    from: `${dialect.order.entities(way)} JOIN versions then_ ON then_.uuid = e.uuid AND then_.document IS NOT NULL
      AND then_.changed = (SELECT max(v.changed) FROM versions v WHERE v.uuid = e.uuid AND v.changed <= ?)`,
    parameters: [String(beginning), beginning],
    where: sql(`e.changed > ? AND then_.changed ${beyond} ?`, beginning, position.sequence),
    orderBy: `then_.changed ${direction}`
  }
  return [unmoved, moved]
}

/** The usual sort by title or date: an index holds the first values of a key in order. */
function byOneKey(key: string, { dialect, way, ascending, backwards, position }: Course): OrderSql[] {
  const value = position?.values[0] ?? null
  const direction = ascending ? 'ASC' : 'DESC'
  const after = ascending ? '>' : '<'
  // Ties are in the order of creation in both directions.
  const tie = backwards ? '<' : '>'
  const tieOrder = backwards ? 'DESC' : 'ASC'
  const withKey: OrderSql = {
    columns: `${dialect.jsonArray(['s.sort'])} AS sort_values, e.pk AS sequence`,
    from: dialect.order.keyedEntities(way),
    parameters: [],
    where:
      position && value !== null
        ? sql(
            `s.key = ? AND s.position = 0 AND s.sort ${after}= ? AND (s.sort <> ? OR s.entity_pk ${tie} ?)`,
            ...[key, value, value, position.sequence]
          )
        : sql('s.key = ? AND s.position = 0', key),
    orderBy: `${dialect.order.bySortKey(way)} ${direction}, s.entity_pk ${tieOrder}`
  }
  const lacksKey = 'NOT EXISTS (SELECT 1 FROM field_values s WHERE s.entity_pk = e.pk AND s.key = ?)'
  const withoutKey: OrderSql = {
    columns: `'[null]' AS sort_values, e.pk AS sequence`,
    from: dialect.order.entities(way),
    parameters: [],
    where:
      position && value === null ? sql(`${lacksKey} AND e.pk ${tie} ?`, key, position.sequence) : sql(lacksKey, key),
    orderBy: `e.pk ${tieOrder}`
  }
  if (!position) return [withKey, withoutKey]
  if (value === null) return backwards ? [withKey, withoutKey] : [withoutKey]
  return backwards ? [withKey] : [withKey, withoutKey]
}

/** Several keys, or id or type: sorted for the query, with each key joined in. */
function bySeveral(items: readonly OrderItem[], course: Course): OrderSql {
  const { dialect, way, ascending, backwards, position } = course
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
  const values = dialect.jsonArray(names.map(name => `CAST(${name} AS TEXT)`))
  return {
    columns: `${values} AS sort_values, e.pk AS sequence`,
    from: [dialect.order.entities(way), ...joins].join(' '),
    parameters,
    where: position ? afterSeveral(names, items, position, course) : sql('TRUE'),
    orderBy: [...names.map(name => `${name} ${direction} ${nullsAt}`), `e.pk ${backwards ? 'DESC' : 'ASC'}`].join(', ')
  }
}

/** `(a, b, pk) > (?, ?, ?)`, written out because a missing value is last in either direction. */
function afterSeveral(
  names: readonly string[],
  items: readonly OrderItem[],
  position: Position,
  { ascending, backwards }: Course
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
