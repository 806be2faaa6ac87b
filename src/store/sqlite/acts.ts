import type { DatabaseSync } from 'node:sqlite'

import type { NewAct } from '../ports/audit.ts'
import { actRow, insertAct, selectActs, toAct } from '../rows.ts'
import { prepareWriting } from './connection.ts'

export function logAct(db: DatabaseSync, act: NewAct) {
  prepareWriting(db, insertAct).run(...actRow(act))
}

export function prepareActReads(db: DatabaseSync) {
  const select = db.prepare(selectActs)
  return {
    listActs: (limit: number, before = Number.MAX_SAFE_INTEGER, act = '') =>
      select.all(before, act, act, limit).map(toAct)
  }
}
