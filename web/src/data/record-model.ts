import type { Entity, FieldRow, RecordTypeRow } from '../../../client/index.ts'
import type { FindModel } from '../../../src/domain/find/find-state.ts'
import { findStageTypes, type StageTypes } from './stage-types.ts'

/** A facet: a field, or a relation whose targets are counted. */
export interface ModelFacet {
  readonly name: string
  /** The path that filters and facets of the service have for it. */
  readonly path: string
  readonly isRelation: boolean
  /** The same for the records that have it through their parts, such as publications by copies. */
  readonly ofWhole?: { readonly path: string; readonly types: readonly string[] }
  /** Whether it is counted from the start. */
  readonly open: boolean
}

/** The record types of this catalogue that the token may see. */
export interface RecordModel extends FindModel {
  readonly types: readonly RecordTypeRow[]
  /** The time zone of the catalogue, for places whose own is not known. */
  readonly timeZone: string
  find(type: string): RecordTypeRow | undefined
  /** The umbrella of a type, or the type itself: its kind. */
  familyOf(type: string): string
  /** All kinds, in the order of the tables, each with its types. */
  readonly families: ReadonlyMap<string, readonly RecordTypeRow[]>
  /** The classifications that the token may read, those with levels first. */
  readonly classifications: readonly RecordTypeRow[]
  readonly stage: StageTypes
  /** The facets of the records, in their order. */
  readonly facets: readonly ModelFacet[]
  fieldOf(type: string, key: string): FieldRow | undefined
  may(action: 'read' | 'write' | 'delete', type: string): boolean
  /** The kind of value of a key, whichever type it belongs to. */
  kindOf(key: string): string | undefined
  /** The relations of the parts of records of a kind, such as the volumes of a series. */
  partRelations(family: string): readonly string[]
}

export function createRecordModel(types: readonly RecordTypeRow[], timeZone: string): RecordModel {
  const byName = new Map(types.map(row => [row.type, row]))
  const familyOf = (type: string) => byName.get(type)?.umbrella ?? type
  const kinds = new Map(types.flatMap(({ fields }) => fields.map(({ key, kind }) => [key, kind] as const)))
  const climbs = new Map(
    types.flatMap(({ relations }) =>
      relations.flatMap(({ type, to }) => {
        const climbsBy = to.map(each => byName.get(each)?.climbs_by).find(each => each !== undefined)
        return climbsBy === undefined || climbsBy === type ? [] : [[type, climbsBy] as const]
      })
    )
  )
  const families = Map.groupBy(types, row => row.umbrella ?? row.type)
  const fieldOf = (type: string, key: string) => byName.get(type)?.fields.find(field => field.key === key)
  return {
    types,
    timeZone,
    find: type => byName.get(type),
    familyOf,
    families,
    isType: name => families.has(name) || byName.has(name),
    momentOf: name => {
      const row = families.get(name)?.[0] ?? byName.get(name)
      return row && fieldOf(row.type, row.name_field)?.kind === 'moment' ? row.name_field : undefined
    },
    stage: findStageTypes(types),
    facets: facetsOf(types),
    classifications: types
      .filter(row => isClassification(row) && row.may.includes('read'))
      .toSorted((one, other) => Number(one.climbs_by === undefined) - Number(other.climbs_by === undefined)),
    fieldOf,
    may: (action, type) => byName.get(type)?.may.includes(action) ?? false,
    kindOf: key => kinds.get(key),
    climbsBy: relation => climbs.get(relation),
    partRelations: family => [
      ...new Set(
        types.flatMap(({ relations }) =>
          relations
            .filter(({ is_part, to }) => is_part && to.some(each => familyOf(each) === family))
            .map(({ type }) => type)
        )
      )
    ]
  }
}

function facetsOf(types: readonly RecordTypeRow[]): readonly ModelFacet[] {
  const facets = types.flatMap(({ fields, relations, part_of }) => [
    ...fields.map(({ key, facet }) => ({ name: key, path: `properties.${key}.value`, isRelation: false, facet })),
    ...relations.map(({ type, facet }) => ({
      name: type,
      path: `relations.${type}.key`,
      isRelation: true,
      facet,
      ...(part_of === undefined ? {} : { ofWhole: facetOfWhole(types, relations, part_of, type) })
    }))
  ])
  const byPath = new Map(facets.flatMap(each => (each.facet ? [[each.path, { ...each, ...each.facet }]] : [])))
  return [...byPath.values()].toSorted((one, other) => one.order - other.order)
}

/** A relation of the parts of a record, as a facet of the record; none if records have it too. */
function facetOfWhole(
  types: readonly RecordTypeRow[],
  relations: RecordTypeRow['relations'],
  partOf: string,
  relation: string
): ModelFacet['ofWhole'] {
  const isOfWholes = types.some(row => row.part_of === undefined && row.relations.some(({ type }) => type === relation))
  if (isOfWholes) return undefined
  const wholes = relations.find(({ type }) => type === partOf)?.to ?? []
  return { path: `referring.${partOf}.${relation}.value`, types: wholes }
}

/** Whether records of a type are classes: in a hierarchy, or named by their code. */
export const isClassification = ({ climbs_by, name_field }: RecordTypeRow) =>
  climbs_by !== undefined || name_field === 'code'

/** All values of a key, those in the wanted language first. */
export function valuesOf(entity: Pick<Entity, 'metadata'>, key: string, language?: string): unknown[] {
  const entries = entity.metadata.filter(each => each.key === key && !isEmpty(each.value))
  const rank = (lang: string | undefined) => (lang === language ? 0 : lang === undefined ? 1 : 2)
  return entries.toSorted((one, other) => rank(one.lang) - rank(other.lang)).map(each => each.value)
}

/** The part of a record that its name is in. */
export type Named = Pick<Entity, 'id' | 'metadata'> & { readonly type: string }

/** The name of a record: its name field in the wanted language, or its id. */
export function nameOf(model: RecordModel, entity: Named, language?: string): string {
  const row = model.find(entity.type)
  const [name] = row ? valuesOf(entity, row.name_field, language) : []
  return name === undefined ? entity.id : textOf(name)
}

/** The language of the name that a record is shown by, where the record gives it. */
export function langOfName(model: RecordModel, entity: Named, language: string): string | undefined {
  const field = model.find(entity.type)?.name_field
  const name = nameOf(model, entity, language)
  return entity.metadata.find(({ key, value }) => key === field && textOf(value) === name)?.lang
}

export const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

/** Any value as text. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

/**
 * Whether the service computes a field: the number of files of a category with a declared status.
 */
export const isComputed = (row: RecordTypeRow | undefined, key: string) =>
  key.endsWith('_files') && (row?.fields.some(field => field.key === key.replace(/_files$/, '_status')) ?? false)
