import { setImmediate } from 'node:timers/promises'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { type Entity, targetsOf } from '#domain/entity.ts'
import { invalidWith } from '#domain/errors.ts'
import type { Filter } from '#domain/filter.ts'
import type { Model } from '#domain/model.ts'
import type { Principal } from '#domain/permissions.ts'
import { writeCsvRow } from '#formats/csv/write-csv.ts'
import { writers } from '#formats/marc/write-marc.ts'
import { cellsOf, namedRelations, readColumns, usualColumns } from './csv-columns.ts'
import type { ExportFormat } from './export-formats.ts'
import { exportMarc } from './marc-export.ts'

export interface ExportRequest {
  readonly format: ExportFormat
  readonly filter: Filter
  /** Only these types; all when there are none. Records in MARC are manifestations in any case. */
  readonly types: readonly string[]
  /** Of a table; the usual ones when there are none. */
  readonly columns?: readonly string[]
  /** Begins a table with a byte order mark, by which some spreadsheets know UTF-8. */
  readonly hasBom?: boolean
  /** Writes cells that look like formulas as they are. */
  readonly keepsFormulas?: boolean
}

/** A piece of the file, and how many records are in it. */
export interface ExportPiece {
  readonly bytes: Buffer
  readonly records: number
  /** Manifestations that could not be written in this format, and why. */
  readonly refused: readonly { readonly id: string; readonly message: string }[]
}

interface ExportParts {
  readonly catalogue: Catalogue
  readonly model: Model
}

/**
 * Writes everything that matches and that the principal may read as a file, piece by piece: what it takes in memory does not grow with what is
 * written. What is wrong with the request is thrown before the first piece.
 */
export async function* exportEntities(
  parts: ExportParts,
  principal: Principal,
  request: ExportRequest
): AsyncGenerator<ExportPiece, void, undefined> {
  const { format } = request
  if (format === 'marc21' || format === 'marcxml') yield* inMarc(parts, principal, request, format)
  else if (format === 'csv') yield* inCsv(parts, principal, request)
  else yield* inLines(parts, principal, request)
}

/** Reads the first page, so that what is wrong with the question is told before a head is written. */
async function begin<T>(pages: AsyncGenerator<T, void, undefined>): Promise<AsyncGenerator<T, void, undefined>> {
  const first = await pages.next()
  return (async function* () {
    try {
      for (let next = first; !next.done; next = await pages.next()) yield next.value
    } finally {
      await pages.return()
    }
  })()
}

const piece = (text: string | Buffer, records: number, refused: ExportPiece['refused'] = []): ExportPiece => ({
  bytes: Buffer.from(text as string),
  records,
  refused
})

const filterOf = ({ filter, types }: ExportRequest): Filter =>
  types.length === 0 ? filter : { kind: 'all', of: [{ kind: 'types', types }, filter] }

async function* inLines({ catalogue }: ExportParts, principal: Principal, request: ExportRequest) {
  for await (const page of catalogue.walkEntities(principal, filterOf(request)))
    yield piece(page.map(({ json }) => `${json}\n`).join(''), page.length)
}

/**
 * So many are made at once, before others get their turn: a publication takes about half a millisecond, since each brings several dozen entities, and a
 * row of a table a tenth of that (bench/export.ts). Nobody's read waits longer than some ten milliseconds.
 */
const atOnce = { publications: 20, rows: 100 } as const

async function* inTurns<T>(list: readonly T[], count: number): AsyncGenerator<readonly T[], void, undefined> {
  for (let from = 0; from < list.length; from += count) {
    yield list.slice(from, from + count)
    await setImmediate()
  }
}

async function* inMarc(
  { catalogue, model }: ExportParts,
  principal: Principal,
  request: ExportRequest,
  format: 'marc21' | 'marcxml'
) {
  const all = model.typesNamed('manifestation')
  const types = request.types.length === 0 ? all : request.types.filter(each => all.includes(each))
  if (types.length === 0) {
    const message = 'A MARC record is made of a manifestation; leave the type out, or name one under "manifestation"'
    throw invalidWith([{ pointer: 'type', message }])
  }
  const form = format === 'marc21' ? 'iso2709' : 'marcxml'
  const { head, tail } = writers[form]
  const filter = filterOf({ ...request, types })
  const pages = await begin(catalogue.walkEntities(principal, filter))
  if (head !== '') yield piece(head, 0)
  for await (const page of pages)
    for await (const some of inTurns(page, atOnce.publications)) {
      const ids = some.map(({ id }) => id)
      const written = await exportMarc(catalogue, principal, ids, form)
      const records = written.flatMap(({ bytes }) => bytes ?? [])
      const refused = written.flatMap(({ id, refusal }) => (refusal === undefined ? [] : [{ id, message: refusal }]))
      yield piece(Buffer.concat(records), records.length, refused)
    }
  if (tail !== '') yield piece(tail, 0)
}

async function* inCsv({ catalogue, model }: ExportParts, principal: Principal, request: ExportRequest) {
  const named = request.columns ?? []
  const shown = request.types.length === 0 ? model.recordTypes.map(({ type }) => type) : request.types
  // Nobody learns from the headings of a type that it is there.
  const columns =
    named.length > 0
      ? readColumns(named)
      : usualColumns(
          model,
          shown.filter(type => principal.mayRead(type))
        )
  const relations = [...namedRelations(columns)]
  const options = { guardsFormulas: request.keepsFormulas !== true }
  const head = writeCsvRow(
    columns.map(({ heading }) => heading),
    options
  )
  const pages = await begin(catalogue.walkEntities(principal, filterOf(request)))
  yield piece(`${request.hasBom ? '\ufeff' : ''}${head}`, 0)
  for await (const page of pages)
    for await (const some of inTurns(page, atOnce.rows)) {
      const entities = some.map(({ json }) => JSON.parse(json) as Entity)
      const keys = entities.flatMap(entity => relations.flatMap(type => targetsOf(entity, type)))
      const names = await catalogue.findNames(principal, keys)
      yield piece(entities.map(each => writeCsvRow(cellsOf(each, columns, names), options)).join(''), some.length)
    }
}
