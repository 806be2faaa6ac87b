import type { Entity } from '#domain/entity.ts'
import type { KeptSource } from '#domain/kept-source.ts'
import type { Store } from '#store/store.ts'
import { mentionIdsOf } from './place/placing.ts'
import { createStaging } from './state/staging.ts'

/** The records that manifestations were imported from, by the ids of the manifestations, and which levels people have changed since. */
export async function findKeptRecords(store: Store, ids: readonly string[]): Promise<ReadonlyMap<string, KeptSource>> {
  const staging = createStaging(store)
  const sources = await staging.find('source', ids)
  if (sources.size === 0) return new Map()
  const names = await staging.find('origin', sources.keys())
  const records = await staging.find('record', names.values())
  const mentions = await staging.find(
    'mention',
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
  const edited = await staging.find('edited', new Set(all))
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
