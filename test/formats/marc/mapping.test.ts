import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { composeRecord } from '#formats/marc/compose-record.ts'
import { describeRecord, type MarcDescription } from '#formats/marc/mapping/describe-record.ts'
import type { Draft } from '#formats/description/description.ts'
import { mappingTables } from '#formats/marc/mapping/reader.ts'
import { roles } from '#formats/description/roles.ts'
import { readMrk, writeMrk } from '#formats/marc/mrk.ts'
import { dialects } from '#formats/marc/record.ts'
import { publicationFrom } from '../../support/records/publications.ts'
import { all, recordOf } from './marc-files.ts'

/** Describes a record that is written in lines. */
async function describeLines(lines: string, leader = '00000nam a2200000 a 4500'): Promise<MarcDescription> {
  const [reading] = await all(
    readMrk([Buffer.from(`=LDR  ${leader.replaceAll(' ', '\\')}\n=001  x1\n${lines.trim()}\n`)])
  )
  const record = recordOf(reading)
  assert.ok(record)
  return describeRecord(record)
}

/** The values of a metadata key. */
const values = (draft: Draft | undefined, key: string) =>
  draft?.metadata.filter(each => each.key === key).map(each => each.value)
/** The target of a relation: name, role, and the field that it comes from. */
const related = (draft: Draft | undefined, relation: string) =>
  draft?.relations
    .filter(each => each.relation === relation)
    .map(({ target, role, from }) =>
      [target.type, target.metadata[0]?.value, ...(role ? [role.code] : []), `${from.tag}$${from.part}`].join(' ')
    )

