import { setImmediate } from 'node:timers/promises'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { CatalogueError, invalidWith } from '#domain/errors.ts'
import type { Filter } from '#domain/filter/filter.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import { writers } from '#formats/marc/write-marc.ts'
import { addressOf } from '#formats/rdf/address-of.ts'
import { describeEntity } from '#formats/rdf/describe-entity.ts'
import { surroundingsOf } from '#formats/rdf/mapping-of.ts'
import { entityTable } from './entity-table.ts'
import { graphWriters, publicationWriters } from './document-writers.ts'
import type { ExportFormat } from './export-formats.ts'
import { exportMarc } from './marc-export.ts'

export interface ExportRequest {
  readonly format: ExportFormat
  readonly filter: Filter
  /** Types to export; all when empty. MARC records are always manifestations. */
  readonly types: readonly string[]
  /** Columns of a table; the default ones when empty. */
  readonly columns?: readonly string[]
  /** Starts a table with a byte order mark, by which some spreadsheets recognise UTF-8. */
  readonly hasBom?: boolean
  /** Writes cells that look like formulas without an apostrophe. */
  readonly keepsFormulas?: boolean
}

/** A piece of the file, with its number of records. */
export interface ExportPiece {
  readonly bytes: Buffer
  readonly records: number
  /** Manifestations that cannot be written in this format, with the reason. */
  readonly refused: readonly { readonly id: string; readonly message: string }[]
}

interface ExportParts {
  readonly catalogue: Catalogue
  readonly model: Model
  /** Beginning of the addresses of records. */
  readonly publicUrl: string
}

/**
 * Exports all matching entities that the principal may read, piece by piece, in constant memory. An
 * invalid request throws before the first piece.
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

/** Reads the first page, so that an invalid query throws before the head is written. */
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
 * Records per step between other requests: a publication takes about half a millisecond, since it
 * includes several dozen entities, a row of a table a tenth of that (bench/export.ts). Other reads
 * wait at most about ten milliseconds. Graphs are written one by one, but their data is read for
 * several together.
 */
const stepSizes = { publications: 20, rows: 100, graphs: 8 } as const

async function* inSteps<T>(list: readonly T[], count: number): AsyncGenerator<readonly T[], void, undefined> {
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
    for await (const some of inSteps(page, stepSizes.publications)) {
      const ids = some.map(({ id }) => id)
      const written = await exportMarc(catalogue, principal, ids, form)
      const records = written.flatMap(({ bytes }) => bytes ?? [])
      const refused = written.flatMap(({ id, refusal }) => (refusal === undefined ? [] : [{ id, message: refusal }]))
      yield piece(Buffer.concat(records), records.length, refused)
    }
  if (tail !== '') yield piece(tail, 0)
}

/** Types for formats that consist of publications. */
function publicationTypes(model: Model, { types }: ExportRequest): readonly string[] {
  const all = model.typesNamed('manifestation')
  const wanted = types.length === 0 ? all : types.filter(each => all.includes(each))
  if (wanted.length > 0) return wanted
  const message = 'This format contains manifestations only; omit the type, or name one under "manifestation"'
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
    for await (const some of inSteps(page, stepSizes.publications)) {
      const ids = some.map(({ id }) => id)
      const found = [...(await catalogue.readPublications(principal, ids, { withItems: true })).values()]
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
    // An entity may be deleted after its page was read.
    catalogue.readSurroundings(principal, id, type => surroundingsOf(model, type)).catch(ignoreMissing)
  for await (const page of pages)
    for await (const some of inSteps(page, stepSizes.graphs)) {
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

function ignoreMissing(error: unknown): undefined {
  if (error instanceof CatalogueError && error.code === 'not_found') return undefined
  throw error
}

async function* inCsv(parts: ExportParts, principal: Principal, request: ExportRequest) {
  const table = entityTable(parts, principal, request)
  const pages = await begin(parts.catalogue.walkEntities(principal, filterOf(request)))
  yield piece(`${request.hasBom ? '\ufeff' : ''}${table.head}`, 0)
  for await (const page of pages)
    for await (const some of inSteps(page, stepSizes.rows)) yield piece(await table.rows(some), some.length)
}
