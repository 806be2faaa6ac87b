import type { Entity, EntityInput, EntityPage, Filter, WorkPage, WrittenEntity } from './api.ts'
import type {
  AnyFilter,
  AnyInput,
  CheckedFilter,
  CheckedInput,
  CheckedName,
  EntityOf,
  Found,
  RelationType,
  TypeName,
  TypesOf
} from './checked-names.ts'
import { followPages } from './follow-pages.ts'
import {
  type ChangeOptions,
  dry,
  type FindOptions,
  flag,
  type ListOptions,
  type PageOf,
  type Past,
  rest,
  type ViewOptions,
  type WriteOptions
} from './options.ts'
import type { CallOptions, Sender } from './send-request.ts'

/** Number of ids in one request: an address has room for them. */
const idsAtOnce = 100

/** The parameters for what records include, and the language of labels. */
const viewQuery = ({ include, relatedFields, lang }: ViewOptions) => ({
  include: include === undefined ? undefined : [include].flat().join(','),
  related_fields: relatedFields?.join(','),
  lang
})

/** Reading and finding entities. */
export function createReading(sender: Sender) {
  const { send } = sender

  const findBy = async (
    filters: readonly AnyFilter[],
    given: AnyNames<FindOptions>,
    grouping: { readonly group_by?: 'work'; readonly facets_of?: 'groups' | 'records' | undefined } = {}
  ) => {
    const query = {
      ...listQuery(given),
      ...viewQuery(given),
      facets: given.facets?.join(','),
      facet_limit: given.facetLimit,
      highlight: flag(given.highlight),
      ...grouping
    }
    return (await send('POST /entities/filter', { query, body: filters as Filter[], ...rest(given) })).data
  }
  // Filters that ask for options or facets by members of their own have another answer.
  const findPage = async (filters: readonly AnyFilter[], given: AnyNames<FindOptions> = {}) =>
    (await findBy(filters, given)) as EntityPage

  /** The types of an umbrella, by the model of the service. */
  const typesNamed = async (name: string, { signal }: CallOptions): Promise<readonly string[]> =>
    (await send('GET /record-types', signal === undefined ? {} : { signal })).data.record_types
      .filter(({ umbrella }) => umbrella === name)
      .map(({ type }) => type)

  const readOne = async (id: string, given: CallOptions & Past = {}): Promise<Entity> => {
    const { version, at } = given
    return (await send('GET /entities/{id}', { path: { id }, query: { version, at }, ...rest(given) })).data
  }

  const readMany = async (ids: readonly string[], given: CallOptions = {}): Promise<Entity[]> => {
    const wanted = [...new Set(ids)]
    const found = new Map<string, Entity>()
    for (let first = 0; first < wanted.length; first += idsAtOnce) {
      const query = { ids: wanted.slice(first, first + idsAtOnce).join(','), limit: idsAtOnce }
      const { data } = await send('GET /entities', { query, ...rest(given) })
      for (const entity of data as Entity[]) for (const id of [entity.id, ...entity.identifiers]) found.set(id, entity)
    }
    return [...new Set(wanted.flatMap(id => found.get(id) ?? []))]
  }

  return {
    /** One entity, by any of its identifiers. */
    read: readOne,

    /**
     * One entity of a type or an umbrella, with the fields and relations of that type. Throws for
     * an entity of another type.
     */
    async readAs<const Name extends TypeName>(
      type: Name,
      id: string,
      given: CallOptions & Past = {}
    ): Promise<EntityOf<TypesOf<Name>>> {
      const entity = await readOne(id, given)
      // The types of an umbrella begin with its name, or are known to the service only.
      const isOfType = entity.type === type || (await typesNamed(type, given)).includes(entity.type)
      if (!isOfType) throw new TypeError(`"${id}" is of the type ${entity.type}, not ${type}`)
      return entity as unknown as EntityOf<TypesOf<Name>>
    },

    /** Entities by their ids, in that order; those that do not exist are left out. */
    readMany,

    /**
     * The whole entities that others refer to, by id: all of them, or those of some relations. One
     * request reads 100.
     */
    async readRelated<const Type extends string = string>(
      entities: readonly { readonly relations: readonly { readonly type: string; readonly key: string }[] }[],
      given: CallOptions & { readonly types?: readonly (Type & CheckedName<Type, RelationType>)[] } = {}
    ): Promise<ReadonlyMap<string, Entity>> {
      const types: readonly string[] | undefined = given.types
      const relations = entities.flatMap(each => each.relations)
      const wanted = relations.filter(({ type }) => types?.includes(type) ?? true)
      const found = await readMany(
        wanted.map(({ key }) => key),
        given
      )
      return new Map(found.map(each => [each.id, each]))
    },

    /** The entity with its relations resolved: each has a summary of its target. */
    async readResolved(id: string, given: CallOptions & ViewOptions = {}): Promise<Entity> {
      const query = { resolve: 1 as const, ...viewQuery(given) }
      return (await send('GET /entities/{id}', { path: { id }, query, ...rest(given) })).data
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
    find: <const Each extends AnyFilter, const Order extends string = string, const Facet extends string = string>(
      filters: readonly (Each & CheckedFilter<Each>)[],
      given: FindOptions<Order, Facet> = {}
    ): Promise<PageOf<Found<Each>>> => findPage(filters, given) as Promise<PageOf<Found<Each>>>,

    /** One page of the works that match, or of which a part does, each with its best match. */
    findWorks: async <
      const Each extends AnyFilter,
      const Order extends string = string,
      const Facet extends string = string
    >(
      filters: readonly (Each & CheckedFilter<Each>)[],
      given: FindOptions<Order, Facet> & { readonly facetsOf?: 'groups' | 'records' } = {}
    ): Promise<WorkPage> => (await findBy(filters, given, { group_by: 'work', facets_of: given.facetsOf })) as WorkPage,

    /** All entities that match the filters, one by one; pages are fetched when needed. */
    async *findAll<const Each extends AnyFilter, const Order extends string = string>(
      filters: readonly (Each & CheckedFilter<Each>)[],
      given: ListOptions<Order> = {}
    ): AsyncGenerator<Found<Each>, void> {
      const first = () => findPage(filters, { limit: 200, ...given })
      for await (const page of followPages(sender, first, { body: filters, ...rest(given) }))
        yield* page.results as Found<Each>[]
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
    async references<const Type extends string = string>(
      id: string,
      given: ListOptions & { readonly type?: Type & CheckedName<Type, RelationType> } = {}
    ) {
      const query = { ...cut(given), type: given.type }
      return (await send('GET /entities/{id}/references', { path: { id }, query, ...rest(given) })).data
    },

    /** Every version, newest first, with its changes. */
    history: async (id: string, given: ListOptions = {}) =>
      (await send('GET /entities/{id}/history', { path: { id }, query: cut(given), ...rest(given) })).data
  }
}

/** Creating, changing, deleting and merging entities. */
export function createChanging(sender: Sender) {
  const { send } = sender
  return {
    async create<const Input extends AnyInput & { readonly type: string }>(
      entity: Input & CheckedInput<Input>,
      given: WriteOptions & { allowDangling?: boolean } = {}
    ): Promise<WrittenEntity> {
      const query = { dry_run: flag(given.dryRun), allow_dangling: flag(given.allowDangling) }
      return written(await send('POST /entities', { query, body: entity as unknown as EntityInput, ...rest(given) }))
    },

    /** Replaces the entity; its id, uuid and type stay. */
    async replace<const Input extends AnyInput>(
      id: string,
      entity: Input & CheckedInput<Input>,
      given: ChangeOptions = {}
    ): Promise<WrittenEntity> {
      const body = entity as unknown as EntityInput
      return written(await send('PUT /entities/{id}', { path: { id }, query: dry(given), body, ...rest(given) }))
    },

    /**
     * Replaces the source record of a manifestation by a record in MARC-in-JSON; the records made
     * from it follow, and are listed in `records`. `ifMatch` is a version, or the `ETag` of the
     * record in this form.
     */
    async replaceSource(id: string, record: object, given: ChangeOptions): Promise<WrittenEntity> {
      const body = record as unknown as EntityInput
      const headers = { ...given.headers, 'content-type': 'application/marc+json' }
      const call = rest({ ...given, headers })
      return written(await send('PUT /entities/{id}', { path: { id }, query: dry(given), body, ...call }))
    },

    /**
     * Creates a manifestation or an authority from a record in MARC-in-JSON, as an import of it
     * would; the records made from it are listed in `records`.
     */
    async createFromSource(record: object, given: WriteOptions = {}): Promise<WrittenEntity> {
      const body = record as unknown as EntityInput
      const headers = { ...given.headers, 'content-type': 'application/marc+json' }
      const query = { dry_run: flag(given.dryRun) }
      return written(await send('POST /entities', { query, body, ...rest({ ...given, headers }) }))
    },

    /**
     * Replaces metadata by key and language and relations by type and key; the rest is unchanged.
     */
    async patch<const Change extends AnyInput>(
      id: string,
      change: Change & CheckedInput<Change>,
      given: ChangeOptions = {}
    ): Promise<WrittenEntity> {
      const body = change as unknown as EntityInput
      return written(await send('PATCH /entities/{id}', { path: { id }, query: dry(given), body, ...rest(given) }))
    },

    /**
     * Deletes an entity. Refused with `still_referenced` while others refer to it, unless they are
     * detached.
     */
    async delete(id: string, given: ChangeOptions & { detach?: boolean } = {}): Promise<void> {
      const query = { ...dry(given), ...(given.detach ? { references: 'detach' as const } : {}) }
      await send('DELETE /entities/{id}', { path: { id }, query, ...rest(given) })
    },

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
}

/** Options whose names were checked by the caller. */
type AnyNames<Options> = Omit<Options, 'orderBy' | 'facets'> & {
  readonly orderBy?: string
  readonly facets?: readonly string[]
}

type MergedContent = Pick<EntityInput, 'metadata' | 'relations'>

const cut = ({ limit, skip }: Pick<ListOptions, 'limit' | 'skip'>) => ({ limit, skip })

const listQuery = (given: AnyNames<ListOptions>) => ({
  ...cut(given),
  order_by: given.orderBy,
  asc: given.descending === undefined ? undefined : given.descending ? (0 as const) : (1 as const)
})

/** These operations never send `soft`, so its answer cannot occur. */
const done = <Data>({ data }: { readonly data: Data }) => data as Exclude<Data, 'good'>
const written = (answer: { readonly data: WrittenEntity | 'good' }): WrittenEntity => done(answer)
