/*
 * Tables in CSV according to RFC 4180: commas, quotation marks where a cell needs them, lines that
 * end with CR LF, UTF-8.
 *
 * Several values of one cell are separated by ` | `; a `|` inside a value is doubled, so that the
 * cell can be split again.
 */

export type Cell = string | number | undefined

export interface CsvOptions {
  /**
   * Guards text against formulas. Spreadsheets take a cell that begins with `=`, `+`, `-`, `@`
   * (also full-width), a tab or a line end for a formula, and a formula can send the table
   * elsewhere. An apostrophe before it makes it text, as in a spreadsheet itself. Numbers stay
   * unchanged.
   */
  readonly guardsFormulas?: boolean
}

/** Writes a table, with the names of its columns on the first line. */
export function writeCsv(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  options: CsvOptions = {}
): string {
  return [columns, ...rows].map(row => writeCsvRow(row, options)).join('')
}

/** Writes one line of a table. */
export function writeCsvRow(cells: readonly Cell[], { guardsFormulas = true }: CsvOptions = {}): string {
  const texts = cells.map(cell => (typeof cell === 'string' && guardsFormulas ? guard(cell) : String(cell ?? '')))
  return `${texts.map(quote).join(',')}\r\n`
}

export const joinValues = (values: readonly string[]) => values.map(each => each.replaceAll('|', '||')).join(' | ')

/** Splits the values that `joinValues` joined. */
export function splitValues(cell: string): string[] {
  return cell
    .split(/(?<!\|)\|(?!\|)/)
    .map(each => each.replaceAll('||', '|').trim())
    .filter(each => each !== '')
}

/*
 * A cell is guarded wherever a spreadsheet would take text for a formula: at its beginning, and
 * after characters that other spreadsheets take for the end of a cell (a semicolon, where decimals
 * have a comma; a tab; a line end). Apostrophes that stand there already get one more, so that the
 * guard can be removed.
 */
const formulaStart = /^(?='*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n])/
const formulaWithin = /([;\t\r\n])(?='*[=+\-@\uff1d\uff0b\uff0d\uff20])/g
const guard = (cell: string) => cell.replaceAll(formulaWithin, "$1'").replace(formulaStart, "'")

const guardStart = /^'(?='*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n])/
const guardWithin = /([;\t\r\n])'(?='*[=+\-@\uff1d\uff0b\uff0d\uff20])/g

/** Removes the guard of a cell. */
export const withoutGuard = (cell: string) => cell.replace(guardStart, '').replaceAll(guardWithin, '$1')

const quote = (cell: string) => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
