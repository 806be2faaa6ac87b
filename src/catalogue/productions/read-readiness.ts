import type { Entity } from '#domain/entity/entity.ts'
import { notFound } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import { type CategoryReadiness, readReadiness } from '#domain/entity/readiness.ts'
import type { ReadinessState } from '#domain/find/readiness-states.ts'
import { missingFields, missingFor } from '#domain/editing/check-fields.ts'
import type { Parts } from '../parts.ts'
import { findReadable, refuseBlind } from '../entities/read-entity.ts'

export interface Readiness {
  readonly id: string
  readonly state: ReadinessState
  readonly categories: readonly CategoryReadiness[]
  /** The obstacles to making it public; empty when there are none. */
  readonly missing: readonly string[]
  /** The keys of the fields that are missing for it. */
  readonly missingFields: readonly string[]
}

/**
 * Reads the progress of the media of a production, and whether it can be published. Throws
 * `not_found` for a record that has no media statuses.
 */
export async function readProductionReadiness(
  parts: Parts,
  principal: Principal,
  identifier: string
): Promise<Readiness> {
  refuseBlind(principal)
  const stored = await findReadable(parts, principal, identifier)
  const recordType = parts.model.findType(stored.type)
  if (!recordType?.counts) throw notFound('record with media', identifier)
  const entity = JSON.parse(stored.json) as Entity
  const missing = (recordType.needs ?? []).flatMap(need => missingFor(recordType, need, entity.metadata))
  const fields = (recordType.needs ?? []).flatMap(need => missingFields(need, entity.metadata))
  return { id: entity.id, ...readReadiness(entity), missing, missingFields: [...new Set(fields)] }
}
