import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { notFound } from '#domain/errors.ts'
import type { MediaManager } from '#media/media-manager.ts'
import type { Piece, Upload } from '#media/upload-folder.ts'
import { HttpError } from '../../reply/errors.ts'
import { liftIdleLimit } from '../../access/idle-limit.ts'
import { endWithRights, rightsOf } from '../../access/lasting-rights.ts'
import { EntityParams } from '../../schemas/common.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { route } from '../../openapi/route.ts'

/*
 * Resumable uploads by tus 1.0.0 (https://tus.io/protocols/resumable-upload) with the extensions
 * named below. Received bytes stay when the connection is lost; `HEAD` returns their number.
 */

const tusVersion = '1.0.0'
const extensions = 'creation,creation-with-upload,checksum,termination'
const pieceMediaType = 'application/offset+octet-stream'
const algorithms = ['sha1', 'sha256'] as const

const UploadParams = Type.Object({ upload_id: Type.String({ description: 'Id in the address of the upload' }) })
const uploadProblems = [
  'not_found',
  'checksum_mismatch',
  'media_too_large',
  'storage_full',
  'unsupported_tus_version'
] as const

export function uploadRoutes(app: App, catalogue: Catalogue, media: MediaManager, maxBytes: number) {
  const uploads = createReceiver(catalogue, media)
  startRoutes(app, uploads, maxBytes)
  continueRoutes(app, uploads)
}

/** The work that several routes do on an upload. */
function createReceiver(catalogue: Catalogue, media: MediaManager) {
  /** Only the principal that began an upload may continue it; for others it does not exist. */
  const findOwn = async (request: FastifyRequest): Promise<Upload> => {
    const { upload_id: id } = request.params as { upload_id: string }
    const upload = await media.findUpload(id)
    if (!upload || upload.owner !== request.principal.key) throw notFound('upload', id)
    return upload
  }

  const finishIfComplete = async (request: FastifyRequest, upload: Upload, rights: AbortSignal) => {
    if (upload.isFinished || upload.offset !== upload.length) return
    liftIdleLimit(request)
    await media.finishUpload(upload.id, facts => {
      rights.throwIfAborted()
      return catalogue.media.attachContent(request.principal, upload.entityId, facts)
    })
  }

  const append = async (
    request: FastifyRequest,
    reply: FastifyReply,
    upload: Upload,
    offset: number
  ): Promise<Upload> => {
    const rights = rightsOf(request, reply)
    const body = request.body as Readable | undefined
    const stream = body && endWithRights(body, rights)
    const checksum = readChecksum(request)
    const after = stream ? await media.appendToUpload(upload.id, { stream, offset, checksum }) : upload
    rights.throwIfAborted()
    await finishIfComplete(request, after, rights)
    return after
  }

  return { catalogue, media, findOwn, finishIfComplete, append }
}

type Receiver = ReturnType<typeof createReceiver>

function startRoutes(app: App, { catalogue, media, append }: Receiver, maxBytes: number) {
  app.options(
    '/mediafiles/:id/uploads',
    route(
      { params: EntityParams, response: { 204: Type.Null() } },
      {
        tag: 'Media',
        summary: 'Read the options of resumable uploads (tus 1.0.0)',
        description:
          'The headers name the version, the extensions and the maximum size. Clients of tus ask for them before an upload.'
      }
    ),
    async (_, reply) =>
      reply
        .headers({
          'tus-resumable': tusVersion,
          'tus-version': tusVersion,
          'tus-extension': extensions,
          'tus-max-size': maxBytes,
          'tus-checksum-algorithm': algorithms.join()
        })
        .code(204)
        .send()
  )

  app.post(
    '/mediafiles/:id/uploads',
    route(
      { params: EntityParams, response: { 201: Type.Null() } },
      {
        tag: 'Media',
        needs: 'write',
        summary: 'Start a resumable upload of the bytes of a media file (tus 1.0.0)',
        description:
          '`Upload-Length` is the number of bytes; send them with `PATCH` to the `Location` of the answer. `sha256` in `Upload-Metadata` is checked after the last byte.',
        problems: uploadProblems,
        consumes: [pieceMediaType],
        isStreamed: true
      }
    ),
    async (request, reply) => {
      const { principal, headers } = request
      refuseOtherTus(request, reply)
      const { id } = await catalogue.media.findWritable(principal, request.params.id)
      const length = readNumber(headers['upload-length'], 'Upload-Length')
      const sha256 = readUploadMetadata(headers['upload-metadata']).get('sha256')?.toLowerCase()
      if (sha256 !== undefined && !/^[0-9a-f]{64}$/.test(sha256))
        throw new HttpError('bad_request', '"sha256" in Upload-Metadata must be 64 hexadecimal digits')
      const upload = await media.beginUpload({
        entityId: id,
        owner: principal.key,
        length,
        ...(sha256 === undefined ? {} : { sha256 })
      })
      const isPiece = mediaTypeOf(request) === pieceMediaType
      const { offset } = isPiece || length === 0 ? await append(request, reply, upload, 0) : upload
      return reply
        .code(201)
        .headers({ 'tus-resumable': tusVersion, location: `/uploads/${upload.id}`, 'upload-offset': offset })
        .send()
    }
  )
}

