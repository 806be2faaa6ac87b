import type { EntityStore, Identified, StoredEntity } from '../ports/entities.ts'
import type { HistoryStore } from '../ports/history.ts'
import { entityColumns as columns, toMerge, toOutcome } from '../rows.ts'
import { isStorable, type Row, storableList } from './connection.ts'
import { selectOutcome } from './prefetched-rows.ts'
import type { Statements } from './statements.ts'
import { anyOf } from './write-rows.ts'

const identified = 'FROM identifiers i JOIN entities e ON e.pk = i.entity_pk WHERE i.identifier'

// By key, each of them: in a database that was empty when the statement was first used, a join
// would read all entities until the server has counted them. OFFSET 0 keeps it from becoming one.
const eachIdentified = `FROM identifiers i CROSS JOIN LATERAL (SELECT * FROM entities o WHERE o.pk = i.entity_pk OFFSET 0) e
  WHERE i.identifier`

/** Reads by identifier, on shared connections. */
export const createPointReads = ({
  first,
  read
}: Statements): Omit<EntityStore, 'write'> & Pick<HistoryStore, 'findMerge'> => ({
  findEntity: async identifier =>
    (await first(`SELECT ${columns} ${identified} = ?`, identifier)) as unknown as StoredEntity | undefined,
  findEntities: async identifiers =>
    byIdentifier<StoredEntity>(
      identifiers,
      await read(`SELECT i.identifier, ${columns} ${eachIdentified} ${anyOf}`, [storableList(identifiers)])
    ),
  findClimbing: async (identifier, links) =>
    isStorable(identifier)
      ? ((await read(
          `WITH RECURSIVE climbed (step, pk) AS (
             SELECT 0, i.entity_pk FROM identifiers i WHERE i.identifier = ?
             UNION ALL SELECT c.step + 1, i.entity_pk FROM climbed c CROSS JOIN LATERAL (
               SELECT r.target FROM relations r WHERE r.entity_pk = c.pk AND r.type = ?::text::jsonb ->> c.step ORDER BY r.position LIMIT 1
             ) t JOIN identifiers i ON i.identifier = t.target
           ) SELECT ${columns} FROM climbed c CROSS JOIN LATERAL (SELECT * FROM entities o WHERE o.pk = c.pk OFFSET 0) e ORDER BY c.step`,
          [identifier, JSON.stringify(links)]
        )) as unknown as readonly StoredEntity[])
      : [],
  identify: async identifiers =>
    byIdentifier<Identified>(
      identifiers,
      await read(`SELECT i.identifier, e.id, e.type ${eachIdentified} ${anyOf}`, [storableList(identifiers)])
    ),
  lookUp: async (key, values, type = '') =>
    (await read(
      `SELECT ${columns} FROM lookups l JOIN entities e ON e.pk = l.entity_pk
       WHERE l.key = ? AND l.value ${anyOf} AND (? = '' OR l.type = ?) ORDER BY e.pk LIMIT 1000`,
      [key, storableList(values), type, type]
    )) as unknown as readonly StoredEntity[],
  async findOutcome(scope, key) {
    const row = await first(selectOutcome, scope, key)
    return row && toOutcome(row, Date.now())
  },
  async findMerge(survivorId, victimId = '') {
    const row = await first(
      `SELECT m.number, m.survivor_id, m.victim_id, m.written, m.undone FROM identifiers i JOIN entities e ON e.pk = i.entity_pk
       JOIN merges m ON m.survivor_uuid = e.uuid AND m.undone IS NULL
       WHERE i.identifier = ? AND (? = '' OR m.victim_id = ?) ORDER BY m.number DESC LIMIT 1`,
      ...[survivorId, victimId, victimId]
    )
    return row && toMerge(row)
  }
})

/** Sorts rows into the order of the identifiers; the server returns them in any. */
function byIdentifier<T>(identifiers: readonly string[], rows: readonly Row[]): ReadonlyMap<string, T> {
  const found = new Map(rows.map(row => [String(row.identifier), row as T]))
  const inOrder = new Map<string, T>()
  for (const identifier of identifiers) {
    const row = found.get(identifier)
    if (row !== undefined) inOrder.set(identifier, row)
  }
  return inOrder
}
