import type { DatabaseSync } from 'node:sqlite'

import type { StoredToken } from '../store.ts'
import { toToken } from '../rows.ts'
import { prepareWriting } from './connection.ts'

const columns = 'id, name, hash, scopes, created_at, created_by, expires_at'

export function insertToken(db: DatabaseSync, token: StoredToken) {
  prepareWriting(db, `INSERT INTO tokens (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`).run(
    token.id,
    token.name,
    token.hash,
    JSON.stringify(token.scopes),
    token.createdAt,
    token.createdBy,
    token.expiresAt
  )
}

export function removeToken(db: DatabaseSync, id: string): boolean {
  return prepareWriting(db, 'DELETE FROM tokens WHERE id = ?').run(id).changes > 0
}

export function prepareTokenReads(db: DatabaseSync) {
  const byHash = db.prepare(`SELECT ${columns} FROM tokens WHERE hash = ?`)
  const all = db.prepare(`SELECT ${columns} FROM tokens ORDER BY created_at, id`)
  return {
    find: (hash: string) => {
      const row = byHash.get(hash)
      return row && toToken(row)
    },
    list: () => all.all().map(toToken)
  }
}
