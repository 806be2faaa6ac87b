import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

import type { RequestKey } from '#catalogue/entities/once.ts'
import { HttpError } from '../reply/errors.ts'

const longestKey = 255

/**
 * The `Idempotency-Key` of a request, and what the request was. Quoted as the draft standard has
 * it, or bare. The body of a batch is not in it: each of its lines has a fingerprint of its own.
 */
export function requestKey(request: FastifyRequest): RequestKey | undefined {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  const key = typeof header === 'string' ? header.trim().replace(/^"(.*)"$/, '$1') : ''
  if (key === '' || key.length > longestKey) {
    throw new HttpError('bad_request', `Idempotency-Key must have 1 to ${longestKey} characters`)
  }
  const body = isStream(request.body) ? '' : JSON.stringify(request.body ?? null)
  return { key, fingerprint: hash('sha256', `${request.method} ${request.url} ${body}`) }
}

const isStream = (body: unknown) => typeof body === 'object' && body !== null && Symbol.asyncIterator in body
