import { createTurns, mapInTurns } from '#catalogue/take-turns.ts'
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
  const candidates = await mapInTurns(entities, entity => readValues(caller, principal, query, entity))
  const takeTurns = createTurns()
  const scored: Scored[] = []
  for (const candidate of candidates) scored.push(await score(model, query, candidate, takeTurns))
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

/** A record with its values of the requested properties. */
interface Compared {
  readonly entity: Entity
  readonly found: readonly { readonly property: PropertyQuery; readonly values: readonly FoundValue[] }[]
}

async function readValues(
  caller: Caller,
  principal: Principal,
  { properties }: ReconciliationQuery,
  entity: Entity
): Promise<Compared> {
  const wanted = properties.filter(({ values }) => values.length > 0)
  const found = wanted.map(async property => ({
    property,
    values: await valuesOfProperty(caller, principal, entity, property.pid)
  }))
  return { entity, found: await Promise.all(found) }
}

type TakeTurns = ReturnType<typeof createTurns>

async function score(
  model: Model,
  { query }: ReconciliationQuery,
  { entity, found }: Compared,
  takeTurns: TakeTurns
): Promise<Scored> {
  const isNamed = query !== undefined && entity.identifiers.includes(query.trim())
  const name =
    query === undefined
      ? undefined
      : isNamed
        ? sameName
        : await best(namesOf(model, entity), each => scoreName(query, each), takeTurns)
  const compared: { readonly pid: string; readonly fit: number }[] = []
  for (const { property, values } of found)
    compared.push({ pid: property.pid, fit: await fitOf(model, property, values, takeTurns) })
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

/** The highest score of a list. Comparing long names takes a while, so other requests get turns. */
async function best<T>(list: readonly T[], scoreOf: (item: T) => number, takeTurns: TakeTurns): Promise<number> {
  let highest = 0
  for (const item of list) {
    const turn = takeTurns()
    if (turn) await turn
    highest = Math.max(highest, scoreOf(item))
    if (highest === sameName) break
  }
  return highest
}

/** Scores the best match of the values of a record with the requested ones, from 0 to 100. */
async function fitOf(
  model: Model,
  { pid, values }: PropertyQuery,
  found: readonly FoundValue[],
  takeTurns: TakeTurns
): Promise<number> {
  let fit = 0
  for (const wanted of values)
    fit = Math.max(fit, await best(found, value => compare(model, pid, wanted, value), takeTurns))
  return fit
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
