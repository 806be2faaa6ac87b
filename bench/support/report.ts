export interface RunOptions {
  readonly rounds: number
  readonly seconds: number
  /** The size of the catalogue, where a benchmark takes one. */
  readonly manifestations: number
  /** A SQLite file to use in place of a generated catalogue. */
  readonly database: string | undefined
  /** A folder with another version of the program, its packages installed. */
  readonly checkout: string | undefined
  /** Parts of a benchmark, where it has some; otherwise all of it. */
  readonly parts?: readonly string[] | undefined
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** A Markdown table, so that results can go into README.md as they are. */
export function printTable(heads: readonly string[], rows: readonly (readonly string[])[]) {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map(row => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`
  console.log(line(heads))
  console.log(line(widths.map(width => '-'.repeat(width))))
  for (const row of rows) console.log(line(row))
  console.log()
}
