import type { ReadLimit } from '#domain/permissions.ts'
import type { Dialect } from './dialect.ts'
import { type Sql, sql } from './sql.ts'

/**
 * A condition on `entities`, under its alias in the statement: the entity is of no type that has
 * limits, or within them; and a part of such a record is a part of one within them.
 */
export function limitsToSql(dialect: Dialect, table: 'e' | 'h', limits: readonly ReadLimit[] = []): Sql {
  const conditions = limits.flatMap(({ type, field, values, parts }) => {
    const within = `lv.key = ? AND lv.position = 0 AND lv.text ${dialect.inList()}`
    const parameters = [field, JSON.stringify(values)]
    return [
      sql(
        `(${table}.type <> ? OR EXISTS (SELECT 1 FROM field_values lv WHERE lv.entity_pk = ${table}.pk AND ${within}))`,
        type,
        ...parameters
      ),
      ...parts.map(part =>
        sql(
          `(${table}.type <> ? OR EXISTS (SELECT 1 FROM relations lr JOIN identifiers li ON li.identifier = lr.target
            JOIN entities le ON le.pk = li.entity_pk JOIN field_values lv ON lv.entity_pk = le.pk
            WHERE lr.entity_pk = ${table}.pk AND lr.type = ? AND le.type = ? AND ${within}))`,
          part.type,
          part.relation,
          type,
          ...parameters
        )
      )
    ]
  })
  return {
    text: ['TRUE', ...conditions.map(each => each.text)].join(' AND '),
    parameters: conditions.flatMap(each => each.parameters)
  }
}
