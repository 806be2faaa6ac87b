import { setImmediate as giveWay } from 'node:timers/promises'

import { CatalogueError } from '#domain/errors.ts'
import { contentHashField, contentHashOf } from '#domain/entity/server-fields.ts'
import type { Entity } from '#domain/entity/entity.ts'
import type { Filter } from '#domain/filter/filter.ts'
import type { Principal } from '#domain/permissions.ts'
import { publicationTypes } from '#domain/record-types/families.ts'
import { bytesOfPiece } from '#formats/ndjson/media-line.ts'
import type { EmbeddingWriter, ExportRequest, FormatParts } from '../format.ts'
import { isWhole, piece, selectionOf } from '../record-writer.ts'
import { typesInOrder } from '../types-in-order.ts'

/** Source records per step between other requests. */
const sourcesAtOnce = 50

/**
 * Entities as they are stored, one per line; in a file, records that others refer to come first,
 * the lines of source records and of bytes follow the entities, and those of versions precede them.
 */
export const ndjson: EmbeddingWriter<string> = {
  async one({ catalogue }, principal, identifier) {
    const { body } = await catalogue.entities.read(principal, identifier)
    return { body: `${body}\n` }
  },
  async *many(parts, principal, request) {
    const { catalogue, model } = parts
    const publications = publicationTypes(model)
    const groups = typesInOrder(model).map((types): Filter => ({ kind: 'types', types }))
    // Records of types that the model had once.
    const rest: Filter = { kind: 'not', of: { kind: 'types', types: model.recordTypes.map(({ type }) => type) } }
    let end: string | undefined
    for (const group of [...groups, rest]) {
      for await (const page of catalogue.lists.walk(principal, partOf(request, group))) {
        const ids = request.includes?.includes('history') ? page.map(({ id }) => id) : []
        yield* historyLines(catalogue.history.walkVersions(principal, ids))
        yield piece(page.map(({ json }) => `${json}\n`).join(''), page.length)
        end = page.findLast(({ type }) => publications.includes(type))?.id ?? end
      }
    }
    if (!request.omitsSources) yield* sourceLines(parts, principal, request, end)
    if (request.includes?.includes('media')) yield* mediaLines(parts, principal, request)
    if (request.includes?.includes('history') && isWhole(request))
      yield* historyLines(catalogue.history.walkDeletedVersions(principal))
  },
  needs: 'record',
  embed: (_, { entity }) => JSON.stringify(entity)
}

/** The records of a request of which a filter is true too. */
function partOf(request: ExportRequest, part: Filter) {
  const { filter, names } = selectionOf(request)
  return { filter: { kind: 'all', of: [part, filter] } as const, names }
}

/** The lines of versions. */
async function* historyLines(pages: AsyncIterable<readonly object[]>) {
  for await (const page of pages) {
    yield piece(page.map(history => `${JSON.stringify({ history })}\n`).join(''), 0)
    await giveWay()
  }
}

/** The lines with the bytes of media files, each content once, in pieces. */
async function* mediaLines({ catalogue, model, contents }: FormatParts, principal: Principal, request: ExportRequest) {
  const types = model.recordTypes.filter(each => each.fields[contentHashField]?.ofContent).map(({ type }) => type)
  const written = new Set<string>()
  for await (const page of catalogue.lists.walk(principal, partOf(request, { kind: 'types', types })))
    for (const { id, json } of page) {
      const sha256 = contentHashOf(JSON.parse(json) as Entity)
      if (sha256 === undefined || written.has(sha256)) continue
      written.add(sha256)
      const size = await sizeOf(contents, sha256)
      if (size === undefined)
        yield piece('', 0, [{ id, message: `The bytes of the media file (sha256 ${sha256}) are not stored` }])
      for (let offset = 0; contents && size !== undefined && offset < size; offset += bytesOfPiece) {
        const chunks: Uint8Array[] = []
        for await (const chunk of await contents.read(sha256, offset, Math.min(size, offset + bytesOfPiece) - 1))
          chunks.push(chunk)
        const bytes = Buffer.concat(chunks).toString('base64')
        yield piece(`${JSON.stringify({ media: { sha256, size, offset, bytes } })}\n`, 0)
      }
    }
}

async function sizeOf(contents: FormatParts['contents'], sha256: string): Promise<number | undefined> {
  try {
    return (await contents?.find(sha256))?.size
  } catch (error) {
    if (error instanceof CatalogueError && error.code === 'not_found') return undefined
    throw error
  }
}

/** The lines of source records, of the manifestations up to the last one that was written. */
async function* sourceLines(
  { catalogue, model }: FormatParts,
  principal: Principal,
  request: ExportRequest,
  end: string | undefined
) {
  const lines = (list: readonly object[]) => piece(list.map(source => `${JSON.stringify({ source })}\n`).join(''), 0)
  const own: Filter = { kind: 'types', types: publicationTypes(model) }
  for await (const page of end === undefined ? [] : catalogue.lists.walk(principal, partOf(request, own))) {
    const last = page.findIndex(({ id }) => id === end)
    const ids = (last < 0 ? page : page.slice(0, last + 1)).map(({ id }) => id)
    for (let start = 0; start < ids.length; start += sourcesAtOnce) {
      const some = ids.slice(start, start + sourcesAtOnce)
      yield lines(await catalogue.publications.readSourceLines(principal, some, { withAuthorities: !isWhole(request) }))
      await giveWay()
    }
    if (last >= 0) break
  }
  if (!isWhole(request)) return
  for await (const page of catalogue.publications.walkOtherSourceLines(principal)) yield lines(page)
}
