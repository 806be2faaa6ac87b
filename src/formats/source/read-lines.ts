import { ByteWindow, type ByteSource, largerChunks } from './bytes.ts'

/**
 * A line without its end. A line over the limit is returned once, with its beginning and its whole
 * length.
 */
export interface Line {
  /** Counted from 1, including empty ones. */
  readonly number: number
  readonly offset: number
  readonly length: number
  readonly bytes: Buffer
  readonly isOver: boolean
}

const newline = 0x0a

/**
 * Splits a source into lines, as bytes: text may contain U+2028, where a reader of text lines would
 * split. Takes memory for one line.
 */
export async function* readLines(
  source: ByteSource,
  limit: number,
  maxOverBytes: number
): AsyncGenerator<Line, void, undefined> {
  const window = new ByteWindow()
  let number = 0
  let seen = 0
  let over: { offset: number; length: number; bytes: Buffer } | undefined
  const take = (count: number): Line => {
    const bytes = over?.bytes ?? Buffer.from(window.bytes.subarray(0, count))
    const offset = over?.offset ?? window.offset
    const length = (over?.length ?? 0) + count
    const isOver = over !== undefined || count > limit
    over = undefined
    return { number: ++number, offset, length, bytes: isOver ? bytes.subarray(0, maxOverBytes) : bytes, isOver }
  }
  for await (const chunk of largerChunks(source)) {
    window.append(chunk)
    while (true) {
      const end = window.bytes.indexOf(newline, seen)
      if (end < 0) break
      yield take(end)
      window.drop(end + 1)
      seen = 0
    }
    seen = window.length
    if (seen <= limit) continue
    // The rest of a line over the limit is counted and dropped.
    over ??= { offset: window.offset, length: 0, bytes: Buffer.from(window.bytes.subarray(0, maxOverBytes)) }
    over.length += seen
    window.drop(seen)
    seen = 0
  }
  if (window.length > 0 || over !== undefined) yield take(window.length)
}
