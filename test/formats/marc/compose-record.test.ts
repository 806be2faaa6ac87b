import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

import type { Publication, PublicationExpression } from '#domain/entity/publication.ts'
import { composeRecord } from '#formats/marc/compose-record.ts'
import { writeIso2709 } from '#formats/marc/iso2709.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { writeMrk } from '#formats/marc/mrk.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import { findControlValue } from '#formats/marc/record.ts'
import { createChance, howMany, seed } from '../../support/records/chance.ts'
import {
  dutch,
  english,
  expectedOf,
  level,
  randomPublication,
  related
} from '../../support/records/made-publications.ts'
import { publicationFrom } from '../../support/records/publications.ts'
import { difference, descriptionLines, withMediaOfCarriers } from '../../support/oracles/description-lines.ts'
import { all, recordOf } from './marc-files.ts'

const translated: Publication = {
  manifestation: level(
    'manifestation_word',
    'M-1',
    {
      title: 'De storm',
      subtitle: 'een spel',
      responsibility: 'An Peeters ; vertaald door Jan Maes',
      isbn: '978-90-9711-408-1',
      year_of_publication: '2008',
      edition: '2e dr.',
      extent: '125 p. : ill. ; 21 cm',
      material_type: 'volume',
      series_statement: 'Spelen ; 3'
    },
    [related('refPublishers', 'publisher', { name: 'Zee' }), related('refPlaces', 'place', { name: 'Gent' }), dutch]
  ),
  expressions: [
    {
      ...level('expression_word', 'E-1', { title: 'De storm', content_type: 'text' }, [
        dutch,
        related('refAuthors', 'person', { name: 'Maes, Jan' }, 'translator')
      ]),
      work: level(
        'work_word',
        'W-1',
        { title: 'The gale', original_title: 'The gale', literary_type: 'drama', year: '1911' },
        [
          related('refAuthors', 'person', { name: 'Peeters, An', life_dates: '1880-1950' }, 'author', [
            'http://viaf.org/viaf/1'
          ]),
          related('refSubjects', 'subject', { name: 'Storms -- Drama' }),
          related('refGenres', 'genre', { name: 'Plays' }),
          related('refTargetAudiences', 'target_audience', { name: 'Adult' }),
          english
        ]
      )
    }
  ]
}

describe('A MARC 21 record that is composed', () => {
  it('has each thing in its field, with the punctuation that catalogues expect', () => {
    const { record } = composeRecord(translated)
    assert.deepEqual(
      writeMrk(record)
        .split('\n')
        .map(each => each.trimEnd())
        .filter(Boolean),
      [
        '=LDR  00000nam\\a2200000ui\\4500',
        '=001  M-1',
        '=003  Libretto',
        '=005  20261114093000.1',
        '=008  261114s2008\\\\\\\\xx\\||||e|||||||||\\d|dut\\d',
        '=020  \\\\$a9789097114081',
        '=040  \\\\$aLibretto$cLibretto',
        '=041  1\\$adut$heng',
        '=046  \\\\$k1911',
        '=100  1\\$aPeeters, An,$d1880-1950,$eauthor$1http://viaf.org/viaf/1$4aut',
        '=245  13$aDe storm :$been spel /$cAn Peeters ; vertaald door Jan Maes.',
        '=250  \\\\$a2e dr.',
        '=264  \\1$aGent :$bZee,$c2008',
        '=300  \\\\$a125 p. :$bill. ;$c21 cm',
        '=336  \\\\$atext$btxt$2rdacontent',
        '=337  \\\\$aunmediated$bn$2rdamedia',
        '=338  \\\\$avolume$bnc$2rdacarrier',
        '=380  \\\\$adrama',
        '=385  \\\\$aAdult',
        '=490  0\\$aSpelen ;$v3',
        '=650  \\4$aStorms$xDrama',
        '=655  \\4$aPlays',
        '=700  1\\$aMaes, Jan,$etranslator$4trl',
        '=765  0\\$tThe gale'
      ]
    )
  })

  it('has no identifiers of the records that were merged into it', () => {
    const retired = ['W-2UEQM6CJB', '019a9d5c-0a4e-7c3b-9a55-0242ac120002', '(NL-X)12']
    const [expression] = translated.expressions
    assert.ok(expression?.work)
    const entity = { ...expression.work.entity, identifiers: [...expression.work.entity.identifiers, ...retired] }
    const work = { ...expression.work, entity }
    const { record } = composeRecord({ ...translated, expressions: [{ ...expression, work }] })
    assert.deepEqual(
      writeMrk(record)
        .split(/\r?\n/)
        .filter(each => each.startsWith('=758')),
      ['=758  \\\\$0(NL-X)12']
    )
  })

  it('tells of each field which levels it speaks of', () => {
    const { record, levels } = composeRecord(translated)
    const of = (tag: string) => levels[record.fields.findIndex(each => each.tag === tag)]
    assert.equal(levels.length, record.fields.length)
    assert.deepEqual(of('001'), [])
    assert.deepEqual(of('245'), ['manifestation'])
    assert.deepEqual(of('336'), ['expression'])
    assert.deepEqual(of('700'), ['expression'])
    assert.deepEqual(of('100'), ['work'])
    assert.deepEqual(of('041'), ['work', 'expression'])
  })

  it('names each work of an anthology under its author, and the author as main entry where all are by one', () => {
    const author = related('refAuthors', 'person', { name: 'Peeters, Anna' }, 'author')
    const part = (title: string): PublicationExpression => ({
      ...level('expression_word', `E-${title}`, { title }, [english]),
      work: level('work_word', `W-${title}`, { title }, [author, english])
    })
    const { record } = composeRecord({
      manifestation: level('manifestation_word', 'M-2', { title: 'Three plays' }),
      expressions: [part('Rain'), part('Wind'), part('Snow')]
    })
    const lines = writeMrk(record).split('\n')
    assert.deepEqual(
      lines.filter(each => /^=[17]/.test(each)).map(each => each.trimEnd()),
      [
        '=100  1\\$aPeeters, Anna,$eauthor$4aut',
        '=700  12$aPeeters, Anna.$tRain',
        '=700  12$aPeeters, Anna.$tWind',
        '=700  12$aPeeters, Anna.$tSnow'
      ]
    )
    const { works, isAggregate } = describeRecord(record)
    assert.equal(isAggregate, true)
    assert.deepEqual(
      works.slice(1).map(each => each.metadata[0]?.value),
      ['Rain', 'Wind', 'Snow']
    )
  })

  it('takes several texts of one work for one: a translation beside the original', () => {
    const [expression] = translated.expressions
    assert.ok(expression)
    const original = { ...level('expression_word', 'E-2', { title: 'The gale' }, [english]), work: expression.work }
    const { record } = composeRecord({ ...translated, expressions: [expression, original] })
    const lines = writeMrk(record).split('\n')
    assert.ok(lines.some(each => each.startsWith('=041  1\\$adut$aeng$heng')))
    assert.ok(!lines.some(each => each.startsWith('=700  12')))
    assert.equal(describeRecord(record).isAggregate, false)
  })

  it('has 40 characters in 008 and 24 in the leader for every kind of material', () => {
    for (const material of ['word', 'music', 'map', 'serial', 'footage', 'mixed_material', 'computer_file']) {
      const { record } = composeRecord({
        manifestation: level(`manifestation_${material}`, 'M-3', { title: 'x', year_of_publication: '1999' }),
        expressions: [{ ...level(`expression_${material}`, 'E-3', { title: 'x' }), work: undefined }]
      })
      assert.equal(record.leader.length, 24)
      assert.equal(findControlValue(record, '008')?.length, 40, material)
      assert.equal(describeRecord(record).manifestation.type, `manifestation_${material}`)
    }
  })

  it('can be written whatever the texts hold', async () => {
    const nasty = 'a\u001d\u001e\u001fb\u0000\nc | $d {e} <f> & "g"'
    const { record } = composeRecord({
      manifestation: level('manifestation_word', 'M-4', { title: nasty, subtitle: nasty, isbn: nasty, edition: '' }),
      expressions: []
    })
    const [reading] = await all(readMarc([writeIso2709(record)]))
    assert.deepEqual(recordOf(reading)?.fields, record.fields)
    assert.equal(describeRecord(record).manifestation.metadata[0]?.value, 'a b c | $d {e} <f> & "g"')
  })
})

