import {
  countGrowthInIndex,
  findInIndex,
  findSameInIndex,
  listDuplicatesInIndex,
  listNamesInIndex,
  listTermsInIndex,
  suggestFromIndex
} from '#finding/find-in-index.ts'
import type { Finding } from '#finding/finder.ts'
import type { StoredEntity } from '../ports/entities.ts'
import type {
  DuplicatesAnswer,
  DuplicatesQuery,
  QueryResult,
  EntityQuery,
  GrowthCount,
  GrowthQuery,
  NamesInUse,
  ReferencePage,
  ReferenceQuery,
  SameRecord,
  SameRecordsQuery,
  SuggestionQuery,
  Term,
  TermQuery
} from '../ports/queries.ts'
import { findReferences } from './find-references.ts'
import { createHarvestReader, type HarvestReader } from './harvest.ts'
import { createHistoryReader, type HistoryReader } from './history.ts'
import { findingOf, type Session } from './dialect.ts'

/** The queries of a store that may take longer than a point read. */
export interface Reader extends HistoryReader, HarvestReader {
  queryEntities(query: EntityQuery): Promise<QueryResult>
  suggest(query: SuggestionQuery): Promise<readonly StoredEntity[]>
  findReferences(query: ReferenceQuery): Promise<ReferencePage>
  listTerms(query: TermQuery): Promise<readonly Term[]>
  countGrowth(query: GrowthQuery): Promise<readonly GrowthCount[]>
  listDuplicates(query: DuplicatesQuery): Promise<DuplicatesAnswer>
  findSameRecords(query: SameRecordsQuery): Promise<readonly SameRecord[]>
  listNamesInUse(): Promise<NamesInUse>
}

/**
 * The needs of a query: `find` uses the index in memory, `search` is SQL that depends on its
 * parameters for a good plan, `lookup` is neither, and `single` is one statement, which sees one
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
  const find =
    <Query, Result>(work: (finding: Finding, query: Query) => Promise<Result>) =>
    (query: Query) =>
      inSession('find', session => work(findingOf(session), query))

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
    harvest: query => inSession('search', session => createHarvestReader(session).harvest(query)),
    findHarvested: (id, query) => inSession('search', session => createHarvestReader(session).findHarvested(id, query)),
    harvestState: () => inSession('lookup', session => createHarvestReader(session).harvestState()),
    queryEntities: find(findInIndex),
    suggest: find(suggestFromIndex),
    findReferences: query => inSession(query.limits ? 'find' : 'search', session => findReferences(session, query)),
    listTerms: find(listTermsInIndex),
    countGrowth: find(countGrowthInIndex),
    listDuplicates: find(listDuplicatesInIndex),
    findSameRecords: find(findSameInIndex),
    listNamesInUse: () => inSession('find', session => listNamesInIndex(findingOf(session)))
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
  listDuplicates: 'scan',
  findSameRecords: 'key',
  listNamesInUse: 'scan'
}

/** Creates a reader that passes each call on. */
export function forwardReader(call: (method: keyof Reader, given: readonly unknown[]) => Promise<unknown>): Reader {
  const methods = Object.keys(methodCosts) as (keyof Reader)[]
  const forwarded = methods.map(method => [method, (...given: readonly unknown[]) => call(method, given)])
  return Object.fromEntries(forwarded) as unknown as Reader
}
