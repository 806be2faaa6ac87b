import type { IncomingMessage, ServerResponse } from 'node:http'

import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider, RawServerDefault } from 'fastify'
import type { Static, TSchema } from 'typebox'

/** Gives each handler the types of the schema beside it. */
export interface TypeBoxProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  /**
   * Answers are mostly prepared bytes; generated tests compare them with their schemas, not types.
   */
  serializer: unknown
}

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxProvider>
