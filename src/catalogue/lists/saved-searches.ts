import { forbidden, invalidWith, notFound } from '#domain/errors.ts'
import { type FilterObject, filtersOf } from '#domain/find/find-filters.ts'
import { findModelOf } from '#domain/find/find-model.ts'
import { findAddress, readFindState } from '#domain/find/find-state.ts'
import { readSearchAddress } from '#domain/find/search-address.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Model } from '#domain/record-types/model.ts'
import { foldText } from '#domain/values/fold.ts'
import type { StateWrite } from '#store/ports/state.ts'
import type { Parts } from '../parts.ts'

/*
 * Searches that people save under a name. They are state beside the records, not records: no list,
 * filter, history, feed or export contains them, so a private one is read by its owner only.
 */

/** A search as it is sent: an address of a search, or the filters of another program. */
export interface SearchDraft {
  readonly metadata?: readonly { readonly key: string; readonly value: string; readonly lang?: string | null }[]
  readonly private?: boolean
  readonly address?: string
  readonly definition?: readonly object[]
}

/** A search as it is stored. */
interface StoredSearch extends Required<Pick<SearchDraft, 'metadata' | 'private'>> {
  readonly address?: string
  readonly definition?: readonly object[]
  readonly id: string
  /** The key of its owner, and the name. */
  readonly owner: string
  readonly user: string
  readonly created: string
  readonly updated: string
}

export type SavedSearch = ReturnType<typeof show>

const kind = 'saved search'
/** Maximum number of searches. Private ones are counted for each owner. */
const maxSearches = { private: 500, shared: 2000 }
/** Maximum length of the filters of a search, as JSON. */
const maxDefinition = 20_000

/** Private searches are below the key of their owner. */
const prefixOf = (search: Pick<StoredSearch, 'private' | 'owner'>) =>
  search.private ? `owner ${JSON.stringify(search.owner)}` : 'shared'
const entryOf = (search: StoredSearch): StateWrite & { readonly value: string } => ({
  kind,
  key: `${prefixOf(search)}\n${search.id}`,
  value: JSON.stringify(search)
})
const titleOf = ({ metadata }: Pick<StoredSearch, 'metadata'>) =>
  (metadata.find(({ key }) => key === 'title')?.value ?? '').trim()

