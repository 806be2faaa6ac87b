import { detectForm } from '../marc/detect-form.ts'
import type { SourceFormat } from './source-item.ts'

/** So many bytes are enough to tell; an XML file may begin with long remarks. */
export const bytesToDetectSource = 8_192

/**
 * Tells from its first bytes which format a file is in; undefined when it looks like none.
 * MARC-in-JSON and entities of our own both are objects: those of MARC have a leader or fields. A
 * table in CSV begins with the names of its columns.
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

/** What comes first tells: a member that MARC has (the group), or one of ours. */
const firstMember = /"(?:(leader|fields)|type|id|_id|_key|metadata|relations|identifiers)"\s*:/

/** A first line of several names with a comma, semicolon or tab between them. */
function isTable(text: string): boolean {
  const [line = ''] = text.replace(/^\xef\xbb\xbf/, '').split(/\r?\n|\r/, 1)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a text has none but tabs
  return /[,;\t]/.test(line) && !/[\x00-\x08\x0b-\x1f]/.test(line) && /\p{L}/u.test(line)
}
