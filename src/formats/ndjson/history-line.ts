import Type, { type Static } from 'typebox'

import type { Fault } from '#domain/errors.ts'
import { findJsonFaults } from '#domain/json.ts'
import { readShape } from './read-shape.ts'

/*
 * Lines of NDJSON with the versions of an entity, `{"history": {…}}`. Those of an entity come
 * before its own line: the catalogue that imports them continues their numbers.
 */

const id = Type.String({ minLength: 1, maxLength: 1000 })

const HistoryLine = Type.Object(
  {
    id,
    _id: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
    type: id,
    version: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
    at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
    /** The editor; empty in the export of a visitor. */
    by: Type.String({ maxLength: 1000 }),
    /** The entity as it was; null for a deletion. */
    entity: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
    merged_into: Type.Optional(id)
  },
  { additionalProperties: false }
)
export type HistoryLine = Static<typeof HistoryLine>

/** Reads the value of `history` on a line; returns the fault of another value. */
export function readHistoryLine(given: unknown): HistoryLine | { readonly fault: string } {
  const found = readShape(HistoryLine, given, 'history')
  if ('fault' in found) return found
  const [fault]: Fault[] = findJsonFaults(found)
  return fault === undefined ? found : { fault: `history${fault.pointer}: ${fault.message}` }
}
