import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'

import type { ExpectedVersions } from '#catalogue/entities/change-entity.ts'
import { HttpError } from './errors.ts'

/* Conditional requests, RFC 9110 section 13. The tag of an entity is its version. */

/**
 * The versions that `If-Match` allows; quoted as in the RFC, or bare as some clients send them. A
 * change never creates, so `If-None-Match: *` allows none.
 */
export function expectedVersions(headers: IncomingHttpHeaders): ExpectedVersions {
  const header = headers['if-match']
  // `*` means "only where nothing exists yet": no existing version matches.
  if (headers['if-none-match']?.trim() === '*') return new Set()
  if (header === undefined || header.trim() === '*') return undefined
  const versions = header.split(',').map(tag => {
    const version = /^\s*"?(\d{1,15})(?:-br|-gzip)?"?\s*$/.exec(tag)?.[1]
    // A weak or foreign tag never matches, as the RFC requires.
    return version === undefined ? -1 : Number(version)
  })
  if (header.trim() === '') throw new HttpError('bad_request', 'If-Match is empty')
  return new Set(versions)
}

/** The conditions of a change: `If-Match`, `Prefer: merge` and `dry_run`. */
export function changeOptions(request: FastifyRequest) {
  const { dry_run } = request.query as { dry_run: number }
  return { expected: expectedVersions(request.headers), dryRun: dry_run === 1, merges: prefersMerge(request) }
}

/**
 * `Prefer: merge` (RFC 7240): apply this change on top of concurrent ones, where those changed
 * other fields.
 */
const prefersMerge = (request: FastifyRequest) =>
  [request.headers.prefer]
    .flat()
    .some(each => each?.split(',').some(preference => preference.trim().toLowerCase() === 'merge'))

/** Whether the client has this answer already and gets 304. */
export function isKnownToClient(headers: IncomingHttpHeaders, etag: string): boolean {
  const header = headers['if-none-match']
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return isTagIn(header, etag)
}

/** Whether a list of tags has this one. */
export const isTagIn = (header: string, etag: string): boolean =>
  header.split(',').some(tag => {
    // The tag of a compressed answer is that of the plain one with a suffix (compression.ts).
    const bare = tag
      .trim()
      .replace(/^W\//, '')
      .replace(/-(?:br|gzip)(?="?$)/, '')
    return bare === etag || `"${bare}"` === etag
  })
