import { anonymousKey, limitsAt, type Principal } from '#domain/permissions.ts'
import { noCache } from './cache/answer-cache.ts'
import { type NotingStore, notingStore } from './cache/noting-store.ts'
import type { MadeFrom } from './cache/sent-answers.ts'
import { attachContent } from './media/attach-content.ts'
import { createEntity } from './entities/create-entity.ts'
import { deleteEntity } from './entities/delete-entity.ts'
import { editList } from './entities/edit-list.ts'
import { earliestStamp, findHarvested, harvest } from './lists/harvest.ts'
import { findSame } from './lists/find-same.ts'
import { findNames } from './entities/find-names.ts'
import {
  findAuthorityRecords,
  findSourceRecords,
  readSourceLines,
  walkOtherSourceLines
} from './publications/find-source-records.ts'
import { findReadableEntities } from './entities/find-many-entities.ts'
import { findDeletable, findWritable } from './entities/find-permitted.ts'
import { limitedStore } from './guarded/limited-store.ts'
import { momentStore, watchMoments } from './guarded/moment-store.ts'
import { unsignedStore } from './guarded/unsigned-store.ts'
import { listDuplicates } from './lists/list-duplicates.ts'
import { listEntities } from './lists/list-entities.ts'
import { listReferences, listReferenceTypes } from './entities/list-references.ts'
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
  readPicture,
  refuseMediafiles
} from './media/mediafiles.ts'
import { mergeEntities } from './merging/merge-entities.ts'
import type { Parts } from './parts.ts'
import { patchEntity } from './entities/patch-entity.ts'
import { readEntity, readResolvedEntity, resolveRelations } from './entities/read-entity.ts'
import { readChanges } from './history/read-changes.ts'
import { readGrowth } from './lists/read-growth.ts'
import { readRecent } from './lists/read-recent.ts'
import { readHistory } from './history/read-history.ts'
import { readLevels } from './publications/read-levels.ts'
import { readPastEntity, readPastWem } from './history/read-past.ts'
import { listPerformances } from './productions/list-performances.ts'
import { readProgramme } from './productions/read-programme.ts'
import { readPublications } from './publications/read-publications.ts'
import { readSurroundings } from './entities/read-surroundings.ts'
import { readProductionReadiness } from './productions/read-readiness.ts'
import { readParts } from './publications/read-parts.ts'
import { readTree } from './publications/read-tree.ts'
import { identifyManifestation } from './publications/identify-manifestation.ts'
import { identifyWem, readWem, readWemWithItems } from './publications/read-wem.ts'
import { purgeEntity } from './entities/purge-entity.ts'
import { replaceEntity } from './entities/replace-entity.ts'
import { revertEntity } from './history/revert-entity.ts'
import {
  changeSavedSearch,
  createSavedSearch,
  deleteSavedSearch,
  listSavedSearches,
  readSavedSearch
} from './lists/saved-searches.ts'
import { findSettings, findSettingsVersion, storeSettings } from './settings/stored-settings.ts'
import { suggest } from './lists/suggest.ts'
import { summarise } from './lists/summarise.ts'
import { walkDeletedVersions, walkVersions } from './history/walk-versions.ts'
import { findZones, withLocalTimes } from './productions/local-times.ts'
import { listDue } from './productions/list-due.ts'
import { unmergeEntity } from './merging/unmerge-entity.ts'
import { walkEntities } from './lists/walk-entities.ts'
import { writeAtomicBatch } from './batches/write-atomic-batch.ts'
import { writeBatch } from './batches/write-batch.ts'

export type Catalogue = ReturnType<typeof createOperations> & {
  /**
   * Makes an answer with a catalogue that notes what it reads, and returns it with that. Undefined
   * in its place where such an answer is not stored: it was made for a caller who does not read
   * everything, or from something whose changes are not followed.
   */
  noted<T>(
    principal: Principal,
    make: (catalogue: Catalogue) => Promise<T>
  ): Promise<{ readonly value: T; readonly from: MadeFrom | undefined }>
}

/**
 * Every operation of the service, the same for every protocol, by the noun that it is about. They
 * are bound to their parts once; the principal of each call is the first argument.
 */
export function createCatalogue(parts: Parts): Catalogue {
  /** Catalogues that note what they read, and are not in use. Making one takes 0.1 ms. */
  const spare: NotingCatalogue[] = []
  const catalogue: Catalogue = {
    ...createOperations(parts),
    async noted(principal, make) {
      const generation = principal.readsEverything ? await parts.cache.follow() : undefined
      if (generation === undefined) return { value: await make(catalogue), from: undefined }
      const noting = spare.pop() ?? createNotingCatalogue(parts)
      const end = noting.begin()
      // One that failed is not used again: it may still be reading.
      const value = await make(noting.catalogue)
      const { ids, reads, isWhole } = end()
      if (spare.length < maxSpare) spare.push(noting)
      return { value, from: isWhole ? { ids, reads, generation } : undefined }
    }
  }
  return catalogue
}

/** Maximum number of catalogues for answers in other formats that are kept. */
const maxSpare = 16

interface NotingCatalogue extends Pick<NotingStore, 'begin'> {
  readonly catalogue: Catalogue
}

