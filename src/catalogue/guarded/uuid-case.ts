import { lowerCaseUuid, storedIdentifier, withLowerCaseUuids } from '#domain/entity/ids.ts'
import type { Store } from '#store/store.ts'

/**
 * The store with UUIDs in any case (RFC 9562, section 4). UUIDs are stored in lower case; an
 * identifier is looked up as given first, so other identifiers remain case-sensitive.
 */
export function withUuidsInAnyCase(store: Store): Store {
  const lookUp = async <Found>(
    identifiers: readonly string[],
    find: (identifiers: readonly string[]) => Promise<ReadonlyMap<string, Found>> | ReadonlyMap<string, Found>
  ): Promise<ReadonlyMap<string, Found>> => {
    const found = await find([...identifiers, ...identifiers.flatMap(each => lowerCaseUuid(each) ?? [])])
    return new Map(
      identifiers.flatMap(each => {
        const entry = found.get(each) ?? found.get(lowerCaseUuid(each) ?? each)
        return entry === undefined ? [] : [[each, entry] as const]
      })
    )
  }
  const hasOther = (identifiers: readonly string[]) => identifiers.some(each => lowerCaseUuid(each) !== undefined)
  const findOne = async <Found>(identifier: string, find: (identifier: string) => Promise<Found> | Found) => {
    const other = lowerCaseUuid(identifier)
    return (await find(identifier)) ?? (other === undefined ? undefined : find(other))
  }
  return {
    ...store,
    findEntity(identifier) {
      const other = lowerCaseUuid(identifier)
      if (other === undefined) return store.findEntity(identifier)
      return Promise.resolve(store.findEntity(identifier)).then(found => found ?? store.findEntity(other))
    },
    findClimbing(identifier, links) {
      const other = lowerCaseUuid(identifier)
      if (other === undefined) return store.findClimbing(identifier, links)
      return Promise.resolve(store.findClimbing(identifier, links)).then(found =>
        found.length > 0 ? found : store.findClimbing(other, links)
      )
    },
    findEntities: identifiers =>
      hasOther(identifiers) ? lookUp(identifiers, store.findEntities) : store.findEntities(identifiers),
    identify: identifiers =>
      hasOther(identifiers) ? lookUp(identifiers, store.identify) : store.identify(identifiers),
    identifyDeleted: ids => (hasOther(ids) ? lookUp(ids, store.identifyDeleted) : store.identifyDeleted(ids)),
    findEntitiesAt: (identifiers, sequence) => lookUp(identifiers, each => store.findEntitiesAt(each, sequence)),
    findHistory: (identifier, ...rest) => findOne(identifier, each => store.findHistory(each, ...rest)),
    findVersion: (identifier, ...rest) => findOne(identifier, each => store.findVersion(each, ...rest)),
    findVersionByUuid: (uuid, version) => store.findVersionByUuid(storedIdentifier(uuid), version),
    findHarvested: (id, question) => findOne(id, each => store.findHarvested(each, question)),
    findMerge: (survivorId, victimId) =>
      store.findMerge(survivorId, victimId === undefined ? undefined : storedIdentifier(victimId)),
    readChanges: question =>
      store.readChanges(question.ids ? { ...question, ids: withLowerCaseUuids(question.ids) } : question)
  }
}
