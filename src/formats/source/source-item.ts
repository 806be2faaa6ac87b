import type { RecordEvidence, WorkEvidence } from '#domain/clustering/evidence.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { CsvMapping } from '../tables/publication-mapping.ts'
import type { RowRecord, RowSource } from '../tables/map-row.ts'
import type { HistoryLine } from '../ndjson/history-line.ts'
import type { MediaLine } from '../ndjson/media-line.ts'
import type { SourceLine } from '../ndjson/source-line.ts'
import type { ItemMapping } from './item-mapping.ts'
import type { SourceFormat } from './source-formats.ts'
import {
  type AuthorityDraft,
  type AuthorityRelation,
  type Draft,
  type ItemDraft,
  type RecordDescription,
  titleKinds
} from '../description/description.ts'
import type { Defect } from './defects.ts'
import type { Position } from './position.ts'

/*
 * The items of a file of records, in any format, one after the other. An import needs nothing else.
 *
 * - source: the bytes that an item was read from
 * - name: the permanent identifier of a record, so that a later file can change or delete it
 */

interface ItemBase {
  readonly format: SourceFormat
  readonly position: Position
  readonly defects: readonly Defect[]
  /**
   * The item as received; for a table the header and the row. At most the first 100,000 bytes of an
   * unreadable one.
   */
  readonly source: Uint8Array
  /**
   * The names of fields, elements or columns that have no place in the model, once for each that
   * the item has. They are in the source record only.
   */
  readonly unmapped?: readonly string[]
}

/** The description of a record, and the evidence that its works are found by. */
export interface DescribedRecord {
  readonly description: RecordDescription
  readonly evidence: RecordEvidence
}

/**
 * A record to find works for. `description.problems` with `no_title` means that no manifestation
 * can be made of it.
 */
export interface SourceRecord extends ItemBase, DescribedRecord {
  readonly outcome: 'record'
  /**
   * `(agency)control number`; the control number alone; or `sha256:…` of the source for a record
   * without one.
   */
  readonly name: string
}

/** The part of a record that reports of an import show. */
export interface RecordHeader extends Omit<SourceRecord, 'source' | keyof DescribedRecord> {
  readonly description: Pick<RecordDescription, 'controlNumber' | 'agency' | 'problems'>
}

/** An item of which only the header is known, if it is a record. */
type ReportedItem = RecordHeader | Exclude<SourceItem, SourceRecord>

/** The deletion of a record in its source system. */
export interface SourceDeletion extends ItemBase {
  readonly outcome: 'deletion'
  /** Undefined if the file does not name the record. */
  readonly name: string | undefined
}

/** One of our entities, to be written unchanged. It is not checked yet. */
export interface SourceEntity extends ItemBase {
  readonly outcome: 'entity'
  readonly entity: Readonly<Record<string, unknown>>
}

/** A row of a file that a mapping turns into records of any type. */
export interface SourceRow extends ItemBase {
  readonly outcome: 'row'
  readonly records: readonly RowRecord[]
}

/** An authority record: a person, an organisation, a subject, a place or a uniform title. */
export interface SourceAuthority extends ItemBase {
  readonly outcome: 'authority'
  readonly name: string
  readonly authority: AuthorityDraft
  /** The fields beside its names, and the relations. */
  readonly details: AuthorityDraft['metadata']
  readonly relations: readonly AuthorityRelation[]
  /** The record as it was imported, where people have edited it since. */
  readonly imported?: { readonly form: string; readonly base64: string }
}

/** A holdings record: the copies of a publication whose record has the given number. */
export interface SourceHoldings extends ItemBase {
  readonly outcome: 'holdings'
  readonly name: string
  /** The control number of the publication, and its agency if it is known. */
  readonly of: { readonly controlNumber: string; readonly agency: string | undefined }
  /** None when the holdings record was deleted. */
  readonly items: readonly ItemDraft[]
}

/** The knowledge of imports about an entity, on a line that another catalogue exported. */
export interface SourceCarried extends ItemBase {
  readonly outcome: 'carried'
  readonly line: SourceLine
  /** The record that the line contains. */
  readonly record: SourceRecord | undefined
}

