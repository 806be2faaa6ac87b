import type { Entity } from '#domain/entity/entity.ts'
import { notFound } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import { type CategoryReadiness, readReadiness } from '#domain/entity/readiness.ts'
import type { ReadinessState } from '#domain/find/readiness-states.ts'
import { missingFields, missingFor } from '#domain/editing/check-fields.ts'
import { findSincePublished, type Published } from '../history/since-published.ts'
import type { Parts } from '../parts.ts'
import { type RuleState, readRules } from './unmet-rules.ts'
import { findReadable, refuseBlind } from '../entities/read-entity.ts'

export interface Readiness {
  readonly id: string
  readonly state: ReadinessState
  readonly categories: readonly CategoryReadiness[]
  /** The obstacles to making it public; empty when there are none. */
  readonly missing: readonly string[]
  /** The keys of the fields that are missing for it. */
  readonly missingFields: readonly string[]
  readonly rules: readonly RuleState[]
  /** Its last publication, with the changes since then. */
  readonly published: Published | undefined
}

/**
 * Reads the progress of the media of a production, the rules of the model that it meets, whether
 * it can be published, and the changes since it was. Throws `not_found` for a record without media
 * statuses.
 */
export async function readProductionReadiness(
  parts: Parts,
  principal: Principal,
  identifier: string,
  now: number
): Promise<Readiness> {
  refuseBlind(principal)
  const stored = await findReadable(parts, principal, identifier)
  const recordType = parts.model.findType(stored.type)
  if (!recordType?.counts) throw notFound('record with media', identifier)
  const entity = JSON.parse(stored.json) as Entity
  const missing = (recordType.needs ?? []).flatMap(need => missingFor(recordType, need, entity.metadata))
  const fields = (recordType.needs ?? []).flatMap(need => missingFields(need, entity.metadata))
  const rules = (await readRules(parts, principal, entity.type, [entity])).get(entity.id) ?? []
  const { state, categories } = readReadiness(entity)
  return {
    id: entity.id,
    state: state === 'ready' && !rules.every(({ isMet }) => isMet) ? 'incomplete' : state,
    categories,
    missing,
    missingFields: [...new Set(fields)],
    rules,
    published: await findSincePublished(parts, entity, recordType, now)
  }
}
