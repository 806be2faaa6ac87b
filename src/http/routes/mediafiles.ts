import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import type { TicketIssuer } from '#auth/tickets.ts'
import type { Catalogue } from '#catalogue/catalogue.ts'
import type { Written } from '#catalogue/entities/create-entity.ts'
import { mediaCategories } from '#domain/record-types/production.ts'
import type { MediaManager } from '#media/media-manager.ts'
import { isKnownToClient } from '../reply/conditions.ts'
import { HttpError } from '../reply/errors.ts'
import { keepWaiting } from '../access/keep-waiting.ts'
import { requestKey } from '../access/idempotency.ts'
import { readJsonBody } from '../body/json-body.ts'
import { endWithRights, rightsOf } from '../access/lasting-rights.ts'
import { formMediaType, isForm, readForm } from '../body/read-form.ts'
import { checkedByDomain, EntityParams, limit, NotModified, skip, soft, WriteQuery } from '../schemas/common.ts'
import { AnyJson, Entity, EntityPage, EntityPatch, EntityReplacement, WriteAnswer } from '../schemas/entity.ts'
import type { App } from '../openapi/typebox-provider.ts'
import { pathOf } from './read-entities.ts'
import { changeOptions, changeProblems, good, sendWritten, softly, softRead } from './write-entities.ts'

const MediafileInput = Type.Object(
  {
    filename: Type.Optional(Type.String()),
    mediafile_type: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: [...mediaCategories, 'poster'] })),
    metadata: Type.Optional(AnyJson),
    relations: Type.Optional(AnyJson)
  },
  {
    $id: 'MediafileInput',
    additionalProperties: true,
    description: 'A new media file, as an entity or with its fields beside `metadata`; the bytes come later'
  }
)

const MediaQuery = Type.Object({
  category: Type.Optional(
    Type.Unsafe<string>({ type: 'string', enum: [...mediaCategories, 'poster'], description: 'One category of files' })
  ),
  skip,
  limit,
  soft,
  cursor: Type.Optional(
    Type.String({ maxLength: 10_000, description: 'Where to go on: part of the `next` of an answer' })
  )
})

const addressMediaType = 'text/uri-list'
/** In seconds; large files take their time to be prepared. */
const addressGoodFor = 3600

const createProblems = ['not_found', 'invalid', 'identifier_taken', 'key_reused', 'storage_full'] as const

