import type { Entity } from '#domain/entity/entity.ts'
import { type Filter, isRelatedTo } from '#domain/filter/filter.ts'
import type { Principal } from '#domain/permissions.ts'
import { findReadable, refuseBlind } from '../entities/read-entity.ts'
import { listEntities } from '../lists/list-entities.ts'
import type { Parts } from '../parts.ts'
import { type RuleState, readRules } from './unmet-rules.ts'

/** A rule of readiness that a record does not meet. */
export interface DueEntry extends Omit<RuleState, 'isMet'> {
  readonly entity: Entity
}

/** Maximum number of records whose rules are listed. */
const maxRecords = 1000

/**
 * Lists the rules of readiness that a record does not meet, or those that the records of a season,
 * venue or company do not meet; the earliest due first, and those without a day last.
 */
export async function listDue(
  parts: Parts,
  principal: Principal,
  identifier: string
): Promise<{ readonly owner: Entity; readonly entries: readonly DueEntry[] }> {
  refuseBlind(principal)
  const owner = JSON.parse((await findReadable(parts, principal, identifier)).json) as Entity
  const lists = await Promise.all(
    parts.model.recordTypes.map(async ({ type, readiness = [], relations }) => {
      if (readiness.length === 0 || !principal.mayRead(type)) return []
      const names = new Set([owner.type, parts.model.umbrellaOf(owner.type)])
      const leading = Object.entries(relations).filter(([, { to }]) => to.some(each => names.has(each)))
      const of: Filter[] = leading.map(([relation]) => isRelatedTo(relation, [owner.id]))
      const page = await listEntities(parts, principal, {
        filter: {
          kind: 'all',
          of: [
            { kind: 'types', types: [type] },
            { kind: 'any', of: [{ kind: 'identifiers', identifiers: [owner.id] }, ...of] }
          ]
        },
        order: { items: [{ by: 'created' }], ascending: true },
        ...{ skip: 0, limit: maxRecords, cursor: undefined, isCounted: false }
      })
      const entities = page.entities.map(({ json }) => JSON.parse(json) as Entity)
      const rules = await readRules(parts, principal, type, entities)
      return entities.flatMap(entity =>
        (rules.get(entity.id) ?? []).flatMap(({ isMet, ...rule }) => (isMet ? [] : [{ ...rule, entity }]))
      )
    })
  )
  const last = '9999'
  const entries = lists.flat().toSorted((one, other) => ((one.due ?? last) < (other.due ?? last) ? -1 : 1))
  return { owner, entries }
}
