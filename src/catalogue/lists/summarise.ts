import type { Entity, StoredEntity } from '#domain/entity/entity.ts'
import { workLevel } from '#domain/entity/owners.ts'
import { type Filter, isRelatedTo } from '#domain/filter/filter.ts'
import type { Principal } from '#domain/permissions.ts'
import { programme } from '#domain/record-types/programme.ts'
import type { Parts } from '../parts.ts'
import { performancesOf } from '../productions/list-performances.ts'
import { isPlayed } from '../productions/read-programme.ts'
import { listEntities, type WorkSummary } from './list-entities.ts'

/** Facts about a record in a list that are in other records: of a work, or of a production. */
export interface Summary extends Partial<Omit<WorkSummary, 'newest'>> {
  readonly newest?: readonly Entity[]
  readonly next_performance?: Entity
  /** The first and the last night of a production that is played; cancelled ones do not count. */
  readonly premiere?: Entity
  readonly last_night?: Entity
}

/**
 * Summarises works and productions. Other records have no summary. With an owner, such as a venue
 * or a season, only the performances of its programme count.
 */
export async function summarise(
  parts: Parts,
  principal: Principal,
  entities: readonly Pick<Entity, 'id' | 'type'>[],
  now: number,
  owner?: Entity
): Promise<ReadonlyMap<string, Summary>> {
  const works = entities.filter(({ type }) => parts.model.umbrellaOf(type) === workLevel)
  const productions = entities.filter(({ type }) => type === programme.production)
  const { works: found = new Map<string, WorkSummary>() } =
    works.length === 0
      ? {}
      : await listEntities(parts, principal, {
          filter: { kind: 'identifiers', identifiers: works.map(({ id }) => id) },
          order: { items: [{ by: 'created' }], ascending: true },
          ...{ skip: 0, limit: works.length, cursor: undefined, isCounted: false, isSummarised: true }
        })
  const ofOwner = owner ? performancesOf(owner) : []
  const nights = await Promise.all(
    productions.map(async ({ id }) => {
      const performances = [isRelatedTo(programme.ofProduction, [id]), ...ofOwner]
      return [id, await summariseNights(parts, principal, performances, now)] as const
    })
  )
  const editions = [...found].map(([id, { newest, ...rest }]) => [id, { ...rest, newest: newest.map(parse) }] as const)
  return new Map<string, Summary>([...editions, ...nights])
}

const parse = ({ json }: StoredEntity) => JSON.parse(json) as Entity

/** The next, the first and the last one of some performances. */
async function summariseNights(
  parts: Parts,
  principal: Principal,
  performances: readonly Filter[],
  now: number
): Promise<Summary> {
  if (!principal.mayRead(programme.performance)) return {}
  const find = async (ascending: boolean, ...of: readonly Filter[]) => {
    const { entities } = await listEntities(parts, principal, {
      filter: {
        kind: 'all',
        of: [{ kind: 'types', types: [programme.performance] }, ...performances, ...of]
      },
      order: { items: [{ by: 'metadata', key: 'start' }], ascending },
      ...{ skip: 0, limit: 1, cursor: undefined, isCounted: false }
    })
    return entities[0] && parse(entities[0])
  }
  const isComing: Filter = {
    kind: 'field',
    path: { kind: 'metadata', key: 'start' },
    test: { kind: 'instant', from: now, to: Number.POSITIVE_INFINITY }
  }
  const [next, first, last] = await Promise.all([find(true, isComing), find(true, isPlayed), find(false, isPlayed)])
  return {
    ...(next ? { next_performance: next } : {}),
    ...(first ? { premiere: first } : {}),
    ...(last ? { last_night: last } : {})
  }
}
