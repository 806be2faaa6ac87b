import { findJsonFaults, isJsonObject, type JsonObject } from '#domain/json.ts'
import { readJsonDocument } from '../tables/row-items.ts'
import type { ByteSource } from '../source/bytes.ts'
import type { ReadEvent, ReadShow } from './event.ts'

/** An object of a file: its own members, or those of the object with its `@id`. */
export type Resolve = (value: unknown) => JsonObject | undefined

/** Reads an event; undefined if the object is something else, such as a place. */
export type ShowReader = (event: JsonObject, resolve: Resolve) => ReadShow | undefined

/**
 * Reads a JSON file of events: one object, a list, a graph, or a page of search results (`member`).
 */
export async function* readJsonEvents(
  source: ByteSource,
  read: ShowReader
): AsyncGenerator<ReadEvent, void, undefined> {
  const { found, ...whole } = await readJsonDocument(source)
  if ('defect' in found) {
    yield { ...whole, found }
    return
  }
  const all = [found.value].flat().flatMap(membersOf)
  const faultOf = (each: JsonObject) => findJsonFaults(each)[0]
  const objects = all.filter(each => faultOf(each) === undefined)
  const byId = new Map<unknown, JsonObject>()
  for (const each of objects) addNodes(each, byId)
  const resolve: Resolve = value => {
    const id = isJsonObject(value) ? value['@id'] : value
    const isReference = !isJsonObject(value) || Object.keys(value).length === 1
    return (isReference ? byId.get(id) : undefined) ?? (isJsonObject(value) ? value : undefined)
  }
  const shows = all.flatMap((event): Pick<ReadEvent, 'source' | 'found'>[] => {
    const fault = faultOf(event)
    if (fault !== undefined) {
      const message = `${fault.pointer.slice(0, 200)}: ${fault.message}`
      return [{ source: Buffer.alloc(0), found: { defect: { kind: 'not_well_formed', message } } }]
    }
    const show = read(event, resolve)
    return show === undefined ? [] : [{ source: Buffer.from(JSON.stringify(event)), found: show }]
  })
  if (shows.length === 0)
    yield { ...whole, found: { defect: { kind: 'not_a_record', message: 'The file has no event' } } }
  // Positions inside the document are not known; progress is measured by events.
  const { length } = whole.position
  const offsetOf = (at: number) => Math.floor((at * length) / shows.length)
  for (const [at, show] of shows.entries()) {
    const position = { number: at + 1, offset: offsetOf(at), length: offsetOf(at + 1) - offsetOf(at) }
    yield { position, ...show }
  }
}

/** Adds an object, and those inside it, under their `@id`. */
function addNodes(value: unknown, byId: Map<unknown, JsonObject>): void {
  if (Array.isArray(value)) for (const each of value) addNodes(each, byId)
  if (!isJsonObject(value)) return
  if (value['@id'] !== undefined && Object.keys(value).length > 1 && !byId.has(value['@id']))
    byId.set(value['@id'], value)
  for (const each of Object.values(value)) addNodes(each, byId)
}

const membersOf = (value: unknown): JsonObject[] =>
  isJsonObject(value) ? ([value['@graph'] ?? value.member ?? value].flat().filter(isJsonObject) as JsonObject[]) : []

// Values of JSON-LD, which may be single or in a list

export const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

export const textIn = (value: unknown): string | undefined => {
  const [first] = listOf(value)
  const text = isJsonObject(first) ? (first['@value'] ?? first.name ?? first['@id']) : first
  return typeof text === 'string' && text.trim() !== ''
    ? text.trim()
    : typeof text === 'number'
      ? String(text)
      : undefined
}

export const numberIn = (value: unknown): number | undefined => {
  const number = Number(textIn(value) ?? Number.NaN)
  return Number.isFinite(number) ? number : undefined
}

/** The members of an event that nothing was read from. */
export const unreadMembers = (event: JsonObject, known: ReadonlySet<string>): string[] =>
  Object.keys(event).filter(key => !known.has(key) && textIn(JSON.stringify(event[key])) !== undefined)
