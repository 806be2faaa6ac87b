import type { RecordFields, RecordRelations, RecordUmbrellas } from './api.ts'

/*
 * The names of record types, fields and relations, checked where a program writes them as literals:
 * `{ type: 'serach' }` and `orderBy: 'titel'` do not compile. Names that are known only at run time
 * (of type `string`) pass. A model file adds names; declare them beside the built-in ones:
 *
 *   declare module 'libretto-client' {
 *     interface RecordFields { festival: { name: string } }
 *     interface RecordRelations { festival: 'refVenues' }
 *   }
 */

/** The record types. */
export type RecordType = keyof RecordFields & string

/** A record type, or an umbrella such as `manifestation`. */
export type TypeName = RecordType | keyof RecordUmbrellas

/** The metadata keys of a record type; without one, of all. */
export type FieldKey<Type extends RecordType = RecordType> = {
  [Each in Type]: keyof RecordFields[Each] & string
}[Type]

/** The relation types of a record type; without one, of all. */
export type RelationType<Type extends RecordType = RecordType> =
  | RecordRelations[Type & keyof RecordRelations]
  | 'refMediafiles'
  | 'refPrimaryMediafile'
  | 'refPrimaryThumbnail'

/** The values that a metadata key has, in whichever record types have it. */
export type FieldValue<Key extends string, Type extends RecordType = RecordType> = {
  [Each in Type]: Key extends keyof RecordFields[Each] ? RecordFields[Each][Key] : never
}[Type]

export type FilterType =
  | ('type' | 'text' | 'selection' | 'date' | 'number' | 'boolean' | 'id' | 'search')
  | ('readiness' | 'geo' | 'together')

type Prefix = '' | `${string}:${number}|`

/** A path that filters and facets may name. */
export type FieldPath =
  | `${Prefix}${'type' | 'id' | 'identifiers' | 'date_created' | 'date_updated' | 'created_by' | 'last_editor'}`
  | `${Prefix}audit.${'created' | 'updated'}.${'at' | 'by'}`
  | `${Prefix}${'properties' | 'metadata'}.${FieldKey}.value`
  | `${Prefix}properties.ref_${string}`
  | `${Prefix}relations.${RelationType}.${string}`

type OrderItem = FieldKey | 'date_created' | 'date_updated' | 'id' | 'type'

/** Whether a text is known only at run time, as a whole or in part. */
type IsOpen<Name> = Name extends string ? (Record<never, never> extends Record<Name, 1> ? true : false) : false

/** The name, if it is known only at run time or one of the known names; else the known names. */
type Checked<Name, Known> = true extends IsOpen<Name> ? Name : Name extends Known ? Name : Known

type CheckedNames<Names, Known> = Names extends readonly unknown[]
  ? { readonly [Index in keyof Names]: Checked<Names[Index], Known> }
  : Checked<Names, Known>

/** A comma list of names, each checked. */
export type CheckedList<List, Known extends string> = string extends List
  ? List
  : List extends `${infer First},${infer Rest}`
    ? First extends Known
      ? Rest extends CheckedList<Rest, Known>
        ? List
        : `${First},${Known}`
      : Known
    : List extends Known | ''
      ? List
      : Known

export type CheckedOrder<Order> = CheckedList<Order, OrderItem>

/** A filter, before its names are checked. */
export interface AnyFilter {
  readonly type: string
  readonly key?: string | readonly string[]
  readonly value?: unknown
  readonly match_exact?: boolean
  readonly match_not?: boolean
  readonly match_all_words?: boolean
  readonly and_condition?: boolean
  readonly relation_keys?: readonly string[]
  readonly operator?: string
  readonly item_types?: readonly string[]
  readonly or?: readonly AnyFilter[]
  readonly distinct_by?: string
  readonly aggregation?: string
  readonly regex?: boolean
  readonly regex_options?: string
  readonly inner_exact_matches?: unknown
  readonly lookup?: unknown
  readonly facets?: unknown
  readonly parent_key?: string
  readonly provide_value_options_for_key?: boolean
}

/** A filter whose literal names are those of the model. */
export type CheckedFilter<Each> = Each extends { readonly type: infer Type }
  ? {
      readonly [Member in keyof Each]: Member extends 'type'
        ? Checked<Each[Member], FilterType>
        : Member extends 'key'
          ? CheckedNames<Each[Member], FieldPath>
          : Member extends 'item_types'
            ? CheckedNames<Each[Member], TypeName>
            : Member extends 'value'
              ? Type extends 'type'
                ? CheckedNames<Each[Member], TypeName | '*' | ''>
                : Each[Member]
              : Member extends keyof AnyFilter
                ? Each[Member]
                : never
    }
  : never

/** A new entity, before its names are checked. */
export interface AnyInput {
  readonly type: string
  readonly id?: string
  readonly metadata?: readonly { readonly key: string; readonly value: unknown; readonly lang?: string }[]
  readonly relations?: readonly { readonly type: string; readonly key: string; readonly metadata?: unknown }[]
  readonly identifiers?: readonly string[]
  readonly [member: string]: unknown
}

type CheckedEntry<Entry, Type> = Entry extends { readonly key: infer Key }
  ? string extends Key
    ? Entry
    : Type extends RecordType
      ? Key extends FieldKey<Type>
        ? Entry extends { readonly value: FieldValue<Key, Type> | '' | null }
          ? Entry
          : Omit<Entry, 'value'> & { readonly value: FieldValue<Key, Type> }
        : Omit<Entry, 'key'> & { readonly key: FieldKey<Type> }
      : Entry
  : never

type CheckedEntries<Entries, Type> = Entries extends readonly unknown[]
  ? { readonly [Index in keyof Entries]: CheckedEntry<Entries[Index], Type> }
  : Entries

/** An entity whose literal names are those of its record type. */
export type CheckedInput<Input extends AnyInput> = {
  readonly [Member in keyof Input]: Member extends 'type'
    ? Checked<Input[Member], RecordType>
    : Member extends 'metadata'
      ? CheckedEntries<Input[Member], Input['type']>
      : Input[Member]
}
