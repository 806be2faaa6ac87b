import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Field, RecordType } from '#domain/record-types/record-type.ts'

/*
 * Types and properties of reconciliation: types by name and umbrella, properties by metadata key
 * and relation type.
 */

export interface Named {
  readonly id: string
  readonly name: string
}

/** The types that the principal may read and whose records have a name to match. */
export function matchableTypes(model: Model, principal: Principal): RecordType[] {
  return model.recordTypes.filter(each => {
    const field = each.fields[each.nameField]
    return principal.mayRead(each.type) && field?.required === true && field.kind === 'text'
  })
}

/** Types and umbrellas to choose from. */
export function typesToChoose(model: Model, principal: Principal): Named[] {
  const types = matchableTypes(model, principal)
  const umbrellas = new Set(types.flatMap(({ umbrella }) => umbrella ?? []))
  return [...umbrellas, ...types.map(({ type }) => type)].map(toNamed)
}

/** The types of a record, the most specific first. */
export function typesOf(model: Model, type: string): Named[] {
  const umbrella = model.umbrellaOf(type)
  return (umbrella === type ? [type] : [type, umbrella]).map(toNamed)
}

/** The record types of a name that the principal may read. */
export const readTypes = (model: Model, principal: Principal, name: string): RecordType[] =>
  model
    .typesNamed(name)
    .filter(type => principal.mayRead(type))
    .flatMap(type => model.findType(type) ?? [])

/** The distinct properties of record types: fields, then relations to readable types. */
export function propertiesOf(model: Model, principal: Principal, types: readonly RecordType[]): Named[] {
  const fields = types.flatMap(({ fields }) => Object.keys(fields))
  const relations = types.flatMap(each =>
    Object.entries(each.relations)
      .filter(([, rule]) => rule.to.some(name => readTypes(model, principal, name).length > 0))
      .map(([type]) => type)
  )
  return [...new Set([...fields, ...relations])].map(toNamed)
}

/**
 * Makes a label: `refBookingAgency` becomes "booking agency", `year_of_publication` "year of
 * publication".
 */
export const toNamed = (id: string): Named => ({
  id,
  name: id
    .replace(/^ref(?=[A-Z])/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase()
})

/** Whether a property is a relation, by the form of its name. */
export const isRelation = (property: string) => /^ref[A-Z]/.test(property)

/** Fields with a name of the record: the main name and other titles. */
export const nameKeys = ({ fields, nameField }: RecordType): string[] =>
  Object.keys(fields).filter(key => key === nameField || /(?:^|_)(?:title|name)$/.test(key))

const describing: ReadonlySet<Field['kind']> = new Set(['text', 'year', 'date', 'moment', 'choice', 'isbn'])

/** Fields that distinguish records of the same name. */
export const describingKeys = (recordType: RecordType): string[] => {
  const names = nameKeys(recordType)
  return Object.entries(recordType.fields)
    .filter(
      ([key, { kind, default: fallback }]) => describing.has(kind) && fallback === undefined && !names.includes(key)
    )
    .map(([key]) => key)
}
