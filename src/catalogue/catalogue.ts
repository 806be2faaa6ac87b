import { anonymousKey, type Principal } from '#domain/permissions.ts'
import { noCache } from './cache/answer-cache.ts'
import { attachContent } from './media/attach-content.ts'
import { createEntity } from './entities/create-entity.ts'
import { deleteEntity } from './entities/delete-entity.ts'
import { editList } from './entities/edit-list.ts'
import { earliestStamp, findHarvested, harvest } from './lists/harvest.ts'
import { findNames } from './entities/find-names.ts'
import { findSourceRecords, readSourceLines, walkOtherSourceLines } from './publications/find-source-records.ts'
import { findDeletable, findWritable } from './entities/find-permitted.ts'
import { limitedStore } from './guarded/limited-store.ts'
import { unsignedStore } from './guarded/unsigned-store.ts'
import { listDuplicates } from './lists/list-duplicates.ts'
import { listEntities } from './lists/list-entities.ts'
import { listReferences } from './entities/list-references.ts'
import { listTerms } from './lists/list-terms.ts'
import {
  changeMediafile,
  createMediafile,
  findDeletableMediafile,
  findWritableMediafile,
  deleteMediafile,
  listMediafileOwners,
  listMediafiles,
  setPrimaryMediafile,
  readMediafile,
  refuseMediafiles
} from './media/mediafiles.ts'
import { mergeEntities } from './merging/merge-entities.ts'
import type { Parts } from './parts.ts'
import { patchEntity } from './entities/patch-entity.ts'
import { readEntity, readResolvedEntity, resolveRelations } from './entities/read-entity.ts'
import { readChanges } from './history/read-changes.ts'
import { readGrowth } from './lists/read-growth.ts'
import { readHistory } from './history/read-history.ts'
import { readLevels } from './publications/read-levels.ts'
import { readPastEntity, readPastWem } from './history/read-past.ts'
import { readProgramme } from './productions/read-programme.ts'
import { readPublications } from './publications/read-publications.ts'
import { readSurroundings } from './entities/read-surroundings.ts'
import { readProductionReadiness } from './productions/read-readiness.ts'
import { readParts } from './publications/read-parts.ts'
import { readTree } from './publications/read-tree.ts'
import { identifyManifestation } from './publications/identify-manifestation.ts'
import { readWem, readWemWithItems } from './publications/read-wem.ts'
import { purgeEntity } from './entities/purge-entity.ts'
import { replaceEntity } from './entities/replace-entity.ts'
import { revertEntity } from './history/revert-entity.ts'
import { suggest } from './lists/suggest.ts'
import { walkDeletedVersions, walkVersions } from './history/walk-versions.ts'
import { unmergeEntity } from './merging/unmerge-entity.ts'
import { walkEntities } from './lists/walk-entities.ts'
import { writeAtomicBatch } from './batches/write-atomic-batch.ts'
import { writeBatch } from './batches/write-batch.ts'

/** Every operation of the service, the same for every protocol, each in a file of its own. */
const operations = {
  attachContent,
  changeMediafile,
  createEntity,
  createMediafile,
  deleteEntity,
  deleteMediafile,
  earliestStamp,
  editList,
  findDeletable,
  findDeletableMediafile,
  findHarvested,
  findNames,
  findSourceRecords,
  findWritable,
  findWritableMediafile,
  harvest,
  identifyManifestation,
  listDuplicates,
  listEntities,
  listMediafileOwners,
  listMediafiles,
  listReferences,
  listTerms,
  mergeEntities,
  patchEntity,
  purgeEntity,
  readChanges,
  readEntity,
  readGrowth,
  readHistory,
  readLevels,
  readMediafile,
  readPastEntity,
  readPastWem,
  readProductionReadiness,
  readProgramme,
  readPublications,
  readResolvedEntity,
  readSourceLines,
  readSurroundings,
  readParts,
  readTree,
  readWem,
  readWemWithItems,
  refuseMediafiles,
  replaceEntity,
  resolveRelations,
  revertEntity,
  setPrimaryMediafile,
  suggest,
  unmergeEntity,
  walkDeletedVersions,
  walkEntities,
  walkOtherSourceLines,
  walkVersions,
  writeAtomicBatch,
  writeBatch
}

type Operations = typeof operations

/** The operations bound to their parts; the principal is always the first argument. */
export type Catalogue = {
  readonly [Name in keyof Operations]: Operations[Name] extends (
    parts: Parts,
    principal: Principal,
    ...rest: infer Rest
  ) => infer Result
    ? (principal: Principal, ...rest: Rest) => Result
    : never
}

export function createCatalogue(parts: Parts): Catalogue {
  const bound = Object.entries(operations).map(([name, operation]) => [
    name,
    (principal: Principal, ...rest: unknown[]) =>
      (operation as (parts: Parts, principal: Principal, ...rest: unknown[]) => unknown)(
        partsFor(parts, principal),
        principal,
        ...rest
      )
  ])
  return Object.fromEntries(bound) as Catalogue
}

/**
 * The parts as a principal sees them. A principal that may read only some records of a type, and
 * one without a bearer, get stores that hide the rest; their answers are not cached for others.
 */
function partsFor(parts: Parts, { key, readLimits }: Principal): Parts {
  if (readLimits.length === 0 && key !== anonymousKey) return parts
  const limited = readLimits.length === 0 ? parts.store : limitedStore(parts.store, readLimits)
  return { ...parts, store: key === anonymousKey ? unsignedStore(limited) : limited, cache: noCache }
}
