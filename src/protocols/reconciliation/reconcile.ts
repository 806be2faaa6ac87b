import { readDate } from '#domain/values/dates.ts'
import type { Entity } from '#domain/entity/entity.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import { type Caller, findCandidates } from './find-candidates.ts'
import { fieldTexts, type FoundValue, nameOf, namesOf, valuesOfProperty } from './property-values.ts'
import type { PropertyQuery, PropertyValue, ReconciliationQuery } from './read-queries.ts'
import { sameName, scoreName } from './score-name.ts'
import { describingKeys, type Named, typesOf } from './vocabulary.ts'

export interface Candidate {
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly type: readonly Named[]
  /** Score from 0 to 100. */
  readonly score: number
  /** True for at most one candidate, and only for a certain match. */
  readonly match: boolean
  readonly features: readonly { readonly id: string; readonly value: number }[]
}

/** Queries of a batch that run at the same time. */
const together = 4

/** The candidates for each query of a batch. */
export async function reconcileAll(
  caller: Caller,
  principal: Principal,
  queries: ReadonlyMap<string, ReconciliationQuery>
): Promise<Record<string, { readonly result: readonly Candidate[] }>> {
  // Without a prototype: the client chooses the keys.
  const answers: Record<string, { result: readonly Candidate[] }> = Object.create(null)
  const left = [...queries]
  while (left.length > 0) {
    const taken = left.splice(0, together)
    const found = await Promise.all(taken.map(([, query]) => reconcile(caller, principal, query)))
    for (const [index, [name]] of taken.entries()) answers[name] = { result: found[index] ?? [] }
  }
  return answers
}

/** Weight of the properties beside the name. */
const weightOfProperties = 0.3

interface Scored {
  readonly entity: Entity
  readonly score: number
  readonly features: Candidate['features']
  readonly isSure: boolean
}

/** The candidates for a query by descending score, then by id. */
export async function reconcile(
  caller: Caller,
  principal: Principal,
  query: ReconciliationQuery
): Promise<Candidate[]> {
  const { model } = caller
  const entities = await findCandidates(caller, principal, query)
  const scored = await Promise.all(entities.map(entity => score(caller, principal, query, entity)))
  const sure = scored.filter(({ isSure }) => isSure)
  return scored
    .filter(each => each.score > 0)
    .sort((one, other) => other.score - one.score || (one.entity.id < other.entity.id ? -1 : 1))
    .slice(0, query.limit)
    .map(({ entity, score: points, features }) => {
      const description = describe(model, entity)
      return {
        id: entity.id,
        name: nameOf(model, entity),
        ...(description === '' ? {} : { description }),
        type: typesOf(model, entity.type),
        score: points,
        // Two records have this name: a person has to choose.
        match: sure.length === 1 && sure[0]?.entity === entity,
        features
      }
    })
}

async function score(
  caller: Caller,
  principal: Principal,
  { query, properties }: ReconciliationQuery,
  entity: Entity
): Promise<Scored> {
  const isNamed = query !== undefined && entity.identifiers.includes(query.trim())
  const name =
    query === undefined
      ? undefined
      : isNamed
        ? sameName
        : Math.max(0, ...namesOf(caller.model, entity).map(each => scoreName(query, each)))
  const compared: { readonly pid: string; readonly fit: number }[] = []
  for (const property of properties) {
    if (property.values.length === 0) continue
    const found = await valuesOfProperty(caller, principal, entity, property.pid)
    compared.push({ pid: property.pid, fit: fitOf(caller.model, property, found) })
  }
  const fits = compared.map(({ fit }) => fit)
  const average = fits.length === 0 ? undefined : fits.reduce((sum, fit) => sum + fit, 0) / fits.length
  const points =
    average === undefined
      ? (name ?? 0)
      : name === undefined
        ? average
        : name * (1 - weightOfProperties) + average * weightOfProperties
  return {
    entity,
    score: Math.round(points * 100) / 100,
    features: [
      ...(name === undefined ? [] : [{ id: 'name', value: name }]),
      ...compared.map(({ pid, fit }) => ({ id: `property ${pid}`, value: fit }))
    ],
    isSure: (name ?? sameName) === sameName && fits.every(fit => fit === sameName)
  }
}

/** Scores the best match of the values of a record with the requested ones, from 0 to 100. */
function fitOf(model: Model, { pid, values }: PropertyQuery, found: readonly FoundValue[]): number {
  return Math.max(0, ...values.flatMap(wanted => found.map(value => compare(model, pid, wanted, value))))
}

function compare(model: Model, pid: string, wanted: PropertyValue, found: FoundValue): number {
  if ('id' in wanted) return ('id' in found ? found.id : found.text) === wanted.id ? sameName : 0
  const text = 'id' in found ? found.name : found.text
  if ('id' in found && found.id === wanted.text.trim()) return sameName
  if (model.isIsbnKey(pid)) return isbnOf(wanted.text) === isbnOf(text) ? sameName : 0
  const [day, otherDay] = [readDate(wanted.text), readDate(text)]
  if (day && otherDay) return day.first <= otherDay.last && otherDay.first <= day.last ? sameName : 0
  if (isNumber(wanted.text) && isNumber(text)) return Number(wanted.text) === Number(text) ? sameName : 0
  return scoreName(wanted.text, text)
}

const isbnOf = (text: string) => readIsbn(text)?.comparable ?? text

const isNumber = (text: string) => /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text.trim())

/** A description that distinguishes records of the same name: the first of its other fields. */
export function describe(model: Model, entity: Entity): string {
  const recordType = model.findType(entity.type)
  if (!recordType) return ''
  return describingKeys(recordType)
    .flatMap(key => fieldTexts(entity, key).slice(0, 1))
    .filter(text => text.length <= 100)
    .slice(0, 3)
    .join(', ')
}
