import type { Session } from './dialect.ts'
import { type Sql, sql } from './sql.ts'

/**
 * A condition on `entities e`. One type, or all types under an umbrella, is one range of an index,
 * already in order; any other set is several.
 */
export function typesToSql(types: readonly string[], { dialect, model }: Pick<Session, 'dialect' | 'model'>): Sql {
  const distinct = [...new Set(types)]
  const [first] = distinct
  if (first !== undefined && distinct.length === 1) return sql('e.type = ?', first)
  const umbrella = first === undefined ? undefined : model.umbrellaOf(first)
  const isWholeUmbrella =
    umbrella !== undefined &&
    distinct.every(type => model.findType(type)?.umbrella === umbrella) &&
    distinct.length === model.typesNamed(umbrella).length
  if (isWholeUmbrella) return sql('e.umbrella = ?', umbrella)
  return sql(`e.type ${dialect.inList()}`, JSON.stringify(distinct))
}
