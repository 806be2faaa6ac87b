import type { Defect } from '../source/defects.ts'
import { type ByteSource, peek } from '../source/bytes.ts'
import { readEvidence } from '../description/evidence.ts'
import { nameByContent } from '../description/name-by-content.ts'
import { recordName, type SourceItem, type SourceOptions } from '../source/source-item.ts'
import { noMapping, ruleFor } from './publication-mapping.ts'
import { type CsvColumn, describeRow } from './describe-publication.ts'
import { subjectOf } from './table-subject.ts'
import { type CsvRow, detectDelimiter, maxRowBytes, readCsv, wrongColumns } from './read-csv.ts'

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
    if (isUtf16) {
      yield unreadable(row, 'not_utf8', 'The table is in UTF-16; save it as UTF-8 and send it again')
      return
    }
    if ('defect' in row.found) {
      yield { ...unreadable(row, row.found.defect.kind, ''), defects: [row.found.defect] }
      if (table === undefined) return
      continue
    }
    const { cells } = row.found
    if (table === undefined) {
      const names = cells.map(each => each.trim())
      const fault = findFault(row, names, options)
      if (fault !== undefined) {
        yield fault
        return
      }
      table = { header: row.bytes, columns: names.map(name => ({ name, rule: ruleFor(name, mapping) })) }
      continue
    }
    const defect = wrongColumns(cells, table.columns.length)
    if (defect !== undefined) {
      yield unreadable(row, defect.kind, defect.message)
      continue
    }
    yield rowItem(row, cells, table, options)
  }
}

interface Table {
  readonly header: Buffer
  readonly columns: readonly CsvColumn[]
}

const unreadable = ({ position, bytes }: CsvRow, kind: Defect['kind'], message: string): SourceItem => ({
  outcome: 'unreadable',
  format: 'csv',
  position,
  name: undefined,
  defects: [{ kind, message }],
  source: bytes
})

/** Tests whether a header is the one of an export of entities. */
const isEntityTable = ([first, second, ...others]: readonly string[]) =>
  first === 'id' && second === 'type' && others.some(name => /^ref[A-Z]/.test(name))

/** Finds the reason why a table cannot be read as publications. */
function findFault(row: CsvRow, names: readonly string[], { mapping, format }: SourceOptions): SourceItem | undefined {
  if (mapping !== undefined) return undefined
  if (isEntityTable(names))
    return unreadable(
      row,
      'entity_table',
      'This is a table of entities, not of publications; send it to PUT /entities, which changes them'
    )
  const subject = format === undefined ? subjectOf(names) : 'publications'
  if (subject === 'publications') return undefined
  const columns =
    subject === 'records'
      ? 'The columns are not those of publications, but of a programme or the like'
      : 'The columns do not tell what the rows are'
  const advice = 'Import the table with a mapping; or, if its rows are publications, with the format "csv"'
  return unreadable(row, 'unclear_table', `${columns}. ${advice}`)
}

function rowItem(
  { position, bytes }: CsvRow,
  cells: readonly string[],
  { header, columns }: Table,
  { mapping = noMapping, agency }: SourceOptions
): SourceItem {
  const source = Buffer.concat([header, Buffer.from('\r\n'), bytes])
  const { description, defects } = describeRow(columns, cells, agency === undefined ? mapping : { agency, ...mapping })
  const { controlNumber } = description
  const name = controlNumber === undefined ? nameByContent(source) : recordName(description.agency, controlNumber)
  const unmapped = columns
    .filter(({ rule, name: column }, place) => rule === undefined && column !== '' && cells[place]?.trim() !== '')
    .map(each => each.name)
  return {
    format: 'csv',
    position,
    source,
    outcome: 'record',
    name,
    defects,
    unmapped,
    description,
    evidence: readEvidence(description, name)
  }
}
