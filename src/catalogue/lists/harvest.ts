import { CatalogueError } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import { wemLinks } from '#domain/entity/publication.ts'
import { holdings } from '#domain/record-types/holdings.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import type { HarvestedRecord } from '#store/ports/harvest.ts'
import type { Parts } from '../parts.ts'
import { refuseBlind } from '../entities/read-entity.ts'
import { scopeOf, showAllTo } from '../guarded/visibility.ts'

/**
 * The position of a harvest. It contains everything that is needed to continue: the harvester
 * carries it, and the service stores nothing.
 */
export interface HarvestPosition {
  /** Identifies the catalogue. */
  readonly epoch: string
  /**
   * The last change when the harvest began, and the record that was created last then: later ones
   * are for the next harvest.
   */
  readonly began: number
  readonly last: number
  /** The last record of the previous page. */
  readonly after: number
}

export interface HarvestRequest {
  readonly types: readonly string[]
  readonly from?: string
  readonly until?: string
  readonly limit: number
  /** Undefined for the first page. */
  readonly position?: HarvestPosition
}

export interface HarvestPage {
  readonly records: readonly HarvestedRecord[]
  /** Undefined after the last page. */
  readonly next: HarvestPosition | undefined
}

/** The relations to the records that are shown with one, and from them. */
const shownTo = (principal: Principal) => ({
  ...scopeOf(principal),
  climbs: Object.values(wemLinks),
  parts: principal.mayRead(holdings.item) ? [holdings.ofPublication] : []
})

/**
 * Reads one page of records for a harvester, in the order of creation, including deleted ones.
 * Following `next` returns every record that existed when the harvest began exactly once, in its
 * state when its page is read, whatever is written meanwhile. Throws `cursor_expired` for a
 * position in another catalogue.
 */
export async function harvest(parts: Parts, principal: Principal, request: HarvestRequest): Promise<HarvestPage> {
  refuseBlind(principal)
  const { store } = parts
  const types = request.types.filter(type => principal.mayRead(type))
  const position = request.position ?? (await beginning(parts))
  const feed = await store.feedState()
  if (position.epoch !== feed.epoch)
    throw new CatalogueError('cursor_expired', 'The harvest began in another catalogue; start again')
  const wanted = request.limit + 1
  const records: HarvestedRecord[] = []
  let after = position.after
  // One more than requested tells whether there is a next page: a list must not end with an empty
  // page.
  while (records.length < wanted && after < position.last && types.length > 0) {
    const { from, until } = request
    const answer = await store.harvest({
      types,
      ...shownTo(principal),
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
 * Reads one record as a harvester sees it, by its id; undefined when no record that the principal
 * may read ever existed.
 */
export async function findHarvested(
  parts: Parts,
  principal: Principal,
  id: string
): Promise<HarvestedRecord | undefined> {
  refuseBlind(principal)
  const found = await parts.store.findHarvested(id, shownTo(principal))
  if (!found || !principal.mayRead(found.type)) return undefined
  const [shown] = await showHarvested(parts, principal, [found])
  return shown
}

/**
 * A moment before which nothing changed; undefined while the catalogue is empty. Readers from whom
 * records are hidden get a constant: the moment could be that of a hidden record, and finding the
 * first one that they may read could take a walk over the whole catalogue.
 */
export async function earliestStamp(parts: Parts, principal: Principal): Promise<string | undefined> {
  refuseBlind(principal)
  if (!principal.readsEverything || principal.readLimits.length > 0) return beforeEverything
  return (await parts.store.harvestState()).earliest
}

const beforeEverything = '1970-01-01T00:00:00.000Z'

async function beginning({ store }: Parts): Promise<HarvestPosition> {
  // In this order: a record that is created in between is returned, and recognised as new.
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
