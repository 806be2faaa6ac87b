import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { SruError } from '#protocols/sru/diagnostics.ts'
import { type CqlModifier, type CqlNode, type CqlQuery, parseCql } from '#protocols/sru/parse-cql.ts'
import { testStore } from '../support/databases/database.ts'
import { needDebian, runTool } from '../support/machines/debian.ts'
import { type Chance, createChance, howMany, repeatable, seed } from '../support/records/chance.ts'
import { temporaryFolder } from '../support/services/start.ts'

/** A query as one line, in which everything is said: `(and [dc.title any/stem "x"] …)`. */
function said({ root, sortKeys }: CqlQuery): string {
  const keys = sortKeys.map(({ index, modifiers }) => `${index}${slashed(modifiers)}`)
  return `${saidNode(root)}${keys.length > 0 ? ` by ${keys.join(' ')}` : ''}`
}

function saidNode(node: CqlNode): string {
  if (node.kind === 'boolean')
    return `(${node.operator}${slashed(node.modifiers)} ${saidNode(node.left)} ${saidNode(node.right)})`
  const prefixes = Object.entries(node.prefixes).map(([prefix, set]) => `>${prefix}=${set} `)
  return `[${prefixes.join('')}${node.index} ${node.relation.name}${slashed(node.relation.modifiers)} "${node.term}"]`
}

const slashed = (modifiers: readonly CqlModifier[]) =>
  modifiers.map(({ name, comparison = '', value = '' }) => `/${name}${comparison}${value}`).join('')

describe('parseCql', () => {
  const good: readonly [query: string, meaning: string][] = [
    ['fish', '[cql.serverChoice = "fish"]'],
    ['"fish tank"', '[cql.serverChoice = "fish tank"]'],
    ['dc.title any "fish tank"', '[dc.title any "fish tank"]'],
    ['title=fish', '[title = "fish"]'],
    ['title<>fish', '[title <> "fish"]'],
    ['date >= 1999', '[date >= "1999"]'],
    ['title ANY fish', '[title any "fish"]'],
    ['a or b and c', '(and (or [cql.serverChoice = "a"] [cql.serverChoice = "b"]) [cql.serverChoice = "c"])'],
    ['a OR (b AND c)', '(or [cql.serverChoice = "a"] (and [cql.serverChoice = "b"] [cql.serverChoice = "c"]))'],
    ['a not b', '(not [cql.serverChoice = "a"] [cql.serverChoice = "b"])'],
    ['a prox/distance<3/unit=word b', '(prox/distance<3/unit=word [cql.serverChoice = "a"] [cql.serverChoice = "b"])'],
    ['t =/stem/ignoreCase "x"', '[t =/stem/ignorecase "x"]'],
    ['> dc = "info:x" dc.title=y', '[>dc=info:x dc.title = "y"]'],
    ['> "info:x" title=y', '[>=info:x title = "y"]'],
    ['x sortBy dc.date/sort.descending title', '[cql.serverChoice = "x"] by dc.date/sort.descending title'],
    ['"a \\" b"', '[cql.serverChoice = "a \\" b"]'],
    ['fi\\*h*', '[cql.serverChoice = "fi\\*h*"]'],
    ['or or and', '(or [cql.serverChoice = "or"] [cql.serverChoice = "and"])'],
    ['any any any', '[any any "any"]'],
    ['"and"', '[cql.serverChoice = "and"]'],
    ['((x))', '[cql.serverChoice = "x"]'],
    ['título="café ∆"', '[título = "café ∆"]']
  ]
  for (const [query, meaning] of good)
    it(`reads ${query}`, () => {
      assert.equal(said(parseCql(query)), meaning)
    })

  const bad: readonly [query: string, diagnostic: number][] = [
    ['', 27],
    ['  ', 27],
    ['a and', 10],
    ['and and', 10],
    ['a =', 10],
    ['= a', 10],
    ['a b', 10],
    ['(a', 13],
    ['a)', 13],
    ['()', 10],
    ['"a', 14],
    ['a"', 14],
    ['a/b', 10],
    ['a sortBy', 10],
    ['a sortBy title)', 13],
    ['a sortBy title =', 10],
    ['t =/ x', 10],
    ['> dc = a', 10],
    ['a\\', 10],
    ['x'.repeat(5000), 12],
    [Array(70).fill('a').join(' and '), 38],
    [`${'('.repeat(40)}a${')'.repeat(40)}`, 10]
  ]
  for (const [query, number] of bad)
    it(`says diagnostic ${number} of ${query.slice(0, 30) || 'nothing'}`, () => {
      assert.throws(
        () => parseCql(query),
        error => error instanceof SruError && error.diagnostic.number === number
      )
    })
})

