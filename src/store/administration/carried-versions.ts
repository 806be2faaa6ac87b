import type { Entity } from '#domain/entity/entity.ts'
import type { CarriedOutcome, CarriedVersion } from '../ports/history.ts'
import { insertRows } from '../query/derived-rows.ts'
import type { Dialect } from '../query/dialect.ts'
import { sql } from '../query/sql.ts'
import type { Steps } from './steps.ts'

const keyOf = (uuid: unknown, version: unknown) => `${uuid} ${version}`

/** The transaction that stores versions of another catalogue; their change has the number 0. */
export const carryingTransactions = (dialect: Dialect) => ({
  *carryVersions(versions: readonly CarriedVersion[]): Steps<CarriedOutcome[]> {
    // No other process may create one of the entities meanwhile.
    yield sql(dialect.lockChanges)
    const names = dialect.toList([...new Set(versions.flatMap(({ uuid, id }) => [uuid, id]))])
    const own = new Set<unknown>()
    for (const column of ['uuid', 'id'])
      for (const row of yield sql(
        `SELECT e.${column} AS name FROM entities e WHERE e.${column} ${dialect.inList()}
          UNION SELECT v.${column} FROM versions v WHERE v.${column} ${dialect.inList()} AND v.changed > 0`,
        ...[names, names]
      ))
        own.add(row.name)
    const known = new Map(
      (yield sql(
        `SELECT uuid, version, at, by FROM versions WHERE uuid ${dialect.inList()} AND changed = 0`,
        names
      )).map(row => [keyOf(row.uuid, row.version), keyOf(row.at, row.by)])
    )
    const outcomes = versions.map(({ uuid, id, version, at, by }): CarriedOutcome => {
      const stamp = known.get(keyOf(uuid, version))
      if (stamp !== undefined) return stamp === keyOf(at, by) ? 'known' : 'refused'
      if (own.has(uuid) || own.has(id)) return 'refused'
      known.set(keyOf(uuid, version), keyOf(at, by))
      return 'stored'
    })
    const stored = versions.filter((_, index) => outcomes[index] === 'stored')
    if (stored.length === 0) return outcomes
    const rows = stored.map(({ uuid, version, id, type, at, by, json, mergedInto }) => ({
      ...{ uuid, version, id, type, changed: 0, at, by },
      ...{ document: json, merged_into: mergedInto, entity_pk: null }
    }))
    yield sql(insertRows(dialect, 'versions'), JSON.stringify(rows))
    const former = stored.flatMap(({ uuid, id, json }) =>
      json === null
        ? []
        : (JSON.parse(json) as Entity).identifiers
            .filter(each => each !== id && each !== uuid)
            .map(identifier => ({ identifier, uuid }))
    )
    yield sql(insertRows(dialect, 'names', 'ON CONFLICT DO NOTHING'), JSON.stringify(former))
    return outcomes
  }
})
