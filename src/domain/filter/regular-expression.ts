import { table } from '../table.ts'

/*
 * Regular expressions of filters: a subset that every store evaluates alike and in time linear in
 * the text. It has characters, `.`, classes, groups, alternatives, the quantifiers `?`, `*`, `+`
 * and `{m,n}`, and the anchors `^` at the beginning and `$` at the end of the whole expression.
 * Back references, look-around and flags inside the expression are refused.
 */

/** A node of a parsed expression. */
type Node =
  | { readonly kind: 'class'; readonly ranges: readonly Range[]; readonly isNegated: boolean }
  | { readonly kind: 'sequence'; readonly of: readonly Node[] }
  | { readonly kind: 'choice'; readonly of: readonly Node[] }
  | { readonly kind: 'repeat'; readonly of: Node; readonly min: number; readonly max: number | undefined }

/** Code points from the first to the last, both included. */
type Range = readonly [first: number, last: number]

export interface RegularExpression {
  readonly body: Node
  readonly atStart: boolean
  readonly atEnd: boolean
}

export const regularExpressionLimits = { characters: 200, repetitions: 100, states: 500, depth: 10 } as const

/** A fault of an expression, as a sentence for the sender. */
export class RegularExpressionFault extends Error {}

const lastCodePoint = 0x10ffff
const anyCharacter: Node = { kind: 'class', ranges: [[0, lastCodePoint]], isNegated: false }
const digits: readonly Range[] = [[0x30, 0x39]]
const wordCharacters: readonly Range[] = [...digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]]
const spaces: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20]
]
const namedClasses: Readonly<Record<string, readonly Range[]>> = table({ d: digits, w: wordCharacters, s: spaces })
const namedCharacters: Readonly<Record<string, string>> = table({ n: '\n', r: '\r', t: '\t' })

/**
 * Reads an expression. Each character passes `fold` first, which may make several of one. Throws
 * `RegularExpressionFault`.
 */
export function readRegularExpression(source: string, fold: (text: string) => string = same): RegularExpression {
  const characters = [...source]
  if (characters.length > regularExpressionLimits.characters)
    throw new RegularExpressionFault(
      `A regular expression may contain at most ${regularExpressionLimits.characters} characters`
    )
  const atStart = characters[0] === '^'
  const atEnd = characters.at(-1) === '$' && !endsEscaped(characters.slice(0, -1))
  const parser = new Parser(characters.slice(atStart ? 1 : 0, atEnd ? -1 : undefined), fold)
  const body = parser.readWhole()
  // `^a|b$` would tie each alternative to one end only.
  if ((atStart || atEnd) && body.kind === 'choice')
    throw new RegularExpressionFault('Put alternatives between ^ and $ into parentheses: ^(a|b)$')
  const expression = { body, atStart, atEnd }
  compile(expression)
  return expression
}

const same = (text: string) => text

/** Whether the text ends within an escape: with an odd number of backslashes. */
const endsEscaped = (characters: readonly string[]) =>
  (characters.length - 1 - characters.findLastIndex(each => each !== '\\')) % 2 === 1

class Parser {
  readonly #characters: readonly string[]
  readonly #fold: (text: string) => string
  #at = 0
  #depth = 0

  constructor(characters: readonly string[], fold: (text: string) => string) {
    this.#characters = characters
    this.#fold = fold
  }

