import type { Entity } from '#domain/entity/entity.ts'
import { foldText } from '#domain/values/fold.ts'
import type { Principal } from '#domain/permissions.ts'
import { type Caller, findBeginning } from './find-candidates.ts'
import { findEntity, nameOf, namesOf } from './property-values.ts'
import { describe } from './reconcile.ts'
import { wordsOf } from './score-name.ts'
import { matchableTypes, type Named, propertiesOf, readTypes, typesOf, typesToChoose } from './vocabulary.ts'

/* Suggestions for a typed text. */

const maxSuggestions = 20

export interface EntitySuggestion extends Named {
  readonly description?: string
  readonly notable: readonly Named[]
}

/** Records with a word that begins with the text; names that begin with it come first. */
export async function suggestEntities(
  caller: Caller,
  principal: Principal,
  prefix: string,
  types: readonly string[]
): Promise<EntitySuggestion[]> {
  const { catalogue, model } = caller
  const typed = prefix.trim()
  if (typed === '') return []
  const direct = await findEntity(catalogue, principal, typed)
  const found = await findBeginning(caller, principal, typed, types, maxSuggestions)
  if (direct && !found.some(({ id }) => id === direct.id)) found.unshift(direct)
  const begin = wordsOf(typed).join(' ')
  const rank = (entity: Entity) => {
    if (entity.id === direct?.id) return 0
    const names = namesOf(model, entity).map(name => wordsOf(name).join(' '))
    if (names.some(name => name.startsWith(begin))) return 1
    return names.some(name => ` ${name}`.includes(` ${begin}`)) ? 2 : 3
  }
  return found
    .map(entity => ({ entity, place: rank(entity), name: nameOf(model, entity) }))
    .sort(
      (one, other) =>
        one.place - other.place || compare(one.name, other.name) || compare(one.entity.id, other.entity.id)
    )
    .slice(0, maxSuggestions)
    .map(({ entity, name }) => {
      const description = describe(model, entity)
      return {
        id: entity.id,
        name,
        ...(description === '' ? {} : { description }),
        notable: typesOf(model, entity.type)
      }
    })
}

export const suggestTypes = ({ model }: Caller, principal: Principal, prefix: string): Named[] =>
  fitting(typesToChoose(model, principal), prefix)

export const suggestProperties = ({ model }: Caller, principal: Principal, prefix: string): Named[] =>
  fitting(propertiesOf(model, principal, matchableTypes(model, principal)), prefix)

/** The properties of a type that can be fetched. */
export const proposeProperties = ({ model }: Caller, principal: Principal, type: string | undefined): Named[] =>
  propertiesOf(
    model,
    principal,
    type === undefined ? matchableTypes(model, principal) : readTypes(model, principal, type)
  )

const fitting = (all: readonly Named[], prefix: string): Named[] => {
  const typed = foldText(prefix.trim())
  return all
    .filter(({ id, name }) => foldText(id).startsWith(typed) || ` ${name}`.includes(` ${typed}`))
    .slice(0, maxSuggestions)
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
