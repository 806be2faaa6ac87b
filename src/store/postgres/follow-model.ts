import type { Entity } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import { rulesText } from '#domain/search/index-rules.ts'
import {
  droppedTypes,
  planIndexing,
  progressName,
  progressText,
  recordsWithoutType,
  rulesName
} from '../index-progress.ts'
import type { Link } from './connection.ts'
import { anyOf, insertLookups, lookupRows } from './write-rows.ts'

/** Number of entities indexed in one transaction. */
const stepSize = 500

/**
 * Stores the rules by which the lookups of a new database are written. A database without stored
 * rules was written by these.
 */
export async function storeRules(link: Link, model: Model): Promise<void> {
  const [stored] = await link.run('SELECT 1 FROM properties WHERE name = ?', [rulesName])
  if (stored) return
  await link.run('INSERT INTO properties VALUES (?, ?) ON CONFLICT DO NOTHING', [rulesName, rulesText(model)])
}

/**
 * Writes the lookups again that follow another model (index-progress.ts). Processes that start
 * together share the work; none serves until it is done.
 */
export async function followModel(link: Link, model: Model): Promise<void> {
  const propertyOf = async (name: string, lock: string) => {
    const [row] = await link.run(`SELECT value FROM properties WHERE name = ? ${lock}`, [name])
    return row?.value as string | undefined
  }
  const plan = async (lock: string) =>
    planIndexing(model, await propertyOf(rulesName, lock), await propertyOf(progressName, ''))
  if (!(await plan(''))) return
  const dropped: string[] = []
  for (const type of droppedTypes(model, await propertyOf(rulesName, ''))) {
    if ((await link.run('SELECT 1 FROM entities WHERE type = ? LIMIT 1', [type])).length > 0) dropped.push(type)
  }
  if (dropped.length > 0) throw recordsWithoutType(dropped)
  for (;;) {
    await link.run('BEGIN')
    try {
      const left = await plan('FOR UPDATE')
      const rows = left
        ? await link.run(
            `SELECT pk, document FROM entities WHERE type ${anyOf} AND pk <= ? ORDER BY pk DESC LIMIT ${stepSize} FOR SHARE`,
            [JSON.stringify(left.types), left.from]
          )
        : []
      const step = rows.map(row => ({ pk: Number(row.pk), entity: JSON.parse(String(row.document)) as Entity }))
      if (left?.from === Number.MAX_SAFE_INTEGER)
        await link.run(`DELETE FROM lookups WHERE type ${anyOf}`, [JSON.stringify(left.types)])
      const lookups = step.flatMap(({ pk, entity }) => lookupRows(model, pk, entity, entity.audit.created.by))
      await link.run(insertLookups, [JSON.stringify(lookups)])
      const last = step.at(-1)
      if (left) await link.run('DELETE FROM properties WHERE name = ?', [progressName])
      if (left && last)
        await link.run('INSERT INTO properties VALUES (?, ?)', [progressName, progressText(left, last.pk)])
      if (left && !last) {
        for (const type of left.types)
          await link.run('UPDATE entities SET umbrella = ? WHERE type = ? AND umbrella <> ?', [
            model.umbrellaOf(type),
            type,
            model.umbrellaOf(type)
          ])
        await link.run('UPDATE properties SET value = ? WHERE name = ?', [left.rules, rulesName])
      }
      await link.run('COMMIT')
      if (!last) return
    } catch (error) {
      await link.run('ROLLBACK').catch(() => {})
      throw error
    }
  }
}
