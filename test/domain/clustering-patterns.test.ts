import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { halfWithoutOriginals, makeCollection } from '../support/records/made-collection.ts'
import { patterns } from '../support/records/clustering-patterns.ts'
import { CollectionMeasure } from '../support/oracles/measure-collection.ts'
import { measurePattern } from '../support/oracles/measure-patterns.ts'
import { evidenceFrom, clusterShelf, worksIn } from '../support/records/marc-lines.ts'

describe('a pattern of real files', () => {
  for (const pattern of patterns)
    it(`is clustered as it should be: ${pattern.name}`, () => {
      const { found, right, wanted } = measurePattern(pattern)
      assert.deepEqual({ wrong: found - right, missed: wanted - right }, { wrong: 0, missed: 0 })
    })
})

describe('a collection that the rules were not made with', () => {
  it('has certain joins that are right, few questions, and few errors that nobody is asked about', () => {
    const measure = new CollectionMeasure()
    measure.add(makeCollection(7, 1000))
    const { sure, questions, records, works, pairs } = measure
    assert.ok(sure.count > 300 && sure.right / sure.count >= 0.98, `${sure.right} of ${sure.count} sure joins`)
    assert.ok(questions / records <= 0.05, `${questions} questions`)
    assert.ok(works.all > 100 && works.unasked / works.all <= 0.02, `${works.unasked} of ${works.all} works`)
    assert.ok(pairs.work.right / pairs.work.found >= 0.98 && pairs.work.right / pairs.work.wanted >= 0.98)
  })

  it('is asked about where half of the translations do not name their originals', () => {
    const measure = new CollectionMeasure()
    measure.add(makeCollection(7, 1000), halfWithoutOriginals)
    const { questions, records, works, pairs } = measure
    assert.ok(questions / records <= 0.05, `${questions} questions`)
    assert.ok(works.all > 100 && works.unasked / works.all <= 0.02, `${works.unasked} of ${works.all} works`)
    assert.ok(pairs.work.right / pairs.work.found >= 0.98 && pairs.work.right / pairs.work.wanted >= 0.85)
  })
})

