import { type Fault, invalidWith } from '#domain/errors.ts'
import { isJsonObject } from '#domain/json.ts'

/*
 * Requests of the reconciliation API, version 0.2, as checked values.
 * https://www.w3.org/community/reports/reconciliation/CG-FINAL-specs-0.2-20230410/
 */

export interface ReconciliationQuery {
  /** The name to match; undefined where only properties are given. */
  readonly query: string | undefined
  /** Types to match; all when empty. */
  readonly types: readonly string[]
  readonly limit: number
  readonly properties: readonly PropertyQuery[]
}

export interface PropertyQuery {
  readonly pid: string
  readonly values: readonly PropertyValue[]
}

/** A text, or the id of a matched record. */
export type PropertyValue = { readonly text: string } | { readonly id: string }

export interface ExtensionQuery {
  readonly ids: readonly string[]
  readonly properties: readonly string[]
}

const maxQueries = 100
const maxExtended = 1000
const maxCandidates = 100
const usualCandidates = 10
const maxTextLength = 1000
const maxProperties = 20
const maxValues = 20

/**
 * Reads `queries`: an object of queries by keys of the client. Throws `invalid` with every fault.
 */
export function readQueries(text: string): ReadonlyMap<string, ReconciliationQuery> {
  const given = readJson(text, 'queries')
  const faults: Fault[] = []
  if (!isJsonObject(given)) throw invalidWith([{ pointer: 'queries', message: 'Must be an object of queries' }])
  const entries = Object.entries(given)
  if (entries.length > maxQueries)
    throw invalidWith([{ pointer: 'queries', message: `At most ${maxQueries} queries at once, got ${entries.length}` }])
  const queries = new Map(entries.map(([name, each]) => [name, readQuery(each, `queries/${name}`, faults)]))
  if (faults.length > 0) throw invalidWith(faults)
  return queries
}

/** Reads `query`: one query, or its text. */
export function readSingleQuery(text: string): ReconciliationQuery {
  const faults: Fault[] = []
  const given = /^\s*\{/.test(text) ? readJson(text, 'query') : { query: text }
  const query = readQuery(given, 'query', faults)
  if (faults.length > 0) throw invalidWith(faults)
  return query
}

/** Reads `extend`: ids, and the properties to fetch. */
export function readExtension(text: string): ExtensionQuery {
  const given = readJson(text, 'extend')
  const { ids, properties } = isJsonObject(given) ? given : {}
  const faults: Fault[] = []
  if (!Array.isArray(ids) || !ids.every(id => typeof id === 'string') || ids.length > maxExtended)
    faults.push({ pointer: 'extend/ids', message: `Must be a list of at most ${maxExtended} ids` })
  const pids = Array.isArray(properties)
    ? properties.map((each: unknown) => (isJsonObject(each) ? each.id : undefined))
    : []
  if (!Array.isArray(properties) || pids.length > maxProperties || !pids.every(isName))
    faults.push({
      pointer: 'extend/properties',
      message: `Must be a list of at most ${maxProperties} objects with an id`
    })
  if (faults.length > 0) throw invalidWith(faults)
  return { ids: ids as string[], properties: pids as string[] }
}

function readQuery(given: unknown, pointer: string, faults: Fault[]): ReconciliationQuery {
  const fault = (member: string, message: string) => faults.push({ pointer: `${pointer}${member}`, message })
  const { query, type, limit, properties = [] } = isJsonObject(given) ? given : {}
  if (!isJsonObject(given)) fault('', 'Must be an object')
  if (query !== undefined && (typeof query !== 'string' || query.length > maxTextLength))
    fault('/query', `Must be a text of at most ${maxTextLength} characters`)
  const types = type === undefined || type === null ? [] : [type].flat()
  if (types.length > 100 || !types.every(isName)) fault('/type', 'Must be a type or a list of types')
  const candidates = limit === undefined || limit === null ? usualCandidates : Number(limit)
  if (!Number.isInteger(candidates) || candidates < 1) fault('/limit', 'Must be a whole number, 1 or more')
  const list = Array.isArray(properties) ? properties.slice(0, maxProperties) : []
  if (!Array.isArray(properties) || properties.length > maxProperties)
    fault('/properties', `Must be a list of at most ${maxProperties} properties`)
  const read = list.flatMap((each: unknown, index) => {
    const { pid, v } = isJsonObject(each) ? each : {}
    const values = v === undefined ? [] : [v].flat().map(readValue)
    if (isName(pid) && values.length <= maxValues && values.every(value => value !== undefined))
      return [{ pid, values: values as PropertyValue[] }]
    fault(
      `/properties/${index}`,
      'Must be an object with a pid, and v: a text, a number, a boolean, an object with an id, or a list of such'
    )
    return []
  })
  const isEmpty = typeof query !== 'string' || query.trim() === ''
  if (isJsonObject(given) && isEmpty && read.every(({ values }) => values.length === 0) && faults.length === 0)
    fault('', 'Must have a query or properties')
  return {
    query: typeof query === 'string' && !isEmpty ? query : undefined,
    types: types as string[],
    limit: Math.min(candidates, maxCandidates),
    properties: read
  }
}

function readValue(value: unknown): PropertyValue | undefined {
  if (isJsonObject(value)) return isName(value.id) ? { id: value.id } : undefined
  if (typeof value === 'string') return value.length > maxTextLength ? undefined : { text: value }
  return typeof value === 'number' || typeof value === 'boolean' ? { text: String(value) } : undefined
}

function readJson(text: string, pointer: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidWith([{ pointer, message: 'Must be JSON' }])
  }
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 512
