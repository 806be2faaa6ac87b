import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { patterns } from '../support/clustering-patterns.ts'
import { measurePattern } from '../support/measure-patterns.ts'
import { evidenceFrom, clusterShelf, worksIn } from '../support/marc-lines.ts'

describe('a pattern of real files', () => {
  for (const pattern of patterns)
    it(`is clustered as it should be: ${pattern.name}`, () => {
      const { found, right, wanted } = measurePattern(pattern)
      assert.deepEqual({ wrong: found - right, missed: wanted - right }, { wrong: 0, missed: 0 })
    })
})

describe('a join that is not sure', () => {
  const mila = '100 1# $aVerhoeven, Mila'
  const asked = (one: string, other: string) => {
    const { questions } = clusterShelf({ a: one, b: other })
    return questions.map(({ areJoined, confidence }) => [areJoined, confidence < 0.85])
  }

  it('is asked about where the subtitles are of other things', () => {
    const title = `${mila}\n245 10 $aDictionary of sailors :$b`
    assert.deepEqual(asked(`${title}the ancients.`, `${title}contemporary men.`), [[true, true]])
    assert.deepEqual(asked(`${title}a study of ropes and sails.`, `${title}a study of ropes and of sails.`), [])
  })

  it('is asked about where a body published it in two years and neither is an edition', () => {
    const lines = (year: string, edition = '') =>
      `110 2# $aHarbour Board.\n245 10 $aTides of the coast.\n264 #1 $c${year}.${edition}`
    assert.deepEqual(asked(lines('1951'), lines('1952')), [[true, true]])
    assert.deepEqual(asked(lines('1951'), lines('1952', '\n250 ## $a2nd ed.')), [])
  })

  it('is none where the subtitles count parts, or brackets in the title hold another word', () => {
    const parts = (number: string) => `${mila}\n245 10 $aThe school book :$bpart ${number}.`
    assert.deepEqual(worksIn(clusterShelf({ a: parts('I'), b: parts('II'), c: parts('I') })), ['a c', 'b'])
    const stars = (name: string) => `${mila}\n245 10 $aOrbit of [${name}] Persei.`
    assert.deepEqual(worksIn(clusterShelf({ a: stars('beta'), b: stars('upsilon') })), ['a', 'b'])
  })

  it('reads year, series and subtitle into the evidence', () => {
    const lines = `${mila}\n245 10 $aTides :$bof the coast.\n264 #1 $c1951.\n490 0# $aCoast papers ;$vno. 12`
    const [work] = evidenceFrom('a', lines).works
    assert.deepEqual([work?.year, work?.series, work?.subtitle], ['1951', ['coast papers / 12'], 'of the coast'])
  })
})
