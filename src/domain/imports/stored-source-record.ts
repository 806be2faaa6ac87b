import type { Level } from '../entity/publication.ts'

/** The source record of a manifestation, as received. */
export interface StoredSourceRecord {
  /** Its format: `iso2709`, `marcxml` … */
  readonly format: string
  readonly bytes: Uint8Array
  /** The levels that people changed since: for these the source record is out of date. */
  readonly changedLevels: readonly Level[]
  /** The items that came with it, with the positions of their fields, and whether they changed. */
  readonly items: readonly { readonly id: string; readonly from: readonly number[]; readonly isChanged: boolean }[]
}
