import { setImmediate as giveWay } from 'node:timers/promises'

import type { Entity } from '#domain/entity/entity.ts'
import { entityTable } from '../../export/entity-table.ts'
import type { Writer } from '../format.ts'
import { begin, piece, selectionOf } from '../record-writer.ts'

/** Rows per step between other requests; a row takes about 50 µs (bench/export.ts). */
const rowsAtOnce = 100

/** A table with a row for each entity. */
export const csv: Writer = {
  async one(parts, principal, identifier) {
    const { body: json } = await parts.catalogue.entities.read(principal, identifier)
    const { type } = JSON.parse(json) as Entity
    const table = entityTable(parts, principal, { types: [type] })
    return { body: table.head + (await table.rows([{ json }])) }
  },
  async *many(parts, principal, request) {
    const table = entityTable(parts, principal, request)
    const { filter, names } = selectionOf(request)
    const selection = { filter, names: [...names, ...table.names] }
    const pages = await begin(parts.catalogue.lists.walk(principal, selection))
    yield piece(`${request.hasBom ? '\ufeff' : ''}${table.head}`, 0)
    for await (const page of pages)
      for (let start = 0; start < page.length; start += rowsAtOnce) {
        const some = page.slice(start, start + rowsAtOnce)
        yield piece(await table.rows(some), some.length)
        await giveWay()
      }
  }
}
