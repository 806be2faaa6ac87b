import type { ReferencePage, ReferenceQuery } from '../ports/queries.ts'
import { typesToSql } from './filter-to-sql.ts'
import { limitsToSql } from './limits-to-sql.ts'
import type { Session } from './dialect.ts'
import { sql } from './sql.ts'

/** Lists the relations that point to an entity, in the order of creation, and counts them. */
export async function findReferences(session: Session, query: ReferenceQuery): Promise<ReferencePage> {
  const { dialect, run } = session
  const { id, relationTypes, readableTypes, limits, limit, skip } = query
  if (!dialect.isStorable(id)) return { count: 0, countByType: {}, references: [] }
  const readable = readableTypes ? typesToSql(readableTypes, session) : sql('TRUE')
  const limited = limitsToSql(dialect, 'e', limits)
  // Entities are joined only where their type decides, and for the page itself.
  const from = `FROM relations r ${readableTypes ? `${dialect.join} entities e ON e.pk = r.entity_pk` : ''}
    WHERE r.target ${dialect.inSelect(
      'SELECT ti.identifier FROM identifiers ti WHERE ti.entity_pk = (SELECT i.entity_pk FROM identifiers i WHERE i.identifier = ?)'
    )}
    AND (? = '' OR r.type ${dialect.inList()}) AND ${readable.text} AND ${limited.text}`
  const wanted = relationTypes ? dialect.toList(relationTypes) : ''
  const parameters = [id, wanted, wanted === '' ? '[]' : wanted, ...readable.parameters, ...limited.parameters]
  const [counts, rows] = await Promise.all([
    run({ text: `SELECT r.type, count(*) AS n ${from} GROUP BY r.type ORDER BY r.type`, parameters }),
    run({
      text: `SELECT e.id, e.type, page.type AS relation_type FROM (
          SELECT r.entity_pk, r.position, r.type ${from}
          ORDER BY ${dialect.unindexed('r.entity_pk')}, r.position LIMIT ? OFFSET ?
        ) page ${dialect.join} entities e ON e.pk = page.entity_pk ORDER BY page.entity_pk, page.position`,
      parameters: [...parameters, limit, skip]
    })
  ])
  return {
    count: counts.reduce((sum, row) => sum + Number(row.n), 0),
    countByType: Object.fromEntries(counts.map(row => [String(row.type), Number(row.n)])),
    references: rows.map(row => ({
      id: String(row.id),
      type: String(row.type),
      relationType: String(row.relation_type)
    }))
  }
}