describe('a join that is not sure', () => {
  const mila = '100 1# $aVerhoeven, Mila'
  const asked = (one: string, other: string) => {
    const { questions } = clusterShelf({ a: one, b: other })
    return questions.map(({ areJoined, confidence }) => [areJoined, confidence < 0.95])
  }

  it('is asked about where the subtitles are of other things', () => {
    const title = `${mila}\n245 10 $aDictionary of sailors :$b`
    assert.deepEqual(asked(`${title}the ancients.`, `${title}contemporary men.`), [[true, true]])
    assert.deepEqual(asked(`${title}a study of ropes and sails.`, `${title}a study of ropes and of sails.`), [])
  })

  it('is asked about between a score and a recording of another year, which may be an album', () => {
    const lines = (type: string, year: string) =>
      `LDR/06 ${type}\n${mila}\n245 10 $aSong of the salt road.\n264 #1 $c${year}.`
    assert.deepEqual(asked(lines('c', '1976'), lines('j', '1959')), [[true, true]])
    assert.deepEqual(asked(lines('c', '1976'), lines('j', '1976')), [])
    assert.deepEqual(asked(lines('j', '1976'), lines('j', '1959')), [])
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

  it('is asked about where a title of one or two words is all that agrees', () => {
    const study = (title: string, year: string, more = '') =>
      `008/33 0\n${mila}\n245 10 $a${title}.\n264 #1 $c${year}.${more}`
    assert.deepEqual(asked(study('Gravity', '1915'), study('Gravity', '1948')), [[true, true]])
    assert.deepEqual(asked(study('Precise levelling', '1915'), study('Precise levelling', '1916')), [[true, true]])
    assert.deepEqual(asked(study('Precise levelling', '1915'), study('Precise levelling', '1948')), [])
    assert.deepEqual(asked(study('Gravity', '1915'), study('Gravity', '1948', '\n250 ## $a2nd ed.')), [])
    assert.deepEqual(asked(`${mila}\n245 10 $aGravity.`, `${mila}\n245 10 $aGravity.`), [])
  })

  it('is none between recordings that are called after the musician, and in the collected works of an author', () => {
    const disc = (year: string) => `LDR/06 j\n${mila}\n245 10 $aMila Verhoeven.\n264 #1 $c${year}.`
    assert.deepEqual(worksIn(clusterShelf({ a: disc('1977'), b: disc('1983') })), ['a', 'b'])
    const poems = (year: string) => `${mila}\n245 10 $aPoetical works of Mila Verhoeven.\n264 #1 $c${year}.`
    assert.deepEqual(worksIn(clusterShelf({ a: poems('1977'), b: poems('1983') })), ['a', 'b'])
  })

  it('is one question for all records under the title, and its answer holds for them', () => {
    const shelf = Object.fromEntries(
      ['1915', '1948', '1971', '1990'].map(year => [
        `y${year}`,
        `008/33 0\n${mila}\n245 10 $aGravity.\n264 #1 $c${year}.`
      ])
    )
    const [question, ...more] = clusterShelf(shelf).questions
    assert.deepEqual([question?.settles, more.length], [3, 0])
    const answer = { level: 'work', one: 'y1915#0', other: 'y1990#0', verdict: 'same' } as const
    const { works, questions } = clusterShelf(shelf, [answer])
    assert.deepEqual([works.length, questions.length], [1, 0])
    assert.ok(works[0]?.members.every(({ link }) => link === undefined || link.isSure))
    const refused = clusterShelf(shelf, [{ ...answer, verdict: 'different' }])
    assert.equal(refused.works.length, 2)
    assert.equal(refused.questions.length, 1)
  })

  it('reads year, series and subtitle into the evidence', () => {
    const lines = `${mila}\n245 10 $aTides :$bof the coast.\n264 #1 $c1951.\n490 0# $aCoast papers ;$vno. 12`
    const [work] = evidenceFrom('a', lines).works
    assert.deepEqual([work?.year, work?.series, work?.subtitle], ['1951', ['coast papers / 12'], 'of the coast'])
  })
})

describe('the reason of a question', () => {
  const title = (form: string, more = '') => `008/33 ${form}\n100 1# $aVerhoeven, Mila\n245 10 $aBirds${more}`
  const entries = (...titles: string[]) => titles.map(each => `\n700 12 $aVerhoeven, Mila$t${each}`).join('')
  const gathered = (...titles: string[]) => title('1', ' of the coast.') + entries(...titles)
  const cases = {
    'other form': [
      title('d', ' :$ba play in two acts.'),
      title('f', ' :$ba novel.'),
      title('d', ' :$ba play in two acts.')
    ],
    'other number': [title('0', '.\n490 0# $aPapers ;$v12'), title('0', '.\n490 0# $aPapers ;$v31'), title('0', '.')],
    'other contents': [gathered('Ash', 'Oak'), gathered('Ash', 'Oak', 'Elm', 'Yew', 'Fir'), gathered('Ash', 'Oak')],
    spelling: [title('f', ' of Pêche.'), title('f', ' of Péché.'), title('f', ' of Peche.')]
  } as const
  for (const [code, [one, other, without]] of Object.entries(cases))
    it(`is what keeps the two apart: ${code}`, () => {
      const { works, questions } = clusterShelf({ a: one, b: other })
      assert.deepEqual(
        questions.map(({ reason, areJoined }) => [reason.code, areJoined]),
        [[code, false]]
      )
      const joined = clusterShelf({ a: one, b: without })
      assert.ok(works.every(({ members }) => !members.some(each => each.mention === 'a#0') || members.length === 1))
      assert.ok(
        joined.works.some(({ members }) => members.some(each => each.mention === 'a#0') && members.length === 2)
      )
    })
})

describe('a question about records that are kept apart', () => {
  const mila = '100 1# $aVerhoeven, Mila,$d1950-'
  const stories = (...titles: string[]) =>
    `${mila}\n240 10 $aThe salt road and the sea.\n245 14 $aThe salt road and the sea.\n${titles
      .map(each => `700 12 $aVerhoeven, Mila,$d1950-$t${each}.`)
      .join('\n')}`
  const five = ['Harbour lights', 'The ferry house', 'Winter in the dunes', 'Rope makers', 'An evening at sea']
  const numbered = (number: string) =>
    `008/33 0\n${mila}\n245 10 $aPrecise levelling.\n490 1# $aReports on levels ;$v${number}`
  // The record beside the first, and the same record without what keeps the two apart.
  const cases: readonly (readonly [code: string, one: string, other: string, without: string])[] = [
    [
      'other form',
      `${mila}\n245 10 $aFlower of the waves :$ba historical novel.`,
      `${mila}\n245 10 $aFlower of the waves :$ba play in four acts.`,
      `${mila}\n245 10 $aFlower of the waves.`
    ],
    ['other number', numbered('12'), numbered('14'), numbered('12')],
    ['other contents', stories(...five), stories(...five.slice(0, 2)), stories(...five)],
    [
      'spelling',
      `${mila}\n245 10 $aPêche en haute mer.`,
      `${mila}\n245 10 $aPéché en haute mer.`,
      `${mila}\n245 10 $aPeche en haute mer.`
    ]
  ]
  for (const [code, one, other, without] of cases)
    it(`names the reason without which they would be joined: ${code}`, () => {
      const apart = clusterShelf({ one, other })
      assert.deepEqual(
        apart.questions.map(each => [each.reason.code, each.areJoined]),
        [[code, false]]
      )
      const joined = clusterShelf({ one, other: without }).works.find(({ members }) => members[0]?.mention === 'one#0')
      assert.deepEqual(
        joined?.members.map(each => each.mention),
        ['one#0', 'other#0']
      )
    })
})
