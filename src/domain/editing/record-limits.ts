import type { EntityContent, Json } from '../entity/entity.ts'
import type { Fault } from '../errors.ts'
import { pointerTo } from '../json.ts'
import { countCharacters } from '../values/fold.ts'
import type { Pointers } from './read-draft.ts'
import type { RecordType } from '../record-types/record-type.ts'

/**
 * Limits of one record. No record of a real catalogue comes near; code that works on records can
 * rely on them.
 */
export const recordLimits = {
  /** Each element of a list of values counts as one. */
  maxMetadata: 2_000,
  /** Different keys; a record type declares some fifty. */
  maxMetadataKeys: 500,
  maxRelations: 10_000,
  /** Different types of relations; a record type declares some twenty. */
  maxRelationTypes: 200,
  /** Beside its id and uuid. */
  maxIdentifiers: 500,
  /** Characters of a value of the field that names a record. */
  maxNameCharacters: 1_000,
  /** Characters of any other value, or of an element of a list of values. */
  maxTextCharacters: 100_000,
  /** Characters of an HTML value, and elements in it. */
  maxHtmlCharacters: 100_000,
  maxHtmlElements: 5_000,
  /** Bytes of the content that a client sends, as JSON. */
  maxBytes: 1_048_576
} as const

/**
 * Limits of all records of a catalogue together. They hold about: processes that write at the same
 * time may exceed them by some hundred names.
 */
export const catalogueLimits = {
  /** Metadata keys that no record type declares. */
  maxUndeclaredKeys: 2_000,
  /** Types of relations that no record type declares. */
  maxUndeclaredRelationTypes: 2_000
} as const

/** Budget for reading the HTML of one record, all its values together. Reading uses it up. */
export interface HtmlBudget {
  elements: number
  attributeCharacters: number
}

/** Room for several long values, each of which is read at least twice. */
export const newHtmlBudget = (): HtmlBudget => ({
  elements: 8 * recordLimits.maxHtmlElements,
  attributeCharacters: 2 * recordLimits.maxBytes
})

/** The part of a record that the limits apply to. */
export type LimitedContent = Pick<EntityContent, 'metadata' | 'relations' | 'otherIdentifiers'>

const nothing: LimitedContent = { metadata: [], relations: [], otherIdentifiers: [] }

/**
 * Finds limits that a record exceeds. A record that exceeded a limit before may stay as it is, but
 * may not grow there.
 */
export function findExcess(
  recordType: Pick<RecordType, 'nameField'>,
  content: LimitedContent,
  before: LimitedContent = nothing,
  pointers?: Pointers
): Fault[] {
  const { maxMetadata, maxMetadataKeys, maxRelations, maxRelationTypes, maxIdentifiers } = recordLimits
  const counts = [
    ['metadata', 'metadata entries', valuesIn(content), valuesIn(before), maxMetadata],
    ['metadata', 'different metadata keys', keysIn(content), keysIn(before), maxMetadataKeys],
    ['relations', 'relations', content.relations.length, before.relations.length, maxRelations],
    ['relations', 'different types of relations', typesIn(content), typesIn(before), maxRelationTypes],
    ['identifiers', 'identifiers', content.otherIdentifiers.length, before.otherIdentifiers.length, maxIdentifiers]
  ] as const
  const faults: Fault[] = []
  for (const [member, what, now, was, max] of counts) {
    if (now > Math.max(max, was))
      faults.push({ pointer: `/${member}`, message: `A record may have at most ${max} ${what}, not ${now}` })
  }
  if (faults.length > 0) return faults
  return [...findLongTexts(recordType, content, before, pointers), ...findByteExcess(content, before)]
}

/** Finds whether a record has too many bytes in all. */
export function findByteExcess(content: LimitedContent, before: LimitedContent = nothing): Fault[] {
  const { maxBytes } = recordLimits
  const bytes = bytesOf(content)
  if (bytes <= maxBytes || bytes <= bytesOf(before)) return []
  return [{ pointer: '', message: `A record may have at most ${maxBytes} bytes as JSON, not ${bytes}` }]
}

