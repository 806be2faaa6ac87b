import type { EntityContent, MetadataEntry, Relation } from '#domain/entity/entity.ts'
import type { Fault } from '#domain/errors.ts'
import type { Pointers } from '#domain/editing/read-draft.ts'
import { catalogueLimits } from '#domain/editing/record-limits.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { NamesInUse } from '#store/ports/queries.ts'
import type { Store } from '#store/store.ts'

type Content = Pick<EntityContent, 'metadata' | 'relations'>

/**
 * Counts the metadata keys and types of relations of a catalogue that no record type declares. The
 * index has an entry for each, and lists for people name them.
 */
export interface UndeclaredNames {
  /** Finds the names of a record that would be too many for the catalogue. */
  findExcess(content: Content, before: Content | undefined, pointers?: Pointers): Promise<Fault[]>
  /** Lists the names, for a thread without an index; undefined where they are not known. */
  list(): Promise<NamesInUse | undefined>
}

/** After so many new names they are read again: other processes write too. */
const namesToRead = 100

/** Reads the names in use; undefined where that is not possible now. */
type ReadNames = () => Promise<NamesInUse | undefined>

/**
 * Reads names from the index. A write does not wait for an index that is being built, and does not
 * depend on one that fails.
 */
export const namesFromIndex =
  (store: Store): ReadNames =>
  async () => {
    const { building, records } = store.findingState()
    if (building && records === undefined) return undefined
    return store.listNamesInUse().catch(() => undefined)
  }

export function createUndeclaredNames(model: Model, read: ReadNames): UndeclaredNames {
  let known = { keys: new Set<string>(), relationTypes: new Set<string>() }
  let isRead = false
  let added = 0
  const load = async () => {
    const names = await read()
    if (!names) return
    known = {
      keys: new Set(names.keys.filter(key => !model.isDeclaredKey(key))),
      relationTypes: new Set(names.relationTypes.filter(type => !model.isDeclaredRelation(type)))
    }
    isRead = true
    added = 0
  }
  return {
    async findExcess(content, before, pointers) {
      const fresh = freshNames(model, content, before)
      const isNew = () =>
        [...fresh.keys.keys()].some(key => !known.keys.has(key)) ||
        [...fresh.relationTypes.keys()].some(type => !known.relationTypes.has(type))
      if (!isNew()) return []
      if (!isRead || added >= namesToRead) await load()
      let faults = excess()
      if (faults.length > 0) {
        // Records that had other names may be deleted by now.
        await load()
        faults = excess()
      }
      if (faults.length > 0) return faults
      for (const key of fresh.keys.keys()) added += addTo(known.keys, key)
      for (const type of fresh.relationTypes.keys()) added += addTo(known.relationTypes, type)
      return []

      function excess(): Fault[] {
        const { maxUndeclaredKeys, maxUndeclaredRelationTypes } = catalogueLimits
        return [
          ...findTooMany(known.keys, fresh.keys, maxUndeclaredKeys, 'metadata keys', entry => {
            const at = pointers?.get(entry) ?? `/metadata/${content.metadata.indexOf(entry)}`
            return `${at}/key`
          }),
          ...findTooMany(
            known.relationTypes,
            fresh.relationTypes,
            maxUndeclaredRelationTypes,
            'types of relations',
            relation => {
              const at = pointers?.get(relation) ?? `/relations/${content.relations.indexOf(relation)}`
              return `${at}/type`
            }
          )
        ]
      }
    },
    async list() {
      await load()
      return isRead ? { keys: [...known.keys], relationTypes: [...known.relationTypes] } : undefined
    }
  }
}

/** The names that no record type declares and that the record did not have before. */
function freshNames(model: Model, content: Content, before: Content | undefined) {
  const hadKeys = new Set(before?.metadata.map(({ key }) => key))
  const hadTypes = new Set(before?.relations.map(({ type }) => type))
  const keys = new Map<string, MetadataEntry>()
  for (const entry of content.metadata)
    if (!model.isDeclaredKey(entry.key) && !hadKeys.has(entry.key)) keys.set(entry.key, entry)
  const relationTypes = new Map<string, Relation>()
  for (const relation of content.relations)
    if (!model.isDeclaredRelation(relation.type) && !hadTypes.has(relation.type))
      relationTypes.set(relation.type, relation)
  return { keys, relationTypes }
}

/** Finds the first name beyond a limit. */
function findTooMany<Entry>(
  known: ReadonlySet<string>,
  fresh: ReadonlyMap<string, Entry>,
  max: number,
  what: string,
  pointerOf: (entry: Entry) => string
): Fault[] {
  let count = known.size
  for (const [name, entry] of fresh) {
    if (known.has(name) || ++count <= max) continue
    const message = `A catalogue may have at most ${max} ${what} that no record type declares, and "${name}" would be one more`
    return [{ pointer: pointerOf(entry), message }]
  }
  return []
}

function addTo(known: Set<string>, name: string): number {
  const before = known.size
  return known.add(name).size - before
}