describe('A MARC 21 record', () => {
  it('gives a reading level by 521 with first indicator 0, and an audience by others', async () => {
    const { works } = await describeLines(`
=245  00$aStorm
=521  0\\$a3.1.
=521  0\\$aAVI M4
=521  \\\\$aYoung readers
=521  1\\$a008-012`)
    assert.deepEqual(values(works[0], 'reading_level'), ['3.1', 'AVI M4'])
    assert.deepEqual(related(works[0], 'refTargetAudiences'), [
      'target_audience Young readers 521$a',
      'target_audience 008-012 521$a'
    ])
  })

  it('gives the manifestation its own data, each with the field it came from', async () => {
    const { manifestation } = await describeLines(`
=020  \\\\$a90-286-0434-9 (pbk.) :$c€ 20
=020  \\\\$z9789028604346
=022  \\\\$a1234-5679
=024  3\\$a5412345678908
=245  14$aDe kleine stad.$n2,$pDe zee :$been roman /$cAn Janssens ; vertaald door Jan Peeters.
=250  \\\\$a2e dr.
=264  \\1$aGent :$bUitgeverij Zee,$c[2001]
=264  \\4$c©1999
=300  \\\\$a125 p. :$bill. ;$c21 cm.
=338  \\\\$avolume$bnc$2rdacarrier
=490  1\\$aReeks ;$v3`)
    assert.equal(manifestation.type, 'manifestation_word')
    assert.deepEqual(values(manifestation, 'title'), ['De kleine stad. 2. De zee'])
    assert.deepEqual(values(manifestation, 'subtitle'), ['een roman'])
    assert.deepEqual(values(manifestation, 'responsibility'), ['An Janssens ; vertaald door Jan Peeters'])
    assert.deepEqual(values(manifestation, 'isbn'), ['90-286-0434-9'])
    assert.deepEqual(values(manifestation, 'issn'), ['1234-5679'])
    assert.deepEqual(values(manifestation, 'ean'), ['5412345678908'])
    assert.deepEqual(values(manifestation, 'edition'), ['2e dr.'])
    assert.deepEqual(values(manifestation, 'year_of_publication'), ['2001'])
    assert.deepEqual(values(manifestation, 'extent'), ['125 p. : ill. ; 21 cm.'])
    assert.deepEqual(values(manifestation, 'material_type'), ['volume'])
    assert.deepEqual(values(manifestation, 'series_statement'), ['Reeks ; 3'])
    assert.deepEqual(related(manifestation, 'refPublishers'), ['publisher Uitgeverij Zee 264$b'])
    assert.deepEqual(related(manifestation, 'refPlaces'), ['place Gent 264$a'])
    assert.deepEqual(manifestation.metadata.find(each => each.key === 'isbn')?.from, {
      tag: '020',
      part: 'a',
      index: 1
    })
  })

  it('puts each role where it belongs: authors to the work, translators to the expression, publishers to the manifestation', async () => {
    const { works, expressions, manifestation } = await describeLines(`
=100  1\\$aWit, An de,$d1948-2001,$eauthor.$0http://viaf.org/viaf/1
=245  10$aTitel /$cAn de Wit ; met een voorwoord van Els Baas
=700  1\\$aPeeters, Jan,$etranslator.
=700  1\\$aMaes, Lien,$4ill$4trl
=700  1\\$aBaas, Els.
=700  1\\$aZomer, Tom,$eзвукорежиссер
=710  2\\$aUitgeverij Zee.$bAfdeling Kust,$epublisher.`)
    assert.deepEqual(related(works[0], 'refAuthors'), ['person Wit, An de aut 100$abc'])
    const author = works[0]?.relations[0]?.target
    assert.deepEqual(author?.metadata, [
      { key: 'name', value: 'Wit, An de' },
      { key: 'life_dates', value: '1948-2001' }
    ])
    assert.deepEqual(
      [author?.key, author?.birthYear, author?.identifiers],
      ['wit an de', '1948', ['http://viaf.org/viaf/1']]
    )
    assert.deepEqual(related(expressions[0], 'refAuthors'), [
      'person Peeters, Jan trl 700$abc',
      'person Maes, Lien ill 700$abc',
      'person Maes, Lien trl 700$abc',
      'person Baas, Els aui 700$abc',
      'person Zomer, Tom oth 700$abc'
    ])
    assert.deepEqual(related(manifestation, 'refAuthors'), ['corporation Uitgeverij Zee. Afdeling Kust pbl 710$ab'])
    assert.deepEqual(related(works[0], 'refCodeWordings'), ['code_wording aut 100$abc'])
    assert.equal(expressions[0]?.keys.isTranslation, true)
  })

  it('reads a role that the field does not say from the statement of responsibility', async () => {
    const role = async (statement: string) => {
      const { works, expressions } = await describeLines(`=245  10$aTitel /$c${statement}\n=700  1\\$aPeeters, Jan.`)
      return [works[0], expressions[0]].flatMap(each => each?.relations.flatMap(({ role }) => role?.code ?? []) ?? [])
    }
    assert.deepEqual(await role('An de Wit ; translated from the Dutch by Jan Peeters'), ['trl'])
    assert.deepEqual(await role('An de Wit ; vertaald door Jan Peeters'), ['trl'])
    assert.deepEqual(await role('An de Wit ; ill. van Jan Peeters'), ['ill'])
    assert.deepEqual(await role('edited by Jan Peeters'), ['edt'])
    assert.deepEqual(await role('An de Wit and Jan Peeters'), ['aut'])
    assert.deepEqual(await role('An de Wit'), ['ctb'])
  })

  it('gives languages to the text, and that of the original to the work', async () => {
    const translated = await describeLines(
      '=008  970513s1997\\\\\\\\be\\a\\\\\\\\\\b\\\\\\\\000\\0\\eng\\\\\n=041  1\\$adut$hfre\n=245  10$aDe pest'
    )
    assert.deepEqual(translated.expressions[0]?.keys.languages, ['nld'])
    assert.deepEqual(translated.works[0]?.keys.originalLanguages, ['fra'])
    assert.deepEqual(related(translated.expressions[0], 'refLanguages'), ['language Dutch 041$a'])
    assert.deepEqual(related(translated.works[0], 'refLanguages'), ['language French 041$h'])
    const original = await describeLines(
      '=008  970513s1997\\\\\\\\be\\a\\\\\\\\\\b\\\\\\\\000\\0\\eng\\\\\n=245  10$aThe sea'
    )
    assert.deepEqual(
      [original.expressions[0]?.keys.languages, original.works[0]?.keys.originalLanguages],
      [['eng'], ['eng']]
    )
    const old = await describeLines('=041  1\\$aengfreger\n=245  10$aX')
    assert.deepEqual(old.expressions[0]?.keys.languages, ['eng', 'fra', 'deu'])
  })

  it('gives the work its titles, the surest first', async () => {
    const titles = async (lines: string) =>
      (await describeLines(lines)).works[0]?.keys.titles.map(({ kind, key }) => `${kind}: ${key}`)
    assert.deepEqual(
      await titles(
        "=100  1\\$aCamus\n=240  12$aL'étranger.$lEnglish\n=245  14$aThe outsider /$cA. Camus\n=246  3\\$aStranger"
      ),
      ['uniform: etranger', 'proper: outsider', 'variant: stranger']
    )
    assert.deepEqual(await titles('=130  0\\$aBeowulf.\n=245  10$aBeowulf : a new translation'), [
      'uniform: beowulf',
      'proper: beowulf a new translation'
    ])
    assert.deepEqual(
      await titles('=245  10$aDe pest\n=500  \\\\$aVertaling van: La peste. - Parijs : Gallimard, 1947')?.then(
        each => each?.[0]
      ),
      'original in a note: peste'
    )
    assert.deepEqual(await titles('=245  14$aThe plague\n=500  \\\\$aTranslation of: La peste.'), [
      'original in a note: peste',
      'proper: plague'
    ])
    assert.deepEqual(await titles('=245  10$aDe pest\n=765  0\\$aCamus, Albert.$tPeste'), [
      'original: peste',
      'proper: de pest'
    ])
    assert.deepEqual(await titles('=245  10$aDe pest\n=246  1\\$iOriginal title:$aPeste'), [
      'original in a note: peste',
      'proper: de pest'
    ])
    assert.deepEqual(await titles('=245  10$aVojna\n=880  10$6245-01$aВойна'), ['proper: vojna', 'variant: воина'])
  })

  it('reads the title of the original after the words of many languages, and no other words for one', async () => {
    const notes: readonly (readonly [note: string, ...titles: string[]])[] = [
      ['Originaltitler: Saltvägen', 'Saltvägen'],
      ['Titre original : La route du sel (1961).', 'La route du sel'],
      ['Tytuł oryginału: Solná stezka (Die Salzstraße)', 'Solná stezka', 'Die Salzstraße'],
      ['Eredeti cím: Dom zimy, 1936', 'Dom zimy'],
      ['Заглавие оригинала: Дом зимы', 'Дом зимы'],
      ['Τίτλος πρωτοτύπου: The salt road. Includes index.', 'The salt road'],
      ['原タイトル: 鹽之路', '鹽之路'],
      ['العنوان الأصلي: طريق الملح', 'طريق الملح'],
      ['Translation of: der Winter', 'der Winter'],
      ['Translation of his memoirs.'],
      ["Translation of: v. 1 of the author's trilogy."],
      ["Translation of the author's thesis."],
      ['Translated from the original German.'],
      ['Traduit de l’anglais.']
    ]
    for (const [note, ...expected] of notes) {
      const { works } = await describeLines(`=245  10$aX\n=500  \\\\$a${note}`)
      const found = works[0]?.keys.titles.filter(each => each.kind === 'original in a note').map(each => each.text)
      assert.deepEqual(found, expected, note)
    }
  })

  it('is by the first of two headings in one field', async () => {
    const { works } = await describeLines('=100  1\\$aBrandt, Kaja,$d1911-$aHolm, Eva\n=245  10$aX')
    assert.deepEqual(works[0]?.keys.creators[0]?.key, 'brandt kaja')
  })

  it('keeps the original title of a translation', async () => {
    const { works } = await describeLines('=041  1\\$aeng$hfre\n=240  10$aÉtranger.$lEnglish\n=245  14$aThe outsider')
    assert.deepEqual(values(works[0], 'original_title'), ['Étranger'])
    assert.deepEqual(values(works[0], 'title'), ['Étranger'])
    assert.deepEqual(related(works[0], 'refUniformTitles'), ['title Étranger 240$a'])
  })

  it('gives the work its subjects, places, times, genres, audience and classes', async () => {
    const { works } = await describeLines(`
=008  970513s1997\\\\\\\\be\\a\\\\\\j\\b\\\\\\\\000\\f\\dut\\\\
=084  \\\\$a382.1$2siso
=084  \\\\$aXX$2zizo
=245  10$aTitel
=600  10$aHugo, Victor,$d1802-1885$xInfluence.
=648  \\7$a1900-1999
=650  \\0$aWhaling$xHistory$zMassachusetts$y19th century$vFiction.
=651  \\0$aGent.
=653  \\\\$aeen$atwee
=655  \\7$aSea stories.$2lcgft$0http://id.loc.gov/x`)
    const [work] = works
    assert.deepEqual(related(work, 'refSubjects'), [
      'person Hugo, Victor 600$abc',
      'subject Hugo, Victor, 1802-1885 -- Influence 600$adx',
      'subject Whaling -- History 650$ax',
      'subject een 653$a',
      'subject twee 653$a'
    ])
    assert.deepEqual(related(work, 'refPlaces'), ['place Gent 651$a', 'place Massachusetts 650$z'])
    assert.deepEqual(related(work, 'refTimes'), ['time 1900-1999 648$a', 'time 19th century 650$y'])
    assert.deepEqual(related(work, 'refGenres'), ['genre Sea stories 655$a', 'genre Fiction 650$v'])
    assert.deepEqual(related(work, 'refTargetAudiences'), ['target_audience Juvenile 008$22'])
    assert.deepEqual(related(work, 'refSisos'), ['siso 382.1 084$a'])
    assert.deepEqual(related(work, 'refZizos'), ['zizo XX 084$a'])
    assert.deepEqual(values(work, 'literary_type'), ['novels'])
    const genre = work?.relations.find(each => each.relation === 'refGenres')?.target
    assert.deepEqual([genre?.scheme, genre?.identifiers], ['lcgft', ['http://id.loc.gov/x']])
  })

  it('has people, corporations, meetings and works as subjects', async () => {
    const { works } = await describeLines(`
=245  10$aTitel
=600  10$aHugo, Victor,$d1802-1885.$0http://viaf.org/viaf/1
=600  10$aHugo, Victor,$d1802-1885$xInfluence.$0http://id.loc.gov/authorities/subjects/sh1
=600  10$aVondel, Joost van den,$d1587-1679.$tLucifer.$0http://viaf.org/viaf/2
=600  10$aPerk, Jacques,$d1859-1881$tCorrespondence.
=610  20$aNTGent.
=611  20$aCongres$n(2nd :$d1950 :$cGent)
=630  00$aBeowulf.`)
    const [work] = works
    assert.deepEqual(related(work, 'refSubjects'), [
      'person Hugo, Victor 600$abc',
      'person Vondel, Joost van den 600$abc',
      'person Perk, Jacques 600$abc',
      'corporation NTGent 610$ab',
      'corporation Congres (2nd : 1950 : Gent) 611$anqdce',
      'title Lucifer 600$t',
      'subject Perk, Jacques, 1859-1881 Correspondence 600$adt',
      'title Beowulf 630$a',
      'subject Hugo, Victor, 1802-1885 -- Influence 600$adx'
    ])
    const targets = (work?.relations ?? []).map(({ target }) => target)
    const numbersOf = (name: string) => targets.find(({ metadata }) => metadata[0]?.value === name)?.identifiers
    assert.deepEqual(numbersOf('Hugo, Victor'), ['http://viaf.org/viaf/1'])
    // The number of a longer heading is not that of the person in it.
    assert.deepEqual(numbersOf('Vondel, Joost van den'), [])
    assert.deepEqual(numbersOf('Lucifer'), ['http://viaf.org/viaf/2'])
    const { works: french } = await describeLines(
      `
=200  1\\$aTitre
=600  \\1$aHugo$bVictor$f1802-1885$jBiographies
=601  02$aComédie-Française$xHistoire
=602  \\\\$aCorneille (famille)
=604  \\1$aRacine$bJean$f1639-1699$tPhèdre
=605  \\\\$aRoman de Renart`,
      '00000nam0 2200000   450 '
    )
    assert.deepEqual(related(french[0], 'refSubjects'), [
      'person Hugo, Victor 600$abcd',
      'corporation Comédie-Française 601$ab',
      'person Corneille (famille) 602$a',
      'person Racine, Jean 604$abcd',
      'title Phèdre 604$t',
      'title Roman de Renart 605$a',
      'subject Comédie-Française -- Histoire 601$ax'
    ])
  })

  it('has one of the seven materials; words read aloud are a work of words', async () => {
    const kinds = async (type: string, level = 'm', lines = '') => {
      const { manifestation, works, expressions } = await describeLines(
        `=245  10$aX\n${lines}`,
        `00000n${type}${level} a2200000 a 4500`
      )
      return [manifestation.type, works[0]?.type, ...(expressions[0]?.keys.forms ?? [])].join(' ')
    }
    assert.equal(await kinds('a'), 'manifestation_word work_word text')
    assert.equal(await kinds('a', 's'), 'manifestation_serial work_serial text')
    assert.equal(await kinds('c'), 'manifestation_music work_music notated music')
    assert.equal(await kinds('j'), 'manifestation_music work_music performed music')
    assert.equal(await kinds('i'), 'manifestation_music work_word spoken')
    assert.equal(await kinds('e'), 'manifestation_map work_map cartographic')
    assert.equal(await kinds('g'), 'manifestation_footage work_footage moving image')
    assert.equal(await kinds('m'), 'manifestation_computer_file work_computer_file computer')
    assert.equal(await kinds('m', 'm', '=336  \\\\$atext$btxt'), 'manifestation_computer_file work_word text')
    assert.equal(await kinds('p', 'c'), 'manifestation_mixed_material work_mixed_material mixed')
    assert.equal(
      await kinds('a', 'm', '=336  \\\\$btxt\n=336  \\\\$bsti'),
      'manifestation_word work_word text still image'
    )
    const odd = await describeLines('=245  10$aX', '00000n?m a2200000 a 4500')
    assert.deepEqual([odd.manifestation.type, odd.problems[0]?.kind], ['manifestation_word', 'unknown_type'])
  })

  it('names the works within it, each once, and what speaks for them', async () => {
    const { works, expressions, isAggregate, manifestation } = await describeLines(`
=100  1\\$aWit, An de.
=240  10$aNovels.$kSelections
=245  10$aZee ; Zand en wind ; [and] Lucht /$cAn de Wit
=505  0\\$aZee -- Zand en wind -- Het gras / Jan Peeters.
=700  12$aWit, An de.$tZee, or, The water.$lEnglish
=740  02$aLucht.`)
    assert.equal(isAggregate, true)
    assert.deepEqual(values(manifestation, 'is_omnibus'), [true])
    assert.deepEqual(
      works.map(
        each => `${each.evidence}: ${values(each, 'title')?.[0]} (${each.keys.creators.map(({ key }) => key).join()})`
      ),
      [
        'whole record: Novels (wit an de)',
        'analytic entry: Zee, or, The water (wit an de)',
        'analytic entry: Lucht ()',
        'part of the title: Zand en wind (wit an de)',
        'contents note: Het gras (peeters jan)'
      ]
    )
    assert.equal(works[0]?.keys.titles[0]?.isCollective, true)
    assert.deepEqual(
      expressions.map(each => each.work),
      [0, 1, 2, 3, 4]
    )
    assert.deepEqual(expressions[1]?.keys.languages, ['eng'])
  })

  it('names works within it by the words before them, in several languages', async () => {
    const words = [
      'Container of (work):',
      'Contains (expression):',
      'Bevat (werk):',
      'Enthält (Werk):',
      'Contient (œuvre) :'
    ]
    const { works, links, isAggregate } = await describeLines(
      ['=245  00$aVerhalen', ...words.map((each, at) => `=700  1\\$i${each}$aWit, An de.$tVerhaal ${at}.`)].join('\n') +
        '\n=700  1\\$iBased on (work):$aPeeters, Jan.$tZand.\n=730  0\\$iConte adapted as:$aLucht.'
    )
    assert.equal(isAggregate, true)
    assert.deepEqual(
      works.filter(each => each.evidence === 'analytic entry').map(each => values(each, 'title')?.[0]),
      words.map((_, at) => `Verhaal ${at}`)
    )
    assert.deepEqual(
      links.map(({ kind, title }) => `${kind} ${title}`),
      ['based on Zand', 'related Lucht']
    )
  })

  it('does not name itself among the works within it', async () => {
    const { works } = await describeLines(
      '=240  10$aZee en zand\n=245  10$aZee en zand : alles\n=740  02$aZee en zand.'
    )
    assert.equal(works.length, 1)
  })

  it('with chapters in its contents is no gathering of works', async () => {
    const { isAggregate, works } = await describeLines(
      '=245  10$aGeschiedenis\n=505  0\\$aHet begin -- Het midden -- Het einde'
    )
    assert.equal(isAggregate, false)
    assert.deepEqual(
      works.slice(1).map(each => each.evidence),
      ['contents note', 'contents note', 'contents note']
    )
  })

  it('reads contents with subfields for titles and names', async () => {
    const { works } = await describeLines('=245  10$aX\n=505  00$tOne /$rA. B. Cee --$tTwo (3:45) --$tThree.')
    assert.deepEqual(
      works.slice(1).map(each => [values(each, 'title')?.[0], each.keys.creators[0]?.key]),
      [
        ['One', 'cee a b'],
        ['Two', undefined],
        ['Three', undefined]
      ]
    )
  })

  it('reads contents in the ways that catalogues write them', async () => {
    const read = async (note: string) =>
      (await describeLines(`=245  10$aX\n=505  0\\$a${note}`)).works
        .slice(1)
        .map(each => [values(each, 'title')?.[0], each.keys.creators[0]?.key ?? ''].join('|'))
    assert.deepEqual(await read('And so on -- 2. Two -- Introduction / by A. Bee -- Three / Kurt Wit, Jr.'), [
      'And so on|',
      'Two|',
      'Three|wit kurt'
    ])
    assert.deepEqual(await read('One - Two-fold - Three'), ['One|', 'Two-fold|', 'Three|'])
    assert.deepEqual(await read('One ; Two : more'), ['One|', 'Two : more|'])
    assert.deepEqual(await read('One, by A. Wit -- Two / Bee, Anna C.'), ['One|wit a', 'Two|bee anna c'])
  })

  it('names works beside it and other forms of it as links', async () => {
    const { links } = await describeLines(
      '=245  10$aX\n=700  1\\$aWit, An de.$tZee.\n=776  08$iOnline version:$aWit, An de.$tX.$z9789028604346$w(OCoLC)1\n=780  00$tOude X$x1234-5679'
    )
    assert.deepEqual(
      links.map(({ kind, titleKey, author, identifiers }) => [kind, titleKey, author?.key, ...identifiers]),
      [
        ['other form', 'x', 'wit an de', '9789028604346', '(OCoLC)1'],
        ['preceding', 'oude x', undefined, '1234-5679'],
        ['related', 'zee', 'wit an de']
      ]
    )
  })

  it('says what is missing or doubtful', async () => {
    assert.deepEqual(
      (await describeLines('=100  1\\$aWit, An de')).problems.map(each => each.kind),
      ['no_title']
    )
    assert.deepEqual(
      (await describeLines('=020  \\\\$a9.78E+12\n=041  0\\$aqqz\n=245  10$aX')).problems.map(each => each.kind),
      ['bad_isbn', 'unknown_language', 'unknown_language']
    )
    const wrong = await describeLines('=020  \\\\$a9789028604340\n=245  10$aX')
    assert.deepEqual([values(wrong.manifestation, 'isbn'), wrong.problems[0]?.kind], [['9789028604340'], 'bad_isbn'])
  })

  it('takes no year from a date that has none', async () => {
    const year = async (lines: string) =>
      values((await describeLines(`=245  10$aX\n${lines}`)).manifestation, 'year_of_publication')
    assert.deepEqual(await year('=008  970513s19uu\\\\\\\\be'), [])
    assert.deepEqual(await year('=260  \\\\$c[19--?]'), [])
    assert.deepEqual(await year('=260  \\\\$cc1997, 1999 printing'), ['1997'])
    assert.deepEqual(await year('=008  970513s1997\\\\\\\\be'), ['1997'])
  })
})

