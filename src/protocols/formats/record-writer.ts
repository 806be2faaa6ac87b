import { createTurns } from '#catalogue/take-turns.ts'
import type { Entity } from '#domain/entity/entity.ts'
import { CatalogueError, invalidWith } from '#domain/errors.ts'
import { everything } from '#domain/filter/filter.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Frame } from '#formats/frames.ts'
import {
  type DescribedEntities,
  manifestations,
  everyEntity,
  type ExportPiece,
  type ExportRequest,
  type FormatParts,
  typesDescribed,
  type Writer
} from './format.ts'
import type { Material } from './materials.ts'

interface RecordWriterOptions<T> {
  /** The data that a record is written from. */
  readonly from: Material<T>
  readonly frame: Frame
  /** The text around a single record, where it differs from that of a file. */
  readonly single?: Frame
  /** Writes one record. A `CatalogueError` says why this one cannot be written. */
  write(parts: FormatParts, item: T): string | Buffer
}

/** A writer of formats that consist of separately written records. */
export function recordWriter<T>({ from, frame, single = frame, write }: RecordWriterOptions<T>): Writer {
  const attempt = (parts: FormatParts, item: T): { body: string | Buffer } | { refusal: string } => {
    try {
      return { body: write(parts, item) }
    } catch (error) {
      // A property of the record, such as its length, not a fault of the request.
      if (error instanceof CatalogueError) return { refusal: error.message }
      throw error
    }
  }
  return {
    async one(parts, principal, identifier) {
      const { body: json } = await parts.catalogue.entities.read(principal, identifier)
      const { id, type } = JSON.parse(json) as Entity
      if (!typesDescribed(parts.model, from.of).includes(type)) return undefined
      const [found] = await from.read(parts, principal, [{ id, json }])
      if (found === undefined) return undefined
      const written = attempt(parts, found.item)
      if ('refusal' in written) return written
      const { body } = written
      // A text is sent in one piece with the head of the answer.
      if (typeof body === 'string') return { body: single.head + body + single.tail }
      return { body: Buffer.concat([single.head, body, single.tail].map(toBuffer)) }
    },
    async *many(parts, principal, request) {
      const types = from.of === everyEntity ? request.types : wantedTypes(parts.model, from.of, request)
      const pages = await begin(parts.catalogue.lists.walk(principal, selectionOf({ ...request, types })))
      if (frame.head !== '') yield piece(frame.head, 0)
      const takeTurns = createTurns()
      let before = ''
      for await (const page of pages)
        for (let start = 0; start < page.length; start += from.step) {
          const bytes: Buffer[] = []
          const refused: { id: string; message: string }[] = []
          for (const { id, item } of await from.read(parts, principal, page.slice(start, start + from.step))) {
            const written = attempt(parts, item)
            if ('refusal' in written) refused.push({ id, message: written.refusal })
            else {
              bytes.push(toBuffer(before), toBuffer(written.body))
              before = frame.between
            }
            await takeTurns()
          }
          if (bytes.length + refused.length > 0) yield piece(Buffer.concat(bytes), bytes.length / 2, refused)
          await takeTurns()
        }
      if (frame.tail !== '') yield piece(frame.tail, 0)
    }
  }
}

export const toBuffer = (text: string | Buffer) => (typeof text === 'string' ? Buffer.from(text) : text)

export const piece = (text: string | Buffer, records: number, refused: ExportPiece['refused'] = []): ExportPiece => ({
  bytes: toBuffer(text),
  records,
  refused
})

/** The filter of a request, with its types. */
export const selectionOf = ({ filter, names = [], types }: ExportRequest) => ({
  filter: types.length === 0 ? filter : ({ kind: 'all', of: [{ kind: 'types', types }, filter] } as const),
  names
})

/** Whether a request is for the whole catalogue. */
export const isWhole = ({ filter, types }: ExportRequest) => filter === everything && types.length === 0

/** Reads the first page, so that an invalid query throws before the head is written. */
export async function begin<T>(pages: AsyncGenerator<T, void, undefined>): Promise<AsyncGenerator<T, void, undefined>> {
  const first = await pages.next()
  return (async function* () {
    try {
      for (let next = first; !next.done; next = await pages.next()) yield next.value
    } finally {
      await pages.return()
    }
  })()
}

/** The requested types, for formats of some types only. */
function wantedTypes(model: Model, of: DescribedEntities, { types }: ExportRequest): readonly string[] {
  const all = typesDescribed(model, of)
  const wanted = types.length === 0 ? all : types.filter(each => all.includes(each))
  if (wanted.length > 0) return wanted
  const only = of === manifestations ? 'manifestations' : 'authorities'
  const message = `This format contains ${only} only; omit the type, or name one of ${all.join(', ')}`
  throw invalidWith([{ pointer: 'type', message }])
}
