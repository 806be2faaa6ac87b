import type { GrowthQuery } from '../store.ts'
import { limitsToSql } from './limits-to-sql.ts'
import type { Sql } from './sql.ts'

/**
 * Records by month of creation and type. The index has both, so that no record is read where the
 * server knows that its index is up to date.
 */
export function growthToSql({ readableTypes, limits }: GrowthQuery): Sql {
  const limited = limitsToSql('e', limits)
  const isReadable = readableTypes ? 'e.type = ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)))' : 'TRUE'
  return {
    text: `SELECT left(e.created_at, 7) AS month, e.type, count(*) AS n FROM entities e
      WHERE ${isReadable} AND ${limited.text} GROUP BY 1, 2 ORDER BY 1, 2`,
    parameters: [...(readableTypes ? [JSON.stringify(readableTypes)] : []), ...limited.parameters]
  }
}