const valuesIn = ({ metadata }: LimitedContent) =>
  metadata.reduce((count, { value }) => count + (Array.isArray(value) ? Math.max(1, value.length) : 1), 0)

const keysIn = ({ metadata }: LimitedContent) => new Set(metadata.map(({ key }) => key)).size
const typesIn = ({ relations }: LimitedContent) => new Set(relations.map(({ type }) => type)).size

/** A value of a record, or one element of a list of values. */
interface Value {
  /** The key of a metadata entry, or the name of another member. */
  readonly key: string
  readonly value: Json
  /** Whether the record itself has it, not one of its relations. */
  readonly isOwn: boolean
  readonly pointer: () => string
}

/** Calls back with everything in a record that may be long. */
function forEachValue({ metadata, relations }: LimitedContent, pointers: Pointers | undefined, work: Work) {
  const addEntry = (entry: EntityContent['metadata'][number], isOwn: boolean, at: () => string) => {
    for (const [member, value] of Object.entries(entry) as [string, Json][]) {
      const pointer = () => pointerTo(at(), member)
      if (member === 'value' && Array.isArray(value))
        value.forEach((element: Json, index) => {
          work({ key: entry.key, value: element, isOwn, pointer: () => `${pointer()}/${index}` })
        })
      else if (member !== 'key') work({ key: member === 'value' ? entry.key : member, value, isOwn, pointer })
    }
  }
  metadata.forEach((entry, index) => {
    addEntry(entry, true, () => pointers?.get(entry) ?? `/metadata/${index}`)
  })
  relations.forEach((relation, index) => {
    const at = () => pointers?.get(relation) ?? `/relations/${index}`
    for (const [member, value] of Object.entries(relation) as [string, Json][])
      if (!['key', 'type', 'metadata'].includes(member))
        work({ key: member, value, isOwn: false, pointer: () => pointerTo(at(), member) })
    relation.metadata?.forEach((entry, place) => {
      addEntry(entry, false, () => `${at()}/metadata/${place}`)
    })
  })
}

type Work = (value: Value) => void

/**
 * Finds texts that are too long. One that is no longer than a stored one of the same key may stay,
 * and may become shorter.
 */
function findLongTexts(
  { nameField }: Pick<RecordType, 'nameField'>,
  content: LimitedContent,
  before: LimitedContent,
  pointers: Pointers | undefined
): Fault[] {
  const { maxNameCharacters, maxTextCharacters } = recordLimits
  let stored: Map<string, number> | undefined
  const maxStored = () => {
    const longest = new Map<string, number>()
    forEachValue(before, undefined, ({ key, value }) => {
      longest.set(key, Math.max(longest.get(key) ?? 0, charactersOf(value, 0)))
    })
    return longest
  }
  const faults: Fault[] = []
  forEachValue(content, pointers, ({ key, value, isOwn, pointer }) => {
    const max = isOwn && key === nameField && typeof value === 'string' ? maxNameCharacters : maxTextCharacters
    const length = charactersOf(value, max)
    if (length <= max) return
    stored ??= maxStored()
    if (length <= (stored.get(key) ?? 0)) return
    faults.push({ pointer: pointer(), message: `"${key}" may have at most ${max} characters, not ${length}` })
  })
  return faults
}

/** Characters of a value, as JSON if it is not a text. Counted exactly only if they may exceed. */
function charactersOf(value: Json, max: number): number {
  if (typeof value !== 'object' && typeof value !== 'string') return 0
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= max ? text.length : countCharacters(text)
}

const encoder = new TextEncoder()

/** Bytes as JSON in UTF-8. Encodes the text only if its length alone does not decide. */
function bytesOf({ metadata, relations, otherIdentifiers }: LimitedContent): number {
  const text = JSON.stringify([metadata, relations, otherIdentifiers])
  return text.length * 3 <= recordLimits.maxBytes ? text.length : encoder.encode(text).length
}
