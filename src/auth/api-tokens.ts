import { hash, randomBytes } from 'node:crypto'

import { readDate } from '#domain/values/dates.ts'
import { type Fault, invalidWith, notFound } from '#domain/errors.ts'
import type { Model } from '#domain/record-types/model.ts'
import { faultOfScope, isLimited } from '#domain/permissions.ts'
import type { NewAct } from '#store/ports/audit.ts'
import type { StoredToken } from '#store/ports/tokens.ts'
import type { Store } from '#store/store.ts'

/** The public description of a token: never its hash, and the token itself only on creation. */
export interface TokenDescription {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly created_at: string
  readonly created_by: string
  readonly expires_at: string | null
}

export interface NewToken {
  readonly name: string
  readonly scopes: readonly string[]
  readonly expiresAt?: string | undefined
}

/** Creates, lists and revokes API tokens. */
export interface TokenRegistry {
  /**
   * Creates a token and stores only its hash: the result is the one chance to see it. Throws
   * `invalid`. The act is logged in the same transaction, here and below.
   */
  create(
    wanted: NewToken,
    by: string,
    act?: (created: TokenDescription) => NewAct
  ): Promise<TokenDescription & { readonly token: string }>
  list(): Promise<TokenDescription[]>
  /** Revokes a token. Throws `not_found` when no token has this id. */
  revoke(id: string, act?: NewAct): Promise<void>
}

/** `deletePrivate` deletes what only a token can read, by the key of its principal. */
export function createTokenRegistry(
  store: Store,
  model: Model,
  deletePrivate: (key: string) => Promise<void>
): TokenRegistry {
  return {
    async create({ name, scopes, expiresAt }, by, act) {
      const faults: Fault[] = []
      if (!/^[\p{L}\p{N} ._@:-]{1,100}$/u.test(name)) {
        faults.push({ pointer: '/name', message: 'A name has 1 to 100 letters, digits, spaces or . _ @ : -' })
      }
      if (scopes.length === 0) faults.push({ pointer: '/scopes', message: 'A token needs at least one scope' })
      scopes.forEach((scope, index) => {
        const fault = faultOfScope(model, scope)
        if (fault !== undefined)
          faults.push({ pointer: `/scopes/${index}`, message: `Unknown scope "${scope}": ${fault}` })
      })
      if (faults.length === 0 && scopes.some(isLimited) && scopes.some(scope => !scope.startsWith('read')))
        faults.push({
          pointer: '/scopes',
          message: 'A token that reads only some records of a type, such as read:production:published, cannot write'
        })
      const expiry = expiresAt === undefined ? undefined : readDate(expiresAt)?.last
      if (expiresAt !== undefined && expiry === undefined) {
        faults.push({ pointer: '/expires_at', message: `Not an ISO 8601 date: "${expiresAt}"` })
      }
      if (faults.length > 0) throw invalidWith(faults)

      const id = randomBytes(6).toString('hex')
      const token = `libretto_${id}_${randomBytes(32).toString('base64url')}`
      const stored: StoredToken = {
        id,
        name,
        hash: hashToken(token),
        scopes,
        createdAt: new Date().toISOString(),
        createdBy: by,
        expiresAt: expiry === undefined ? null : new Date(expiry).toISOString()
      }
      await store.insertToken(stored, act?.(describeToken(stored)))
      return { ...describeToken(stored), token }
    },

    async list() {
      return (await store.listTokens()).map(describeToken)
    },

    async revoke(id, act) {
      if (!(await store.deleteToken(id, act))) throw notFound('token', id)
      await deletePrivate(`token:${id}`)
    }
  }
}

export const hashToken = (token: string) => hash('sha256', token)

function describeToken({ id, name, scopes, createdAt, createdBy, expiresAt }: StoredToken): TokenDescription {
  return { id, name, scopes, created_at: createdAt, created_by: createdBy, expires_at: expiresAt }
}
