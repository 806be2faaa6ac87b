import type { Defect } from '../source/defects.ts'
import { maxUnreadableBytes, type Position } from '../source/position.ts'
import type { ByteSource } from '../source/larger-chunks.ts'
import { decodeXmlText } from '../xml/xml-text.ts'

/** The text of a product, or its defect; or the header of the message. */
export interface OnixPiece {
  readonly kind: 'product' | 'header'
  readonly position: Position
  readonly text: string
  readonly trouble: Defect | undefined
}

/*
 * Cuts products out of a message by their tags: a product does not contain another one, so a
 * damaged one does not affect the next. Whether a product is well-formed is checked when it is
 * parsed.
 *
 * A document type that only names an external file is skipped, since ONIX 2.1 has one, and nothing
 * is fetched. One with declarations of its own is refused: these can grow without bound.
 */
export async function* cutProducts(source: ByteSource, limit: number): AsyncGenerator<OnixPiece, void, undefined> {
  let text = ''
  /** Bytes of the file before the current text; exact for UTF-8. */
  let offset = 0
  let number = 0
  let isBegun = false

  const drop = (count: number) => {
    offset += Buffer.byteLength(text.slice(0, count))
    text = text.slice(count)
  }
  const take = (kind: OnixPiece['kind'], count: number, trouble?: Defect): OnixPiece => {
    const whole = text.slice(0, count)
    const length = Buffer.byteLength(whole)
    const position = { number: kind === 'product' ? ++number : number, offset, length }
    const piece = { kind, position, text: trouble ? whole.slice(0, maxUnreadableBytes) : whole, trouble }
    drop(count)
    return piece
  }

  /** Returns the next piece, or undefined while its end has not arrived. */
  function next(isEnd: boolean): OnixPiece | undefined {
    if (!isBegun) {
      const root = rootStart.exec(text)
      const prolog = root === null ? text : text.slice(0, root.index)
      if (/<!DOCTYPE[^>[]*\[|<!ENTITY/i.test(prolog)) return refuse()
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
    const kind = /header$/i.test(tag) ? 'header' : 'product'
    const end = new RegExp(`</${tag}\\s*>`).exec(text)
    const following = productStart.exec(text.slice(1))
    const isUnended = following !== null && (end === null || following.index + 1 < end.index)
    if (isUnended)
      return take(kind, following.index + 1, { kind: 'not_well_formed', message: 'The product has no end' })
    if (end !== null) {
      const count = end.index + end[0].length
      const isOver = count > limit
      return take(
        kind,
        count,
        isOver ? { kind: 'over_limit', message: `The product has more than ${limit} bytes` } : undefined
      )
    }
    if (text.length > limit)
      return take(kind, text.length, { kind: 'over_limit', message: `The product has more than ${limit} bytes` })
    return isEnd ? take(kind, text.length, { kind: 'truncated', message: 'The file ends within a product' }) : undefined
  }

  function refuse(): OnixPiece {
    isRefused = true
    const message = 'The file has a document type with declarations of its own'
    return take('product', Math.min(text.length, 2_000), { kind: 'refused', message })
  }
  let isRefused = false

  for await (const chunk of decodeXmlText(source)) {
    text += chunk
    for (let piece = next(false); piece !== undefined; piece = next(false)) {
      yield piece
      if (isRefused) return
    }
  }
  for (let piece = next(true); piece !== undefined; piece = next(true)) yield piece
}

const rootStart = /<(?:[\w.-]+:)?(?:ONIXMessage|ONIXmessage|Product|product)(?=[\s>/])/
const pieceStart = /<(?:[\w.-]+:)?(?:Header|header|Product|product)(?=[\s>])/
const productStart = /<(?:[\w.-]+:)?(?:Product|product)(?=[\s>])/
