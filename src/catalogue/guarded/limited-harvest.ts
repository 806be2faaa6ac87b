import { type Entity, targetsOf } from '#domain/entity/entity.ts'
import type { HarvestedRecord, HarvestQuery } from '#store/ports/harvest.ts'
import type { Store } from '#store/store.ts'
import type { LimitedView } from './limited-view.ts'

type Shown = Pick<HarvestQuery, 'climbs' | 'readableTypes'>

/** Minimum number of records that are read at once for a period, since some will be left out. */
const minRead = 1000

/**
 * Harvests for a reader with limits. The datestamp of a record is that of the last change of the
 * parts that the reader sees: a change of a hidden record does not move it, and excludes nothing
 * from a period.
 */
export function limitedHarvest(store: Store, view: LimitedView): Pick<Store, 'harvest' | 'findHarvested'> {
  return {
    async harvest(question) {
      const { until, limit } = question
      const answer = await store.harvest(
        until === undefined ? question : { ...question, allowsLaterStamps: true, limit: Math.max(limit, minRead) }
      )
      const shown = await showHarvested(store, view, answer.records, question)
      return { ...answer, records: shown.filter(isInPeriod(question)) }
    },
    async findHarvested(id, question) {
      const found = await store.findHarvested(id, question)
      return found && (await showHarvested(store, view, [found], question))[0]
    }
  }
}

const isInPeriod =
  ({ from = '', until, began }: HarvestQuery) =>
  ({ stamp, changed }: HarvestedRecord) =>
    stamp >= from && (until === undefined || stamp <= until || changed > began)

async function showHarvested(
  store: Store,
  view: LimitedView,
  records: readonly HarvestedRecord[],
  question: Shown
): Promise<HarvestedRecord[]> {
  const isLive = (record: HarvestedRecord): record is HarvestedRecord & { json: string } => record.json !== null
  const live = records.filter(isLive)
  const entities = live.map(({ json }) => JSON.parse(json) as Entity)
  const isVisible = await view.visibleAmong(entities)
  const visible = live.filter((_, index) => isVisible(entities[index] as Entity))
  const stamps = await stampsWithoutHidden(store, view, entities.filter(isVisible), question)
  const shown = new Map((await view.withoutHidden(visible)).map(record => [record.place, record]))
  return records.flatMap(record => {
    if (!isLive(record)) return view.isAffected(record.type) ? [] : [record]
    const found = shown.get(record.place)
    const stamp = stamps.get(record.id)
    // The number of that change is not known; it may be that of the hidden record.
    return found === undefined ? [] : stamp === undefined ? [found] : [{ ...found, stamp, changed: 0 }]
  })
}

/**
 * The last change of what is shown of each record, by ids, for those with a hidden record among
 * what would be shown to others.
 */
async function stampsWithoutHidden(
  store: Store,
  view: LimitedView,
  records: readonly Entity[],
  { climbs, readableTypes }: Shown
): Promise<ReadonlyMap<string, string>> {
  const find = async (keys: readonly string[]): Promise<ReadonlyMap<string, Entity>> => {
    const found = keys.length === 0 ? new Map() : await store.findEntities([...new Set(keys)])
    const entities = [...found].map(([key, { json }]) => [key, JSON.parse(json) as Entity] as const)
    return new Map(entities.filter(([, { type }]) => readableTypes?.includes(type) !== false))
  }
  const rungs = new Map(records.map(record => [record.id, new Set([record])]))
  const withHidden = new Set<string>()
  const hidden = new Set<string>()
  for (let fresh = rungs; fresh.size > 0; ) {
    const keysOf = (entities: Iterable<Entity>) => [...entities].flatMap(each => each.relations.map(({ key }) => key))
    const all = [...new Set([...fresh.values()].flatMap(keysOf))]
    for (const key of await view.hiddenAmong(all)) hidden.add(key)
    const upwards = ([id, entities]: readonly [string, ReadonlySet<Entity>]) => {
      if (keysOf(entities).some(key => hidden.has(key))) withHidden.add(id)
      const keys = [...entities].flatMap(each => climbs.flatMap(relation => targetsOf(each, relation)))
      return [id, keys.filter(key => !hidden.has(key))] as const
    }
    const above = [...fresh].map(upwards)
    const found = await find(above.flatMap(([, keys]) => keys))
    fresh = new Map()
    for (const [id, keys] of above) {
      const known = rungs.get(id) as Set<Entity>
      const isKnown = (entity: Entity) => [...known].some(each => each.id === entity.id)
      const next = new Set(keys.flatMap(key => found.get(key) ?? []).filter(each => !isKnown(each)))
      for (const each of next) known.add(each)
      if (next.size > 0) fresh.set(id, next)
    }
  }
  const relatedOf = (id: string) =>
    [...(rungs.get(id) ?? [])].flatMap(each => each.relations.map(({ key }) => key)).filter(key => !hidden.has(key))
  const related = await find([...withHidden].flatMap(relatedOf))
  const changes = (id: string) =>
    [...(rungs.get(id) ?? []), ...relatedOf(id).flatMap(key => related.get(key) ?? [])].map(
      ({ audit }) => audit.updated.at
    )
  return new Map([...withHidden].map(id => [id, changes(id).reduce((one, other) => (one > other ? one : other))]))
}
