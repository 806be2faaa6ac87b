import type {
  ChangeEvent,
  ChangesPage,
  Entity,
  EntityInput,
  EntityPage,
  EntityPatch,
  Filter,
  WorkPage,
  WrittenEntity
} from './api.ts'
import { followChanges, type FollowOptions } from './follow-changes.ts'
import type {
  AnyFilter,
  AnyInput,
  CheckedFilter,
  CheckedInput,
  CheckedList,
  CheckedOrder,
  FieldPath,
  TypeName
} from './checked-names.ts'
import { createExports } from './exports.ts'
import { followPages } from './follow-pages.ts'
import { createImports } from './imports.ts'
import { createMedia } from './media.ts'
import { type CallOptions, type ClientOptions, createSender, type Sender } from './send-request.ts'

/** Order and range of a list. */
export interface ListOptions<Order extends string = string> extends CallOptions {
  readonly limit?: number
  readonly skip?: number
  /** Comma list of `date_created`, `date_updated`, `id`, `type`, or metadata keys. */
  readonly orderBy?: Order & CheckedOrder<Order>
  readonly descending?: boolean
  /**
   * `relations` resolves the relations of each result, which then have the name of their target;
   * `summary` adds `summaries`: the editions of works and the next performances of productions.
   */
  readonly include?: 'relations' | 'summary'
}

export interface FindOptions<Order extends string = string> extends ListOptions<Order> {
  /**
   * Paths whose values are counted over all matches, such as `type` or `relations.refGenres.key`.
   */
  readonly facets?: readonly (FieldPath | (string & {}))[]
  readonly facetLimit?: number
}

export interface WriteOptions extends CallOptions {
  /** Checks the change and answers the result without writing it. */
  readonly dryRun?: boolean
  /**
   * The same key within a day returns the first answer, so a request whose answer was lost can be
   * repeated.
   */
  readonly idempotencyKey?: string
}

export interface ChangeOptions extends WriteOptions {
  /** The version that the change was made from. If there is a newer one: `version_mismatch`. */
  readonly ifMatch?: number | string
  /** With `ifMatch`: combine with concurrent changes of other fields. */
  readonly merge?: boolean
}

export type Client = ReturnType<typeof createClient>

