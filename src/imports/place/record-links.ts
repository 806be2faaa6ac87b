import { chooseLinked, isOfSerials, isSerial, type LinkCandidate } from '#domain/imports/record-links.ts'
import { workLinks, type StoredLink, type StoredRecord } from '#domain/imports/stored.ts'
import { keys as stateKeys, prefixOf, restOf } from '../state/import-state.ts'
import type { Staging } from '../state/staging.ts'
import type { RecordChange } from './placing.ts'

/** The catalogue without the changes, and with them. */
export type View = 'before' | 'after'

type LinkedRecord = LinkCandidate['record'] & Partial<Pick<StoredRecord, 'manifestationId'>>

type Edges = Readonly<Record<View, Map<string, Edge[]>>>

/** A relation of a work to that of another record. */
export interface WorkLink {
  readonly relation: string
  readonly record: string
  readonly date: string | undefined
}

/** Whether a link is about a relation of the other record to the one that has it. */
const isReversed = ({ kind }: StoredLink) => Object.values(workLinks).some(([, reverse]) => reverse === kind)

interface Edge {
  readonly from: string
  readonly to: string
  readonly link: StoredLink
}

/**
 * The links between the records that change and others, in either direction, before and after the
 * change. The records that links name are looked up by keys, so it does not matter which of two
 * records came first.
 */
export class RecordLinks {
  readonly #staging: Staging
  readonly #changed: ReadonlyMap<string, LinkedRecord | undefined>
  readonly #stored = new Map<string, LinkedRecord | undefined>()
  /** Names of stored records, by a key that they are found by. */
  readonly #named = new Map<string, readonly string[]>()
  /** Changed records, by a key that they are found by after the change. */
  readonly #nowNamed = new Map<string, string[]>()
  /** Links by the record that has them, and by the one that they are about. */
  readonly #from: Edges = { before: new Map(), after: new Map() }
  readonly #to: Edges = { before: new Map(), after: new Map() }
  #areThere: boolean | undefined

