import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

import type { RequestKey } from '#catalogue/entities/once.ts'
import { HttpError } from '../reply/errors.ts'

const maxKeyLength = 255

/**
 * The `Idempotency-Key` of a request with a fingerprint of the request. The key is quoted as in the
 * draft standard, or bare. The fingerprint leaves out the body of a batch: each line has its own.
 */
export function requestKey(request: FastifyRequest): RequestKey | undefined {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  const key = typeof header === 'string' ? header.trim().replace(/^"(.*)"$/, '$1') : ''
  if (key === '' || key.length > maxKeyLength) {
    throw new HttpError('bad_request', `Idempotency-Key must have 1 to ${maxKeyLength} characters`)
  }
  const body = isStream(request.body) ? '' : JSON.stringify(request.body ?? null)
  return { key, fingerprint: hash('sha256', `${request.method} ${request.url} ${body}`) }
}

const isStream = (body: unknown) => typeof body === 'object' && body !== null && Symbol.asyncIterator in body