function continueRoutes(app: App, { media, findOwn, finishIfComplete, append }: Receiver) {
  app.head(
    '/uploads/:upload_id',
    route({ params: UploadParams }, { tag: 'Media', summary: 'Read the offset of an upload' }),
    async (request, reply) => {
      refuseOtherTus(request, reply)
      const { id } = await findOwn(request)
      liftIdleLimit(request)
      const upload = await media.settleUpload(id)
      if (!upload) throw notFound('upload', id)
      // After a connection was lost at the very end nothing is left to send: this may be the last
      // request of the sender.
      await finishIfComplete(request, upload, rightsOf(request, reply))
      return reply
        .headers({
          'tus-resumable': tusVersion,
          'upload-offset': upload.offset,
          'upload-length': upload.length ?? 0,
          'cache-control': 'no-store'
        })
        .send()
    }
  )

  app.patch(
    '/uploads/:upload_id',
    route(
      { params: UploadParams, response: { 204: Type.Null() } },
      {
        tag: 'Media',
        needs: 'write',
        summary: 'Continue an upload (tus 1.0.0)',
        description:
          '`Upload-Offset` is the position of the body. `Upload-Checksum` is checked for each piece. The last byte completes the file.',
        problems: [...uploadProblems, 'offset_mismatch'],
        consumes: [pieceMediaType],
        isStreamed: true
      }
    ),
    async (request, reply) => {
      refuseOtherTus(request, reply)
      if (mediaTypeOf(request) !== pieceMediaType)
        throw new HttpError('unsupported_media_type', `A piece of an upload must be ${pieceMediaType}`)
      const offset = readNumber(request.headers['upload-offset'], 'Upload-Offset')
      const after = await append(request, reply, await findOwn(request), offset)
      return reply.code(204).headers({ 'tus-resumable': tusVersion, 'upload-offset': after.offset }).send()
    }
  )

  app.delete(
    '/uploads/:upload_id',
    route(
      { params: UploadParams, response: { 204: Type.Null() } },
      {
        tag: 'Media',
        needs: 'write',
        summary: 'Cancel an upload',
        description: 'The bytes that were received are removed. The media file keeps the bytes that it had.',
        problems: ['not_found', 'unsupported_tus_version'],
        isStreamed: true
      }
    ),
    async (request, reply) => {
      refuseOtherTus(request, reply)
      const { id } = await findOwn(request)
      await media.removeUpload(id)
      return reply.code(204).header('tus-resumable', tusVersion).send()
    }
  )
}

function refuseOtherTus({ headers }: FastifyRequest, reply: FastifyReply) {
  const version = headers['tus-resumable']
  if (version === undefined || version === tusVersion) return
  reply.headers({ 'tus-version': tusVersion })
  throw new HttpError('unsupported_tus_version', `tus ${version} is not supported; use ${tusVersion}`)
}

const mediaTypeOf = ({ headers }: FastifyRequest) => headers['content-type']?.split(';')[0]?.trim().toLowerCase()

function readNumber(header: string | string[] | undefined, name: string): number {
  if (typeof header === 'string' && /^\d{1,15}$/.test(header)) return Number(header)
  throw new HttpError('bad_request', `${name} must be a whole number of bytes, not "${header ?? ''}"`)
}

function readChecksum({ headers }: FastifyRequest): Piece['checksum'] {
  const header = headers['upload-checksum']
  if (header === undefined) return undefined
  const [, name, digest = ''] = /^(\S+) (\S+)$/.exec(String(header)) ?? []
  const algorithm = algorithms.find(each => each === name)
  if (algorithm === undefined)
    throw new HttpError(
      'bad_request',
      `Upload-Checksum must be one of ${algorithms.join(', ')} and the digest in base64`
    )
  return { algorithm, digest: Buffer.from(digest, 'base64') }
}

/** Reads keys, each with a value in base64, separated by commas. */
function readUploadMetadata(header: string | string[] | undefined): Map<string, string> {
  const pairs = String(header ?? '')
    .split(',')
    .map(each => each.trim().split(' '))
  return new Map(pairs.map(([key = '', value = '']) => [key, Buffer.from(value, 'base64').toString('utf8')]))
}
