import type { FastifySchema } from 'fastify'

import type { RouteDoc } from './route-doc.ts'

/** The options of a route: its schemas, and its description beside them. */
export const route = <Schema extends FastifySchema>(schema: Schema, doc: RouteDoc) => ({ schema, config: { doc } })
