import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Answer } from '#domain/clustering/cluster-block.ts'
import { retainIdentifiers } from '#domain/clustering/retain-identifiers.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import {
  clusterShelf,
  evidenceFrom,
  expressionsIn,
  marcFrom,
  type Shelf,
  worksIn
} from '../support/records/marc-lines.ts'

const mila = '100 1# $aVerhoeven, Mila,$d1911-1984.'

function assertWorks(shelf: Shelf, expected: readonly string[]) {
  assert.deepEqual(worksIn(clusterShelf(shelf)), [...expected].sort())
}
function assertExpressions(shelf: Shelf, expected: readonly string[]) {
  assert.deepEqual(expressionsIn(clusterShelf(shelf)), [...expected].sort())
}

describe('A work', () => {
  it('is found by author and title, whatever articles, case, marks and punctuation', () => {
    assertWorks(
      {
        a: `${mila}\n245 14 $aThe salt road /$cMila Verhoeven.`,
        b: `${mila}\n245 00 $aSalt Road :$ba novel.`,
        c: `${mila}\n245 10 $aSalt road (The) [electronic resource]`,
        other: `${mila}\n245 14 $aThe salt mine /$cMila Verhoeven.`
      },
      ['a b c', 'other']
    )
  })

  it('is found by its uniform title in any language', () => {
    assertWorks(
      {
        a: `${mila}\n240 10 $aDe zoutweg.$lEnglish\n245 14 $aThe salt road.`,
        b: [`${mila}\n240 10 $aZoutweg.$lFrench\n245 13 $aLa route du sel.`, 'fre']
      },
      ['a b']
    )
  })

  it('is found by the title of the original in 765, 246 and notes', () => {
    assertWorks(
      {
        original: [`${mila}\n245 13 $aDe zoutweg.`, 'dut'],
        linked: `${mila}\n245 14 $aThe salt road.\n765 0# $tDe zoutweg`,
        varying: [`${mila}\n245 10 $aSaltveien.\n246 1# $iOriginaltittel:$aDe zoutweg`, 'nob'],
        noted: [`${mila}\n245 13 $aLa route du sel.\n500 ## $aTraduction de: De zoutweg.`, 'fre']
      },
      ['linked noted original varying']
    )
  })

  it('learns which titles are one from a record that has both', () => {
    const shelf: Shelf = {
      bare: [`${mila}\n245 13 $aLa route du sel.`, 'fre'],
      teacher: [`${mila}\n240 10 $aDe zoutweg.$lFrench\n245 13 $aLa route du sel.`, 'fre'],
      original: [`${mila}\n245 13 $aDe zoutweg.`, 'dut']
    }
    assertWorks(shelf, ['bare original teacher'])
    const [work] = clusterShelf(shelf).works
    const reasons = work?.members.map(each => each.link?.reason)
    assert.deepEqual(reasons?.[2], { code: 'learned title', shared: 'route du sel', learnedFrom: 'teacher' })
    const { teacher, ...rest } = shelf
    assertWorks(rest, ['bare', 'original'])
  })

  it('does not learn from a title that stands for two works', () => {
    const { works, questions } = clusterShelf({
      one: `${mila}\n240 10 $aDe zoutweg\n245 10 $aEarly prose.`,
      two: `${mila}\n240 10 $aHet veer\n245 10 $aEarly prose.`,
      which: `${mila}\n245 10 $aEarly prose.`,
      first: `${mila}\n240 10 $aDe zoutweg\n245 10 $aNight crossing.`,
      second: `${mila}\n240 10 $aHet veer\n245 10 $aNight crossing.`,
      unclear: `${mila}\n245 10 $aNight crossing.`
    })
    assert.deepEqual(worksIn({ works, questions }), ['first one', 'second two', 'unclear', 'which'])
    assert.deepEqual(
      questions.map(each => [each.one, each.other, each.reason.code, each.areJoined]),
      [
        ['first#0', 'unclear#0', 'several possible', false],
        ['second#0', 'unclear#0', 'several possible', false]
      ]
    )
  })

  it('has each side of “Title, or, Other title” for a name', () => {
    assertWorks(
      {
        a: `${mila}\n245 14 $aThe salt road, or, A winter in the dunes.`,
        b: `${mila}\n245 14 $aThe salt road.`,
        c: `${mila}\n245 12 $aA winter in the dunes.`
      },
      ['a b c']
    )
  })

  it('has the name of a part for a name, and the title of the set for none', () => {
    assertWorks(
      {
        first: `${mila}\n245 14 $aThe coast.$n1,$pThe salt road.`,
        second: `${mila}\n245 14 $aThe coast.$n2,$pThe ferry house.`,
        alone: `${mila}\n245 14 $aThe ferry house.`,
        set: `${mila}\n245 14 $aThe coast.`
      },
      ['alone second', 'first', 'set']
    )
  })

  it('is not joined to another for a subtitle or a series that both have', () => {
    assertWorks(
      {
        a: `${mila}\n245 14 $aThe salt road :$bmemories of the coast.`,
        b: `${mila}\n245 14 $aThe ferry house :$bmemories of the coast.`
      },
      ['a', 'b']
    )
  })

  it('takes a title that is the subtitle of another for the same, and asks', () => {
    const clusters = clusterShelf({
      a: `${mila}\n245 10 $aMila Verhoeven's coast :$bthe life of a ferry house.`,
      b: `${mila}\n245 14 $aThe life of a ferry house.`
    })
    assert.deepEqual(worksIn(clusters), ['a b'])
    assert.deepEqual(
      clusters.questions.map(each => [each.reason.code, each.areJoined]),
      [['subtitle', true]]
    )
  })

  it('is the same when spelled in two ways; a letter in a short title is asked about', () => {
    const clusters = clusterShelf({
      a: `${mila}\n245 14 $aThe watch-tower.`,
      b: `${mila}\n245 14 $aThe watchtower.`,
      long: `${mila}\n245 14 $aThe ferrymen who cross'd the river at night.`,
      longer: `${mila}\n245 14 $aThe ferrymen who crossed the river at night.`,
      one: `${mila}\n245 10 $aFerry house.`,
      more: `${mila}\n245 10 $aFerry houses.`,
      part: `${mila}\n245 10 $aThe ferrymen of the northern river, part 1.`,
      parts: `${mila}\n245 10 $aThe ferrymen of the northern river, part 2.`
    })
    assert.deepEqual(worksIn(clusters), ['a b', 'long longer', 'more', 'one', 'part', 'parts'])
    assert.ok(clusters.questions.some(each => each.reason.code === 'spelling' && !each.areJoined))
  })

  it('is found in its own script by the titles and names that another record gives in two', () => {
    const fields = (tag: string, roman: string, own: string) =>
      `${tag} $6880-01$a${roman}\n880 ${tag.slice(4)} $6${tag.slice(0, 3)}-01$a${own}`
    const shelf = {
      both: `${fields('100 1#', 'Karras, Nikos,$d1928-', 'Καρράς, Νίκος,$d1928-')}\n${fields('245 10', 'Ho dromos', 'Ο δρόμος')}`,
      own: '100 1# $aΚαρράς, Νίκος\n245 10 $aΟ δρόμος',
      roman: '100 1# $aKarras, Nikos\n245 10 $aHo dromos'
    }
    assertWorks(shelf, ['both own roman'])
    const namesake = '100 1# $aΚαρράς, Νίκος,$d1855-\n245 10 $aΟ δρόμος'
    assertWorks({ ...shelf, namesake }, ['both roman', 'namesake', 'own'])
    const greek = (title: string) => `100 1# $aΚαρράς, Νίκος\n245 10 $a${title}`
    assertWorks({ a: greek('Ο δρόμος του αλατιού'), b: greek('Δρόμος του αλατιού') }, ['a b'])
    const chinese = (name: string) => `100 1# $a${name}\n245 10 $a鹽之路`
    assertWorks({ a: chinese('林海青'), b: chinese('林, 海青'), c: chinese('林，海青') }, ['a b c'])
  })

  it('is told from another with the same title by its author', () => {
    assertWorks(
      {
        a: `${mila}\n245 14 $aThe salt road.`,
        b: `100 1# $aVerhoeven, Mila,$d1960-\n245 14 $aThe salt road.`,
        c: `100 1# $aOkafor, Ben.\n245 14 $aThe salt road.`
      },
      ['a', 'b', 'c']
    )
  })

  it('is found under initials, and without a year of birth, where only one author can be meant', () => {
    assertWorks(
      {
        a: `${mila}\n245 14 $aThe salt road.`,
        initial: '100 1# $aVerhoeven, M.\n245 14 $aThe salt road.',
        undated: '100 1# $aVerhoeven, Mila.\n245 14 $aThe salt road.',
        stated: '245 14 $aThe salt road /$cMila Verhoeven.'
      },
      ['a initial stated undated']
    )
    assertWorks(
      {
        mila: `${mila}\n245 14 $aThe salt road.`,
        maria: '100 1# $aVerhoeven, Maria,$d1950-\n245 14 $aThe salt road.',
        initial: '100 1# $aVerhoeven, M.\n245 14 $aThe salt road.'
      },
      ['initial', 'maria', 'mila']
    )
  })

  it('in an aggregate is by the author whose forename only the statement of responsibility spells', () => {
    assertWorks(
      {
        mila: `${mila}\n245 14 $aThe salt road.`,
        maria: '100 1# $aVerhoeven, Maria,$d1950-\n245 10 $aHarbour.',
        both: '100 1# $aVerhoeven, M.\n245 10 $aNorth sea /$cMila Verhoeven.\n700 12 $aVerhoeven, M.$tThe salt road.\n700 12 $aVerhoeven, M.$tThe dunes.'
      },
      ['both', 'both#1 mila', 'both#2', 'maria']
    )
  })

  it('that names no original is asked about with the nearest earlier work in another language, then the next', () => {
    const published = (title: string, year: string) => `${mila}\n245 10 $a${title}.\n264 #1 $c${year}.`
    const shelf: Shelf = {
      early: [published('De zoutweg', '1940'), 'dut'],
      late: [published('Het veerhuis', '1948'), 'dut'],
      later: [published('De duinen', '1960'), 'dut'],
      english: published('Salt and sand', '1947'),
      translated: `${published('The salt road', '1950')}\n700 1# $aLind, Eva$4trl`
    }
    const questions = (...answers: Answer[]) =>
      clusterShelf(shelf, answers).questions.map(({ one, other, reason, areJoined }) => [
        reason.code,
        one,
        other,
        areJoined
      ])
    assertWorks(shelf, Object.keys(shelf))
    const first = ['translation', 'late#0', 'translated#0', false]
    assert.deepEqual(questions(), [first])
    const no = { level: 'work', one: 'translated#0', other: 'late#0', verdict: 'different' } as const
    assert.deepEqual(questions(no), [['translation', 'early#0', 'translated#0', false]])
    assert.deepEqual(questions(no, { ...no, other: 'early#0' }), [])
    const yes = { ...no, verdict: 'same' } as const
    assert.deepEqual(worksIn(clusterShelf(shelf, [yes])), ['early', 'english', 'late translated', 'later'])
    assert.deepEqual(questions(yes), [])
  })

  it('is looked for in the language that most uniform titles of the author are in', () => {
    const named = (title: string, uniform = title) => `${mila}\n240 10 $a${uniform}.\n245 10 $a${title}.`
    const shelf = {
      road: [named('De zoutweg'), 'dut'],
      ferry: [named('Het veerhuis'), 'dut'],
      // The title of the publication, not of the work, is in German.
      dunes: [named('Die Dünen', 'De duinen'), 'ger'],
      swedish: [`${mila}\n245 10 $aSalt och sand.\n264 #1 $c1949.`, 'swe'],
      early: [`${mila}\n245 10 $aEen huis aan zee.\n264 #1 $c1940.`, 'dut'],
      translated: `${mila}\n245 10 $aA house by the sea.\n264 #1 $c1950.\n700 1# $aLind, Eva$4trl`
    } satisfies Shelf
    const asked = (records: Shelf) =>
      clusterShelf(records).questions.flatMap(each => (each.reason.code === 'translation' ? [each.one] : []))
    assert.deepEqual(asked(shelf), ['early#0'])
    // Nothing tells the language of works without a uniform title.
    const { swedish, early, translated } = shelf
    assert.deepEqual(asked({ swedish, early, translated }), ['swedish#0'])
  })

  it('is not asked for among many works, nor in another form, nor in other languages than the record says', () => {
    const dutch = (title: string): [string, string] => [`${mila}\n245 10 $a${title}.`, 'dut']
    const translated = `${mila}\n245 10 $aThe salt road.\n700 1# $aLind, Eva$4trl`
    const asked = (shelf: Shelf) => clusterShelf(shelf).questions.length
    assert.equal(asked({ one: dutch('De zoutweg'), translated }), 1)
    assert.equal(asked({ one: [`008/33 d\n${mila}\n245 10 $aDe zoutweg.`, 'dut'], translated }), 0)
    assert.equal(asked({ one: dutch('Gedichten'), translated }), 0)
    assert.equal(asked({ one: dutch('De zoutweg'), translated: `${translated}\n041 1# $aeng$hfre` }), 0)
    const many = Object.fromEntries(
      ['Zout', 'Duin', 'Veer', 'Kust', 'Haven', 'Toren', 'Brug'].map(each => [each, dutch(`De ${each} van het land`)])
    )
    assert.equal(asked({ ...many, translated }), 0)
  })

  it('is asked about where only one record calls it a play and the other names it without a form', () => {
    const { questions } = clusterShelf({
      play: `008/33 d\n${mila}\n245 10 $aDe zoutweg :$btoneelstuk in drie bedrijven.`,
      translated: `008/33 0\n${mila}\n240 10 $aDe zoutweg.$lEnglish\n245 14 $aThe salt road.`
    })
    assert.deepEqual(
      questions.map(({ reason, areJoined }) => [reason.code, areJoined]),
      [['title is uniform title', true]]
    )
  })

  it('is found under a pseudonym that has the same number in an authority file', () => {
    assertWorks(
      {
        a: '100 1# $aVerhoeven, Mila,$d1911-1984.$0(NAF)123\n245 14 $aThe salt road.',
        b: '100 1# $aNorth, Adrian.$0(NAF)123\n245 14 $aThe salt road.',
        c: '100 1# $aNorth, Adrian.\n245 14 $aThe salt road.'
      },
      ['a b c']
    )
  })

  it('is found by its identifier alone', () => {
    assertWorks(
      {
        a: `${mila}\n240 10 $aZoutweg$0https://works.example/7\n245 14 $aThe salt road.`,
        b: '130 0# $aRoute du sel$0https://works.example/7\n245 13 $aLa route du sel.'
      },
      ['a b']
    )
  })

  it('is not found by an identifier whose authors differ, or that says not whose it is, or of a form', () => {
    const eva = '100 1# $aLind, Eva,$d1920-.'
    const number = '$0https://works.example/7'
    assertWorks(
      {
        a: `${mila}\n240 10 $aZoutweg${number}\n245 14 $aThe salt road.`,
        b: `${eva}\n240 10 $aZilverweg${number}\n245 14 $aThe silver road.`
      },
      ['a', 'b']
    )
    assertWorks(
      {
        a: `${mila}\n240 10 $aZoutweg$0 3902270\n245 14 $aThe salt road.`,
        b: `${mila}\n240 10 $aZilverweg$0 3902270\n245 14 $aThe silver road.`
      },
      ['a', 'b']
    )
    const prints = {
      a: `LDR/06 c\n${mila}\n240 10 $aSonatas,$mviolin, continuo${number}\n245 10 $aXII sonate a violino solo.`,
      b: `LDR/06 c\n${mila}\n240 10 $aSonatas,$mviolin, continuo${number}\n245 10 $aSei sonate da camera.`,
      c: `LDR/06 c\n${mila}\n240 10 $aPièces${number}\n245 10 $aPièces de clavecin, second livre.`
    }
    assertWorks(prints, ['a', 'b', 'c'])
    assert.deepEqual(
      evidenceFrom('a', `${mila}\n240 10 $aZoutweg$0(NAF)7$0 39${number}\n245 10 $aX`).works[0]?.identifiers,
      ['https://works.example/7', 'lc:7']
    )
  })

  it('is told from its adaptations: film, play under another form, music, and books about it', () => {
    assertWorks(
      {
        novel: `${mila}\n240 10 $aZoutweg$kNovel\n245 14 $aThe salt road.`,
        play: `${mila}\n240 10 $aZoutweg$kPlay\n245 14 $aThe salt road.`,
        film: `LDR/06 g\n130 0# $aSalt road\n245 14 $aThe salt road /$cdirected by Ben Okafor.\n700 1# $aOkafor, Ben$4drt\n700 1# $aVerhoeven, Mila,$d1911-1984.$tZoutweg`,
        score: `LDR/06 c\n${mila}\n245 14 $aThe salt road.`,
        about:
          '100 1# $aMoreau, Ada.\n245 14 $aThe salt road :$ba guide.\n600 10 $aVerhoeven, Mila,$d1911-1984.$tZoutweg',
        comic:
          '100 1# $aLind, Eva.\n245 14 $aThe salt road /$cadapted by Eva Lind.\n700 1# $aVerhoeven, Mila,$d1911-1984.$tZoutweg'
      },
      ['about', 'comic', 'film', 'novel', 'play', 'score']
    )
  })

  it('is not a film for being on microfilm, and not heard for having a disc beside it', () => {
    const { works } = evidenceFrom('a', `${mila}\n245 14 $aThe salt road.\n338 ## $amicrofilm reel`)
    assert.equal(works[0]?.kind, 'word')
    const beside = evidenceFrom('b', `${mila}\n245 14 $aThe salt road.\n338 ## $avolume\n338 ## $aaudio disc`)
    assert.deepEqual(beside.works[0]?.expression.forms, ['text'])
  })

  it('asks where only the form or the contents tell two with one title apart', () => {
    const { questions } = clusterShelf({
      novel: `${mila}\n240 10 $aZoutweg$kNovel\n245 14 $aThe salt road.`,
      story: `${mila}\n240 10 $aZoutweg$kShort story\n245 14 $aThe salt road.`
    })
    assert.deepEqual(
      questions.map(each => [each.one, each.other, each.reason.code, each.areJoined]),
      [['novel#0', 'story#0', 'other form', false]]
    )
  })

  it('is a film by its people, as films are made again under the same title', () => {
    const clusters = clusterShelf({
      first:
        'LDR/06 g\n130 0# $aSalt road\n245 14 $aThe salt road.\n700 1# $aOkafor, Ben$4drt\n700 1# $aLind, Eva$4act',
      reissue: 'LDR/06 g\n245 14 $aThe salt road.\n700 1# $aLind, Eva',
      remake: 'LDR/06 g\n130 0# $aSalt road\n245 14 $aThe salt road.\n700 1# $aMoreau, Ada$4drt',
      nobody: 'LDR/06 g\n245 14 $aThe salt road.'
    })
    assert.deepEqual(worksIn(clusters), ['first reissue', 'nobody', 'remake'])
    assert.ok(clusters.questions.some(each => each.one === 'nobody#0' || each.other === 'nobody#0'))
  })

  it('is the same where title and ISBN are, though the title alone would tell too little', () => {
    assertWorks(
      {
        a: `020 ## $a9789028604346\n${mila}\n245 10 $aSelected poems.`,
        b: `020 ## $a90-286-0434-0\n${mila}\n245 10 $aSelected poems.`,
        c: `020 ## $a9789028604346\n${mila}\n245 10 $aSelected letters.`,
        one: '020 ## $a9789028604346\n245 00 $aRiver songs.\n700 1# $aLind, Eva$4edt',
        two: '020 ## $a9789028604346\n245 00 $aRiver songs.'
      },
      ['a b', 'c', 'one two']
    )
  })

  it('needs somebody in common where no author is named, or a title that tells', () => {
    const clusters = clusterShelf({
      a: '245 00 $aRiver songs.\n700 1# $aLind, Eva$4edt',
      b: '245 00 $aRiver songs.\n700 1# $aLind, Eva$4edt',
      c: '245 00 $aRiver songs.\n700 1# $aOkafor, Ben$4edt',
      d: '245 00 $aReport on the state of the northern dunes.',
      e: '245 00 $aReport on the state of the northern dunes.',
      uniform: '130 0# $aTale of the two ferrymen\n245 00 $aThe ferrymen.',
      again: '130 0# $aTale of the two ferrymen\n245 00 $aTwo ferrymen.'
    })
    assert.deepEqual(worksIn(clusters), ['a b', 'again uniform', 'c', 'd e'])
  })
})

