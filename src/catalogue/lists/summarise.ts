import { type Entity, type StoredEntity, targetsOf } from '#domain/entity/entity.ts'
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

/** The performances that a summary of a production may have. */
export const summaryNights = ['next_performance', 'premiere', 'last_night'] as const

export type SummaryNight = (typeof summaryNights)[number]

/** The performances of a production that are its run, from the first to the last. */
export const nightsOfRun: readonly SummaryNight[] = ['premiere', 'last_night']

export interface SummaryOptions {
  /** The current time, in milliseconds. */
  readonly now: number
  /** A venue, a season and so on: only the performances of its programme count. */
  readonly owner?: Entity | undefined
  /** The performances that are looked for, each by a query; all of them by default. */
  readonly nights?: readonly SummaryNight[]
}

/** Summarises works and productions. Other records have no summary. */
export async function summarise(
  parts: Parts,
  principal: Principal,
  entities: readonly Pick<Entity, 'id' | 'type'>[],
  { now, owner, nights = summaryNights }: SummaryOptions
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
  const ofProductions = await summariseNights(parts, principal, {
    productions,
    within: owner ? performancesOf(owner) : [],
    now,
    nights
  })
  const editions = [...found].map(([id, { newest, ...rest }]) => [id, { ...rest, newest: newest.map(parse) }] as const)
  return new Map<string, Summary>([...editions, ...ofProductions])
}

const parse = ({ json }: StoredEntity) => JSON.parse(json) as Entity

interface Nights {
  readonly productions: readonly Pick<Entity, 'id'>[]
  /** Filters that the performances also match. */
  readonly within: readonly Filter[]
  readonly now: number
  readonly nights: readonly SummaryNight[]
}

/** The next, the first and the last performance of each production. */
async function summariseNights(
  parts: Parts,
  principal: Principal,
  { productions, within, now, nights }: Nights
): Promise<(readonly [string, Summary])[]> {
  const ids = productions.map(({ id }) => id)
  if (ids.length === 0 || !principal.mayRead(programme.performance)) return ids.map(id => [id, {}])
  const isComing: Filter = {
    kind: 'field',
    path: { kind: 'metadata', key: 'start' },
    test: { kind: 'instant', from: now, to: Number.POSITIVE_INFINITY }
  }
  const isNeeded = (night: SummaryNight) => nights.includes(night)
  const [coming, run] = await Promise.all([
    isNeeded('next_performance') ? endsOfEach(parts, principal, ids, [...within, isComing], false) : noEnds,
    nightsOfRun.some(isNeeded)
      ? endsOfEach(parts, principal, ids, [...within, isPlayed], isNeeded('last_night'))
      : noEnds
  ])
  const found = [
    ['next_performance', coming.first],
    ['premiere', run.first],
    ['last_night', run.last]
  ] as const
  return ids.map(id => [
    id,
    Object.fromEntries(found.flatMap(([night, of]) => (isNeeded(night) && of.has(id) ? [[night, of.get(id)]] : [])))
  ])
}

interface Ends {
  readonly first: ReadonlyMap<string, Entity>
  readonly last: ReadonlyMap<string, Entity>
}

const noEnds: Ends = { first: new Map(), last: new Map() }

/** The first performance of each production that has one, and the last where that is wanted. */
async function endsOfEach(
  parts: Parts,
  principal: Principal,
  productions: readonly string[],
  filters: readonly Filter[],
  isLastToo: boolean
): Promise<Ends> {
  const first = new Map<string, Entity>()
  const last = new Map<string, Entity>()
  const { entities } = await listEntities(parts, principal, {
    filter: {
      kind: 'all',
      of: [
        { kind: 'types', types: [programme.performance] },
        isRelatedTo(programme.ofProduction, productions),
        ...filters
      ]
    },
    order: { items: [{ by: 'metadata', key: 'start' }], ascending: true },
    ...{ skip: 0, limit: 2 * productions.length, cursor: undefined, isCounted: false },
    endsBy: { relation: programme.ofProduction, isLastToo }
  })
  for (const performance of entities.map(parse))
    for (const id of productions.length === 1 ? productions : targetsOf(performance, programme.ofProduction)) {
      if (!first.has(id)) first.set(id, performance)
      last.set(id, performance)
    }
  return { first, last }
}
