import type { Entity } from '#domain/entity/entity.ts'
import { workLevel } from '#domain/entity/owners.ts'
import type { Facet } from '#domain/filter/facets.ts'
import type { Filter } from '#domain/filter/filter.ts'
import type { Labels } from '#domain/labels/labels.ts'
import { labelsFor } from '#domain/labels/labels-of.ts'
import { type Highlight, highlight } from '#domain/search/highlight.ts'
import type { Order } from '#domain/filter/order.ts'
import { type GivenName, describeUnknown, type FieldName, isDeclared } from '#domain/filter/field-names.ts'
import { type Fault, invalid, CatalogueError, invalidWith, messageAt } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import type { FacetValue, QueryResult, ResultGroup, Position, EntityQuery } from '#store/ports/queries.ts'
import { type Instead, offerInstead, type TextSearch } from './offer-instead.ts'
import type { Parts } from '../parts.ts'
import { refuseBlind } from '../entities/read-entity.ts'
import { findManyEntities } from '../entities/find-many-entities.ts'
import { findNames } from '../entities/find-names.ts'
import { createTurns } from '../take-turns.ts'
import { scopeOf, showAllTo, visibleTargets } from '../guarded/visibility.ts'
import type { OpaqueTokens } from './opaque-tokens.ts'
import type { Model } from '#domain/record-types/model.ts'

export interface ListRequest {
  readonly filter: Filter
  readonly order: Order
  readonly skip: number
  readonly limit: number
  readonly cursor: string | undefined
  /** Whether to count all matches, true by default; the count is exact, and takes time. */
  readonly isCounted?: boolean
  /** The facets to count, and the maximum number of values of each. */
  readonly facets?: { readonly of: readonly Facet[]; readonly limit: number }
  /** Whether to show where the matches contain the search terms. */
  readonly isHighlighted?: boolean
  /** Whether to list works, each with what matches of it; facets then count groups or records. */
  readonly groupBy?: { readonly facets: 'groups' | 'records' }
  /** Whether to give the editions of the works of the page. */
  readonly isSummarised?: boolean
  /** Of the matches that lead to a record by a relation only the first, or last, are listed. */
  readonly endsBy?: EntityQuery['endsBy']
  /** The text of the search, to offer other searches if it finds nothing. */
  readonly search?: TextSearch
  /** The names of fields and relations in the request; unknown ones are refused. */
  readonly names?: readonly GivenName[]
  /** The languages of labels, the preferred ones first; `none` reads no record for its label. */
  readonly languages?: readonly string[] | typeof noLabels
}

/** For callers that read the records themselves, or show no labels. */
export const noLabels = 'none'

export interface FacetCount {
  readonly value: string
  /** The display name of a related entity. */
  readonly label?: string
  readonly count: number
}

export interface EntityPage {
  readonly count: number
  readonly entities: readonly StoredEntity[]
  readonly skip: number
  readonly limit: number
  readonly next: string | undefined
  readonly previous: string | undefined
  /** By the names of the request. */
  readonly facets?: Readonly<Record<string, readonly FacetCount[]>>
  /** By the ids of the entities of the page. */
  readonly highlights?: Readonly<Record<string, readonly Highlight[]>>
  /** The entries of a page of groups; `entities` are then all records that they name. */
  readonly groups?: readonly EntityGroup[]
  readonly countRecords?: number
  /** The editions of works, by the ids of the works of the page. */
  readonly works?: ReadonlyMap<string, WorkSummary>
  /** Names in the request that no record has. */
  readonly warnings?: readonly Fault[]
  /** Other searches, if a search by a text found nothing. */
  readonly instead?: Instead
}

/** The editions of a work that the principal may read. */
export interface WorkSummary {
  readonly editions: number
  /** The first and the last year of the editions, where any is known; one if they are the same. */
  readonly years: readonly string[]
  readonly newest: readonly StoredEntity[]
}

export interface EntityGroup extends Omit<ResultGroup, 'languages'> {
  /** Whether the head is a work. */
  readonly isOfWork: boolean
  readonly languages: readonly { readonly id: string; readonly label?: string }[]
}