describe('Nonsense', () => {
  it('is refused with a diagnostic, or means something', () => {
    const chance = createChance(seed)
    let meant = 0
    const count = howMany({ quick: 700, short: 5000, long: 500_000, onPostgres: 100 })
    for (let each = 0; each < count; each++) if (readOrNothing(nonsense(chance)) !== undefined) meant++
    assert.ok(meant > count / 50 && meant < count)
  })
})

const itOnce = testStore === 'sqlite' ? it : () => {}

describe('Parsers of CQL that others wrote', () => {
  itOnce('read random queries as ours does: YAZ', t =>
    repeatable(async after => {
      if (!needDebian(t, ['libyaz-dev', 'gcc'])) return
      const folder = temporaryFolder({ after })
      const program = join(folder, 'print-cql')
      await runTool('gcc', ['-O1', '-o', program, join(import.meta.dirname, '../support/oracles/print-cql.c'), '-lyaz'])
      const queries = randomQueries()
      const answers = (await runTool(program, [], `${queries.join('\n')}\n`)).split('====\n').slice(0, -1)
      assert.equal(answers.length, queries.length)
      let understood = 0
      for (const [index, query] of queries.entries()) {
        const theirs = fromXcql(answers[index] ?? '')
        const ours = readOrNothing(query)
        assert.equal(ours, theirs, query)
        if (theirs !== undefined) understood++
      }
      assert.ok(understood > queries.length / 3)
    })
  )

  itOnce('reads plain queries as ours does: CQL::Parser, which knows CQL 1.1', t =>
    repeatable(async () => {
      if (!needDebian(t, ['libcql-parser-perl'])) return
      const queries = plainQueries()
      const script =
        'use CQL::Parser; my $p = CQL::Parser->new; while (<STDIN>) { chomp; my $n = eval { $p->parse($_) }; print $n ? $n->toCQL : "error", "\\n" }'
      const answers = (await runTool('perl', ['-e', script], `${queries.join('\n')}\n`)).split('\n')
      for (const [index, query] of queries.entries())
        assert.equal(readOrNothing(query), readOrNothing(answers[index] ?? ''), `${query}: ${answers[index]}`)
    })
  )
})

/** Only what every version of CQL has. */
function plainQueries(): string[] {
  const chance = createChance(seed)
  const clause = (depth: number): string => {
    if (depth > 0 && chance.oneIn(3)) return `(${query(depth - 1)})`
    const term = chance.pick(['fish', '"fish tank"', '1999', 'hamlet'])
    return chance.oneIn(2)
      ? term
      : `${chance.pick(['dc.title', 'title'])} ${chance.pick(['=', '<', '>=', 'any', 'all'])} ${term}`
  }
  const query = (depth: number): string => {
    let text = clause(depth)
    for (let joined = chance.below(3); joined > 0; joined--)
      text += ` ${chance.pick(['and', 'or', 'not'])} ${clause(depth)}`
    return text
  }
  return Array.from({ length: howMany({ short: 300, long: 10_000, onPostgres: 0 }) }, () => query(2))
}

/** Random queries have no prefixes, so everything is said. */
function readOrNothing(query: string): string | undefined {
  try {
    return said(parseCql(query))
  } catch (error) {
    if (error instanceof SruError) return undefined
    throw error
  }
}

/**
 * The output of YAZ in our terms; undefined for a query that it refused. It lists modifiers last
 * first.
 */
function fromXcql(xcql: string): string | undefined {
  if (xcql.startsWith('error')) return undefined
  const flat = xcql.replaceAll(/>\s+</g, '><')
  const sort = /<sortKeys>(.*)<\/sortKeys>/s.exec(flat)?.[1] ?? ''
  const keys = [...sort.matchAll(/<key><index>([^<]*)<\/index>(.*?)<\/key>/gs)].map(
    ([, index, modifiers]) => `${plain(index ?? '')}${theirModifiers(modifiers ?? '')}`
  )
  const [node] = theirNode(flat.replace(/<sortKeys>.*<\/sortKeys>/s, ''), 0)
  return `${node}${keys.length > 0 ? ` by ${keys.join(' ')}` : ''}`
}

