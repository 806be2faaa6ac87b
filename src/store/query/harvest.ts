import type { HarvestedRecord, HarvestPage, HarvestQuery, HarvestState, ShownRecords } from '../ports/harvest.ts'
import { partedKind } from '../rows.ts'
import { typesToSql } from './types-to-sql.ts'
import type { Row, Session } from './dialect.ts'
import { type Sql, sql } from './sql.ts'

/**
 * Queries of harvesters: records in the order of creation, deleted ones included, each with the
 * last change of everything shown with it.
 */
export interface HarvestReader {
  harvest(query: HarvestQuery): Promise<HarvestPage>
  findHarvested(id: string, query: ShownRecords): Promise<HarvestedRecord | undefined>
  harvestState(): Promise<HarvestState>
}

export function createHarvestReader(session: Session, { maxGathered, maxInspected } = harvestLimits): HarvestReader {
  const { dialect, run } = session
  const { join } = dialect
  /** Keys of existing records, in order. */
  const liveKeys = async ({ types, after, last }: HarvestQuery, limit: number): Promise<number[]> => {
    const wanted = typesCondition(session, types, 'e')
    return keysOf(
      await run({
        text: `SELECT e.pk FROM entities e WHERE ${wanted.text} AND e.pk > ? AND e.pk <= ? ORDER BY e.pk LIMIT ?`,
        parameters: [...wanted.parameters, after, last, limit]
      })
    )
  }

  /** The last deletion of each id that no record has now. */
  const deletions = async (condition: string, parameters: readonly (string | number)[]): Promise<HarvestedRecord[]> => {
    const rows = await run({
      text: `SELECT v.id, v.type, v.entity_pk AS place, v.at AS stamp, v.changed FROM versions v
        WHERE v.document IS NULL AND v.changed > 0 AND ${condition}
        AND NOT EXISTS (SELECT 1 FROM entities l WHERE l.id = v.id)
        AND NOT EXISTS (SELECT 1 FROM versions w WHERE w.id = v.id AND w.changed > v.changed)
        ORDER BY v.entity_pk LIMIT ?`,
      parameters
    })
    return rows.map(toRecord)
  }

  const deletedRecords = ({ types, after, from, until, began, limit }: HarvestQuery, upTo: number) =>
    deletions(
      `v.entity_pk > ? AND v.entity_pk <= ? AND v.type ${dialect.inList()} AND v.at >= ? AND (v.at <= ? OR v.changed > ?)`,
      [after, upTo, JSON.stringify(types), from ?? '', until ?? lastMoment, began, limit]
    )

  /** Records by their keys, with the last change of everything shown with each. */
  const stamped = async (
    pks: readonly number[],
    { readableTypes, climbs, parts }: ShownRecords
  ): Promise<HarvestedRecord[]> => {
    if (pks.length === 0) return []
    const shown = typesCondition(session, readableTypes, 't')
    const rows = await run({
      text: `WITH RECURSIVE rung (item, pk) AS (
          SELECT value, value FROM ${dialect.listedNumbers} given
          UNION SELECT rung.item, t.pk FROM rung
            ${join} relations r ON r.entity_pk = rung.pk AND r.type ${dialect.inList()}
            ${join} identifiers i ON i.identifier = r.target
            ${join} entities t ON t.pk = i.entity_pk AND ${shown.text}
        ), whole (item, pk) AS (
          SELECT item, pk FROM rung
          UNION SELECT rung.item, t.pk FROM rung
            ${join} identifiers i ON i.entity_pk = rung.pk
            ${join} relations r ON r.target = i.identifier AND r.type ${dialect.inList()}
            ${join} entities t ON t.pk = r.entity_pk AND ${shown.text}
        ), shown (item, stamp, changed) AS (
          SELECT whole.item, t.updated_at, t.changed FROM whole ${join} entities t ON t.pk = whole.pk
          UNION ALL SELECT whole.item, t.updated_at, t.changed FROM whole
            ${join} relations r ON r.entity_pk = whole.pk
            ${join} identifiers i ON i.identifier = r.target
            ${join} entities t ON t.pk = i.entity_pk AND ${shown.text}
          UNION ALL SELECT rung.item, substr(p.value, 1, 24), CAST(substr(p.value, 26) AS BIGINT) FROM rung
            ${join} identifiers i ON i.entity_pk = rung.pk
            ${join} papers p ON p.key = i.identifier AND p.kind ${dialect.inList()}
        )
        SELECT e.id, e.type, e.pk AS place, s.stamp, s.changed, e.document AS json
        FROM (SELECT item, max(stamp) AS stamp, max(changed) AS changed FROM shown GROUP BY item) s JOIN entities e ON e.pk = s.item ORDER BY e.pk`,
      parameters: [
        ...[JSON.stringify(pks), JSON.stringify(climbs), ...shown.parameters],
        ...[JSON.stringify(parts), ...shown.parameters, ...shown.parameters, kindsOf(parts)]
      ]
    })
    return rows.map(toRecord)
  }

  return {
    async harvest(query) {
      const { after, last, limit } = query
      const touched = isTimed(query) ? await touchedKeys(session, query, maxGathered) : undefined
      const maxKeys = isTimed(query) ? maxInspected : limit
      const candidates = touched
        ? touched.filter(pk => pk > after && pk <= last).sort((one, other) => one - other)
        : await liveKeys(query, maxKeys)
      const live: HarvestedRecord[] = []
      let inspected = 0
      while (inspected < candidates.length && live.length < limit) {
        const some = candidates.slice(inspected, inspected + limit)
        inspected += some.length
        live.push(...(await stamped(some, query)).filter(isWanted(query)))
      }
      const isEnd = inspected === candidates.length && (touched !== undefined || candidates.length < maxKeys)
      const liveUpTo = isEnd ? last : (candidates[inspected - 1] ?? last)
      return joinPage(query, live, liveUpTo, await deletedRecords(query, liveUpTo))
    },

    async findHarvested(id, query) {
      if (!dialect.isStorable(id)) return undefined
      const [live] = await run(sql('SELECT pk FROM entities WHERE id = ?', id))
      const found = live ? await stamped([Number(live.pk)], query) : await deletions('v.id = ?', [id, 1])
      return found[0]
    },

    async harvestState() {
      const [row] = await run(
        sql(`SELECT ${dialect.newestEntity} AS last,
          (SELECT min(at) FROM (SELECT min(updated_at) AS at FROM entities
            UNION ALL SELECT min(at) FROM versions WHERE document IS NULL AND changed > 0) moments) AS earliest`)
      )
      return { last: Number(row?.last), earliest: typeof row?.earliest === 'string' ? row.earliest : undefined }
    }
  }
}

