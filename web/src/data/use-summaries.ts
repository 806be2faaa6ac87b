import { useQuery } from '@tanstack/react-query'

import type { Entity } from '../../../client/index.ts'
import { textOf, valuesOf } from '../data/record-model.ts'
import { useDebounced } from '../parts/use-debounced.ts'
import { useSession } from '../session/session.tsx'

/** The facts of a work in a list of results that are not among its own fields. */
export interface WorkFacts {
  readonly editions: number
  /** The languages of its expressions and editions, the most frequent first. */
  readonly languages: readonly string[]
  /** The first and the last year of its editions; undefined if not all of them were fetched. */
  readonly years: readonly [number, number] | undefined
  /** Some of its editions, the newest first: one of them may have a cover. */
  readonly some: readonly Entity[]
}

/** Milliseconds of rest before details are fetched, so that typing is not slowed down. */
const restBeforeFacts = 150

/** Maximum number of expressions and editions that are fetched for a page of results. */
const maxExpressions = 1000
const maxEditions = 300

/** The editions, languages and years of works. */
export function useWorkFacts(workIds: readonly string[]): ReadonlyMap<string, WorkFacts> {
  const { client } = useSession()
  const asked = useDebounced([...workIds].sort().join(','), restBeforeFacts)
  const ids = asked === '' ? [] : asked.split(',')
  const { data } = useQuery({
    queryKey: ['work facts', ids],
    enabled: ids.length > 0,
    queryFn: async ({ signal }) => {
      const path = 'relations.refExpressions.key'
      const ofWorks = (key: string) => [{ type: 'selection', key, value: ids, match_exact: true }]
      const [expressions, editions] = await Promise.all([
        client.entities.find(ofWorks('relations.refWork.key'), { limit: maxExpressions, signal }),
        client.entities.find(ofWorks('properties.refExpressions.refWork.value'), {
          ...{ limit: maxEditions, orderBy: 'year_of_publication', descending: true },
          ...{ facets: [path], facetLimit: maxExpressions, signal }
        })
      ])
      const counts = new Map((editions.facets?.[path] ?? []).map(({ value, count }) => [value, count]))
      return factsOf(expressions.results, editions.results, counts, editions.count > editions.results.length)
    }
  })
  return data ?? new Map()
}

const targets = (entity: Entity, relation: string) =>
  entity.relations.filter(({ type }) => type === relation).map(({ key }) => key)

function factsOf(
  expressions: readonly Entity[],
  editions: readonly Entity[],
  counts: ReadonlyMap<string, number>,
  areEditionsCut: boolean
): ReadonlyMap<string, WorkFacts> {
  const facts = new Map<string, WorkFacts>()
  for (const [work, parts] of Map.groupBy(expressions, each => targets(each, 'refWork')[0] ?? '')) {
    const ids = new Set(parts.map(({ id }) => id))
    const some = editions.filter(each => targets(each, 'refExpressions').some(id => ids.has(id)))
    const years = some.flatMap(each => valuesOf(each, 'year_of_publication')).flatMap(yearIn)
    const languages = Map.groupBy(
      [...parts, ...some].flatMap(each => targets(each, 'refLanguages')),
      id => id
    )
    const counted = parts.reduce((sum, { id }) => sum + (counts.get(id) ?? 0), 0)
    facts.set(work, {
      // An edition with two expressions of the same work counts once, where all are known.
      editions: areEditionsCut ? counted : some.length,
      languages: [...languages].toSorted(([, one], [, other]) => other.length - one.length).map(([id]) => id),
      years: areEditionsCut || years.length === 0 ? undefined : [Math.min(...years), Math.max(...years)],
      some
    })
  }
  return facts
}

const yearIn = (value: unknown) => {
  const [year] = /\d{4}/.exec(textOf(value)) ?? []
  return year === undefined ? [] : [Number(year)]
}

/** Maximum number of performances that are fetched to find the next one of each production. */
const maxPerformances = 300

/** The next performance of each production that has one. */
export function useNextPerformances(productionIds: readonly string[]): ReadonlyMap<string, Entity> {
  const { client, model } = useSession()
  const asked = useDebounced([...productionIds].sort().join(','), restBeforeFacts)
  const ids = asked === '' ? [] : asked.split(',')
  const today = new Date().toLocaleDateString('sv')
  const { data } = useQuery({
    queryKey: ['next performances', ids, today],
    enabled: ids.length > 0 && model.stage.performance !== undefined,
    queryFn: async ({ signal }) => {
      const page = await client.entities.find(
        [
          { type: 'selection', key: 'relations.refProduction.key', value: ids, match_exact: true },
          { type: 'date', key: 'properties.start.value', value: { min: today } }
        ],
        { limit: maxPerformances, orderBy: 'start', signal }
      )
      const next = new Map<string, Entity>()
      for (const each of page.results)
        for (const id of targets(each, 'refProduction')) if (!next.has(id)) next.set(id, each)
      return next
    }
  })
  return data ?? new Map()
}