/** A version of an entity, on a line that another catalogue exported. */
export interface SourceVersion extends ItemBase {
  readonly outcome: 'version'
  readonly line: HistoryLine
}

/** A piece of the bytes of a media file; the import joins the pieces of each content. */
export interface SourcePiece extends ItemBase, Omit<MediaLine, 'bytes'> {
  readonly outcome: 'piece'
  readonly bytes: Buffer
}

/** The bytes of a media file, after all their pieces were read and stored. */
export interface SourceContent extends ItemBase {
  readonly outcome: 'content'
  readonly sha256: string
  /** The reason if they are not stored. */
  readonly fault: string | undefined
}

export interface SourceUnreadable extends ItemBase {
  readonly outcome: 'unreadable'
  /** The control number, if it could be read. */
  readonly name: string | undefined
}

export type SourceItem =
  | SourceRecord
  | SourceDeletion
  | SourceEntity
  | SourceRow
  | SourceAuthority
  | SourceHoldings
  | SourceCarried
  | SourceVersion
  | SourcePiece
  | SourceContent
  | SourceUnreadable

export interface SourceOptions {
  /** The format, if it should not be detected. */
  readonly format?: SourceFormat
  /** The meaning of the columns of a table (`readCsvMapping`); by default their names decide. */
  readonly mapping?: CsvMapping
  /** The records that each row of the file becomes (`readRowMapping`). */
  readonly rows?: RowSource
  /**
   * The meaning of fields with items in MARC (`readItemMapping`); by default 852 and 876 to 878.
   */
  readonly items?: ItemMapping
  /** The model of the records that events become; by default the built-in one. */
  readonly model?: Model
  /** The agency of control numbers, for records that do not name it. */
  readonly agency?: string
  /** A longer record is left out, with a defect. Bounds the memory of reading. */
  readonly maxRecordBytes?: number
  /**
   * Called for each record of a file that is divided among several readers, in order: whether this
   * reader gives its item.
   */
  readonly isOwn?: (position: Position) => boolean
}

export const recordName = (agency: string | undefined, controlNumber: string) =>
  agency === undefined || agency === '' ? controlNumber : `(${agency})${controlNumber}`

/** One work that a record names: the evidence for it, and the drafts that describe it. */
export interface SourceMention {
  readonly evidence: WorkEvidence
  readonly work: Draft
  readonly expression: Draft
  /** Rank of the kind of title that the work has; 0 is the surest kind. */
  readonly titleRank: number
}

/**
 * Pairs the evidence of a record with the drafts that it was made from, in the order of the
 * evidence. Types of drafts follow the kind that clustering goes by: all records of a work must
 * agree on its type, since an entity never changes its type.
 */
export function mentionsIn({ description, evidence }: DescribedRecord): SourceMention[] {
  const { works, expressions } = description
  return evidence.works.flatMap(each => {
    const work = works[each.described]
    const expression = expressions.find(({ work: realised }) => realised === each.described) ?? expressions[0]
    if (work === undefined || expression === undefined) return []
    const typed = (type: string) => type.replace(/_.*/, `_${each.kind}`)
    const [title] = work.keys.titles
    return [
      {
        evidence: each,
        work: { ...work, type: typed(work.type) },
        expression: { ...expression, type: typed(expression.type) },
        titleRank: title === undefined ? titleKinds.length : titleKinds.indexOf(title.kind)
      }
    ]
  })
}

/** The control number of an item, as people see it in reports. */
export function controlNumberOf(item: ReportedItem): string | undefined {
  if (item.outcome === 'carried') return item.record?.description.controlNumber
  if (item.outcome === 'row') {
    const [first] = item.records
    return first?.identity.by === 'identifier' ? first.identity.identifier : undefined
  }
  if (item.outcome === 'record') return item.description.controlNumber
  return 'name' in item ? item.name : undefined
}

/** Everything odd about an item, as sentences: defects found on reading, then mapping problems. */
export function remarksOn(item: ReportedItem): string[] {
  const defects = item.defects.map(({ tag, message }) => (tag === undefined ? message : `${tag}: ${message}`))
  const problems = item.outcome === 'record' ? item.description.problems.map(each => each.message) : []
  return [...defects, ...problems]
}
