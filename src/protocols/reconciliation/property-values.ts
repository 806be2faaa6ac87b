import type { Catalogue } from '#catalogue/catalogue.ts'
import { mapInTurns } from '#catalogue/take-turns.ts'
import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { CatalogueError } from '#domain/errors.ts'
import { textOf } from '#domain/search/index-values.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import { isRelation, nameKeys } from './vocabulary.ts'

/** A value of a property: of a field, or a related record with its name. */
export type FoundValue = { readonly text: string } | { readonly id: string; readonly name: string }

/** Related records that are read at once. */
const readAtOnce = 8

/** The values of a property of an entity, as far as the principal may read them. */
export async function valuesOfProperty(
  { catalogue, model }: { readonly catalogue: Catalogue; readonly model: Model },
  principal: Principal,
  entity: Entity,
  property: string
): Promise<FoundValue[]> {
  if (!isRelation(property)) return fieldTexts(entity, property).map(text => ({ text }))
  const keys = entity.relations.filter(({ type }) => type === property).map(({ key }) => key)
  const found = await mapInTurns([...new Set(keys)], key => findEntity(catalogue, principal, key), readAtOnce)
  return found.flatMap(each => (each ? [{ id: each.id, name: nameOf(model, each) }] : []))
}

/** Finds the entity of an identifier as the principal sees it; undefined if it may not be read. */
export async function findEntity(
  catalogue: Catalogue,
  principal: Principal,
  identifier: string
): Promise<Entity | undefined> {
  try {
    return JSON.parse((await catalogue.entities.read(principal, identifier)).body) as Entity
  } catch (error) {
    if (error instanceof CatalogueError && error.code === 'not_found') return undefined
    throw error
  }
}

/** All names of a record; its main name first. */
export function namesOf(model: Model, entity: Entity): string[] {
  const recordType = model.findType(entity.type)
  if (!recordType) return []
  const { nameField } = recordType
  const others = nameKeys(recordType).filter(key => key !== nameField)
  return [nameField, ...others].flatMap(key => fieldTexts(entity, key))
}

export const nameOf = (model: Model, entity: Entity) => namesOf(model, entity)[0] ?? entity.id

/** The texts of a field, with lists flattened and without empty ones. */
export const fieldTexts = (entity: Entity, key: string): string[] =>
  valuesOf(entity, key)
    .flatMap(value => (Array.isArray(value) ? value : [value]))
    .map(textOf)
    .filter(text => text !== '')
