import type { HarvestPage, HarvestedRecord, HarvestQuery } from '../ports/harvest.ts'

export const harvestLimits = {
  /**
   * Maximum number of changed records, with all records that show them, that are gathered to find
   * the changes of a period; where there are more, the records are inspected one after the other.
   * Either way one answer takes at most some tenths of a second.
   */
  maxGathered: 20_000,
  /** Maximum number of records inspected for one answer. */
  maxInspected: 5000
}
/** Later than any stored moment. */
export const lastMoment = '9999'

export const isTimed = ({ from, until }: HarvestQuery) => from !== undefined || until !== undefined

/** Tells whether an inspected record belongs to the answer. */
export function isWanted({
  types,
  from,
  until,
  allowsLaterStamps = false,
  began
}: HarvestQuery): (record: HarvestedRecord) => boolean {
  const wanted = new Set(types)
  return ({ type, stamp, changed }) =>
    wanted.has(type) &&
    (from === undefined || stamp >= from) &&
    (until === undefined || allowsLaterStamps || stamp <= until || changed > began)
}

/** Merges existing and deleted records into one order, as far as both were inspected. */
export function joinPage(
  { after, limit }: HarvestQuery,
  live: readonly HarvestedRecord[],
  liveUpTo: number,
  deleted: readonly HarvestedRecord[]
): HarvestPage {
  const deletedUpTo = deleted.length < limit ? liveUpTo : (deleted.at(-1)?.place ?? liveUpTo)
  const upTo = Math.min(liveUpTo, deletedUpTo)
  const records = [...live, ...deleted]
    .filter(({ place }) => place <= upTo)
    .sort((one, other) => one.place - other.place)
  const page = records.slice(0, limit)
  return { records: page, readUpTo: page.length < records.length ? (page.at(-1)?.place ?? after) : upTo }
}
