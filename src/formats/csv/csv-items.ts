import type { Defect } from '../source/defects.ts'
import type { ByteSource } from '../source/larger-chunks.ts'
import { readEvidence } from '../description/evidence.ts'
import { nameByContent } from '../description/name-by-content.ts'
import { peek } from '../source/peek.ts'
import { recordName, type SourceItem, type SourceOptions } from '../source/source-item.ts'
import { noMapping, ruleFor } from './csv-mapping.ts'
import { type CsvColumn, describeRow } from './describe-row.ts'
import { subjectOf, type TableSubject } from './table-subject.ts'
import { type CsvRow, detectDelimiter, readCsv } from './read-csv.ts'

/** Maximum bytes of a row; no row made by a person is longer. */
const maxRowBytes = 1_000_000

/**
 * Reads the rows of a table, each as a record. The source of a row is the header and the row, so
 * that it can be read by itself.
 */
export async function* csvItems(
  source: ByteSource,
  options: SourceOptions
): AsyncGenerator<SourceItem, void, undefined> {
  const mapping = options.mapping ?? noMapping
  const { head, all } = await peek(source, 4_096)
  const isUtf16 =
    (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff) || head.subarray(0, 64).includes(0)
  const delimiter = mapping.delimiter ?? detectDelimiter(head.toString('utf8').replace(/^\ufeff/, ''))
  const limit = Math.min(options.maxRecordBytes ?? maxRowBytes, maxRowBytes)
  let table: Table | undefined
  for await (const row of readCsv(all, { delimiter, limit })) {
    if (table === undefined) {
      const header = readHeader(row, isUtf16)
      if ('outcome' in header) {
        yield header
        return
      }
      if (options.mapping === undefined && isEntityTable(header.names)) {
        yield entityTable(row)
        return
      }
      const subject =
        options.mapping === undefined && options.format === undefined ? subjectOf(header.names) : undefined
      if (subject !== undefined && subject !== 'publications') {
        yield unclearTable(row, subject)
        return
      }
      table = {
        header: row.bytes,
        columns: header.names.map(name => ({ name, rule: ruleFor(name, mapping) }))
      }
      continue
    }
    yield rowItem(row, table, options)
  }
}

interface Table {
  readonly header: Buffer
  readonly columns: readonly CsvColumn[]
}

function readHeader({ position, bytes, found }: CsvRow, isUtf16: boolean): { names: string[] } | SourceItem {
  const fail = (defect: Defect): SourceItem => ({
    outcome: 'unreadable',
    format: 'csv',
    position,
    name: undefined,
    defects: [defect],
    source: bytes
  })
  if (isUtf16) return fail({ kind: 'not_utf8', message: 'The table is in UTF-16; save it as UTF-8 and send it again' })
  if ('defect' in found) return fail(found.defect)
  return { names: found.cells.map(each => each.trim()) }
}

/** Tests whether a header is the one of an export of entities. */
const isEntityTable = ([first, second, ...others]: readonly string[]) =>
  first === 'id' && second === 'type' && others.some(name => /^ref[A-Z]/.test(name))

const entityTable = ({ position, bytes }: CsvRow): SourceItem => ({
  outcome: 'unreadable',
  format: 'csv',
  position,
  name: undefined,
  defects: [
    {
      kind: 'entity_table',
      message: 'This is a table of entities, not of publications; send it to PUT /entities, which changes them'
    }
  ],
  source: bytes
})

const unclearTable = ({ position, bytes }: CsvRow, subject: TableSubject): SourceItem => ({
  outcome: 'unreadable',
  format: 'csv',
  position,
  name: undefined,
  defects: [
    {
      kind: 'unclear_table',
      message: `${
        subject === 'records'
          ? 'The columns are not those of publications, but of a programme or the like'
          : 'The columns do not tell what the rows are'
      }. Import the table with a mapping; or, if its rows are publications, with the format "csv"`
    }
  ],
  source: bytes
})

function rowItem(
  { position, bytes, found }: CsvRow,
  table: Table,
  { mapping = noMapping, agency }: SourceOptions
): SourceItem {
  const { header, columns } = table
  const source = Buffer.concat([header, Buffer.from('\r\n'), bytes])
  const base = { format: 'csv', position, source } as const
  const fail = (defect: Defect): SourceItem => ({
    ...base,
    source: bytes,
    outcome: 'unreadable',
    name: undefined,
    defects: [defect]
  })
  if ('defect' in found) return fail(found.defect)
  const { cells } = found
  // Spreadsheets write empty cells after the last one.
  if (cells.length < columns.length || cells.slice(columns.length).some(each => each.trim() !== ''))
    return fail({ kind: 'wrong_columns', message: `The row has ${cells.length} columns, the header ${columns.length}` })
  const { description, defects } = describeRow(columns, cells, agency === undefined ? mapping : { agency, ...mapping })
  const { controlNumber } = description
  const name = controlNumber === undefined ? nameByContent(source) : recordName(description.agency, controlNumber)
  const unmapped = columns
    .filter(({ rule, name: column }, place) => rule === undefined && column !== '' && cells[place]?.trim() !== '')
    .map(each => each.name)
  return {
    ...base,
    outcome: 'record',
    name,
    defects,
    unmapped,
    description,
    evidence: readEvidence(description, name)
  }
}
