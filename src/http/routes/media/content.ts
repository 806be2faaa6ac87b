import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { notFound } from '#domain/errors.ts'
import { mayBeShown } from '#media/detect-type.ts'
import type { MediaManager } from '#media/media-manager.ts'
import {
  formatOf,
  nameOf,
  type PictureForm,
  pictureForms,
  type Thumbnails,
  type ThumbnailForm,
  thumbnailWidths
} from '#media/thumbnails.ts'
import { readRange } from '../../reply/byte-range.ts'
import { isKnownToClient } from '../../reply/conditions.ts'
import { contentHeaders } from '../../reply/content-headers.ts'
import { readDigest } from '../../reply/digest.ts'
import { HttpError } from '../../reply/errors.ts'
import { otherResource } from '../../access/admission.ts'
import { liftIdleLimit } from '../../access/idle-limit.ts'
import { isForm, readForm } from '../../body/read-form.ts'
import { endWithRights, rightsOf } from '../../access/lasting-rights.ts'
import { EntityParams, NotModified } from '../../schemas/common.ts'
import { WriteAnswer } from '../../schemas/entity.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { sendWritten } from '../../reply/json.ts'
import { route } from '../../openapi/route.ts'

const Bytes = Type.Unsafe<Readable>({ type: 'string', contentEncoding: 'binary' })

const TicketQuery = Type.Object({
  ticket: Type.Optional(Type.String({ maxLength: 4000, description: 'A ticket, instead of a bearer' }))
})

