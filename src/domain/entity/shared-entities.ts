import { familyOf } from '../record-types/families.ts'
import type { Entity } from './entity.ts'

/*
 * Languages, places, subjects, publishers and people are the same for thousands of publications.
 * They are parsed once, and the same text gives the same object, by which formats find what they
 * made of it before. Another text, such as that of a changed record or of a reader who may see less
 * of it, gives another object, so none is ever out of date.
 */

/** A record as it is stored, with its text. */
interface Stored {
  readonly id: string
  readonly type: string
  readonly json: string
}

interface Shared {
  readonly json: string
  readonly entity: Entity
}

/** Characters of the texts of half of the records that are kept. */
const maxCharacters = 1_000_000

let newer = new Map<string, Shared>()
let older = new Map<string, Shared>()
let characters = 0
const shared = new WeakSet<Entity>()

/** Parses a record. The object of a shared one is frozen. */
export function parseEntity({ id, type, json }: Stored): Entity {
  if (familyOf(type) !== 'related') return JSON.parse(json) as Entity
  const recent = newer.get(id)
  if (recent?.json === json) return recent.entity
  const early = older.get(id)
  const found = early?.json === json ? early : { json, entity: freeze(JSON.parse(json)) as Entity }
  characters += json.length
  if (characters > maxCharacters) {
    older = newer
    newer = new Map()
    characters = json.length
  }
  newer.set(id, found)
  shared.add(found.entity)
  return found.entity
}

/** Whether the same object stands for the same text, so that what was made of it can be kept. */
export const isShared = (entity: Entity) => shared.has(entity)

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const each of Object.values(value)) freeze(each)
  return Object.freeze(value)
}
