import { RdfTrouble } from './rdf-trouble.ts'
import { maxIriLength, type Statements, toNode } from './statements.ts'
import type { Literal, Term } from './triples.ts'
import { iriOf, rdfType } from './vocabularies.ts'

/** Maximum nesting of `[ … ]` and `( … )`. */
const maxDepth = 64

/** Maximum characters of a name, a number or a tag of a language. */
const maxTokenLength = 8_000

/**
 * Reads Turtle, of which N-Triples is a part. Throws `RdfTrouble` with the line of the first fault.
 * https://www.w3.org/TR/turtle/
 */
export const readTurtle = (text: string, statements: Statements): void => new TurtleReader(text, statements).read()

class TurtleReader {
  readonly #text: string
  readonly #statements: Statements
  readonly #prefixes = new Map<string, string>()
  #base: string | undefined
  #at = 0
  #depth = 0

  constructor(text: string, statements: Statements) {
    this.#text = text
    this.#statements = statements
    if (text.startsWith('\ufeff')) this.#at = 1
  }

  read() {
    for (this.#skip(); this.#at < this.#text.length; this.#skip()) this.#readStatement()
  }

  #fail(message: string, place = this.#at): never {
    const before = this.#text.slice(0, place).split('\n')
    throw new RdfTrouble(
      'not_well_formed',
      `Line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${message}`
    )
  }

