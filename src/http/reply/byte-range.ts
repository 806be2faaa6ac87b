import type { IncomingHttpHeaders } from 'node:http'

import { HttpError } from './errors.ts'

/** A part of some bytes, both ends included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/**
 * Reads the `Range` of a request; undefined for the whole. RFC 9110, section 14: a range that is
 * not understood, or several at once, may be answered with everything. Throws
 * `range_not_satisfiable` when no byte of the range exists.
 */
export function readRange(headers: IncomingHttpHeaders, size: number, etag: string): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range?.trim() ?? '') ?? []
  if (from === '' && to === '') return undefined
  // A second part is useless to a client that has the first part of other bytes.
  const condition = headers['if-range']?.toString()
  if (condition !== undefined && condition.trim() !== etag) return undefined
  if (from === '') {
    const length = Math.min(Number(to), size)
    if (length === 0) throw unsatisfiable(size)
    return { first: size - length, last: size - 1 }
  }
  const first = Number(from)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < first) return undefined
  if (first >= size) throw unsatisfiable(size)
  return { first, last }
}

const unsatisfiable = (size: number) =>
  new HttpError('range_not_satisfiable', `The file has ${size} bytes; the range begins after its end`)