/** Creates a client of one service. It holds no state but its options: create one and share it. */
export function createClient(options: ClientOptions = {}) {
  const sender = createSender(options)
  const { send } = sender

  const findBy = async (
    filters: readonly AnyFilter[],
    given: AnyOrder<FindOptions>,
    grouping: { readonly group_by?: 'work'; readonly facets_of?: 'groups' | 'records' | undefined } = {}
  ) => {
    const query = {
      ...listQuery(given),
      include: given.include,
      facets: given.facets?.join(','),
      facet_limit: given.facetLimit,
      ...grouping
    }
    return (await send('POST /entities/filter', { query, body: filters as Filter[], ...rest(given) })).data
  }
  // Filters that ask for options or facets by members of their own have another answer.
  const findPage = async (filters: readonly AnyFilter[], given: AnyOrder<FindOptions> = {}) =>
    (await findBy(filters, given)) as EntityPage

  const entities = {
    /** One entity, by any of its identifiers. */
    async read(id: string, given: CallOptions & Past = {}): Promise<Entity> {
      const { version, at } = given
      return (await send('GET /entities/{id}', { path: { id }, query: { version, at }, ...rest(given) })).data
    },

    /** The entity with its relations resolved: each has a summary of its target. */
    async readResolved(id: string, given: CallOptions = {}): Promise<Entity> {
      return (await send('GET /entities/{id}', { path: { id }, query: { resolve: 1 }, ...rest(given) })).data
    },

    /** The entity, or undefined if it is still at the version of this tag. */
    async readIfChanged(
      id: string,
      etag: string,
      given: CallOptions = {}
    ): Promise<{ entity: Entity; etag: string } | undefined> {
      const headers = { 'if-none-match': etag, ...given.headers }
      const answer = await send('GET /entities/{id}', { path: { id }, ...rest(given), headers })
      return answer.status === 304 ? undefined : { entity: answer.data, etag: answer.etag ?? '' }
    },

    /** One page of the entities that match all filters, with the exact count. */
    find: <const Each extends AnyFilter, const Order extends string = string>(
      filters: readonly (Each & CheckedFilter<Each>)[],
      given: FindOptions<Order> = {}
    ): Promise<EntityPage> => findPage(filters, given),

    /** One page of the works that match, or of which a part does, each with its best match. */
    findWorks: async <const Each extends AnyFilter, const Order extends string = string>(
      filters: readonly (Each & CheckedFilter<Each>)[],
      given: FindOptions<Order> & { readonly facetsOf?: 'groups' | 'records' } = {}
    ): Promise<WorkPage> => (await findBy(filters, given, { group_by: 'work', facets_of: given.facetsOf })) as WorkPage,

    /** All entities that match the filters, one by one; pages are fetched when needed. */
    async *findAll<const Each extends AnyFilter, const Order extends string = string>(
      filters: readonly (Each & CheckedFilter<Each>)[],
      given: ListOptions<Order> = {}
    ): AsyncGenerator<Entity, void> {
      const first = () => findPage(filters, { limit: 200, ...given })
      for await (const page of followPages(sender, first, { body: filters, ...rest(given) })) yield* page.results
    },

    async create<const Input extends AnyInput>(
      entity: Input & CheckedInput<Input>,
      given: WriteOptions & { allowDangling?: boolean } = {}
    ): Promise<WrittenEntity> {
      const query = { dry_run: flag(given.dryRun), allow_dangling: flag(given.allowDangling) }
      return written(await send('POST /entities', { query, body: entity as unknown as EntityInput, ...rest(given) }))
    },

    /** Replaces the entity; its id, uuid and type stay. */
    async replace(id: string, entity: Partial<EntityInput>, given: ChangeOptions = {}): Promise<WrittenEntity> {
      return written(
        await send('PUT /entities/{id}', { path: { id }, query: dry(given), body: entity, ...rest(given) })
      )
    },

    /**
     * Replaces metadata by key and language and relations by type and key; the rest is unchanged.
     */
    async patch(id: string, change: EntityPatch, given: ChangeOptions = {}): Promise<WrittenEntity> {
      return written(
        await send('PATCH /entities/{id}', { path: { id }, query: dry(given), body: change, ...rest(given) })
      )
    },

    /**
     * Deletes an entity. Refused with `still_referenced` while others refer to it, unless they are
     * detached.
     */
    async delete(id: string, given: ChangeOptions & { detach?: boolean } = {}): Promise<void> {
      const query = { ...dry(given), ...(given.detach ? { references: 'detach' as const } : {}) }
      await send('DELETE /entities/{id}', { path: { id }, query, ...rest(given) })
    },

    /** Reads a WEM; with `items`, also the copies that libraries hold. */
    async wem(id: string, given: CallOptions & Past & { readonly items?: boolean } = {}) {
      const { version, at } = given
      const items = given.items === true ? 1 : undefined
      const path = { manifestation_id: id }
      return (
        await send('GET /entities/wem/{manifestation_id}', { path, query: { version, at, items }, ...rest(given) })
      ).data
    },

    /** Reads at most 100 WEMs, in the given order; each has its WEM or its problem. */
    wems: async (ids: readonly string[], given: CallOptions = {}) =>
      (await send('POST /entities/wem', { body: { ids: [...ids] }, ...rest(given) })).data.results,

    /** A work with its expressions and their manifestations. */
    tree: async (id: string, given: ListOptions = {}) =>
      (await send('GET /entities/{id}/tree', { path: { id }, query: cut(given), ...rest(given) })).data,

    /** The parts of a record in the order of their numbers: the volumes of a series. */
    parts: async (id: string, given: ListOptions = {}) =>
      (await send('GET /entities/{id}/parts', { path: { id }, query: cut(given), ...rest(given) })).data,

    /** The references to an entity. */
    async references(id: string, given: ListOptions & { type?: string } = {}) {
      const query = { ...cut(given), type: given.type }
      return (await send('GET /entities/{id}/references', { path: { id }, query, ...rest(given) })).data
    },

    /** Every version, newest first, with its changes. */
    history: async (id: string, given: ListOptions = {}) =>
      (await send('GET /entities/{id}/history', { path: { id }, query: cut(given), ...rest(given) })).data,

    /** Reverts an entity to a version; a deleted entity is restored. */
    async revert(id: string, version: number, given: ChangeOptions = {}): Promise<WrittenEntity> {
      const request = { path: { id }, query: dry(given), body: { version }, ...rest(given) }
      return written(await send('POST /entities/{id}/revert', request))
    },

    /**
     * Merges another entity into this one. `content` is the content afterwards; by default it stays
     * unchanged.
     */
    async merge(id: string, victimId: string, content: MergedContent = {}, given: ChangeOptions = {}) {
      const body = { ...content, victim_id: victimId }
      return done(await send('POST /entities/{id}/merge', { path: { id }, query: dry(given), body, ...rest(given) }))
    },

    async unmerge(id: string, victimId?: string, given: ChangeOptions = {}) {
      const body = victimId === undefined ? {} : { victim_id: victimId }
      return done(await send('POST /entities/{id}/unmerge', { path: { id }, query: dry(given), body, ...rest(given) }))
    }
  }

  return {
    ...sender,
    entities,
    changes: createChanges(sender),
    media: createMedia(sender),
    imports: createImports(sender),
    exports: createExports(sender),
    /** Suggestions for what is being typed, limited to these types if given. */
    async suggest(text: string, given: CallOptions & { types?: readonly string[]; limit?: number } = {}) {
      const query = { q: text, type: given.types?.join(','), limit: given.limit }
      return (await send('GET /suggest', { query, ...rest(given) })).data.suggestions
    },
    /**
     * The record types with their fields and relations, and the permissions of the token for each.
     */
    recordTypes: async (given: CallOptions = {}) => (await send('GET /record-types', rest(given))).data.record_types,
    /** The name and permissions of the token. */
    me: async (given: CallOptions = {}) => (await send('GET /me', rest(given))).data
  }
}

