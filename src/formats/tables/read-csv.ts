import type { Defect } from '../source/defects.ts'
import { maxUnreadableBytes, type Position } from '../source/position.ts'
import { ByteWindow, type ByteSource, largerChunks } from '../source/bytes.ts'

/** A row of a table as it stands in the file, or its defect. */
export interface CsvRow {
  /** Rows are counted from 1, including the header; empty lines do not count. */
  readonly position: Position
  readonly bytes: Buffer
  readonly found: { readonly cells: readonly string[] } | { readonly defect: Defect }
}

/** Maximum bytes of a row; no row made by a person is longer. */
export const maxRowBytes = 1_000_000

export const delimiters = [',', ';', '\t'] as const

/**
 * Reads a table in CSV (RFC 4180) row by row. Lines may end with CR LF, LF or CR. A quotation mark
 * inside a cell that does not begin with one is an ordinary character, as spreadsheets write it.
 *
 * A cell that is never closed would swallow the rest of the file: then its first line is
 * unreadable, and reading continues after it.
 */
export async function* readCsv(
  source: ByteSource,
  { delimiter, limit }: { readonly delimiter: string; readonly limit: number }
): AsyncGenerator<CsvRow, void, undefined> {
  const window = new ByteWindow()
  const separator = delimiter.charCodeAt(0)
  let number = 0
  /** Whether the rest of a row over the limit is being skipped, up to the end of its line. */
  let isOver = false
  const skipRest = () => {
    const end = isOver ? lineEndIn(window.bytes) : undefined
    if (!isOver) return
    window.drop(end === undefined ? window.length : end.length + end.lineEnd)
    isOver = end === undefined
  }
  const take = (end: RowEnd): CsvRow[] => {
    const bytes = Buffer.from(window.bytes.subarray(0, end.length))
    const offset = window.offset
    window.drop(end.length + end.lineEnd)
    isOver = end.defect?.kind === 'over_limit'
    if (bytes.length === 0) return []
    const position = { number: ++number, offset, length: bytes.length }
    const found = end.defect === undefined ? cellsOf(bytes, delimiter) : { defect: end.defect }
    return [{ position, bytes: end.defect === undefined ? bytes : bytes.subarray(0, maxUnreadableBytes), found }]
  }
  let isFirst = true
  /** An unfinished row is scanned again when this much has arrived: twice as much each time. */
  let minLength = 0
  for await (const chunk of largerChunks(source)) {
    window.append(chunk)
    if (isFirst) skipMark(window)
    isFirst = false
    skipRest()
    if (window.length < minLength) continue
    for (
      let end = findEnd(window, separator, limit, false);
      end !== undefined;
      end = findEnd(window, separator, limit, false)
    )
      yield* take(end)
    minLength = Math.min(window.length * 2, limit + 1)
  }
  while (window.length > 0) {
    const end = findEnd(window, separator, limit, true)
    if (end === undefined) break
    yield* take(end)
  }
}

/** The most frequent delimiter in a header, outside of quotation marks. */
export function detectDelimiter(head: string): string {
  const [line = ''] = head.replaceAll(/"(?:[^"]|"")*"/g, '').split(/\r?\n|\r/, 1)
  const count = (each: string) => line.split(each).length
  return delimiters.toSorted((one, other) => count(other) - count(one))[0] ?? ','
}

function skipMark(window: ByteWindow): void {
  if (window.bytes[0] === 0xef && window.bytes[1] === 0xbb && window.bytes[2] === 0xbf) window.drop(3)
}

interface RowEnd {
  readonly length: number
  /** The bytes of the line end after it. */
  readonly lineEnd: number
  readonly defect?: Defect
}

const [quote, lf, cr] = [0x22, 0x0a, 0x0d]

/** The end of the first row; undefined while it is unknown. */
function findEnd(window: ByteWindow, separator: number, limit: number, isEnd: boolean): RowEnd | undefined {
  const { bytes } = window
  if (bytes.length === 0) return undefined
  let isStart = true
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote && isStart) {
      const close = closeOf(bytes, at)
      if (close < 0) {
        if (!isEnd && bytes.length <= limit) return undefined
        return brokenLine(bytes, `The quotation mark at byte ${window.offset + at} is not closed`)
      }
      const next = bytes[close + 1]
      if (next === undefined && !isEnd) return undefined
      if (next !== undefined && next !== separator && next !== lf && next !== cr)
        return brokenLine(bytes, `There is text after the quotation mark at byte ${window.offset + close}`)
      at = close
      isStart = false
      continue
    }
    if (byte === lf) return { length: at, lineEnd: 1 }
    if (byte === cr) {
      if (at + 1 === bytes.length && !isEnd) return undefined
      return { length: at, lineEnd: bytes[at + 1] === lf ? 2 : 1 }
    }
    isStart = byte === separator
  }
  if (isEnd) return { length: bytes.length, lineEnd: 0 }
  if (bytes.length <= limit) return undefined
  return {
    length: bytes.length,
    lineEnd: 0,
    defect: { kind: 'over_limit', message: `The row has more than ${limit} bytes` }
  }
}

/** The quotation mark that ends a cell: one that is not doubled. */
function closeOf(bytes: Buffer, open: number): number {
  for (let at = bytes.indexOf(quote, open + 1); at >= 0; at = bytes.indexOf(quote, at + 1)) {
    if (bytes[at + 1] !== quote) return at
    at++
  }
  return -1
}

function brokenLine(bytes: Buffer, message: string): RowEnd {
  const { length, lineEnd } = lineEndIn(bytes) ?? { length: bytes.length, lineEnd: 0 }
  return { length, lineEnd, defect: { kind: 'broken_quote', message } }
}

/**
 * Finds the end of the first line, whatever its content is. Looks no further than that: a search
 * for the other kind of line end would scan the rest of the file for each broken line.
 */
function lineEndIn(bytes: Buffer): { readonly length: number; readonly lineEnd: number } | undefined {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === lf) return { length: at, lineEnd: 1 }
    if (bytes[at] === cr) return { length: at, lineEnd: bytes[at + 1] === lf ? 2 : 1 }
  }
  return undefined
}

/**
 * Leaves byte order marks in the text: rows are cut by bytes, where a mark is an ordinary
 * character.
 */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function cellsOf(bytes: Buffer, delimiter: string): CsvRow['found'] {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return {
      defect: { kind: 'not_utf8', message: 'The row is not in UTF-8; save the table as UTF-8 and send it again' }
    }
  }
  const cells: string[] = []
  for (let at = 0; at <= text.length; ) {
    if (text[at] !== '"') {
      const next = text.indexOf(delimiter, at)
      const end = next < 0 ? text.length : next
      cells.push(text.slice(at, end))
      at = end + 1
      continue
    }
    const end = closeInText(text, at)
    if (end < 0) return { defect: { kind: 'broken_quote', message: 'A quotation mark is not closed' } }
    cells.push(text.slice(at + 1, end).replaceAll('""', '"'))
    at = end + 2
  }
  return { cells }
}

/**
 * The position of the quotation mark that ends the cell opened at `open`; -1 when there is none.
 */
function closeInText(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at
  }
  return -1
}

/** The defect of a row with another number of cells than the header, if it has another. */
export function wrongColumns(cells: readonly string[], columns: number): Defect | undefined {
  // Spreadsheets write empty cells after the last one.
  if (cells.length >= columns && cells.slice(columns).every(each => each.trim() === '')) return undefined
  return { kind: 'wrong_columns', message: `The row has ${cells.length} columns, the header ${columns}` }
}
