import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import type { Filter } from '#domain/filter/filter.ts'
import { type CheckedRule, readinessRules } from '#domain/filter/read-filter.ts'
import type { Principal } from '#domain/permissions.ts'
import { readDate } from '#domain/values/dates.ts'
import { scopeOf } from '../guarded/visibility.ts'
import { summarise } from '../lists/summarise.ts'
import type { Parts } from '../parts.ts'

/** A rule of readiness, as it holds for one record. */
export interface RuleState extends Pick<CheckedRule, 'name' | 'label'> {
  readonly isMet: boolean
  /** The day at which it is due: `2026-11-14`. */
  readonly due?: string
}

const day = 86_400_000

/**
 * Tests records of one type against the rules of readiness of the type; by ids. A rule is due some
 * days before the date of the record, or before its first night if it has no date.
 */
export async function readRules(
  parts: Parts,
  principal: Principal,
  type: string,
  entities: readonly Entity[]
): Promise<ReadonlyMap<string, readonly RuleState[]>> {
  const rules = readinessRules(parts.model).filter(rule => rule.type === type)
  if (rules.length === 0 || entities.length === 0) return new Map()
  const among: Filter = { kind: 'identifiers', identifiers: entities.map(({ id }) => id) }
  const met = await Promise.all(
    rules.map(async ({ filter }) => {
      const { entities: found } = await parts.store.queryEntities({
        filter: { kind: 'all', of: [among, ...(filter.kind === 'all' ? filter.of : [filter])] },
        ...scopeOf(principal),
        order: { items: [{ by: 'created' }], ascending: true },
        ...{ skip: 0, limit: entities.length, counted: false }
      })
      return new Set(found.map(({ id }) => id))
    })
  )
  const { dueBefore = '' } = parts.model.findType(type) ?? {}
  const dateOf = (entity: Entity | undefined, key: string) =>
    entity && readDate(String(valuesOf(entity, key)[0] ?? '').slice(0, 10))?.first
  const undated = entities.filter(entity => dateOf(entity, dueBefore) === undefined)
  const nights = await summarise(parts, principal, undated, { now: 0, nights: ['premiere'] })
  const stateOf = (entity: Entity) => {
    const date = dateOf(entity, dueBefore) ?? dateOf(nights.get(entity.id)?.premiere, 'start')
    return rules.map(({ name, label, dueDays }, at): RuleState => {
      const due = date === undefined || dueDays === undefined ? undefined : new Date(date - dueDays * day)
      return {
        name,
        ...(label ? { label } : {}),
        isMet: met[at]?.has(entity.id) === true,
        ...(due ? { due: due.toISOString().slice(0, 10) } : {})
      }
    })
  }
  return new Map(entities.map(entity => [entity.id, stateOf(entity)]))
}
