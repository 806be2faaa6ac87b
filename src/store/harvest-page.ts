import type { HarvestAnswer, HarvestedRecord, HarvestQuery } from './store.ts'

/* What every store does alike when it answers a harvester. */

export const harvestLimits = {
  /**
   * So many changed records, with all that show them, are gathered to find those that a time is
   * asked of; where there are more, the records are looked at one after the other. Either way one
   * answer costs no more than some tenths of a second.
   */
  mostGathered: 20_000,
  /** So many records are looked at for one answer. */
  mostLookedAt: 5000
}
/** Later than any moment that is kept. */
export const lastMoment = '9999'

export const isTimed = ({ from, until }: HarvestQuery) => from !== undefined || until !== undefined

/** Whether a record that was looked at is one of those asked for. */
export function isWanted({ types, from, until, began }: HarvestQuery): (record: HarvestedRecord) => boolean {
  const wanted = new Set(types)
  return ({ type, stamp, changed }) =>
    wanted.has(type) &&
    (from === undefined || stamp >= from) &&
    (until === undefined || stamp <= until || changed > began)
}

/**
 * Puts the records that are there and those that were deleted in one order, as far as both were
 * looked at.
 */
export function joinPage(
  { after, limit }: HarvestQuery,
  live: readonly HarvestedRecord[],
  liveUpTo: number,
  deleted: readonly HarvestedRecord[]
): HarvestAnswer {
  const deletedUpTo = deleted.length < limit ? liveUpTo : (deleted.at(-1)?.place ?? liveUpTo)
  const upTo = Math.min(liveUpTo, deletedUpTo)
  const records = [...live, ...deleted]
    .filter(({ place }) => place <= upTo)
    .sort((one, other) => one.place - other.place)
  const page = records.slice(0, limit)
  return { records: page, lookedUpTo: page.length < records.length ? (page.at(-1)?.place ?? after) : upTo }
}
