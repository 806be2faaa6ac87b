import { catchUp, findInIndex, suggestFromIndex } from '../finding/find-in-index.ts'
import type { StoredEntity } from '../ports/entities.ts'
import type {
  QueryResult,
  EntityQuery,
  GrowthCount,
  GrowthQuery,
  ReferencePage,
  ReferenceQuery,
  SuggestionQuery,
  Term,
  TermQuery
} from '../ports/queries.ts'
import { indexMissing } from '../refusals.ts'
import { answerQuery } from './answer-query.ts'
import { countGrowth } from './count-growth.ts'
import { findReferences } from './find-references.ts'
import { createHarvestReader, type HarvestReader } from './harvest.ts'
import { createHistoryReader, type HistoryReader } from './history.ts'
import { listTerms } from './list-terms.ts'
import type { Session } from './dialect.ts'
import { findSuggestions } from './suggest.ts'

/** The queries of a store that may take longer than a point read. */
export interface Reader extends HistoryReader, HarvestReader {
  queryEntities(query: EntityQuery): Promise<QueryResult>
  suggest(query: SuggestionQuery): Promise<readonly StoredEntity[]>
  findReferences(query: ReferenceQuery): Promise<ReferencePage>
  listTerms(query: TermQuery): Promise<Term[]>
  countGrowth(query: GrowthQuery): Promise<GrowthCount[]>
  /** Applies changes to the index in memory that are too many to be applied before a query. */
  catchUp(): Promise<void>
}

/**
 * The needs of a query: `search` depends on its parameters for a good plan, `find` is a search that
 * an index in memory may answer, `lookup` is neither, and `single` is one statement, which sees one
 * moment without a transaction around it.
 */
export type SessionKind = 'find' | 'search' | 'lookup' | 'single'

/** Runs a query in a session of its own, before its deadline. */
export type InSession = <T>(kind: SessionKind, work: (session: Session) => Promise<T>) => Promise<T>

export function createReader(inSession: InSession): Reader {
  const history =
    <Name extends keyof HistoryReader>(kind: SessionKind, name: Name) =>
    (...given: Parameters<HistoryReader[Name]>) =>
      inSession(kind, session => {
        const method = createHistoryReader(session)[name] as (...given: readonly unknown[]) => Promise<unknown>
        return method(...given)
      }) as ReturnType<HistoryReader[Name]>
  const search =
    <Query, Result>(work: (session: Session, query: Query) => Promise<Result>) =>
    (query: Query) =>
      inSession('search', session => work(session, query))

  return {
    findHistory: history('lookup', 'findHistory'),
    readChanges: history('lookup', 'readChanges'),
    findVersion: history('single', 'findVersion'),
    findVersionByUuid: history('single', 'findVersionByUuid'),
    identifyDeleted: history('single', 'identifyDeleted'),
    findMergesOf: history('single', 'findMergesOf'),
    sequenceAt: history('single', 'sequenceAt'),
    findEntitiesAt: history('single', 'findEntitiesAt'),
    identifiersMergedInto: history('single', 'identifiersMergedInto'),
    harvest: search((session, query) => createHarvestReader(session).harvest(query)),
    findHarvested: (id, query) => inSession('search', session => createHarvestReader(session).findHarvested(id, query)),
    harvestState: () => inSession('lookup', session => createHarvestReader(session).harvestState()),
    queryEntities: query =>
      inSession('find', async session => {
        const found = await findInIndex(session, query)
        if (found) return found
        if (query.groupBy) throw indexMissing()
        return answerQuery(session, query)
      }),
    suggest: query =>
      inSession('find', async session => (await suggestFromIndex(session, query)) ?? findSuggestions(session, query)),
    findReferences: search(findReferences),
    listTerms: search(listTerms),
    countGrowth: search(countGrowth),
    catchUp: () => inSession('find', catchUp)
  }
}

/** The cost of each method: a few milliseconds by a key, or maybe a scan of many records. */
export const methodCosts: Readonly<Record<keyof Reader, 'key' | 'scan'>> = {
  findHistory: 'key',
  readChanges: 'scan',
  findVersion: 'key',
  findVersionByUuid: 'key',
  identifyDeleted: 'key',
  findMergesOf: 'key',
  sequenceAt: 'key',
  findEntitiesAt: 'key',
  identifiersMergedInto: 'key',
  harvest: 'scan',
  findHarvested: 'key',
  harvestState: 'key',
  queryEntities: 'scan',
  suggest: 'scan',
  findReferences: 'scan',
  listTerms: 'scan',
  countGrowth: 'scan',
  catchUp: 'scan'
}

/** Creates a reader that passes each call on. */
export function forwardReader(call: (method: keyof Reader, given: readonly unknown[]) => Promise<unknown>): Reader {
  const methods = Object.keys(methodCosts) as (keyof Reader)[]
  const forwarded = methods.map(method => [method, (...given: readonly unknown[]) => call(method, given)])
  return Object.fromEntries(forwarded) as unknown as Reader
}
