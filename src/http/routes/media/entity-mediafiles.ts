import type { FastifyReply, FastifyRequest } from 'fastify'

import type { TicketIssuer } from '#auth/tickets.ts'
import type { Catalogue } from '#catalogue/catalogue.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { MediaManager } from '#media/media-manager.ts'
import { requestKey } from '../../access/idempotency.ts'
import { formMediaType, isForm } from '../../body/read-form.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { HttpError } from '../../reply/errors.ts'
import { sendMediaPage } from '../../reply/media-page.ts'
import { tableType } from '../../reply/table.ts'
import { sendCreated } from '../../reply/json.ts'
import { EntityParams } from '../../schemas/common.ts'
import { EntityPage } from '../../schemas/entity.ts'
import { mediafileCreation, MediaQuery } from '../../schemas/mediafile.ts'
import { createProblems } from './mediafiles.ts'
import { receiveForm } from './receive-form.ts'
import { route } from '../../openapi/route.ts'

const addressMediaType = 'text/uri-list'

/** Validity of an upload address, in seconds; large files take long to prepare. */
const addressValidity = 3600

export interface EntityMediaParts {
  readonly catalogue: Catalogue
  readonly model: Model
  readonly media: MediaManager
  readonly tickets: TicketIssuer
  readonly publicUrl: string | undefined
}

/** The media files of one entity. */
export function entityMediafileRoutes(app: App, parts: EntityMediaParts) {
  const { catalogue } = parts
  app.addContentTypeParser(formMediaType, (request, payload, done) => {
    if (request.routeOptions.config.doc?.consumes?.includes(formMediaType)) done(null, payload)
    else done(new HttpError('unsupported_media_type', 'Only /entities/{id}/mediafiles reads a form; send JSON'))
  })

  app.get(
    '/entities/:id/mediafiles',
    route(
      { params: EntityParams, querystring: MediaQuery, response: { 200: EntityPage } },
      {
        tag: 'Media',
        summary: 'List the media files of an entity',
        description:
          '`category` narrows the list to posters, trailers or another kind of file, and `order_by` sorts it.',
        alsoProduces: [tableType],
        problems: ['not_found', 'query_timeout']
      }
    ),
    (request, reply) => sendMediaPage(parts, request, reply, request.params.id)
  )

  app.post(
    '/entities/:id/mediafiles',
    route(
      { params: EntityParams, ...mediafileCreation },
      {
        tag: 'Media',
        needs: 'write',
        summary: 'Add a media file to an entity',
        description:
          'As JSON, with the bytes sent later; or as a form (`multipart/form-data`) with the fields and one file, which are stored together or not at all.',
        problems: [...createProblems, 'media_too_large', 'checksum_mismatch'],
        consumes: ['application/json', formMediaType],
        alsoProduces: [addressMediaType],
        isStreamed: true
      }
    ),
    async (request, reply) => {
      const { principal, params } = request
      const isDryRun = request.query.dry_run === 1
      if (isForm(request.headers))
        return sendCreated(reply, '/mediafiles', await receiveForm(request, reply, catalogue, parts.media), false)
      const options = { dryRun: isDryRun, once: requestKey(request) }
      const wantsAddress = !isDryRun && request.headers.accept?.includes(addressMediaType)
      const ticketFor = wantsAddress ? await parts.tickets.prepare(principal) : undefined
      const written = await catalogue.media.create(principal, params.id, request.body, options)
      if (!ticketFor) return sendCreated(reply, '/mediafiles', written, isDryRun)
      const { id } = written.entity
      const ticket = ticketFor({ action: 'upload', mediafileId: id }, addressValidity)
      return sendAddress(parts, request, reply, { id, ticket })
    }
  )
}

/** Sends the address for the bytes, to existing clients that ask for a list of addresses. */
function sendAddress(
  { publicUrl }: EntityMediaParts,
  request: FastifyRequest,
  reply: FastifyReply,
  named: { readonly id: string; readonly ticket: string }
) {
  const base = publicUrl ?? `${request.protocol}://${request.host}`
  return reply
    .code(201)
    .type(addressMediaType)
    .send(`${base}/mediafiles/${encodeURIComponent(named.id)}/content?${new URLSearchParams(named)}\r\n`)
}
