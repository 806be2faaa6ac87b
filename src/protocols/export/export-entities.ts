import { setImmediate } from 'node:timers/promises'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { type Entity, targetsOf } from '#domain/entity/entity.ts'
import { CatalogueError, invalidWith } from '#domain/errors.ts'
import type { Filter } from '#domain/filter/filter.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import { writeCsvRow } from '#formats/csv/write-csv.ts'
import { writers } from '#formats/marc/write-marc.ts'
import { addressOf } from '#formats/rdf/address-of.ts'
import { describeEntity } from '#formats/rdf/describe-entity.ts'
import { surroundingsOf } from '#formats/rdf/mapping-of.ts'
import { cellsOf, namedRelations, readColumns, usualColumns } from './csv-columns.ts'
import { graphWriters, publicationWriters } from './document-writers.ts'
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
  /** What the names of records begin with. */
  readonly publicUrl: string
}

/**
 * Writes everything that matches and that the principal may read as a file, piece by piece: what it
 * takes in memory does not grow with what is written. What is wrong with the request is thrown
 * before the first piece.
 */
export async function* exportEntities(
  parts: ExportParts,
  principal: Principal,
  request: ExportRequest
): AsyncGenerator<ExportPiece, void, undefined> {
  const { format } = request
  if (format === 'marc21' || format === 'marcxml') yield* inMarc(parts, principal, request, format)
  else if (format === 'csv') yield* inCsv(parts, principal, request)
  else if (isKey(publicationWriters, format)) yield* inPublications(parts, principal, request, format)
  else if (isKey(graphWriters, format)) yield* inGraphs(parts, principal, request, format)
  else yield* inLines(parts, principal, request)
}

const isKey = <Table extends object>(table: Table, name: string): name is keyof Table & string =>
  Object.hasOwn(table, name)

/**
 * Reads the first page, so that what is wrong with the question is told before a head is written.
 */
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
 * So many are made at once, before others get their turn: a publication takes about half a
 * millisecond, since each brings several dozen entities, and a row of a table a tenth of that
 * (bench/export.ts). Nobody's read waits longer than some ten milliseconds. Graphs are written one
 * by one; what they need is read for some of them together, since each needs several queries.
 */
const atOnce = { publications: 20, rows: 100, graphs: 8 } as const

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
  const types = publicationTypes(model, request)
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

/** Some formats know publications only. */
function publicationTypes(model: Model, { types }: ExportRequest): readonly string[] {
  const all = model.typesNamed('manifestation')
  const wanted = types.length === 0 ? all : types.filter(each => all.includes(each))
  if (wanted.length > 0) return wanted
  const message = 'This format is made of manifestations; leave the type out, or name one under "manifestation"'
  throw invalidWith([{ pointer: 'type', message }])
}

async function* inPublications(
  { catalogue, model, publicUrl }: ExportParts,
  principal: Principal,
  request: ExportRequest,
  format: keyof typeof publicationWriters
) {
  const { head, between, tail, write } = publicationWriters[format]
  const filter = filterOf({ ...request, types: publicationTypes(model, request) })
  const pages = await begin(catalogue.walkEntities(principal, filter))
  yield piece(head, 0)
  let before = ''
  for await (const page of pages)
    for await (const some of inTurns(page, atOnce.publications)) {
      const ids = some.map(({ id }) => id)
      const found = [...(await catalogue.readPublications(principal, ids)).values()]
      const texts = found.map(each => write(model, each, addressOf(publicUrl, each.manifestation.entity.id)))
      if (texts.length === 0) continue
      yield piece(before + texts.join(between), texts.length)
      before = between
    }
  yield piece(tail, 0)
}

async function* inGraphs(
  { catalogue, model, publicUrl }: ExportParts,
  principal: Principal,
  request: ExportRequest,
  format: keyof typeof graphWriters
) {
  const { head, between, tail, write } = graphWriters[format]
  const context = `${publicUrl}/context.jsonld`
  const pages = await begin(catalogue.walkEntities(principal, filterOf(request)))
  yield piece(head, 0)
  let before = ''
  const read = ({ id }: { readonly id: string }) =>
    // One that was deleted since its page was read is not there any more.
    catalogue.readSurroundings(principal, id, type => surroundingsOf(model, type)).catch(passOverMissing)
  for await (const page of pages)
    for await (const some of inTurns(page, atOnce.graphs)) {
      for (const found of await Promise.all(some.map(read))) {
        if (found === undefined) continue
        const text = write(describeEntity(model, publicUrl, found), addressOf(publicUrl, found.entity.id), context)
        yield piece(before + text, 1)
        before = between
        await setImmediate()
      }
    }
  yield piece(tail, 0)
}

function passOverMissing(error: unknown): undefined {
  if (error instanceof CatalogueError && error.code === 'not_found') return undefined
  throw error
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
