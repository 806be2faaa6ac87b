import { chmodSync, closeSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

import type { Model } from '#domain/record-types/model.ts'
import {
  followModel,
  lookupStep,
  mustFollow,
  storeRules,
  type UpgradeSettings
} from '../administration/follow-model.ts'
import { runSteps } from '../administration/steps.ts'
import { cacheStatements, openWriting, transact } from './connection.ts'
import { sqliteDialect } from './dialect.ts'
import { makeFolder } from './make-folder.ts'
import { migrate } from './migrations.ts'

/**
 * Milliseconds that opening waits for another connection that writes. Imports open the file while
 * others write; 250 ms, as for single writes, were too few on a busy disk.
 */
const maxWait = 30_000

/**
 * Creates the file and its folder where there are none, and brings its schema up to date. Throws an
 * error with a clear message for a damaged file.
 */
export function prepareFile(path: string, model: Model, { followsModel, reportStep }: UpgradeSettings) {
  let db: ReturnType<typeof openWriting>
  try {
    makeFolder(dirname(path))
    restrictAccess(path)
    db = openWriting(path)
  } catch (cause) {
    throw new Error(`The database "${path}" cannot be opened: ${reason(cause)}`, { cause })
  }
  try {
    db.exec(`PRAGMA busy_timeout = ${maxWait}`)
    migrate(db, reportStep)
    const run = cacheStatements(db)
    runSteps(storeRules(model), run)
    if (followsModel && runSteps(mustFollow(model), run)) {
      const end = reportStep(lookupStep)
      while (transact(db, followModel(sqliteDialect, model)));
      end()
    }
    db.exec('PRAGMA optimize')
  } catch (cause) {
    throw new Error(`The database "${path}" cannot be used: ${reason(cause)}`, { cause })
  } finally {
    db.close()
  }
}

const reason = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

/**
 * Lets only its owner read a database: it contains secrets, and unpublished records. SQLite gives
 * the files beside it the same mode. A file of another owner stays as it is: only they can change
 * it.
 */
function restrictAccess(path: string) {
  closeSync(openSync(path, 'a', 0o600))
  for (const end of ['', '-wal', '-shm', '-journal']) {
    try {
      if ((statSync(path + end).mode & 0o077) !== 0) chmodSync(path + end, 0o600)
    } catch (error) {
      if (!['ENOENT', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
}
