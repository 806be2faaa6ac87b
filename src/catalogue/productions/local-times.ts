import { type Entity, type MetadataEntry, targetsOf } from '#domain/entity/entity.ts'
import type { Principal } from '#domain/permissions.ts'
import { programme, venuesOf } from '#domain/record-types/programme.ts'
import { readDate } from '#domain/values/dates.ts'
import { momentIn } from '#domain/values/time-zone.ts'
import { zoneOfShow } from '#domain/values/zone-of-place.ts'
import { fetchRelated } from '../entities/fetch-related.ts'
import type { Parts } from '../parts.ts'

/** The times of a performance on the clocks of its venue, by their fields, and their zone. */
export type LocalTimes = Readonly<Record<string, string>> & { readonly zone: string }

/** The time zones of performances: those of their venues, else that of the catalogue. */
export async function findZones(
  parts: Parts,
  principal: Principal,
  entities: readonly Entity[]
): Promise<(entity: Entity) => string> {
  const performances = entities.filter(({ type }) => type === programme.performance)
  const found = new Map<string, Entity>()
  const find = async (keys: readonly string[]) => {
    const relations = keys.filter(key => !found.has(key)).map(key => ({ key, type: '' }))
    const { entities: more } = await fetchRelated(parts.store.findEntities, parts.model, principal, relations)
    for (const [key, entity] of more) found.set(key, entity)
  }
  await find(
    performances.flatMap(each => [...targetsOf(each, programme.ofProduction), ...targetsOf(each, programme.at)])
  )
  const productionOf = (each: Entity) => found.get(targetsOf(each, programme.ofProduction)[0] ?? '')
  await find(performances.flatMap(each => venuesOf(each, productionOf(each))))
  return entity => zoneOfShow(entity, key => found.get(key)) ?? parts.timeZone
}

/** Adds the local times (`local`) to performances; other entities stay as they are. */
export async function withLocalTimes<Given extends Entity>(
  parts: Parts,
  principal: Principal,
  entities: readonly Given[]
): Promise<readonly (Given & { readonly local?: LocalTimes })[]> {
  const zoneOf = await findZones(parts, principal, entities)
  return entities.map(entity => {
    if (entity.type !== programme.performance) return entity
    const zone = zoneOf(entity)
    const isMoment = ({ key }: MetadataEntry) => parts.model.fieldOf(entity.type, key)?.kind === 'moment'
    const times = entity.metadata.filter(isMoment).map(({ key, value }) => [key, localText(String(value), zone)])
    return { ...entity, local: { ...Object.fromEntries(times), zone } }
  })
}

/** `2026-01-16T20:00:00`; a day stays a day. */
function localText(text: string, zone: string): string {
  const date = readDate(text)
  return date === undefined || date.isDay ? text : momentIn(zone, date.first).slice(0, 19)
}
