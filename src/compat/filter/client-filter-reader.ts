import { CatalogueError } from '#domain/errors.ts'
import { maxFacets } from '#domain/filter/facets.ts'
import type { Filter } from '#domain/filter/filter.ts'
import type { FilterPath } from '#domain/filter/filter-path.ts'
import {
  type FilterBody,
  type FilterItem,
  FilterReader,
  type Place,
  type ReadFilters
} from '#domain/filter/read-filter.ts'
import { findJsonFaults, isJsonObject, pointerTo } from '#domain/json.ts'
import type { Model } from '#domain/record-types/model.ts'
import {
  clientMembers,
  countJoined,
  isJoined,
  type Join,
  joinTo,
  readClientPath,
  readJoinedKey,
  readLookup,
  readMarkedKey,
  refusals,
  withoutEmptyMembers
} from './client-keys.ts'

/** The content of a body of filters, with what it asks for beside records. */
export interface ClientFilterBody extends FilterBody {
  /** The paths whose values are wanted as options of a menu, instead of records. */
  readonly options: readonly FilterPath[]
  /** Facets, under the names that the client reads. */
  readonly facets: readonly { readonly name: string; readonly path: FilterPath }[]
}

export function readClientFilterBody(model: Model, body: unknown): ClientFilterBody {
  const reader = new ClientFilterReader(model)
  return { filter: reader.readBody(body), names: reader.names, options: reader.options, facets: reader.facets }
}

/** Reads filters where only records can be had. */
export const readClientFilters: ReadFilters = (model, body) => {
  const { filter, names, options, facets } = readClientFilterBody(model, body)
  if (options.length === 0 && facets.length === 0) return { filter, names }
  const message = 'Options and facets of filters are answered by POST /entities/filter only'
  throw new CatalogueError('invalid_filter', message, { faults: [{ pointer: '', message }] })
}

/**
 * Reads the forms of filters that the clients send, beside those of the interface. A restriction is
 * never dropped: a member without a meaning here is refused.
 */
class ClientFilterReader extends FilterReader {
  readonly options: FilterPath[] = []
  readonly facets: { name: string; path: FilterPath }[] = []
  /** Conditions that the lookups of facets put on the matches. */
  readonly #joins: Filter[] = []

  protected override readWhole(body: unknown): Filter {
    const read = super.readWhole(body)
    // Options differ already, whichever record they are of.
    if (this.options.length > 0) this.distinctBy = undefined
    return this.#joins.length === 0 ? read : { kind: 'all', of: [...this.#joins, read] }
  }

  protected override toItem(given: FilterItem): FilterItem {
    const { distinct_by, ...item } = withoutEmptyMembers(given)
    return distinct_by === undefined || wantsOptions(item) ? item : { ...item, distinct_by }
  }

  protected override refuseMember(member: string): string | undefined {
    return clientMembers.includes(member) ? undefined : (refusals[member] ?? super.refuseMember(member))
  }

  protected override readCommon(item: FilterItem, at: string, depth: number) {
    super.readCommon(item, at, depth)
    this.#readFacets(item, at, depth)
  }

  protected override readTest(item: FilterItem, at: string, depth: number): Filter {
    if (item.relation_keys !== undefined && (item.lookup !== undefined || wantsOptions(item)))
      return this.fault(
        `${at}/relation_keys`,
        '"relation_keys" goes with parts of texts, without a lookup and without options'
      )
    const options = this.options.length
    const filter = super.readTest(item, at, depth)
    if (wantsOptions(item) && this.options.length === options && !this.hasFaults)
      this.fault(`${at}/key`, 'Options are the values of a "key" of a text, selection, date, number or boolean filter')
    return filter
  }

  protected override toPath(key: string, { parent_key: parent }: FilterItem): FilterPath | undefined {
    return readClientPath(this.model, key, parent === undefined ? undefined : String(parent))
  }

