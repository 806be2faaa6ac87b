/**
 * Selects records for a harvester: of some types, in their current state, deleted ones included, in
 * the order of creation.
 */
export interface HarvestQuery {
  readonly types: readonly string[]
  /** The types that exist for the caller; undefined for all. */
  readonly readableTypes: readonly string[] | undefined
  /**
   * Relation types that lead to a record whose content is shown with this one, as a manifestation
   * shows its expression.
   */
  readonly climbs: readonly string[]
  /**
   * Relation types by which records that are shown with this one refer to it, as items do to their
   * publication.
   */
  readonly parts: readonly string[]
  /** Only changes in this period; both moments included. */
  readonly from?: string
  readonly until?: string
  /**
   * Returns records that show something changed in the period, also if something else that they
   * show changed after `until`: for a caller that hides records, and so decides by other stamps.
   */
  readonly allowsLaterStamps?: boolean
  /**
   * The last change when the harvest began. Later changes are included also when they are after
   * `until`, so that no record disappears from a list that is being read.
   */
  readonly began: number
  /** Records after this place, and none beyond `last`. */
  readonly after: number
  readonly last: number
  readonly limit: number
}

/** The records that are shown with one. */
export type ShownRecords = Pick<HarvestQuery, 'readableTypes' | 'climbs' | 'parts'>

export interface HarvestedRecord {
  readonly id: string
  readonly type: string
  /** The place in the order of creation; it never changes, not even by a deletion and restore. */
  readonly place: number
  /**
   * The last change of everything that is shown of it: of itself, of the records it climbs to, of
   * its parts, of the records related to those.
   */
  readonly stamp: string
  /** The number of that change. */
  readonly changed: number
  /** Null when it is deleted. */
  readonly json: string | null
}

export interface HarvestPage {
  readonly records: readonly HarvestedRecord[]
  /**
   * The last place that was read: nothing up to here is missing from the pages so far. `last` when
   * everything was read.
   */
  readonly readUpTo: number
}

export interface HarvestState {
  /** The place of the record that was created last. */
  readonly last: number
  /** No stamp is earlier; undefined when nothing was ever written. */
  readonly earliest: string | undefined
}

/** Reads records for harvesters. */
export interface HarvestStore {
  /**
   * Reads records in the order of creation. A record that matches once goes on to match, whatever
   * happens to it, and never moves: a caller that goes on from the end of the last page misses
   * nothing and meets nothing twice.
   */
  harvest(query: HarvestQuery): Promise<HarvestPage>
  /** One record as a harvester sees it, by its id only; also when it is deleted. */
  findHarvested(id: string, query: ShownRecords): Promise<HarvestedRecord | undefined>
  harvestState(): Promise<HarvestState>
}