const kindsOf = (parts: readonly string[]) => JSON.stringify(parts.map(partedKind))

const keysOf = (rows: readonly Row[]) => rows.map(row => Number(row.pk))

const toRecord = (row: Row): HarvestedRecord => ({
  id: String(row.id),
  type: String(row.type),
  place: Number(row.place),
  stamp: String(row.stamp),
  changed: Number(row.changed),
  json: typeof row.json === 'string' ? row.json : null
})

const harvestLimits = {
  /**
   * Maximum number of changed records, with all records that show them, that are gathered to find
   * the changes of a period; where there are more, the records are inspected one after the other.
   * Either way one answer takes at most some tenths of a second.
   */
  maxGathered: 20_000,
  /** Maximum number of records inspected for one answer. */
  maxInspected: 5000
}
/** Later than any stored moment. */
const lastMoment = '9999'

const isTimed = ({ from, until }: HarvestQuery) => from !== undefined || until !== undefined

/** Tells whether an inspected record belongs to the answer. */
function isWanted({
  types,
  from,
  until,
  allowsLaterStamps = false,
  began
}: HarvestQuery): (record: HarvestedRecord) => boolean {
  const wanted = new Set(types)
  return ({ type, stamp, changed }) =>
    wanted.has(type) &&
    (from === undefined || stamp >= from) &&
    (until === undefined || allowsLaterStamps || stamp <= until || changed > began)
}