/**
 * Lists one page of the matching entities that the principal may read, with cursors to the pages
 * beside it.
 */
export async function listEntities(parts: Parts, principal: Principal, request: ListRequest): Promise<EntityPage> {
  refuseBlind(principal)
  const { filter, order, limit } = request
  const isGrouped = request.groupBy !== undefined
  const mark = () => listMark(filter, order, isGrouped)
  const cursor =
    request.cursor === undefined ? undefined : readCursor(parts.cursors, request.cursor, order, mark(), isGrouped)
  const isCounted = request.isCounted ?? true
  // Facets alone, and pages after the first, offer nothing.
  const search = isCounted && !cursor && request.skip === 0 && limit > 0 ? request.search : undefined
  const answer = await parts.store.queryEntities({
    filter,
    ...scopeOf(principal),
    order,
    skip: cursor ? 0 : request.skip,
    limit,
    counted: isCounted,
    ...(search ? { isSpelled: true } : {}),
    ...(request.facets
      ? { facets: { paths: request.facets.of.map(({ path }) => path), limit: request.facets.limit } }
      : {}),
    ...(request.groupBy ? { groupBy: request.groupBy } : {}),
    ...(request.isSummarised ? { isSummarised: true } : {}),
    ...(request.endsBy ? { endsBy: request.endsBy } : {}),
    ...undeclaredNames(parts.model, request.names),
    ...(cursor ? { from: { position: cursor.position, backwards: cursor.backwards } } : {})
  })
  const warnings = refuseUnknown(parts.model, request.names, answer)
  const shown = (answer.groups ?? answer.entities).length
  const skip = !cursor ? request.skip : cursor.backwards ? Math.max(0, cursor.skip - shown) : cursor.skip
  // A page that was read backwards has the page we came from after it, and more before it only when
  // there was more.
  const hasNext = cursor?.backwards ? shown > 0 : answer.hasMore
  const hasPrevious = cursor?.backwards ? answer.hasMore : skip > 0
  const toCursor = (position: Cursor['position'] | undefined, backwards: boolean, at: number) =>
    position && writeCursor(parts.cursors, { position, backwards, skip: at }, mark())
  const entities = await showAllTo(parts.store, principal, answer.entities)
  const base = { ...scopeOf(principal), order, ...(request.groupBy ? { groupBy: request.groupBy } : {}) }
  const instead =
    search && answer.count === 0 ? await offerInstead(parts, base, search, answer.spellings ?? []) : undefined
  return {
    count: answer.count,
    entities,
    ...(answer.groups
      ? { groups: await nameGroups(parts, principal, answer.groups, entities, request.languages) }
      : {}),
    ...(answer.countRecords === undefined ? {} : { countRecords: answer.countRecords }),
    ...(answer.works ? { works: await summarise(parts, principal, answer) } : {}),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(instead ? { instead } : {}),
    ...(request.facets
      ? { facets: await nameFacets(parts, principal, request.facets.of, answer.facets ?? [], request.languages) }
      : {}),
    ...(request.isHighlighted ? { highlights: await highlightAll(parts, entities, filter, answer) } : {}),
    skip,
    limit,
    // Made when they are read: most lists of a page need none.
    get next() {
      return hasNext ? toCursor(answer.last, false, skip + shown) : undefined
    },
    get previous() {
      return hasPrevious ? toCursor(answer.first, true, skip) : undefined
    }
  }
}

async function summarise(
  { store }: Parts,
  principal: Principal,
  { works = [], editions = [] }: QueryResult
): Promise<ReadonlyMap<string, WorkSummary>> {
  const shown = await showAllTo(store, principal, editions)
  const byId = new Map(shown.map(edition => [edition.id, edition]))
  return new Map(
    works.map(({ work, count, years, newest }) => {
      const summary = { editions: count, years, newest: newest.flatMap(id => byId.get(id) ?? []) }
      return [work, summary] as const
    })
  )
}

