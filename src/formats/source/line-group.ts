import type { Line } from './read-lines.ts'

/** The lines of one record. */
export interface LineGroup {
  readonly offset: number
  end: number
  readonly lines: Line[]
  /** Whether the record is longer than the limit. */
  isOver: boolean
}

export const beginGroup = ({ offset }: Line): LineGroup => ({ offset, end: offset, lines: [], isOver: false })

/** Adds a line. Of a record over the limit, its first line is enough for the report. */
export function addLine(group: LineGroup, line: Line, limit: number): void {
  group.end = line.offset + line.length
  group.isOver ||= line.isOver || group.end - group.offset > limit
  if (!group.isOver || group.lines.length === 0) group.lines.push(line)
}

export const isBlank = ({ bytes }: Line) => bytes.every(each => each === 0x20 || each === 0x09 || each === 0x0d)

const lineEnd = Buffer.from('\n')

/** The bytes of the lines as they were in the file. */
export const bytesOf = ({ offset, end, lines }: LineGroup): Buffer =>
  Buffer.concat(lines.flatMap(({ bytes }) => [bytes, lineEnd])).subarray(0, end - offset)
