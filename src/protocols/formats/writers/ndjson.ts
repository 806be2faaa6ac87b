import { setImmediate as giveWay } from 'node:timers/promises'

import { everything, type Filter } from '#domain/filter/filter.ts'
import type { Principal } from '#domain/permissions.ts'
import { publicationTypes } from '#domain/record-types/families.ts'
import type { EmbeddingWriter, ExportRequest, FormatParts } from '../format.ts'
import { piece, selectionOf } from '../record-writer.ts'
import { typesInOrder } from '../types-in-order.ts'

/** Source records per step between other requests. */
const sourcesAtOnce = 50

/**
 * Entities as they are stored, one per line; in a file, records that others refer to come first,
 * and the lines of source records follow the entities.
 */
export const ndjson: EmbeddingWriter<string> = {
  async one({ catalogue }, principal, identifier) {
    const { body } = await catalogue.readEntity(principal, identifier)
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
      for await (const page of catalogue.walkEntities(principal, partOf(request, group))) {
        yield piece(page.map(({ json }) => `${json}\n`).join(''), page.length)
        end = page.findLast(({ type }) => publications.includes(type))?.id ?? end
      }
    }
    if (!request.omitsSources) yield* sourceLines(parts, principal, request, end)
  },
  embed: (_, { entity }) => JSON.stringify(entity)
}

/** The records of a request of which a filter is true too. */
function partOf(request: ExportRequest, part: Filter) {
  const { filter, names } = selectionOf(request)
  return { filter: { kind: 'all', of: [part, filter] } as const, names }
}

/** The lines of source records, of the manifestations up to the last one that was written. */
async function* sourceLines(
  { catalogue, model }: FormatParts,
  principal: Principal,
  request: ExportRequest,
  end: string | undefined
) {
  const lines = (list: readonly object[]) => piece(list.map(source => `${JSON.stringify({ source })}\n`).join(''), 0)
  const isWhole = request.filter === everything && request.types.length === 0
  const own: Filter = { kind: 'types', types: publicationTypes(model) }
  for await (const page of end === undefined ? [] : catalogue.walkEntities(principal, partOf(request, own))) {
    const last = page.findIndex(({ id }) => id === end)
    const ids = (last < 0 ? page : page.slice(0, last + 1)).map(({ id }) => id)
    for (let start = 0; start < ids.length; start += sourcesAtOnce) {
      const some = ids.slice(start, start + sourcesAtOnce)
      yield lines(await catalogue.readSourceLines(principal, some, { withAuthorities: !isWhole }))
      await giveWay()
    }
    if (last >= 0) break
  }
  if (!isWhole) return
  for await (const page of catalogue.walkOtherSourceLines(principal)) yield lines(page)
}
