import {
  type Entity,
  type EntityContent,
  contentOf,
  type MetadataEntry,
  targetsOf,
  valuesOf
} from '#domain/entity/entity.ts'
import { CatalogueError } from '#domain/errors.ts'
import { isSameJson } from '#domain/json.ts'
import type { Model } from '#domain/record-types/model.ts'
import { filesField } from '#domain/record-types/production.ts'
import { contentHashField } from '#domain/entity/server-fields.ts'
import type { EntityWrite, WriteUnit } from '#store/ports/entities.ts'
import type { Store } from '#store/store.ts'
import { findReferring } from '../entities/find-referring.ts'
import type { FollowUps } from '../follow-ups.ts'

const maxTries = 100

type ContentWrite = Exclude<EntityWrite, { kind: 'delete' }>
const hasContent = (write: EntityWrite): write is ContentWrite => write.kind !== 'delete'

/**
 * A store that also writes the number of files of a record with every write that changes them, in
 * the same unit: so a production changes, and webhooks are notified, when its media change.
 * Concurrent changes of the media of one production conflict in its version, and are counted again.
 */
export function countingStore(store: Store, model: Model, followUps: FollowUps): Store {
  const counter = createCounter(store, model)
  if (!counter) return store
  const { counted, countEarlier, createdWholes } = counter

  /**
   * Units are passed to the store in the order of their arrival, however long the counting of one
   * takes: lines of a batch rely on it.
   */
  let last = Promise.resolve()
  const enqueue = async (unit: WriteUnit) => {
    const counting = counted(unit)
    // Awaited below; until then a failure must not count as unhandled.
    counting.catch(() => {})
    const earlier = last
    let release = () => {}
    last = new Promise(resolve => {
      release = resolve
    })
    await earlier
    try {
      const { unit: whole, added } = await counting
      const writing = store.write(whole)
      writing.catch(() => {})
      return { whole, added, writing }
    } finally {
      release()
    }
  }

  return {
    ...store,
    async write(unit) {
      for (let tries = 1; ; tries++) {
        const { whole, added, writing } = await enqueue(unit)
        try {
          const written = (await writing).slice(0, unit.writes.length)
          for (const id of createdWholes(whole))
            await followUps.run(`count the media files of ${id}`, () => countEarlier(id, unit.by))
          return written
        } catch (error) {
          const isRace =
            error instanceof CatalogueError && error.code === 'version_mismatch' && added.has(error.about?.[1] ?? '')
          if (!isRace || tries === maxTries) throw error
        }
      }
    }
  }
}

