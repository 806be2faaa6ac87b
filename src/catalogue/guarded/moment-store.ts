import type { ReadLimit } from '#domain/permissions.ts'
import type { Store } from '#store/store.ts'
import { limitedStore } from './limited-store.ts'

/**
 * Watches for the first moment. Most catalogues have none, so their visitors do not pay for the
 * limits: the index is asked once after each change until there is one.
 */
export function watchMoments(store: Store): (limits: readonly ReadLimit[]) => Promise<boolean> {
  // Stays true when the last such record is deleted: its versions must not be shown, either.
  let isInUse = false
  let checkedAt: number | undefined
  return async limits => {
    if (isInUse) return true
    const { newest } = await store.feedState()
    if (newest === checkedAt) return false
    const fields = limits.flatMap(({ type, publication }) =>
      Object.values(publication ?? {}).map(key => ({ key, types: [type], from: '', backwards: false, limit: 1 }))
    )
    const found = await Promise.all(fields.map(each => store.listTerms(each)))
    isInUse ||= found.some(each => each.length > 0)
    checkedAt = newest
    return isInUse
  }
}

/**
 * The store for visitors who may read every record of a type but those that are not published yet,
 * or were withdrawn. Only the methods that a visitor's reading reaches are limited.
 */
export function momentStore(store: Store, limits: readonly ReadLimit[], isInUse: () => Promise<boolean>): Store {
  const limited = limitedStore(store, limits)
  const chosen = async () => ((await isInUse()) ? limited : store)
  return {
    ...store,
    findEntity: async identifier => (await chosen()).findEntity(identifier),
    findEntities: async identifiers => (await chosen()).findEntities(identifiers),
    findClimbing: async (identifier, links) => (await chosen()).findClimbing(identifier, links),
    lookUp: async (key, values, type) => (await chosen()).lookUp(key, values, type),
    identify: async identifiers => (await chosen()).identify(identifiers),
    identifyDeleted: async ids => (await chosen()).identifyDeleted(ids),
    queryEntities: async query => (await chosen()).queryEntities(query),
    suggest: async question => (await chosen()).suggest(question),
    findReferences: async question => (await chosen()).findReferences(question),
    listTerms: async question => (await chosen()).listTerms(question),
    countGrowth: async question => (await chosen()).countGrowth(question),
    listDuplicates: async question => (await chosen()).listDuplicates(question),
    findSameRecords: async question => (await chosen()).findSameRecords(question),
    findHistory: async (identifier, skip, limit) => (await chosen()).findHistory(identifier, skip, limit),
    findVersion: async (identifier, version) => (await chosen()).findVersion(identifier, version),
    findVersionByUuid: async (uuid, version) => (await chosen()).findVersionByUuid(uuid, version),
    findEntitiesAt: async (identifiers, sequence) => (await chosen()).findEntitiesAt(identifiers, sequence),
    listDeleted: async (after, limit) => (await chosen()).listDeleted(after, limit),
    readChanges: async question => (await chosen()).readChanges(question),
    harvest: async question => (await chosen()).harvest(question),
    findHarvested: async (id, question) => (await chosen()).findHarvested(id, question),
    // It is the whole store's to close.
    async [Symbol.asyncDispose]() {}
  }
}
