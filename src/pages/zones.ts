import { type Entity, targetsOf } from '#domain/entity/entity.ts'
import { programme, venuesOf } from '#domain/record-types/programme.ts'
import { zoneOfShow } from '#domain/values/zone-of-place.ts'
import type { PageParts } from './page.ts'
import { readRecords } from './read-records.ts'

/** The time zones of performances: those of their venues, else that of the catalogue. */
export async function zonesOf(parts: PageParts, entities: readonly Entity[]): Promise<(entity: Entity) => string> {
  const performances = entities.filter(({ type }) => type === programme.performance)
  const found = new Map<string, Entity>()
  const find = async (keys: readonly string[]) => {
    for (const [key, entity] of await readRecords(parts, keys)) found.set(key, entity)
  }
  await find(
    performances.flatMap(each => [...targetsOf(each, programme.ofProduction), ...targetsOf(each, programme.at)])
  )
  const productionOf = (each: Entity) => found.get(targetsOf(each, programme.ofProduction)[0] ?? '')
  await find(performances.flatMap(each => venuesOf(each, productionOf(each))).filter(key => !found.has(key)))
  return entity => zoneOfShow(entity, key => found.get(key)) ?? parts.timeZone
}
