import type { Model } from '#domain/record-types/model.ts'
import { harvestLimits, isTimed, isWanted, joinPage, lastMoment } from '../harvest-page.ts'
import type { HarvestAnswer, HarvestedRecord, HarvestQuery } from '../store.ts'
import { isStorable, type Row, type Statement } from './connection.ts'
import { typesToSql } from './filter-to-sql.ts'
import type { Sql } from './sql.ts'

/**
 * Records as harvesters read them: in the order of creation, deleted ones included, each with the
 * last change of anything shown of it.
 */
export interface HarvestReader {
  harvest(question: HarvestQuery): Promise<HarvestAnswer>
  findHarvested(
    id: string,
    question: Pick<HarvestQuery, 'readableTypes' | 'climbs'>
  ): Promise<HarvestedRecord | undefined>
  harvestState(): Promise<{ last: number; earliest: string | undefined }>
}

const among = '= ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)))'
const numbers = '(SELECT value::bigint AS value FROM jsonb_array_elements_text(?::text::jsonb))'

export function createHarvestReader(
  all: (statement: Statement) => Promise<Row[]>,
  model: Model,
  { mostGathered, mostLookedAt } = harvestLimits
): HarvestReader {
  const typesCondition = (types: readonly string[] | undefined, table: 'e' | 't'): Sql => {
    if (types === undefined || new Set(types).size === model.recordTypes.length) return { text: 'TRUE', parameters: [] }
    const { text, parameters } = typesToSql(types, model)
    return { text: text.replace('e.', `${table}.`), parameters }
  }

  /** Places of records that are there, in order. */
  const livePlaces = async ({ types, after, last }: HarvestQuery, limit: number): Promise<number[]> => {
    const wanted = typesCondition(types, 'e')
    return places(
      await all({
        text: `SELECT e.pk FROM entities e WHERE ${wanted.text} AND e.pk > ? AND e.pk <= ? ORDER BY e.pk LIMIT ?`,
        parameters: [...wanted.parameters, after, last, limit]
      })
    )
  }

  /** The last deletion of everything whose id nothing has now. */
  const deletions = async (condition: string, parameters: readonly (string | number)[]): Promise<HarvestedRecord[]> =>
    (
      await all({
        text: `SELECT v.id, v.type, v.entity_pk AS place, v.at AS stamp, v.changed FROM versions v
          WHERE v.document IS NULL AND ${condition}
          AND NOT EXISTS (SELECT 1 FROM entities l WHERE l.id = v.id)
          AND NOT EXISTS (SELECT 1 FROM versions w WHERE w.id = v.id AND w.changed > v.changed)
          ORDER BY v.entity_pk LIMIT ?`,
        parameters
      })
    ).map(toRecord)

  const deletedRecords = ({ types, after, from, until, began, limit }: HarvestQuery, upTo: number) =>
    deletions(
      `v.entity_pk > ? AND v.entity_pk <= ? AND v.type ${among} AND v.at >= ? AND (v.at <= ? OR v.changed > ?)`,
      [after, upTo, JSON.stringify(types), from ?? '', until ?? lastMoment, began, limit]
    )

  /**
   * What was changed in the time asked for, and everything that shows it; undefined where that is
   * too much to gather.
   */
  const touchedPlaces = async (question: HarvestQuery): Promise<number[] | undefined> => {
    const readable = typesCondition(question.readableTypes, 'e')
    const { from = '', until, began } = question
    const select = `SELECT e.pk FROM entities e WHERE ${readable.text} AND`
    const since = until === undefined ? '' : ` UNION ALL ${select} e.changed > ?`
    const changed = places(
      await all({
        text: `${select} e.updated_at BETWEEN ? AND ?${since} LIMIT ?`,
        parameters: [
          ...[...readable.parameters, from, until ?? lastMoment],
          ...(since === '' ? [] : [...readable.parameters, began]),
          mostGathered + 1
        ]
      })
    )
    const touched = new Set(changed)
    let fresh = changed
    // First what names it or shows it, by any relation; then what shows those.
    for (let climbs: readonly string[] | undefined; fresh.length > 0; climbs = question.climbs) {
      if (touched.size > mostGathered) return undefined
      const found = places(
        await all({
          text: `SELECT DISTINCT r.entity_pk AS pk FROM ${numbers} t
            JOIN identifiers i ON i.entity_pk = t.value
            JOIN relations r ON r.target = i.identifier ${climbs ? `AND r.type ${among}` : ''} LIMIT ?`,
          parameters: [JSON.stringify(fresh), ...(climbs ? [JSON.stringify(climbs)] : []), mostGathered + 1]
        })
      )
      fresh = found.filter(pk => !touched.has(pk))
      for (const pk of fresh) touched.add(pk)
    }
    return [...touched]
  }

  /** Records by their places, with their stamps. */
  const stamped = async (
    pks: readonly number[],
    { readableTypes, climbs }: Pick<HarvestQuery, 'readableTypes' | 'climbs'>
  ): Promise<HarvestedRecord[]> => {
    if (pks.length === 0) return []
    const shown = typesCondition(readableTypes, 't')
    const rows = await all({
      text: `WITH RECURSIVE rung (item, pk) AS (
          SELECT value, value FROM ${numbers} given
          UNION SELECT rung.item, t.pk FROM rung
            JOIN relations r ON r.entity_pk = rung.pk AND r.type ${among}
            JOIN identifiers i ON i.identifier = r.target
            JOIN entities t ON t.pk = i.entity_pk AND ${shown.text}
        ), shown (item, stamp, changed) AS (
          SELECT rung.item, t.updated_at, t.changed FROM rung JOIN entities t ON t.pk = rung.pk
          UNION ALL SELECT rung.item, t.updated_at, t.changed FROM rung
            JOIN relations r ON r.entity_pk = rung.pk
            JOIN identifiers i ON i.identifier = r.target
            JOIN entities t ON t.pk = i.entity_pk AND ${shown.text}
        )
        SELECT e.id, e.type, e.pk AS place, s.stamp, s.changed, e.document AS json
        FROM (SELECT item, max(stamp) AS stamp, max(changed) AS changed FROM shown GROUP BY item) s JOIN entities e ON e.pk = s.item ORDER BY e.pk`,
      parameters: [JSON.stringify(pks), JSON.stringify(climbs), ...shown.parameters, ...shown.parameters]
    })
    return rows.map(toRecord)
  }

  return {
    async harvest(question) {
      const { after, last, limit } = question
      const touched = isTimed(question) ? await touchedPlaces(question) : undefined
      const most = isTimed(question) ? mostLookedAt : limit
      const candidates = touched
        ? touched.filter(pk => pk > after && pk <= last).sort((one, other) => one - other)
        : await livePlaces(question, most)
      const live: HarvestedRecord[] = []
      let looked = 0
      while (looked < candidates.length && live.length < limit) {
        const some = candidates.slice(looked, looked + limit)
        looked += some.length
        live.push(...(await stamped(some, question)).filter(isWanted(question)))
      }
      const isEnd = looked === candidates.length && (touched !== undefined || candidates.length < most)
      const liveUpTo = isEnd ? last : (candidates[looked - 1] ?? last)
      return joinPage(question, live, liveUpTo, await deletedRecords(question, liveUpTo))
    },

    async findHarvested(id, question) {
      if (!isStorable(id)) return undefined
      const [live] = await all({ text: 'SELECT pk FROM entities WHERE id = ?', parameters: [id] })
      const found = live ? await stamped([Number(live.pk)], question) : await deletions('v.id = ?', [id, 1])
      return found[0]
    },

    async harvestState() {
      const [row] = await all({
        text: `SELECT (SELECT entity FROM counters) AS last,
          (SELECT min(at) FROM (SELECT min(updated_at) AS at FROM entities
            UNION ALL SELECT min(at) FROM versions WHERE document IS NULL) moments) AS earliest`,
        parameters: []
      })
      return { last: Number(row?.last), earliest: typeof row?.earliest === 'string' ? row.earliest : undefined }
    }
  }
}

const places = (rows: readonly Row[]) => rows.map(row => Number(row.pk))

const toRecord = (row: Row): HarvestedRecord => ({
  id: String(row.id),
  type: String(row.type),
  place: Number(row.place),
  stamp: String(row.stamp),
  changed: Number(row.changed),
  json: typeof row.json === 'string' ? row.json : null
})
