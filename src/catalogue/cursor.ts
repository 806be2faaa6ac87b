import { invalid } from '#domain/errors.ts'
import type { Position, Question } from '#store/store.ts'

/** Where a page ended, as clients carry it: opaque to them, and checked when it comes back. */
export interface Cursor {
  readonly position: Position
  readonly backwards: boolean
  /** The offset of the page, for clients that show it. */
  readonly skip: number
}

export function writeCursor({ position, backwards, skip }: Cursor): string {
  const compact = [position.values, position.sequence, backwards ? 1 : 0, skip]
  return Buffer.from(JSON.stringify(compact)).toString('base64url')
}

/** Reads a cursor back. Throws `invalid` for what was not written here, or for another order. */
export function readCursor(text: string, order: Question['order']): Cursor {
  const faults = [{ pointer: 'cursor', message: 'Not a cursor of this list: use the "next" of an answer as it is' }]
  const fail = () => invalid('The cursor is not valid', faults)
  let compact: unknown
  try {
    compact = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    throw fail()
  }
  if (!Array.isArray(compact) || compact.length !== 4) throw fail()
  const [values, sequence, backwards, skip] = compact as unknown[]
  const isOfOrder = (length: number) => {
    const [only] = order.items
    const isSequence = order.items.length === 1 && (only?.by === 'created' || only?.by === 'updated')
    return length === (isSequence ? 0 : order.items.length)
  }
  const isGood =
    Array.isArray(values) &&
    isOfOrder(values.length) &&
    values.every(
      value => value === null || (typeof value === 'string' && value.isWellFormed() && !value.includes('\0'))
    ) &&
    Number.isSafeInteger(sequence) &&
    (backwards === 0 || backwards === 1) &&
    Number.isSafeInteger(skip) &&
    (skip as number) >= 0
  if (!isGood) throw fail()
  return {
    position: { values: values as string[], sequence: sequence as number },
    backwards: backwards === 1,
    skip: skip as number
  }
}
