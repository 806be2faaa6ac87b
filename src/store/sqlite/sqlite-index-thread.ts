import { parentPort, workerData } from 'node:worker_threads'

import { createModel } from '#domain/record-types/model.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import { type Base, buildBase } from '#index/base.ts'
import type { BuilderMessage, BuilderOptions } from '../finding/build-in-thread.ts'
import {
  markOfChange,
  maxDelta,
  selectLastChange,
  selectRecentChanges,
  toChangeMark,
  toDocumentRow
} from '../finding/find-in-index.ts'
import { toDocument } from '../finding/index-host.ts'
import { loadSnapshot, saveSnapshot } from '../finding/snapshot-file.ts'
import { rulesText } from '../index-progress.ts'
import { openReading } from './connection.ts'
import { sqliteDialect } from './dialect.ts'

/*
 * A thread that builds a base of all documents, as of one moment, and ends. The base is stored in a
 * file beside the database, for the next start.
 */

export interface BuilderData {
  readonly path: string
  readonly recordTypes: readonly RecordType[]
}

/** The number of records between two reports of progress. */
const reportEvery = 2000

const { path, recordTypes, readsSnapshot } = workerData as BuilderData & BuilderOptions
const model = createModel(recordTypes)
const send = (message: BuilderMessage) => parentPort?.postMessage(message)
const file = `${path}.index`
const db = openReading(path, 8)
db.exec('BEGIN')
const change = Number(db.prepare(selectLastChange(sqliteDialect.newestChange)).get()?.change)
const epoch = db.prepare(`SELECT value FROM properties WHERE name = 'epoch'`).get()?.value
// The same documents give another index by other rules.
const database = JSON.stringify([epoch, rulesText(model)])

/** Whether the changes since a base are known, and few enough. */
function isUsable(base: Base): boolean {
  const lacking = change - base.change
  if (lacking < 0 || lacking > maxDelta) return false
  const select = db.prepare(`SELECT ${markOfChange('c')} AS mark FROM changes c WHERE c.sequence = ?`)
  const known = base.recent.flatMap(each => {
    const row = select.get(each.change)
    return row ? [row.mark === each.mark] : []
  })
  return known.length > 0 && known.every(Boolean)
}

function buildFromDocuments(): Base {
  const of = Number(db.prepare('SELECT count(*) AS n FROM entities').get()?.n)
  const builder = buildBase()
  let done = 0
  for (const row of db.prepare('SELECT pk, changed, document FROM entities ORDER BY pk').iterate()) {
    builder.add(toDocument(model, toDocumentRow(row)))
    if (++done % reportEvery === 0) send({ kind: 'progress', done, of })
  }
  return builder.done(change, db.prepare(selectRecentChanges).all().map(toChangeMark))
}

const stored = readsSnapshot ? loadSnapshot(file, database) : undefined
const usable = stored && isUsable(stored) ? stored : undefined
const base = usable ?? buildFromDocuments()
db.exec('COMMIT')
db.close()
send({ kind: 'built', base, isFromSnapshot: usable !== undefined })
if (!usable) saveSnapshot(file, base, database)
