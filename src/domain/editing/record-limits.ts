import type { EntityContent } from '../entity/entity.ts'
import type { Fault } from '../errors.ts'
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
  maxRelations: 10_000,
  /** Beside its id and uuid. */
  maxIdentifiers: 500,
  /** Characters of a value of the field that names a record. */
  maxNameCharacters: 1_000,
  /** Characters of an HTML value, and elements in it. */
  maxHtmlCharacters: 100_000,
  maxHtmlElements: 5_000,
  /** Bytes of the content that a client sends, as JSON. */
  maxBytes: 1_048_576
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
  const { maxMetadata, maxRelations, maxIdentifiers } = recordLimits
  const counts = [
    ['metadata', 'metadata entries', valuesIn(content), valuesIn(before), maxMetadata],
    ['relations', 'relations', content.relations.length, before.relations.length, maxRelations],
    ['identifiers', 'identifiers', content.otherIdentifiers.length, before.otherIdentifiers.length, maxIdentifiers]
  ] as const
  const faults: Fault[] = []
  for (const [member, what, now, was, max] of counts) {
    if (now > Math.max(max, was))
      faults.push({ pointer: `/${member}`, message: `A record may have at most ${max} ${what}, not ${now}` })
  }
  if (faults.length > 0) return faults
  return [...findLongNames(recordType, content, before, pointers), ...findByteExcess(content, before)]
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

function findLongNames(
  { nameField }: Pick<RecordType, 'nameField'>,
  { metadata }: LimitedContent,
  before: LimitedContent,
  pointers: Pointers | undefined
): Fault[] {
  const { maxNameCharacters } = recordLimits
  return metadata.flatMap((entry, index): Fault[] => {
    const { key, value } = entry
    if (key !== nameField || typeof value !== 'string' || value.length <= maxNameCharacters) return []
    const length = countCharacters(value)
    if (length <= maxNameCharacters || before.metadata.some(was => was.key === key && was.value === value)) return []
    const message = `"${key}" may have at most ${maxNameCharacters} characters, not ${length}`
    return [{ pointer: `${pointers?.get(entry) ?? `/metadata/${index}`}/value`, message }]
  })
}

const encoder = new TextEncoder()

/** Bytes as JSON in UTF-8. Encodes the text only if its length alone does not decide. */
function bytesOf({ metadata, relations, otherIdentifiers }: LimitedContent): number {
  const text = JSON.stringify([metadata, relations, otherIdentifiers])
  return text.length * 3 <= recordLimits.maxBytes ? text.length : encoder.encode(text).length
}
