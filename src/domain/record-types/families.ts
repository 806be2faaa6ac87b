import { type Level, levels } from '../entity/publication.ts'
import { table } from '../table.ts'
import type { Model } from './model.ts'
import type { Field, RecordType } from './record-type.ts'
import { families } from './built-in.ts'

/** The family of model file types that are in none of the built-in families. */
const otherFamily = 'other'

const familyByType: ReadonlyMap<string, string> = new Map(
  Object.entries(families).flatMap(([family, types]: [string, readonly RecordType[]]) =>
    types.map(({ type }) => [type, family] as const)
  )
)

export const familyNames: readonly string[] = [...Object.keys(families), otherFamily]

export const familyOf = (type: string): string => familyByType.get(type) ?? otherFamily

/** The types of publications, which library formats such as MARC describe. */
export const publicationTypes = (model: Model): readonly string[] => model.typesNamed('manifestation')

const fieldsByLevel: Readonly<Record<string, RecordType['fields'] | undefined>> = table(
  Object.fromEntries(
    levels.map(level => [level, families.bibliographic.find(({ umbrella }) => umbrella === level)?.fields])
  )
)

/** A field of a level of publications, whatever the material. */
export const fieldOfLevel = (level: Level, key: string): Field | undefined => fieldsByLevel[level]?.[key]
