import { type Entity, valuesOf } from '#domain/entity.ts'
import type { KeptDraft, KeptTarget } from '#domain/imports/kept.ts'
import type { KeptSource } from '#domain/kept-source.ts'
import type { Model } from '#domain/model.ts'
import type { Principal } from '#domain/permissions.ts'
import { type Level, levels } from '#domain/publication.ts'
import { familyOf } from '#domain/record-types/families.ts'
import { createDesk } from './imports/desk.ts'
import { mentionIdsOf } from './imports/placing.ts'
import type { Parts } from './parts.ts'

/** One level of an imported publication: its entities, and the relations that the import gave them. */
interface ImportedLevel {
  readonly level: Level
  readonly ids: readonly string[]
  readonly drafts: readonly KeptDraft[]
}

/**
 * The records that manifestations were imported from, by the ids of the manifestations, with the levels that people have changed since: the entity of the
 * level itself, or the name of something that it is related to.
 *
 * Returns nothing to principals who may not read everything that a source record can name.
 */
export async function findSources(
  { store, model }: Parts,
  principal: Principal,
  ids: readonly string[]
): Promise<ReadonlyMap<string, KeptSource>> {
  if (!readsSources(principal, model)) return new Map()
  const desk = createDesk(store)
  const sources = await desk.find('import source', ids)
  if (sources.size === 0) return new Map()
  const names = await desk.find('import origin', sources.keys())
  const records = await desk.find('import record', names.values())
  const mentions = await desk.find(
    'import mention',
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
  const targets = await desk.find('import target', new Set(all.flatMap(targetKeysOf)))
  const levelIds = new Set(all.flatMap(each => each.ids))
  const entities = await store.findEntities([...new Set([...levelIds, ...[...targets.values()].map(each => each.id)])])
  const edited = await desk.find('import edited', levelIds)
  const parsed = new Map([...entities].map(([id, { json }]) => [id, JSON.parse(json) as Entity]))
  const isEntityChanged = (id: string) => {
    const entity = parsed.get(id)
    return entity === undefined || edited.has(id) || !isByImport(entity)
  }
  const isTargetChanged = (key: string) => {
    const target = targets.get(key)
    const entity = target && parsed.get(target.id)
    return target !== undefined && entity !== undefined && !isByImport(entity) && !saysTheSame(entity, target)
  }
  const isChanged = (level: ImportedLevel) =>
    level.ids.some(isEntityChanged) || targetKeysOf(level).some(isTargetChanged)
  return new Map(
    [...sources].map(([id, { form, base64 }]) => {
      const changedLevels = (levelsById.get(id) ?? []).filter(isChanged).map(({ level }) => level)
      return [id, { format: form, bytes: Buffer.from(base64, 'base64'), changedLevels }]
    })
  )
}

/**
 * Whether a principal may see source records. A source record names everything that it was read as, so every record of every type is required but those
 * of the stage, which no source record names.
 */
function readsSources(principal: Principal, model: Model): boolean {
  const isNamed = (type: string) => familyOf(type) !== 'stage'
  return (
    principal.readsEverything ||
    (model.recordTypes.every(({ type }) => !isNamed(type) || principal.mayRead(type)) &&
      principal.readLimits.every(({ type, parts }) => ![type, ...parts.map(each => each.type)].some(isNamed)))
  )
}

const targetKeysOf = ({ drafts }: ImportedLevel) => drafts.flatMap(each => each.relations.map(({ target }) => target))

const isByImport = (entity: Entity) => entity.audit.updated.by.startsWith('import:')

const saysTheSame = (entity: Entity, { metadata }: KeptTarget) =>
  metadata.every(({ key, value }) => valuesOf(entity, key).includes(value))
