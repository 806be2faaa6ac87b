import { table } from '#domain/table.ts'

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
  /** The line that is being read, counted from 1. */
  line(): number
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

/** Creates a tokenizer. `limit`: maximum characters of one text or tag. */
export const createXmlTokens = (handlers: XmlHandlers, limit: number): XmlTokens => new XmlTokenizer(handlers, limit)

/**
 * A tokenizer that takes the stream in pieces. It throws `XmlTrouble` and cannot be used after
 * that.
 */
class XmlTokenizer implements XmlTokens {
  readonly #handlers: XmlHandlers
  readonly #limit: number
  #pending = ''
  /** The position of the pending text in the stream. */
  #base = 0
  #line = 1
  #lineStart = 0
  #at = 0
  readonly #path: string[] = []
  readonly #tags = new Map<string, Tag>()
  #hasRoot = false
  #isEnd = false

  constructor(handlers: XmlHandlers, limit: number) {
    this.#handlers = handlers
    this.#limit = limit
  }

  write(text: string) {
    this.#pending += text
    this.#readAll()
    this.#drop()
  }

  end() {
    this.#isEnd = true
    this.#readAll()
    if (this.#path.length > 0) this.#fail(`The file ends without "</${this.#path.at(-1)}>"`)
    if (!this.#hasRoot) this.#fail('The file has no root element')
  }

  position(): number {
    return this.#base + this.#at
  }

  line(): number {
    return this.#line + this.#pending.slice(0, this.#at).split('\n').length - 1
  }

  #fail(message: string, place = this.#at): never {
    const before = this.#pending.slice(0, place)
    const lines = before.split('\n')
    const column = lines.length === 1 ? this.#base + place - this.#lineStart : (lines.at(-1) ?? '').length
    throw new XmlTrouble('not_well_formed', `Line ${this.#line + lines.length - 1}, column ${column + 1}: ${message}`)
  }

  /** Drops the text that has been read. */
  #drop() {
    for (
      let next = this.#pending.indexOf('\n');
      next >= 0 && next < this.#at;
      next = this.#pending.indexOf('\n', next + 1)
    ) {
      this.#line++
      this.#lineStart = this.#base + next + 1
    }
    this.#base += this.#at
    this.#pending = this.#pending.slice(this.#at)
    this.#at = 0
    if (this.#pending.length > this.#limit)
      throw new XmlTrouble(
        'over_limit',
        `Line ${this.#line}: more than ${this.#limit} characters without an end to a text or a tag`
      )
  }

  /** The end of a construct, or undefined while it has not arrived. */
  #findEnd(mark: string, from: number): number | undefined {
    const found = this.#pending.indexOf(mark, from)
    if (found >= 0) return found
    if (this.#isEnd) this.#fail('The file ends within it')
    return undefined
  }

  #readText(end: number) {
    const raw = this.#pending.slice(this.#at, end)
    if (this.#path.length === 0) {
      if (/[^ \t\r\n]/.test(this.#base + this.#at === 0 ? raw.replace(/^\ufeff/, '') : raw))
        this.#fail('Text outside of the root element')
      return
    }
    if (raw === '') return
    if (raw.includes(']]>')) this.#fail('"]]>" in a text')
    this.#handlers.text(this.#decode(raw))
  }

  /** Decodes the references of a text and normalises its line ends. */
  #decode(raw: string): string {
    if (illegal.test(raw)) this.#fail('A character that XML does not allow')
    const text = raw.includes('\r') ? raw.replaceAll(/\r\n?/g, '\n') : raw
    if (!text.includes('&')) return text
    return text.replaceAll(/&([^;&\s]{0,12});?/g, (whole, name: string) => {
      const character = whole.endsWith(';') ? characterFor(name) : undefined
      return character ?? this.#fail(`Unknown reference "${whole}"`)
    })
  }

  #readTag(): boolean {
    const start = this.#at
    // Records are made of the same few tags, so a tag that has been read once is recognised by its
    // text.
    const short = this.#pending.indexOf('>', this.#at) + 1
    const known =
      short > 0 && short - this.#at <= maxKnownLength ? this.#tags.get(this.#pending.slice(this.#at, short)) : undefined
    const tag = known ?? this.#parseTag()
    if (tag === undefined) return false
    if (this.#path.length === 0 && this.#hasRoot) this.#fail('A second root element')
    this.#at += tag.length
    this.#hasRoot = true
    this.#path.push(tag.name)
    if (this.#path.length > maxDepth) this.#fail(`Elements are nested more than ${maxDepth} deep`)
    this.#handlers.open(tag.name, tag.attributes, this.#base + start, this.#base + this.#at)
    if (tag.isEmpty) {
      this.#path.pop()
      this.#handlers.close(tag.name, this.#base + this.#at)
    }
    return true
  }

  #parseTag(): Tag | undefined {
    const end = endOfTag(this.#pending, this.#at)
    if (end < 0) {
      if (this.#isEnd) this.#fail('The file ends within a tag')
      return undefined
    }
    tagName.lastIndex = this.#at + 1
    const name = tagName.exec(this.#pending)?.[0]
    if (name === undefined) this.#fail('A tag without a name')
    const attributes = new Map<string, string>()
    let place = this.#at + 1 + name.length
    for (attribute.lastIndex = place; ; attribute.lastIndex = place) {
      const match = attribute.exec(this.#pending)
      if (match === null) break
      const [whole, key = '', double, single] = match
      if (attributes.has(key)) this.#fail(`The attribute "${key}" occurs twice`)
      attributes.set(key, this.#decode((double ?? single ?? '').replaceAll(/\r\n|[\t\n\r]/g, ' ')))
      place += whole.length
    }
    const rest = this.#pending.slice(place, end).replace(/^[ \t\r\n]+/, '')
    if (rest !== '' && rest !== '/') this.#fail('A tag that cannot be read')
    const tag = { name, attributes, isEmpty: rest === '/', length: end + 1 - this.#at }
    if (tag.length <= maxKnownLength && this.#tags.size < maxKnownNames)
      this.#tags.set(this.#pending.slice(this.#at, end + 1), tag)
    return tag
  }

  #readEndTag(): boolean {
    const end = this.#findEnd('>', this.#at)
    if (end === undefined) return false
    const name = this.#pending.slice(this.#at + 2, end).replace(/(?<![ \t\r\n])[ \t\r\n]+$/, '')
    if (this.#path.at(-1) !== name)
      this.#fail(
        this.#path.length === 0
          ? `"</${name}>" closes no element`
          : `"</${name}>" where "</${this.#path.at(-1)}>" should be`
      )
    this.#path.pop()
    this.#at = end + 1
    this.#handlers.close(name, this.#base + this.#at)
    return true
  }

  /**
   * Reads comments, processing instructions and CDATA sections; returns false while the end has not
   * arrived.
   */
  #readOther(): boolean {
    if (this.#pending.startsWith('<?', this.#at)) {
      const end = this.#findEnd('?>', this.#at)
      if (end === undefined) return false
      if (/^<\?xml\s/.test(this.#pending.slice(this.#at, this.#at + 6)) && this.#base + this.#at > 0)
        this.#fail('A declaration that is not at the beginning')
      this.#at = end + 2
      return true
    }
    if (this.#pending.startsWith('<!--', this.#at)) {
      const end = this.#findEnd('--', this.#at + 4)
      if (end === undefined) return false
      if (this.#pending.length <= end + 2 && !this.#isEnd) return false
      if (this.#pending[end + 2] !== '>') this.#fail('"--" within a comment')
      if (illegal.test(this.#pending.slice(this.#at, end))) this.#fail('A character that XML does not allow')
      this.#at = end + 3
      return true
    }
    if (this.#pending.startsWith('<![CDATA[', this.#at)) {
      const end = this.#findEnd(']]>', this.#at)
      if (end === undefined) return false
      const raw = this.#pending.slice(this.#at + 9, end)
      if (this.#path.length === 0) this.#fail('Text outside of the root element')
      if (illegal.test(raw)) this.#fail('A character that XML does not allow')
      this.#handlers.text(raw.replaceAll(/\r\n?/g, '\n'))
      this.#at = end + 3
      return true
    }
    if (this.#pending.startsWith('<!DOCTYPE', this.#at))
      throw new XmlTrouble('refused', 'The file has a document type declaration')
    // Only the beginning of one of these may have arrived so far.
    const head = this.#pending.slice(this.#at, this.#at + 9)
    if (!this.#isEnd && ['<!--', '<![CDATA[', '<!DOCTYPE'].some(mark => mark.startsWith(head))) return false
    return this.#fail('A declaration that is not known')
  }

  #readAll() {
    while (this.#at < this.#pending.length) {
      const tag = this.#pending.indexOf('<', this.#at)
      if (tag < 0) {
        if (this.#isEnd) this.#readText(this.#pending.length)
        return
      }
      if (tag > this.#at) this.#readText(tag)
      this.#at = tag
      const next = this.#pending[this.#at + 1]
      if (next === undefined) {
        if (this.#isEnd) this.#fail('The file ends within a tag')
        return
      }
      const isRead =
        next === '/' ? this.#readEndTag() : next === '!' || next === '?' ? this.#readOther() : this.#readTag()
      if (!isRead) return
    }
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

const named: Readonly<Record<string, string>> = table({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" })

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
