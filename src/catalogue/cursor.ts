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
  // The order of creation needs no value; that of the last change has the change at which the walk began.
  const [only] = order.items
  const isSingle = order.items.length === 1
  const isOfOrder = (given: readonly unknown[]) => {
    // How each search is read, and how well the last record fits.
    if (order.isByRelevance)
      return given.length === 2 && /^[01]{1,64}$/.test(String(given[0])) && /^\d{1,15}$/.test(String(given[1]))
    if (isSingle && only?.by === 'created') return given.length === 0
    if (isSingle && only?.by === 'updated') return given.length === 1 && /^\d{1,15}$/.test(String(given[0]))
    return given.length === order.items.length
  }
  const isGood =
    Array.isArray(values) &&
    isOfOrder(values) &&
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
