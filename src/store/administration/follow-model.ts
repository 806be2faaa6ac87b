import type { Entity } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import { rulesText } from '#domain/search/index-rules.ts'
import {
  droppedTypes,
  type IndexingPlan,
  planIndexing,
  progressName,
  progressText,
  recordsWithoutType,
  rulesName
} from '../index-progress.ts'
import { addLookups, lookupsOf } from '../query/derived-rows.ts'
import type { Dialect } from '../query/dialect.ts'
import { sql } from '../query/sql.ts'
import type { StoreSettings } from '../ports/administration.ts'
import { findProperty, setProperty } from './properties.ts'
import type { Steps } from './steps.ts'

export type UpgradeSettings = Pick<StoreSettings, 'followsModel' | 'reportStep'>

/** Brings only the schema up to date, and reports nothing. */
export const quietly: UpgradeSettings = { followsModel: false, reportStep: () => () => {} }

/** The step of an upgrade that follows the model. */
export const lookupStep = 'Writing lookups again, because the model has changed,'

/** Number of entities indexed in one transaction. */
const stepSize = 500

/**
 * Stores the rules by which the lookups of a new database are written. A database without stored
 * rules was written by these.
 */
export function* storeRules(model: Model): Steps<void> {
  // Reads first: a write, even of nothing, waits for all other writers.
  if ((yield* findProperty(rulesName)) !== undefined) return
  yield sql('INSERT INTO properties VALUES (?, ?) ON CONFLICT DO NOTHING', rulesName, rulesText(model))
}

/** Whether lookups must be written again. Throws when the model lacks a type that records have. */
export function* mustFollow(model: Model): Steps<boolean> {
  if (!(yield* plan(model))) return false
  const dropped: string[] = []
  for (const type of droppedTypes(model, yield* findProperty(rulesName)))
    if ((yield sql('SELECT 1 AS is_used FROM entities WHERE type = ? LIMIT 1', type)).length > 0) dropped.push(type)
  if (dropped.length > 0) throw recordsWithoutType(dropped)
  return true
}

/**
 * Writes some of the lookups again that follow another model (index-progress.ts), in a transaction
 * of its own. Processes that start together share the work; none serves until it is done. Returns
 * whether there is more to do.
 */
export function* followModel(dialect: Dialect, model: Model): Steps<boolean> {
  const { inList, forUpdate } = dialect
  const left = yield* plan(model, forUpdate)
  if (!left) return false
  const types = JSON.stringify(left.types)
  const rows = yield sql(
    `SELECT pk, document FROM entities WHERE type ${inList()} AND pk <= ? ORDER BY pk DESC LIMIT ${stepSize} ${forUpdate}`,
    ...[types, left.from]
  )
  if (left.from === Number.MAX_SAFE_INTEGER) yield sql(`DELETE FROM lookups WHERE type ${inList()}`, types)
  const lookups = rows.flatMap(row => lookupsOf(model, Number(row.pk), JSON.parse(String(row.document)) as Entity))
  yield sql(addLookups(dialect), JSON.stringify(lookups))
  const last = rows.at(-1)
  if (last) {
    yield sql(setProperty, progressName, progressText(left, Number(last.pk)))
    return true
  }
  for (const type of left.types) {
    const umbrella = model.umbrellaOf(type)
    yield sql('UPDATE entities SET umbrella = ? WHERE type = ? AND umbrella <> ?', umbrella, type, umbrella)
  }
  yield sql(setProperty, rulesName, left.rules)
  yield sql('DELETE FROM properties WHERE name = ?', progressName)
  return false
}

function* plan(model: Model, lock = ''): Steps<IndexingPlan | undefined> {
  return planIndexing(model, yield* findProperty(rulesName, lock), yield* findProperty(progressName))
}