describe('Describing a composed record', () => {
  it('gives back what the publication says, at the same levels', () => {
    const chance = createChance(seed)
    const count = howMany({ quick: 200, short: 1500, long: 50_000, onPostgres: 0 })
    for (let run = 0; run < count; run++) {
      const publication = randomPublication(chance)
      const { record } = composeRecord(publication)
      const { lost, added } = difference(
        withMediaOfCarriers(expectedOf(publication)),
        descriptionLines(describeRecord(record))
      )
      assert.deepEqual({ lost, added }, { lost: [], added: [] }, `run ${run} of SEED=${seed}\n${writeMrk(record)}`)
    }
  })

  it('gives back what it gave before, of a record that is described, made a publication and composed again', async () => {
    const source = await readLines(`
=LDR  00000njm\\a2200000\\a\\4500
=001  x1
=008  970513s1997\\\\\\\\be\\|||||||||||||||||dut\\d
=020  \\\\$a90-286-0434-9 (pbk.)
=035  \\\\$a(OCoLC)12345
=041  1\\$adut$heng
=100  1\\$aBaas, Els,$d1948-,$ecomposer.$0http://id.loc.gov/authorities/names/n1
=240  10$aLittle town.$lDutch.$f1999
=245  13$aDe kleine stad.$n2,$pDe zee :$been opera /$cEls Baas ; vertaald door Jan Maes.
=260  \\\\$aGent :$bZee,$c2001.
=300  \\\\$a2 CD's ;$c12 cm
=336  \\\\$aperformed music$bprm$2rdacontent
=490  1\\$aReeks ;$v3
=650  \\0$aSea$xMusic$zGhent$y1900-2000$vScores.
=655  \\7$aOperas.$2lcgft
=700  1\\$aMaes, Jan,$etranslator.
=710  2\\$aKoor van de Stad.$bAfdeling Zee,$esinger.`)
    const before = describeRecord(source)
    const after = describeRecord(composeRecord(publicationFrom(before)).record)
    assert.deepEqual(difference(withMediaOfCarriers(descriptionLines(before)), descriptionLines(after)), {
      lost: [],
      added: []
    })
  })

  it('gives back what it gave before, of records with the habits of many catalogues', async () => {
    const readings = await all(
      readMarc([readFileSync(new URL('../../fixtures/marc/made-marc21.mrk', import.meta.url))])
    )
    assert.equal(readings.length, 11)
    for (const reading of readings) {
      const record = recordOf(reading)
      assert.ok(record)
      const before = describeRecord(record, 'marc21')
      const after = describeRecord(composeRecord(publicationFrom(before)).record)
      assert.deepEqual(
        difference(withMediaOfCarriers(descriptionLines(before)), descriptionLines(after)),
        { lost: [], added: [] },
        `${reading.controlNumber ?? ''}`
      )
    }
  })
})

async function readLines(lines: string) {
  const [reading] = await all(readMarc([Buffer.from(`${lines.trim()}\n`)]))
  const record = recordOf(reading)
  assert.ok(record)
  return record
}
