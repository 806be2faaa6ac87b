import { type Entity, targetsOf, valuesOf } from '#domain/entity/entity.ts'
import type { Change } from '#domain/events/change-event.ts'
import { isWithin, type ReadLimit } from '#domain/permissions.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import type { Version } from '#store/ports/history.ts'
import type { Store } from '#store/store.ts'
import { withRelations } from './visibility.ts'

/**
 * Decides which records, versions and changes exist for a reader with limits, and removes relations
 * to those that do not.
 */
export class LimitedView {
  readonly #store: Store
  readonly #limitByType: ReadonlyMap<string, ReadLimit>
  /** Types that are parts of a limited type, and the relation to their whole. */
  readonly #partByType: ReadonlyMap<string, ReadLimit['parts'][number] & { readonly mayBeLoose: boolean }>

  constructor(store: Store, limits: readonly ReadLimit[]) {
    this.#store = store
    this.#limitByType = new Map(limits.map(limit => [limit.type, limit]))
    this.#partByType = new Map(
      limits.flatMap(({ parts, status }) =>
        parts.map(part => [part.type, { ...part, mayBeLoose: status === undefined }] as const)
      )
    )
  }

  /** Whether visibility of the records of a type depends on more than the type. */
  isAffected(type: string): boolean {
    return this.#limitByType.has(type) || this.#partByType.has(type)
  }

  /**
   * Makes a test of which entities, in their state of this or another moment, are visible now, or
   * were at some time of a period. A part is visible when its whole is visible now.
   */
  async visibleAmong(
    entities: readonly Entity[],
    period?: { readonly first: number; readonly last: number }
  ): Promise<(entity: Entity) => boolean> {
    const wholes = entities.flatMap(entity => targetsOf(entity, this.#partByType.get(entity.type)?.relation ?? ''))
    const [visible, hidden] = [new Set<string>(), new Set<string>()]
    for (const [key, stored] of await this.#find([...new Set(wholes)]))
      if (this.#limitByType.has(stored.type)) (this.#isWithin(parse(stored)) ? visible : hidden).add(key)
    return entity => {
      const part = this.#partByType.get(entity.type)
      if (part) {
        const hasFields = (part.fields ?? []).every(key => valuesOf(entity, key).length > 0)
        const keys = targetsOf(entity, part.relation)
        const isLoose = part.mayBeLoose && !keys.some(key => hidden.has(key))
        return hasFields && (isLoose || keys.some(key => visible.has(key)))
      }
      return !this.#limitByType.has(entity.type) || this.#isWithin(entity, period)
    }
  }

  #isWithin(entity: Entity, period?: { readonly first: number; readonly last: number }): boolean {
    const limit = this.#limitByType.get(entity.type)
    return limit !== undefined && isWithin(limit, entity, period)
  }

  async #find(identifiers: readonly string[]): Promise<ReadonlyMap<string, StoredEntity>> {
    return identifiers.length === 0 ? new Map() : this.#store.findEntities(identifiers)
  }

  /** The identifiers of hidden records. Deleted records of affected types are always hidden. */
  async hiddenAmong(identifiers: readonly string[]): Promise<ReadonlySet<string>> {
    const known = await this.#store.identify(identifiers)
    const found = await this.#find(identifiers.filter(key => this.isAffected(known.get(key)?.type ?? '')))
    const entities = new Map([...found].map(([key, each]) => [key, parse(each)]))
    const isVisible = await this.visibleAmong([...entities.values()])
    const unknown = identifiers.filter(key => !known.has(key))
    const deleted = unknown.length === 0 ? new Map() : await this.#store.identifyDeleted(unknown)
    return new Set(
      identifiers.filter(key => {
        const entity = entities.get(key)
        return entity ? !isVisible(entity) : this.isAffected(deleted.get(key)?.type ?? '')
      })
    )
  }

  /** The documents without relations to hidden records. */
  async withoutHidden<T extends { readonly json: string }>(stored: readonly T[]): Promise<T[]> {
    const entities = stored.map(parse)
    const hidden = await this.hiddenAmong([...new Set(entities.flatMap(each => each.relations.map(({ key }) => key)))])
    return hidden.size === 0 ? [...stored] : withRelations(stored, entities, ({ key }) => !hidden.has(key))
  }

  async #shownJson(json: string): Promise<string | null> {
    const [shown] = await this.withoutHidden([{ json }])
    return shown?.json ?? null
  }

  /** The visible ones of some entities, as the reader sees them. */
  async show(found: ReadonlyMap<string, StoredEntity>): Promise<ReadonlyMap<string, StoredEntity>> {
    const entries = [...found]
    const entities = entries.map(([, stored]) => parse(stored))
    const isVisible = await this.visibleAmong(entities)
    const visible = entries.filter((_, index) => isVisible(entities[index] as Entity))
    const shown = await this.withoutHidden(visible.map(([, stored]) => stored))
    return new Map(visible.map(([key], index) => [key, shown[index] as StoredEntity]))
  }

  /** Whether the record is visible in its current state. */
  async isVisibleNow(identifier: string, type: string): Promise<boolean> {
    if (!this.isAffected(type)) return true
    return (await this.show(await this.#store.findEntities([identifier]))).size > 0
  }

  /** A version is visible when its record is visible now, and was visible then. */
  async showVersion(identifier: string, version: Version | undefined): Promise<Version | undefined> {
    if (!version || version.json === null) return version
    const entity = parse({ json: version.json })
    if (!(await this.isVisibleNow(identifier, entity.type))) return undefined
    if (!(await this.visibleAmong([entity]))(entity)) return undefined
    return { ...version, json: await this.#shownJson(version.json) }
  }

  /**
   * Shows a change. A record that was visible before and is not any more, because it was deleted,
   * has another status or was withdrawn, is shown as deleted; one that was never visible is not
   * shown.
   */
  async showChange(change: Change): Promise<Change | undefined> {
    const { json } = change
    if (!this.isAffected(change.type)) return json === null ? change : { ...change, json: await this.#shownJson(json) }
    const after = json === null ? undefined : parse({ json })
    if (after && (await this.visibleAmong([after]))(after)) {
      if (!(await this.isVisibleNow(change.uuid, change.type))) return undefined
      return { ...change, json: await this.#shownJson(json ?? '') }
    }
    const before = await this.#store.findVersionByUuid(change.uuid, change.version - 1)
    if (!before?.json) return undefined
    const was = parse({ json: before.json })
    const period = { first: Date.parse(before.at), last: Date.parse(change.at) }
    if (!(await this.visibleAmong([was], period))(was)) return undefined
    return { ...change, kind: 'deleted', json: null, mergedInto: null }
  }
}

const parse = ({ json }: { readonly json: string }) => JSON.parse(json) as Entity
