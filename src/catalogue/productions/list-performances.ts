import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { type Filter, isRelatedTo } from '#domain/filter/filter.ts'
import type { Principal } from '#domain/permissions.ts'
import { type ProgrammeEntry, type ProgrammeOwner, programme, programmeOwners } from '#domain/record-types/programme.ts'
import { readDate } from '#domain/values/dates.ts'
import { listEntities, noLabels } from '../lists/list-entities.ts'
import type { Parts } from '../parts.ts'
import { type Period, toEntries } from './read-programme.ts'

export interface PerformanceQuery {
  /** The production, venue, season and so on whose performances are listed; all by default. */
  readonly owner?: Entity | undefined
  readonly period: Period
  /** The venues, one of which a performance is played at. */
  readonly venues?: readonly string[] | undefined
  /** Whether the last performance comes first. */
  readonly isBackwards?: boolean
  readonly skip: number
  readonly limit: number
}

export interface PerformanceList {
  /** Sorted by their beginning. */
  readonly entries: readonly ProgrammeEntry[]
  readonly count: number
  /** The number of performances at each venue, by its id; only venues of their own are counted. */
  readonly venues: ReadonlyMap<string, number>
}

/** Maximum number of venues that are counted. */
const maxVenues = 100

/** Lists a page of performances, by the same rules as `readProgramme`. */
export async function listPerformances(
  parts: Parts,
  principal: Principal,
  { owner, period, venues, isBackwards = false, skip, limit }: PerformanceQuery
): Promise<PerformanceList> {
  if (!principal.mayRead(programme.performance)) return { entries: [], count: 0, venues: new Map() }
  const filter: Filter = {
    kind: 'all',
    of: [
      { kind: 'types', types: [programme.performance] },
      startsIn(period),
      ...(owner ? performancesOf(owner) : []),
      ...(venues ? [atVenues(venues)] : [])
    ]
  }
  const page = await listEntities(parts, principal, {
    filter,
    order: { items: [{ by: 'metadata', key: 'start' }], ascending: !isBackwards },
    facets: { of: [{ name: programme.at, path: { kind: 'relation_key', type: programme.at } }], limit: maxVenues },
    ...{ skip, limit, cursor: undefined, languages: noLabels }
  })
  return {
    entries: await toEntries(
      parts,
      principal,
      page.entities.map(({ json }) => JSON.parse(json) as Entity)
    ),
    count: page.count,
    venues: new Map((page.facets?.[programme.at] ?? []).map(({ value, count }) => [value, count]))
  }
}

const startsIn = ({ from, to }: Period): Filter => ({
  kind: 'field',
  path: { kind: 'metadata', key: 'start' },
  test: { kind: 'instant', from, to }
})

/** Is played at one of the venues: its own, or that of its production if that has exactly one. */
const atVenues = (ids: readonly string[]): Filter => ({
  kind: 'any',
  of: [
    isRelatedTo(programme.at, ids),
    {
      kind: 'all',
      of: [
        venueCount(0),
        {
          kind: 'related',
          type: programme.ofProduction,
          of: { kind: 'all', of: [venueCount(1), isRelatedTo(programme.at, ids)] }
        }
      ]
    }
  ]
})

const venueCount = (count: number): Filter => ({
  kind: 'count',
  of: { kind: 'relation_key', type: programme.at },
  ...{ min: count, max: count }
})

/** The filters for the performances of an owner; a record without a programme has none. */
export function performancesOf(owner: Entity): Filter[] {
  const rules: ProgrammeOwner = (Object.hasOwn(programmeOwners, owner.type) && programmeOwners[owner.type]) || {}
  const { performancesBy, productionsBy, isPlace, days = [] } = rules
  if (isPlace) return [atVenues([owner.id])]
  const [first, last] = days.map(key => readDate(String(valuesOf(owner, key)[0] ?? '')))
  return [
    {
      kind: 'any',
      of: [
        ...(performancesBy ? [isRelatedTo(performancesBy, [owner.id])] : []),
        ...(productionsBy
          ? [{ kind: 'related', type: programme.ofProduction, of: isRelatedTo(productionsBy, [owner.id]) } as const]
          : [])
      ]
    },
    ...(first || last
      ? [startsIn({ from: first?.first ?? Number.NEGATIVE_INFINITY, to: last?.last ?? Number.POSITIVE_INFINITY })]
      : [])
  ]
}
