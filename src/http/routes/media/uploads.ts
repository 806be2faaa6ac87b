import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { notFound } from '#domain/errors.ts'
import type { MediaManager } from '#media/media-manager.ts'
import type { Piece, Upload } from '#media/upload-folder.ts'
import { HttpError } from '../../reply/errors.ts'
import { keepWaiting } from '../../access/keep-waiting.ts'
import { endWithRights, rightsOf } from '../../access/lasting-rights.ts'
import { EntityParams } from '../../schemas/common.ts'
import type { App } from '../../openapi/typebox-provider.ts'

/*
 * Uploads that can be resumed, by tus 1.0.0 (https://tus.io/protocols/resumable-upload) with the
 * extensions named below. What has arrived stays, whatever becomes of the connection; `HEAD` says
 * how much that is.
 */

const tusVersion = '1.0.0'
const extensions = 'creation,creation-with-upload,checksum,termination'
const pieceMediaType = 'application/offset+octet-stream'
const algorithms = ['sha1', 'sha256'] as const

const UploadParams = Type.Object({ upload_id: Type.String({ description: 'As the address of the upload has it' }) })
const uploadProblems = [
  'not_found',
  'checksum_mismatch',
  'media_too_large',
  'storage_full',
  'unsupported_tus_version'
] as const

export function uploadRoutes(app: App, catalogue: Catalogue, media: MediaManager, mostBytes: number) {
  /** Only whoever began an upload may go on with it; for others it does not exist. */
  const findOwn = async (request: FastifyRequest): Promise<Upload> => {
    const { upload_id: id } = request.params as { upload_id: string }
    const upload = await media.findUpload(id)
    if (!upload || upload.owner !== request.principal.key) throw notFound('upload', id)
    return upload
  }

  const finishIfWhole = async (request: FastifyRequest, upload: Upload, rights: AbortSignal) => {
    if (upload.isFinished || upload.offset !== upload.length) return
    keepWaiting(request)
    await media.finishUpload(upload.id, facts => {
      rights.throwIfAborted()
      return catalogue.attachContent(request.principal, upload.entityId, facts)
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
    await finishIfWhole(request, after, rights)
    return after
  }

  app.options(
    '/mediafiles/:id/uploads',
    {
      schema: { params: EntityParams, response: { 204: Type.Null() } },
      config: { doc: { tag: 'Media', summary: 'What resumable uploads can do (tus 1.0.0)' } }
    },
    async (_, reply) =>
      reply
        .headers({
          'tus-resumable': tusVersion,
          'tus-version': tusVersion,
          'tus-extension': extensions,
          'tus-max-size': mostBytes,
          'tus-checksum-algorithm': algorithms.join()
        })
        .code(204)
        .send()
  )

  app.post(
    '/mediafiles/:id/uploads',
    {
      schema: { params: EntityParams, response: { 201: Type.Null() } },
      config: {
        doc: {
          tag: 'Media',
          needs: 'write',
          summary: 'Begin a resumable upload of the bytes of a media file (tus 1.0.0)',
          description:
            '`Upload-Length` says how many bytes there will be, `Location` of the answer where to send them with `PATCH`. `sha256` in `Upload-Metadata` is checked when all have arrived.',
          problems: uploadProblems,
          consumes: [pieceMediaType],
          isStreamed: true
        }
      }
    },
    async (request, reply) => {
      const { principal, headers } = request
      refuseOtherTus(request, reply)
      const { id } = await catalogue.findWritableMediafile(principal, request.params.id)
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

  app.head(
    '/uploads/:upload_id',
    { schema: { params: UploadParams }, config: { doc: { tag: 'Media', summary: 'How far an upload is' } } },
    async (request, reply) => {
      refuseOtherTus(request, reply)
      const { id } = await findOwn(request)
      keepWaiting(request)
      const upload = await media.settleUpload(id)
      if (!upload) throw notFound('upload', id)
      // A connection that was cut at the very end left nothing to send: this is the last that its
      // sender will ask.
      await finishIfWhole(request, upload, rightsOf(request, reply))
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
    {
      schema: { params: UploadParams, response: { 204: Type.Null() } },
      config: {
        doc: {
          tag: 'Media',
          needs: 'write',
          summary: 'Go on with an upload (tus 1.0.0)',
          description:
            '`Upload-Offset` says where the body begins. `Upload-Checksum` is checked for each piece. With the last byte the file is kept.',
          problems: [...uploadProblems, 'offset_mismatch'],
          consumes: [pieceMediaType],
          isStreamed: true
        }
      }
    },
    async (request, reply) => {
      refuseOtherTus(request, reply)
      if (mediaTypeOf(request) !== pieceMediaType)
        throw new HttpError('unsupported_media_type', `Send a piece of an upload as ${pieceMediaType}`)
      const offset = readNumber(request.headers['upload-offset'], 'Upload-Offset')
      const after = await append(request, reply, await findOwn(request), offset)
      return reply.code(204).headers({ 'tus-resumable': tusVersion, 'upload-offset': after.offset }).send()
    }
  )

  app.delete(
    '/uploads/:upload_id',
    {
      schema: { params: UploadParams, response: { 204: Type.Null() } },
      config: {
        doc: {
          tag: 'Media',
          needs: 'write',
          summary: 'Give up an upload',
          problems: ['not_found', 'unsupported_tus_version'],
          isStreamed: true
        }
      }
    },
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
  throw new HttpError('unsupported_tus_version', `tus ${version} is not spoken here; ${tusVersion} is`)
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

/** Keys, each with a value in base64, separated by commas. */
function readUploadMetadata(header: string | string[] | undefined): Map<string, string> {
  const pairs = String(header ?? '')
    .split(',')
    .map(each => each.trim().split(' '))
  return new Map(pairs.map(([key = '', value = '']) => [key, Buffer.from(value, 'base64').toString('utf8')]))
}
