import type { DatabaseSync } from 'node:sqlite'

import { contentOf, type Entity } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import {
  droppedTypes,
  planIndexing,
  progressName,
  progressText,
  recordsWithoutType,
  rulesName,
  rulesText
} from '../index-progress.ts'
import { prepareWriting } from './connection.ts'
import { createIndexWriter } from './index-writer.ts'

/** So many entities are indexed in one transaction. */
const stepSize = 500

/**
 * Remembers by which rules the rows of a new database are written; those of one that does not know
 * were written by these.
 */
export function noteRules(db: DatabaseSync, model: Model) {
  // Looked for first: whoever writes, if only to find that nothing is to be written, waits for all
  // others who do.
  if (db.prepare('SELECT 1 FROM properties WHERE name = ?').get(rulesName)) return
  prepareWriting(db, 'INSERT OR IGNORE INTO properties VALUES (?, ?)').run(rulesName, rulesText(model))
}

/**
 * Writes the rows anew that do not follow from this model (index-progress.ts). Nothing is served
 * until it is done.
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
  const note = prepareWriting(db, 'INSERT OR REPLACE INTO properties VALUES (?, ?)')
  const forget = prepareWriting(db, 'DELETE FROM properties WHERE name = ?')
  const setUmbrella = prepareWriting(db, 'UPDATE entities SET umbrella = ? WHERE type = ? AND umbrella <> ?')
  const index = createIndexWriter(db, model)
  for (;;) {
    db.exec('BEGIN IMMEDIATE')
    try {
      // Another process may have done it meanwhile.
      const left = plan()
      const step = left ? selectStep.all(JSON.stringify(left.types), left.from, stepSize) : []
      for (const { pk, document } of step)
        index.rewrite(Number(pk), contentOf(JSON.parse(String(document)) as Entity), {
          relations: false,
          metadata: true
        })
      index.flush()
      const last = step.at(-1)
      if (left && last) note.run(progressName, progressText(left, Number(last.pk)))
      if (left && !last) {
        for (const type of left.types) setUmbrella.run(model.umbrellaOf(type), type, model.umbrellaOf(type))
        note.run(rulesName, left.rules)
        forget.run(progressName)
      }
      db.exec('COMMIT')
      if (!last) return
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}
