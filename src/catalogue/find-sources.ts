import type { Entity } from '#domain/entity.ts'
import type { KeptSource } from '#domain/kept-source.ts'
import type { Principal } from '#domain/permissions.ts'
import { createDesk } from './imports/desk.ts'
import { mentionIdsOf } from './imports/placing.ts'
import type { Parts } from './parts.ts'

/**
 * The records that manifestations were imported from, by the ids of the manifestations, and which levels people have changed since. A source names
 * everything that it was read as, so it is only for those who may read everything.
 */
export async function findSources(
  { store }: Parts,
  principal: Principal,
  ids: readonly string[]
): Promise<ReadonlyMap<string, KeptSource>> {
  if (!principal.readsEverything) return new Map()
  const desk = createDesk(store)
  const sources = await desk.find('import source', ids)
  if (sources.size === 0) return new Map()
  const names = await desk.find('import origin', sources.keys())
  const records = await desk.find('import record', names.values())
  const mentions = await desk.find(
    'import mention',
    [...records].flatMap(([name, record]) => mentionIdsOf(name, record))
  )
  const levelsOf = (id: string) => {
    const name = names.get(id) ?? ''
    const own = mentionIdsOf(name, records.get(name)).flatMap(each => mentions.get(each) ?? [])
    return {
      manifestation: [id],
      expression: own.map(each => each.expressionId),
      work: own.map(each => each.workId)
    }
  }
  const all = [...sources.keys()].flatMap(id => Object.values(levelsOf(id)).flat())
  const entities = await store.findEntities([...new Set(all)])
  const edited = await desk.find('import edited', new Set(all))
  const isChanged = (id: string) => {
    const entity = entities.get(id)
    if (entity === undefined || edited.has(id)) return true
    return !(JSON.parse(entity.json) as Entity).audit.updated.by.startsWith('import:')
  }
  return new Map(
    [...sources].map(([id, { form, base64 }]) => {
      const levels = Object.entries(levelsOf(id)) as [KeptSource['changedLevels'][number], string[]][]
      const changedLevels = levels.filter(([, entityIds]) => entityIds.some(isChanged)).map(([level]) => level)
      return [id, { format: form, bytes: Buffer.from(base64, 'base64'), changedLevels }]
    })
  )
}