  readWhole(): Node {
    const node = this.#readChoice()
    if (this.#at < this.#characters.length)
      throw new RegularExpressionFault('A parenthesis is closed that was not opened')
    return node
  }

  #readChoice(): Node {
    if (++this.#depth > regularExpressionLimits.depth)
      throw new RegularExpressionFault(`At most ${regularExpressionLimits.depth} groups within each other`)
    const alternatives = [this.#readSequence()]
    while (this.#take('|')) alternatives.push(this.#readSequence())
    this.#depth--
    const [only] = alternatives
    return alternatives.length === 1 && only ? only : { kind: 'choice', of: alternatives }
  }

  #readSequence(): Node {
    const parts: Node[] = []
    for (let next = this.#peek(); next !== undefined && next !== '|' && next !== ')'; next = this.#peek())
      parts.push(this.#readQuantified())
    return { kind: 'sequence', of: parts }
  }

  #readQuantified(): Node {
    const node = this.#readAtom()
    const bounds = this.#readQuantifier()
    if (!bounds) return node
    const next = this.#peek()
    if (next === '?' || next === '*' || next === '+' || next === '{')
      throw new RegularExpressionFault(`"${next}" after a quantifier is not supported`)
    return { kind: 'repeat', of: node, ...bounds }
  }

  #readQuantifier(): { min: number; max: number | undefined } | undefined {
    if (this.#take('?')) return { min: 0, max: 1 }
    if (this.#take('*')) return { min: 0, max: undefined }
    if (this.#take('+')) return { min: 1, max: undefined }
    if (!this.#take('{')) return undefined
    const rest = this.#characters.slice(this.#at).join('')
    const [whole, from = '', comma, to = ''] = /^(\d{1,4})(,)?(\d{1,4})?\}/.exec(rest) ?? []
    if (whole === undefined) throw new RegularExpressionFault('"{" must begin a quantifier such as {2}, {2,} or {2,5}')
    this.#at += whole.length
    const min = Number(from)
    const max = comma === undefined ? min : to === '' ? undefined : Number(to)
    if (min > regularExpressionLimits.repetitions || (max ?? 0) > regularExpressionLimits.repetitions)
      throw new RegularExpressionFault(`A quantifier may ask for at most ${regularExpressionLimits.repetitions}`)
    if (max !== undefined && max < min) throw new RegularExpressionFault('A quantifier has its bounds reversed')
    return { min, max }
  }

  #readAtom(): Node {
    const character = this.#next()
    switch (character) {
      case '.':
        return anyCharacter
      case '(':
        return this.#readGroup()
      case '[':
        return this.#readClass()
      case '\\': {
        const escaped = this.#readEscape()
        return typeof escaped === 'string' ? this.#literal(escaped) : escaped
      }
      case '^':
      case '$':
        throw new RegularExpressionFault('^ stands at the beginning and $ at the end of the whole expression only')
      case '?':
      case '*':
      case '+':
      case '{':
        throw new RegularExpressionFault(`"${character}" has nothing to repeat`)
      default:
        return this.#literal(character)
    }
  }

  #readGroup(): Node {
    if (this.#take('?')) {
      if (!this.#take(':')) throw new RegularExpressionFault('Of the groups that begin with (? only (?: is supported')
    }
    const node = this.#readChoice()
    if (!this.#take(')')) throw new RegularExpressionFault('A parenthesis is not closed')
    return node
  }

  #readClass(): Node {
    const isNegated = this.#take('^')
    const ranges: Range[] = []
    for (let isFirst = true; isFirst || this.#peek() !== ']'; isFirst = false) {
      const first = this.#readClassItem()
      if (typeof first !== 'string') {
        ranges.push(...first)
        continue
      }
      if (this.#peek() === '-' && this.#characters[this.#at + 1] !== ']') {
        this.#at++
        const last = this.#readClassItem()
        if (typeof last !== 'string') throw new RegularExpressionFault('A range goes from one character to another')
        const range: Range = [codePoint(this.#folded(first)), codePoint(this.#folded(last))]
        if (range[0] > range[1]) throw new RegularExpressionFault(`The range ${first}-${last} is reversed`)
        ranges.push(range)
      } else {
        const one = codePoint(this.#folded(first))
        ranges.push([one, one])
      }
    }
    this.#at++
    return { kind: 'class', ranges, isNegated }
  }

  #readClassItem(): string | readonly Range[] {
    const character = this.#next('A class is not closed')
    if (character === '[') throw new RegularExpressionFault('A class within a class is not supported; write \\[')
    if (character !== '\\') return character
    const escaped = this.#readEscape()
    if (typeof escaped === 'string') return escaped
    if (escaped.kind === 'class' && !escaped.isNegated) return escaped.ranges
    throw new RegularExpressionFault('A negated class within a class is not supported')
  }

  /** Reads the part of an escape after its backslash. */
  #readEscape(): string | Node {
    const character = this.#next('A backslash stands at the end')
    const ranges = namedClasses[character.toLowerCase()]
    if (ranges) return { kind: 'class', ranges, isNegated: character !== character.toLowerCase() }
    const named = namedCharacters[character]
    if (named !== undefined) return named
    if (/[A-Za-z0-9]/.test(character)) throw new RegularExpressionFault(`\\${character} is not supported`)
    return character
  }

  #literal(character: string): Node {
    const parts = [...this.#fold(character)].map((each): Node => {
      const one = codePoint(each)
      return { kind: 'class', ranges: [[one, one]], isNegated: false }
    })
    const [only] = parts
    return parts.length === 1 && only ? only : { kind: 'sequence', of: parts }
  }

  /** A character of a class, folded; a class cannot have one that becomes several. */
  #folded(character: string): string {
    const folded = this.#fold(character)
    if ([...folded].length === 1) return folded
    throw new RegularExpressionFault(`"${character}" cannot stand in a class that ignores case`)
  }

  #peek = (): string | undefined => this.#characters[this.#at]

  #take(character: string): boolean {
    if (this.#peek() !== character) return false
    this.#at++
    return true
  }

  #next(fault = 'The expression ends too early'): string {
    const character = this.#characters[this.#at++]
    if (character === undefined) throw new RegularExpressionFault(fault)
    return character
  }
}

const codePoint = (character: string) => character.codePointAt(0) ?? 0

/** One step of a compiled expression: a character to read, or places to go on from. */
type Step =
  | { readonly kind: 'read'; readonly ranges: readonly Range[]; readonly isNegated: boolean }
  | { readonly kind: 'split'; readonly targets: readonly number[] }
  | { readonly kind: 'end' }

/** Compiles an expression to steps (Thompson's construction). Throws when they are too many. */
function compile({ body }: RegularExpression): readonly Step[] {
  const steps: Step[] = []
  const push = (step: Step) => {
    if (steps.length >= regularExpressionLimits.states)
      throw new RegularExpressionFault('The regular expression is too large: its quantifiers multiply')
    steps.push(step)
  }
  const split = (...targets: number[]) => {
    push({ kind: 'split', targets })
    return { targets }
  }
  const emit = (node: Node): void => {
    switch (node.kind) {
      case 'class':
        push({ kind: 'read', ranges: node.ranges, isNegated: node.isNegated })
        return
      case 'sequence':
        for (const each of node.of) emit(each)
        return
      case 'choice': {
        const fork = split()
        const exits = node.of.map(each => {
          fork.targets.push(steps.length)
          emit(each)
          return split()
        })
        for (const exit of exits) exit.targets.push(steps.length)
        return
      }
      case 'repeat': {
        for (let time = 0; time < node.min; time++) emit(node.of)
        if (node.max === undefined) {
          const at = steps.length
          const fork = split(at + 1)
          emit(node.of)
          split(at)
          fork.targets.push(steps.length)
          return
        }
        const forks: { targets: number[] }[] = []
        for (let time = node.min; time < node.max; time++) {
          forks.push(split(steps.length + 1))
          emit(node.of)
        }
        for (const fork of forks) fork.targets.push(steps.length)
        return
      }
    }
  }
  emit(body)
  push({ kind: 'end' })
  return steps
}

/**
 * A test of texts. It follows all ways through the expression at once, so that its time grows with
 * the length of the text times the length of the expression, whatever they are.
 */
export function regularExpressionTest(expression: RegularExpression): (text: string) => boolean {
  const steps = compile(expression)
  const end = steps.length - 1
  return text => {
    let current = new Set<number>()
    const follow = (at: number, into: Set<number>): void => {
      if (into.has(at)) return
      into.add(at)
      const step = steps[at]
      if (step?.kind === 'split') for (const target of step.targets) follow(target, into)
    }
    follow(0, current)
    for (const character of text) {
      if (current.has(end) && !expression.atEnd) return true
      const code = codePoint(character)
      const next = new Set<number>()
      for (const at of current) {
        const step = steps[at]
        if (step?.kind === 'read' && isInRanges(step.ranges, code) !== step.isNegated) follow(at + 1, next)
      }
      if (!expression.atStart) follow(0, next)
      current = next
      if (current.size === 0) return false
    }
    return current.has(end)
  }
}

const isInRanges = (ranges: readonly Range[], code: number) =>
  ranges.some(([first, last]) => code >= first && code <= last)

/**
 * Writes an expression with every character as a code, so that no engine reads anything else into
 * it: as PostgreSQL's advanced regular expressions have it.
 */
export function writeRegularExpression({ body, atStart, atEnd }: RegularExpression): string {
  return `${atStart ? '^' : ''}${writeNode(body)}${atEnd ? '$' : ''}`
}

function writeNode(node: Node): string {
  switch (node.kind) {
    case 'class':
      return node === anyCharacter ? '.' : `[${node.isNegated ? '^' : ''}${node.ranges.map(writeRange).join('')}]`
    case 'sequence':
      return node.of.map(writeNode).join('')
    case 'choice':
      return `(?:${node.of.map(writeNode).join('|')})`
    case 'repeat':
      return `(?:${writeNode(node.of)}){${node.min},${node.max ?? ''}}`
  }
}

const writeRange = ([first, last]: Range) =>
  first === last ? writeCode(first) : `${writeCode(first)}-${writeCode(last)}`

const writeCode = (code: number) => `\\U${code.toString(16).padStart(8, '0')}`
