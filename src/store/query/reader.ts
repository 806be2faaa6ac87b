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
import type { Load } from '#threads/reader-queue.ts'
import type { QueryStore } from '../ports/queries.ts'
import { findReferences, findReferenceTypes } from './find-references.ts'
import { createHarvestReader, type HarvestReader } from './harvest.ts'
import { createHistoryReader, type HistoryReader } from './history.ts'
import { findingOf, type Session } from './dialect.ts'
import { loadOf, methodCosts } from './load.ts'

/** The queries of a store that may take longer than a point read. */
export interface Reader extends QueryStore, HistoryReader, HarvestReader {}

/**
 * The needs of a query: `find` uses the index in memory, `search` is SQL that depends on its
 * parameters for a good plan, `lookup` is neither, and `single` is one statement, which sees one
 * moment without a transaction around it.
 */
export type SessionKind = 'find' | 'search' | 'lookup' | 'single'

/** Runs a query in a session of its own, before its deadline. */
export type InSession = <T>(kind: SessionKind, work: (session: Session) => Promise<T>, load: Load) => Promise<T>

export function createReader(inSession: InSession): Reader {
  const history =
    <Name extends keyof HistoryReader>(kind: SessionKind, name: Name) =>
    (...given: Parameters<HistoryReader[Name]>) =>
      inSession(
        kind,
        session => {
          const method = createHistoryReader(session)[name] as (...given: readonly unknown[]) => Promise<unknown>
          return method(...given)
        },
        loadOf(name, given)
      ) as ReturnType<HistoryReader[Name]>
  const find =
    <Query, Result>(method: keyof Reader, work: (finding: Finding, query: Query) => Promise<Result>) =>
    (query: Query) =>
      inSession('find', session => work(findingOf(session), query), loadOf(method, [query]))
  const harvesting = <T>(
    method: keyof HarvestReader,
    kind: SessionKind,
    work: (reader: HarvestReader) => Promise<T>,
    query?: unknown
  ) => inSession(kind, session => work(createHarvestReader(session)), loadOf(method, [query]))

  return {
    findHistory: history('lookup', 'findHistory'),
    readChanges: history('lookup', 'readChanges'),
    findVersion: history('single', 'findVersion'),
    findVersionByUuid: history('single', 'findVersionByUuid'),
    identifyDeleted: history('single', 'identifyDeleted'),
    findMergesOf: history('single', 'findMergesOf'),
    listDeleted: history('single', 'listDeleted'),
    sequenceAt: history('single', 'sequenceAt'),
    findEntitiesAt: history('single', 'findEntitiesAt'),
    identifiersMergedInto: history('single', 'identifiersMergedInto'),
    harvest: query => harvesting('harvest', 'search', reader => reader.harvest(query), query),
    findHarvested: (id, query) => harvesting('findHarvested', 'search', reader => reader.findHarvested(id, query)),
    harvestState: () => harvesting('harvestState', 'lookup', reader => reader.harvestState()),
    queryEntities: find('queryEntities', findInIndex),
    suggest: find('suggest', suggestFromIndex),
    findReferences: query =>
      inSession(
        query.limits ? 'find' : 'search',
        session => findReferences(session, query),
        loadOf('findReferences', [query])
      ),
    findReferenceTypes: id =>
      inSession('lookup', session => findReferenceTypes(session, id), loadOf('findReferenceTypes', [id])),
    listTerms: find('listTerms', listTermsInIndex),
    countGrowth: find('countGrowth', countGrowthInIndex),
    listDuplicates: find('listDuplicates', listDuplicatesInIndex),
    findSameRecords: find('findSameRecords', findSameInIndex),
    listNamesInUse: () =>
      inSession('find', session => listNamesInIndex(findingOf(session)), loadOf('listNamesInUse', []))
  }
}

/** Creates a reader that passes each call on. */
export function forwardReader(call: (method: keyof Reader, given: readonly unknown[]) => Promise<unknown>): Reader {
  const methods = Object.keys(methodCosts) as (keyof Reader)[]
  const forwarded = methods.map(method => [method, (...given: readonly unknown[]) => call(method, given)])
  return Object.fromEntries(forwarded) as unknown as Reader
}
