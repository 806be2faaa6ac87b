import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import type { StoredDraft, StoredAuthority } from '#domain/imports/stored.ts'
import type { StoredSource } from '#domain/imports/stored-source.ts'
import { type Level, levels } from '#domain/entity/publication.ts'
import type { Store } from '#store/store.ts'
import { mentionIdsOf } from './place/placing.ts'
import { createStaging } from './state/staging.ts'

/** One level of an imported publication: its entities, and the drafts that they were made from. */
interface ImportedLevel {
  readonly level: Level
  readonly ids: readonly string[]
  readonly drafts: readonly StoredDraft[]
}

/**
 * Finds the records that manifestations were imported from, by the ids of the manifestations, with
 * the levels that people have changed since: the entity of the level itself, or the name of
 * something that it is related to.
 */
export async function findSourceRecords(
  store: Store,
  ids: readonly string[]
): Promise<ReadonlyMap<string, StoredSource>> {
  const staging = createStaging(store)
  const sources = await staging.find('source', ids)
  if (sources.size === 0) return new Map()
  const names = await staging.find('origin', sources.keys())
  const records = await staging.find('record', names.values())
  const mentions = await staging.find(
    'mention',
    [...records].flatMap(([name, record]) => mentionIdsOf(name, record))
  )
  const levelsOf = (id: string): ImportedLevel[] => {
    const name = names.get(id) ?? ''
    const record = records.get(name)
    const own = mentionIdsOf(name, record).flatMap(each => mentions.get(each) ?? [])
    const byLevel: Record<Level, Omit<ImportedLevel, 'level'>> = {
      manifestation: { ids: [id], drafts: record === undefined ? [] : [record.manifestation] },
      expression: { ids: own.map(each => each.expressionId), drafts: own.map(each => each.expression) },
      work: { ids: own.map(each => each.workId), drafts: own.map(each => each.work) }
    }
    return levels.map(level => ({ level, ...byLevel[level] }))
  }
  const levelsById = new Map([...sources.keys()].map(id => [id, levelsOf(id)]))
  const all = [...levelsById.values()].flat()
  const authorities = await staging.find('target', new Set(all.flatMap(targetKeysOf)))
  const levelIds = new Set(all.flatMap(each => each.ids))
  const itemsOf = (id: string) => records.get(names.get(id) ?? '')?.items ?? []
  const itemIds = [...sources.keys()].flatMap(id => itemsOf(id).map(each => each.id))
  const entities = await store.findEntities([
    ...new Set([...levelIds, ...itemIds, ...[...authorities.values()].map(each => each.id)])
  ])
  const edited = await staging.find('edited', [...levelIds, ...itemIds])
  const parsed = new Map([...entities].map(([id, { json }]) => [id, JSON.parse(json) as Entity]))
  const isEntityChanged = (id: string) => {
    const entity = parsed.get(id)
    return entity === undefined || edited.has(id) || !isByImport(entity)
  }
  const isTargetChanged = (key: string) => {
    const target = authorities.get(key)
    const entity = target && parsed.get(target.id)
    return target !== undefined && entity !== undefined && !isByImport(entity) && !saysTheSame(entity, target)
  }
  const isChanged = (level: ImportedLevel) =>
    level.ids.some(isEntityChanged) || targetKeysOf(level).some(isTargetChanged)
  return new Map(
    [...sources].map(([id, { form, base64 }]) => {
      const changedLevels = (levelsById.get(id) ?? []).filter(isChanged).map(({ level }) => level)
      const items = itemsOf(id).map(item => ({
        id: item.id,
        from: item.from ?? [],
        isChanged: isEntityChanged(item.id)
      }))
      return [id, { format: form, bytes: Buffer.from(base64, 'base64'), changedLevels, items }]
    })
  )
}

const targetKeysOf = ({ drafts }: ImportedLevel) => drafts.flatMap(each => each.relations.map(({ target }) => target))

const isByImport = (entity: Entity) => entity.audit.updated.by.startsWith('import:')

const saysTheSame = (entity: Entity, { metadata }: StoredAuthority) =>
  metadata.every(({ key, value }) => valuesOf(entity, key).includes(value))