  /** Skips white space and comments. */
  #skip() {
    const text = this.#text
    for (;;) {
      const code = text.charCodeAt(this.#at)
      if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) this.#at++
      else if (code === 0x23) {
        lineEnd.lastIndex = this.#at
        this.#at = lineEnd.exec(text)?.index ?? text.length
      } else return
    }
  }

  #next(): string {
    this.#skip()
    return this.#text[this.#at] ?? ''
  }

  #expect(mark: string) {
    if (this.#next() !== mark) this.#fail(`${this.#shown()} where "${mark}" should be`)
    this.#at++
  }

  #shown(): string {
    const rest = this.#text.slice(this.#at, this.#at + 20).split(/\s/, 1)[0] ?? ''
    return rest === '' ? 'The end of the file' : `"${rest}"`
  }

  #readStatement() {
    const start = this.#at
    if (this.#text[start] === '@') {
      this.#at++
      const word = this.#token()
      if (word === 'prefix') this.#readPrefix()
      else if (word === 'base') this.#base = this.#readIri()
      else this.#fail(`Unknown directive "@${word}"`, start)
      this.#expect('.')
      return
    }
    const directive = /^(?:prefix|base)(?=[\s<])/i.exec(this.#text.slice(start, start + 7))?.[0].toLowerCase()
    if (directive !== undefined) {
      this.#at += directive.length
      if (directive === 'prefix') this.#readPrefix()
      else this.#base = this.#readIri()
      return
    }
    const isNested = this.#text[start] === '['
    const subject = this.#readNode()
    // `[ … ] .` is a statement of its own.
    if (!isNested || this.#next() !== '.') this.#readProperties(subject)
    this.#expect('.')
  }

  #readPrefix() {
    this.#skip()
    const name = this.#token()
    if (!name.endsWith(':')) this.#fail(`"${name}" is no prefix; it should end with a colon`)
    this.#prefixes.set(name.slice(0, -1), this.#readIri())
  }

  #readProperties(subject: string) {
    for (;;) {
      const predicate = this.#readPredicate()
      do {
        this.#statements.add(subject, predicate, this.#readObject())
      } while (this.#take(','))
      if (!this.#take(';')) return
      while (this.#take(';'));
      const next = this.#next()
      if (next === '.' || next === ']' || next === '') return
    }
  }

  #take(mark: string): boolean {
    if (this.#next() !== mark) return false
    this.#at++
    return true
  }

  #readPredicate(): string {
    if (this.#next() === '<') return this.#readIri()
    const start = this.#at
    const word = this.#token()
    if (word === 'a') return rdfType
    return this.#expand(word, start)
  }

  /** Reads a node: an IRI, a blank node or a list. */
  #readNode(): string {
    const next = this.#next()
    if (next === '<') return this.#readIri()
    if (next === '[') return this.#nested(() => this.#readBlank())
    if (next === '(') return this.#nested(() => this.#readList())
    const start = this.#at
    const word = this.#token()
    if (word.startsWith('_:')) {
      if (!blankLabel.test(word)) this.#fail(`"${word}" is no name of a blank node`, start)
      return this.#statements.blankNode(word)
    }
    return this.#expand(word, start)
  }

  #nested(read: () => string): string {
    if (++this.#depth > maxDepth) this.#fail(`Nodes are nested more than ${maxDepth} deep`)
    this.#at++
    const node = read()
    this.#depth--
    return node
  }

  #readBlank(): string {
    const node = this.#statements.blankNode()
    if (this.#take(']')) return node
    this.#readProperties(node)
    this.#expect(']')
    return node
  }

  #readList(): string {
    let first: string | undefined
    let last: string | undefined
    while (!this.#take(')')) {
      if (this.#at >= this.#text.length) this.#fail('The file ends within a list')
      const item = this.#statements.blankNode()
      if (last === undefined) first = item
      else this.#statements.add(last, iriOf('rdf:rest'), toNode(item))
      this.#statements.add(item, iriOf('rdf:first'), this.#readObject())
      last = item
    }
    if (first === undefined || last === undefined) return iriOf('rdf:nil')
    this.#statements.add(last, iriOf('rdf:rest'), toNode(iriOf('rdf:nil')))
    return first
  }

  #readObject(): Term {
    const next = this.#next()
    if (next === '"' || next === "'") return this.#readLiteral(next)
    if (next !== '<' && next !== '[' && next !== '(') {
      const start = this.#at
      const plain = plainValue(this.#token())
      if (plain !== undefined) return plain
      this.#at = start
    }
    return toNode(this.#readNode())
  }

  #readLiteral(quote: string): Literal {
    const text = this.#readText(quote)
    if (this.#text[this.#at] === '@') {
      this.#at++
      const lang = this.#token()
      if (!languageTag.test(lang)) this.#fail(`"@${lang}" is no tag of a language`)
      return { kind: 'literal', text, lang: lang.toLowerCase() }
    }
    if (!this.#text.startsWith('^^', this.#at)) return { kind: 'literal', text }
    this.#at += 2
    const start = this.#at
    const datatype = this.#next() === '<' ? this.#readIri() : this.#expand(this.#token(), start)
    return datatype === iriOf('xsd:string') ? { kind: 'literal', text } : { kind: 'literal', text, datatype }
  }

  #readText(quote: string): string {
    const start = this.#at
    const long = quote.repeat(3)
    const isLong = this.#text.startsWith(long, start)
    const mark = isLong ? long : quote
    const special = isLong ? longSpecial : shortSpecial
    this.#at += mark.length
    let text = ''
    for (;;) {
      special.lastIndex = this.#at
      const end = special.exec(this.#text)?.index
      if (end === undefined) this.#fail('A text without an end', start)
      text += this.#text.slice(this.#at, end)
      this.#at = end
      if (this.#text[end] === '\\') text += this.#readEscape()
      else if (this.#text.startsWith(mark, end)) {
        // A long text may end with one or two quotation marks of its own.
        while (isLong && this.#text[this.#at + 3] === quote) {
          text += quote
          this.#at++
        }
        this.#at += mark.length
        return text
      } else if (this.#text[end] === '\n' || this.#text[end] === '\r') {
        if (!isLong) this.#fail('A text without an end', start)
        text += this.#text[end]
        this.#at++
      } else {
        text += this.#text[end]
        this.#at++
      }
    }
  }

  #readEscape(): string {
    const found = /^\\(?:u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|(.))/s.exec(this.#text.slice(this.#at, this.#at + 10))
    const [whole = '', four, eight, letter = ''] = found ?? []
    const code = Number.parseInt(four ?? eight ?? '', 16)
    const character = Number.isNaN(code) ? escapes[letter] : code <= 0x10ffff ? String.fromCodePoint(code) : undefined
    if (character === undefined) this.#fail('An escape that is not known')
    this.#at += whole.length
    return character
  }

  #readIri(): string {
    if (this.#next() !== '<') this.#fail(`${this.#shown()} where an IRI in <> should be`)
    const start = this.#at
    const end = this.#text.indexOf('>', start)
    if (end < 0 || end - start > maxIriLength) this.#fail(`An IRI without an end, or longer than ${maxIriLength}`)
    const raw = this.#text.slice(start + 1, end)
    if (raw.startsWith('<')) this.#fail('Statements about statements (<< … >>) are not supported')
    const iri = raw.replaceAll(/\\u([\dA-Fa-f]{4})|\\U([\dA-Fa-f]{8})/g, (whole, four?: string, eight?: string) => {
      const code = Number.parseInt(four ?? eight ?? '', 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    })
    if (notInIri.test(iri)) this.#fail('An IRI with a character that it may not contain')
    this.#at = end + 1
    return resolveIri(iri, this.#base)
  }

  #expand(word: string, start: number): string {
    const colon = word.indexOf(':')
    if (colon < 0 || !prefixedName.test(word))
      this.#fail(word === '' ? `${this.#shown()} is not expected here` : `"${word}" is no name`, start)
    const space = this.#prefixes.get(word.slice(0, colon))
    if (space === undefined) this.#fail(`The prefix "${word.slice(0, colon)}:" is not declared`, start)
    return space + word.slice(colon + 1).replaceAll(/\\(.)/g, '$1')
  }

  /** Reads a name or a number: up to white space or a mark that it may not contain. */
  #token(): string {
    const start = this.#at
    while (this.#at < this.#text.length) {
      const letter = this.#text[this.#at] ?? ''
      if (letter === '\\') this.#at += 2
      else if (endOfToken.has(letter)) break
      else this.#at++
      if (this.#at - start > maxTokenLength) this.#fail(`A name of more than ${maxTokenLength} characters`, start)
    }
    // A full stop at the end ends the statement.
    while (this.#at > start && this.#text[this.#at - 1] === '.' && this.#text[this.#at - 2] !== '\\') this.#at--
    return this.#text.slice(start, this.#at)
  }
}

const lineEnd = /[\n\r]/g
const shortSpecial = /["'\\\n\r]/g
const longSpecial = /["'\\]/g
const endOfToken = new Set([...' \t\r\n;,()[]{}<>"\'#^'])
const escapes: Readonly<Record<string, string>> = {
  t: '\t',
  b: '\b',
  n: '\n',
  r: '\r',
  f: '\f',
  '"': '"',
  "'": "'",
  '\\': '\\'
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters meant
const notInIri = /[\u0000-\u0020<>"{}|^`\\]/
const languageTag = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/
const blankLabel = /^_:[\p{L}\p{N}_][\p{L}\p{N}\p{M}_.·-]*$/u
const prefixedName =
  /^(?:\p{L}[\p{L}\p{N}\p{M}_.·-]*)?:(?:[\p{L}\p{N}\p{M}_:.·-]|%[\dA-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%])*$/u

/** A number or a truth value that is written without quotation marks. */
function plainValue(token: string): Literal | undefined {
  const typed = (name: 'integer' | 'decimal' | 'double' | 'boolean'): Literal => ({
    kind: 'literal',
    text: token,
    datatype: iriOf(`xsd:${name}`)
  })
  if (token === 'true' || token === 'false') return typed('boolean')
  if (!/^[+-]?[\d.]/.test(token)) return undefined
  if (/^[+-]?\d+$/.test(token)) return typed('integer')
  if (/^[+-]?\d*\.\d+$/.test(token)) return typed('decimal')
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)[eE][+-]?\d+$/.test(token) ? typed('double') : undefined
}

/**
 * An IRI by its base. A relative one of a file without a base stays as it is: within the file it
 * names the same node everywhere.
 */
export function resolveIri(iri: string, base: string | undefined): string {
  if (base === undefined || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(iri)) return iri
  if (iri === '') return base.replace(/#.*$/s, '')
  return URL.canParse(iri, base) ? new URL(iri, base).href : iri
}
