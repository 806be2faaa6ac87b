import type { Relation } from './api.ts'
import type { FieldKey, FieldValue, RecordType, RelationType } from './checked-names.ts'

/** An entity, or a part of one; its type, if known, says which fields it has. */
interface WithMetadata<Type> {
  readonly type?: Type
  readonly metadata: readonly { readonly key: string; readonly value?: unknown; readonly lang?: string }[]
}

/** A relation of an entity. Lists with `include: 'relations'` also give the name of its target. */
export type Related = Relation & {
  /** The name of the related entity, where relations are resolved. */
  readonly value?: string
  /** Fields of the related entity, with `relatedFields`. */
  readonly fields?: Readonly<Record<string, readonly unknown[]>>
}

/** A time on the clocks of a place. */
export interface LocalTime {
  /** `2026-01-16` */
  readonly day: string
  /** `20:00`; empty if only the day is known. */
  readonly time: string
  /** The name of the time zone, such as `Europe/Brussels`. */
  readonly zone: string
}

/**
 * A time of a performance on the clocks of its venue, whatever the zone of this device; undefined
 * if it has none. Needs `include: 'local'`.
 */
export function localTime(
  { local }: { readonly local?: Readonly<Record<string, string>> & { readonly zone: string } },
  field: 'start' | 'end' | 'doors' | 'former_start' | 'on_sale_from' = 'start'
): LocalTime | undefined {
  if (local === undefined) throw new Error("The performance was read without local times; use include: 'local'")
  const text = local[field]
  return text === undefined ? undefined : { day: text.slice(0, 10), time: text.slice(11, 16), zone: local.zone }
}

/**
 * The value of a metadata key: in this language if there is one (or in a variety of it), else the
 * first. Undefined where there is none.
 */
export function value<Type extends RecordType, Key extends FieldKey<Type>>(
  { metadata }: WithMetadata<Type | (string & {})>,
  key: Key,
  lang?: string
): FieldValue<Key, Type> | undefined {
  const entries = metadata.filter(entry => entry.key === key)
  return inLanguage(entries, lang)?.value as FieldValue<Key, Type> | undefined
}

/** The entry in a language, else in a variety of it (`en-GB` for `en`), else the first. */
function inLanguage<Entry extends { readonly lang?: string }>(entries: readonly Entry[], lang: string | undefined) {
  const primary = (tag: string | undefined) => tag?.toLowerCase().split('-')[0]
  const exact = entries.find(each => lang !== undefined && each.lang === lang)
  return exact ?? entries.find(each => lang !== undefined && primary(each.lang) === primary(lang)) ?? entries[0]
}

/** The name of an entity for people, in a language if it has one: its title, name or code. */
export function label({ metadata }: WithMetadata<string>, lang?: string): string {
  const key = ['title', 'name', 'code'].find(each => metadata.some(entry => entry.key === each))
  return String(
    inLanguage(
      metadata.filter(entry => entry.key === key),
      lang
    )?.value ?? ''
  )
}

/** All values of a metadata key that repeats, such as `isbn`. */
export const values = <Type extends RecordType, Key extends FieldKey<Type>>(
  { metadata }: WithMetadata<Type | (string & {})>,
  key: Key
): FieldValue<Key, Type>[] =>
  metadata.filter(entry => entry.key === key).map(entry => entry.value as FieldValue<Key, Type>)

/** The relations of a type: `key` is the id of the target. */
export const related = <Type extends RecordType>(
  entity: { readonly type?: Type | (string & {}); readonly relations: readonly { readonly type: string }[] },
  type: RelationType<Type>
): Related[] => entity.relations.filter(relation => relation.type === type) as Related[]
