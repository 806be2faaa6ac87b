import type { EventFormat, SourceFormat } from './source-formats.ts'
import { dublinCoreRoots } from '../dublin-core/read-dublin-core.ts'
import type { SourceForm } from '../marc/record.ts'

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
  const events = detectEvents(text)
  if (events !== undefined) return events
  const form = detectForm(head)
  if (form === 'marcxml') return /<(?:[\w.-]+:)?ONIXMessage[\s>]/i.test(text.replaceAll('\0', '')) ? 'onix' : form
  if (form === 'json') return firstMember.exec(text)?.[1] === undefined ? 'ndjson' : form
  if (form !== undefined) return form
  return isTable(text) ? 'csv' : undefined
}

/** The format of a file of events. In JSON-LD the first type decides, or a type of shows. */
function detectEvents(text: string): EventFormat | undefined {
  const start = text.replace(/^\xef\xbb\xbf/, '').trimStart()
  if (/^BEGIN:VCALENDAR\s/i.test(start)) return 'icalendar'
  if (start.startsWith('<') && /<(?:[\w.-]+:)?cdbxml[\s>]/.test(start)) return 'cdbxml'
  if (!/^[[{]/.test(start)) return undefined
  if (/"calendarType"\s*:|\/contexts\/event"/.test(start)) return 'uitdatabank'
  if (!/"@context"\s*:[^:]*"https?:\/\/schema\.org/.test(start))
    return /uitdatabank\.be\/events?\//.test(start) ? 'uitdatabank' : undefined
  const [, first = ''] = /"@type"\s*:\s*(?:\[\s*)?"(?:schema:|https?:\/\/schema\.org\/)?(\w+)"/.exec(start) ?? []
  const isOfEvents = /Event$|^EventSeries$|^Festival$/.test(first) && first !== 'PublicationEvent'
  return isOfEvents || /"(?:schema:)?(?:Theater|Music|Dance|Comedy|Childrens)Event"/.test(start)
    ? 'schemaorg'
    : undefined
}

/** The first known member decides: one of MARC (the group), or one of ours. */
const firstMember = /"(?:(leader|fields)|type|id|_id|_key|metadata|relations|identifiers)"\s*:/

/** Tests for a first line of several names separated by a comma, semicolon or tab. */
function isTable(text: string): boolean {
  const [line = ''] = text.replace(/^\xef\xbb\xbf/, '').split(/\r?\n|\r/, 1)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a text has none but tabs
  return /[,;\t]/.test(line) && !/[\x00-\x08\x0b-\x1f]/.test(line) && /\p{L}/u.test(line)
}

/** Bytes that are enough to detect the form. */
export const bytesToDetect = 8_192
/** A leader stands near the beginning. */
const maxCharactersBeforeLeader = 512

/**
 * Detects the form of a file from its first bytes; returns undefined when it looks like none. ISO
 * 2709 is tried last, with a leader that may be damaged: its reader continues at the next leader.
 */
export function detectForm(head: Uint8Array): SourceForm | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, bytesToDetect))
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return 'marcxml'
  // UTF-16 without a byte order mark.
  if ((bytes[0] === 0x3c && bytes[1] === 0) || (bytes[0] === 0 && bytes[1] === 0x3c)) return 'marcxml'
  const text = bytes.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  const rdf = detectRdf(text)
  if (rdf !== undefined) return rdf
  if (/^\s*<[?!\w]/.test(text)) return xmlForm(text)
  if (/^\s*(?:\[\s*)?\{/.test(text) || /^\s*\[\s*\]/.test(text)) return 'json'
  if (/^\s*=(?:LDR|\d{3}) /.test(text)) return 'mrk'
  if (/^\s*\d{9} [0-9A-Za-z]{3}[0-9A-Za-z ^]{2} [A-Z ] /.test(text)) return 'aleph'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the separators of PICA+
  if (/^[\s\x1d\x1e]*[0-2]\d\d[A-Z@](?:\/\d{2,3})? ?(?:[$\x1f]|\xc6\x92)/.test(text)) return 'pica'
  const start = text.slice(0, maxCharactersBeforeLeader)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the separators of ISO 2709
  return hasLeader(start) || /[\x1d-\x1f]/.test(start) ? 'iso2709' : undefined
}

/** The syntax of a file of RDF, by its first statement, its root or its first member. */
function detectRdf(text: string): SourceForm | undefined {
  const start = text.replace(/^(?:\s+|#[^\n]*\n)*/, '')
  if (/^(?:@prefix|@base|prefix|base)\s+(?:[^\s<]+\s*)?</i.test(start)) return 'turtle'
  if (/^(?:<[A-Za-z][\w+.-]*:\/\/|<urn:|_:\w+\s+<)/.test(start)) return 'ntriples'
  if (/^\s*(?:\[\s*)?\{\s*"@(?:context|graph|id|type)"\s*:/.test(text)) return 'jsonld'
  const [, root] = /<([A-Za-z_][\w.:-]*)/.exec(text) ?? []
  return /^\s*</.test(text) && /(?:^|:)RDF$/.test(root ?? '') ? 'rdfxml' : undefined
}

const hasLeader = (text: string) => /\d{5}[\x20-\x7e]{5}22\d{5}/.test(text)

/**
 * The form of a file in XML: the first element that only one form has decides. PICA XML has the
 * elements of MARCXML, with other tags.
 */
function xmlForm(text: string): SourceForm {
  const [, name = ''] = decisiveElement.exec(text) ?? []
  if (/^mods/.test(name)) return 'mods'
  if (new RegExp(`^(?:${dublinCoreRoots})$`).test(name)) return 'dc'
  const isPica =
    text.includes('info:srw/schema/5/picaXML') || /<(?:[\w.-]+:)?datafield[^<>]*\stag=["']\d{3}[A-Z@]["']/.test(text)
  return isPica ? 'picaxml' : 'marcxml'
}

const decisiveElement = new RegExp(
  `<(?:[\\w.-]+:)?(mods|modsCollection|${dublinCoreRoots}|leader|controlfield|datafield|ONIXMessage|ONIXmessage)(?=[\\s>/])`
)
