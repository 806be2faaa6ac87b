import { detectDelimiter, maxRowBytes, readCsv, wrongColumns } from './read-csv.ts'
import { readNdjson } from '../ndjson/read-ndjson.ts'
import { type Defect, notJson } from '../source/defects.ts'
import { type ByteSource, close, peek } from '../source/bytes.ts'
import { defaultMaxRecordBytes, maxUnreadableBytes, type Position } from '../source/position.ts'
import type { SourceFormat } from '../source/source-formats.ts'
import type { SourceItem } from '../source/source-item.ts'
import { mapRow, type RowSource } from './map-row.ts'
import type { RowMapping } from './row-mapping.ts'
import { valuesAt } from './value-rules.ts'

/** A row of a file: a value with members, or its defect. */
export interface Row {
  readonly format: SourceFormat
  readonly position: Position
  readonly source: Buffer
  readonly found: { readonly value: unknown } | { readonly defect: Defect }
}

/** Maximum bytes of a JSON file that is one object: it is read as a whole. */
const maxDocumentBytes = 64_000_000

/** Reads the rows of a table or of a JSON file, each as the records that a mapping makes of it. */
export async function* rowItems(
  source: ByteSource,
  { mapping, model }: RowSource
): AsyncGenerator<SourceItem, void, undefined> {
  for await (const { found, ...row } of readRows(source, mapping)) {
    if ('defect' in found) {
      yield unreadable(row, [found.defect])
      continue
    }
    const { records, defects } = mapRow(mapping, found.value, model)
    if (records.length === 0)
      yield unreadable(row, [...defects, { kind: 'not_a_record', message: 'The row has no record of the mapping' }])
    else yield { ...row, outcome: 'row', defects, records }
  }
}

const unreadable = (row: Omit<Row, 'found'>, defects: readonly Defect[]): SourceItem => ({
  ...row,
  source: row.source.subarray(0, maxUnreadableBytes),
  outcome: 'unreadable',
  name: undefined,
  defects
})

/** Reads the rows of a table (CSV), of an array or lines of JSON, or of a list inside an object. */
export async function* readRows(
  source: ByteSource,
  { rows, delimiter }: Pick<RowMapping, 'rows' | 'delimiter'>
): AsyncGenerator<Row, void, undefined> {
  const { head, all } = await peek(source, 4096)
  const text = head.toString('utf8').replace(/^\ufeff/, '')
  if (rows !== undefined) yield* readDocument(all, rows)
  else if (/^\s*\{\s*\n/.test(text)) {
    await close(all)
    yield oneObject(head)
  } else if (/^\s*[[{]/.test(text)) yield* readObjects(all)
  else yield* readTable(all, delimiter ?? detectDelimiter(text))
}

/** An object over several lines: its list of rows must be named. */
const oneObject = (source: Buffer): Row => ({
  format: 'ndjson',
  position: { number: 1, offset: 0, length: source.length },
  source,
  found: {
    defect: {
      kind: 'not_a_record',
      message: 'The file is one JSON object; set "rows" of the mapping to the path of the list in it'
    }
  }
})

async function* readTable(source: ByteSource, delimiter: string): AsyncGenerator<Row, void, undefined> {
  let header: readonly string[] | undefined
  for await (const { position, bytes, found } of readCsv(source, { delimiter, limit: maxRowBytes })) {
    const row = { format: 'csv', position, source: bytes } as const
    if ('defect' in found) {
      yield { ...row, found }
      if (header === undefined) return
    } else if (header === undefined) header = found.cells.map(cell => cell.trim())
    else yield { ...row, found: toMembers(header, found.cells) }
  }
}

function toMembers(header: readonly string[], cells: readonly string[]): Row['found'] {
  const defect = wrongColumns(cells, header.length)
  if (defect !== undefined) return { defect }
  // Columns of the same name have several values.
  const members = new Map<string, string[]>()
  for (const [at, name] of header.entries()) members.set(name, [...(members.get(name) ?? []), cells[at] ?? ''])
  return { value: Object.fromEntries(members) }
}

async function* readObjects(source: ByteSource): AsyncGenerator<Row, void, undefined> {
  for await (const { position, source: bytes, found } of readNdjson(source, defaultMaxRecordBytes))
    yield { format: 'ndjson', position, source: bytes, found: 'defect' in found ? found : { value: found.object } }
}

/** Reads a JSON file as one value. */
export async function readJsonDocument(source: ByteSource): Promise<Omit<Row, 'format'>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxDocumentBytes) break
  }
  const bytes = Buffer.concat(chunks)
  const whole = { position: { number: 1, offset: 0, length: size }, source: bytes } as const
  if (size > maxDocumentBytes) {
    const message = `A JSON file that is read as a whole may have at most ${maxDocumentBytes} bytes`
    return { ...whole, found: { defect: { kind: 'over_limit', message } } }
  }
  try {
    return { ...whole, found: { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) } }
  } catch (error) {
    return { ...whole, found: { defect: notJson(error) } }
  }
}

async function* readDocument(source: ByteSource, path: string): AsyncGenerator<Row, void, undefined> {
  const { found, ...document } = await readJsonDocument(source)
  const whole = { ...document, format: 'ndjson' } as const
  if ('defect' in found) {
    yield { ...whole, found }
    return
  }
  const values = valuesAt(found.value, path)
  const size = whole.position.length
  if (values.length === 0)
    yield { ...whole, found: { defect: { kind: 'not_a_record', message: `The file has nothing at "${path}"` } } }
  // Positions inside the document are not known; progress is measured by rows.
  for (const [at, value] of values.entries()) {
    const from = Math.floor((at * size) / values.length)
    const position = { number: at + 1, offset: from, length: Math.floor(((at + 1) * size) / values.length) - from }
    yield { format: 'ndjson', position, source: Buffer.from(JSON.stringify(value) ?? ''), found: { value } }
  }
}
