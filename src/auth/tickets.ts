import { createHmac, timingSafeEqual } from 'node:crypto'

import { CatalogueError, forbidden } from '#domain/errors.ts'
import type { Model } from '#domain/record-types/model.ts'
import { createPrincipal, type Principal } from '#domain/permissions.ts'
import type { Store } from '#store/store.ts'
import { hashToken } from './api-tokens.ts'
import { idOfToken } from './live-rights.ts'
import type { SecretKey } from './secret-key.ts'

export const ticketActions = ['download', 'upload', 'calendar'] as const
export type TicketAction = (typeof ticketActions)[number]

/** The request that a ticket allows. */
export interface TicketUse {
  readonly action: TicketAction
  /** Id of the one media file; or its filename, for clients that do not know the id. */
  readonly mediafileId?: string
  readonly filename?: string
  /** Id of the record whose calendar it is. */
  readonly entityId?: string
}

export interface TicketIssuer {
  /**
   * Creates a ticket that is valid for some seconds. Throws `forbidden` for a bearer token that is
   * not an API token of this service.
   */
  create(principal: Principal, use: TicketUse, seconds: number): Promise<string>
  /**
   * The same in two steps, for a resource that does not exist yet: everything that can fail fails
   * in the first.
   */
  prepare(principal: Principal): Promise<(use: TicketUse, seconds: number) => string>
  /**
   * Returns the maker of a ticket, with the rights of now, and its use. Throws `unauthenticated`,
   * always with the same message.
   */
  admit(ticket: string): Promise<{ readonly principal: Principal; readonly use: TicketUse }>
}

export interface TicketParts {
  readonly store: Store
  readonly model: Model
  readonly adminToken: string | undefined
  readonly secretKey: () => SecretKey
  readonly now: () => number
}

interface Claims {
  readonly by: string
  readonly action: TicketAction
  readonly id?: string
  readonly name?: string
  readonly entity?: string
  /** End of validity, in seconds since 1970. */
  readonly until: number
}

/**
 * Issues tickets: signed links that work for a short time without a bearer token. The signing key
 * derives from the secret key of the service and the hash of the token that made the ticket. So a
 * copy of the database cannot sign tickets, and tickets end when their token is revoked.
 */
export function createTicketIssuer({ store, model, adminToken, secretKey, now }: TicketParts): TicketIssuer {
  const sign = (tokenHash: string, text: string) =>
    createHmac('sha256', Buffer.concat([secretKey().derive('tickets'), Buffer.from(tokenHash)]))
      .update(text)
      .digest()
  const admin = createPrincipal(model, 'token:admin', ['admin'])

  /** The token with this key, with the rights of now. */
  const findMaker = async (key: string): Promise<{ hash: string; principal: Principal } | undefined> => {
    if (key === admin.key && adminToken !== undefined) return { hash: hashToken(adminToken), principal: admin }
    const id = idOfToken(key)
    const [stored] = id === undefined ? [] : await store.findTokensById([id])
    if (!stored || (stored.expiresAt !== null && Date.parse(stored.expiresAt) <= now())) return undefined
    return { hash: stored.hash, principal: createPrincipal(model, `token:${stored.name}`, stored.scopes, key) }
  }

  const prepare = async (principal: Principal) => {
    const maker = await findMaker(principal.key)
    if (!maker) throw forbidden('create tickets; only API tokens of this service can')
    return ({ action, mediafileId, filename, entityId }: TicketUse, seconds: number) => {
      const claims: Claims = {
        by: principal.key,
        action,
        ...(mediafileId === undefined ? {} : { id: mediafileId }),
        ...(filename === undefined ? {} : { name: filename }),
        ...(entityId === undefined ? {} : { entity: entityId }),
        until: Math.floor(now() / 1000) + seconds
      }
      const text = Buffer.from(JSON.stringify(claims)).toString('base64url')
      return `${text}.${sign(maker.hash, text).toString('base64url')}`
    }
  }

  return {
    prepare,
    create: async (principal, use, seconds) => (await prepare(principal))(use, seconds),

    async admit(ticket) {
      const [text = '', signature = '', ...rest] = ticket.split('.')
      const claims = rest.length === 0 ? readClaims(text) : undefined
      const maker = claims && (await findMaker(claims.by))
      // Computed also when no such token exists, so that the response time does not reveal which
      // tokens exist.
      const expected = sign(maker?.hash ?? 'none', text)
      const given = Buffer.from(signature, 'base64url')
      const isSigned = given.length === expected.length && timingSafeEqual(given, expected)
      if (!claims || !maker || !isSigned || claims.until * 1000 <= now())
        throw new CatalogueError('unauthenticated', 'The ticket is not valid or has expired')
      const { action, id, name, entity } = claims
      return {
        principal: { ...maker.principal, until: claims.until * 1000 },
        use: {
          action,
          ...(id === undefined ? {} : { mediafileId: id }),
          ...(name === undefined ? {} : { filename: name }),
          ...(entity === undefined ? {} : { entityId: entity })
        }
      }
    }
  }
}

function readClaims(text: string): Claims | undefined {
  try {
    const claims = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Partial<Claims> | null
    const isGood = typeof claims?.by === 'string' && typeof claims.until === 'number'
    return isGood ? (claims as Claims) : undefined
  } catch {
    return undefined
  }
}
