import { Readable } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'

import { readCommaList, readTypes } from '#catalogue/lists/read-list-query.ts'
import { everything, type Filter as FilterValue } from '#domain/filter/filter.ts'
import type { GivenName } from '#domain/filter/field-names.ts'
import { filtersOf } from '#domain/find/find-filters.ts'
import { findModelOf } from '#domain/find/find-model.ts'
import { readSearchAddress } from '#domain/find/search-address.ts'
import type { ExportPiece, FormatParts } from '#protocols/formats/format.ts'
import { allFormats, type FormatName, formatNames, formats } from '#protocols/formats/registry.ts'
import { endWithRights, rightsOf } from '../access/lasting-rights.ts'
import { contentTypeOf } from '../representations/representations.ts'
import { checkedByDomain, flag } from '../schemas/common.ts'
import { Filter } from '../schemas/entity.ts'
import type { App } from '../openapi/typebox-provider.ts'
import type { ListParts } from './entities/list-entities.ts'

const ExportQuery = Type.Object({
  format: Type.Unsafe<FormatName>({
    type: 'string',
    enum: formatNames,
    default: 'ndjson',
    description: allFormats.map(({ name, describe }) => `\`${name}\`: ${describe}`).join('. ')
  }),
  type: Type.String({
    default: '',
    maxLength: 2000,
    description: 'A type, an umbrella such as `manifestation`, or a comma list; everything by default'
  }),
  columns: Type.String({
    default: '',
    maxLength: 20_000,
    description:
      'For tables: a comma list of metadata keys, relations or filter paths; by default all fields and relations of the types'
  }),
  bom: flag('1 starts a table with a byte order mark, by which some spreadsheets recognise UTF-8'),
  raw: flag('1 writes cells that look like formulas without a leading apostrophe'),
  sources: flag('For NDJSON: 0 leaves out the source records of imported entities', 1),
  include: Type.String({
    default: '',
    maxLength: 200,
    description:
      'A comma list. For NDJSON: `media` adds the bytes of media files, `history` all versions of the records, and those of deleted records. For MARC: `authorities` adds the authority records, `holdings` writes copies as holdings records'
  })
})

const GetExportQuery = Type.Object({
  ...ExportQuery.properties,
  ids: Type.String({
    default: '',
    maxLength: 20_000,
    description: 'A comma list of ids: only these records'
  }),
  search: Type.String({
    default: '',
    maxLength: 4000,
    description: 'The address of a search, such as `/find?q=hamlet&languages=LANG-NLD`: only the records that it finds'
  })
})

const [firstFormat, ...otherFormats] = new Set([formats.ndjson, ...allFormats].map(({ mediaType }) => mediaType))

const doc = {
  tag: 'Export',
  needs: 'read',
  description:
    'Streamed, in order of creation; an incomplete answer ends with a transfer error. `Trailer: X-Left-Out` names manifestations that are too long for ISO 2709.',
  produces: firstFormat,
  alsoProduces: otherFormats,
  inLines: [formats.marcjson.mediaType],
  isList: true,
  problems: ['invalid', 'query_timeout']
} as const

export interface ExportParts extends ListParts {
  readonly publicUrl: string
  readonly contents: NonNullable<FormatParts['contents']>
}

/** Exports of records as files. */
export function exportRoutes(app: App, { catalogue, model, publicUrl, contents, readFilters }: ExportParts) {
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    query: Static<typeof ExportQuery>,
    selection: { readonly filter: FilterValue; readonly names?: readonly GivenName[] }
  ) => {
    const { format, type, columns, bom, raw, sources, include } = query
    const { mediaType, extension, load } = formats[format]
    const writer = await load()
    const { readIncluded } = await import('#protocols/export/read-included.ts')
    const pieces = writer.many({ catalogue, model, publicUrl, contents }, request.principal, {
      ...selection,
      types: type === '' ? [] : readTypes(model, type),
      columns: readCommaList(columns),
      hasBom: bom === 1,
      keepsFormulas: raw === 1,
      omitsSources: sources === 0,
      includes: readIncluded(format, readCommaList(include))
    })
    reply.type(contentTypeOf(mediaType))
    reply.header('content-disposition', `attachment; filename="export.${extension}"`)
    return sendPieces(request, reply, pieces)
  }

  app.get(
    '/export',
    {
      schema: { querystring: GetExportQuery },
      config: { doc: { ...doc, summary: 'Export everything, or records of some types or ids, or of a search' } }
    },
    (request, reply) => {
      const { ids, search } = request.query
      const wanted = readCommaList(ids)
      const filters = [
        ...(wanted.length === 0 ? [] : [{ type: 'id', value: wanted }]),
        ...(search === '' ? [] : filtersOf(readSearchAddress(model, search, 'search'), findModelOf(model)))
      ]
      const selection = filters.length === 0 ? { filter: everything } : readFilters(model, filters)
      return send(request, reply, request.query, selection)
    }
  )

  app.post(
    '/export',
    {
      schema: { querystring: ExportQuery, body: checkedByDomain(Type.Array(Filter, { maxItems: 64 })) },
      config: {
        doc: {
          ...doc,
          summary: 'Export everything that filters match',
          problems: [...doc.problems, 'invalid_filter', 'unknown_filter_type']
        }
      }
    },
    (request, reply) => send(request, reply, request.query, readFilters(model, request.body))
  )
}

/**
 * Sends the pieces of an export. The first is read before anything is sent, so that an invalid
 * request is answered as a problem.
 */
async function sendPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: AsyncGenerator<ExportPiece, void, undefined>
): Promise<FastifyReply> {
  const first = await pieces.next()
  if (request.method === 'HEAD') {
    await pieces.return()
    return reply.send()
  }
  const leftOut: string[] = []
  const rights = rightsOf(request, reply)
  const body = Readable.from(
    (async function* () {
      for (let next = first; !next.done; next = await pieces.next()) {
        rights.throwIfAborted()
        leftOut.push(...next.value.refused.map(({ id }) => id))
        if (next.value.bytes.length > 0) yield next.value.bytes
      }
    })(),
    { objectMode: false }
  )
  endWithRights(body, rights)
  // Stop reading when the client disconnects.
  body.once('close', () => pieces.return())
  // A request may claim HTTP/2.0 on a plain connection. The framework then sends no chunks, and
  // Node throws for a trailer without chunks.
  if (request.raw.httpVersionMajor === 1) reply.trailer('x-left-out', async () => leftOut.slice(0, 100).join(', '))
  return reply.send(body)
}
