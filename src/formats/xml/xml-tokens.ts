/*
 * Splits a stream of XML 1.0 into elements and texts, and refuses text that is not well-formed.
 * Supports only the parts that records use: no document types, so only the five entities of XML
 * itself. `test/formats/xml/xml-tokens.test.ts` compares it with saxes, a parser of the whole
 * standard, which takes ten times as long (docs/decisions/0010-marc-libraries.md).
 */

export class XmlTrouble extends Error {
  readonly kind: 'not_well_formed' | 'refused' | 'over_limit'
  constructor(kind: XmlTrouble['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

export type Attributes = ReadonlyMap<string, string>

export interface XmlHandlers {
  /** An element begins; its tag stands from `start` to `end`, in characters of the stream. */
  open(name: string, attributes: Attributes, start: number, end: number): void
  close(name: string, end: number): void
  /** Text within an element, with its references decoded. */
  text(text: string): void
}

export interface XmlTokens {
  write(text: string): void
  /** Ends the stream. Throws when it may not end here. */
  end(): void
  /** The number of characters read. */
  position(): number
}

const maxDepth = 64

interface Tag {
  readonly name: string
  readonly attributes: Attributes
  readonly isEmpty: boolean
  readonly length: number
}

const maxKnownLength = 80
const maxKnownNames = 5_000

/**
 * Creates a tokenizer that takes the stream in pieces. It throws `XmlTrouble` and cannot be used
 * after that. `limit`: maximum characters of one text or tag.
 */
export function createXmlTokens(handlers: XmlHandlers, limit: number): XmlTokens {
  let pending = ''
  /** The position of the pending text in the stream. */
  let base = 0
  let line = 1
  let lineStart = 0
  let at = 0
  const path: string[] = []
  const tags = new Map<string, Tag>()
  let hasRoot = false
  let isEnd = false

  function fail(message: string, place = at): never {
    const before = pending.slice(0, place)
    const lines = before.split('\n')
    const column = lines.length === 1 ? base + place - lineStart : (lines.at(-1) ?? '').length
    throw new XmlTrouble('not_well_formed', `Line ${line + lines.length - 1}, column ${column + 1}: ${message}`)
  }

  /** Drops the text that has been read. */
  function drop() {
    for (let next = pending.indexOf('\n'); next >= 0 && next < at; next = pending.indexOf('\n', next + 1)) {
      line++
      lineStart = base + next + 1
    }
    base += at
    pending = pending.slice(at)
    at = 0
    if (pending.length > limit)
      throw new XmlTrouble(
        'over_limit',
        `Line ${line}: more than ${limit} characters without an end to a text or a tag`
      )
  }

  /** The end of a construct, or undefined while it has not arrived. */
  function findEnd(mark: string, from: number): number | undefined {
    const found = pending.indexOf(mark, from)
    if (found >= 0) return found
    if (isEnd) fail('The file ends within it')
    return undefined
  }

  function readText(end: number) {
    const raw = pending.slice(at, end)
    if (path.length === 0) {
      if (/[^ \t\r\n]/.test(base + at === 0 ? raw.replace(/^\ufeff/, '') : raw))
        fail('Text outside of the root element')
      return
    }
    if (raw === '') return
    if (raw.includes(']]>')) fail('"]]>" in a text')
    handlers.text(decode(raw))
  }

  /** Decodes the references of a text and normalises its line ends. */
  function decode(raw: string): string {
    if (illegal.test(raw)) fail('A character that XML does not allow')
    const text = raw.includes('\r') ? raw.replaceAll(/\r\n?/g, '\n') : raw
    if (!text.includes('&')) return text
    return text.replaceAll(/&([^;&\s]{0,12});?/g, (whole, name: string) => {
      const character = whole.endsWith(';') ? characterFor(name) : undefined
      return character ?? fail(`Unknown reference "${whole}"`)
    })
  }

  function readTag(): boolean {
    const start = at
    // Records are made of the same few tags, so a tag that has been read once is recognised by its
    // text.
    const short = pending.indexOf('>', at) + 1
    const known = short > 0 && short - at <= maxKnownLength ? tags.get(pending.slice(at, short)) : undefined
    const tag = known ?? parseTag()
    if (tag === undefined) return false
    if (path.length === 0 && hasRoot) fail('A second root element')
    at += tag.length
    hasRoot = true
    path.push(tag.name)
    if (path.length > maxDepth) fail(`Elements are nested more than ${maxDepth} deep`)
    handlers.open(tag.name, tag.attributes, base + start, base + at)
    if (tag.isEmpty) {
      path.pop()
      handlers.close(tag.name, base + at)
    }
    return true
  }

  function parseTag(): Tag | undefined {
    const end = endOfTag(pending, at)
    if (end < 0) {
      if (isEnd) fail('The file ends within a tag')
      return undefined
    }
    tagName.lastIndex = at + 1
    const name = tagName.exec(pending)?.[0]
    if (name === undefined) fail('A tag without a name')
    const attributes = new Map<string, string>()
    let place = at + 1 + name.length
    for (attribute.lastIndex = place; ; attribute.lastIndex = place) {
      const match = attribute.exec(pending)
      if (match === null) break
      const [whole, key = '', double, single] = match
      if (attributes.has(key)) fail(`The attribute "${key}" occurs twice`)
      attributes.set(key, decode((double ?? single ?? '').replaceAll(/\r\n|[\t\n\r]/g, ' ')))
      place += whole.length
    }
    const rest = pending.slice(place, end).replace(/^[ \t\r\n]+/, '')
    if (rest !== '' && rest !== '/') fail('A tag that cannot be read')
    const tag = { name, attributes, isEmpty: rest === '/', length: end + 1 - at }
    if (tag.length <= maxKnownLength && tags.size < maxKnownNames) tags.set(pending.slice(at, end + 1), tag)
    return tag
  }

  function readEndTag(): boolean {
    const end = findEnd('>', at)
    if (end === undefined) return false
    const name = pending.slice(at + 2, end).replace(/[ \t\r\n]+$/, '')
    if (path.at(-1) !== name)
      fail(path.length === 0 ? `"</${name}>" closes no element` : `"</${name}>" where "</${path.at(-1)}>" should be`)
    path.pop()
    at = end + 1
    handlers.close(name, base + at)
    return true
  }

  /**
   * Reads comments, processing instructions and CDATA sections; returns false while the end has not
   * arrived.
   */
  function readOther(): boolean {
    if (pending.startsWith('<?', at)) {
      const end = findEnd('?>', at)
      if (end === undefined) return false
      if (/^<\?xml\s/.test(pending.slice(at, at + 6)) && base + at > 0)
        fail('A declaration that is not at the beginning')
      at = end + 2
      return true
    }
    if (pending.startsWith('<!--', at)) {
      const end = findEnd('--', at + 4)
      if (end === undefined) return false
      if (pending.length <= end + 2 && !isEnd) return false
      if (pending[end + 2] !== '>') fail('"--" within a comment')
      if (illegal.test(pending.slice(at, end))) fail('A character that XML does not allow')
      at = end + 3
      return true
    }
    if (pending.startsWith('<![CDATA[', at)) {
      const end = findEnd(']]>', at)
      if (end === undefined) return false
      const raw = pending.slice(at + 9, end)
      if (path.length === 0) fail('Text outside of the root element')
      if (illegal.test(raw)) fail('A character that XML does not allow')
      handlers.text(raw.replaceAll(/\r\n?/g, '\n'))
      at = end + 3
      return true
    }
    if (pending.startsWith('<!DOCTYPE', at)) throw new XmlTrouble('refused', 'The file has a document type declaration')
    // Only the beginning of one of these may have arrived so far.
    const head = pending.slice(at, at + 9)
    if (!isEnd && ['<!--', '<![CDATA[', '<!DOCTYPE'].some(mark => mark.startsWith(head))) return false
    return fail('A declaration that is not known')
  }

  function readAll() {
    while (at < pending.length) {
      const tag = pending.indexOf('<', at)
      if (tag < 0) {
        if (isEnd) readText(pending.length)
        return
      }
      if (tag > at) readText(tag)
      at = tag
      const next = pending[at + 1]
      if (next === undefined) {
        if (isEnd) fail('The file ends within a tag')
        return
      }
      const isRead = next === '/' ? readEndTag() : next === '!' || next === '?' ? readOther() : readTag()
      if (!isRead) return
    }
  }

  return {
    write(text) {
      pending += text
      readAll()
      drop()
    },
    end() {
      isEnd = true
      readAll()
      if (path.length > 0) fail(`The file ends without "</${path.at(-1)}>"`)
      if (!hasRoot) fail('The file has no root element')
    },
    position: () => base + at
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const illegal = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/
// The characters of names, as XML 1.0 (fifth edition) lists them.
const nameStart =
  ':A-Z_a-z\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f\\u2c00-\\u2fef' +
  '\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}'
const nameRule = `[${nameStart}][${nameStart}.0-9\\u00b7\\u0300-\\u036f\\u203f\\u2040\\-]*`
const tagName = new RegExp(nameRule, 'uy')
const attribute = new RegExp(`[ \\t\\r\\n]+(${nameRule})[ \\t\\r\\n]*=[ \\t\\r\\n]*(?:"([^"<]*)"|'([^'<]*)')`, 'uy')

/** The `>` of a tag, outside of quotation marks. */
function endOfTag(text: string, from: number): number {
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const letter = text[at] ?? ''
    if (quote === '') {
      if (letter === '>') return at
      if (letter === '"' || letter === "'") quote = letter
    } else if (letter === quote) quote = ''
  }
  return -1
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function characterFor(name: string): string | undefined {
  if (!name.startsWith('#')) return Object.hasOwn(named, name) ? named[name] : undefined
  const isHex = name[1] === 'x'
  const digits = name.slice(isHex ? 2 : 1)
  if (!(isHex ? /^[\da-f]+$/i : /^\d+$/).test(digits)) return undefined
  const point = Number.parseInt(digits, isHex ? 16 : 10)
  const isAllowed =
    point === 9 ||
    point === 10 ||
    point === 13 ||
    (point >= 0x20 && point <= 0xd7ff) ||
    (point >= 0xe000 && point <= 0xfffd) ||
    (point >= 0x10000 && point <= 0x10ffff)
  return isAllowed ? String.fromCodePoint(point) : undefined
}