/** Adds the kind of the head and the display names of languages to groups. */
async function nameGroups(
  parts: Parts,
  principal: Principal,
  groups: readonly ResultGroup[],
  entities: readonly StoredEntity[],
  wanted: ListRequest['languages'] = []
): Promise<readonly EntityGroup[]> {
  const names = await findLabels(parts, principal, [...new Set(groups.flatMap(({ languages }) => languages))], wanted)
  const types = new Map(entities.map(({ id, type }) => [id, type]))
  return groups.map(group => ({
    ...group,
    isOfWork: parts.model.umbrellaOf(types.get(group.head) ?? '') === workLevel,
    languages: group.languages.map(id => {
      const label = names.get(id)
      return { id, ...(label === undefined ? {} : { label }) }
    })
  }))
}

async function findLabels(
  parts: Parts,
  principal: Principal,
  keys: readonly string[],
  languages: readonly string[] | typeof noLabels
): Promise<ReadonlyMap<string, string>> {
  return languages === noLabels ? new Map() : findNames(parts, principal, keys, languages)
}

/** Adds display names to facet values that are relations. */
async function nameFacets(
  parts: Parts,
  principal: Principal,
  facets: readonly Facet[],
  counted: readonly (readonly FacetValue[])[],
  languages: ListRequest['languages'] = []
): Promise<Record<string, readonly FacetCount[]>> {
  const named: Record<string, readonly FacetCount[]> = Object.create(null)
  for (const [index, { name, path }] of facets.entries()) {
    const values = counted[index] ?? []
    if (path.kind !== 'relation_key') {
      const table = labelTable(parts.model, path, languages === noLabels ? undefined : labelsFor(languages))
      named[name] = values.map(each => {
        const label = table && Object.hasOwn(table, each.value) ? table[each.value] : undefined
        return label === undefined ? each : { value: each.value, label, count: each.count }
      })
      continue
    }
    const keys = values.map(({ value }) => value)
    const names = await findLabels(parts, principal, keys, languages)
    const isVisible = await visibleTargets(
      parts.store,
      principal,
      keys.map(key => ({ key }))
    )
    named[name] = values
      .filter(({ value }) => isVisible({ key: value }))
      .map(({ value, count }) => {
        const label = names.get(value)
        return { value, ...(label === undefined ? {} : { label }), count }
      })
  }
  return named
}

/** The labels of values that are words of the service: types, and values of choices. */
function labelTable(model: Model, path: Facet['path'], labels: Labels | undefined): Labels['values'] | undefined {
  if (path.kind === 'type') return labels && { ...labels.families, ...labels.types }
  const isChoice = path.kind === 'metadata' && model.recordTypes.some(each => each.fields[path.key]?.kind === 'choice')
  return isChoice ? labels?.values : undefined
}

async function highlightAll(
  { store, model }: Parts,
  entities: readonly StoredEntity[],
  filter: Filter,
  { isLoose }: QueryResult
): Promise<Record<string, readonly Highlight[]>> {
  const takeTurns = createTurns()
  const shown: Entity[] = []
  for (const { json } of entities) {
    shown.push(JSON.parse(json) as Entity)
    await takeTurns()
  }
  const keys = shown.flatMap(({ relations }) => relations.map(({ key }) => key))
  const related = await findManyEntities(store, keys)
  const highlights: Record<string, readonly Highlight[]> = Object.create(null)
  for (const entity of shown) {
    highlights[entity.id] = highlight(model, entity, filter, isLoose === true, key => related.get(key))
    await takeTurns()
  }
  return highlights
}

/** The end of a page, as clients carry it: opaque to them, and checked when it comes back. */
interface Cursor {
  readonly position: Position
  readonly backwards: boolean
  /** The offset of the page, for clients that show it. */
  readonly skip: number
}

function writeCursor(tokens: OpaqueTokens, { position, backwards, skip }: Cursor, list: string): string {
  return tokens.write([position.values, position.sequence, backwards ? 1 : 0, skip, list])
}

/**
 * A short hash of the filter and order of a list: a cursor is valid in that list only. Two lists
 * have the same hash with a probability of one in four thousand million.
 */
function listMark(filter: Filter, order: Order, isGrouped = false): string {
  let hash = 0x811c9dc5
  const bytes = Buffer.from(JSON.stringify(isGrouped ? [filter, order, isGrouped] : [filter, order]))
  // By place: an iterator takes four times as long, 10 µs of each list.
  for (let place = 0; place < bytes.length; place++) hash = Math.imul(hash ^ (bytes[place] as number), 0x01000193)
  return (hash >>> 0).toString(36)
}

