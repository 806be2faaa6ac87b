import Type, { type Static } from 'typebox'

import type { TokenRegistry } from '#auth/api-tokens.ts'
import type { Authenticator } from '#auth/authenticator.ts'
import { readDate } from '#domain/values/dates.ts'
import { invalidWith } from '#domain/errors.ts'
import { needsAdmin } from '../schemas/common.ts'
import { actOf } from '../access/audited-acts.ts'
import type { AuditedAct } from '../openapi/route-doc.ts'
import type { App } from '../openapi/typebox-provider.ts'
import { route } from '../openapi/route.ts'

const tokenMembers = {
  id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  created_at: Type.String({ format: 'date-time' }),
  created_by: Type.String(),
  expires_at: Type.Unsafe<string | null>({ type: ['string', 'null'] })
}

const Token = Type.Object(tokenMembers, { $id: 'Token', additionalProperties: false })

const NewToken = Type.Object(
  { ...tokenMembers, token: Type.String({ description: 'Shown only in this answer; the service stores a hash' }) },
  { $id: 'NewToken', additionalProperties: false }
)

const TokenInput = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    scopes: Type.Array(Type.String({ maxLength: 200 }), {
      minItems: 1,
      maxItems: 100,
      description: 'read, write, delete, admin; each alone or narrowed to a type, as in `read:manifestation`'
    }),
    expires_at: Type.Optional(
      Type.String({ maxLength: 40, description: 'ISO 8601; a token without it does not expire' })
    )
  },
  { $id: 'TokenInput', additionalProperties: false }
)

const doc = { tag: 'Access', needs: 'admin', description: needsAdmin } as const

const creation: AuditedAct = {
  name: 'token.create',
  details({ body }) {
    const { name, scopes, expires_at = null } = body as Static<typeof TokenInput>
    return { name, scopes, expires_at }
  }
}
const revocation: AuditedAct = { name: 'token.revoke' }

/** API tokens; they need the scope `admin`. */
export function tokenRoutes(app: App, tokens: TokenRegistry, authenticator: Authenticator) {
  app.get('/tokens', route({ response: { 200: Type.Array(Token) } }, { ...doc, summary: 'List API tokens' }), () =>
    tokens.list()
  )

  app.post(
    '/tokens',
    route(
      { body: TokenInput, response: { 201: NewToken } },
      {
        ...doc,
        summary: 'Create an API token',
        act: creation,
        holdsSecret: true,
        description: `${needsAdmin} The token is shown only in this answer.`,
        problems: ['invalid']
      }
    ),
    async (request, reply) => {
      const { name, scopes, expires_at } = request.body
      refuseExpired(expires_at)
      const created = await tokens.create({ name, scopes, expiresAt: expires_at }, request.principal.name, ({ id }) =>
        actOf(request, creation)(id)
      )
      return reply.code(201).header('location', `/tokens/${created.id}`).send(created)
    }
  )

  app.delete(
    '/tokens/:id',
    route(
      { params: Type.Object({ id: Type.String() }), response: { 204: Type.Null() } },
      {
        ...doc,
        summary: 'Revoke an API token',
        act: revocation,
        description: `${needsAdmin} It stops working at once.`,
        problems: ['not_found']
      }
    ),
    async (request, reply) => {
      await tokens.revoke(request.params.id, actOf(request, revocation)(request.params.id))
      authenticator.forget()
      await app.liveRights.checkNow()
      return reply.code(204).send()
    }
  )
}

function refuseExpired(expiresAt: string | undefined) {
  const expiry = expiresAt === undefined ? undefined : readDate(expiresAt)?.last
  if (expiry !== undefined && expiry <= Date.now())
    throw invalidWith([
      { pointer: '/expires_at', message: `"${expiresAt}" is past: the token would have expired already` }
    ])
}
