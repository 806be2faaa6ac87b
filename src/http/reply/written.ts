import type { FastifyReply } from 'fastify'

import type { Written } from '#catalogue/entities/create-entity.ts'
import { sendJson } from './json.ts'

/** Sends an entity as written, with its warnings. */
export function sendWritten(reply: FastifyReply, { entity, warnings }: Written) {
  reply.header('etag', `"${entity.version}"`)
  if (warnings.length === 0) return sendJson(reply, entity.json)
  return sendJson(reply, `${entity.json.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}`)
}

/** Sends a new entity: 201 with its address, or 200 for a dry run. */
export function sendCreated(reply: FastifyReply, path: string, written: Written, isDryRun: boolean) {
  if (!isDryRun) reply.code(201).header('location', `${path}/${encodeURIComponent(written.entity.id)}`)
  return sendWritten(reply, written)
}