/** The bytes of a media file. Every body here is bytes. */
export function contentRoutes(app: App, catalogue: Catalogue, media: MediaManager, thumbnails: Thumbnails) {
  receiveRoutes(app, catalogue, media)

  const content = async (request: FastifyRequest, reply: FastifyReply) =>
    sendContent(request, reply, (request.params as { id: string }).id)
  const sendContent = async (request: FastifyRequest, reply: FastifyReply, id: string) => {
    const { facts, filename, externalUrl } = await catalogue.media.read(request.principal, id)
    if (!facts) {
      // The normalised address: a header allows no other characters and no line ends.
      const address = externalUrl === undefined ? null : URL.parse(externalUrl)
      if (address === null || !/^https?:$/.test(address.protocol)) throw notFound('content', id)
      return reply.redirect(address.href, 307)
    }
    const { sha256, mimetype } = facts
    const { size } = await media.find(sha256)
    const etag = `"${sha256}"`
    reply.headers({ etag, 'accept-ranges': 'bytes', 'repr-digest': `sha-256=:${base64(sha256)}:` })
    if (isKnownToClient(request.headers, etag)) return reply.code(304).send()
    const range = rangeOf(request, reply, size, etag)
    reply.headers(contentHeaders(mimetype, filename))
    if (range) reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${size}`)
    const { first, last } = range ?? { first: 0, last: size - 1 }
    reply.header('content-length', last - first + 1)
    if (request.method === 'HEAD' || size === 0) return reply.send()
    return reply.send(endWithRights(await media.read(sha256, first, last), rightsOf(request, reply)))
  }
  const params = EntityParams
  const querystring = TicketQuery
  app.get(
    '/mediafiles/:id/content',
    {
      exposeHeadRoute: false,
      schema: { params, querystring, response: { 200: Bytes, 206: Bytes, 304: NotModified } },
      config: {
        doc: {
          tag: 'Media',
          summary: 'Read the bytes of a media file',
          description:
            'Streamed; `Range`, `If-Range` and `If-None-Match` are supported. Types that cannot run in a browser are shown inline, all others are downloads. An external file is answered with a redirect.',
          problems: ['not_found', 'range_not_satisfiable'],
          produces: '*/*',
          ticketFor: 'download'
        }
      }
    },
    content
  )
  app.head(
    '/mediafiles/:id/content',
    route(
      { params, querystring },
      { tag: 'Media', summary: 'Read the length of a media file', produces: '*/*', ticketFor: 'download' }
    ),
    content
  )
  thumbnailRoute(app, catalogue, thumbnails, sendContent)
}

const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')

function rangeOf(request: FastifyRequest, reply: FastifyReply, size: number, etag: string) {
  try {
    return readRange(request.headers, size, etag)
  } catch (error) {
    reply.header('content-range', `bytes */${size}`)
    throw error
  }
}

function receiveRoutes(app: App, catalogue: Catalogue, media: MediaManager) {
  for (const method of ['PUT', 'POST'] as const) {
    app.route({
      method,
      url: '/mediafiles/:id/content',
      schema: { params: EntityParams, querystring: TicketQuery, response: { 200: WriteAnswer } },
      config: {
        doc: {
          tag: 'Media',
          needs: 'write',
          summary:
            method === 'PUT'
              ? 'Send the bytes of a media file'
              : 'Send the bytes of a media file, optionally as a form',
          description:
            'The body is the file; with POST it may be a form (`multipart/form-data`) with one file. Its type is detected from the bytes; `Content-Type` is ignored. `Repr-Digest` or `Content-Digest` (RFC 9530) with `sha-256` is checked.',
          problems: ['not_found', 'invalid', 'checksum_mismatch', 'media_too_large', 'storage_full'],
          consumes: ['*/*'],
          isStreamed: true,
          ticketFor: 'upload'
        }
      },
      handler: receive
    })
  }

  async function receive(request: FastifyRequest, reply: FastifyReply) {
    const { principal, headers } = request
    const { id: identifier } = request.params as { id: string }
    if (headers['content-range'] !== undefined)
      throw new HttpError(
        'bad_request',
        'Content-Range is not supported; send the whole file, or use a resumable upload'
      )
    const { id, filename } = await catalogue.media.findWritable(principal, identifier)
    if (request.ticket?.filename !== undefined && request.ticket.filename !== filename) throw otherResource()
    const stream = request.body as Readable | undefined
    if (!stream) throw new HttpError('bad_request', 'The body is empty; send the bytes of the file')
    const rights = rightsOf(request, reply)
    const form = request.method === 'POST' && isForm(headers) ? await readForm(headers, stream) : undefined
    const length = form ? undefined : headers['content-length']
    const plan = {
      entityId: id,
      owner: principal.key,
      ...(length === undefined ? {} : { length: Number(length) }),
      ...readDigest(headers)
    }
    return sendWritten(
      reply,
      await media.receive(
        plan,
        endWithRights(form?.bytes ?? stream, rights),
        async facts => {
          await form?.isRead
          rights.throwIfAborted()
          return catalogue.media.attachContent(principal, id, facts)
        },
        () => liftIdleLimit(request)
      )
    )
  }
}

const sizes = Object.entries(pictureForms)
  .map(([form, { width, height }]) => `\`${form}\` ${width} × ${height}`)
  .join(', ')

/** `sendContent` sends the original. */
function thumbnailRoute(
  app: App,
  catalogue: Catalogue,
  thumbnails: Thumbnails,
  sendContent: (request: FastifyRequest, reply: FastifyReply, id: string) => Promise<unknown>
) {
  app.get(
    '/mediafiles/:id/thumbnail',
    route(
      {
        params: EntityParams,
        querystring: Type.Object({
          ...TicketQuery.properties,
          width: Type.Integer({
            enum: [...thumbnailWidths],
            default: 320,
            description: 'Pixels; at most the width of the original'
          }),
          form: Type.Optional(
            Type.Unsafe<PictureForm>({
              type: 'string',
              enum: Object.keys(pictureForms),
              description: `A picture for a purpose, as JPEG, in pixels: ${sizes}. It is cut around the focal point (\`focus_x\`, \`focus_y\`); a card has the whole picture, on a blurred one. \`width\` is not used`
            })
          )
        }),
        response: { 200: Bytes, 304: NotModified }
      },
      {
        tag: 'Media',
        summary: 'Read a thumbnail of an image',
        description:
          'A video or recording has the thumbnail of the picture that stands for it (`refPrimaryThumbnail`). The original is sent where no thumbnail can be made: the package `sharp` is not installed or cannot read it.',
        problems: ['not_found', 'range_not_satisfiable'],
        produces: '*/*',
        ticketFor: 'download'
      }
    ),
    async (request, reply) => {
      const { id, facts, filename, focus } = await catalogue.media.readPicture(request.principal, request.params.id)
      if (!facts?.mimetype.startsWith('image/')) throw notFound('image', request.params.id)
      const form = request.query.form ?? (request.query.width as ThumbnailForm)
      const small = await thumbnails.find(facts.sha256, facts.mimetype, form, focus)
      if (!small) {
        if (!mayBeShown(facts.mimetype)) throw notFound('image', request.params.id)
        return sendContent(request, reply, id)
      }
      const etag = `"${facts.sha256}-${nameOf(form, focus)}"`
      reply.header('etag', etag)
      if (isKnownToClient(request.headers, etag)) return reply.code(304).send()
      const { extension, mimetype } = formatOf(form)
      const headers = contentHeaders(mimetype, `${filename}.${extension}`)
      reply.headers({ ...headers, 'content-length': String(small.size) })
      return reply.send(createReadStream(small.path))
    }
  )
}
