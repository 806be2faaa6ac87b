import type { Catalogue } from '#catalogue/catalogue.ts'
import type { GivenName } from '#domain/filter/field-names.ts'
import type { Filter } from '#domain/filter/filter.ts'
import type { Principal } from '#domain/permissions.ts'
import { publicationTypes } from '#domain/record-types/families.ts'
import type { Model } from '#domain/record-types/model.ts'
import { authorityTypes } from '#domain/record-types/related.ts'
import type { SourceFormat } from '#formats/source/source-formats.ts'
import type { Xml } from '#formats/xml/write-xml.ts'
import type { Included } from '../export/read-included.ts'
import type { DescribedRecord, Need } from '../describe-records.ts'

/*
 * Words used throughout this folder:
 *
 * - format: one way to write records; `registry.ts` lists all of them
 * - writer: writes one record, or a file of all records that match a filter
 * - embedding writer: also writes a record inside an answer of OAI-PMH or SRU
 */

/** The parts that writers read from. */
export interface FormatParts {
  readonly catalogue: Catalogue
  readonly model: Model
  /** Address of the service for clients; addresses of records begin with it. */
  readonly publicUrl: string
  /** The bytes of media files, for exports that include them. */
  readonly contents?: {
    /** Throws `not_found`. */
    find(sha256: string): Promise<{ readonly size: number }>
    /** Reads the bytes from one position to another, both included. */
    read(sha256: string, first: number, last: number): Promise<AsyncIterable<Uint8Array>>
  }
}

/** The records of a file, and the options of its format. */
export interface ExportRequest {
  readonly filter: Filter
  /** The names of fields and relations in the filter. */
  readonly names?: readonly GivenName[]
  /** Types to export; all when empty. Formats of some types leave out others. */
  readonly types: readonly string[]
  /** Columns of a table; the default ones when empty. */
  readonly columns?: readonly string[]
  /** Starts a table with a byte order mark, by which some spreadsheets recognise UTF-8. */
  readonly hasBom?: boolean
  /** Writes cells that look like formulas without an apostrophe. */
  readonly keepsFormulas?: boolean
  /** Writes entities only, without the source records that they were imported from. */
  readonly omitsSources?: boolean
  /** Further parts of the catalogue, in NDJSON. */
  readonly includes?: readonly Included[]
}

/** A piece of a file, with its number of records. */
export interface ExportPiece {
  readonly bytes: Buffer
  readonly records: number
  /** Records that cannot be written in this format, with the reason. */
  readonly refused: readonly { readonly id: string; readonly message: string }[]
}

/** A record in a format, or the reason why this one cannot be written in it. */
export type WrittenRecord = { readonly body: string | Buffer } | { readonly refusal: string }

export interface Writer {
  /**
   * Writes one record. Resolves to undefined if records of its type do not have the format. Throws
   * `not_found` like a get.
   */
  one(parts: FormatParts, principal: Principal, identifier: string): Promise<WrittenRecord | undefined>
  /**
   * Writes all matching records that the principal may read, piece by piece, in constant memory. An
   * invalid request throws before the first piece.
   */
  many(parts: FormatParts, principal: Principal, request: ExportRequest): AsyncGenerator<ExportPiece, void, undefined>
}

/** The protocols whose answers contain records. */
export type EmbeddingProtocol = 'oai' | 'sru'

export interface EmbeddingWriter<Embedded extends Xml | string> extends Writer {
  /** The data that the format is made of. */
  readonly needs: Need
  /** Writes a record into an answer; undefined if the record does not have the format. */
  embed(model: Model, record: DescribedRecord, protocol: EmbeddingProtocol): Embedded | undefined
}

/** The format among the metadata formats of OAI-PMH. */
export interface HarvestedFormat {
  readonly prefix: string
  readonly namespace: string
  /** Address of the schema; relative to the root of this service if it begins with a slash. */
  readonly schema: string
}

/** The format among the record schemas of SRU. */
export interface SearchedFormat {
  readonly name: string
  readonly identifier: string
  readonly otherNames?: readonly string[]
}

/** The kinds of formats, as menus group them. */
export const formatKinds = ['table', 'citations', 'catalogue records', 'whole records', 'linked data'] as const
export type FormatKind = (typeof formatKinds)[number]

interface FormatFacts {
  /** Name for people, the same in every language. */
  readonly title: string
  /** Description for the reference of the interface. */
  readonly describe: string
  readonly mediaType: string
  readonly extension: string
  readonly kind: FormatKind
  /** The entities that have this format. */
  readonly of: DescribedEntities
  /** Whether `Accept` does not choose it: another format has the same media type. */
  readonly isByNameOnly?: true
  /** The name of the format among imports, if it can be read too. */
  readonly reads?: SourceFormat
}

/**
 * A format. It cannot be listed without its writer, and the protocols take it only with a writer
 * that writes what they contain: XML for OAI-PMH, XML or text for SRU.
 */
export type Format = FormatFacts &
  (
    | { readonly oai?: never; readonly sru?: never; load(): Promise<Writer> }
    | { readonly oai?: never; readonly sru: SearchedFormat; load(): Promise<EmbeddingWriter<Xml | string>> }
    | { readonly oai: HarvestedFormat; readonly sru: SearchedFormat; load(): Promise<EmbeddingWriter<Xml>> }
  )

export const everyEntity = 'every entity'
export const manifestations = 'a manifestation'
export const authorities = 'an authority'

/** The entities that formats describe. */
export type DescribedEntities = typeof everyEntity | typeof manifestations | typeof authorities

/** The types of entities that a format describes. */
export function typesDescribed(model: Model, of: DescribedEntities): readonly string[] {
  if (of === manifestations) return publicationTypes(model)
  const types = model.recordTypes.map(({ type }) => type)
  return of === everyEntity ? types : types.filter(type => authorityTypes.some(each => each.type === type))
}
