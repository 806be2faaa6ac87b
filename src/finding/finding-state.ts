/** The state of the index in memory. */
export interface FindingState {
  /** The number of queries that it answered, and that it could not answer yet. */
  readonly answered: number
  readonly refused: number
  /** The number of queries that were refused after they had waited for it. */
  readonly turnedAway: number
  /** Whether queries can be answered: there is a base, or the records are so few that none is. */
  readonly isReady: boolean
  /** The records that were read of all, while a base of the index is built. */
  readonly building: { readonly done: number; readonly of: number } | undefined
  /** The number of times that there was no base and one had to be made. */
  readonly outages: number
  /** The number of bases that were made, of all records or of changes. */
  readonly builds: number
  /** When the base was made, in milliseconds since 1970; undefined while there is none. */
  readonly builtAt: number | undefined
  /** The changes that the base lacks, as far as is known; queries apply them. */
  readonly missingChanges: number
  /** The records of the base; undefined while there is none. */
  readonly records: number | undefined
  /** The memory of the base. */
  readonly bytes: number
  /** Whether the base was read from a snapshot. */
  readonly isFromSnapshot: boolean
  /**
   * When this process last saved a snapshot of the base, in milliseconds since 1970, how often that
   * failed, and why it did last.
   */
  readonly snapshot: {
    readonly savedAt: number | undefined
    readonly failures: number
    readonly failure: unknown
  }
  /** The number of faults of the index, and the last of them; it is then built again. */
  readonly faults: number
  readonly fault: unknown
  /**
   * Whether no query can be answered: every thread works on one that passed its deadline, or there
   * is no index and none could be built. False while the first one is being built.
   */
  readonly isBlocked: boolean
}