/** Lists the searches of a principal and those that are shared, by their titles. */
export async function listSavedSearches(
  parts: Parts,
  principal: Principal,
  { title, skip, limit }: { readonly title: string; readonly skip: number; readonly limit: number }
) {
  refuseLimited(principal)
  const wanted = foldText(title)
  const found = (await Promise.all([readAll(parts, principal, true), readAll(parts, principal, false)]))
    .flat()
    .map(search => ({ search, name: foldText(titleOf(search)) }))
    .filter(({ name }) => name.includes(wanted))
    .toSorted((one, other) => compare(one.name, other.name) || compare(one.search.id, other.search.id))
    .map(({ search }) => show(parts.model, principal, search))
  return { count: found.length, skip, limit, results: found.slice(skip, skip + limit) }
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

export async function readSavedSearch(parts: Parts, principal: Principal, id: string): Promise<SavedSearch> {
  return show(parts.model, principal, await find(parts, principal, id))
}

export async function createSavedSearch(parts: Parts, principal: Principal, draft: SearchDraft): Promise<SavedSearch> {
  const now = new Date().toISOString()
  const { key: owner, name: user } = principal
  const blank = { id: parts.newUuid(), metadata: [], private: true, owner, user, created: now, updated: now }
  return store(parts, principal, apply(parts, principal, blank, draft), undefined)
}

export async function changeSavedSearch(
  parts: Parts,
  principal: Principal,
  id: string,
  draft: SearchDraft
): Promise<SavedSearch> {
  using _ = await parts.locks.take(`${kind} ${id}`)
  const before = await findOwn(parts, principal, id)
  const after = apply(parts, principal, { ...before, updated: new Date().toISOString() }, draft)
  return store(parts, principal, after, before)
}

export async function deleteSavedSearch(parts: Parts, principal: Principal, id: string): Promise<void> {
  const search = await findOwn(parts, principal, id)
  await parts.store.write({ writes: [], by: principal.name, state: [{ ...entryOf(search), value: null }] })
}

/** Deletes the private searches of a principal that is gone, by its key. */
export async function deletePrivateSearches({ store }: Pick<Parts, 'store'>, owner: string): Promise<void> {
  const keys = await store.listStateKeys(kind, [prefixOf({ private: true, owner })])
  const state = keys.map(key => ({ kind, key, value: null }))
  if (state.length > 0) await store.write({ writes: [], by: owner, state })
}

/** Reads all private searches of a principal, or all shared ones. */
async function readAll({ store }: Parts, { key: owner }: Principal, isPrivate: boolean): Promise<StoredSearch[]> {
  const prefix = prefixOf({ private: isPrivate, owner })
  const entries = await store.readState(kind, { prefix, limit: maxSearches[isPrivate ? 'private' : 'shared'] })
  return entries.map(({ value }) => JSON.parse(value) as StoredSearch)
}

async function find({ store }: Parts, principal: Principal, id: string): Promise<StoredSearch> {
  refuseLimited(principal)
  const keys = [true, false].map(isPrivate => `${prefixOf({ private: isPrivate, owner: principal.key })}\n${id}`)
  const [value] = (await store.findState(kind, keys)).values()
  if (value === undefined) throw notFound('saved search', id)
  return JSON.parse(value) as StoredSearch
}

/** Finds a search that the principal may change: its own, or a shared one for an administrator. */
async function findOwn(parts: Parts, principal: Principal, id: string): Promise<StoredSearch> {
  const search = await find(parts, principal, id)
  if (search.owner !== principal.key && !principal.isAdmin) throw forbidden('change the saved search of somebody else')
  return search
}

/** Tokens that read only some records of a type belong to public sites, not to people. */
function refuseLimited({ readLimits, readsAnything }: Principal) {
  if (readLimits.length > 0 || !readsAnything) throw forbidden('use saved searches')
}

/** A search with the given parts of a draft. Throws `invalid`. */
function apply({ model }: Parts, principal: Principal, search: StoredSearch, draft: SearchDraft): StoredSearch {
  refuseLimited(principal)
  const { definition, address } = draft
  const { address: _, definition: __, ...rest } = search
  const sought =
    address === undefined
      ? definition === undefined
        ? { ...search }
        : { ...rest, definition }
      : { ...rest, address: findAddress(readSearchAddress(model, address, '/address')) }
  const after = { ...sought, metadata: draft.metadata ?? search.metadata, private: draft.private ?? search.private }
  if (titleOf(after) === '')
    throw invalidWith([
      { pointer: '/metadata', message: 'A saved search needs a title: metadata with the key "title"' }
    ])
  if (after.address === undefined && after.definition === undefined)
    throw invalidWith([{ pointer: '/address', message: 'A saved search needs an address or a definition' }])
  if (JSON.stringify(after.definition ?? []).length > maxDefinition)
    throw invalidWith([{ pointer: '/definition', message: `A definition has at most ${maxDefinition} characters` }])
  return after
}

/** Stores a search. One that is shared, or no longer, moves. */
async function store(
  parts: Parts,
  principal: Principal,
  after: StoredSearch,
  before: StoredSearch | undefined
): Promise<SavedSearch> {
  const isMoved = before === undefined || before.private !== after.private
  const max = maxSearches[after.private ? 'private' : 'shared']
  if (isMoved && !after.private && !principal.writesAnything) throw forbidden('share searches')
  if (isMoved && before !== undefined && before.owner !== principal.key)
    throw forbidden('make the saved search of somebody else private')
  if (isMoved && (await readAll(parts, principal, after.private)).length >= max)
    throw invalidWith([{ pointer: '', message: `There are ${max} saved searches already: delete some first` }])
  const gone = before && isMoved ? [{ ...entryOf(before), value: null }] : []
  await parts.store.write({ writes: [], by: principal.name, state: [...gone, entryOf(after)] })
  return show(parts.model, principal, after)
}

/** A search as it is answered. Its filters are those of its address, in the present model. */
function show(model: Model, { key }: Principal, search: StoredSearch) {
  const { id, metadata, address, definition = [] } = search
  return {
    ...{ id, _id: id, _key: id, type: 'saved_search', user: search.user, is_own: search.owner === key },
    ...{ private: search.private, metadata },
    definition: address === undefined ? definition : filtersAt(model, address),
    ...(address === undefined ? {} : { address }),
    ...{ date_created: search.created, date_updated: search.updated }
  }
}

function filtersAt(model: Model, address: string): readonly FilterObject[] {
  const findModel = findModelOf(model)
  return filtersOf(readFindState(new URLSearchParams(address.split('?')[1]), findModel), findModel)
}
