import type { FastifyRequest } from 'fastify'
import Type from 'typebox'

import type { TicketIssuer } from '#auth/tickets.ts'
import type { Catalogue } from '#catalogue/catalogue.ts'
import type { MediafileContent } from '#catalogue/media/mediafiles.ts'
import { formatOf, type PictureForm, pictureForms, thumbnailWidths } from '#media/thumbnails.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { rootUrlOf } from '../../reply/root-url.ts'
import { EntityParams } from '../../schemas/common.ts'
import { route } from '../../openapi/route.ts'

/** Validity of a download address, in seconds. */
const downloadValidity = 3600

const DownloadUrls = Type.Object(
  {
    original_file_location: Type.Optional(Type.String({ description: 'Address of the bytes' })),
    thumbnail_file_location: Type.Optional(Type.String({ description: 'Address of a thumbnail of an image' })),
    expires_in: Type.Integer({ description: 'Validity of the addresses in seconds' })
  },
  { $id: 'DownloadUrls', additionalProperties: false }
)

const Derivatives = Type.Object(
  {
    count: Type.Integer(),
    results: Type.Array(
      Type.Object(
        {
          width: Type.Integer({ description: 'Maximum width in pixels' }),
          height: Type.Optional(Type.Integer({ description: 'Height in pixels, of a form' })),
          form: Type.Optional(Type.String({ description: 'The purpose, such as `poster`' })),
          mimetype: Type.String(),
          location: Type.String({ description: 'Address, valid for an hour' })
        },
        { additionalProperties: false }
      )
    )
  },
  { $id: 'Derivatives', additionalProperties: false }
)

export interface AddressParts {
  readonly catalogue: Catalogue
  readonly tickets: TicketIssuer
  readonly statedUrl: string | undefined
}

/** Addresses of the bytes of a media file that work without a bearer for a while. */
export function mediaAddressRoutes(app: App, { catalogue, tickets, statedUrl }: AddressParts) {
  const addressesOf = async (request: FastifyRequest, { id }: MediafileContent) => {
    const ticket = await tickets.create(request.principal, { action: 'download', mediafileId: id }, downloadValidity)
    const path = `${rootUrlOf(request, statedUrl)}/mediafiles/${encodeURIComponent(id)}`
    return (name: string, query: Readonly<Record<string, string>> = {}) =>
      `${path}/${name}?${new URLSearchParams({ ...query, ticket })}`
  }

  app.get(
    '/mediafiles/:id/download-urls',
    route(
      { params: EntityParams, response: { 200: DownloadUrls } },
      {
        tag: 'Media',
        summary: 'Read addresses of a media file that need no bearer',
        holdsSecret: true,
        description:
          'Each contains a ticket that is valid for an hour. An external file is answered with its own address.',
        problems: ['not_found']
      }
    ),
    async request => {
      const content = await catalogue.media.read(request.principal, request.params.id)
      const expires = { expires_in: downloadValidity }
      if (!content.facts)
        return content.externalUrl === undefined ? expires : { original_file_location: content.externalUrl, ...expires }
      const addressOf = await addressesOf(request, content)
      const isImage = content.facts.mimetype.startsWith('image/')
      return {
        original_file_location: addressOf('content'),
        ...(isImage ? { thumbnail_file_location: addressOf('thumbnail') } : {}),
        ...expires
      }
    }
  )

  app.get(
    '/mediafiles/:id/derivatives',
    route(
      { params: EntityParams, response: { 200: Derivatives } },
      {
        tag: 'Media',
        summary: 'List the derivatives of a media file: the thumbnails of an image',
        description:
          'One for each width and purpose, with an address that needs no bearer for an hour. Files that are no images have none.',
        holdsSecret: true,
        problems: ['not_found']
      }
    ),
    async request => {
      const content = await catalogue.media.read(request.principal, request.params.id)
      if (!content.facts?.mimetype.startsWith('image/')) return { count: 0, results: [] }
      const addressOf = await addressesOf(request, content)
      const widths = thumbnailWidths.map(width => ({
        width,
        mimetype: formatOf(width).mimetype,
        location: addressOf('thumbnail', { width: String(width) })
      }))
      const forms = Object.entries(pictureForms).map(([form, size]) => ({
        form,
        ...size,
        mimetype: formatOf(form as PictureForm).mimetype,
        location: addressOf('thumbnail', { form })
      }))
      const results = [...widths, ...forms]
      return { count: results.length, results }
    }
  )
}
