import type { IncomingHttpHeaders } from 'node:http'

import { HttpError } from './errors.ts'

/** A part of some bytes, both ends included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/**
 * The part that a request asks for; undefined for all of it. RFC 9110, section 14: what is not
 * understood, and several parts at once, may be answered with everything. Throws
 * `range_not_satisfiable` when nothing of the part exists.
 */
export function readRange(headers: IncomingHttpHeaders, size: number, etag: string): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range?.trim() ?? '') ?? []
  if (from === '' && to === '') return undefined
  // Of other bytes than the client has the first part of, a second part is no use to it.
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
  new HttpError('range_not_satisfiable', `There are ${size} bytes; the range asked for lies behind them`)
