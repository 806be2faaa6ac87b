import { CatalogueError } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import { wemLinks } from '#domain/entity/publication.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import type { HarvestedRecord } from '#store/ports/harvest.ts'
import type { Parts } from '../parts.ts'
import { refuseBlind } from '../entities/read-entity.ts'
import { readableTypes, showAllTo } from '../guarded/visibility.ts'

/**
 * How far a harvest is. It holds everything that going on needs, so whoever harvests carries it,
 * and the service keeps nothing.
 */
export interface HarvestPosition {
  /** Tells one catalogue from another. */
  readonly epoch: string
  /**
   * The last change when the harvest began, and the record that was created last then: what came
   * later is for the next harvest.
   */
  readonly began: number
  readonly last: number
  /** The record that was given last. */
  readonly after: number
}

export interface HarvestRequest {
  readonly types: readonly string[]
  readonly from?: string
  readonly until?: string
  readonly limit: number
  /** Undefined begins. */
  readonly position?: HarvestPosition
}

export interface HarvestPage {
  readonly records: readonly HarvestedRecord[]
  /** Undefined when that was all. */
  readonly next: HarvestPosition | undefined
}

const climbs = Object.values(wemLinks)

/**
 * One page of the records that a harvester asked for, in the order of creation, deleted ones
 * included. Following `next` gives every record that was there when the harvest began exactly once,
 * as it is when its page is read, whatever is written meanwhile. Throws `cursor_expired` for a
 * position in another catalogue.
 */
export async function harvest(parts: Parts, principal: Principal, request: HarvestRequest): Promise<HarvestPage> {
  refuseBlind(principal)
  const { store } = parts
  const types = request.types.filter(type => principal.mayRead(type))
  const position = request.position ?? (await beginning(parts))
  const feed = await store.feedState()
  if (position.epoch !== feed.epoch)
    throw new CatalogueError('cursor_expired', 'The harvest was begun in another catalogue; begin anew')
  const wanted = request.limit + 1
  const records: HarvestedRecord[] = []
  let after = position.after
  // One more than asked for tells whether there is a next page: a list must not end with an empty
  // one.
  while (records.length < wanted && after < position.last && types.length > 0) {
    const { from, until } = request
    const answer = await store.harvest({
      types,
      readableTypes: readableTypes(principal),
      climbs,
      ...(from === undefined ? {} : { from }),
      ...(until === undefined ? {} : { until }),
      began: position.began,
      after,
      last: position.last,
      limit: wanted - records.length
    })
    records.push(...answer.records)
    after = answer.readUpTo
  }
  const page = records.slice(0, request.limit)
  const last = page.at(-1)
  return {
    records: await showHarvested(parts, principal, page),
    next: records.length > page.length && last ? { ...position, after: last.place } : undefined
  }
}

/**
 * One record as a harvester sees it, by its id; undefined when there never was one that the
 * principal may read.
 */
export async function findHarvested(
  parts: Parts,
  principal: Principal,
  id: string
): Promise<HarvestedRecord | undefined> {
  refuseBlind(principal)
  const found = await parts.store.findHarvested(id, { readableTypes: readableTypes(principal), climbs })
  if (!found || !principal.mayRead(found.type)) return undefined
  const [shown] = await showHarvested(parts, principal, [found])
  return shown
}

/** The earliest moment that a stamp can have; undefined while there is nothing. */
export async function earliestStamp(parts: Parts, principal: Principal): Promise<string | undefined> {
  refuseBlind(principal)
  return (await parts.store.harvestState()).earliest
}

async function beginning({ store }: Parts): Promise<HarvestPosition> {
  // In this order: a record that comes in between is given, and known to be new.
  const { epoch, newest } = await store.feedState()
  const { last } = await store.harvestState()
  return { epoch, began: newest, last, after: 0 }
}

async function showHarvested(parts: Parts, principal: Principal, records: readonly HarvestedRecord[]) {
  const live = records.filter(({ json }) => json !== null)
  const shown = await showAllTo(parts.store, principal, live as unknown as StoredEntity[])
  const jsonById = new Map(shown.map(each => [each.id, each.json]))
  return records.map(record => ({ ...record, json: record.json === null ? null : (jsonById.get(record.id) ?? null) }))
}
