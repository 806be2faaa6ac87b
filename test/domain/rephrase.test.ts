import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { rephrase, type SpeltWord } from '#domain/search/rephrase.ts'

const known = (word: string, size: number, ...near: string[]): SpeltWord => ({ word, size, near })
const texts = (groups: ReturnType<typeof rephrase>['shortened']) => groups.map(group => group.map(({ text }) => text))

describe('other texts of a search', () => {
  it('leave out the words that no record has, or have words that are spelt like them', () => {
    const { respelt, shortened } = rephrase('zauberbrg roman hardcover', [
      known('zauberbrg', 0, 'zauberberg'),
      known('roman', 900),
      known('hardcover', 0)
    ])
    assert.deepEqual(
      respelt.map(({ text, leftOut }) => [text, leftOut]),
      [['zauberberg roman', ['hardcover']]]
    )
    assert.deepEqual(texts(shortened)[0], ['roman'])
  })

  it('leave out one word at a time, the most frequent first, then keep the rarest', () => {
    const spelt = [known('red', 500), known('house', 300), known('lighthouse', 2)]
    const [absent, one, few, alone] = texts(rephrase('red house lighthouse', spelt).shortened)
    assert.deepEqual(absent, [])
    assert.deepEqual(one, ['house lighthouse', 'red lighthouse', 'red house'])
    assert.deepEqual(few, [])
    assert.deepEqual(alone, ['lighthouse', 'house', 'red'])
  })

  it('of a paragraph leave out only what no record has: each text more is a search of many words', () => {
    const words = Array.from({ length: 40 }, (_, place) => `word${place}`)
    const spelt = words.map((word, place) => known(word, place === 7 ? 0 : place + 1))
    const [absent, ...others] = texts(rephrase(words.join(' '), spelt).shortened)
    assert.deepEqual(absent, [words.filter(word => word !== 'word7').join(' ')])
    assert.deepEqual(others, [[], [], []])
  })

  it('are none for a text with operators', () => {
    assert.deepEqual(rephrase('red OR blue', [known('red', 0)]), { respelt: [], shortened: [] })
  })
})
