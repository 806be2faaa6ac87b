import type { IncomingHttpHeaders } from 'node:http'

import { HttpError } from './errors.ts'

/**
 * Reads the SHA-256 of the sent bytes (RFC 9530), in hexadecimal; empty when the sender gives none.
 * Other algorithms are ignored.
 */
export function readDigest(headers: IncomingHttpHeaders): { sha256?: string } {
  const header = headers['repr-digest'] ?? headers['content-digest']
  if (header === undefined) return {}
  const [, given] = /(?:^|,)\s*sha-256=:([^:]*):/i.exec([header].flat().join(',')) ?? []
  if (given === undefined) return {}
  const bytes = Buffer.from(given, 'base64')
  if (bytes.length !== 32) throw new HttpError('bad_request', `Not a SHA-256 in base64: "${given}"`)
  return { sha256: bytes.toString('hex') }
}
