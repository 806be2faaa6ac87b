import type { Entity, Relation } from '#domain/entity/entity.ts'
import { compareNumbered, numbersOf } from '#domain/entity/part-order.ts'
import type { Principal } from '#domain/permissions.ts'
import { partRelations } from '#domain/record-types/part-relations.ts'
import { fetchRelationSummaries } from '../entities/fetch-relation-summaries.ts'
import { findReferring } from '../entities/find-referring.ts'
import { findReadable, refuseBlind } from '../entities/read-entity.ts'
import { readWithinBudget } from '../entities/read-within-budget.ts'
import { readableTypes } from '../guarded/visibility.ts'
import type { Parts } from '../parts.ts'
import { createTurns } from '../take-turns.ts'
import { levelText } from './level-text.ts'

export interface PartPage {
  /** The JSON of the parts, without the brackets around the list. */
  readonly results: string
  readonly count: number
  /** Number of parts in this page, which also ends by bytes. */
  readonly shown: number
}

interface FoundPart {
  readonly id: string
  readonly relation: Relation
}

/** Parts whose numbers are read at once. */
const chunk = 100

/**
 * Reads the parts of a record in the order of their numbers: the volumes of a series. Parts without
 * a number come last, in the order of creation.
 *
 * The numbers of all parts are read for each page.
 */
export async function readParts(
  parts: Parts,
  principal: Principal,
  identifier: string,
  { skip, limit }: { readonly skip: number; readonly limit: number }
): Promise<PartPage> {
  refuseBlind(principal)
  const whole = await findReadable(parts, principal, identifier)
  const relationTypes = partRelations(parts.model, whole.type)
  if (relationTypes.length === 0) return { results: '', count: 0, shown: 0 }
  const ids = await findReferring(parts.store, whole.id, readableTypes(principal), relationTypes)
  const names = new Set((JSON.parse(whole.json) as Entity).identifiers)
  const toWhole = ({ key, type }: Relation) => relationTypes.includes(type) && names.has(key)
  const found: FoundPart[] = []
  const takeTurns = createTurns()
  for (let at = 0; at < ids.length; at += chunk) {
    const stored = await parts.store.findEntities(ids.slice(at, at + chunk))
    for (const id of ids.slice(at, at + chunk)) {
      const json = stored.get(id)?.json
      const relation = json === undefined ? undefined : (JSON.parse(json) as Entity).relations.find(toWhole)
      if (relation) found.push({ id, relation })
      await takeTurns()
    }
  }
  const wanted = found.sort((one, other) => compareNumbered(one.relation, other.relation)).slice(skip, skip + limit)
  const { entities, length } = await readWithinBudget(
    parts.store,
    wanted.map(({ id }) => id)
  )
  const shown = wanted.slice(0, length).flatMap(({ id, relation }) => {
    const entity = entities.get(id)
    return entity ? [{ entity, relation }] : []
  })
  const relations = shown.flatMap(({ entity }) => entity.relations)
  const summaries = await fetchRelationSummaries(parts.store.findEntities, parts.model, principal, relations)
  const results = shown.map(({ entity, relation }) => {
    const numbers = numbersOf(relation)
    const number = numbers.length === 0 ? '' : `"number":${JSON.stringify(numbers.join(', '))},`
    return `{"id":${JSON.stringify(entity.id)},${number}${levelText(entity, summaries)}}`
  })
  return { results: results.join(), count: found.length, shown: length }
}