describe('A gathering', () => {
  const entry = (title: string) => `700 12 $aVerhoeven, Mila,$d1911-1984.$t${title}.`

  it('holds the works that it has entries for, and is a work itself', () => {
    assertWorks(
      {
        two: `${mila}\n245 10 $aCoast stories.\n${entry('Salt road')}\n${entry('Ferry house')}`,
        one: `${mila}\n245 14 $aThe ferry house.`
      },
      ['one two#2', 'two', 'two#1']
    )
  })

  it('is not the work that it is called after', () => {
    assertWorks(
      {
        stories: `${mila}\n245 14 $aThe ferry house.\n${entry('Salt road')}\n${entry('Ferry house')}`,
        others: `${mila}\n240 10 $aFerry house, and other stories\n245 14 $aThe ferry house.\n${entry('Salt road')}\n${entry('Ferry house')}`,
        one: `${mila}\n245 14 $aThe ferry house.`
      },
      ['one others#2 stories#2', 'others', 'others#1 stories#1', 'stories']
    )
    // Nor if the uniform title of the aggregate is that of the story.
    assertWorks(
      {
        stories: `${mila}\n240 10 $aFerry house$kCollection\n245 14 $aThe ferry house.\n${entry('Salt road')}\n${entry('Ferry house')}`,
        one: `${mila}\n245 14 $aThe ferry house.`
      },
      ['one stories#2', 'stories', 'stories#1']
    )
  })

  it('of works by several people is by none of them, and not by who introduces it', () => {
    const lines = (who: string) =>
      `245 00 $aFour coast novels.$cWith an introd. by ${who}.\n700 1# $a${who.split(' ').reverse().join(', ')}\n${entry('Salt road')}\n700 12 $aOkafor, Ben.$tHarbour.`
    assertWorks({ a: lines('Eva Lind'), b: lines('Ada Moreau') }, ['a b', 'a#1 b#1', 'a#2 b#2'])
    assert.deepEqual(evidenceFrom('a', lines('Eva Lind')).works[0]?.creators, [])
  })

  it('is told from another with the same title by what is in it', () => {
    assertWorks(
      {
        a: `${mila}\n240 10 $aOmnibus\n245 10 $aOmnibus.\n${entry('Salt road')}\n${entry('Ferry house')}`,
        b: `${mila}\n240 10 $aOmnibus\n245 10 $aOmnibus.\n${entry('Dunes')}\n${entry('Harbour')}`,
        c: `${mila}\n240 10 $aOmnibus\n245 10 $aOmnibus.\n${entry('Ferry house')}\n${entry('Salt road')}`
      },
      ['a c', 'a#1 c#2', 'a#2 c#1', 'b', 'b#1', 'b#2']
    )
  })

  it('in translation is that of the original, though its note of contents has other titles', () => {
    assertWorks(
      {
        original: `${mila}\n240 10 $aCoast stories$kCollection\n245 10 $aCoast stories.\n${entry('Salt road')}\n${entry('Ferry house')}`,
        translation: [
          `041 1# $anob$heng\n${mila}\n240 10 $aCoast stories$kCollection\n245 10 $aKystfortellinger.\n505 0# $aSaltveien -- Fergehuset.`,
          'nob'
        ]
      },
      ['original translation', 'original#1', 'original#2', 'translation#1', 'translation#2']
    )
  })

  it('says its works again in a note of contents, from which names are learned', () => {
    assertWorks(
      {
        set: [
          `${mila}\n245 10 $aKystfortellinger.\n505 0# $aSaltveien -- Ferry house.\n${entry('Salt road')}\n${entry('Ferry house')}`,
          'nob'
        ],
        bare: [`${mila}\n245 10 $aSaltveien.`, 'nob']
      },
      ['bare set#1', 'set', 'set#2']
    )
  })

  it('has no work twice where added titles repeat its entries in translation', () => {
    const volume = `${mila}\n245 10 $aTo bøker.\n${entry('Salt road')}\n${entry('Ferry house')}`
    const titles = '740 02 $aSaltveien.\n740 02 $aFergehuset.'
    assertWorks({ a: `${volume}\n${titles}` }, ['a', 'a#1', 'a#2'])
    assertWorks({ a: `${volume}\n${titles}\n740 02 $aTidevann.` }, ['a', 'a#1', 'a#2', 'a#3', 'a#4', 'a#5'])
  })

  it('learns no name from lists of other lengths, or from another place in them', () => {
    const bare = [`${mila}\n245 10 $aSaltveien.`, 'nob'] as const
    const set = (contents: string) =>
      [
        `${mila}\n245 10 $aKystfortellinger.\n505 0# $a${contents}.\n${entry('Salt road')}\n${entry('Ferry house')}`,
        'nob'
      ] as const
    const apart = ['bare', 'set', 'set#1', 'set#2']
    assertWorks({ set: set('Ferry house -- Saltveien'), bare }, apart)
    assertWorks({ set: set('Ferry house -- Saltveien -- Ferry house II'), bare }, apart)
  })

  it('holds the works of a note of contents where it calls itself a gathering and has no entries', () => {
    assertWorks(
      {
        set: `${mila}\n240 10 $aShort stories.$kSelections\n245 10 $aDusk.\n505 0# $aIntroduction -- The salt road -- The ferry house.`,
        one: `${mila}\n245 14 $aThe ferry house.`
      },
      ['one set#2', 'set', 'set#1']
    )
  })

  it('says which of the works that the record was described with each mention is', () => {
    const lines = `${mila}\n245 10 $aDusk.\n505 0# $aDawn -- Noon.\n740 02 $aDusk.\n${entry('Salt road')}`
    const { works } = evidenceFrom('a', lines)
    const description = describeRecord(marcFrom('a', lines))
    assert.deepEqual(
      works.map(each => description.works[each.described]?.keys.titles[0]?.text),
      ['Dusk', 'Salt road']
    )
  })

  it('of chapters is one work', () => {
    const { works } = evidenceFrom('a', `${mila}\n245 10 $aDusk.\n505 0# $aThe first day -- The second day.`)
    assert.equal(works.length, 1)
  })

  const joined = (shelf: Shelf, one: string, other: string) => {
    const { works, questions } = clusterShelf(shelf)
    const work = works.find(each => each.members.some(({ mention }) => mention === one))
    return [work?.members.some(({ mention }) => mention === other) ?? false, questions.map(each => each.reason.code)]
  }

  it('names a story by its title in another gathering of the same stories, spelt otherwise', () => {
    const list = (...titles: string[]) =>
      titles.map(each => `700 12 $aVerhoeven, Mila,$d1911-1984.$t${each}`).join('\n')
    const same = ['Chronicle', 'The drowned cage', 'Sand and sound', 'End of the eel']
    const few = `${mila}\n245 10 $aDusk.\n${list(...same.slice(0, 3), 'The watch-tower')}`
    const all = `${mila}\n245 10 $aEverything.\n${list(...same, 'The watch-towers')}`
    assert.deepEqual(joined({ few, all }, 'few#4', 'all#5'), [true, []])
    const both = `${mila}\n245 10 $aEverything.\n${list(...same, 'The watch-tower', 'The watch-towers')}`
    assert.deepEqual(joined({ few, all: both }, 'few#4', 'all#6'), [false, ['spelling']])
    const other = `${mila}\n245 10 $aEverything.\n${list(...same.slice(1), 'The watch-towers')}`
    assert.deepEqual(joined({ few, all: other }, 'few#4', 'all#4'), [false, ['spelling']])
  })

  it('names a story under a long title, which a record of its own need not call a story', () => {
    const within = (title: string) =>
      `${mila}\n245 10 $aDusk.\n700 12 $aVerhoeven, Mila,$d1911-1984.$kShort story.$t${title}\n700 12 $aVerhoeven, Mila,$d1911-1984.$tDawn`
    const alone = (title: string) => `${mila}\n245 10 $a${title}.`
    const long = 'Why I never sold the salt road'
    assert.deepEqual(joined({ all: within(long), one: alone(long) }, 'all#1', 'one#0'), [true, []])
    const short = 'The salt road'
    assert.deepEqual(joined({ all: within(short), one: alone(short) }, 'all#1', 'one#0'), [
      true,
      ['title is uniform title']
    ])
  })

  it('names a work without the words that say what it is', () => {
    const set = `${mila}\n245 14 $aThe tides.\n700 12 $aVerhoeven, Mila,$d1911-1984.$tLow tide\n700 12 $aVerhoeven, Mila,$d1911-1984.$tHigh tide`
    const one: Shelf[string] = [
      `${mila}\n245 10 $aTidevann.\n246 1# $iOriginaltittel:$aLow tide : being the first part of The tides`,
      'nob'
    ]
    assert.deepEqual(joined({ set, one }, 'set#1', 'one#0'), [true, []])
  })

  it('under a name for gatherings alone is not the next one under that name', () => {
    assertWorks(
      {
        a: `${mila}\n240 10 $aPoems.$kSelections\n245 10 $aDusk.`,
        b: `${mila}\n240 10 $aPoems.$kSelections\n245 10 $aDawn.`,
        c: `${mila}\n245 10 $aSelected poems.`,
        d: `${mila}\n245 10 $aSelected poems.`
      },
      ['a', 'b', 'c', 'd']
    )
  })
})

