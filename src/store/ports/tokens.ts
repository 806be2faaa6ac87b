import type { NewAct } from './audit.ts'
import type { MaybePromise } from '#domain/maybe-promise.ts'

export interface StoredToken {
  readonly id: string
  readonly name: string
  /** SHA-256 of the token, in hexadecimal; the token itself is not stored. */
  readonly hash: string
  readonly scopes: readonly string[]
  readonly createdAt: string
  readonly createdBy: string
  readonly expiresAt: string | null
}

/** Stores tokens. Each write logs its act, where one is given, in the same transaction. */
export interface TokenStore {
  insertToken(token: StoredToken, act?: NewAct): Promise<void>
  findToken(hash: string): MaybePromise<StoredToken | undefined>
  /** In any order, and without those that there are not. */
  findTokensById(ids: readonly string[]): MaybePromise<readonly StoredToken[]>
  listTokens(): MaybePromise<readonly StoredToken[]>
  /** Resolves to whether there was one. */
  deleteToken(id: string, act?: NewAct): Promise<boolean>
}
