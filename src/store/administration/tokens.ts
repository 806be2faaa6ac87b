import type { NewAct } from '../ports/audit.ts'
import type { StoredToken } from '../ports/tokens.ts'
import type { Dialect, Row } from '../query/dialect.ts'
import { sql } from '../query/sql.ts'
import { logAct } from './acts.ts'
import type { Read, Steps } from './steps.ts'

/** Ids are plain; PostgreSQL refuses lists with some other texts. */
const isId = (text: string) => /^[\w-]+$/.test(text)

const columns = 'id, name, hash, scopes, created_at, created_by, expires_at'

export const tokenTransactions = {
  *insertToken(token: StoredToken, act?: NewAct): Steps<void> {
    const { id, name, hash, scopes, createdAt, createdBy, expiresAt } = token
    // A retry, after the answer to the first attempt was lost, inserts nothing.
    const inserted = yield sql(
      `INSERT INTO tokens (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING id`,
      ...[id, name, hash, JSON.stringify(scopes), createdAt, createdBy, expiresAt]
    )
    if (act && inserted.length > 0) yield* logAct(act)
  },
  *deleteToken(id: string, act?: NewAct): Steps<boolean> {
    const deleted = yield sql('DELETE FROM tokens WHERE id = ? RETURNING id', id)
    if (act && deleted.length > 0) yield* logAct(act)
    return deleted.length > 0
  }
}

export const createTokenReads = (read: Read, { inList }: Pick<Dialect, 'inList'>) => ({
  async findToken(hash: string) {
    const [row] = await read(`SELECT ${columns} FROM tokens WHERE hash = ?`, hash)
    return row && toToken(row)
  },
  findTokensById: async (ids: readonly string[]) =>
    (await read(`SELECT ${columns} FROM tokens WHERE id ${inList()}`, JSON.stringify(ids.filter(isId)))).map(toToken),
  listTokens: async () => (await read(`SELECT ${columns} FROM tokens ORDER BY created_at, id`)).map(toToken)
})

const toToken = (row: Row): StoredToken => ({
  id: String(row.id),
  name: String(row.name),
  hash: String(row.hash),
  scopes: JSON.parse(String(row.scopes)) as string[],
  createdAt: String(row.created_at),
  createdBy: String(row.created_by),
  expiresAt: row.expires_at === null ? null : String(row.expires_at)
})
