import Type from 'typebox'

import type { TokenRegistry } from '#auth/api-tokens.ts'
import type { Authenticator } from '#auth/authenticator.ts'
import { readDate } from '#domain/values/dates.ts'
import { forbidden, invalidWith } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import { NewToken, Token, TokenInput } from '../schemas/token.ts'
import type { App } from '../openapi/typebox-provider.ts'

/** API tokens; only for those with scope `admin`. */
export function tokenRoutes(app: App, tokens: TokenRegistry, authenticator: Authenticator) {
  app.get(
    '/tokens',
    {
      schema: { response: { 200: Type.Array(Token) } },
      config: { doc: { tag: 'Access', summary: 'List API tokens', description: 'Needs scope `admin`.' } }
    },
    async request => {
      refuseOthers(request.principal)
      return tokens.list()
    }
  )

  app.post(
    '/tokens',
    {
      schema: { body: TokenInput, response: { 201: NewToken } },
      config: {
        doc: {
          tag: 'Access',
          needs: 'admin',
          summary: 'Make an API token',
          description: 'Needs scope `admin`. The token is shown this once.',
          problems: ['invalid']
        }
      }
    },
    async (request, reply) => {
      refuseOthers(request.principal)
      const { name, scopes, expires_at } = request.body
      refuseExpired(expires_at)
      const created = await tokens.create({ name, scopes, expiresAt: expires_at }, request.principal.name)
      return reply.code(201).header('location', `/tokens/${created.id}`).send(created)
    }
  )

  app.delete(
    '/tokens/:id',
    {
      schema: { params: Type.Object({ id: Type.String() }), response: { 204: Type.Null() } },
      config: {
        doc: {
          tag: 'Access',
          needs: 'admin',
          summary: 'Revoke an API token',
          description: 'Needs scope `admin`. It is refused from then on.',
          problems: ['not_found']
        }
      }
    },
    async (request, reply) => {
      refuseOthers(request.principal)
      await tokens.revoke(request.params.id)
      authenticator.forget()
      await app.liveRights.lookNow()
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

function refuseOthers(principal: Principal) {
  if (!principal.isAdmin) throw forbidden('look after tokens')
}