describe('An expression', () => {
  const dutch = `${mila}\n240 10 $aDe zoutweg\n245 13 $aDe zoutweg`
  const english = (more: string) =>
    `041 1# $aeng$hdut\n${mila}\n240 10 $aDe zoutweg.$lEnglish\n245 14 $aThe salt road\n${more}`

  it('is told from others of the work by language and translator', () => {
    assertExpressions(
      {
        a: [dutch, 'dut'],
        b: [dutch, 'dut'],
        lind: english('700 1# $aLind, Eva$4trl'),
        initial: english('700 1# $aLind, E.,$etranslator'),
        okafor: english('700 1# $aOkafor, Ben$4trl')
      },
      ['a b', 'initial lind', 'okafor']
    )
  })

  it('is told by a translator who is named in the statement of responsibility only', () => {
    const stated = (words: string) => english('').replace('The salt road', `The salt road /$cMila Verhoeven ; ${words}`)
    assertExpressions(
      {
        entered: english('700 1# $aLind, Eva$4trl'),
        lind: stated('translated from the Dutch by Eva Lind.'),
        okafor: stated('[transl. by B. Okafor]'),
        again: stated('translated by Ben Okafor and Ada Moreau')
      },
      ['again okafor', 'entered lind']
    )
  })

  it('without a translator is the only translation there is; of several it is asked which', () => {
    const one = clusterShelf({ lind: english('700 1# $aLind, Eva$4trl'), unsaid: english('') })
    assert.deepEqual(expressionsIn(one), ['lind unsaid'])
    assert.deepEqual(
      one.questions.map(each => [each.level, each.areJoined]),
      [['expression', true]]
    )
    const two = clusterShelf({
      lind: english('700 1# $aLind, Eva$4trl'),
      okafor: english('700 1# $aOkafor, Ben$4trl'),
      unsaid: english('')
    })
    assert.deepEqual(expressionsIn(two), ['lind', 'okafor', 'unsaid'])
    assert.equal(two.questions.length, 2)
  })

  it('that is heard is another than the one that is read, and so is another reader', () => {
    assertExpressions(
      {
        text: [dutch, 'dut'],
        lind: [`LDR/06 i\n${dutch}\n700 1# $aLind, Eva$4nrt`, 'dut'],
        again: [`LDR/06 i\n${dutch}\n700 1# $aLind, Eva$enarrator`, 'dut'],
        okafor: [`LDR/06 i\n${dutch}\n700 1# $aOkafor, Ben$4nrt`, 'dut']
      },
      ['again lind', 'okafor', 'text']
    )
  })

  it('with pictures is the text; abridged, retold or adapted it is not', () => {
    assertExpressions(
      {
        text: [dutch, 'dut'],
        pictures: [`${dutch}\n336 ## $atext\n336 ## $astill image\n700 1# $aLind, Eva$4ill`, 'dut'],
        abridged: [`${dutch}\n250 ## $aAbridged ed.`, 'dut'],
        unabridged: [`${dutch}\n250 ## $aUnabridged ed.`, 'dut'],
        adapted: [`${dutch}\n700 1# $aLind, Eva$4adp`, 'dut']
      },
      ['abridged', 'adapted', 'pictures text unabridged']
    )
  })
})

