import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { scriptOf } from '#formats/description/scripts.ts'
import { authorityNumber } from '#domain/clustering/authority-numbers.ts'
import { withNumerals } from '#domain/clustering/numerals.ts'
import { soundOf } from '#domain/clustering/romanisation.ts'
import { workNumbersIn } from '#domain/clustering/work-numbers.ts'
import { CollectionMeasure } from '../support/oracles/measure-collection.ts'
import { recordsByRules } from '../support/records/cataloguing-rules.ts'
import { recordsByFurtherRules } from '../support/records/further-rules.ts'
import { clusterShelf, type Shelf, worksIn } from '../support/records/marc-lines.ts'

describe('a catalogue by the rules of several libraries', () => {
  const records = recordsByRules()

  it('is large enough to tell', () => {
    assert.ok(records.length >= 150)
    assert.ok(new Set(records.map(each => each.language)).size >= 12)
    assert.ok(new Set(records.flatMap(({ lines }) => lines.split(/[\n$]/).map(scriptOf))).size >= 8)
  })

  it('has only right joins among the certain ones, nearly all works, and few questions', () => {
    const wrong: string[] = []
    const measure = new CollectionMeasure((what, mentions) => wrong.push(`${what}: ${mentions.join(' ')}`))
    measure.add(records)
    const { sure, pairs, questions, byQuestion } = measure
    assert.equal(sure.right, sure.count)
    assert.deepEqual(wrong, [])
    assert.equal(pairs.work.right, pairs.work.found)
    assert.ok(pairs.work.right >= 0.98 * pairs.work.wanted && pairs.expression.right >= 0.98 * pairs.expression.wanted)
    assert.ok(questions <= 0.05 * records.length, `${questions} questions`)
    // Romanisations are never certain.
    assert.equal(byQuestion.get('romanisation, joined')?.count, 11)
  })
})

describe('a catalogue with adaptations, namesakes, gatherings, documents and scripture', () => {
  it('has only right joins among the certain ones, all works, and few questions', () => {
    const records = recordsByFurtherRules()
    const measure = new CollectionMeasure()
    measure.add(records)
    const { sure, pairs, questions, works } = measure
    assert.ok(records.length >= 60)
    assert.equal(sure.right, sure.count)
    assert.equal(works.unasked, 0)
    assert.equal(pairs.work.right, pairs.work.wanted)
    // Two works under one title by an author, and a course and its teacher's book, are asked about.
    assert.ok(pairs.work.right >= 0.97 * pairs.work.found)
    assert.ok(questions <= 4, `${questions} questions`)
  })
})

describe('evidence that is the same in every language', () => {
  it('has numbers in digits, and the names of Greek letters', () => {
    const digits = (text: string) => withNumerals(text.split(' ')).join(' ')
    assert.equal(digits('twelve nights'), '12 nights')
    assert.equal(digits('quatre vingts jours'), '80 jours')
    assert.equal(digits('vierundachtzig tage'), '84 tage')
    assert.equal(digits('eighty four charing cross road'), '84 charing cross road')
    assert.equal(digits('twenty thousand leagues'), '20000 leagues')
    assert.equal(digits('three four five'), '3 4 5')
    assert.equal(digits('β decay'), 'beta decay')
    assert.equal(digits('ο δρομος β'), 'ο δρομος β')
  })

  it('has the numbers of musical works, unless a title names two', () => {
    assert.deepEqual(workNumbersIn('Sonaten, Klavier, KV 331, A-Dur'), workNumbersIn('Sonatas, piano, K. 331, A major'))
    assert.deepEqual(workNumbersIn('Trios, H. XV, 27'), workNumbersIn('Trios, Hob. XV:27'))
    assert.deepEqual(workNumbersIn('Sinfonien, op. 67 (Nr. 5), c-Moll'), workNumbersIn('Symphonies, no. 5, op. 67'))
    assert.notDeepEqual(workNumbersIn('Sonatas, op. 27, no. 1'), workNumbersIn('Sonatas, op. 27, no. 2'))
    assert.deepEqual(workNumbersIn('Sonatas, K. 331 and K. 332'), [])
    assert.deepEqual(workNumbersIn('Catch 22'), [])
  })

  it('has one form of each number of an authority file', () => {
    for (const [one, other] of [
      ['https://d-nb.info/gnd/118540238', '(DE-588)118540238'],
      ['http://viaf.org/viaf/184201', '(viaf)184201'],
      ['https://isni.org/isni/0000000121032683', '(isni)0000 0001 2103 2683'],
      ['http://id.loc.gov/authorities/names/n79021164', '(DLC)n  79021164']
    ] as const)
      assert.equal(authorityNumber(one), authorityNumber(other))
  })

  it('has the sound of names in several romanisations', () => {
    for (const [one, other, language] of [
      ['shchukarev', 'scukarev', 'rus'],
      ['zhou', 'chou', 'zho'],
      ['tsuchida', 'tutida', 'jpn'],
      ['chrysoverges', 'chrysovergis', 'ell']
    ] as const)
      assert.equal(soundOf(one, [language]), soundOf(other, [language]))
    assert.notEqual(soundOf('tolstoi', ['rus']), soundOf('turgenev', ['rus']))
  })
})

