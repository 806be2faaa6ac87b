/**
 * The columns and the first row of a table, as far as the page needs them; the service reads the
 * table itself.
 */
export interface TableHead {
  readonly columns: readonly { readonly name: string; readonly example: string }[]
}

const enough = 64 * 1024
const delimiters = [',', ';', '\t']

/** Reads the beginning of a file as a table; undefined without a readable header. */
export async function readTableHead(file: Blob): Promise<TableHead | undefined> {
  const text = new TextDecoder().decode(await file.slice(0, enough).arrayBuffer()).replace(/^\ufeff/, '')
  const [firstLine = ''] = text.split(/\r?\n/, 1)
  const [delimiter = ','] = delimiters.toSorted((one, other) => countOf(firstLine, other) - countOf(firstLine, one))
  const [header = [], row = []] = readRows(text, delimiter, 2)
  const columns = header.map((name, at) => ({ name: name.trim(), example: row[at]?.trim() ?? '' }))
  return columns.some(({ name }) => name !== '') ? { columns: columns.filter(({ name }) => name !== '') } : undefined
}

const countOf = (text: string, sign: string) => text.split(sign).length

/** The first rows, with quotation marks as in RFC 4180. */
function readRows(text: string, delimiter: string, most: number): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    rows.at(-1)?.push(cell)
    cell = ''
  }
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') cell += text[++at]
      else isQuoted = false
    } else if (sign === '"' && cell === '') isQuoted = true
    else if (sign === delimiter) endCell()
    else if (sign === '\n') {
      endCell()
      if (rows.length === most) return rows
      rows.push([])
    } else if (sign !== '\r') cell += sign
  }
  endCell()
  return rows
}
