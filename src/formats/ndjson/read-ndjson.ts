import { isJsonObject, type JsonObject } from '#domain/json.ts'
import { type Defect, notJson } from '../source/defects.ts'
import { maxUnreadableBytes, type Position } from '../source/position.ts'
import { type ByteSource, largerChunks, peek } from '../source/bytes.ts'
import { createJsonCutter } from '../source/json-cutter.ts'
import { readLines } from '../source/read-lines.ts'

/** The content of a line of NDJSON: an object, or a defect. */
export interface JsonLine {
  readonly position: Position
  readonly source: Buffer
  readonly found: { readonly object: JsonObject } | { readonly defect: Defect }
}

/**
 * Reads objects, one on each line; empty lines are skipped, and the number in a position is that of
 * the line. A file that begins with a bracket is an array of objects, and the objects are counted.
 */
export async function* readNdjson(source: ByteSource, limit: number): AsyncGenerator<JsonLine, void, undefined> {
  const { head, all } = await peek(source, 64)
  if (/^(?:\xef\xbb\xbf)?\s*\[/.test(head.toString('latin1'))) {
    yield* readArray(all, limit)
    return
  }
  for await (const { number, offset, length, bytes, isOver } of readLines(all, limit, maxUnreadableBytes)) {
    if (!isOver && bytes.every(isBlank)) continue
    const over: Defect = { kind: 'over_limit', message: `The line has more than ${limit} bytes` }
    yield {
      position: { number, offset, length },
      source: bytes,
      found: isOver ? { defect: over } : parseObject(bytes)
    }
  }
}

async function* readArray(source: ByteSource, limit: number): AsyncGenerator<JsonLine, void, undefined> {
  const cutter = createJsonCutter(limit)
  let number = 0
  const toLine = ({ offset, length, bytes, trouble }: ReturnType<typeof cutter.end>[number]): JsonLine => ({
    position: { number: ++number, offset, length },
    source: bytes,
    found: trouble === undefined ? parseObject(bytes) : { defect: trouble }
  })
  for await (const chunk of largerChunks(source)) for (const piece of cutter.append(chunk)) yield toLine(piece)
  for (const piece of cutter.end()) yield toLine(piece)
}

const isBlank = (byte: number) => byte === 0x20 || byte === 0x09 || byte === 0x0d

const decoder = new TextDecoder('utf-8', { fatal: true })

function parseObject(bytes: Buffer): JsonLine['found'] {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return { defect: { kind: 'undecodable', message: 'Not valid UTF-8' } }
  }
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return { object: value }
    return { defect: { kind: 'not_a_record', message: 'A line must be a JSON object' } }
  } catch (error) {
    return { defect: notJson(error) }
  }
}
