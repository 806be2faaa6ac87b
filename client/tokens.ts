import type { NewToken } from './api.ts'
import type { CheckedName, Scope } from './checked-names.ts'
import type { CallOptions, Sender } from './send-request.ts'

/** The API tokens of the service; an admin manages them. */
export function createTokens(sender: Sender) {
  return {
    /** Creates a token. Its text is in this answer only. */
    async create<const Name extends string>(
      token: {
        readonly name: string
        readonly scopes: readonly (Name & CheckedName<Name, Scope>)[]
        /** ISO 8601; a token without it does not expire. */
        readonly expiresAt?: string
      },
      call: CallOptions = {}
    ): Promise<NewToken> {
      const { name, scopes, expiresAt } = token
      const body = { name, scopes: [...scopes], ...(expiresAt === undefined ? {} : { expires_at: expiresAt }) }
      return (await sender.send('POST /tokens', { body, ...call })).data
    },

    list: async (call: CallOptions = {}) => (await sender.send('GET /tokens', call)).data,

    async revoke(id: string, call: CallOptions = {}): Promise<void> {
      await sender.send('DELETE /tokens/{id}', { path: { id }, ...call })
    }
  }
}
