import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'

/*
 * Strings that are bad for a regular expression, made from its own structure: something that leads
 * to a repetition, many rounds of it, and something that it fails at.
 */

export interface PumpedString {
  readonly prefix: string
  readonly pump: string
  readonly suffix: string
}

/** Characters that patterns tell apart, beside those that a pattern names. */
const common = [...'aAeéb10 .,;:-–()[]<>/\\"\'=&#@_*+!中\n\t\u00a0\u0301\0']

type Repetition = AST.Quantifier

/** A repetition with this limit is no danger in itself: it is a factor. */
const maxBounded = 1_000

/** The characters, classes and sets of a pattern: what one character is compared with. */
type Atom = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass

const isAtom = (node: AST.Node): node is Atom =>
  ['Character', 'CharacterSet', 'CharacterClass', 'ExpressionCharacterClass'].includes(node.type)

export interface Pumping {
  readonly strings: readonly PumpedString[]
  /** Whether the time may be exponential: a repetition has another one or a choice in it. */
  readonly isNested: boolean
}

/** Returns the strings for a pattern; none where nothing is repeated without a limit. */
export function pumpedStrings(source: string, flags: string): Pumping {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v')
  })
  const repetitions: Repetition[] = []
  /** The characters, classes and sets by which characters are told apart. */
  const told = new Set<string>()
  const named = new Set<string>()
  let isNested = false
  visitRegExpAST(pattern, {
    onQuantifierEnter(node) {
      if (repetitions.some(each => contains(each, node))) isNested = true
      if (node.max > maxBounded) repetitions.push(node)
    },
    onAlternativeEnter(node) {
      const isChoice = 'alternatives' in node.parent && node.parent.alternatives.length > 1
      if (isChoice && repetitions.some(each => contains(each, node))) isNested = true
    },
    onCharacterEnter(node) {
      named.add(String.fromCodePoint(node.value))
      addAtom(node)
    },
    onCharacterSetEnter: addAtom,
    onCharacterClassEnter: addAtom,
    onExpressionCharacterClassEnter: addAtom
  })
  function addAtom(node: Atom) {
    if (node.parent.type !== 'Alternative' && node.parent.type !== 'Quantifier') return
    // A word that the pattern names would make a kind of each of its letters.
    if (!/^\w$/.test(node.raw) || repetitions.some(each => contains(each, node))) told.add(node.raw)
  }

  const characters = kindsOfCharacters([...told, '\\w', '\\s', '.'], flags, named)
  const sample = createSampler([...characters, ...named, ...common], flags)
  const prefixes = new Set([''])
  const pumps = new Set(characters)
  for (const repetition of repetitions) {
    const before = beforeNode(repetition, sample)
    const rounds = roundsOf(repetition.element, sample)
    prefixes.add(before)
    // Another character before it keeps the beginning of the text away.
    prefixes.add((characters.find(each => !rounds.includes(each) && each !== ' ') ?? '') + before)
    for (const round of rounds) for (const pump of [round, before + round]) pumps.add(pump)
    pumps.add(before)
  }
  if (repetitions.length > 0)
    for (const alternative of pattern.alternatives) pumps.add(alternative.elements.map(sample).join(''))
  else pumps.clear()
  pumps.delete('')
  // Letters of words that the pattern names fail in the same way.
  const suffixes = new Set(['', ...characters, ...[...named].filter(each => !/\w/.test(each))])
  const strings = [...prefixes].flatMap(prefix =>
    [...pumps].flatMap(pump =>
      [...suffixes].filter(suffix => suffix !== pump).map(suffix => ({ prefix, pump, suffix }))
    )
  )
  return { strings, isNested }
}

const contains = (outer: AST.Node, inner: AST.Node) =>
  outer !== inner && outer.start <= inner.start && inner.end <= outer.end

/** Returns one character of each kind: the pattern treats those of a kind alike. */
function kindsOfCharacters(atoms: readonly string[], flags: string, named: ReadonlySet<string>): string[] {
  const tests = atoms.map(raw => new RegExp(`^(?:${raw})$`, flags.replace(/[gy]/g, '')))
  const kinds = new Map<string, string>()
  for (const character of [...common, ...named]) {
    const kind = tests.map(test => (test.test(character) ? '1' : '0')).join('')
    if (!kinds.has(kind)) kinds.set(kind, character)
  }
  return [...kinds.values()]
}

/** Makes a function that returns a short string which a part of a pattern matches. */
function createSampler(characters: readonly string[], flags: string) {
  const first = (raw: string) => {
    const test = new RegExp(`^(?:${raw})$`, flags.replace(/[gy]/g, ''))
    return characters.find(each => test.test(each)) ?? ''
  }
  const sample = (node: AST.Node): string => {
    if (node.type === 'Character') return String.fromCodePoint(node.value)
    if (isAtom(node)) return first(node.raw)
    if (node.type === 'Quantifier') return sample(node.element).repeat(Math.min(node.min, 20))
    if (node.type === 'Group' || node.type === 'CapturingGroup')
      return node.alternatives[0]?.elements.map(sample).join('') ?? ''
    return ''
  }
  return sample
}

type Sample = ReturnType<typeof createSampler>

/** Returns what one round of a repetition may be, one for each alternative. */
function roundsOf(element: AST.QuantifiableElement, sample: Sample): string[] {
  if (!('alternatives' in element)) return [sample(element)]
  return element.alternatives.map(each => each.elements.map(sample).join(''))
}

/** Returns a string that leads a match to a part of the pattern. */
function beforeNode(node: AST.Node, sample: Sample): string {
  const { parent } = node
  if (parent === null) return ''
  const elements: readonly AST.Node[] = parent.type === 'Alternative' ? parent.elements : []
  const before = elements.slice(0, Math.max(0, elements.indexOf(node)))
  return beforeNode(parent, sample) + before.map(sample).join('')
}
