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
  /** The name in lower case. */
  readonly name: string
  readonly modifiers: readonly CqlModifier[]
}

export interface CqlClause {
  readonly kind: 'clause'
  /** The index; `cql.serverChoice` by default. */
  readonly index: string
  readonly relation: CqlRelation
  /** The term with its backslashes, since escaped characters are no masks. */
  readonly term: string
  /** Context sets by the prefixes of the query; the empty prefix is for names without one. */
  readonly prefixes: Readonly<Record<string, string>>
}

const cqlOperators = ['and', 'or', 'not', 'prox'] as const
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

const maxQueryLength = 4096
const maxOperators = 64
const maxDepth = 32

/** Parses a query. Throws an `SruError` that describes the fault. */
export function parseCql(text: string): CqlQuery {
  if (text.length > maxQueryLength) throw new SruError(12, String(maxQueryLength))
  return new Parser(readTokens(text)).readQuery()
}

type Token =
  /** A word without quotes may be a keyword; text in quotes never is. */
  { readonly kind: 'word' | 'quoted'; readonly text: string } | { readonly kind: 'symbol'; readonly text: string }

const tokenPattern = /\s+|"((?:[^"\\]|\\.)*)"|(==|<>|<=|>=|[=<>()/])|((?:[^\s()=<>"/\\]|\\.)+)|("|\\)/gsu
const comparisons: ReadonlySet<string> = new Set(['=', '==', '<>', '<', '<=', '>', '>='])

function readTokens(text: string): Token[] {
  const tokens: Token[] = []
  for (const [, quoted, symbol, word, stray] of text.matchAll(tokenPattern)) {
    if (quoted !== undefined) tokens.push({ kind: 'quoted', text: quoted })
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else if (stray === '"') throw new SruError(14, 'A quotation mark is not closed')
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

  /** Reads prefixes, then clauses joined by operators of equal precedence, from the left. */
  #readScoped(outer: CqlClause['prefixes']): CqlNode {
    if (++this.#depth > maxDepth) throw new SruError(10, `Nested more than ${maxDepth} levels deep`)
    let prefixes = outer
    while (this.#isSymbol('>')) prefixes = { ...prefixes, ...this.#readPrefix() }
    let node = this.#readClause(prefixes)
    for (let operator = this.#operator(); operator; operator = this.#operator()) {
      if (++this.#operators > maxOperators) throw new SruError(38, String(maxOperators))
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

  /**
   * Whether a relation follows: a comparison, or a word that is neither an operator nor `sortby`.
   */
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

  #readText(expected: string): string {
    const token = this.#next()
    if (!token) throw new SruError(10, `The query ends before ${expected}`)
    if (token.kind === 'symbol') throw new SruError(10, `Found "${token.text}" instead of ${expected}`)
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

const defaultIndex = 'cql.serverChoice'