describe('Words beside numbers, dates and names', () => {
  it('are in the model, and come out where they stood', async () => {
    const lines = `
=008  261114s1997\\\\\\\\xx\\||||||||||||||\\||dut\\d
=020  \\\\$a90-286-0434-9 (pbk.) :
=020  \\\\$z9789025701024$q(e-book)$qPDF
=100  1\\$aLind, E. A.$q(Eva Anna),$d1920-
=245  10$aRhymes
=260  \\\\$aGent :$bZee,$cc1997, 1999 printing$e(Brugge :$fDruk,$g1999)
=264  \\2$aAalst :$bKar
=264  \\4$c©1996
=337  \\\\$aunmediated$bn$2rdamedia
=700  1\\$aMaes, J.$q(Jan)$4trl`
    const description = await describeLines(lines)
    const { manifestation, works, expressions } = description
    const keys = ['isbn_qualifier', 'publication_date', 'copyright_date', 'distribution', 'media_type']
    assert.deepEqual(
      keys.map(key => values(manifestation, key)),
      [
        ['9028604349 (pbk.)', '9789025701024 (e-book ; PDF)'],
        ['c1997, 1999 printing'],
        ['©1996'],
        ['Aalst : Kar', '(Brugge : Druk, 1999)'],
        ['unmediated']
      ]
    )
    assert.deepEqual(values(manifestation, 'year_of_publication'), ['1997'])
    const people = [...(works[0]?.relations ?? []), ...(expressions[0]?.relations ?? [])]
    assert.deepEqual(
      people
        .flatMap(({ target }) => target.metadata.filter(({ key }) => key === 'fuller_name'))
        .map(each => each.value),
      ['Eva Anna', 'Jan']
    )
    const composed = writeMrk(composeRecord(publicationFrom(description)).record)
    for (const line of [
      '=020  \\\\$a9028604349$qpbk.',
      '=020  \\\\$z9789025701024$qe-book$qPDF',
      '=100  1\\$aLind, E. A.$q(Eva Anna),$d1920-',
      '=264  \\1$aGent :$bZee,$cc1997, 1999 printing',
      '=264  \\4$c©1996',
      '=337  \\\\$aunmediated$bn$2rdamedia'
    ])
      assert.ok(composed.includes(line), `${line} in ${composed}`)
  })

  it('say nothing more where the date is a year, and yield to a year that was edited', async () => {
    const described = await describeLines('=245  10$aX\n=264  \\1$c1997.')
    assert.deepEqual(values(described.manifestation, 'publication_date'), [])
    const edited = publicationFrom(await describeLines('=245  10$aX\n=264  \\1$c[1997?]'))
    const { entity } = edited.manifestation
    const metadata = entity.metadata.map(each =>
      each.key === 'year_of_publication' ? { ...each, value: '1998' } : each
    )
    const manifestation = { ...edited.manifestation, entity: { ...entity, metadata } }
    assert.ok(writeMrk(composeRecord({ ...edited, manifestation }).record).includes('=264  \\1$c1998'))
  })
})

