import { readDate } from '#domain/values/dates.ts'
import { type Entity, targetsOf, valuesOf } from '#domain/entity/entity.ts'
import { notFound } from '#domain/errors.ts'
import { everything, type Filter, hasValue } from '#domain/filter/filter.ts'
import type { Principal } from '#domain/permissions.ts'
import {
  occasionsOf,
  playedTypes,
  type ProgrammeEntry,
  type ProgrammeOwner,
  programme,
  programmeOwners,
  venuesOf
} from '#domain/record-types/programme.ts'
import { fetchRelated } from '../entities/fetch-related.ts'
import { listEntities } from '../lists/list-entities.ts'
import type { Parts } from '../parts.ts'
import { findReadable, refuseBlind } from '../entities/read-entity.ts'

export interface Programme {
  /** The owner of the programme. */
  readonly owner: Entity
  /** Sorted by their beginning. */
  readonly entries: readonly ProgrammeEntry[]
}

/** Times in milliseconds, both included. */
export interface Period {
  readonly from: number
  readonly to: number
}

export const always: Period = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }

/**
 * Reads the performances of a venue, a company, a season and so on. Throws `not_found` for an
 * entity that has no programme.
 */
export async function readProgramme(
  parts: Parts,
  principal: Principal,
  identifier: string,
  period: Period
): Promise<Programme> {
  refuseBlind(principal)
  const stored = await findReadable(parts, principal, identifier)
  const rules = Object.hasOwn(programmeOwners, stored.type) ? programmeOwners[stored.type] : undefined
  if (!rules) throw notFound('programme of an entity', identifier)
  const owner = JSON.parse(stored.json) as Entity

  const productions = rules.productionsBy
    ? await listAll(parts, principal, {
        type: programme.production,
        relation: rules.productionsBy,
        targets: [owner.id]
      })
    : []
  const performances = new Map<string, Entity>()
  const add = (found: readonly Entity[]) => {
    for (const each of found)
      if (isWithin(each, period) && isWithin(each, daysOf(owner, rules))) performances.set(each.id, each)
  }
  add(await listAll(parts, principal, { ...performancesOf, targets: productions.map(({ id }) => id) }))
  if (rules.performancesBy)
    add(
      await listAll(parts, principal, {
        type: programme.performance,
        relation: rules.performancesBy,
        targets: [owner.id]
      })
    )

  const entries = await toEntries(parts, principal, [...performances.values()])
  const shown = [...new Set(entries.flatMap(({ production }) => production?.id ?? []))]
  const occasions = occasionsOf(await listAll(parts, principal, { ...performancesOf, targets: shown, only: isPlayed }))
  return {
    owner,
    entries: entries
      .filter(({ venues }) => !rules.isPlace || venues.some(({ id }) => id === owner.id))
      .map(entry => ({ ...entry, occasion: occasions.get(entry.performance.id) }))
      .sort(
        (one, other) =>
          startOf(one.performance) - startOf(other.performance) || (one.performance.id < other.performance.id ? -1 : 1)
      )
  }
}

/** Is a performance that takes place, and not an introduction or a talk. */
export const isPlayed: Filter = {
  kind: 'all',
  of: [
    { kind: 'not', of: hasValue('status', ['cancelled']) },
    {
      kind: 'any',
      of: [
        { kind: 'field', path: { kind: 'metadata', key: 'event_type' }, test: { kind: 'absent' } },
        hasValue('event_type', playedTypes)
      ]
    }
  ]
}

/** Number of ids in a query, and of entities in its result. */
const chunk = 500

interface Referring {
  readonly type: string
  readonly relation: string
  readonly targets: readonly string[]
  /** A filter that they satisfy as well. */
  readonly only?: Filter
}

const performancesOf = { type: programme.performance, relation: programme.ofProduction } as const

/** Lists all entities of a type that refer to one of the targets by a relation. */
async function listAll(
  parts: Parts,
  principal: Principal,
  { type, relation, targets, only = everything }: Referring
): Promise<Entity[]> {
  const found: Entity[] = []
  for (let first = 0; first < targets.length; first += chunk) {
    const values = targets.slice(first, first + chunk)
    const filter: Filter = {
      kind: 'all',
      of: [
        { kind: 'types', types: [type] },
        { kind: 'field', path: { kind: 'relation_key', type: relation }, test: { kind: 'equals', values } },
        only
      ]
    }
    let cursor: string | undefined
    do {
      const order = { items: [{ by: 'created' }], ascending: true } as const
      const page = await listEntities(parts, principal, {
        filter,
        order,
        skip: 0,
        limit: chunk,
        cursor,
        isCounted: false
      })
      found.push(...page.entities.map(each => JSON.parse(each.json) as Entity))
      cursor = page.next
    } while (cursor !== undefined)
  }
  return found
}

/** The relations of performances and productions that an entry is made of. */
const relationsOfEntry: ReadonlySet<string> = new Set([
  programme.ofProduction,
  programme.at,
  programme.halls,
  programme.by,
  programme.genres
])

export async function toEntries(
  parts: Parts,
  principal: Principal,
  performances: readonly Entity[]
): Promise<ProgrammeEntry[]> {
  const related = async (entities: readonly Entity[]) => {
    const relations = entities.flatMap(each => each.relations.filter(({ type }) => relationsOfEntry.has(type)))
    return (await fetchRelated(parts.store.findEntities, parts.model, principal, relations)).entities
  }
  const around = await related(performances)
  const productions = performances.map(each => around.get(targetsOf(each, programme.ofProduction)[0] ?? ''))
  const further = await related([...new Set(productions.flatMap(each => each ?? []))])
  const targets = (from: Entity | undefined, relation: string) =>
    from === undefined ? [] : targetsOf(from, relation).flatMap(key => around.get(key) ?? further.get(key) ?? [])

  return performances.map((performance, index) => {
    const production = productions[index]
    return {
      performance,
      production,
      venues: venuesOf(performance, production).flatMap(key => around.get(key) ?? further.get(key) ?? []),
      halls: targets(performance, programme.halls),
      companies: targets(production, programme.by),
      genres: targets(production, programme.genres)
    }
  })
}

/** The time at which a performance begins. */
const startOf = (performance: Entity) => momentOf(performance, 'start') ?? 0

function momentOf(entity: Entity, key: string): number | undefined {
  const [value] = valuesOf(entity, key)
  return typeof value === 'string' ? readDate(value)?.first : undefined
}

function isWithin(performance: Entity, { from, to }: Period): boolean {
  const start = startOf(performance)
  return start >= from && start <= to
}

/** The period of an owner: a season from its first day to the end of its last. */
function daysOf(owner: Entity, { days }: ProgrammeOwner): Period {
  if (!days) return always
  const [first, last] = days.map(key => {
    const [value] = valuesOf(owner, key)
    return typeof value === 'string' ? readDate(value) : undefined
  })
  return { from: first?.first ?? always.from, to: last?.last ?? always.to }
}
