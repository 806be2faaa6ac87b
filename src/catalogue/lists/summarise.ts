import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { levels, wemLinks } from '#domain/entity/publication.ts'
import { type Filter, isRelatedTo } from '#domain/filter/filter.ts'
import { programme } from '#domain/record-types/programme.ts'
import type { PageParts } from './page.ts'

/** Editions of a work that its entry among results lists. */
const maxEditions = 10

/** The editions of a work that visitors may read. */
export interface Editions {
  readonly count: number
  /** The newest ones. */
  readonly newest: readonly Entity[]
  /** The first and the last year, where any is known. */
  readonly years: readonly string[]
}

/** The editions of works and the next performances of productions, by the ids of both. */
export interface Present {
  readonly editions: ReadonlyMap<string, Editions>
  readonly performances: ReadonlyMap<string, Entity>
}

/** Reads the editions of works, and the next performance of productions. */
export async function presentOf(parts: PageParts, entities: readonly Entity[]): Promise<Present> {
  const { model } = parts
  const works = entities.filter(({ type }) => model.umbrellaOf(type) === levels[0])
  const productions = entities.filter(({ type }) => type === programme.production)
  const editions = await Promise.all(works.map(async ({ id }) => [id, await editionsOfWork(parts, id)] as const))
  const next = await Promise.all(productions.map(async ({ id }) => [id, await nextOf(parts, id)] as const))
  return {
    editions: new Map(editions.filter(([, { count }]) => count > 0)),
    performances: new Map(next.flatMap(([id, performance]) => (performance ? [[id, performance] as const] : [])))
  }
}

async function editionsOfWork({ model, catalogue, principal }: PageParts, work: string): Promise<Editions> {
  const types = principal.readableTypes.filter(each => model.umbrellaOf(each) === levels.at(-1))
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
  const list = (limit: number, ascending: boolean) =>
    catalogue.lists.entities(principal, {
      ...{ filter, order: { items: [{ by: 'metadata', key: year }], ascending } },
      ...{ skip: 0, limit, cursor: undefined }
    })
  const { count, entities } = await list(maxEditions, false)
  const newest = entities.map(({ json }) => JSON.parse(json) as Entity)
  const oldest = count > maxEditions ? (await list(1, true)).entities.map(({ json }) => JSON.parse(json) as Entity) : []
  const years = [...newest, ...oldest]
    .flatMap(each => valuesOf(each, year))
    .map(String)
    .filter(each => /^\d{4}$/.test(each))
    .sort()
  return { count, newest, years: [...new Set([...years.slice(0, 1), ...years.slice(-1)])] }
}

const year = 'year_of_publication'

/** The next performance of a production that visitors may read. */
async function nextOf({ catalogue, principal, now }: PageParts, production: string): Promise<Entity | undefined> {
  if (!principal.mayRead(programme.performance)) return undefined
  const { entities } = await catalogue.lists.entities(principal, {
    filter: {
      kind: 'all',
      of: [
        { kind: 'types', types: [programme.performance] },
        isRelatedTo(programme.ofProduction, [production]),
        {
          kind: 'field',
          path: { kind: 'metadata', key: 'start' },
          test: { kind: 'instant', from: now(), to: Number.POSITIVE_INFINITY }
        }
      ]
    },
    order: { items: [{ by: 'metadata', key: 'start' }], ascending: true },
    ...{ skip: 0, limit: 1, cursor: undefined, isCounted: false }
  })
  return entities[0] && (JSON.parse(entities[0].json) as Entity)
}
