import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Catalogue } from '#catalogue/catalogue.ts'
import type { Written } from '#catalogue/entities/create-entity.ts'
import type { MediaManager } from '#media/media-manager.ts'
import { requestKey } from '../../access/idempotency.ts'
import { liftIdleLimit } from '../../access/idle-limit.ts'
import { endWithRights, rightsOf } from '../../access/lasting-rights.ts'
import { readJsonBody } from '../../body/json-body.ts'
import { readForm } from '../../body/read-form.ts'
import { HttpError } from '../../reply/errors.ts'

/**
 * Creates a media file from the fields of a form and its file. Everything that can be checked is
 * checked before the bytes are read.
 */
export async function receiveForm(
  request: FastifyRequest,
  reply: FastifyReply,
  catalogue: Catalogue,
  media: MediaManager
): Promise<Written> {
  const { principal } = request
  const rights = rightsOf(request, reply)
  const { id } = request.params as { id: string }
  const { fields, filename, bytes, isRead } = await readForm(request.headers, request.body as Readable)
  const body = () => bodyOf(fields, filename)
  try {
    await catalogue.media.create(principal, id, body(), { dryRun: true })
    const { sha256 } = fields
    const plan = {
      entityId: id,
      owner: principal.key,
      ...(sha256 === undefined ? {} : { sha256: sha256.toLowerCase() })
    }
    return await media.receive(
      plan,
      endWithRights(bytes, rights),
      async content => {
        await isRead
        rights.throwIfAborted()
        return catalogue.media.create(principal, id, body(), { content, once: requestKey(request) })
      },
      () => liftIdleLimit(request)
    )
  } catch (error) {
    bytes.resume()
    throw error
  }
}

/** Builds the body from the fields of a form; `metadata` and `relations` are JSON. */
function bodyOf(
  { metadata, relations, sha256, ...fields }: Readonly<Record<string, string>>,
  filename: string
): object {
  return {
    ...(filename === '' ? {} : { filename }),
    ...fields,
    ...(metadata === undefined ? {} : { metadata: parse('metadata', metadata) }),
    ...(relations === undefined ? {} : { relations: parse('relations', relations) })
  }
}

function parse(name: string, text: string): unknown {
  try {
    return readJsonBody(Buffer.from(text))
  } catch (error) {
    throw new HttpError('malformed_json', `The field "${name}" of the form is not JSON: ${(error as Error).message}`)
  }
}
