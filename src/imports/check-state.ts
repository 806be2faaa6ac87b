import type { StoredRecord } from '#domain/imports/stored.ts'
import type { Inspector } from '#store/ports/administration.ts'
import { mentionIdsOf, splitMention } from './place/placing.ts'
import { isPlain, keys, restOf, type StateKind, stateKinds, storedKind } from './state/import-state.ts'

const advice = 'Restore a backup that has no such problem, or import the file again'

/** Finds the values of a kind, parsed; broken ones are reported where they are read themselves. */
type FindParsed = (kind: StateKind, keys: readonly string[]) => Promise<ReadonlyMap<string, unknown>>

/**
 * Checks the state of imports: values that cannot be read, records without their source or
 * mentions, the reverse, and entities of imports that do not exist.
 */
export function createStateInspector(): Inspector {
  const jobs = new Set<string>()
  /** Imports that wrote entities, with one of these. */
  const writers = new Map<string, string>()
  const kindOf = new Map(stateKinds.filter(kind => !isPlain(kind)).map(kind => [storedKind(kind), kind]))
  return {
    entities(page) {
      for (const { id, audit } of page)
        for (const { by } of [audit.created, audit.updated])
          if (by.startsWith('import:')) writers.set(by.slice('import:'.length), id)
      return []
    },

    async state(page, find) {
      const problems: string[] = []
      const found = new Map<StateKind, Map<string, unknown>>()
      for (const { kind: stored, key, value } of page) {
        // Open jobs are listed under the kind of jobs, without a value.
        const kind = stored === storedKind('job') && key === keys.openJob(restOf(key)) ? undefined : kindOf.get(stored)
        if (kind === undefined) continue
        const parsed = parse(value)
        if (parsed === undefined) problems.push(`The ${stored} "${key}" cannot be read. ${advice}`)
        else found.set(kind, (found.get(kind) ?? new Map<string, unknown>()).set(key, parsed))
      }
      for (const key of found.get('job')?.keys() ?? []) jobs.add(restOf(key))
      const findParsed: FindParsed = async (kind, wanted) =>
        new Map([...(await find(storedKind(kind), wanted))].map(([key, value]) => [key, parse(value)]))
      const records = (found.get('record') ?? new Map()) as ReadonlyMap<string, StoredRecord>
      problems.push(...(await checkRecords(records, findParsed)))
      problems.push(
        ...(await checkOrigins((found.get('origin') ?? new Map()) as ReadonlyMap<string, string>, findParsed))
      )
      problems.push(...(await checkMentions([...(found.get('mention')?.keys() ?? [])], findParsed)))
      return problems
    },

    finish: () =>
      [...writers]
        .filter(([job]) => !jobs.has(job))
        .map(([job, id]) => `Entity "${id}" was written by the import "${job}", which does not exist. ${advice}`)
  }
}

/** Every record has its source, and its mentions, and its manifestation leads back to it. */
async function checkRecords(records: ReadonlyMap<string, StoredRecord>, find: FindParsed): Promise<string[]> {
  if (records.size === 0) return []
  const ids = [...records.values()].map(each => each.manifestationId)
  const [sources, origins] = [await find('source', ids), await find('origin', ids)]
  const mentions = await find(
    'mention',
    [...records].flatMap(([name, record]) => mentionIdsOf(name, record))
  )
  return [...records].flatMap(([name, record]) => {
    const lacking = [
      ...(sources.has(record.manifestationId) ? [] : ['source record']),
      ...(origins.get(record.manifestationId) === name ? [] : ['way back from its manifestation']),
      ...(mentionIdsOf(name, record).every(each => mentions.has(each)) ? [] : ['mentions of works'])
    ]
    return lacking.map(what => `The imported record "${name}" has no ${what}. ${advice}`)
  })
}

async function checkOrigins(origins: ReadonlyMap<string, string>, find: FindParsed): Promise<string[]> {
  const records = origins.size === 0 ? new Map() : await find('record', [...origins.values()])
  return [...origins]
    .filter(([id, name]) => (records.get(name) as StoredRecord | undefined)?.manifestationId !== id)
    .map(([id, name]) => `The imported record "${name}" of manifestation "${id}" does not exist. ${advice}`)
}

async function checkMentions(mentions: readonly string[], find: FindParsed): Promise<string[]> {
  const names = [...new Set(mentions.map(each => splitMention(each)[0]))]
  const records = names.length === 0 ? new Map() : await find('record', names)
  return mentions
    .filter(each => {
      const [name, place] = splitMention(each)
      return !(place < ((records.get(name) as StoredRecord | undefined)?.mentions ?? 0))
    })
    .map(each => `The mention "${each}" belongs to no imported record. ${advice}`)
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}
