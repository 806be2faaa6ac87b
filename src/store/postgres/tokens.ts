import type { TokenStore } from '../ports/tokens.ts'
import { selectToken, selectTokens, tokenColumns, tokenRow, toToken } from '../rows.ts'
import type { Statements } from './statements.ts'

export const createTokens = ({ first, read, inTransaction }: Statements): TokenStore => ({
  async insertToken(token) {
    // A retry, after the answer to the first attempt was lost, inserts nothing.
    await inTransaction(link =>
      link.run(
        `INSERT INTO tokens (${tokenColumns}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
        tokenRow(token)
      )
    )
  },
  async findToken(hash) {
    const row = await first(selectToken, hash)
    return row && toToken(row)
  },
  listTokens: async () => (await read(selectTokens)).map(toToken),
  deleteToken: async id =>
    (await inTransaction(link => link.run('DELETE FROM tokens WHERE id = ? RETURNING id', [id]))).length > 0
})