/** The changes of the catalogue. */
function createChanges(sender: Sender) {
  return {
    async read(
      given: CallOptions & Omit<FollowOptions, 'onReconnect'> & { limit?: number } = {}
    ): Promise<ChangesPage> {
      const { since, limit, types, ids } = given
      return (await sender.send('GET /changes', { query: { since, limit, types, ids }, ...rest(given) })).data
    },

    /** Every change as it happens, exactly once; see `followChanges`. */
    follow: <const Types extends string = string>(
      given: FollowOptions & { readonly types?: Types & CheckedList<Types, TypeName | ChangeEvent['type']> } = {}
    ) => followChanges(sender, given)
  }
}

/** Options whose order was checked by the caller. */
type AnyOrder<Options> = Omit<Options, 'orderBy'> & { readonly orderBy?: string }

interface Past {
  readonly version?: number
  /** ISO 8601. */
  readonly at?: string
}

type MergedContent = Pick<EntityInput, 'metadata' | 'relations'>

const flag = (isSo: boolean | undefined) => (isSo ? (1 as const) : undefined)

const dry = ({ dryRun }: WriteOptions) => ({ dry_run: flag(dryRun) })

const cut = ({ limit, skip }: AnyOrder<ListOptions>) => ({ limit, skip })

const listQuery = (given: AnyOrder<ListOptions>) => ({
  ...cut(given),
  order_by: given.orderBy,
  asc: given.descending === undefined ? undefined : given.descending ? (0 as const) : (1 as const)
})

/** The signal, and the headers that stand for options. */
function rest(given: ChangeOptions): CallOptions {
  const { signal, headers, idempotencyKey, ifMatch, merge } = given
  return {
    ...(signal === undefined ? {} : { signal }),
    headers: {
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(ifMatch === undefined ? {} : { 'if-match': typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch }),
      ...(merge ? { prefer: 'merge' } : {}),
      ...headers
    }
  }
}

/** These operations never send `soft`, so its answer cannot occur. */
const done = <Data>({ data }: { readonly data: Data }) => data as Exclude<Data, 'good'>
const written = (answer: { readonly data: WrittenEntity | 'good' }): WrittenEntity => done(answer)