describe('numbers of authority files', () => {
  const book = (heading: string, title = 'The water mills of the coast', more = '') =>
    `008/33 0\n100 1# $a${heading}${more}\n245 14 $a${title}`

  it('tell persons of one name apart, and join those of two names', () => {
    const shelf = {
      a: book('Smith, John$0(DE-588)118001-0'),
      b: book('Smith, John$0(DE-588)118077-0'),
      c: book('Smithson, J. Q.$0https://d-nb.info/gnd/118001-0')
    }
    assert.deepEqual(worksIn(clusterShelf(shelf)), ['a c', 'b'])
    assert.deepEqual(clusterShelf(shelf).questions, [])
    // A heading without a number fits both.
    assert.deepEqual(worksIn(clusterShelf({ ...shelf, d: book('Smith, John') })), ['a c', 'b', 'd'])
    // Numbers of two files say nothing about each other.
    const files = { a: shelf.a, b: book('Smith, John$0(viaf)77') }
    assert.deepEqual(worksIn(clusterShelf(files)), ['a b'])
  })

  it('tell works with one title apart, unless they are numbers of versions', () => {
    const work = (number: string, rest = '') =>
      `100 1# $aIngleby, Tess\n240 10 $aQuiet coast${rest}$0(viaf)${number}\n245 10 $aQuiet coast`
    assert.deepEqual(worksIn(clusterShelf({ a: work('1'), b: work('2') })), ['a', 'b'])
    assert.deepEqual(worksIn(clusterShelf({ a: work('1'), b: work('2', '.$lEnglish') })), ['a b'])
  })
})

describe('names in fields of persons', () => {
  const work = (heading: string) => `100 1# $a${heading}\n245 10 $aThe fell walkers of the north`

  it('are compared without roles, dates, statements and titles of honour', () => {
    const headings = [
      'Brocklesby, Hester,$d1888-1960.',
      'Brocklesby, Hester, 1888-1960',
      'Brocklesby, Hester [author]',
      'Brocklesby, Hester. Preface by A. Oram',
      'Brocklesby, Hester,$cDame,$d1888-1960.',
      'Hester Brocklesby'
    ]
    const shelf = Object.fromEntries(headings.map((each, place) => [`r${place}`, work(each)]))
    assert.deepEqual(worksIn(clusterShelf(shelf)), ['r0 r1 r2 r3 r4 r5'])
  })

  it('are of two persons with other qualifiers, and of two bodies with other units', () => {
    assert.equal(worksIn(clusterShelf({ a: work('Cole, Ann (novelist)'), b: work('Cole, Ann (chemist)') })).length, 2)
    const body = (unit: string) => `110 1# $aHarbourland.$b${unit}\n245 10 $aPapers on the tides of the coast`
    assert.equal(worksIn(clusterShelf({ a: body('Board of Trade'), b: body('Board of Health') })).length, 2)
  })
})

describe('questions that need not be asked', () => {
  const mila = '100 1# $aVerhoeven, Mila'
  const joins = (one: string, other: Shelf[string]) => {
    const { works, questions } = clusterShelf({ a: one, b: other })
    return [works[0]?.members.some(each => each.mention === 'b#0') ?? false, questions.length]
  }
  const gathered = (title: string, titles: readonly string[]) =>
    `${mila}\n245 10 $a${title}${titles.map(each => `\n700 12 $aVerhoeven, Mila$t${each}`).join('')}`
  const five = ['Ash tree', 'Oak tree', 'Elm tree', 'Yew tree', 'Fir tree']

  it('are about aggregates of the same five works', () => {
    assert.deepEqual(joins(gathered('Trees of the coast', five), gathered('All her trees', five)), [true, 0])
    const three = five.slice(0, 3)
    assert.deepEqual(joins(gathered('Trees of the coast', three), gathered('All her trees', three)), [true, 1])
  })

  it('are about the division of words, and about both forms of a title', () => {
    assert.deepEqual(joins(`${mila}\n245 10 $aThe watch-tower`, `${mila}\n245 14 $aThe watchtower`), [true, 0])
    const original = `${mila}\n246 1# $iOriginaltittel$aThe long ferry : a history of the coast\n245 10 $aFerjen :$bhistorie`
    assert.deepEqual(
      joins(`${mila}\n240 10 $aLong ferry\n245 10 $aThe long ferry :$ba history of the coast`, [original, 'nor']),
      [true, 0]
    )
  })

  it('are about lists each of which has a work of its own', () => {
    const asked = (titles: readonly string[]) =>
      joins(gathered('Trees of the coast', five), gathered('Trees of the coast', titles))
    assert.deepEqual(asked([...five.slice(0, 2), 'Rose', 'Lily', 'Iris']), [false, 0])
    assert.deepEqual(asked(five.slice(0, 2)), [false, 1])
  })
})
