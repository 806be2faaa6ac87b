import type { ErrorCode } from '../errors.ts'
import type { LeftOut } from './left-out.ts'

/** The kinds of fields. A kind decides how a value is checked, compared and shown. */
export const fieldKinds = [
  'text',
  'html',
  'choice',
  'number',
  'minutes',
  'year',
  'date',
  'moment',
  'boolean',
  'isbn',
  'codes',
  'age_category',
  'price',
  'time_zone'
] as const

export type FieldKind = (typeof fieldKinds)[number]

/** Forms of texts that are checked with a warning: the value is stored in any case. */
export type FieldForm = 'issn' | 'ean' | 'language' | 'email'

/**
 * A field or relation by whose values people narrow a search. It is declared in one type, and holds
 * for every type with a field or relation of the same name.
 */
export interface FacetRule {
  /** The place among all facets, smallest first. */
  readonly order: number
  /** Whether readers without an account do not have it. */
  readonly isForStaff?: boolean
  /** Whether it is counted from the start; others when they are unfolded, as counting is costly. */
  readonly isOpen?: boolean
}

export interface Field {
  readonly kind: FieldKind
  readonly form?: FieldForm
  /** Required on create, replace and patch alike. */
  readonly required?: boolean
  /** The values a `choice` may have. */
  readonly of?: readonly string[]
  /** Other spellings of the values. */
  readonly readAs?: Readonly<Record<string, string>>
  /** The value of a record that is sent without the field. */
  readonly default?: string
  /**
   * Whether a record may have several values. Otherwise it has one, or one for each language if it
   * is text.
   */
  readonly repeatable?: boolean
  /**
   * Whether it is a code or an address rather than words: it has no translations, so `lang` makes
   * no second value.
   */
  readonly isCode?: boolean
  /** Whether it is another form of the name: a search finds the record and its works by it. */
  readonly isVariantName?: boolean
  /** Whether it goes on with the name: a search ranks its words like those of a longer name. */
  readonly isSubtitle?: boolean
  /**
   * Whether a search finds the record by its words. By default it does, except by values of a
   * `choice` and a `boolean`, which have no words of their own.
   */
  readonly isSearched?: boolean
  /**
   * Whether it identifies the record, as an ISBN does: two records with the same value are likely
   * to be duplicates.
   */
  readonly identifies?: boolean
  /** Whether records stand on shelves in the order of its values. */
  readonly isShelfMark?: boolean
  /** Whether it is a link for people: only with the schemes http, https, mailto and tel. */
  readonly isAddress?: boolean
  /** In Unicode code points of the stored text. */
  readonly maxLength?: number
  /** The error code of a longer value, if clients know it by its own. */
  readonly tooLong?: ErrorCode
  readonly min?: number
  readonly max?: number
  /**
   * Whether it is a fact of the bytes that the record describes: read from them when they arrive,
   * never set by a client.
   */
  readonly ofContent?: boolean
  readonly facet?: FacetRule
  /** Whether it serves the work on the record and tells a reader nothing: public pages omit it. */
  readonly isInternal?: boolean
  /** The formats that have no rule for it. */
  readonly leftOut?: LeftOut
}

/** Tests whether a record may have one value of the field for each language. */
export const isTranslatable = ({ kind, isCode }: Field) => (kind === 'text' || kind === 'html') && !isCode

/**
 * The weight of the words of a field in a search: those of a name come before those of other text.
 * Undefined if it is not searched. Undeclared fields are text.
 */
export function searchedAs(recordType: RecordType | undefined, key: string): 'name' | 'subtitle' | 'text' | undefined {
  const field = recordType && Object.hasOwn(recordType.fields, key) ? recordType.fields[key] : undefined
  if (!(field?.isSearched ?? (field?.kind !== 'choice' && field?.kind !== 'boolean'))) return undefined
  if (key === recordType?.nameField || field?.isVariantName === true) return 'name'
  return field?.isSubtitle === true ? 'subtitle' : 'text'
}

export interface RelationRule {
  /** Types and umbrellas the relation may point to. */
  readonly to: readonly string[]
  readonly min?: number
  readonly max?: number
  /**
   * Whether the record is a part of the target: the volume of a series. `number` in the metadata of
   * the relation is its place among the parts.
   */
  readonly isPart?: boolean
  /**
   * The keys of the metadata of the relation itself that people fill in, such as the role of a
   * person and the part that they play.
   */
  readonly details?: readonly string[]
  readonly facet?: FacetRule
  /** The formats that have no rule for it. */
  readonly leftOut?: LeftOut
}

/** Something that a record should have when it is published. */
export interface ReadinessRule {
  readonly name: string
  /** The name for people, by language. */
  readonly label?: Readonly<Record<string, string>>
  /** The filters that the record meets then, in the form of `POST /entities/filter`. */
  readonly filters: readonly object[]
  /** The number of days before the date of the record at which it is due. */
  readonly dueDays?: number
}

/**
 * One type of record as a table: validation, relation resolution, OpenAPI and the docs all read it.
 */
export interface RecordType {
  readonly type: string
  readonly umbrella?: string
  readonly idPrefix: string
  readonly description: string
  readonly fields: Readonly<Record<string, Field>>
  readonly relations: Readonly<Record<string, RelationRule>>
  /** The field that names the record for people. */
  readonly nameField: string
  /**
   * The fields and relations that tell records with the same name apart, such as life dates.
   * Records with the same name and the same of all these are likely to be duplicates.
   */
  readonly toldApartBy?: readonly string[]
  /** The members of a resolved relation to this type, each with its field. */
  readonly resolvedAs?: Readonly<Record<string, string>>
  /** Members of `resolvedAs` that are omitted when empty; all others are then `""`. */
  readonly omittedWhenEmpty?: readonly string[]
  /** The `label` of a relation to this type, if it is not the name of the type. */
  readonly relationLabel?: string
  /** Whether records of this type create works: their works are found by their names. */
  readonly isMaker?: boolean
  /**
   * The relation to the broader record; the resolved relation then lists all levels under `levels`.
   */
  readonly climbsBy?: string
  /**
   * The relation to the whole that the record is a part of: a media file or a performance is a part
   * of its production.
   */
  readonly partOf?: string
  /**
   * The fields without which a part is not shown to readers by status, such as the rights of a
   * media file.
   */
  readonly shownWith?: readonly string[]
  /**
   * Metadata that the service maintains: the number of parts of each kind. Values from clients are
   * ignored.
   */
  readonly counts?: readonly string[]
  /**
   * The field that groups the parts of a whole: there, the field `<value>_files` holds their
   * number.
   */
  readonly countedBy?: string
  /** The field with the state of publication: a scope may be narrowed to one of its values. */
  readonly statusField?: string
  /**
   * The fields with the moments from which and until which readers by status see the record; absent
   * for no such moment.
   */
  readonly publication?: { readonly from: string; readonly until: string }
  /** Pairs of fields; the first may not be later than the second. */
  readonly periods?: readonly { readonly from: string; readonly to: string }[]
  /**
   * The fields of a date that may move: its beginning, the former one, and the status with its
   * value then and its usual one.
   */
  readonly moved?: {
    readonly start: string
    readonly former: string
    readonly status: string
    readonly is: string
    readonly usual: string
  }
  /** The field with the date before which the rules of readiness are due. */
  readonly dueBefore?: string
  readonly readiness?: readonly ReadinessRule[]
  /** A value that requires other fields. */
  readonly needs?: readonly { readonly field: string; readonly is: string; readonly fields: readonly string[] }[]
}