function createNotingCatalogue(parts: Parts): NotingCatalogue {
  const { store, begin } = notingStore(parts.store)
  const catalogue = createCatalogue({
    ...parts,
    store,
    cache: noCache,
    findSourceRecords: ids => parts.findSourceRecords(ids, store),
    findAuthorityRecords: ids => parts.findAuthorityRecords(ids, store)
  })
  return { catalogue, begin }
}

function createOperations(parts: Parts) {
  const hasMoments = watchMoments(parts.store)
  const bind =
    <Rest extends unknown[], Result>(operation: (parts: Parts, principal: Principal, ...rest: Rest) => Result) =>
    (principal: Principal, ...rest: Rest): Result =>
      operation(partsFor(parts, principal, hasMoments), principal, ...rest)
  return {
    entities: {
      create: bind(createEntity),
      replace: bind(replaceEntity),
      patch: bind(patchEntity),
      editList: bind(editList),
      delete: bind(deleteEntity),
      purge: bind(purgeEntity),
      read: bind(readEntity),
      readResolved: bind(readResolvedEntity),
      readSurroundings: bind(readSurroundings),
      resolveRelations: bind(resolveRelations),
      listReferences: bind(listReferences),
      listReferenceTypes: bind(listReferenceTypes),
      findMany: bind(findReadableEntities),
      findNames: bind(findNames),
      findWritable: bind(findWritable),
      findDeletable: bind(findDeletable)
    },
    publications: {
      wem: bind(readWem),
      wemWithItems: bind(readWemWithItems),
      identify: bind(identifyManifestation),
      identifyWem: bind(identifyWem),
      levels: bind(readLevels),
      parts: bind(readParts),
      tree: bind(readTree),
      readMany: bind(readPublications),
      findSourceRecords: bind(findSourceRecords),
      findAuthorityRecords: bind(findAuthorityRecords),
      readSourceLines: bind(readSourceLines),
      walkOtherSourceLines: bind(walkOtherSourceLines)
    },
    history: {
      read: bind(readHistory),
      readChanges: bind(readChanges),
      pastEntity: bind(readPastEntity),
      pastWem: bind(readPastWem),
      revert: bind(revertEntity),
      walkVersions: bind(walkVersions),
      walkDeletedVersions: bind(walkDeletedVersions)
    },
    media: {
      create: bind(createMediafile),
      change: bind(changeMediafile),
      delete: bind(deleteMediafile),
      read: bind(readMediafile),
      readPicture: bind(readPicture),
      list: bind(listMediafiles),
      listOwners: bind(listMediafileOwners),
      findWritable: bind(findWritableMediafile),
      findDeletable: bind(findDeletableMediafile),
      refuse: bind(refuseMediafiles),
      setPrimary: bind(setPrimaryMediafile),
      attachContent: bind(attachContent)
    },
    lists: {
      entities: bind(listEntities),
      summarise: bind(summarise),
      walk: bind(walkEntities),
      duplicates: bind(listDuplicates),
      findSame: bind(findSame),
      terms: bind(listTerms),
      growth: bind(readGrowth),
      recent: bind(readRecent),
      suggest: bind(suggest),
      harvest: bind(harvest),
      findHarvested: bind(findHarvested),
      earliestStamp: bind(earliestStamp)
    },
    savedSearches: {
      list: bind(listSavedSearches),
      read: bind(readSavedSearch),
      create: bind(createSavedSearch),
      change: bind(changeSavedSearch),
      delete: bind(deleteSavedSearch)
    },
    settings: {
      find: bind(findSettings),
      findVersion: bind(findSettingsVersion),
      store: bind(storeSettings)
    },
    productions: {
      programme: bind(readProgramme),
      performances: bind(listPerformances),
      readiness: bind(readProductionReadiness),
      due: bind(listDue),
      zones: bind(findZones),
      withLocalTimes: bind(withLocalTimes)
    },
    merging: {
      merge: bind(mergeEntities),
      unmerge: bind(unmergeEntity)
    },
    /** Pages of HTML. The key tells for whom a page was made. */
    pages: { read: parts.cache.page },
    batches: {
      write: bind(writeBatch),
      writeAtomic: bind(writeAtomicBatch)
    }
  }
}

/**
 * The parts as a principal sees them. A principal that may read only some records of a type, and
 * one without a bearer, get stores that hide the rest; their answers are not cached for others.
 */
function partsFor(parts: Parts, principal: Principal, hasMoments: ReturnType<typeof watchMoments>): Parts {
  const { key, readLimits, momentLimits } = principal
  const isVisitor = key === anonymousKey
  if (readLimits.length === 0 && !isVisitor) return parts
  const limited = limitedFor()
  return { ...parts, store: isVisitor ? unsignedStore(limited) : limited, cache: noCache }

  function limitedFor() {
    const limits = limitsAt([...readLimits, ...momentLimits], Date.now())
    if (readLimits.length > 0) return limitedStore(parts.store, limits)
    if (momentLimits.length > 0) return momentStore(parts.store, limits, () => hasMoments(momentLimits))
    return parts.store
  }
}