  constructor(staging: Staging, changes: readonly RecordChange[], known: ReadonlyMap<string, StoredRecord>) {
    this.#staging = staging
    this.#changed = new Map(changes.map(({ name, next }) => [name, next?.record]))
    for (const { name, next } of changes) {
      this.#stored.set(name, known.get(name))
      for (const key of next?.record.names ?? []) append(this.#nowNamed, key, name)
    }
  }

  /** Reads the links from and to some records. */
  async load(names: Iterable<string>): Promise<void> {
    this.#areThere ??=
      [...this.#changed.values()].some(each => each?.links !== undefined) ||
      (await this.#staging.find('flag', ['links'])).size > 0
    if (!this.#areThere) return
    const wanted = new Set(names)
    await this.#loadRecords(wanted)
    const ownKeys = [...wanted].flatMap(name => this.#states(name).flatMap(each => each.names ?? []))
    const linking = await this.#staging.listRests('link', [...new Set(ownKeys)])
    const fromChanged = [...this.#changed].filter(([, record]) => record?.links !== undefined).map(([name]) => name)
    const sources = new Set([...wanted, ...linking, ...fromChanged])
    for (const name of sources) if (this.#from.before.has(name)) sources.delete(name)
    await this.#loadRecords(sources)
    const linkKeys = [...sources].flatMap(name =>
      this.#states(name).flatMap(each => each.links?.flatMap(({ keys }) => keys) ?? [])
    )
    await this.#loadNames(new Set(linkKeys))
    for (const view of ['before', 'after'] as const)
      for (const name of sources) {
        const edges = this.#resolve(view, name)
        this.#from[view].set(name, edges)
        for (const edge of edges) append(this.#to[view], edge.to, edge)
      }
  }

  /** The hosts of a record that was loaded. */
  hostsOf(view: View, name: string): readonly Edge[] {
    return (this.#from[view].get(name) ?? []).filter(each => each.link.kind === 'host')
  }

  /** The works that one which was loaded is related to, and the times of these relations. */
  worksOf(view: View, name: string): WorkLink[] {
    const found = Object.entries(workLinks).flatMap(([relation, [own, reverse]]) => [
      ...(this.#from[view].get(name) ?? [])
        .filter(each => each.link.kind === own)
        .map(({ to, link }) => ({ relation, record: to, date: link.number })),
      ...(this.#to[view].get(name) ?? [])
        .filter(each => each.link.kind === reverse)
        .map(({ from, link }) => ({ relation, record: from, date: link.number }))
    ])
    return found.sort((one, other) => (one.record < other.record ? -1 : one.record > other.record ? 1 : 0))
  }

  /** The records whose publications have a loaded one as their host, in either view. */
  partsOf(name: string): string[] {
    return this.#about(name).flatMap(({ from, link }) => (link.kind === 'host' ? [from] : []))
  }

  /** The records whose works are related to that of a loaded one, in either view. */
  successorsOf(name: string): string[] {
    const own = [this.#from.before, this.#from.after].flatMap(edges => edges.get(name) ?? [])
    return [
      ...own.flatMap(({ to, link }) => (isReversed(link) ? [to] : [])),
      ...this.#about(name).flatMap(({ from, link }) => (link.kind === 'host' || isReversed(link) ? [] : [from]))
    ]
  }

  /**
   * The records whose hosts or predecessors are others after the change, even if neither changes:
   * with a third of the same title, it is no longer clear which one a link is about.
   */
  redirected(): { readonly components: string[]; readonly successors: string[] } {
    const edges = [...this.#from.before.keys()].flatMap(name => {
      const [before, after] = [this.#from.before.get(name) ?? [], this.#from.after.get(name) ?? []]
      const isIn = (list: readonly Edge[], edge: Edge) =>
        list.some(each => each.to === edge.to && each.link === edge.link)
      return [...before.filter(each => !isIn(after, each)), ...after.filter(each => !isIn(before, each))]
    })
    return {
      components: edges.flatMap(({ from, link }) => (link.kind === 'host' ? [from] : [])),
      successors: edges.flatMap(({ from, to, link }) => (link.kind === 'host' ? [] : [isReversed(link) ? to : from]))
    }
  }

  /** The manifestation of a stored record that links lead to. */
  manifestationOf(name: string): string | undefined {
    return this.#stored.get(name)?.manifestationId
  }

  /** The manifestations that links lead to. */
  manifestations(): string[] {
    const targets = [...this.#to.before.keys(), ...this.#to.after.keys()]
    return [...new Set(targets)].flatMap(name => this.manifestationOf(name) ?? [])
  }

  #about(name: string): Edge[] {
    return [this.#to.before, this.#to.after].flatMap(edges => edges.get(name) ?? [])
  }

  #find(view: View, name: string): LinkedRecord | undefined {
    return view === 'after' && this.#changed.has(name) ? this.#changed.get(name) : this.#stored.get(name)
  }

  /** A record in both views. */
  #states(name: string): LinkedRecord[] {
    return [this.#find('before', name), this.#find('after', name)].filter(each => each !== undefined)
  }

  async #loadRecords(names: Iterable<string>): Promise<void> {
    const missing = [...names].filter(name => !this.#stored.has(name))
    const found = await this.#staging.find('record', missing)
    for (const name of missing) this.#stored.set(name, found.get(name))
  }

  async #loadNames(keys: ReadonlySet<string>): Promise<void> {
    const missing = [...keys].filter(key => !this.#named.has(key))
    const found = new Map<string, string[]>(missing.map(key => [key, []]))
    for (const key of await this.#staging.listKeys('link name', missing)) found.get(prefixOf(key))?.push(restOf(key))
    for (const [key, names] of found) this.#named.set(key, names)
    await this.#loadRecords([...found.values()].flat())
  }

  #candidates(view: View, key: string): LinkCandidate[] {
    const stored = this.#named.get(key) ?? []
    const names = view === 'before' ? stored : new Set([...stored, ...(this.#nowNamed.get(key) ?? [])])
    return [...names].flatMap(name => {
      const record = this.#find(view, name)
      return record?.names?.includes(key) ? [{ name, record }] : []
    })
  }

  #resolve(view: View, from: string): Edge[] {
    const record = this.#find(view, from)
    return (record?.links ?? []).flatMap(link => {
      if (record === undefined || (isOfSerials(link) && !isSerial(record))) return []
      const to = chooseLinked(from, link, key => this.#candidates(view, key))
      return to === undefined ? [] : [{ from, to, link }]
    })
  }
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [value])
  else known.push(value)
}

/** Takes values of the state that change. */
export type StatePutter = Pick<Staging, 'put'>

/** Stages the keys of a record that changed. */
export function stageLinks(
  staging: StatePutter,
  name: string,
  old: LinkedRecord | undefined,
  next: LinkedRecord | undefined
): void {
  const linkedBy = (record: LinkedRecord | undefined) => record?.links?.flatMap(each => each.keys) ?? []
  for (const [kind, was, is] of [
    ['link name', new Set(old?.names), new Set(next?.names)],
    ['link', new Set(linkedBy(old)), new Set(linkedBy(next))]
  ] as const) {
    for (const key of was) if (!is.has(key)) staging.put(kind, stateKeys.link(key, name), null)
    for (const key of is) if (!was.has(key)) staging.put(kind, stateKeys.link(key, name), true)
  }
  if (next?.links !== undefined) staging.put('flag', 'links', true)
}