/** Merges existing and deleted records into one order, as far as both were inspected. */
function joinPage(
  { after, limit }: HarvestQuery,
  live: readonly HarvestedRecord[],
  liveUpTo: number,
  deleted: readonly HarvestedRecord[]
): HarvestPage {
  const deletedUpTo = deleted.length < limit ? liveUpTo : (deleted.at(-1)?.place ?? liveUpTo)
  const upTo = Math.min(liveUpTo, deletedUpTo)
  const records = [...live, ...deleted]
    .filter(({ place }) => place <= upTo)
    .sort((one, other) => one.place - other.place)
  const page = records.slice(0, limit)
  return { records: page, readUpTo: page.length < records.length ? (page.at(-1)?.place ?? after) : upTo }
}

function typesCondition(session: Session, types: readonly string[] | undefined, table: 'e' | 't'): Sql {
  if (types === undefined || new Set(types).size === session.model.recordTypes.length) return sql('TRUE')
  const { text, parameters } = typesToSql(types, session)
  return { text: text.replace('e.', `${table}.`), parameters }
}

/**
 * Keys of the records that changed in the period, and of all records that show them; undefined
 * where these are too many to gather.
 */
async function touchedKeys(session: Session, query: HarvestQuery, maxGathered: number): Promise<number[] | undefined> {
  const { dialect, run } = session
  const readable = typesCondition(session, query.readableTypes, 'e')
  const { from = '', until, began } = query
  const select = `SELECT e.pk FROM entities e WHERE ${readable.text} AND`
  const since = until === undefined ? '' : ` UNION ALL ${select} e.changed > ?`
  const changed = keysOf(
    await run({
      text: `${select} e.updated_at BETWEEN ? AND ?${since} LIMIT ?`,
      parameters: [
        ...[...readable.parameters, from, until ?? lastMoment],
        ...(since === '' ? [] : [...readable.parameters, began]),
        maxGathered + 1
      ]
    })
  )
  const parted = keysOf(
    await run({
      text: `SELECT i.entity_pk AS pk FROM papers p ${dialect.join} identifiers i ON i.identifier = p.key
        WHERE p.kind ${dialect.inList()} AND (p.value BETWEEN ? AND ? OR CAST(substr(p.value, 26) AS BIGINT) > ?) LIMIT ?`,
      parameters: [kindsOf(query.parts), from, `${until ?? lastMoment}~`, began, maxGathered + 1]
    })
  )
  const touched = new Set([...changed, ...parted])
  let fresh = changed
  // First the records that refer to them by any relation; then the records that show those, and the
  // records that these are parts of.
  for (let climbs: readonly string[] | undefined; fresh.length > 0; climbs = query.climbs) {
    if (touched.size > maxGathered) return undefined
    const wholes = keysOf(
      await run({
        text: `SELECT DISTINCT i.entity_pk AS pk FROM ${dialect.listedNumbers} t
          ${dialect.join} relations r ON r.entity_pk = t.value AND r.type ${dialect.inList()}
          ${dialect.join} identifiers i ON i.identifier = r.target LIMIT ?`,
        parameters: [JSON.stringify(fresh), JSON.stringify(query.parts), maxGathered + 1]
      })
    )
    const found = keysOf(
      await run({
        text: `SELECT DISTINCT r.entity_pk AS pk FROM ${dialect.listedNumbers} t
          ${dialect.join} identifiers i ON i.entity_pk = t.value
          ${dialect.join} relations r ON r.target = i.identifier ${climbs ? `AND r.type ${dialect.inList()}` : ''} LIMIT ?`,
        parameters: [JSON.stringify(fresh), ...(climbs ? [JSON.stringify(climbs)] : []), maxGathered + 1]
      })
    )
    fresh = [...found, ...wholes].filter(pk => !touched.has(pk))
    for (const pk of fresh) touched.add(pk)
  }
  return [...touched]
}
