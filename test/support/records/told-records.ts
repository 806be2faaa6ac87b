import assert from 'node:assert/strict'

import type { Entity } from '#domain/entity/entity.ts'

/*
 * A client's own records, as the answers to its writes told them. Nobody else writes these records,
 * so the catalogue must agree at any time.
 */

/** A record as its client knows it. */
export type Told = Pick<Entity, 'type' | 'version' | 'metadata' | 'relations'>

interface Merge {
  readonly survivor: string
  readonly victim: string
  /** Both, and those that referred to the victim, as they were before the merge. */
  readonly before: ReadonlyMap<string, Told>
  /** Those that had been merged into the victim. */
  readonly led: readonly string[]
  /** The versions that the merge made. */
  readonly made: ReadonlyMap<string, number>
}

export type ToldRecords = ReturnType<typeof createToldRecords>

const copy = ({ type, version, metadata, relations }: Told): Told =>
  structuredClone({ type, version, metadata, relations })

export function createToldRecords() {
  const alive = new Map<string, Told>()
  /** Deleted records, with the version that the deletion made. */
  const gone = new Map<string, Told>()
  /** The records that others were merged into, by the ids of those. */
  const mergedInto = new Map<string, string>()
  let merges: Merge[] = []

  const told = (id: string) => alive.get(id) ?? assert.fail(`${id} is not known`)

  const referringTo = (id: string) =>
    [...alive].filter(([, { relations }]) => relations.some(({ key }) => key === id)).map(([each]) => each)

  /** Sets the relations of a record, in a new version. */
  function relate(id: string, relations: Told['relations']) {
    const before = told(id)
    alive.set(id, { ...before, version: before.version + 1, relations })
  }

  function detach(id: string): string[] {
    const referring = referringTo(id)
    for (const each of referring)
      relate(
        each,
        told(each).relations.filter(({ key }) => key !== id)
      )
    return referring
  }

  /** Merges with a record that is gone cannot be undone, nor can those into their victims. */
  const forgetMerges = (id: string) => {
    const of = merges.filter(({ survivor, victim }) => survivor === id || victim === id)
    merges = merges.filter(each => !of.includes(each))
    for (const { victim } of of) if (victim !== id) forgetMerges(victim)
  }

  const remove = (id: string) => {
    const last = told(id)
    alive.delete(id)
    return { last, referring: detach(id) }
  }

  return {
    alive,
    gone,
    mergedInto,
    told,
    referringTo,

    ofTypes: (...types: string[]) => [...alive].filter(([, { type }]) => types.includes(type)).map(([id]) => id),

    wrote(entity: Entity): string {
      gone.delete(entity.id)
      alive.set(entity.id, copy(entity))
      return entity.id
    },

    /** Something else about the record changed with it. */
    changed(id: string, change: (before: Told) => Partial<Told>) {
      const before = told(id)
      alive.set(id, { ...before, version: before.version + 1, ...change(before) })
    },

    /** Returns the records that referred to it. */
    deleted(id: string): string[] {
      const { last, referring } = remove(id)
      gone.set(id, { ...last, version: last.version + 1 })
      forgetMerges(id)
      return referring
    },

    /** Returns what is gone with it, and the records that referred to it. */
    wasPurged(id: string): string[] {
      const referring = alive.has(id) ? remove(id).referring : []
      gone.delete(id)
      const mergedHere = [...mergedInto].filter(([, into]) => into === id).map(([victim]) => victim)
      for (const victim of mergedHere) mergedInto.delete(victim)
      forgetMerges(id)
      return [...mergedHere, ...referring]
    },

    merged(survivor: string, victim: string): string[] {
      const referring = referringTo(victim)
      const touched = [survivor, victim, ...referring]
      const before = new Map(touched.map(id => [id, copy(told(id))]))
      alive.delete(victim)
      for (const id of referring) {
        const pointed = told(id).relations.map(each => (each.key === victim ? { ...each, key: survivor } : each))
        const isFirst = (one: Told['relations'][number], index: number) =>
          pointed.findIndex(({ key, type }) => key === one.key && type === one.type) === index
        relate(id, pointed.filter(isFirst))
      }
      relate(survivor, told(survivor).relations)
      const led = [...mergedInto].filter(([, into]) => into === victim).map(([each]) => each)
      for (const each of [victim, ...led]) mergedInto.set(each, survivor)
      const made = new Map([survivor, ...referring].map(id => [id, told(id).version]))
      merges.push({ survivor, victim, before, made, led })
      return touched
    },

    /** The newest merge, if there is one. */
    newestMerge: () => merges.at(-1),

    /** Returns the records that were edited since, of which only the references were restored. */
    unmerged({ victim, before, made, led }: Merge): { asBefore: string[]; edited: string[] } {
      merges.pop()
      mergedInto.delete(victim)
      for (const each of led) mergedInto.set(each, victim)
      const back = before.get(victim) ?? assert.fail()
      alive.set(victim, { ...back, version: back.version + 2 })
      const others = [...before.keys()].filter(id => id !== victim && alive.has(id))
      const edited = others.filter(id => told(id).version !== made.get(id))
      const asBefore = others.filter(id => !edited.includes(id))
      for (const id of asBefore) alive.set(id, { ...(before.get(id) ?? assert.fail()), version: told(id).version + 1 })
      return { asBefore: [victim, ...asBefore], edited }
    }
  }
}
