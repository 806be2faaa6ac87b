import { type ComparedRecord, comparedRecord } from '#domain/imports/same-record.ts'
import { ownAgency } from '#formats/marc/compose-record.ts'
import type { RecordDescription } from '#formats/description/description.ts'
import type { RecordHeader, SourceItem, SourceRecord } from '#formats/source/source-item.ts'
import { type DraftRules, excessOfRecord } from './draft-limits.ts'
import { type DescribedState, describeState } from './next-record.ts'

/*
 * The part of placing a record that needs nothing from the catalogue. Its result is plain JSON, a
 * third smaller than the description that it is made from, so that a thread can make it and send
 * it as text.
 */

/** A record of a file, ready to be placed. */
export interface PreparedRecord extends RecordHeader {
  readonly state: DescribedState
  /** The facts by which records with one number are compared. */
  readonly compared: ComparedRecord
  /** The limit that it exceeds. */
  readonly excess?: string
  /** Its values, for a record of this catalogue. */
  readonly ownContent?: string
}

/** An item of a file, ready to be placed. */
export type ImportItem = PreparedRecord | Exclude<SourceItem, SourceRecord>

export const prepareItem = (item: SourceItem, rules: DraftRules): ImportItem =>
  item.outcome === 'record' ? prepareRecord(item, rules) : item

export function prepareRecord(item: SourceRecord, rules: DraftRules): PreparedRecord {
  const { source: _, evidence, description, ...rest } = item
  const { controlNumber, agency, problems, manifestation } = description
  const excess = excessOfRecord(item, rules)
  return {
    ...rest,
    description: { controlNumber, agency, problems },
    state: describeState(item),
    compared: comparedRecord(evidence, { identifiers: manifestation.identifiers }),
    ...(excess === undefined ? {} : { excess }),
    ...(agency === ownAgency ? { ownContent: contentOf(description) } : {})
  }
}

/** The values of a record as one text, without the fields that they come from. */
export const contentOf = ({ manifestation, expressions, works }: RecordDescription) =>
  JSON.stringify([manifestation, expressions, works], (key, value: unknown) => (key === 'from' ? undefined : value))
