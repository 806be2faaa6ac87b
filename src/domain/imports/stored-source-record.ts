import type { Level } from '../entity/publication.ts'
import type { ItemMeaning } from '../record-types/holdings.ts'

/**
 * The fields and relations that people changed, by level: the keys and types of those of the whole
 * publication, and `contained title` for the works in it. Undefined where it is not known which.
 */
export type ChangedFields = ReadonlyMap<Level, ReadonlySet<string> | undefined>

/** The keys of fields and types of relations that people changed; undefined where unknown. */
export type ChangedNames = ReadonlySet<string> | undefined

/** The authority records of an entity, as received. */
export interface StoredAuthorityRecord {
  readonly sources: readonly Pick<StoredSourceRecord, 'format' | 'bytes'>[]
  readonly changed: ChangedNames
}

/** The source record of a manifestation, as received. */
export interface StoredSourceRecord {
  /** Its format: `iso2709`, `marcxml` … */
  readonly format: string
  readonly bytes: Uint8Array
  /** The fields that people changed since: for these the source record is out of date. */
  readonly changed: ChangedFields
  readonly items: readonly SourceItemState[]
  /** The meaning of its fields with items, where it is not that of MARC 21, if items changed. */
  readonly itemMapping?: Readonly<Record<string, Readonly<Record<string, ItemMeaning>>>>
  /** The holdings records that name it, as received. */
  readonly holdings: readonly StoredHoldingsRecord[]
}

/** An item that came with a record. */
export interface SourceItemState {
  readonly id: string
  /** The positions of its fields in the record. */
  readonly from: readonly number[]
  /** Whether people have changed it since. */
  readonly isChanged: boolean
}

export interface StoredHoldingsRecord {
  readonly format: string
  readonly bytes: Uint8Array
  readonly items: readonly SourceItemState[]
}
