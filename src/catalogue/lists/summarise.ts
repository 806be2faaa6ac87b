import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { levels, wemLinks } from '#domain/entity/publication.ts'
import { type Filter, isRelatedTo } from '#domain/filter/filter.ts'
import type { Principal } from '#domain/permissions.ts'
import { programme } from '#domain/record-types/programme.ts'
import type { Parts } from '../parts.ts'
import { listEntities } from './list-entities.ts'

/** Maximum number of editions in a summary. */
const maxEditions = 10

/** Facts about a record in a list that are in other records. */
export interface Summary {
  /** For works: the number of editions that the principal may read. */
  readonly editions?: number
  /** The first and the last year of the editions, where any is known; one if they are the same. */
  readonly years?: readonly string[]
  /** The newest editions. */
  readonly newest?: readonly Entity[]
  /** For productions. */
  readonly next_performance?: Entity
}

/**
 * Summarises works and productions, each by queries of its own, so that no record of a list takes
 * from another. Records of other kinds have no summary.
 */
export async function summarise(
  parts: Parts,
  principal: Principal,
  entities: readonly Pick<Entity, 'id' | 'type'>[],
  now: number
): Promise<ReadonlyMap<string, Summary>> {
  const summaryOf = ({ id, type }: Pick<Entity, 'id' | 'type'>) => {
    if (parts.model.umbrellaOf(type) === levels[0]) return summariseWork(parts, principal, id)
    return type === programme.production ? summariseProduction(parts, principal, id, now) : undefined
  }
  const summaries = await Promise.all(entities.map(async each => [each.id, await summaryOf(each)] as const))
  return new Map(summaries.flatMap(([id, summary]) => (summary ? [[id, summary] as const] : [])))
}

async function summariseWork(parts: Parts, principal: Principal, work: string): Promise<Summary> {
  const types = principal.readableTypes.filter(each => parts.model.umbrellaOf(each) === levels.at(-1))
  const ofWork: Filter = {
    kind: 'related',
    type: wemLinks.expression,
    of: { kind: 'identifiers', identifiers: [work] }
  }
  const filter: Filter = {
    kind: 'all',
    of: [
      { kind: 'types', types },
      { kind: 'related', type: wemLinks.manifestation, of: ofWork }
    ]
  }
  const list = async (limit: number, ascending: boolean) => {
    const order = { items: [{ by: 'metadata', key: year }], ascending } as const
    const page = await listEntities(parts, principal, { filter, order, skip: 0, limit, cursor: undefined })
    return { count: page.count, editions: page.entities.map(({ json }) => JSON.parse(json) as Entity) }
  }
  const { count, editions: newest } = await list(maxEditions, false)
  const oldest = count > maxEditions ? (await list(1, true)).editions : []
  const years = [...newest, ...oldest]
    .flatMap(each => valuesOf(each, year))
    .flatMap(each => /\d{4}/.exec(String(each))?.[0] ?? [])
    .sort()
  return { editions: count, years: [...new Set([...years.slice(0, 1), ...years.slice(-1)])], newest }
}

const year = 'year_of_publication'

async function summariseProduction(
  parts: Parts,
  principal: Principal,
  production: string,
  now: number
): Promise<Summary> {
  if (!principal.mayRead(programme.performance)) return {}
  const { entities } = await listEntities(parts, principal, {
    filter: {
      kind: 'all',
      of: [
        { kind: 'types', types: [programme.performance] },
        isRelatedTo(programme.ofProduction, [production]),
        {
          kind: 'field',
          path: { kind: 'metadata', key: 'start' },
          test: { kind: 'instant', from: now, to: Number.POSITIVE_INFINITY }
        }
      ]
    },
    order: { items: [{ by: 'metadata', key: 'start' }], ascending: true },
    ...{ skip: 0, limit: 1, cursor: undefined, isCounted: false }
  })
  return entities[0] ? { next_performance: JSON.parse(entities[0].json) as Entity } : {}
}
