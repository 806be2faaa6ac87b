import { type Json, type MetadataEntry, valuesOf } from './entity.ts'
import { replaceEntries } from '../editing/merge-lists.ts'
import { isSameJson } from '../json.ts'
import type { RecordType } from '../record-types/record-type.ts'

/** Facts about the bytes that a record describes. */
export interface ContentFacts {
  readonly sha256: string
  readonly size: number
  readonly mimetype: string
  readonly width?: number
  readonly height?: number
}

/** The field that tells whether a record has content, and which. */
export const contentHashField = 'sha256' satisfies keyof ContentFacts

/** Tests for a SHA-256 in hexadecimal. */
export const isContentHash = (text: string) => /^[0-9a-f]{64}$/.test(text)

/** The hash of the bytes that a record names, if it names any. */
export function contentHashOf(entity: Parameters<typeof valuesOf>[0]): string | undefined {
  const [hash] = valuesOf(entity, contentHashField)
  return typeof hash === 'string' && isContentHash(hash) ? hash : undefined
}

/**
 * The metadata that a client sent, with the values that only the server sets: counts unchanged, and
 * the facts of the content unchanged or as in `content`. A record without content may have any such
 * facts (of a file elsewhere), except the hash of its bytes.
 */
export function retainServerFields(
  recordType: RecordType,
  given: readonly MetadataEntry[],
  before: readonly MetadataEntry[],
  content?: ContentFacts
): readonly MetadataEntry[] {
  const hadContent = valuesOf({ metadata: before }, contentHashField).length > 0
  const serverValues = new Map<string, Json | undefined>()
  for (const key of recordType.counts ?? []) serverValues.set(key, valuesOf({ metadata: before }, key)[0])
  for (const [key, field] of Object.entries(recordType.fields)) {
    if (!field.ofContent) continue
    if (content) serverValues.set(key, content[key as keyof ContentFacts])
    else if (hadContent || key === contentHashField) serverValues.set(key, valuesOf({ metadata: before }, key)[0])
  }
  if (serverValues.size === 0) return given
  // Their order is the server's as well: a record that comes back with them elsewhere is the same.
  const others = (list: readonly MetadataEntry[]) => list.filter(({ key }) => !serverValues.has(key))
  const isSame = [...serverValues].every(([key, value]) => valuesOf({ metadata: before }, key)[0] === value)
  if (isSame && isSameJson(others(given), others(before))) return before
  return replaceEntries(given, new Set(serverValues.keys()), (key, entry) => {
    const value = serverValues.get(key)
    if (value === undefined) return []
    return entry?.value === value ? [entry] : [{ key, value }]
  })
}
