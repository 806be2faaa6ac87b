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
  /** From 0 to 100. */
  readonly score: number
  /** True of one at most, and only when it is sure. */
  readonly match: boolean
  readonly features: readonly { readonly id: string; readonly value: number }[]
}

/** So many queries of a batch are worked on at once. */
const together = 4

/** The candidates for each query of a batch. */
export async function reconcileAll(
  asker: Caller,
  principal: Principal,
  queries: ReadonlyMap<string, ReconciliationQuery>
): Promise<Record<string, { readonly result: readonly Candidate[] }>> {
  // Without a prototype: the names are of the client's choice.
  const answers: Record<string, { result: readonly Candidate[] }> = Object.create(null)
  const left = [...queries]
  while (left.length > 0) {
    const taken = left.splice(0, together)
    const found = await Promise.all(taken.map(([, query]) => reconcile(asker, principal, query)))
    for (const [index, [name]] of taken.entries()) answers[name] = { result: found[index] ?? [] }
  }
  return answers
}

/** How much the properties count beside the name. */
const weightOfProperties = 0.3

interface Scored {
  readonly entity: Entity
  readonly score: number
  readonly features: Candidate['features']
  readonly isSure: boolean
}

/** The candidates for a query, the likeliest first; of equals the one with the smaller id. */
export async function reconcile(asker: Caller, principal: Principal, query: ReconciliationQuery): Promise<Candidate[]> {
  const { model } = asker
  const entities = await findCandidates(asker, principal, query)
  const scored = await Promise.all(entities.map(entity => score(asker, principal, query, entity)))
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
        // Two that are both called so: a person has to choose.
        match: sure.length === 1 && sure[0]?.entity === entity,
        features
      }
    })
}

async function score(
  asker: Caller,
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
        : Math.max(0, ...namesOf(asker.model, entity).map(each => scoreName(query, each)))
  const compared: { readonly pid: string; readonly fit: number }[] = []
  for (const property of properties) {
    if (property.values.length === 0) continue
    const found = await valuesOfProperty(asker, principal, entity, property.pid)
    compared.push({ pid: property.pid, fit: fitOf(asker.model, property, found) })
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

/** How well the values of a record fit those asked for: the best of them counts, from 0 to 100. */
function fitOf(model: Model, { pid, values }: PropertyQuery, found: readonly FoundValue[]): number {
  return Math.max(0, ...values.flatMap(asked => found.map(value => compare(model, pid, asked, value))))
}

function compare(model: Model, pid: string, asked: PropertyValue, found: FoundValue): number {
  if ('id' in asked) return ('id' in found ? found.id : found.text) === asked.id ? sameName : 0
  const text = 'id' in found ? found.name : found.text
  if ('id' in found && found.id === asked.text.trim()) return sameName
  if (model.isIsbnKey(pid)) return isbnOf(asked.text) === isbnOf(text) ? sameName : 0
  const [day, otherDay] = [readDate(asked.text), readDate(text)]
  if (day && otherDay) return day.first <= otherDay.last && otherDay.first <= day.last ? sameName : 0
  if (isNumber(asked.text) && isNumber(text)) return Number(asked.text) === Number(text) ? sameName : 0
  return scoreName(asked.text, text)
}

const isbnOf = (text: string) => readIsbn(text)?.comparable ?? text

const isNumber = (text: string) => /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text.trim())

/** What tells a record from others of its name: the first of its other fields. */
export function describe(model: Model, entity: Entity): string {
  const recordType = model.findType(entity.type)
  if (!recordType) return ''
  return describingKeys(recordType)
    .flatMap(key => fieldTexts(entity, key).slice(0, 1))
    .filter(text => text.length <= 100)
    .slice(0, 3)
    .join(', ')
}
