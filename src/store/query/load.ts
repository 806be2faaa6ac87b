import { type FieldTest, type Filter, foldFilter, isPlain } from '#domain/filter/filter.ts'
import type { Load } from '#threads/reader-queue.ts'
import type { Asked, EntityQuery } from '../ports/queries.ts'

/* The load of queries: how much work they are, as far as that can be seen before. */

/** The cost of each method: a few milliseconds by a key, or maybe a scan of many records. */
export const methodCosts = {
  findHistory: 'key',
  readChanges: 'scan',
  findVersion: 'key',
  findVersionByUuid: 'key',
  identifyDeleted: 'key',
  findMergesOf: 'key',
  listDeleted: 'scan',
  sequenceAt: 'key',
  findEntitiesAt: 'key',
  identifiersMergedInto: 'key',
  harvest: 'scan',
  findHarvested: 'key',
  harvestState: 'key',
  queryEntities: 'scan',
  suggest: 'scan',
  findReferences: 'scan',
  findReferenceTypes: 'key',
  listTerms: 'scan',
  countGrowth: 'scan',
  listDuplicates: 'scan',
  findSameRecords: 'key',
  listNamesInUse: 'scan'
} as const satisfies Record<string, 'key' | 'scan'>

type Method = keyof typeof methodCosts

/**
 * Maximum weight of a filter that is no costly one: a search of a person has a weight of some ten,
 * and a request may have 64,000 values.
 */
const maxUsualWeight = 200

/** Values that are looked up in the time in which one is searched for in all texts. */
const lookupsEach = 10

/** The weight of an expression that is tried on each value. */
const expressionWeight = 10

/**
 * The load of a query. Quick are those that are known to cost a few milliseconds: a search by a
 * key, and the first pages of a type.
 */
export function loadOf(method: Method, given: readonly unknown[]): Load {
  const { caller = '', filter } = (given[0] ?? {}) as Partial<EntityQuery & Asked>
  if (isQuick(method, given)) return { lane: 'quick', caller }
  return { lane: filter && weightOf(filter) > maxUsualWeight ? 'costly' : 'usual', caller }
}

function isQuick(method: Method, given: readonly unknown[]): boolean {
  if (method !== 'queryEntities') return methodCosts[method] === 'key'
  const { filter, order, facets, limits, skip } = given[0] as EntityQuery
  return !facets && !limits && skip <= 1000 && order.items.length === 1 && isPlain(filter)
}

/** The number of conditions of a filter, with all their values. */
const weightOf = (filter: Filter): number =>
  foldFilter<number>(filter, (each, inner) => inner.reduce((sum, weight) => sum + weight, ownWeight(each)))

/** The weight of a filter without those inside it. */
function ownWeight(filter: Filter): number {
  switch (filter.kind) {
    case 'all':
    case 'any':
      return 0
    case 'not':
    case 'related':
    case 'referred':
    case 'part_of':
    case 'whole_of':
    case 'first_of':
    case 'count':
    case 'types':
      return 1
    case 'identifiers':
      return filter.identifiers.length / lookupsEach
    case 'search':
      return filter.search.words.length
    case 'field':
    case 'entry':
      return weightOfTest(filter.test)
    case 'within':
      return filter.area.borders.length / lookupsEach
  }
}

function weightOfTest(test: FieldTest): number {
  switch (test.kind) {
    case 'equals':
      return 1 + test.values.length / lookupsEach
    case 'contains':
      return test.folded.length
    case 'regex':
      return expressionWeight
    case 'present':
    case 'absent':
    case 'pattern':
    case 'words':
    case 'instant':
    case 'number':
    case 'boolean':
      return 1
  }
}
