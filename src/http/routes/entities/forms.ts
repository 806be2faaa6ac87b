import Type from 'typebox'

import type { PastMoment } from '#catalogue/history/read-past.ts'
import { HttpError } from '../../reply/errors.ts'
import { representationNames, type WantedForm } from '../../representations/representations.ts'

/* The format of one entity, and the moment it is read at. */

export const past = {
  version: Type.Optional(Type.Integer({ minimum: 1, description: 'The entity as it was at this version' })),
  at: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'The entity as it was at this moment: ISO 8601; a bare date means the end of that day'
    })
  )
}

/** The format of the answer, for clients that cannot send `Accept`. */
export const format = Type.Optional(
  Type.String({ enum: representationNames, description: 'Format of the answer; takes precedence over `Accept`' })
)

/** The moment that `version` or `at` names. Throws `bad_request` when both are given. */
export function pastMoment({ version, at }: { version?: number; at?: string }): PastMoment | undefined {
  if (version !== undefined && at !== undefined)
    throw new HttpError('bad_request', 'Give "version" or "at", not both: each names a moment', [
      { pointer: 'at', message: 'Cannot be combined with "version"' }
    ])
  if (version !== undefined) return { version }
  return at === undefined ? undefined : { at }
}

interface FormRequest {
  readonly headers: { readonly accept?: string }
  readonly query: { readonly format?: string }
}

/** Whether a client asks for JSON in one of the usual ways. */
const wantsJson = (accept: string | undefined) =>
  accept === undefined || accept === '*/*' || accept === 'application/json' || accept === ''

/** Whether plain JSON is wanted. Checked first: it is cheap and true of nearly every request. */
export const isPlain = ({ headers, query }: FormRequest) => query.format === undefined && wantsJson(headers.accept)

/** The format that a request asks for; past versions exist as JSON only. */
export const wantedForm = (
  { query }: FormRequest,
  moment: PastMoment | undefined,
  sendJson: () => unknown
): WantedForm => ({ format: query.format, onlyJson: moment !== undefined, sendJson })