function theirNode(text: string, from: number): [said: string, end: number] {
  const open = /<(triple|searchClause)>/g
  open.lastIndex = from
  const found = open.exec(text)
  if (found?.[1] === 'searchClause') {
    const end = text.indexOf('</searchClause>', from)
    const clause = text.slice(found.index, end)
    const [, index = ''] = /<index>([^<]*)<\/index>/.exec(clause) ?? []
    const [, relation = '', rest = ''] = /<relation><value>([^<]*)<\/value>(.*?)<\/relation>/s.exec(clause) ?? []
    const [, term = ''] = /<term>([^<]*)<\/term>/.exec(clause) ?? []
    return [`[${plain(index)} ${plain(relation).toLowerCase()}${theirModifiers(rest)} "${plain(term)}"]`, end]
  }
  const start = found?.index ?? text.length
  const [, operator = '', rest = ''] = /<boolean><value>([^<]*)<\/value>(.*?)<\/boolean>/s.exec(text.slice(start)) ?? []
  const [left, middle] = theirNode(text, text.indexOf('<leftOperand>', start))
  const [right, end] = theirNode(text, text.indexOf('<rightOperand>', middle))
  return [`(${operator.toLowerCase()}${theirModifiers(rest)} ${left} ${right})`, end]
}

const theirModifiers = (xml: string) =>
  [
    ...xml.matchAll(
      /<modifier><type>([^<]*)<\/type>(?:<comparison>([^<]*)<\/comparison><value>([^<]*)<\/value>)?<\/modifier>/gs
    )
  ]
    .map(
      ([, name = '', comparison = '', value = '']) => `/${plain(name).toLowerCase()}${plain(comparison)}${plain(value)}`
    )
    .reverse()
    .join('')

const plain = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

function randomQueries(): string[] {
  const chance = createChance(seed)
  return Array.from({ length: howMany({ quick: 300, short: 2000, long: 100_000, onPostgres: 0 }) }, () =>
    aQuery(chance, 3)
  )
}

/**
 * Mostly nonsense; what it means where it is none, YAZ and we see differently, since it tells words
 * from relations by a list of its own.
 */
const nonsense = (chance: Chance) =>
  Array.from({ length: 1 + chance.below(8) }, () =>
    chance.pick([
      ...([
        'fish',
        'dc.title',
        'Any',
        'c*t',
        '^x',
        '"x y"',
        'a\\"b',
        '\\',
        '"',
        '(',
        ')',
        '=',
        '==',
        '<',
        '>',
        '>=',
        '/'
      ] as const),
      ...(['and', 'or', 'NOT', 'prox', 'sortBy', 'any', ' '] as const)
    ])
  ).join(chance.oneIn(2) ? ' ' : '')

function aQuery(chance: Chance, depth: number): string {
  const clause = () => {
    if (depth > 0 && chance.oneIn(4)) return `(${aQuery(chance, depth - 1)})`
    const term = chance.pick(['fish', '"fish tank"', '"a \\" b"', 'c*t', '""', 'é'])
    if (chance.oneIn(3)) return term
    const relation = chance.pick(['=', '==', '<', '<=', '<>', ' any ', ' ALL ', ' adj ', ' within '])
    const modifier = chance.oneIn(4) ? chance.pick(['/stem ', '/ignoreCase/masked ', '/lang=nl ', '/x<2 ']) : ''
    return `${chance.pick(['dc.title', 'title', 'rec.id', 'x'])}${relation.trimEnd()}${modifier}${modifier === '' ? ' ' : ''}${term}`
  }
  let query = clause()
  for (let joined = chance.below(3); joined > 0; joined--)
    query += ` ${chance.pick(['and', 'OR', 'Not', 'prox', 'and/rel.combine=sum', 'prox/unit=word/distance>2'])} ${clause()}`
  if (depth === 3 && chance.oneIn(5))
    query += ` sortBy ${chance.pick(['dc.date', 'title/sort.descending', 'a/x/y=1 b'])}`
  return query
}
