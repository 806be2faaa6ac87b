import type { StoredToken } from '../store.ts'
import type { Statement } from './connection.ts'

const columns = 'id, name, hash, scopes, created_at, created_by, expires_at'

export const selectToken = `SELECT ${columns} FROM tokens WHERE hash = ?`
export const selectTokens = `SELECT ${columns} FROM tokens ORDER BY created_at, id`
export const deleteToken = 'DELETE FROM tokens WHERE id = ? RETURNING id'

/** Told twice, when the answer to the first was lost, it is kept once. */
export const insertToken = (token: StoredToken): Statement => ({
  text: `INSERT INTO tokens (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  parameters: [
    token.id,
    token.name,
    token.hash,
    JSON.stringify(token.scopes),
    token.createdAt,
    token.createdBy,
    token.expiresAt
  ]
})
