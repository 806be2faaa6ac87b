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

/** Maximum number of texts and editions that are read for all works of a list at once. */
const maxTogether = 250

/**
 * Summarises works and productions. Works whose editions are few are summarised together; otherwise
 * each has queries of its own, so that no record of a list takes from another. Records of other
 * kinds have no summary.
 */
export async function summarise(
  parts: Parts,
  principal: Principal,
  entities: readonly Pick<Entity, 'id' | 'type'>[],
  now: number
): Promise<ReadonlyMap<string, Summary>> {
  const works = entities.filter(({ type }) => parts.model.umbrellaOf(type) === levels[0])
  const together = works.length > 1 ? await summariseTogether(parts, principal, works) : undefined
  const summaryOf = ({ id, type }: Pick<Entity, 'id' | 'type'>) => {
    if (parts.model.umbrellaOf(type) === levels[0]) return together?.get(id) ?? summariseWork(parts, principal, id)
    return type === programme.production ? summariseProduction(parts, principal, id, now) : undefined
  }
  const summaries = await Promise.all(entities.map(async each => [each.id, await summaryOf(each)] as const))
  return new Map(summaries.flatMap(([id, summary]) => (summary ? [[id, summary] as const] : [])))
}

const readableAt = ({ model }: Parts, { readableTypes }: Principal, level: string | undefined): Filter => ({
  kind: 'types',
  types: readableTypes.filter(each => model.umbrellaOf(each) === level)
})
const textsOf = (works: readonly string[]): Filter => ({
  kind: 'related',
  type: wemLinks.expression,
  of: { kind: 'identifiers', identifiers: works }
})
const editionsOf = (works: readonly string[]): Filter => ({
  kind: 'related',
  type: wemLinks.manifestation,
  of: textsOf(works)
})
const both = (...of: readonly Filter[]): Filter => ({ kind: 'all', of })

/**
 * Summarises works by one query for their texts and editions; undefined where there are too many,
 * or where a relation leads to a record by another identifier than its own.
 */
async function summariseTogether(
  parts: Parts,
  principal: Principal,
  works: readonly Pick<Entity, 'id'>[]
): Promise<ReadonlyMap<string, Summary> | undefined> {
  const ids = works.map(({ id }) => id)
  const [, expressionLevel, manifestationLevel] = levels
  const page = await listEntities(parts, principal, {
    filter: {
      kind: 'any',
      of: [
        both(readableAt(parts, principal, expressionLevel), textsOf(ids)),
        both(readableAt(parts, principal, manifestationLevel), editionsOf(ids))
      ]
    },
    order: byYear(false),
    ...{ skip: 0, limit: maxTogether, cursor: undefined }
  })
  if (page.count > maxTogether) return undefined
  const found = Map.groupBy(page.entities, ({ type }) => parts.model.umbrellaOf(type))
  const workIds = new Set(ids)
  /** The works of texts by their ids. */
  const worksOf = new Map<string, readonly string[]>()
  for (const { id, json } of found.get(expressionLevel) ?? []) {
    const keys = keysIn(JSON.parse(json) as Entity, wemLinks.expression)
    if (!keys.every(key => workIds.has(key))) return undefined
    worksOf.set(id, keys)
  }
  const editions = new Map<string, Entity[]>(ids.map(id => [id, []]))
  for (const { json } of found.get(manifestationLevel) ?? []) {
    const edition = JSON.parse(json) as Entity
    const of = new Set(keysIn(edition, wemLinks.manifestation).flatMap(key => worksOf.get(key) ?? []))
    if (of.size === 0) return undefined
    for (const work of of) editions.get(work)?.push(edition)
  }
  return new Map(
    [...editions].map(([work, all]) => [work, summaryOfEditions(all.length, all, all.slice(0, maxEditions))])
  )
}

const keysIn = ({ relations }: Entity, type: string) =>
  relations.filter(each => each.type === type).map(({ key }) => key)

const byYear = (ascending: boolean) => ({ items: [{ by: 'metadata', key: year }], ascending }) as const

function summaryOfEditions(count: number, dated: readonly Entity[], newest: readonly Entity[]): Summary {
  const years = dated
    .flatMap(each => valuesOf(each, year))
    .flatMap(each => /\d{4}/.exec(String(each))?.[0] ?? [])
    .sort()
  return { editions: count, years: [...new Set([...years.slice(0, 1), ...years.slice(-1)])], newest }
}

async function summariseWork(parts: Parts, principal: Principal, work: string): Promise<Summary> {
  const filter = both(readableAt(parts, principal, levels.at(-1)), editionsOf([work]))
  const list = async (limit: number, ascending: boolean) => {
    const page = await listEntities(parts, principal, {
      filter,
      order: byYear(ascending),
      ...{ skip: 0, limit, cursor: undefined }
    })
    return { count: page.count, editions: page.entities.map(({ json }) => JSON.parse(json) as Entity) }
  }
  const { count, editions: newest } = await list(maxEditions, false)
  const oldest = count > maxEditions ? (await list(1, true)).editions : []
  return summaryOfEditions(count, [...newest, ...oldest], newest)
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