describe('Statements that two fields give', () => {
  it('stand once when they say the same, and the longer ISBN stands first', async () => {
    const { manifestation, works } = await describeLines(`
=020  \\\\$a90-286-0434-9
=020  \\\\$a978-90-286-0434-6
=245  00$aZee
=490  1\\$aZeeromans ;$v4
=490  1\\$aKleine reeks
=651  \\0$aFlanders$xHistory$y19th century
=830  \\0$aZeeromans ;$v4.
=830  \\0$aKleine reeks van de kust ;$v12.`)
    assert.deepEqual(values(manifestation, 'isbn'), ['978-90-286-0434-6', '90-286-0434-9'])
    assert.deepEqual(values(manifestation, 'series_statement'), [
      'Zeeromans ; 4',
      'Kleine reeks',
      'Kleine reeks van de kust ; 12.'
    ])
    assert.deepEqual(related(works[0], 'refSubjects'), ['subject Flanders -- History 651$ax'])
    assert.deepEqual(related(works[0], 'refPlaces'), ['place Flanders 651$a'])
    assert.deepEqual(related(works[0], 'refTimes'), ['time 19th century 651$y'])
  })
})

describe('A UNIMARC record', () => {
  const leader = '00000nam  2200000   450 '

  it('of an electronic journal is a serial; one of software is not', async () => {
    const title = '=200  1\\$aRevue de la mer'
    const types = await Promise.all(
      ['00000nls  2200000   450 ', '00000nlm  2200000   450 ', '00000nas  2200000   450 '].map(
        async each => (await describeLines(title, each)).manifestation.type
      )
    )
    assert.deepEqual(types, ['manifestation_serial', 'manifestation_computer_file', 'manifestation_serial'])
  })

  it('contains neither the publication that it supplements nor its host', async () => {
    const titles = '=200  1\\$aMarées$fAn de Wit\n=422  \\0$tLa mer\n=463  \\0$tRevue de la mer$v12'
    const supplement = await describeLines(titles, leader)
    assert.deepEqual(
      supplement.works.slice(1).map(each => values(each, 'title')),
      [['Revue de la mer']]
    )
    assert.deepEqual(
      supplement.links.map(({ kind, title }) => `${kind}: ${title}`),
      ['related: La mer']
    )
    const article = await describeLines(titles, '00000naa  2200000   450 ')
    assert.equal(article.works.length, 1)
    assert.deepEqual(values(article.manifestation, 'host'), ['Revue de la mer ; 12'])
    assert.deepEqual(
      article.links.map(({ kind, title }) => `${kind}: ${title}`),
      ['host: Revue de la mer', 'related: La mer']
    )
  })

  it('keeps the places and publishers of an imprint apart, also in one subfield', async () => {
    const imprint = async (lines: string) => {
      const { manifestation } = await describeLines(`=200  1\\$aMer\n=210  \\\\${lines}`, leader)
      return ['refPlaces', 'refPublishers'].map(relation =>
        manifestation.relations
          .filter(each => each.relation === relation)
          .map(({ target }) => target.metadata[0]?.value)
          .join(' | ')
      )
    }
    assert.deepEqual(await imprint('$aParis$cSeuil$aBruxelles$cCasterman$d1999'), [
      'Paris | Bruxelles',
      'Seuil | Casterman'
    ])
    assert.deepEqual(await imprint('$aLondon, British Museum ; B. Quaritch$a(Oxford, printed by J. Johnson)$d1927'), [
      'London',
      'British Museum | B. Quaritch'
    ])
    assert.deepEqual(await imprint('$a[S.l.]$c[s. n.]$d1927'), ['', ''])
  })

  it('gives classes and numbers of any scheme, and what serials, other forms and copies say', async () => {
    const { manifestation, works } = await describeLines(`
=015  \\\\$a15,N03$2dnb
=024  7\\$a10.1000/182$2doi
=024  1\\$a024543131922
=024  8\\$aX-17
=060  00$aW 22$bDC2.1
=084  \\\\$aHdb.01=c$2kssb/8
=084  \\\\$a86.3$2siso
=084  \\\\$aST 230$aQP 345$2rvk
=086  0\\$aA 1.2:D 84
=245  00$aTides
=310  \\\\$aMonthly,$b2001-
=321  \\\\$aWeekly
=347  \\\\$atext file$bPDF
=362  1\\$aVol. 1 (1999)-
=382  01$aviolin$n2$acello$n1
=561  \\\\$aFrom the library of a duke.
=588  \\\\$aDescription based on: Vol. 3.
=776  08$iPrint version:$tTides in print$z9789025701017`)
    const said = (key: string) => manifestation.metadata.filter(each => each.key === key).map(each => each.value)
    assert.deepEqual(said('classification'), [
      'Hdb.01=c (kssb/8)',
      'ST 230 (rvk)',
      'QP 345 (rvk)',
      'W 22 DC2.1 (nlm)',
      'A 1.2:D 84 (sudocs)'
    ])
    assert.deepEqual(said('other_number'), ['10.1000/182 (doi)', 'X-17', '024543131922 (upc)', '15,N03 (dnb)'])
    assert.deepEqual(said('frequency'), ['Monthly, 2001-', 'Weekly'])
    assert.deepEqual(said('numbering'), ['Vol. 1 (1999)-'])
    assert.deepEqual(said('technical_details'), ['text file PDF'])
    assert.deepEqual(said('provenance'), ['From the library of a duke.'])
    assert.deepEqual(said('note'), ['Description based on: Vol. 3.'])
    assert.deepEqual(said('other_version'), ['Tides in print ; 9789025701017'])
    const medium = works[0]?.metadata.filter(each => each.key === 'medium').map(each => each.value)
    assert.deepEqual(medium, ['violin 2 cello 1'])
  })

  it('gives subdivisions of places, and a title without the marks around its article', async () => {
    const { manifestation, works } = await describeLines(
      '=200  1\\$a<<La >>mer\n=607  \\\\$aFlandre$xHistoire$yGand$z19e siècle$jRomans',
      leader
    )
    assert.deepEqual(values(manifestation, 'title'), ['La mer'])
    assert.deepEqual(related(works[0], 'refSubjects'), ['subject Flandre -- Histoire 607$ax'])
    assert.deepEqual(related(works[0], 'refPlaces'), ['place Flandre 607$a', 'place Gand 607$y'])
    assert.deepEqual(related(works[0], 'refTimes'), ['time 19e siècle 607$z'])
    assert.deepEqual(related(works[0], 'refGenres'), ['genre Romans 607$j'])
  })

  it('gives the same levels from its own fields', async () => {
    const { dialect, manifestation, expressions, works, agency } = await describeLines(
      `
=010  \\\\$a978-2-07-036002-4$bbr.
=073  \\0$a9782070360024
=100  \\\\$a19970701d1972\\\\\\\\e\\\\y0frey50\\\\\\\\\\\\ba
=101  1\\$adut$cfre
=105  \\\\$ay\\\\\\z\\\\\\000ay
=200  1\\$aDe vreemdeling$bTekst$eroman$fAlbert Camus$gvertaald door Adriaan Morriën
=205  \\\\$a3e dr.
=210  \\\\$aAmsterdam$cDe Bezige Bij$d1972
=215  \\\\$a120 p.$d20 cm
=225  2\\$aLiterair$v4
=454  \\1$tL'étranger
=606  \\\\$aAlgerije$xGeschiedenis$yAlgiers$z20e eeuw$jRomans
=608  \\\\$aPsychologische roman
=700  \\1$318$aCamus$bAlbert$f1913-1960$4070
=702  \\1$aMorriën$bAdriaan$4730
=801  \\0$aBE$bKBR`,
      leader
    )
    assert.deepEqual([dialect, agency, manifestation.type], ['unimarc', 'KBR', 'manifestation_word'])
    assert.deepEqual(
      [
        'title',
        'subtitle',
        'responsibility',
        'isbn',
        'ean',
        'year_of_publication',
        'edition',
        'extent',
        'series_statement'
      ].map(key => values(manifestation, key)?.join()),
      [
        'De vreemdeling',
        'roman',
        'Albert Camus ; vertaald door Adriaan Morriën',
        '978-2-07-036002-4',
        '9782070360024',
        '1972',
        '3e dr.',
        '120 p. ; 20 cm',
        'Literair ; 4'
      ]
    )
    assert.deepEqual(related(manifestation, 'refPublishers'), ['publisher De Bezige Bij 210$c'])
    assert.deepEqual(related(works[0], 'refAuthors'), ['person Camus, Albert aut 700$abcd'])
    assert.deepEqual(works[0]?.relations[0]?.target.identifiers, ['(KBR)18'])
    assert.deepEqual(related(expressions[0], 'refAuthors'), ['person Morriën, Adriaan trl 702$abcd'])
    assert.deepEqual([expressions[0]?.keys.languages, works[0]?.keys.originalLanguages], [['nld'], ['fra']])
    assert.deepEqual(
      works[0]?.keys.titles.map(({ kind, key }) => `${kind}: ${key}`),
      ['original: etranger', 'proper: vreemdeling']
    )
    assert.deepEqual(values(works[0], 'original_title'), ["L'étranger"])
    assert.deepEqual(related(works[0], 'refSubjects'), ['subject Algerije -- Geschiedenis 606$ax'])
    assert.deepEqual(related(works[0], 'refPlaces'), ['place Algiers 606$y'])
    assert.deepEqual(related(works[0], 'refTimes'), ['time 20e eeuw 606$z'])
    assert.deepEqual(related(works[0], 'refGenres'), ['genre Psychologische roman 608$a', 'genre Romans 606$j'])
    assert.deepEqual(related(works[0], 'refTargetAudiences'), ['target_audience Adolescent 100$17'])
  })

  it('gives notes, classes, numbers and links', async () => {
    const { manifestation } = await describeLines(
      `
=010  \\\\$z2-07-036002-4 (br.)
=011  \\\\$a0035-2969$y0035-2968
=071  01$a4195$bZee
=127  \\\\$a013000
=200  1\\$aLa mer
=300  \\\\$aBound upside down
=310  \\\\$aOn request
=323  \\\\$aOrchestre du port
=327  1\\$aMarée$aVent
=328  \\\\$bThèse de doctorat$cLettres$eGand$d1999
=330  \\\\$aA town by the sea
=675  \\\\$a840
=676  \\\\$a843/.914
=680  \\\\$aPQ2605$b.A3734
=856  4\\$uhttps://example.org/mer$zTexte intégral`,
      leader
    )
    const said = Object.fromEntries(manifestation.metadata.map(({ key, value }) => [key, value]))
    assert.deepEqual(said, {
      title: 'La mer',
      issn: '0035-2969',
      summary: 'A town by the sea',
      contents: 'Marée ; Vent',
      note: 'Bound upside down',
      performers: 'Orchestre du port',
      thesis: 'Thèse de doctorat ; Lettres ; Gand ; 1999',
      duration: '90',
      link: 'https://example.org/mer Texte intégral',
      access: 'On request',
      dewey: '843.914',
      lcc: 'PQ2605 .A3734',
      udc: '840',
      publisher_number: '4195 ; Zee',
      cancelled_isbn: '9782070360024',
      cancelled_issn: '0035-2968'
    })
  })

  it('names several works in its title', async () => {
    const { works, isAggregate } = await describeLines(
      '=200  1\\$aZee$aZand$cGras$fAn de Wit\n=700  \\1$aWit$bAn de$4070',
      leader
    )
    assert.equal(isAggregate, true)
    assert.deepEqual(
      works.slice(1).map(each => each.keys.titles[0]?.key),
      ['zee', 'zand', 'gras']
    )
  })
})

