import type { Entity } from '#domain/entity/entity.ts'
import { readinessFilter } from '#domain/entity/readiness.ts'
import { type Filter, isRelatedTo } from '#domain/filter/filter.ts'
import { readinessRules } from '#domain/filter/read-filter.ts'
import { type ReadinessState, readinessStates } from '#domain/find/readiness-states.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Model } from '#domain/record-types/model.ts'
import { production } from '#domain/record-types/production.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
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

/** The lacks of a record, or of the records of a season, venue or company, before publication. */
export interface DueList {
  readonly owner: Entity
  /** Rules that are not met, the earliest due first, and those without a day last. */
  readonly entries: readonly DueEntry[]
  /** Number of its productions in each state of readiness, itself included. */
  readonly states: Readonly<Record<ReadinessState, number>>
}

/**
 * Lists the rules of readiness that a record does not meet, or those that the records of a season,
 * venue or company do not meet, and counts its productions by their readiness.
 */
export async function listDue(parts: Parts, principal: Principal, identifier: string): Promise<DueList> {
  refuseBlind(principal)
  const owner = JSON.parse((await findReadable(parts, principal, identifier)).json) as Entity
  const list = (filter: readonly Filter[], limit: number) =>
    listEntities(parts, principal, {
      filter: { kind: 'all', of: filter },
      order: { items: [{ by: 'created' }], ascending: true },
      ...{ skip: 0, limit, cursor: undefined, isCounted: limit === 0 }
    })
  const entriesOf = async ({ type, readiness = [], relations }: RecordType): Promise<readonly DueEntry[]> => {
    if (readiness.length === 0 || !principal.mayRead(type)) return []
    const page = await list(belongingTo(parts.model, owner, { type, relations }), maxRecords)
    const entities = page.entities.map(({ json }) => JSON.parse(json) as Entity)
    const rules = await readRules(parts, principal, type, entities)
    return entities.flatMap(entity =>
      (rules.get(entity.id) ?? []).flatMap(({ isMet, ...rule }) => (isMet ? [] : [{ ...rule, entity }]))
    )
  }
  const countOf = async (state: ReadinessState) => {
    const isInState = readinessFilter([state], readinessRules(parts.model))
    const { count } = await list([...belongingTo(parts.model, owner, production), isInState], 0)
    return [state, count] as const
  }
  const [lists, counts] = await Promise.all([
    Promise.all(parts.model.recordTypes.map(entriesOf)),
    Promise.all(readinessStates.map(countOf))
  ])
  const last = '9999'
  const entries = lists.flat().toSorted((one, other) => ((one.due ?? last) < (other.due ?? last) ? -1 : 1))
  return { owner, entries, states: Object.fromEntries(counts) as DueList['states'] }
}

/** Filters of the record itself, and of those of a type that lead to it. */
function belongingTo(model: Model, owner: Entity, { type, relations }: Pick<RecordType, 'type' | 'relations'>) {
  const names = new Set([owner.type, model.umbrellaOf(owner.type)])
  const leading = Object.entries(relations).filter(([, { to }]) => to.some(each => names.has(each)))
  const of: Filter[] = leading.map(([relation]) => isRelatedTo(relation, [owner.id]))
  const own: Filter = { kind: 'any', of: [{ kind: 'identifiers', identifiers: [owner.id] }, ...of] }
  return [{ kind: 'types', types: [type] }, own] as const
}
