import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Field, RecordType } from '#domain/record-types/record-type.ts'

/*
 * Types and properties as reconciliation names them: types by their names and umbrellas, properties
 * by metadata keys and relation types.
 */

export interface Named {
  readonly id: string
  readonly name: string
}

/**
 * The types that somebody may read and that people know by a name, so that a list of names can be
 * matched to them.
 */
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

/** What a record is, most exactly first. */
export function typesOf(model: Model, type: string): Named[] {
  const umbrella = model.umbrellaOf(type)
  return (umbrella === type ? [type] : [type, umbrella]).map(toNamed)
}

/** The record types that a name stands for, as far as somebody may read them. */
export const readTypes = (model: Model, principal: Principal, name: string): RecordType[] =>
  model
    .typesNamed(name)
    .filter(type => principal.mayRead(type))
    .flatMap(type => model.findType(type) ?? [])

/** The properties of some record types, each once: fields, then relations to what may be read. */
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
 * `refBookingAgency` is told as "booking agency", `year_of_publication` as "year of publication".
 */
export const toNamed = (id: string): Named => ({
  id,
  name: id
    .replace(/^ref(?=[A-Z])/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase()
})

/** A property that is not a field is a relation, where its name has the form of one. */
export const isRelation = (property: string) => /^ref[A-Z]/.test(property)

/** Fields that hold a name of the record: the one people know it by, and other titles. */
export const nameKeys = ({ fields, nameField }: RecordType): string[] =>
  Object.keys(fields).filter(key => key === nameField || /(?:^|_)(?:title|name)$/.test(key))

const describing: ReadonlySet<Field['kind']> = new Set(['text', 'year', 'date', 'moment', 'choice', 'isbn'])

/** Fields by which two of the same name are told apart. */
export const describingKeys = (recordType: RecordType): string[] => {
  const names = nameKeys(recordType)
  return Object.entries(recordType.fields)
    .filter(
      ([key, { kind, default: fallback }]) => describing.has(kind) && fallback === undefined && !names.includes(key)
    )
    .map(([key]) => key)
}
