import type { DatabaseSync } from 'node:sqlite'

import type { Entity } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import { rulesText } from '#domain/search/index-rules.ts'
import { lookupValues } from '#domain/search/lookup-values.ts'
import {
  droppedTypes,
  planIndexing,
  progressName,
  progressText,
  recordsWithoutType,
  rulesName
} from '../index-progress.ts'
import { prepareWriting } from './connection.ts'
import { IndexWriter } from './index-writer.ts'

/** Number of entities indexed in one transaction. */
const stepSize = 500

/**
 * Stores the rules by which the lookups of a new database are written. A database without stored
 * rules was written by these.
 */
export function storeRules(db: DatabaseSync, model: Model) {
  // Reads first: a write, even of nothing, waits for all other writers.
  if (db.prepare('SELECT 1 FROM properties WHERE name = ?').get(rulesName)) return
  prepareWriting(db, 'INSERT OR IGNORE INTO properties VALUES (?, ?)').run(rulesName, rulesText(model))
}

/**
 * Writes the lookups again that follow another model (index-progress.ts). The service starts when
 * it is done.
 */
export function followModel(db: DatabaseSync, model: Model) {
  const select = db.prepare('SELECT value FROM properties WHERE name = ?')
  const propertyOf = (name: string) => select.get(name)?.value as string | undefined
  const plan = () => planIndexing(model, propertyOf(rulesName), propertyOf(progressName))
  if (!plan()) return
  const isUsed = db.prepare('SELECT 1 FROM entities WHERE type = ? LIMIT 1')
  const dropped = droppedTypes(model, propertyOf(rulesName)).filter(type => isUsed.get(type) !== undefined)
  if (dropped.length > 0) throw recordsWithoutType(dropped)
  const selectStep = db.prepare(
    'SELECT pk, document FROM entities WHERE type IN (SELECT value FROM json_each(?)) AND pk <= ? ORDER BY pk DESC LIMIT ?'
  )
  const store = prepareWriting(db, 'INSERT OR REPLACE INTO properties VALUES (?, ?)')
  const remove = prepareWriting(db, 'DELETE FROM properties WHERE name = ?')
  const setUmbrella = prepareWriting(db, 'UPDATE entities SET umbrella = ? WHERE type = ? AND umbrella <> ?')
  const index = new IndexWriter(db)
  const deleteAll = prepareWriting(db, 'DELETE FROM lookups WHERE type = ?')
  for (;;) {
    db.exec('BEGIN IMMEDIATE')
    try {
      // Another process may have done so meanwhile.
      const left = plan()
      const step = left ? selectStep.all(JSON.stringify(left.types), left.from, stepSize) : []
      if (left?.from === Number.MAX_SAFE_INTEGER) for (const type of left.types) deleteAll.run(type)
      for (const { pk, document } of step) {
        const entity = JSON.parse(String(document)) as Entity
        index.insertLookups(Number(pk), lookupValues(model, entity, entity.audit.created.by))
      }
      index.flush()
      const last = step.at(-1)
      if (left && last) store.run(progressName, progressText(left, Number(last.pk)))
      if (left && !last) {
        for (const type of left.types) setUmbrella.run(model.umbrellaOf(type), type, model.umbrellaOf(type))
        store.run(rulesName, left.rules)
        remove.run(progressName)
      }
      db.exec('COMMIT')
      if (!last) return
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}
