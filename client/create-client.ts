import type { ChangeEvent, ChangesPage } from './api.ts'
import { followChanges, type FollowOptions } from './follow-changes.ts'
import type { CheckedList, CheckedName, TypeName } from './checked-names.ts'
import { createChanging, createReading } from './entities.ts'
import { createExports } from './exports.ts'
import { createImports } from './imports.ts'
import { createMedia } from './media.ts'
import { rest } from './options.ts'
import { createProgrammes } from './programmes.ts'
import { type CallOptions, type ClientOptions, createSender, type Sender } from './send-request.ts'
import { createTokens } from './tokens.ts'

export type Client = ReturnType<typeof createClient>

/** Creates a client of one service. It holds no state but its options: create one and share it. */
export function createClient(options: ClientOptions = {}) {
  const sender = createSender(options)
  const { send } = sender

  return {
    ...sender,
    entities: { ...createReading(sender), ...createChanging(sender) },
    tokens: createTokens(sender),
    programmes: createProgrammes(sender),
    changes: createChanges(sender),
    media: createMedia(sender),
    imports: createImports(sender),
    exports: createExports(sender),
    /** Suggestions for what is being typed, limited to these types if given. */
    async suggest<const Type extends string = string>(
      text: string,
      given: CallOptions & { readonly types?: readonly (Type & CheckedName<Type, TypeName>)[]; limit?: number } = {}
    ) {
      const query = { q: text, type: given.types?.join(','), limit: given.limit }
      return (await send('GET /suggest', { query, ...rest(given) })).data.suggestions
    },
    /**
     * The record types with their fields and relations, and the permissions of the token for each.
     */
    recordTypes: async (given: CallOptions = {}) => (await send('GET /record-types', rest(given))).data.record_types,
    /** The name and permissions of the token. */
    me: async (given: CallOptions = {}) => (await send('GET /me', rest(given))).data
  }
}

/** The changes of the catalogue. */
function createChanges(sender: Sender) {
  return {
    async read(
      given: CallOptions & Omit<FollowOptions, 'onReconnect'> & { limit?: number } = {}
    ): Promise<ChangesPage> {
      const { since, limit, types, ids } = given
      return (await sender.send('GET /changes', { query: { since, limit, types, ids }, ...rest(given) })).data
    },

    /** Every change as it happens, exactly once; see `followChanges`. */
    follow: <const Types extends string = string>(
      given: FollowOptions & { readonly types?: Types & CheckedList<Types, TypeName | ChangeEvent['type']> } = {}
    ) => followChanges(sender, given)
  }
}
