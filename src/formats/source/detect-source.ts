import { detectForm } from '../marc/detect-form.ts'
import type { SourceFormat } from './source-formats.ts'

/** Bytes that are enough to detect the format; an XML file may begin with long comments. */
export const bytesToDetectSource = 8_192

/**
 * Detects the format of a file from its first bytes; returns undefined when it looks like none.
 * MARC-in-JSON and our entities both are objects: those of MARC have a leader or fields. A table in
 * CSV begins with the names of its columns.
 */
export function detectSource(head: Uint8Array): SourceFormat | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, bytesToDetectSource)).toString(
    'latin1'
  )
  const form = detectForm(head)
  if (form === 'marcxml') return /<(?:[\w.-]+:)?ONIXMessage[\s>]/i.test(text.replaceAll('\0', '')) ? 'onix' : form
  if (form === 'json') return firstMember.exec(text)?.[1] === undefined ? 'ndjson' : form
  if (form !== undefined) return form
  return isTable(text) ? 'csv' : undefined
}

/** The first known member decides: one of MARC (the group), or one of ours. */
const firstMember = /"(?:(leader|fields)|type|id|_id|_key|metadata|relations|identifiers)"\s*:/

/** Tests for a first line of several names separated by a comma, semicolon or tab. */
function isTable(text: string): boolean {
  const [line = ''] = text.replace(/^\xef\xbb\xbf/, '').split(/\r?\n|\r/, 1)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a text has none but tabs
  return /[,;\t]/.test(line) && !/[\x00-\x08\x0b-\x1f]/.test(line) && /\p{L}/u.test(line)
}