/** The records of media files, alone and of one entity. */
export function mediafileRoutes(
  app: App,
  catalogue: Catalogue,
  media: MediaManager,
  tickets: TicketIssuer,
  publicUrl: string | undefined
) {
  /** Existing clients that ask for a list of addresses want to know where to send the bytes. */
  const sendAddress = async (request: FastifyRequest, reply: FastifyReply, { entity }: Written) => {
    const ticket = await tickets.create(request.principal, { action: 'upload', mediafileId: entity.id }, addressGoodFor)
    const base = publicUrl ?? `${request.protocol}://${request.host}`
    const query = new URLSearchParams({ id: entity.id, ticket })
    return reply
      .code(201)
      .type(addressMediaType)
      .send(`${base}/mediafiles/${encodeURIComponent(entity.id)}/content?${query}\r\n`)
  }

  app.addContentTypeParser(formMediaType, (request, payload, done) => {
    if (request.routeOptions.config.doc?.consumes?.includes(formMediaType)) done(null, payload)
    else done(new HttpError('unsupported_media_type', 'A form is for /entities/{id}/mediafiles; send JSON'))
  })

  const list = async (request: FastifyRequest, reply: FastifyReply, entityId: string | undefined) => {
    const {
      category,
      soft: isSoft,
      ...page
    } = request.query as {
      category?: string
      soft: number
      skip: number
      limit: number
      cursor?: string
    }
    if (isSoft === 1) return softRead(request.principal, reply)
    const found = await catalogue.listMediafiles(request.principal, entityId, category, {
      ...page,
      cursor: page.cursor
    })
    const query = { limit: String(page.limit), ...(category === undefined ? {} : { category }) }
    const link = (cursor: string | undefined) =>
      cursor === undefined ? undefined : `${pathOf(request.url)}?${new URLSearchParams({ ...query, cursor })}`
    const links = { next: link(found.next), previous: link(found.previous) }
    const rest = JSON.stringify({ skip: found.skip, limit: found.limit, ...links }).slice(1)
    const results = found.entities.map(entity => entity.json).join(',')
    return reply.type('application/json; charset=utf-8').send(`{"count":${found.count},"results":[${results}],${rest}`)
  }

  app.get(
    '/entities/:id/mediafiles',
    {
      schema: { params: EntityParams, querystring: MediaQuery, response: { 200: EntityPage } },
      config: {
        doc: { tag: 'Media', summary: 'The media files of an entity', problems: ['not_found', 'query_timeout'] }
      }
    },
    (request, reply) => list(request, reply, request.params.id)
  )

  app.post(
    '/entities/:id/mediafiles',
    {
      schema: {
        params: EntityParams,
        querystring: WriteQuery,
        body: checkedByDomain(MediafileInput),
        response: { 201: WriteAnswer, 200: WriteAnswer }
      },
      config: {
        doc: {
          tag: 'Media',
          needs: 'write',
          summary: 'Add a media file to an entity',
          description:
            'As JSON, and the bytes later; or as a form (`multipart/form-data`) with the fields and one file, which are kept together or not at all.',
          problems: [...createProblems, 'media_too_large', 'checksum_mismatch'],
          consumes: ['application/json', formMediaType],
          alsoProduces: [addressMediaType],
          isStreamed: true
        }
      }
    },
    async (request, reply) => {
      const { principal, params } = request
      if (request.query.soft === 1) return softly(reply, catalogue.refuseMediafiles(principal))
      if (isForm(request.headers)) return sendCreated(reply, await receiveForm(request, reply, catalogue, media), 0)
      const { dry_run } = request.query
      const options = { dryRun: dry_run === 1, once: requestKey(request) }
      const written = await catalogue.createMediafile(principal, params.id, request.body, options)
      if (dry_run === 0 && request.headers.accept?.includes(addressMediaType))
        return sendAddress(request, reply, written)
      return sendCreated(reply, written, dry_run)
    }
  )

  app.post(
    '/mediafiles',
    {
      schema: {
        querystring: WriteQuery,
        body: checkedByDomain(MediafileInput),
        response: { 201: WriteAnswer, 200: WriteAnswer }
      },
      config: {
        doc: {
          tag: 'Media',
          needs: 'write',
          summary: 'Add a media file; its bytes come later',
          problems: createProblems
        }
      }
    },
    async (request, reply) => {
      const { dry_run, soft } = request.query
      if (soft === 1) return softly(reply, catalogue.refuseMediafiles(request.principal))
      const options = { dryRun: dry_run === 1, once: requestKey(request) }
      const written = await catalogue.createMediafile(request.principal, undefined, request.body, options)
      return sendCreated(reply, written, dry_run)
    }
  )

  app.get(
    '/mediafiles',
    {
      schema: { querystring: MediaQuery, response: { 200: EntityPage } },
      config: { doc: { tag: 'Media', summary: 'List media files', problems: ['query_timeout'] } }
    },
    (request, reply) => list(request, reply, undefined)
  )

  app.get(
    '/mediafiles/:id',
    {
      schema: {
        params: EntityParams,
        querystring: Type.Object({ soft }),
        response: { 200: Entity, 304: NotModified }
      },
      config: { doc: { tag: 'Media', summary: 'Fetch the record of a media file', problems: ['not_found'] } }
    },
    async (request, reply) => {
      const { id } = await catalogue.readMediafile(request.principal, request.params.id)
      if (request.query.soft === 1) return good(reply)
      const { body, etag } = await catalogue.readEntity(request.principal, id)
      reply.header('etag', etag)
      if (isKnownToClient(request.headers, etag)) return reply.code(304).send()
      return reply.type('application/json; charset=utf-8').send(body)
    }
  )

  for (const [method, schema] of [
    ['PUT', EntityReplacement],
    ['PATCH', EntityPatch]
  ] as const) {
    app.route({
      method,
      url: '/mediafiles/:id',
      schema: {
        params: EntityParams,
        querystring: WriteQuery,
        body: checkedByDomain(schema),
        response: { 200: WriteAnswer }
      },
      config: {
        doc: {
          tag: 'Media',
          needs: 'write',
          summary:
            method === 'PUT' ? 'Replace the record of a media file' : 'Change part of the record of a media file',
          problems: changeProblems
        }
      },
      handler: async (request, reply) => {
        const { principal } = request
        const writable = catalogue.findWritableMediafile(principal, (request.params as { id: string }).id)
        if ((request.query as { soft: number }).soft === 1) return softly(reply, writable)
        const { id } = await writable
        const options = changeOptions(request)
        return sendWritten(
          reply,
          method === 'PUT'
            ? await catalogue.replaceEntity(principal, id, request.body, options)
            : await catalogue.patchEntity(principal, id, 'lists', request.body, options)
        )
      }
    })
  }

  app.delete(
    '/mediafiles/:id',
    {
      schema: { params: EntityParams, response: { 204: Type.Null() } },
      config: {
        doc: {
          tag: 'Media',
          needs: 'delete',
          summary: 'Delete a media file',
          description: 'Its bytes are cleaned away later, when no other media file has the same.',
          problems: ['not_found', 'still_referenced', 'storage_full']
        }
      }
    },
    async (request, reply) => {
      const { id } = await catalogue.findDeletableMediafile(request.principal, request.params.id)
      await catalogue.deleteEntity(request.principal, id)
      return reply.code(204).send()
    }
  )
}

function sendCreated(reply: FastifyReply, written: Written, dryRun: number) {
  if (dryRun === 0) reply.code(201).header('location', `/mediafiles/${encodeURIComponent(written.entity.id)}`)
  return sendWritten(reply, written)
}

/**
 * The fields of a form and its file, as one new media file. What can be refused is refused before
 * the bytes are read.
 */
async function receiveForm(
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
    await catalogue.createMediafile(principal, id, body(), { dryRun: true })
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
        return catalogue.createMediafile(principal, id, body(), { content, once: requestKey(request) })
      },
      () => keepWaiting(request)
    )
  } catch (error) {
    bytes.resume()
    throw error
  }
}

/** Fields of a form are texts; `metadata` and `relations` are JSON. */
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
