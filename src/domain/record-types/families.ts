import type { Model } from './model.ts'
import type { RecordType } from './record-type.ts'
import { families } from './built-in.ts'

/** Of the types of a model file, which are in none of the families that come with the program. */
const otherFamily = 'other'

const familyByType: ReadonlyMap<string, string> = new Map(
  Object.entries(families).flatMap(([family, types]: [string, readonly RecordType[]]) =>
    types.map(({ type }) => [type, family] as const)
  )
)

export const familyNames: readonly string[] = [...Object.keys(families), otherFamily]

export const familyOf = (type: string): string => familyByType.get(type) ?? otherFamily

/** The types that are publications: what library formats such as MARC describe. */
export const publicationTypes = (model: Model): readonly string[] => model.typesNamed('manifestation')