  protected override placesOf(item: FilterItem, at: string): (key: string, pointer: string) => JoinedPlace {
    const lookup = item.lookup === undefined ? undefined : this.#readLookup(item.lookup, `${at}/lookup`)
    return (key, pointer) => {
      const { key: unmarked, isOptional } = readMarkedKey(key)
      const joined = readJoinedKey(unmarked, lookup)
      const join = joined?.join
      const path = this.readPath(joined ? joined.rest : unmarked, pointer, item)
      const isFault = join?.isById && path?.kind !== 'identifiers' && path?.kind !== 'id'
      const to = (test: Filter) => (join ? joinTo(this.model, join, test) : test)
      return {
        path,
        join,
        isOwn: !isOptional && !join,
        within: (test, present) => {
          const filter: Filter = { kind: 'any', of: [to(test), ...(isOptional ? [not(to(present))] : [])] }
          // A lookup finds only records that have others, even where the key is one of their own.
          return lookup && !join && !lookup.isOuter
            ? { kind: 'all', of: [isJoined(this.model, lookup), filter] }
            : filter
        },
        ...(join && !isOptional && joined.rest === '' ? { count: range => countJoined(this.model, join, range) } : {}),
        ...(isFault ? { fault: 'With "resolve_to_source_ids", the key must be the identifiers of the others' } : {})
      }
    }
  }

  protected override useOf(item: FilterItem, { path, join }: JoinedPlace, pointer: string) {
    if (!wantsOptions(item) || !path) return
    const counted = join ? nameBehind(this.model, path, join) : path
    if (counted) this.options.push(counted)
    else this.fault(pointer, 'Options can be had of a field, of a relation and of the names of related records')
  }

  #readLookup(lookup: unknown, at: string): Join | undefined {
    const join = readLookup(this.model, lookup)
    if (!('message' in join)) return join
    this.fault(join.member === '' ? at : pointerTo(at, join.member), join.message)
    return undefined
  }

  /** Reads `facets`: what to count the values of, over all matches. */
  #readFacets(item: FilterItem, at: string, depth: number) {
    const { facets } = item
    if (facets === undefined) return
    const list: unknown[] = Array.isArray(facets) ? facets : []
    if (!Array.isArray(facets) || list.length > maxFacets || depth > 1) {
      this.fault(
        `${at}/facets`,
        `"facets" must be an array of at most ${maxFacets} objects with a "key", outside of "or"`
      )
      return
    }
    for (const [index, facet] of list.entries()) this.#readFacet(facet, `${at}/facets/${index}`)
  }

  #readFacet(facet: unknown, at: string) {
    if (!isJsonObject(facet) || typeof facet.key !== 'string' || findJsonFaults(facet.key, at).length > 0) {
      this.fault(`${at}/key`, 'A facet needs a "key"')
      return
    }
    const { key, lookups = [] } = facet
    if (!Array.isArray(lookups) || lookups.length > 1) {
      this.fault(`${at}/lookups`, 'A facet may be over one lookup at most')
      return
    }
    const lookup = lookups.length === 0 ? undefined : this.#readLookup(lookups[0], `${at}/lookups/0`)
    if (lookups.length > 0 && !lookup) return
    const joined = readJoinedKey(key, lookup)
    const path = this.readPath(joined ? joined.rest : key, `${at}/key`)
    const counted = path && joined ? nameBehind(this.model, path, joined.join) : path
    if (lookup && !lookup.isOuter) this.#joins.push(isJoined(this.model, lookup))
    if (counted) this.facets.push({ name: key, path: counted })
    else this.fault(`${at}/key`, 'Counted can be a field, a relation and the names of related records')
  }
}

interface JoinedPlace extends Place {
  readonly join?: Join | undefined
}

const not = (of: Filter): Filter => ({ kind: 'not', of })

const wantsOptions = (item: FilterItem) => item.provide_value_options_for_key === true

/**
 * The names of related records as a path of the record itself, where that is what a key asks for.
 */
const nameBehind = (model: Model, path: FilterPath, join: Join): FilterPath | undefined =>
  join.kind === 'related' && !join.types && path.kind === 'metadata' && model.nameFields.includes(path.key)
    ? { kind: 'relation_name', type: join.type }
    : undefined
