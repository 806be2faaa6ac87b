import type { Change } from '#domain/events/change-event.ts'
import { forbidden } from '#domain/errors.ts'
import { lengthOf, maxPageBytes } from '#domain/page-budget.ts'
import type { ReadLimit } from '#domain/permissions.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import type { Version } from '#store/ports/history.ts'
import type { Store } from '#store/store.ts'
import { climbingBy } from '../publications/climbing-by.ts'
import { limitedHarvest } from './limited-harvest.ts'
import { LimitedView } from './limited-view.ts'

/**
 * The store for a reader who may read only some records of a type: hidden records do not exist in
 * it, however they are looked for, and no visible record refers to them. Operations get this store
 * instead of the whole one (catalogue.ts), so none can forget the limits.
 *
 * Every method of the port is named here: a new one does not compile until somebody decides how it
 * applies the limits.
 */
export function limitedStore(store: Store, limits: readonly ReadLimit[]): Store {
  const view = new LimitedView(store, limits)
  const findEntities: Store['findEntities'] = async identifiers => view.show(await store.findEntities(identifiers))

  return {
    findEntity: async identifier => (await findEntities([identifier])).get(identifier),
    findEntities,
    findClimbing: climbingBy(findEntities),
    lookUp: async (key, values, type) => view.withoutHidden(await store.lookUp(key, values, type)),
    async identify(identifiers) {
      const known = await store.identify(identifiers)
      const affected = [...known].filter(([, { type }]) => view.isAffected(type)).map(([key]) => key)
      const hidden = await view.hiddenAmong(affected)
      return new Map([...known].filter(([key]) => !hidden.has(key)))
    },
    async identifyDeleted(ids) {
      const deleted = await store.identifyDeleted(ids)
      return new Map([...deleted].filter(([, { type }]) => !view.isAffected(type)))
    },

    async queryEntities(query) {
      const answer = await store.queryEntities({ ...query, limits })
      return {
        ...answer,
        entities: await view.withoutHidden(answer.entities),
        ...(answer.editions ? { editions: await view.withoutHidden(answer.editions) } : {})
      }
    },
    suggest: async question => view.withoutHidden(await store.suggest({ ...question, limits })),
    findReferences: question => store.findReferences({ ...question, limits }),
    findReferenceTypes: async id =>
      Object.keys(
        (await store.findReferences({ id, limits, readableTypes: undefined, skip: 0, limit: 0 })).countByType
      ),
    listTerms: question => store.listTerms({ ...question, limits }),
    countGrowth: question => store.countGrowth({ ...question, limits }),
    listDuplicates: question => store.listDuplicates({ ...question, limits }),
    findSameRecords: question => store.findSameRecords({ ...question, limits }),

    findHistory: (identifier, skip, limit) => findHistory(store, view, identifier, skip, limit),
    findVersion: async (identifier, version) =>
      view.showVersion(identifier, await store.findVersion(identifier, version)),
    findVersionByUuid: async (uuid, version) => view.showVersion(uuid, await store.findVersionByUuid(uuid, version)),
    sequenceAt: at => store.sequenceAt(at),
    async findEntitiesAt(identifiers, sequence) {
      const past = await view.show(await store.findEntitiesAt(identifiers, sequence))
      const visible = new Map<string, StoredEntity>()
      for (const [key, stored] of past) if (await view.isVisibleNow(key, stored.type)) visible.set(key, stored)
      return visible
    },

    // Whether a deleted record was visible is not known.
    listDeleted: async () => [],
    readChanges: question => readChanges(store, view, question),
    feedState: () => store.feedState(),
    ...limitedHarvest(store, view),
    harvestState: () => store.harvestState(),
    findingState: () => store.findingState(),

    // Only writes need them.
    listNamesInUse: async () => ({ keys: [], relationTypes: [] }),
    // A reader with limits writes nothing, merges nothing and administers nothing.
    findOutcome: () => undefined,
    findMerge: () => undefined,
    findMergesOf: async () => [],
    identifiersMergedInto: async () => [],
    // Source records; find-source-records.ts decides which readers get them.
    findState: (kind, keys) => (kind.startsWith('import ') ? store.findState(kind, keys) : new Map()),
    listStateKeys: () => [],
    readState: () => [],
    changedSinceLastCall: () => 'all',
    ...refused,
    // The owner of the whole store closes it.
    async [Symbol.asyncDispose]() {}
  }
}

const refuse = async (): Promise<never> => {
  throw forbidden('do this')
}

const refused = {
  write: refuse,
  carryVersions: refuse,
  deleteChanges: refuse,
  purge: refuse,
  deleteVersions: refuse,
  insertToken: refuse,
  findToken: refuse,
  findTokensById: refuse,
  listTokens: refuse,
  deleteToken: refuse,
  insertWebhook: refuse,
  findWebhook: refuse,
  listWebhooks: refuse,
  updateWebhook: refuse,
  deleteWebhook: refuse,
  advanceWebhook: refuse,
  logDelivery: refuse,
  listDeliveries: refuse,
  findDelivery: refuse,
  logAct: refuse,
  listActs: refuse,
  holdLease: refuse,
  findLeaseHolder: refuse,
  releaseLease: refuse,
  isNew: refuse,
  setQueryDeadline: refuse,
  check: refuse
} satisfies Partial<Store>

const versionsPerRead = 100

/** All versions are read: which of them are visible is known only afterwards. */
async function findHistory(store: Store, view: LimitedView, identifier: string, skip: number, limit: number) {
  const versions: Version[] = []
  let [count, bytes] = [0, 0]
  for (let read = 0; ; ) {
    const history = await store.findHistory(identifier, read, versionsPerRead)
    if (!history || (read === 0 && !(await view.isVisibleNow(identifier, history.type)))) return undefined
    for (const each of history.versions) {
      const shown = await view.showVersion(identifier, each)
      if (!shown || (shown.json === null && view.isAffected(history.type))) continue
      if (count++ < skip) continue
      bytes += lengthOf(shown.json)
      if (versions.length === 0 || (versions.length <= limit && bytes <= maxPageBytes)) versions.push(shown)
    }
    read += history.versions.length
    if (history.versions.length === 0 || read >= history.count) return { ...history, count, versions }
  }
}

/** Maximum number of changes that are examined for one page, shown or not. */
const maxExaminedChanges = 2000
const changesPerRead = 200

async function readChanges(
  store: Store,
  view: LimitedView,
  question: Parameters<Store['readChanges']>[0]
): ReturnType<Store['readChanges']> {
  // A change of status may be shown as a deletion, so the kind is known only afterwards.
  const { kinds, limit, ...others } = question
  const { newest } = await store.feedState()
  // Hidden changes may influence neither the end of a page nor whether there are more.
  const end = Math.min(question.after + maxExaminedChanges, newest)
  const shown: Change[] = []
  for (let after = question.after; after < end && shown.length <= limit; ) {
    const { changes, upTo } = await store.readChanges({ ...others, after, limit: changesPerRead })
    for (const change of changes) {
      if (change.sequence > end || shown.length > limit) break
      const seen = await view.showChange(change)
      if (seen && (!kinds || kinds.includes(seen.kind))) shown.push(seen)
    }
    if (upTo <= after) break
    after = upTo
  }
  const page = shown.slice(0, limit)
  const isFull = shown.length > limit
  const upTo = isFull ? (page.at(-1)?.sequence ?? end) : Math.max(question.after, end)
  return { changes: page, upTo, more: isFull || end < newest }
}
