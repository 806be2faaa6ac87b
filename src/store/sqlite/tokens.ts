import type { DatabaseSync } from 'node:sqlite'

import type { StoredToken } from '../ports/tokens.ts'
import { selectToken, selectTokens, tokenColumns, tokenRow, toToken } from '../rows.ts'
import { prepareWriting } from './connection.ts'

export function insertToken(db: DatabaseSync, token: StoredToken) {
  prepareWriting(db, `INSERT INTO tokens (${tokenColumns}) VALUES (?, ?, ?, ?, ?, ?, ?)`).run(...tokenRow(token))
}

export function deleteToken(db: DatabaseSync, id: string): boolean {
  return prepareWriting(db, 'DELETE FROM tokens WHERE id = ?').run(id).changes > 0
}

export function prepareTokenReads(db: DatabaseSync) {
  const byHash = db.prepare(selectToken)
  const all = db.prepare(selectTokens)
  return {
    findToken(hash: string) {
      const row = byHash.get(hash)
      return row && toToken(row)
    },
    listTokens: () => all.all().map(toToken)
  }
}
