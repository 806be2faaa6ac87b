import type { Principal } from '#domain/permissions.ts'
import { noCache } from './answer-cache.ts'
import { attachContent } from './attach-content.ts'
import { createEntity } from './create-entity.ts'
import { deleteEntity, findDeletable } from './delete-entity.ts'
import { editList } from './edit-list.ts'
import { earliestStamp, findHarvested, harvest } from './harvest.ts'
import { findNames } from './find-names.ts'
import { findSources } from './find-sources.ts'
import { findWritable } from './change-entity.ts'
import { limitedStore } from './limited-store.ts'
import { listEntities } from './list-entities.ts'
import { listReferences } from './list-references.ts'
import { listTerms } from './list-terms.ts'
import {
  createMediafile,
  findDeletableMediafile,
  findWritableMediafile,
  listMediafiles,
  readMediafile,
  refuseMediafiles
} from './mediafiles.ts'
import { mergeEntities } from './merge-entities.ts'
import type { Parts } from './parts.ts'
import { patchEntity } from './patch-entity.ts'
import { readEntity, readResolvedEntity } from './read-entity.ts'
import { readChanges } from './read-changes.ts'
import { readGrowth } from './read-growth.ts'
import { readHistory } from './read-history.ts'
import { readLevels } from './read-levels.ts'
import { readPastEntity, readPastWem } from './read-past.ts'
import { readProgramme } from './read-programme.ts'
import { readPublications } from './read-publications.ts'
import { readSurroundings } from './read-surroundings.ts'
import { readProductionReadiness } from './read-readiness.ts'
import { readTree } from './read-tree.ts'
import { readWem } from './read-wem.ts'
import { replaceEntity } from './replace-entity.ts'
import { revertEntity } from './revert-entity.ts'
import { suggest } from './suggest.ts'
import { unmergeEntity } from './unmerge-entity.ts'
import { walkEntities } from './walk-entities.ts'
import { writeAtomicBatch } from './write-atomic-batch.ts'
import { writeBatch } from './write-batch.ts'

/** Every operation of the service, the same for every door, each in a file of its own. */
const operations = {
  attachContent,
  createEntity,
  createMediafile,
  deleteEntity,
  earliestStamp,
  editList,
  findDeletable,
  findDeletableMediafile,
  findHarvested,
  findNames,
  findSources,
  findWritable,
  findWritableMediafile,
  harvest,
  listEntities,
  listMediafiles,
  listReferences,
  listTerms,
  mergeEntities,
  patchEntity,
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
  readSurroundings,
  readTree,
  readWem,
  refuseMediafiles,
  replaceEntity,
  revertEntity,
  suggest,
  unmergeEntity,
  walkEntities,
  writeAtomicBatch,
  writeBatch
}

type Operations = typeof operations

/** The operations with their parts in place; whoever asks always comes first. */
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
        principal.readLimits.length === 0 ? parts : limitedParts(parts, principal),
        principal,
        ...rest
      )
  ])
  return Object.fromEntries(bound) as Catalogue
}

/** For whoever may read only some records of a type, the catalogue is one that has no others; nothing of it is kept for anybody else. */
function limitedParts(parts: Parts, { readLimits }: Principal): Parts {
  const store = limitedStore(parts.store, readLimits)
  return { ...parts, store, cache: noCache }
}
