import type { Change } from '#domain/events/change-event.ts'
import { type Entity, targetsOf, valuesOf } from '#domain/entity/entity.ts'
import { forbidden } from '#domain/errors.ts'
import type { ReadLimit } from '#domain/permissions.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import type { HarvestedRecord } from '#store/ports/harvest.ts'
import type { Version } from '#store/ports/history.ts'
import type { Store } from '#store/store.ts'
import { climbingBy } from '../publications/climbing-by.ts'

/**
 * The store as it is for whoever may read only some records of a type: the others are not there, by
 * whatever way they are looked for, and no record that is there points to them. Operations are
 * handed this store instead of the whole one (catalogue.ts), so none can forget to ask.
 *
 * Every method of the port is named here: one that is added does not compile before it was decided
 * what of it such a reader may see.
 */
export function limitedStore(store: Store, limits: readonly ReadLimit[]): Store {
  const limitByType = new Map(limits.map(limit => [limit.type, limit]))
  const partByType = new Map(
    limits.flatMap(limit => limit.parts.map(part => [part.type, { ...part, whole: limit.type }] as const))
  )
  const isAffected = (type: string) => limitByType.has(type) || partByType.has(type)

  const isWithin = (entity: Pick<Entity, 'type' | 'metadata'>) => {
    const limit = limitByType.get(entity.type)
    return limit?.values.includes(String(valuesOf(entity, limit.field)[0])) === true
  }

  /**
   * Tells which of some entities, of this moment or of another, are there for the reader: a part is
   * where its whole is now.
   */
  const visibleAmong = async (entities: readonly Entity[]): Promise<(entity: Entity) => boolean> => {
    const wholes = entities.flatMap(entity => targetsOf(entity, partByType.get(entity.type)?.relation ?? ''))
    const found = wholes.length === 0 ? new Map() : await store.findEntities([...new Set(wholes)])
    const shown = new Set<string>()
    for (const [key, stored] of found as ReadonlyMap<string, StoredEntity>)
      if (limitByType.has(stored.type) && isWithin(parse(stored))) shown.add(key)
    return entity => {
      const part = partByType.get(entity.type)
      if (part) return targetsOf(entity, part.relation).some(key => shown.has(key))
      return !limitByType.has(entity.type) || isWithin(entity)
    }
  }

  /**
   * Of some names, those of records that are not there for the reader: also of such as are deleted,
   * whatever they were.
   */
  const hiddenAmong = async (keys: readonly string[]): Promise<ReadonlySet<string>> => {
    const known = await store.identify(keys)
    const affected = keys.filter(key => isAffected(known.get(key)?.type ?? ''))
    const found = affected.length === 0 ? new Map() : await store.findEntities(affected)
    const entities = new Map([...(found as ReadonlyMap<string, StoredEntity>)].map(([key, each]) => [key, parse(each)]))
    const isVisible = await visibleAmong([...entities.values()])
    const unknown = keys.filter(key => !known.has(key))
    const deleted = unknown.length === 0 ? new Map() : await store.identifyDeleted(unknown)
    return new Set(
      keys.filter(key => {
        const entity = entities.get(key)
        return entity ? !isVisible(entity) : isAffected(deleted.get(key)?.type ?? '')
      })
    )
  }

  /** Documents without relations to what is not there. */
  const withoutHidden = async <T extends { readonly json: string }>(stored: readonly T[]): Promise<T[]> => {
    const entities = stored.map(parse)
    const hidden = await hiddenAmong([...new Set(entities.flatMap(each => each.relations.map(({ key }) => key)))])
    if (hidden.size === 0) return [...stored]
    return stored.map((each, index) => {
      const entity = entities[index] as Entity
      const relations = entity.relations.filter(({ key }) => !hidden.has(key))
      return relations.length === entity.relations.length
        ? each
        : { ...each, json: JSON.stringify({ ...entity, relations }) }
    })
  }

  /** Entities that are there, as the reader sees them, by the names asked for. */
  const shownByName = async (found: ReadonlyMap<string, StoredEntity>): Promise<ReadonlyMap<string, StoredEntity>> => {
    const entries = [...found]
    const entities = entries.map(([, stored]) => parse(stored))
    const isVisible = await visibleAmong(entities)
    const visible = entries.filter((_, index) => isVisible(entities[index] as Entity))
    const shown = await withoutHidden(visible.map(([, stored]) => stored))
    return new Map(visible.map(([key], index) => [key, shown[index] as StoredEntity]))
  }

  const findEntities: Store['findEntities'] = async identifiers => shownByName(await store.findEntities(identifiers))

  const findClimbing: Store['findClimbing'] = climbingBy(findEntities)

  /** Whether the record is there for the reader now, where that depends on more than its type. */
  const isThereNow = async (identifier: string, type: string) =>
    !isAffected(type) || (await findEntities([identifier])).size > 0

  /** A version is there when its record is there now, and was then. */
  const showVersion = async (identifier: string, version: Version | undefined): Promise<Version | undefined> => {
    if (!version || version.json === null) return version
    const entity = parse({ json: version.json })
    if (!(await isThereNow(identifier, entity.type)) || !(await visibleAmong([entity]))(entity)) return undefined
    const [shown] = await withoutHidden([{ json: version.json }])
    return { ...version, json: shown?.json ?? null }
  }

  /**
   * A change as the reader may hear of it. What is there no more, since it was deleted or has
   * another status, is told as a deletion to whoever could have read it before; what never could be
   * read is not told at all.
   */
  const showChange = async (change: Change): Promise<Change | undefined> => {
    if (!isAffected(change.type)) {
      if (change.json === null) return change
      const [shown] = await withoutHidden([{ json: change.json }])
      return { ...change, json: shown?.json ?? null }
    }
    const after = change.json === null ? undefined : parse({ json: change.json })
    if (after && (await visibleAmong([after]))(after)) {
      if (!(await isThereNow(change.uuid, change.type))) return undefined
      const [shown] = await withoutHidden([{ json: change.json ?? '' }])
      return { ...change, json: shown?.json ?? null }
    }
    const before = await store.findVersionByUuid(change.uuid, change.version - 1)
    const was = before?.json ? parse({ json: before.json }) : undefined
    if (!was || !(await visibleAmong([was]))(was)) return undefined
    return { ...change, kind: 'deleted', json: null, mergedInto: null }
  }

  /**
   * A record as it is harvested. Its stamp may come from what is not shown of it: then it is the
   * moment of its own last change.
   */
  const showHarvested = async (record: HarvestedRecord, from = '', until = '\u{10ffff}') => {
    if (record.json === null) return isAffected(record.type) ? undefined : record
    const entity = parse({ json: record.json })
    if (!(await visibleAmong([entity]))(entity)) return undefined
    const [shown] = await withoutHidden([{ json: record.json }])
    if (shown?.json === record.json) return record
    const stamp = entity.audit.updated.at
    return stamp >= from && stamp <= until ? { ...record, stamp, json: shown?.json ?? null } : undefined
  }

  return {
    findEntity: async identifier => (await findEntities([identifier])).get(identifier),
    findEntities,
    findClimbing,
    async identify(identifiers) {
      const known = await store.identify(identifiers)
      const hidden = await hiddenAmong([...known].filter(([, { type }]) => isAffected(type)).map(([key]) => key))
      return new Map([...known].filter(([key]) => !hidden.has(key)))
    },
    async identifyDeleted(ids) {
      const deleted = await store.identifyDeleted(ids)
      return new Map([...deleted].filter(([, { type }]) => !isAffected(type)))
    },

    async queryEntities(query) {
      const answer = await store.queryEntities({ ...query, limits })
      return { ...answer, entities: await withoutHidden(answer.entities) }
    },
    suggest: async question => withoutHidden(await store.suggest({ ...question, limits })),
    findReferences: question => store.findReferences({ ...question, limits }),

    async findHistory(identifier, skip, limit) {
      const history = await store.findHistory(identifier, 0, mostVersions)
      if (!history || !(await isThereNow(identifier, history.type))) return undefined
      const versions: Version[] = []
      for (const each of history.versions) {
        const shown = await showVersion(identifier, each)
        if (shown && (shown.json !== null || !isAffected(history.type))) versions.push(shown)
      }
      return { ...history, count: versions.length, versions: versions.slice(skip, skip + limit + 1) }
    },
    findVersion: async (identifier, version) => showVersion(identifier, await store.findVersion(identifier, version)),
    findVersionByUuid: async (uuid, version) => showVersion(uuid, await store.findVersionByUuid(uuid, version)),
    sequenceAt: at => store.sequenceAt(at),
    async findEntitiesAt(identifiers, sequence) {
      const past = await shownByName(await store.findEntitiesAt(identifiers, sequence))
      const there = new Map<string, StoredEntity>()
      for (const [key, stored] of past) if (await isThereNow(key, stored.type)) there.set(key, stored)
      return there
    },

    async readChanges(question) {
      // A change of status may be told as a deletion, so the kind is known only afterwards.
      const { kinds, limit, ...others } = question
      const { newest } = await store.feedState()
      // Neither where a page ends nor whether there is more may depend on changes that are not
      // shown.
      const end = Math.min(question.after + maxLookedThrough, newest)
      const shown: Change[] = []
      for (let after = question.after; after < end && shown.length <= limit; ) {
        const { changes, upTo } = await store.readChanges({ ...others, after, limit: changesAtOnce })
        for (const change of changes) {
          if (change.sequence > end || shown.length > limit) break
          const seen = await showChange(change)
          if (seen && (!kinds || kinds.includes(seen.kind))) shown.push(seen)
        }
        if (upTo <= after) break
        after = upTo
      }
      const page = shown.slice(0, limit)
      const isFull = shown.length > limit
      const upTo = isFull ? (page.at(-1)?.sequence ?? end) : Math.max(question.after, end)
      return { changes: page, upTo, more: isFull || end < newest }
    },
    feedState: () => store.feedState(),

    async harvest(question) {
      const answer = await store.harvest(question)
      const records: HarvestedRecord[] = []
      for (const record of answer.records) {
        const shown = await showHarvested(record, question.from, question.until)
        if (shown) records.push(shown)
      }
      return { ...answer, records }
    },
    async findHarvested(id, question) {
      const found = await store.findHarvested(id, question)
      return found && showHarvested(found)
    },
    harvestState: () => store.harvestState(),
    listTerms: question => store.listTerms({ ...question, limits }),
    countGrowth: question => store.countGrowth({ ...question, limits }),

    // Whoever reads with limits writes nothing, merges nothing, and looks after nothing.
    findOutcome: () => undefined,
    findMerge: () => undefined,
    findMergesOf: async () => [],
    identifiersMergedInto: async () => [],
    // Source records, which find-sources.ts gives only to those who may read all that they can
    // name.
    findState: (kind, keys) => (kind.startsWith('import ') ? store.findState(kind, keys) : new Map()),
    listStateKeys: () => [],
    readState: () => [],
    changedSinceLastCall: () => 'all',
    write: refuse,
    deleteChanges: refuse,
    insertToken: refuse,
    findToken: refuse,
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
    holdLease: refuse,
    findLeaseHolder: refuse,
    releaseLease: refuse,
    isNew: refuse,
    setQueryDeadline: refuse,
    check: refuse,
    // It is the whole store's to close.
    async [Symbol.asyncDispose]() {}
  }
}

/** Maximum changes looked through for one page, shown or not. */
const maxLookedThrough = 2000
const changesAtOnce = 200

/** More than any record has; which of them are there is known only when they are read. */
const mostVersions = 1_000_000

const parse = ({ json }: { readonly json: string }) => JSON.parse(json) as Entity

const refuse = async (): Promise<never> => {
  throw forbidden('do this')
}