/** Counts the files of records; undefined for a model that counts none. */
function createCounter(store: Store, model: Model) {
  const part = model.recordTypes.find(each => each.countedBy !== undefined && each.partOf !== undefined)
  const relation = part?.partOf
  const kindField = part?.countedBy
  if (!part || relation === undefined || kindField === undefined) return undefined
  const countsIn = (type: string) => (model.findType(type)?.counts?.length ?? 0) > 0

  const isCounted = (entity: Pick<Entity, 'type' | 'metadata'>) =>
    entity.type === part.type && [contentHashField, 'external_url'].some(key => (valuesOf(entity, key)[0] ?? '') !== '')

  /** The ids of entities whose parts the unit changes, and of those that it creates. */
  const findTouched = async (unit: WriteUnit): Promise<Set<string>> => {
    const touched = new Set<string>()
    const before = unit.writes.flatMap(each =>
      each.kind === 'delete'
        ? [each.id]
        : each.kind === 'update' && each.content.type === part.type
          ? [each.content.id]
          : []
    )
    // Most units contain other records; they do not wait for anything here.
    for (const stored of before.length === 0 ? [] : (await store.findEntities(before)).values())
      if (stored.type === part.type)
        for (const key of targetsOf(JSON.parse(stored.json) as Entity, relation)) touched.add(key)
    for (const write of unit.writes.filter(hasContent)) {
      const { content } = write
      if (content.type === part.type) for (const key of targetsOf(content, relation)) touched.add(key)
      else if (countsIn(content.type) && write.kind === 'restore') touched.add(content.id)
    }
    return touched
  }

  /** Counts the files of a record after the unit, by kind. */
  const count = async (id: string, unit: WriteUnit): Promise<Map<string, number>> => {
    const parts = new Map<string, Pick<Entity, 'type' | 'metadata' | 'relations'>>()
    for (const stored of (await store.findEntities(await findReferring(store, id, undefined, [relation]))).values())
      parts.set(stored.id, JSON.parse(stored.json) as Entity)
    for (const write of unit.writes)
      if (hasContent(write)) parts.set(write.content.id, write.content)
      else parts.delete(write.id)
    const counts = new Map<string, number>()
    for (const each of parts.values()) {
      if (!isCounted(each) || !targetsOf(each, relation).includes(id)) continue
      const key = filesField(String(valuesOf(each, kindField)[0]))
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return counts
  }

  const withCounts = (content: EntityContent, counts: ReadonlyMap<string, number>): EntityContent => {
    const keys = model.findType(content.type)?.counts ?? []
    const metadata: MetadataEntry[] = content.metadata.filter(entry => !keys.includes(entry.key))
    for (const key of keys) {
      const value = counts.get(key)
      if (value !== undefined) metadata.push({ key, value })
    }
    return { ...content, metadata }
  }

  /** Adds changed counts to a unit; unchanged counts add nothing. */
  const counted = async (unit: WriteUnit): Promise<{ unit: WriteUnit; added: ReadonlySet<string> }> => {
    const touched = await findTouched(unit)
    const added = new Set<string>()
    if (touched.size === 0) return { unit, added }
    const writes = [...unit.writes]
    const known = await store.findEntities([...touched])
    for (const id of touched) {
      const at = writes.findIndex(write => (hasContent(write) ? write.content.id : write.id) === id)
      const own = writes[at]
      if (own && hasContent(own)) {
        if (countsIn(own.content.type))
          writes[at] = { ...own, content: withCounts(own.content, await count(id, unit)) } as EntityWrite
        continue
      }
      const stored = known.get(id)
      if (own || !stored || !countsIn(stored.type)) continue
      const before = contentOf(JSON.parse(stored.json) as Entity)
      const content = withCounts(before, await count(stored.id, unit))
      const isSame = model
        .findType(stored.type)
        ?.counts?.every(key => valuesOf(before, key)[0] === valuesOf(content, key)[0])
      if (isSame) continue
      writes.push({ kind: 'update', content, expectedVersion: stored.version })
      added.add(stored.id)
    }
    return { unit: { ...unit, writes }, added }
  }

  /** Counts parts that were created before their whole, which a bulk load may do. */
  const countEarlier = async (id: string, by: string) => {
    for (let tries = 1; ; tries++) {
      if ((await findReferring(store, id, undefined, [relation])).length === 0) return
      const stored = await store.findEntity(id)
      if (!stored) return
      const before = contentOf(JSON.parse(stored.json) as Entity)
      const content = withCounts(before, await count(id, { writes: [], by }))
      if (isSameJson(content.metadata, before.metadata)) return
      try {
        await store.write({ writes: [{ kind: 'update', content, expectedVersion: stored.version }], by })
        return
      } catch (error) {
        const isRace = error instanceof CatalogueError && error.code === 'version_mismatch'
        if (!isRace || tries === maxTries) throw error
      }
    }
  }

  /** The ids of entities that the unit creates and whose parts are counted. */
  const createdWholes = ({ writes, dryRun }: WriteUnit) =>
    dryRun
      ? []
      : writes.flatMap(each => (each.kind === 'insert' && countsIn(each.content.type) ? [each.content.id] : []))

  return { counted, countEarlier, createdWholes }
}
