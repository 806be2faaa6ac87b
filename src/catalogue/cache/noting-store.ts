import type { Filter } from '#domain/filter/filter.ts'
import type { Store } from '#store/store.ts'
import { etagOf } from '../etag.ts'

/*
 * Some answers depend on more than the entities in them: on all that refer to one, or on what
 * imports know. A noting store writes down what was read, so that no format has to tell, and a
 * format that reads something else is not stored.
 */

/** The records that an answer was made from. */
export interface Noted {
  /** Entities that were read, and those whose referrers were read (`referrersOf`). */
  readonly ids: ReadonlySet<string>
  /** Reads of the state of imports, which are compared again before the answer is sent. */
  readonly reads: ReadonlySet<string>
  /** False if something was read whose changes are not followed, or was missing. */
  readonly isWhole: boolean
}

/** Stands among ids for all entities that refer to one. No id begins so. */
export const referrersOf = (id: string) => `<${id}`

/** Reads of the state of imports by one key, or by a range of keys. */
type StateRead = 'findState' | 'listStateKeys' | 'readState'

/** A store that notes what is read from it. */
export interface NotingStore {
  readonly store: Store
  /** Notes what one answer is made from, and returns that when the answer is made. */
  begin(): () => Noted
}

/** Wraps a store, for one answer after the other. */
export function notingStore(store: Store): NotingStore {
  let ids = new Set<string>()
  let reads = new Set<string>()
  let isWhole = true
  const spoil = () => {
    isWhole = false
  }
  /** Notes the entities that were found, and whether all were. */
  const noteAll = (found: Iterable<{ readonly id: string }>, wanted: number) => {
    let count = 0
    for (const { id } of found) {
      ids.add(id)
      count++
    }
    if (count < wanted) spoil()
  }
  const readingState =
    (method: StateRead) =>
    (...given: unknown[]) => {
      const found = (store[method] as (...given: unknown[]) => unknown)(...given)
      // A read that takes a journey cannot be compared again before each answer.
      if (found instanceof Promise) spoil()
      else reads.add(JSON.stringify([method, given, digestOf(found)]))
      return found
    }

  const noting: Partial<Store> = {
    async findEntity(identifier) {
      const found = await store.findEntity(identifier)
      noteAll(found ? [found] : [], 1)
      return found
    },
    async findEntities(identifiers) {
      const found = await store.findEntities(identifiers)
      noteAll(found.values(), new Set(identifiers).size)
      return found
    },
    async identify(identifiers) {
      const found = await store.identify(identifiers)
      noteAll(found.values(), new Set(identifiers).size)
      return found
    },
    async findClimbing(identifier, links) {
      const found = await store.findClimbing(identifier, links)
      noteAll(found, links.length + 1)
      return found
    },
    async findReferences(query) {
      const page = await store.findReferences(query)
      ids.add(referrersOf(query.id))
      noteAll(page.references, 0)
      if (page.count > page.references.length || query.skip > 0) spoil()
      return page
    },
    async queryEntities(query) {
      const page = await store.queryEntities(query)
      const of = targetsIn(query.filter)
      if (of === undefined) spoil()
      else for (const id of of) ids.add(referrersOf(id))
      noteAll(page.entities, 0)
      return page
    },
    async findHistory(identifier, skip, limit) {
      const found = await store.findHistory(identifier, skip, limit)
      if (ids.has(identifier)) return found
      spoil()
      return found
    },
    findState: readingState('findState') as Store['findState'],
    listStateKeys: readingState('listStateKeys') as Store['listStateKeys'],
    readState: readingState('readState') as Store['readState']
  }
  const others =
    (method: (...given: unknown[]) => unknown) =>
    (...given: unknown[]) => {
      spoil()
      return method.apply(store, given)
    }
  return {
    store: new Proxy(store, {
      get(_, name) {
        const own = Reflect.get(noting, name)
        if (own !== undefined) return own
        const member = Reflect.get(store, name)
        return typeof member === 'function' ? others(member) : member
      }
    }),
    begin() {
      ids = new Set()
      reads = new Set()
      isWhole = true
      return () => ({ ids, reads, isWhole })
    }
  }
}

/** Tells whether reads of state give what they gave when they were noted. */
export function giveTheSame(store: Pick<Store, StateRead>, reads: Iterable<string>): boolean {
  for (const read of reads) {
    const [method, given, digest] = JSON.parse(read) as [StateRead, unknown[], string]
    const found = (store[method] as (...given: unknown[]) => unknown)(...given)
    if (found instanceof Promise || digestOf(found) !== digest) return false
  }
  return true
}

const digestOf = (found: unknown) => etagOf(JSON.stringify(found instanceof Map ? [...found] : found))

/** The entities in a filter for records of some types that refer to one of them; else undefined. */
function targetsIn(filter: Filter): readonly string[] | undefined {
  if (filter.kind !== 'all') return undefined
  const [relation, second] = filter.of.filter(each => each.kind !== 'types')
  if (relation?.kind !== 'field' || second !== undefined) return undefined
  const { path, test } = relation
  return path.kind === 'relation_key' && test.kind === 'equals' ? test.values : undefined
}
