import type { Entity, RecordFields, RecordRelations, RecordUmbrellas, Relation } from './api.ts'

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

/** The record types that a name stands for: those of an umbrella, or itself. */
export type TypesOf<Name extends TypeName> = Name extends keyof RecordUmbrellas ? RecordUmbrellas[Name] : Name

/** A metadata entry of a record type. */
export type EntryOf<Type extends RecordType> = {
  [Each in Type]: {
    [Key in keyof RecordFields[Each] & string]: { key: Key; value: RecordFields[Each][Key]; lang?: string }
  }[keyof RecordFields[Each] & string]
}[Type]

/** An entity of a record type: its fields and relations are those of the type. */
export interface EntityOf<Type extends RecordType> extends Omit<Entity, 'type' | 'metadata' | 'relations'> {
  type: Type
  metadata: EntryOf<Type>[]
  relations: (Relation & { type: RelationType<Type> })[]
}

/** The type that a filter asks for, if it is known and the filter is not negated. */
type TypeAsked<Each> = Each extends { readonly match_not: unknown } | { readonly or: unknown }
  ? never
  : Each extends { readonly type: 'type'; readonly value: infer Value }
    ? Value extends readonly (infer One)[]
      ? KnownType<One>
      : KnownType<Value>
    : never

type KnownType<Name> = true extends IsOpen<Name> ? never : Name & TypeName

/** The entities that filters find: of the type that they ask for, if it is known. */
export type Found<Each> = [TypeAsked<Each>] extends [never] ? Entity : EntityOf<TypesOf<TypeAsked<Each>>>

export type FilterType =
  | ('type' | 'text' | 'selection' | 'date' | 'number' | 'boolean' | 'id' | 'search')
  | ('readiness' | 'geo' | 'together')

type Prefix = '' | `${string}:${number}|`

/** The name of a relation in a path: `ref_seasons` for `refSeasons`. */
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''

/** A path that filters and facets may name. */
export type FieldPath =
  | `${Prefix}${'type' | 'id' | 'identifiers' | 'date_created' | 'date_updated' | 'created_by' | 'last_editor'}`
  | `${Prefix}audit.${'created' | 'updated'}.${'at' | 'by'}`
  | `${Prefix}${'properties' | 'metadata'}.${FieldKey}.value`
  | `${Prefix}properties.${SnakeCase<RelationType>}.${string}`
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
          ? CheckedNames<Each[Member], Type extends 'together' ? 'work' | 'edition' : FieldPath>
          : Member extends 'item_types'
            ? CheckedNames<Each[Member], TypeName>
            : Member extends 'value'
              ? Type extends 'type'
                ? CheckedNames<Each[Member], TypeName | '*' | ''>
                : Type extends 'together'
                  ? CheckedFilters<Each[Member]>
                  : Each[Member]
              : Member extends 'or'
                ? CheckedFilters<Each[Member]>
                : Member extends keyof AnyFilter
                  ? Each[Member]
                  : never
    }
  : never

type CheckedFilters<Filters> = Filters extends readonly unknown[]
  ? { readonly [Index in keyof Filters]: CheckedFilter<Filters[Index]> }
  : Filters

/** A name that is one of the known ones, or known only at run time. */
export type CheckedName<Name, Known> = Checked<Name, Known>

/** The scope of a token. */
export type Scope =
  | 'admin'
  | `${'read' | 'write' | 'delete'}${'' | `:${TypeName}`}`
  | `read:production:${FieldValue<'status', 'production'>}`

/** A new entity, or a change of one, before its names are checked. */
export interface AnyInput {
  readonly type?: string
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

type CheckedRelation<Each, Type> = Each extends { readonly type: infer Name }
  ? Type extends RecordType
    ? Name extends Checked<Name, RelationType<Type>>
      ? Each
      : Omit<Each, 'type'> & { readonly type: RelationType<Type> }
    : Each
  : never

type CheckedRelations<Relations, Type> = Relations extends readonly unknown[]
  ? { readonly [Index in keyof Relations]: CheckedRelation<Relations[Index], Type> }
  : Relations

type CheckedEntries<Entries, Type> = Entries extends readonly unknown[]
  ? { readonly [Index in keyof Entries]: CheckedEntry<Entries[Index], Type> }
  : Entries

/** The type of an input, if it is a literal; else all types. */
type TypeOfInput<Input> = Input extends { readonly type: infer Type }
  ? true extends IsOpen<Type>
    ? RecordType
    : Type
  : RecordType

/** An entity or a change whose literal names are those of its record type. */
export type CheckedInput<Input extends AnyInput> = {
  readonly [Member in keyof Input]: Member extends 'type'
    ? Checked<Input[Member], RecordType>
    : Member extends 'metadata'
      ? CheckedEntries<Input[Member], TypeOfInput<Input>>
      : Member extends 'relations'
        ? CheckedRelations<Input[Member], TypeOfInput<Input>>
        : Input[Member]
}
