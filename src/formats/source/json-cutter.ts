import { type Defect, overLimit } from './defects.ts'
import { maxUnreadableBytes } from './position.ts'
import { ByteWindow } from './bytes.ts'

/** An object cut out of a stream, or its defect. */
export interface JsonPiece {
  readonly offset: number
  readonly length: number
  readonly bytes: Buffer
  readonly trouble: Defect | undefined
}

/*
 * Cuts the objects out of a stream of JSON: those of an array, one on each line, or one after the
 * other. Only brackets and quotation marks are inspected; the content of an object is left to
 * JSON.parse.
 *
 * An object that is never closed would swallow everything after it. No text continues over a line
 * end in JSON, and no object inside a record begins with a leader: at either, the object is given
 * up and the next begins.
 */
export function createJsonCutter(limit: number) {
  const window = new ByteWindow()
  /** The number of bytes in the window that were inspected. */
  let at = 0
  let depth = 0
  let isInText = false
  let isEscaped = false
  /** Whether the window begins with an object. */
  let isInObject = false
  let isOver = false
  let over: { offset: number; length: number; head: Buffer } | undefined

  function finish(count: number, trouble: Defect | undefined): JsonPiece {
    const bytes = Buffer.from(window.bytes.subarray(0, count))
    const piece = over
      ? { offset: over.offset, length: over.length + count, bytes: over.head, trouble }
      : { offset: window.offset, length: count, bytes, trouble }
    window.drop(count)
    at = 0
    depth = 0
    isInText = false
    isEscaped = false
    isInObject = false
    isOver = false
    over = undefined
    return piece
  }

  function* cut(isEnd: boolean): Generator<JsonPiece, void, undefined> {
    let bytes = window.bytes
    const giveUp = function* (count: number, message: string): Generator<JsonPiece, void, undefined> {
      yield finish(count, { kind: 'not_well_formed', message })
      bytes = window.bytes
    }
    while (at < bytes.length) {
      const byte = bytes[at] ?? 0
      if (!isInObject) {
        if (byte === 0x7b) {
          window.drop(at)
          at = 1
          depth = 1
          isInObject = true
          bytes = window.bytes
          continue
        }
        // Between objects there are brackets, commas and blanks; anything else is not JSON.
        if (isBetween(byte)) {
          at++
          continue
        }
        const next = nextObject(bytes, at)
        if (next < 0 && !isEnd && bytes.length - at < limit) break
        window.drop(at)
        yield* giveUp(next < 0 ? window.length : next - at, 'This is not JSON')
        continue
      }
      if (isInText) {
        if (isEscaped) isEscaped = false
        else if (byte === 0x5c) isEscaped = true
        else if (byte === 0x22) isInText = false
        else if (byte === 0x0a) {
          yield* giveUp(at, 'A text continues after the end of its line')
          continue
        }
        at++
        continue
      }
      if (byte === 0x22) isInText = true
      else if (byte === 0x7b || byte === 0x5b) {
        if (byte === 0x7b && bytes.length - at < leaderStart.length + 4 && !isEnd) break
        if (byte === 0x7b && startsRecord(bytes, at)) {
          yield* giveUp(at, 'The object has no end')
          continue
        }
        depth++
      } else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) {
        const trouble: Defect | undefined = isOver ? overLimit(limit) : undefined
        yield finish(at + 1, trouble)
        bytes = window.bytes
        continue
      }
      at++
    }
    if (!isInObject) {
      window.drop(Math.min(at, window.length))
      at = 0
    } else if (at > limit) {
      // The rest of a record over the limit is counted and dropped.
      isOver = true
      over ??= { offset: window.offset, length: 0, head: Buffer.from(window.bytes.subarray(0, maxUnreadableBytes)) }
      over.length += at
      window.drop(at)
      at = 0
    }
    if (isEnd && isInObject)
      yield finish(window.length, { kind: 'truncated', message: 'The file ends within an object' })
  }

  return {
    append(chunk: Uint8Array): Generator<JsonPiece, void, undefined> {
      window.append(chunk)
      return cut(false)
    },
    end: (): JsonPiece[] => [...cut(true)]
  }
}

const leaderStart = '{"leader"'

function startsRecord(bytes: Buffer, at: number): boolean {
  return /^\{\s{0,3}"leader"/.test(bytes.toString('latin1', at, at + leaderStart.length + 4))
}

// Blanks, comma, brackets, a byte order mark, the separator of JSON text sequences.
const isBetween = (byte: number) => [0x20, 0x09, 0x0a, 0x0d, 0x2c, 0x5b, 0x5d, 0xef, 0xbb, 0xbf, 0x1e].includes(byte)

/** The start of the next object after invalid text: on the next line, or at the next bracket. */
function nextObject(bytes: Buffer, from: number): number {
  const line = bytes.indexOf('\n', from)
  const bracket = bytes.indexOf('{', from)
  if (line >= 0 && (bracket < 0 || line < bracket)) return line
  return bracket
}
