import { contentOf, type Entity } from '#domain/entity/entity.ts'
import type { ExistingEntity } from '#domain/imports/decide-entities.ts'
import type { EntityWrite } from '#store/ports/entities.ts'
import type { Store } from '#store/store.ts'
import {
  findState,
  type ImportState,
  listStateKeys,
  prefixOf,
  restOf,
  type StateKind,
  type StateWrite,
  stateWrite,
  keys,
  type Undo
} from './import-state.ts'

/**
 * The staging area of an import: the store with pending changes on top. Nothing is written until
 * the caller writes the result of `flush`; a preview never writes it, and continues as if it had.
 */
export interface Staging {
  find<Kind extends StateKind>(kind: Kind, keys: Iterable<string>): Promise<Map<string, ImportState[Kind]>>
  /** The keys under any of these prefixes. */
  listKeys(kind: StateKind, prefixes: readonly string[]): Promise<string[]>
  /** The same keys without their prefixes. */
  listRests(kind: StateKind, prefixes: readonly string[]): Promise<string[]>
  put<Kind extends StateKind>(kind: Kind, key: string, value: ImportState[Kind] | null): void
  findEntities(ids: Iterable<string>): Promise<Map<string, ExistingEntity>>
  write(write: EntityWrite, type: string): void
  /** The entity writes that are pending. */
  pending(): Pick<Flushed, 'writes' | 'types'>
  /** Returns everything that is pending; from now on it counts as written. */
  flush(): Flushed
  /** Drops everything that is pending: it was refused. */
  clear(): void
}

export interface Flushed {
  readonly writes: readonly EntityWrite[]
  /** The type of the entity of each write. */
  readonly types: readonly string[]
  readonly state: readonly StateWrite[]
}

/**
 * Maximum number of cached authorities: those that many records refer to (languages, publishers).
 */
const maxCached = 20_000

export function createStaging(store: Store, { isPreview = false }: { readonly isPreview?: boolean } = {}): Staging {
  let pending = new Map<string, { readonly kind: StateKind; readonly key: string; readonly value: unknown }>()
  let writes: EntityWrite[] = []
  let writtenTypes: string[] = []
  const previewed = createPreviewed()
  const cached = new Map<string, unknown>()
  const cache = (name: string, value: unknown) => {
    if (cached.size >= maxCached) cached.delete(cached.keys().next().value ?? '')
    cached.set(name, value)
  }
  /** The value that counts now: null when it was removed, undefined when only the store knows. */
  const known = (name: string): unknown => {
    const change = pending.get(name)
    if (change) return change.value
    return previewed.state.has(name) ? previewed.state.get(name) : cached.get(name)
  }
  const listKeys = async (kind: StateKind, prefixes: readonly string[]) => {
    const found = new Set(await listStateKeys(store, kind, prefixes))
    const wantedPrefixes = new Set(prefixes)
    for (const each of pending.values())
      if (each.kind === kind && wantedPrefixes.has(prefixOf(each.key))) found.add(each.key)
    for (const prefix of prefixes) for (const key of previewed.keysUnder(kind, prefix)) found.add(key)
    return [...found].filter(key => known(nameOf(kind, key)) !== null)
  }
  const dropPending = () => {
    pending = new Map()
    writes = []
    writtenTypes = []
  }

  return {
    async find(kind, keys) {
      const found = new Map<string, unknown>()
      const missing: string[] = []
      for (const key of keys) {
        const value = known(nameOf(kind, key))
        if (value === undefined) missing.push(key)
        else if (value !== null) found.set(key, value)
      }
      for (const [key, value] of await findState(store, kind, missing)) {
        found.set(key, value)
        if (kind === 'target') cache(nameOf(kind, key), value)
      }
      return found as Map<string, never>
    },

    listKeys,

    async listRests(kind, prefixes) {
      return (await listKeys(kind, prefixes)).map(restOf)
    },

    put(kind, key, value) {
      pending.set(nameOf(kind, key), { kind, key, value })
    },

    async findEntities(ids) {
      const found = new Map<string, ExistingEntity>()
      const missing: string[] = []
      for (const id of ids) {
        const known = previewed.entities.get(id)
        if (known) found.set(id, known)
        else if (known === undefined) missing.push(id)
      }
      for (const [id, { id: own, version, json }] of missing.length === 0 ? [] : await store.findEntities(missing)) {
        // After a merge an id leads to another entity.
        if (own !== id) continue
        const entity = JSON.parse(json) as Entity
        const { created, updated } = entity.audit
        found.set(id, { content: contentOf(entity), version, createdBy: created.by, updatedBy: updated.by })
      }
      return found
    },

    write(write, type) {
      writes.push(write)
      writtenTypes.push(type)
    },

    pending: () => ({ writes, types: writtenTypes }),

    flush() {
      const flushed = {
        writes,
        types: writtenTypes,
        state: [...pending.values()].map(({ kind, key, value }) => stateWrite(kind, key, value as never))
      }
      for (const [name, { kind, key, value }] of pending) {
        if (isPreview) previewed.put(kind, key, value)
        else if (kind === 'target') {
          if (value === null) cached.delete(name)
          else cache(name, value)
        }
      }
      if (isPreview) for (const write of writes) previewed.write(write)
      dropPending()
      return flushed
    },

    clear() {
      dropPending()
      cached.clear()
    }
  }
}

const nameOf = (kind: string, key: string) => `${kind}\n${key}`

/** Everything that counts as written in a preview. */
function createPreviewed() {
  const state = new Map<string, unknown>()
  const byPrefix = new Map<string, Set<string>>()
  const entities = new Map<string, ExistingEntity | null>()
  return {
    state: state as ReadonlyMap<string, unknown>,
    entities: entities as ReadonlyMap<string, ExistingEntity | null>,
    keysUnder: (kind: StateKind, prefix: string): Iterable<string> => byPrefix.get(nameOf(kind, prefix)) ?? [],
    put(kind: StateKind, key: string, value: unknown) {
      state.set(nameOf(kind, key), value)
      if (!key.includes('\n')) return
      const prefix = nameOf(kind, prefixOf(key))
      const known = byPrefix.get(prefix) ?? new Set()
      if (value === null) known.delete(key)
      else known.add(key)
      byPrefix.set(prefix, known)
    },
    write(write: EntityWrite) {
      if (write.kind === 'delete') {
        entities.set(write.id, null)
        return
      }
      const by = 'import:'
      const version = write.kind === 'insert' ? 1 : write.expectedVersion + 1
      entities.set(write.content.id, { content: write.content, version, createdBy: by, updatedBy: by })
    }
  }
}

/** Stages the state of things before an import changes them, so that the import can be undone. */
export class UndoNotes {
  readonly #staging: Staging
  readonly #job: string
  #count: number

  /** `count` is the number of notes that the import has made already. */
  constructor(staging: Staging, job: string, count: number) {
    this.#staging = staging
    this.#job = job
    this.#count = count
  }

  get count(): number {
    return this.#count
  }

  add(undo: Undo): void {
    this.#staging.put('undo', keys.undo(this.#job, this.#count++), undo)
  }
}