/** Reads a cursor back. Throws `invalid` for any other text, and for a cursor of another list. */
function readCursor(
  tokens: OpaqueTokens,
  text: string,
  order: EntityQuery['order'],
  list: string,
  isGrouped = false
): Cursor {
  const faults = [
    {
      pointer: 'cursor',
      message: 'Not a cursor of this list: use the "next" of a page with the same filter and order'
    }
  ]
  const fail = () => invalid('The cursor is not valid', faults)
  const read = tokens.read(text, 5)
  if (!read) throw fail()
  const [values, sequence, backwards, skip, mark] = read
  if (mark !== list) throw fail()
  // The order of creation needs no value; that of the last change has the change at which the walk
  // began.
  const [only] = order.items
  const isSingle = order.items.length === 1
  const isOfOrder = (all: readonly unknown[]) => {
    // A group has its size, or the number of its head, beside the values of its first record.
    if (isGrouped && !/^\d{1,15}$/.test(String(all.at(-1)))) return false
    const given = isGrouped ? all.slice(0, -1) : all
    // The interpretation of each search, the cost of the last record, and the rank of its kind.
    if (order.isByRelevance) {
      const [modes, cost, rank] = given.map(String)
      const isRanked = /^\d{1,15}$/.test(cost ?? '') && /^[0-2]$/.test(rank ?? '')
      return given.length === 3 && /^[01]{1,4096}$/.test(modes ?? '') && isRanked
    }
    if (isSingle && only?.by === 'created') return given.length === 0
    if (isSingle && only?.by === 'updated') return given.length === 1 && /^\d{1,15}$/.test(String(given[0]))
    return given.length === order.items.length
  }
  const isGood =
    Array.isArray(values) &&
    isOfOrder(values) &&
    values.every(
      value => value === null || (typeof value === 'string' && value.isWellFormed() && !value.includes('\0'))
    ) &&
    Number.isSafeInteger(sequence) &&
    (backwards === 0 || backwards === 1) &&
    Number.isSafeInteger(skip) &&
    (skip as number) >= 0
  if (!isGood) throw fail()
  return {
    position: { values: values as string[], sequence: sequence as number },
    backwards: backwards === 1,
    skip: skip as number
  }
}

/** The part of a query that asks for names that no record type declares; mostly there are none. */
export function undeclaredNames(model: Model, names: readonly GivenName[] = []): Pick<EntityQuery, 'names'> {
  const undeclared = names.filter(each => !isDeclared(model, each)).filter(isFieldName)
  return undeclared.length === 0 ? {} : { names: undeclared.map(({ kind, name }) => ({ kind, name })) }
}

/** Maximum number of unknown names of a request that are compared with known ones. */
const maxDescribed = 50

const isFieldName = (name: GivenName): name is GivenName & FieldName => name.kind !== 'type'

/**
 * Refuses unknown names, with the nearest known ones. Returns warnings about those that are
 * answered nevertheless.
 */
export function refuseUnknown(
  model: Model,
  names: readonly GivenName[] = [],
  { unknown = [] }: Pick<QueryResult, 'unknown'>
): Fault[] {
  if (unknown.length === 0 && names.every(each => each.kind !== 'type' || isDeclared(model, each))) return []
  const inNoRecord = new Set(unknown.map(({ kind, name }) => `${kind} ${name}`))
  const found = names
    .filter(each => (each.kind === 'type' ? !isDeclared(model, each) : inNoRecord.has(`${each.kind} ${each.name}`)))
    .slice(0, maxDescribed)
    .map(given => ({ ...describeUnknown(model, given), ...given }))
  const toFault = ({ pointer, message }: Fault): Fault => ({ pointer, message })
  const faults = found.filter(({ isLenient, near }) => !isLenient || near !== undefined).map(toFault)
  const [first] = faults
  if (first?.pointer.startsWith('/')) throw new CatalogueError('invalid_filter', messageAt(first), { faults })
  if (first) throw invalidWith(faults)
  return found.map(toFault)
}
