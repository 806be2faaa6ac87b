import type { DatabaseSync } from 'node:sqlite'

import { contentOf, type Entity } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import { prepareWriting } from './connection.ts'
import { IndexWriter } from './index-writer.ts'

/** Number of entities indexed in one transaction. */
const stepSize = 500

/**
 * Indexes the words of a catalogue that is older than the search, from the newest entity to the
 * oldest, some at a time. The progress is stored with them, so that it continues there after a
 * kill. The service starts when it is done.
 */
export function fillSearchWords(db: DatabaseSync, model: Model) {
  const selectFrom = db.prepare(`SELECT value FROM properties WHERE name = 'words_to_index_from'`)
  if (!selectFrom.get()) return
  const selectStep = db.prepare('SELECT pk, document FROM entities WHERE pk <= ? ORDER BY pk DESC LIMIT ?')
  const updateFrom = prepareWriting(db, `UPDATE properties SET value = ? WHERE name = 'words_to_index_from'`)
  const deleteFrom = prepareWriting(db, `DELETE FROM properties WHERE name = 'words_to_index_from'`)
  const index = new IndexWriter(db, model)
  for (;;) {
    db.exec('BEGIN IMMEDIATE')
    try {
      // Another process may have done so meanwhile.
      const from = selectFrom.get()?.value
      const step = from === undefined ? [] : selectStep.all(Number(from), stepSize)
      for (const { pk, document } of step)
        index.updateWords(Number(pk), contentOf(JSON.parse(String(document)) as Entity))
      index.flush()
      const last = step.at(-1)
      if (last) updateFrom.run(String(Number(last.pk) - 1))
      else deleteFrom.run()
      db.exec('COMMIT')
      if (!last) return
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}
