import type { Model } from '#domain/record-types/model.ts'
import { harvestLimits, isTimed, isWanted, joinPage, lastMoment } from '../harvest-page.ts'
import type { HarvestAnswer, HarvestedRecord, HarvestQuery } from '../store.ts'
import { typesToSql } from './filter-to-sql.ts'
import type { Sql } from './sql.ts'

/**
 * Records as harvesters read them: in the order of creation, deleted ones included, each with the
 * last change of anything shown of it.
 */
export interface HarvestReader {
  harvest(question: HarvestQuery): HarvestAnswer
  findHarvested(id: string, question: Pick<HarvestQuery, 'readableTypes' | 'climbs'>): HarvestedRecord | undefined
  harvestState(): { last: number; earliest: string | undefined }
}

type Row = Record<string, unknown>

const among = 'IN (SELECT value FROM json_each(?))'

export function createHarvestReader(
  all: (statement: Sql) => Row[],
  model: Model,
  { mostGathered, mostLookedAt } = harvestLimits
): HarvestReader {
  const typesCondition = (types: readonly string[] | undefined, table: 'e' | 't'): Sql => {
    if (types === undefined || new Set(types).size === model.recordTypes.length) return { text: '1', parameters: [] }
    const { text, parameters } = typesToSql(types, model)
    return { text: text.replace('e.', `${table}.`), parameters }
  }

  /** Places of records that are there, in order. */
  const livePlaces = ({ types, after, last }: HarvestQuery, limit: number): number[] => {
    const wanted = typesCondition(types, 'e')
    return places(
      all({
        text: `SELECT e.pk FROM entities e WHERE ${wanted.text} AND e.pk > ? AND e.pk <= ? ORDER BY e.pk LIMIT ?`,
        parameters: [...wanted.parameters, after, last, limit]
      })
    )
  }

  /** The last deletion of everything whose id nothing has now. */
  const deletions = (condition: string, parameters: readonly (string | number)[]): HarvestedRecord[] =>
    all({
      text: `SELECT v.id, v.type, v.entity_pk AS place, v.at AS stamp, v.changed, NULL AS json FROM versions v
        WHERE v.document IS NULL AND ${condition}
        AND NOT EXISTS (SELECT 1 FROM entities l WHERE l.id = v.id)
        AND NOT EXISTS (SELECT 1 FROM versions w WHERE w.id = v.id AND w.changed > v.changed)
        ORDER BY v.entity_pk LIMIT ?`,
      parameters
    }) as unknown as HarvestedRecord[]

  const deletedRecords = ({ types, after, from, until, began, limit }: HarvestQuery, upTo: number) =>
    deletions(
      `v.entity_pk > ? AND v.entity_pk <= ? AND v.type ${among} AND v.at >= ? AND (v.at <= ? OR v.changed > ?)`,
      [after, upTo, JSON.stringify(types), from ?? '', until ?? lastMoment, began, limit]
    )

  /**
   * What was changed in the time asked for, and everything that shows it; undefined where that is
   * too much to gather.
   */
  const touchedPlaces = (question: HarvestQuery): number[] | undefined => {
    const readable = typesCondition(question.readableTypes, 'e')
    const { from = '', until, began } = question
    const select = `SELECT e.pk FROM entities e WHERE ${readable.text} AND`
    const since = until === undefined ? '' : ` UNION ALL ${select} e.changed > ?`
    const changed = places(
      all({
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
        all({
          text: `SELECT DISTINCT r.entity_pk AS pk FROM json_each(?) t
            CROSS JOIN identifiers i ON i.entity_pk = t.value
            CROSS JOIN relations r ON r.target = i.identifier ${climbs ? `AND r.type ${among}` : ''} LIMIT ?`,
          parameters: [JSON.stringify(fresh), ...(climbs ? [JSON.stringify(climbs)] : []), mostGathered + 1]
        })
      )
      fresh = found.filter(pk => !touched.has(pk))
      for (const pk of fresh) touched.add(pk)
    }
    return [...touched]
  }

  /** Records by their places, with their stamps. */
  const stamped = (
    pks: readonly number[],
    { readableTypes, climbs }: Pick<HarvestQuery, 'readableTypes' | 'climbs'>
  ): HarvestedRecord[] => {
    if (pks.length === 0) return []
    const shown = typesCondition(readableTypes, 't')
    return all({
      text: `WITH RECURSIVE rung (item, pk) AS (
          SELECT value, value FROM json_each(?)
          UNION SELECT rung.item, t.pk FROM rung
            CROSS JOIN relations r ON r.entity_pk = rung.pk AND r.type ${among}
            CROSS JOIN identifiers i ON i.identifier = r.target
            CROSS JOIN entities t ON t.pk = i.entity_pk AND ${shown.text}
        ), shown (item, stamp, changed) AS (
          SELECT rung.item, t.updated_at, t.changed FROM rung CROSS JOIN entities t ON t.pk = rung.pk
          UNION ALL SELECT rung.item, t.updated_at, t.changed FROM rung
            CROSS JOIN relations r ON r.entity_pk = rung.pk
            CROSS JOIN identifiers i ON i.identifier = r.target
            CROSS JOIN entities t ON t.pk = i.entity_pk AND ${shown.text}
        )
        SELECT e.id, e.type, e.pk AS place, s.stamp, s.changed, e.document AS json
        FROM (SELECT item, max(stamp) AS stamp, max(changed) AS changed FROM shown GROUP BY item) s JOIN entities e ON e.pk = s.item ORDER BY e.pk`,
      parameters: [JSON.stringify(pks), JSON.stringify(climbs), ...shown.parameters, ...shown.parameters]
    }) as unknown as HarvestedRecord[]
  }

  return {
    harvest(question) {
      const { after, last, limit } = question
      const touched = isTimed(question) ? touchedPlaces(question) : undefined
      const most = isTimed(question) ? mostLookedAt : limit
      const candidates = touched
        ? touched.filter(pk => pk > after && pk <= last).sort((one, other) => one - other)
        : livePlaces(question, most)
      const live: HarvestedRecord[] = []
      let looked = 0
      while (looked < candidates.length && live.length < limit) {
        const some = candidates.slice(looked, looked + limit)
        looked += some.length
        live.push(...stamped(some, question).filter(isWanted(question)))
      }
      const isEnd = looked === candidates.length && (touched !== undefined || candidates.length < most)
      const liveUpTo = isEnd ? last : (candidates[looked - 1] ?? last)
      return joinPage(question, live, liveUpTo, deletedRecords(question, liveUpTo))
    },

    findHarvested(id, question) {
      const [live] = all({ text: 'SELECT pk FROM entities WHERE id = ?', parameters: [id] })
      return live ? stamped([Number(live.pk)], question)[0] : deletions('v.id = ?', [id, 1])[0]
    },

    harvestState() {
      const [row] = all({
        text: `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'entities'), 0) AS last,
          (SELECT min(at) FROM (SELECT min(updated_at) AS at FROM entities
            UNION ALL SELECT min(at) FROM versions WHERE document IS NULL)) AS earliest`,
        parameters: []
      })
      return { last: Number(row?.last), earliest: typeof row?.earliest === 'string' ? row.earliest : undefined }
    }
  }
}

const places = (rows: readonly Row[]) => rows.map(row => Number(row.pk))
