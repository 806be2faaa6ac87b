import type { ErrorCode } from '../errors.ts'

/**
 * The kinds a field can have. A kind says what is meant, and so how a value is checked, compared
 * and shown.
 */
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
  'age_category'
] as const

export type FieldKind = (typeof fieldKinds)[number]

export interface Field {
  readonly kind: FieldKind
  /** Must be there on create, replace and patch alike. */
  readonly required?: boolean
  /** The values a `choice` may have. */
  readonly of?: readonly string[]
  /** Other spellings that are read as one of the values. */
  readonly readAs?: Readonly<Record<string, string>>
  /** Given to a record that comes without the field. */
  readonly default?: string
  /**
   * A record may have several values. Otherwise it has one, or one for each language where it is
   * text.
   */
  readonly repeatable?: boolean
  /**
   * A code or an address rather than words: it has no translations, so `lang` makes no second
   * value.
   */
  readonly isCode?: boolean
  /** A link that people follow: of the schemes http, https, mailto and tel only. */
  readonly isAddress?: boolean
  /** In Unicode code points of the stored text. */
  readonly maxLength?: number
  /** The error that a longer value is, where clients know it by a code of its own. */
  readonly tooLong?: ErrorCode
  readonly min?: number
  readonly max?: number
  /**
   * It is a fact of the bytes that the record stands for: told from them when they arrive, and not
   * for a client to say.
   */
  readonly ofContent?: boolean
}

/** Whether a record may have one value of the field for each language. */
export const isTranslatable = ({ kind, isCode }: Field) => (kind === 'text' || kind === 'html') && !isCode

export interface RelationRule {
  /** Types and umbrellas the relation may point to. */
  readonly to: readonly string[]
  readonly min?: number
  readonly max?: number
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
  /** The field people know the record by. */
  readonly nameField: string
  /**
   * What a relation to this type carries when it is resolved: member of the answer → field
   * (specification 2.2).
   */
  readonly resolvedAs?: Readonly<Record<string, string>>
  /** Members of `resolvedAs` that are omitted when empty; all others are then `""`. */
  readonly omittedWhenEmpty?: readonly string[]
  /** The `label` of a relation to this type, where it is not the type's name. */
  readonly relationLabel?: string
  /** Whether it is one of those who make things: found together with what it made. */
  readonly isMaker?: boolean
  /**
   * A relation that climbs to the broader record; the resolved relation then lists all levels under
   * `levels`.
   */
  readonly climbsBy?: string
  /**
   * The relation to what the record is a part of: a media file or a performance is one of its
   * production.
   */
  readonly partOf?: string
  /**
   * Metadata that the service keeps: how many parts of each kind the record has. What a client
   * sends of it is passed over.
   */
  readonly counts?: readonly string[]
  /**
   * The field by which a part counts in what it is part of: there, the field `<value>_files` holds
   * how many there are.
   */
  readonly countedBy?: string
  /**
   * The field that says how far the record is made public: a scope may be narrowed to one of its
   * values.
   */
  readonly statusField?: string
  /** Pairs of fields of which the first may not be later than the second. */
  readonly periods?: readonly { readonly from: string; readonly to: string }[]
  /** A value that needs other fields to be filled in. */
  readonly needs?: readonly { readonly field: string; readonly is: string; readonly fields: readonly string[] }[]
}
