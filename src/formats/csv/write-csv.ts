/**
 * A table as CSV (RFC 4180), with the names of its columns on the first line.
 *
 * A text that a spreadsheet would take for a formula is preceded by an apostrophe: whoever can write a title should not be able to run something where the file
 * is opened. Numbers are not texts, and stay as they are.
 */
export function writeCsv(
  columns: readonly string[],
  rows: readonly (readonly (string | number | undefined)[])[]
): string {
  return [columns, ...rows].map(row => `${row.map(cellText).join(',')}\r\n`).join('')
}

function cellText(value: string | number | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
