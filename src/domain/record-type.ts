/** The kinds a field can have. A kind says what is meant, and so how a value is checked, compared and shown. */
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
  /** In Unicode code points of the stored text. */
  readonly maxLength?: number
  readonly min?: number
  readonly max?: number
}

export interface RelationRule {
  /** Types and umbrellas the relation may point to. */
  readonly to: readonly string[]
  readonly min?: number
  readonly max?: number
}

/** One type of record as a table: validation, relation resolution, OpenAPI and the docs all read it. */
export interface RecordType {
  readonly type: string
  readonly umbrella?: string
  readonly idPrefix: string
  readonly description: string
  readonly fields: Readonly<Record<string, Field>>
  readonly relations: Readonly<Record<string, RelationRule>>
  /** The field people know the record by. */
  readonly nameField: string
  /** What a relation to this type carries when it is resolved: member of the answer → field (specification 2.2). */
  readonly resolvedAs?: Readonly<Record<string, string>>
  /** The `label` of a relation to this type, where it is not the type's name. */
  readonly relationLabel?: string
  /** A relation that climbs to the broader record; the resolved relation then lists all levels under `levels`. */
  readonly climbsBy?: string
  /** A value that needs other fields to be filled in. */
  readonly needs?: readonly { readonly field: string; readonly is: string; readonly fields: readonly string[] }[]
}