describe('The mapping tables', () => {
  const typesOf = (level: string) => builtInRecordTypes.find(each => each.umbrella === level)

  for (const dialect of dialects) {
    it(`of ${dialect} give only keys, relations and targets that the record types have`, () => {
      const { metadata, relations } = mappingTables[dialect]
      for (const { level, gives } of metadata) assert.ok(typesOf(level)?.fields[gives], `${level} ${gives}`)
      for (const { level, relation, to } of relations)
        for (const each of level === 'by role' ? ['work', 'expression', 'manifestation'] : [level])
          assert.ok(typesOf(each)?.relations[relation]?.to.includes(to), `${each} ${relation} → ${to}`)
    })

    it(`of ${dialect} give as many values of a field as the record types let it have`, () => {
      const rows = mappingTables[dialect].metadata.filter(
        ({ as, from, otherwise }) => as !== 'code' && !/^\d/.test(from) && !otherwise
      )
      const wrong = rows.filter(({ tags: [tag = ''], from, when, level, gives, as }) => {
        const value = (place: number) =>
          as === 'isbn with qualifier'
            ? `978902536388${place} (pbk.)`
            : as === 'minutes'
              ? `0${place}0000`
              : as === 'parallel title'
                ? `= T${place}`
                : `978902536388${place === 1 ? 8 : 9}`
        const texts = [1, 2].map(place =>
          as === 'year' ? `190${place}` : as === 'link' ? `http://x.be/${place}` : value(place)
        )
        const indicators = [1, 2].map(place => (when?.indicator?.place === place ? when.indicator.is[0] : ' ')).join('')
        const title = dialect === 'marc21' ? '245' : '200'
        const record = {
          leader: `00000na${when?.leaderLevel ?? 'm'} a2200000ui 4500`,
          fields: [
            { tag: title, indicators: '  ', subfields: [{ code: 'a', value: 'T' }] },
            ...texts.map(text => ({ tag, indicators, subfields: [{ code: from[0] ?? '', value: text }] }))
          ]
        }
        const described = describeRecord(record, dialect)
        const of = {
          work: described.works[0],
          expression: described.expressions[0],
          manifestation: described.manifestation
        }
        const found = of[level]?.metadata.filter(({ key }) => key === gives).length ?? 0
        return found !== (typesOf(level)?.fields[gives]?.repeatable ? 2 : 1)
      })
      assert.deepEqual(
        wrong.map(({ tags, from, gives }) => `${tags[0]} $${from}: ${gives}`),
        []
      )
    })
  }

  it('have each material among the seven, and each role once', () => {
    const materials = builtInRecordTypes.flatMap(each =>
      each.umbrella === 'manifestation' ? [each.type.replace('manifestation_', '')] : []
    )
    for (const dialect of dialects)
      for (const row of mappingTables[dialect].materials)
        assert.ok(materials.includes(row.material) && materials.includes(row.content), row.meaning)
    const codes = roles.map(each => each.code)
    assert.deepEqual(
      codes.filter((code, index) => codes.indexOf(code) !== index),
      []
    )
    const words = roles.flatMap(each => [each.wording, ...(each.words ?? [])])
    assert.deepEqual(
      words.filter((word, index) => words.indexOf(word) !== index),
      []
    )
  })
})
