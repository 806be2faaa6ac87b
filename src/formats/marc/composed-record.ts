import type { Level, Publication } from '#domain/entity/publication.ts'
import type { MarcRecord } from './record.ts'

/** A MARC 21 record made of a publication. */
export interface ComposedRecord {
  readonly record: MarcRecord
  /**
   * For each field of the record, in order, the levels that it describes; empty for fields about
   * the record itself.
   */
  readonly levels: readonly (readonly Level[])[]
  readonly publication: Publication
}
