import { SruError } from './diagnostics.ts'

/*
 * CQL 1.2, the query language of SRU. http://www.loc.gov/standards/sru/cql/spec.html
 *
 * - clause: an index, a relation and a term; a term alone stands for all three
 * - context set: where an index or a modifier gets its meaning from; a prefix stands for it
 *   (`dc.title`)
 * - modifier: something that changes a relation or an operator (`any/stem`)
 */

export interface CqlModifier {
  readonly name: string
  readonly comparison?: string
  readonly value?: string
}

export interface CqlRelation {
  /** As it was written, in small letters. */
  readonly name: string
  readonly modifiers: readonly CqlModifier[]
}

export interface CqlClause {
  readonly kind: 'clause'
  /** `cql.serverChoice` where there is none. */
  readonly index: string
  readonly relation: CqlRelation
  /** With its backslashes, since what they stand before is no mask. */
  readonly term: string
  /**
   * Context sets by the prefixes that the query gave them; the empty prefix is that of names
   * without one.
   */
  readonly prefixes: Readonly<Record<string, string>>
}

export const cqlOperators = ['and', 'or', 'not', 'prox'] as const
export type CqlOperator = (typeof cqlOperators)[number]

export interface CqlBoolean {
  readonly kind: 'boolean'
  readonly operator: CqlOperator
  readonly modifiers: readonly CqlModifier[]
  readonly left: CqlNode
  readonly right: CqlNode
}

export type CqlNode = CqlClause | CqlBoolean

export interface CqlSortKey {
  readonly index: string
  readonly modifiers: readonly CqlModifier[]
}

export interface CqlQuery {
  readonly root: CqlNode
  readonly sortKeys: readonly CqlSortKey[]
}

const longestQuery = 4096
const mostOperators = 64
const deepest = 32

/** Reads a query. Throws an `SruError` that says what is wrong with it. */
export function parseCql(text: string): CqlQuery {
  if (text.length > longestQuery) throw new SruError(12, String(longestQuery))
  return new Parser(readTokens(text)).readQuery()
}

type Token =
  /** A word without quotes, which may be a keyword, or a text in quotes, which is none. */
  { readonly kind: 'word' | 'quoted'; readonly text: string } | { readonly kind: 'symbol'; readonly text: string }

const tokenPattern = /\s+|"((?:[^"\\]|\\.)*)"|(==|<>|<=|>=|[=<>()/])|((?:[^\s()=<>"/\\]|\\.)+)|("|\\)/gsu
const comparisons: ReadonlySet<string> = new Set(['=', '==', '<>', '<', '<=', '>', '>='])

function readTokens(text: string): Token[] {
  const tokens: Token[] = []
  for (const [, quoted, symbol, word, stray] of text.matchAll(tokenPattern)) {
    if (quoted !== undefined) tokens.push({ kind: 'quoted', text: quoted })
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else if (stray === '"') throw new SruError(14, 'A quotation mark without its other half')
    else if (stray !== undefined) throw new SruError(10, 'A backslash at the end')
  }
  return tokens
}

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0
  #operators = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  readQuery(): CqlQuery {
    if (this.#tokens.length === 0) throw new SruError(27, 'The query is empty')
    const root = this.#readScoped({})
    const sortKeys = this.#isKeyword('sortby') ? this.#readSortKeys() : []
    const left = this.#peek()
    if (left?.text === ')') throw new SruError(13, 'A closing parenthesis without an opening one')
    if (left) throw new SruError(10, `Unexpected "${left.text}"`)
    return { root, sortKeys }
  }

  /** Prefixes, then clauses joined by operators, all of one rank, from the left. */
  #readScoped(outer: CqlClause['prefixes']): CqlNode {
    if (++this.#depth > deepest) throw new SruError(10, `Nested deeper than ${deepest}`)
    let prefixes = outer
    while (this.#isSymbol('>')) prefixes = { ...prefixes, ...this.#readPrefix() }
    let node = this.#readClause(prefixes)
    for (let operator = this.#operator(); operator; operator = this.#operator()) {
      if (++this.#operators > mostOperators) throw new SruError(38, String(mostOperators))
      this.#at++
      const modifiers = this.#readModifiers()
      node = { kind: 'boolean', operator, modifiers, left: node, right: this.#readClause(prefixes) }
    }
    this.#depth--
    return node
  }

  #readPrefix(): Record<string, string> {
    this.#at++
    const first = this.#readText('the name of a context set')
    if (!this.#isSymbol('=')) return { '': first }
    this.#at++
    return { [first.toLowerCase()]: this.#readText('the name of a context set') }
  }

  #readClause(prefixes: CqlClause['prefixes']): CqlNode {
    if (this.#isSymbol('(')) {
      this.#at++
      const inner = this.#readScoped(prefixes)
      if (!this.#isSymbol(')')) {
        const next = this.#peek()
        throw next ? new SruError(10, `Unexpected "${next.text}"`) : new SruError(13, 'A parenthesis is not closed')
      }
      this.#at++
      return inner
    }
    const first = this.#readText('a term')
    if (!this.#isRelation())
      return { kind: 'clause', index: defaultIndex, relation: { name: '=', modifiers: [] }, term: first, prefixes }
    const name = this.#next()?.text.toLowerCase() ?? ''
    const relation = { name, modifiers: this.#readModifiers() }
    return { kind: 'clause', index: first, relation, term: this.#readText('a term'), prefixes }
  }

  /** A comparison, or a word that is neither an operator nor the beginning of the sort keys. */
  #isRelation(): boolean {
    const token = this.#peek()
    if (token?.kind === 'symbol') return comparisons.has(token.text)
    return token?.kind === 'word' && !this.#operator() && !this.#isKeyword('sortby')
  }

  #readModifiers(): CqlModifier[] {
    const modifiers: CqlModifier[] = []
    while (this.#isSymbol('/')) {
      this.#at++
      const name = this.#readText('the name of a modifier').toLowerCase()
      const token = this.#peek()
      if (token?.kind !== 'symbol' || !comparisons.has(token.text)) {
        modifiers.push({ name })
        continue
      }
      this.#at++
      modifiers.push({ name, comparison: token.text, value: this.#readText('the value of a modifier') })
    }
    return modifiers
  }

  #readSortKeys(): CqlSortKey[] {
    this.#at++
    const keys: CqlSortKey[] = []
    do keys.push({ index: this.#readText('an index to sort by'), modifiers: this.#readModifiers() })
    while (this.#peek() && this.#peek()?.kind !== 'symbol')
    return keys
  }

  #readText(what: string): string {
    const token = this.#next()
    if (!token) throw new SruError(10, `The query ends where ${what} should be`)
    if (token.kind === 'symbol') throw new SruError(10, `"${token.text}" where ${what} should be`)
    return token.text
  }

  #operator(): CqlOperator | undefined {
    return cqlOperators.find(operator => this.#isKeyword(operator))
  }

  #isKeyword(word: string): boolean {
    const token = this.#peek()
    return token?.kind === 'word' && token.text.toLowerCase() === word
  }

  #isSymbol(symbol: string): boolean {
    const token = this.#peek()
    return token?.kind === 'symbol' && token.text === symbol
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at]
  }

  #next(): Token | undefined {
    return this.#tokens[this.#at++]
  }
}

export const defaultIndex = 'cql.serverChoice'