describe('What a person answered', () => {
  const shelf: Shelf = {
    a: `${mila}\n245 14 $aThe salt road.`,
    b: `${mila}\n245 14 $aThe salt road.`,
    c: `100 1# $aOkafor, Ben.\n245 10 $aAnother thing.`,
    d: `${mila}\n245 14 $aThe salt road.`
  }

  it('joins two works that nothing else joins', () => {
    const answer = { level: 'work', one: 'c#0', other: 'a#0', verdict: 'same' } as const
    const clusters = clusterShelf(shelf, [answer])
    assert.deepEqual(worksIn(clusters), ['a b c d'])
    assert.equal(clusters.works[0]?.members[2]?.link?.reason.code, 'reviewed')
  })

  it('keeps two apart that everything else joins, by whichever way round', () => {
    const answer = { level: 'work', one: 'a#0', other: 'b#0', verdict: 'different' } as const
    assert.deepEqual(worksIn(clusterShelf(shelf, [answer])), ['a d', 'b', 'c'])
  })

  it('keeps two expressions of one work apart, and joins two', () => {
    const apart = { level: 'expression', one: 'a#0', other: 'b#0', verdict: 'different' } as const
    assert.deepEqual(worksIn(clusterShelf(shelf, [apart])), ['a b d', 'c'])
    assert.deepEqual(expressionsIn(clusterShelf(shelf, [apart])), ['a d', 'b', 'c'])
    const same = { level: 'expression', one: 'a#0', other: 'c#0', verdict: 'same' } as const
    assert.deepEqual(expressionsIn(clusterShelf(shelf, [same])), ['a b c d'])
  })

  it('is not asked again', () => {
    const doubtful: Shelf = { a: `${mila}\n245 10 $aFerry house.`, b: `${mila}\n245 10 $aFerry houses.` }
    const [question] = clusterShelf(doubtful).questions
    assert.ok(question)
    const { level, one, other } = question
    for (const verdict of ['same', 'different'] as const)
      assert.deepEqual(clusterShelf(doubtful, [{ level, one: other, other: one, verdict }]).questions, [])
  })
})

describe('The name of a work', () => {
  const cluster = (...mentions: string[]) => ({ members: mentions.map(mention => ({ mention })) })

  it('stays when records join it, and is made for a new one', () => {
    const before = new Map([['a', 'W1']])
    assert.deepEqual(retainIdentifiers([cluster('a', 'b'), cluster('c')], before), {
      names: ['W1', undefined],
      dropped: []
    })
  })

  it('is that of the larger when two become one; the other says where it went', () => {
    const before = new Map(Object.entries({ a: 'W1', b: 'W2', c: 'W2' }))
    assert.deepEqual(retainIdentifiers([cluster('a', 'b', 'c')], before), {
      names: ['W2'],
      dropped: [{ name: 'W1', into: 0 }]
    })
  })

  it('goes to one only when a work comes apart', () => {
    const before = new Map(Object.entries({ a: 'W1', b: 'W1', c: 'W1' }))
    assert.deepEqual(retainIdentifiers([cluster('c'), cluster('a', 'b')], before), {
      names: [undefined, 'W1'],
      dropped: []
    })
  })
})
