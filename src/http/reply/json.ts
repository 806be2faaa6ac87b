import type { FastifyReply, FastifyRequest } from 'fastify'

import { etagOf } from '#catalogue/etag.ts'
import type { CachedAnswer } from '#catalogue/cache/answer-cache.ts'
import type { MadeFrom } from '#catalogue/cache/sent-answers.ts'
import { type Encoding, nameEncoding } from './compression.ts'
import { isKnownToClient } from './conditions.ts'
import type { EditedSource } from '#imports/edit-source.ts'
import type { Written } from '#catalogue/entities/create-entity.ts'

export const jsonType = 'application/json; charset=utf-8'

/** Sends text that is JSON already. */
export const sendJson = (reply: FastifyReply, text: string): FastifyReply => reply.type(jsonType).send(text)

/** Sends a cached answer, or 304. */
export async function sendCached(
  answer: Promise<CachedAnswer>,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply | undefined> {
  const ready = await answer
  const { madeFrom } = request.server.repeated
  return sendRepeatable(request, reply, { ready, contentType: jsonType, from: () => madeFrom(ready) })
}

/** An answer that may be sent again, and what it was made from. */
interface Repeatable {
  readonly ready: { readonly body: string | Buffer; readonly etag: string }
  readonly contentType: string
  readonly from: () => MadeFrom | undefined
}

/**
 * Sends an answer, or 304, and stores how it was sent. A handler that returns the reply waits until
 * it is sent, which took 4 µs more for each request (bench/get.ts); so it is returned only where
 * another thread may have to compress it first. Without it Fastify would send a second answer
 * meanwhile.
 */
export function sendRepeatable(
  request: FastifyRequest,
  reply: FastifyReply,
  { ready, contentType, from }: Repeatable
): FastifyReply | undefined {
  const { body, etag } = ready
  reply.header('etag', etag)
  const { headers } = request
  const { repeated } = request.server
  if (headers['if-none-match'] !== undefined && isKnownToClient(headers, etag)) {
    reply.code(304).send()
    repeated.keep(request, reply, from(), '')
    return undefined
  }
  const compression = headers['accept-encoding'] === undefined ? undefined : request.server.compression
  const encoding = compression?.encodingFor(request)
  const compressed = encoding && compression?.compressReady(ready, contentType, encoding)
  if (compressed === undefined) {
    const sent = reply.type(contentType).send(body)
    if (!reply.hasHeader('content-encoding')) repeated.keep(request, reply, from(), body)
    return encoding === undefined ? undefined : sent
  }
  nameEncoding(reply, encoding as Encoding)
  reply.type(contentType).send(compressed)
  repeated.keep(request, reply, from(), compressed)
  return undefined
}

/** Sends a document with an ETag made from its bytes, or 304. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  contentType: string,
  body: string | Buffer
): FastifyReply {
  const etag = etagOf(body)
  reply.header('etag', etag)
  if (isKnownToClient(request.headers, etag)) return reply.code(304).send()
  return reply.type(contentType).send(body)
}

/** Sends an entity as written, with its warnings. */
export function sendWritten(reply: FastifyReply, { entity, warnings }: Written) {
  reply.header('etag', `"${entity.version}"`)
  if (warnings.length === 0) return sendJson(reply, entity.json)
  return sendJson(reply, `${entity.json.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}`)
}

/** Sends a manifestation after an edit of its source record, with the records that it changed. */
export function sendEdited(reply: FastifyReply, { entity, warnings, records }: EditedSource) {
  reply.header('etag', `"${entity.version}"`)
  return sendJson(
    reply,
    `${entity.json.slice(0, -1)},"warnings":${JSON.stringify(warnings)},"records":${JSON.stringify(records)}}`
  )
}

/** Sends a new entity: 201 with its address, or 200 for a dry run. */
export function sendCreated(reply: FastifyReply, path: string, written: Written, isDryRun: boolean) {
  return sendWritten(markCreated(reply, path, written.entity, isDryRun), written)
}

/** Marks an answer as that of a new entity, unless it was a dry run. */
export const markCreated = (reply: FastifyReply, path: string, { id }: { readonly id: string }, isDryRun: boolean) =>
  isDryRun ? reply : reply.code(201).header('location', `${path}/${encodeURIComponent(id)}`)
