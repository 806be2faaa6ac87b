import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { findLiterals, literalsIn, type RegExpLiteral } from './support/oracles/regexp-literals.ts'
import { findSuperlinear } from './support/oracles/superlinear-pattern.ts'

/*
 * The engine of JavaScript tries all ways to match. A pattern with two ways for the same text takes
 * time that grows with the square of its length or faster, and nothing can interrupt it: one stored
 * text would hold up the service. Every regular expression of the program is measured with texts
 * that are made from its own structure.
 */

const root = join(import.meta.dirname, '..')

/** Patterns that are superlinear, on text that cannot be long. */
const bounded: Readonly<Record<string, string>> = {
  'src/domain/clustering/title-key.ts': 'The brackets of a title are examined up to 1,000 characters',
  'src/formats/citations/to-citation.ts': 'A note about a thesis is searched up to 1,000 characters',
  'src/formats/rdf/read-jsonld.ts': 'A number has at most 23 characters'
}

const shown = ({ file, line, pattern, flags }: RegExpLiteral) => {
  const string = findSuperlinear(pattern, flags)
  if (string === undefined) return []
  const { prefix, pump, suffix } = string
  const text = `${JSON.stringify(prefix)} + ${JSON.stringify(pump)}.repeat(n) + ${JSON.stringify(suffix)}`
  return [{ file, says: `${file}:${line} takes superlinear time on ${text}: /${pattern}/${flags}` }]
}

describe('A regular expression of the program', () => {
  it('takes time in proportion to its text, or its text is bounded', t => {
    const literals = findLiterals(root, ['src', 'client', 'packages', 'web/src'])
    const found = literals.flatMap(shown)
    t.diagnostic(`${literals.length} regular expressions`)
    assert.ok(literals.length > 500)
    assert.deepEqual(
      found.filter(({ file }) => !(file in bounded)).map(({ says }) => says),
      []
    )
    assert.deepEqual(found.map(({ file }) => file).sort(), Object.keys(bounded).sort(), 'One of each file is bounded')
  })

  it('is found in any place, and told apart if it is superlinear', () => {
    const superlinear = [
      '/\\s*;\\s*/',
      '/a+$/',
      '/(?:a|aa)+$/',
      '/^(.*?),(.*?),(.*)x$/',
      '/<[^>]*>/g',
      '/^[.\\s]+|[.\\s]+$/g',
      '/^(?:\\w+\\s?)*$/u',
      '/[\\p{L}--[a-z]]+:/v'
    ]
    const linear = ['/^\\s*;\\s*$/', '/(?<!a)a+$/', '/[^<>]*/', '/a{1,3}b/', '/\\/\\*.*?\\*\\//y']
    const text = `const a = [${[...superlinear, ...linear].join(', ')}] // not /this+one+/\nconst b = \`/nor\${1 / 2}this/\``
    const literals = literalsIn('planted.ts', text)
    assert.deepEqual(
      literals.map(({ pattern, flags }) => `/${pattern}/${flags}`),
      [...superlinear, ...linear]
    )
    assert.deepEqual(
      literals.filter(each => shown(each).length > 0).map(({ pattern, flags }) => `/${pattern}/${flags}`),
      superlinear
    )
  })
})
