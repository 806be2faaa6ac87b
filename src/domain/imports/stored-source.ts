import type { Level } from '../entity/publication.ts'

/** The record that a manifestation was imported from, as it came. */
export interface StoredSource {
  /** In which form: `iso2709`, `marcxml` … */
  readonly format: string
  readonly bytes: Uint8Array
  /**
   * The levels that were changed since by somebody other than the import: of these the source no
   * longer says the truth.
   */
  readonly changedLevels: readonly Level[]
}
