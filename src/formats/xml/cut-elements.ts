import type { Defect } from '../source/defects.ts'
import { maxUnreadableBytes, type Position } from '../source/position.ts'
import type { ByteSource } from '../source/bytes.ts'
import { decodeXmlText } from './xml-text.ts'

/** The text of a record, or its defect; or a header. */
export interface XmlPiece {
  readonly kind: 'record' | 'header'
  readonly position: Position
  readonly text: string
  readonly trouble: Defect | undefined
}

/** The local names of elements, as alternatives of a regular expression: `Product|product`. */
export interface PieceNames {
  readonly record: string
  readonly header: string
  /** The word for a record in messages. */
  readonly noun: string
}

/**
 * Cuts records out of a document by their tags: a record does not contain another one, so a damaged
 * one does not affect the next. Whether a record is well-formed is checked when it is parsed.
 *
 * A document type that only names an external file is skipped, and nothing is fetched. One with
 * declarations of its own is refused: these can grow without bound.
 */
export async function* cutElements(
  source: ByteSource,
  limit: number,
  names: PieceNames
): AsyncGenerator<XmlPiece, void, undefined> {
  const pieceStart = new RegExp(`<(?:[\\w.-]+:)?(?:${names.header}|${names.record})(?=[\\s>])`)
  const recordStart = new RegExp(`<(?:[\\w.-]+:)?(?:${names.record})(?=[\\s>])`)
  const isHeader = new RegExp(`(?:^|:)(?:${names.header})$`)
  const { noun } = names
  let text = ''
  /** Bytes of the file before the current text; exact for UTF-8. */
  let offset = 0
  let number = 0
  let isBegun = false
  let isRefused = false

  const drop = (count: number) => {
    offset += Buffer.byteLength(text.slice(0, count))
    text = text.slice(count)
  }
  const take = (kind: XmlPiece['kind'], count: number, trouble?: Defect): XmlPiece => {
    const whole = text.slice(0, count)
    const length = Buffer.byteLength(whole)
    const position = { number: kind === 'record' ? ++number : number, offset, length }
    const piece = { kind, position, text: trouble ? whole.slice(0, maxUnreadableBytes) : whole, trouble }
    drop(count)
    return piece
  }

  /** Returns the next piece, or undefined while its end has not arrived. */
  function next(isEnd: boolean): XmlPiece | undefined {
    if (!isBegun) {
      const root = /<[A-Za-z_]/.exec(text)
      const prolog = root === null ? text : text.slice(0, root.index)
      if (/<!DOCTYPE[^<>[]*\[|<!ENTITY/i.test(prolog)) return refuse()
      isBegun = root !== null
    }
    const start = pieceStart.exec(text)
    if (start === null) {
      // The end of the chunk may cut the beginning of a tag.
      drop(isEnd ? text.length : Math.max(0, text.length - 200))
      return undefined
    }
    drop(start.index)
    const tag = start[0].slice(1)
    const kind = isHeader.test(tag) ? 'header' : 'record'
    const end = new RegExp(`</${tag}\\s*>`).exec(text)
    const following = recordStart.exec(text.slice(1))
    const isUnended = following !== null && (end === null || following.index + 1 < end.index)
    if (isUnended)
      return take(kind, following.index + 1, { kind: 'not_well_formed', message: `The ${noun} has no end` })
    const over = { kind: 'over_limit', message: `The ${noun} has more than ${limit} bytes` } as const
    if (end !== null) {
      const count = end.index + end[0].length
      return take(kind, count, count > limit ? over : undefined)
    }
    if (text.length > limit) return take(kind, text.length, over)
    return isEnd ? take(kind, text.length, { kind: 'truncated', message: `The file ends within a ${noun}` }) : undefined
  }

  function refuse(): XmlPiece {
    isRefused = true
    const message = 'The file has a document type with declarations of its own'
    return take('record', Math.min(text.length, 2_000), { kind: 'refused', message })
  }

  for await (const chunk of decodeXmlText(source)) {
    text += chunk
    for (let piece = next(false); piece !== undefined; piece = next(false)) {
      yield piece
      if (isRefused) return
    }
  }
  for (let piece = next(true); piece !== undefined; piece = next(true)) yield piece
}
