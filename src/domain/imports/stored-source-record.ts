import type { Level } from '../entity/publication.ts'

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
  /** The items that came with it, with the positions of their fields, and whether they changed. */
  readonly items: readonly { readonly id: string; readonly from: readonly number[]; readonly isChanged: boolean }[]
}
