import assert from 'node:assert/strict'
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import type { MetadataEntry } from '#domain/entity.ts'
import type { Publication, PublicationExpression, PublicationLevel, RelatedEntity } from '#domain/publication.ts'
import { composeRecord } from '#formats/marc/compose-record.ts'
import { writeIso2709 } from '#formats/marc/iso2709.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { writeMrk } from '#formats/marc/mrk.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import { findControlValue } from '#formats/marc/record.ts'
import { type Chance, createChance, howMany, seed } from '../../support/generators.ts'
import { anEntityOf, publicationFrom } from '../../support/publications.ts'
import { difference, saidBy } from '../../support/said.ts'
import { all, recordOf } from './marc-files.ts'

let made = 0
const entries = (metadata: Readonly<Record<string, string | readonly string[] | undefined>>): MetadataEntry[] =>
  Object.entries(metadata).flatMap(([key, value]) =>
    value === undefined ? [] : [value].flat().map(each => ({ key, value: each }))
  )
const level = (
  type: string,
  id: string,
  metadata: Readonly<Record<string, string | readonly string[] | undefined>>,
  related: readonly RelatedEntity[] = []
): PublicationLevel => ({ entity: anEntityOf(type, id, entries(metadata)), related })
const related = (
  relation: string,
  type: string,
  metadata: Readonly<Record<string, string | undefined>>,
  role?: string,
  identifiers: readonly string[] = []
): RelatedEntity => ({
  type: relation,
  metadata: role === undefined ? [] : [{ key: 'role', value: role }],
  entity: anEntityOf(type, `T${made++}`, entries(metadata), identifiers)
})
const language = (code: string, name: string) => related('refLanguages', 'language', { name, code })

const dutch = language('nld', 'Dutch')
const english = language('eng', 'English')
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
        '=020  \\\\$a978-90-9711-408-1',
        '=040  \\\\$aLibretto$cLibretto',
        '=041  1\\$adut$heng',
        '=046  \\\\$k1911',
        '=100  1\\$aPeeters, An,$d1880-1950,$eauthor$1http://viaf.org/viaf/1$4aut',
        '=245  10$aDe storm :$been spel /$cAn Peeters ; vertaald door Jan Maes',
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
    const count = howMany({ short: 1500, long: 50_000, onPostgres: 0 })
    for (let run = 0; run < count; run++) {
      const publication = randomPublication(chance)
      const { record } = composeRecord(publication)
      const { lost, added } = difference(expectedOf(publication), saidBy(describeRecord(record)))
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
    assert.deepEqual(difference(saidBy(before), saidBy(after)), { lost: [], added: [] })
  })
})

const folder = join(import.meta.dirname, '../../../../shared/data')
if (existsSync(folder))
  describe('Describing a composed record of real records', () => {
    it('gives back what was described, of at least 97 in a hundred', async () => {
      let count = 0
      let same = 0
      for (const file of ['marc21/bibs.mrc', 'frbr/Ballard.mrc', 'frbr/Christie.mrc']) {
        for await (const reading of readMarc(createReadStream(join(folder, file)))) {
          const record = recordOf(reading)
          if (record === undefined) continue
          const before = describeRecord(record, 'marc21')
          if (before.problems.some(each => each.kind === 'no_title')) continue
          const after = describeRecord(composeRecord(publicationFrom(before)).record)
          const { lost, added } = difference(saidBy(before), saidBy(after))
          count++
          if (lost.length === 0 && added.length === 0) same++
        }
      }
      assert.ok(count > 1000, `${count} records`)
      assert.ok(same / count >= 0.97, `${same} of ${count} records are the same`)
    })
  })

async function readLines(lines: string) {
  const [reading] = await all(readMarc([Buffer.from(`${lines.trim()}\n`)]))
  const record = recordOf(reading)
  assert.ok(record)
  return record
}

// Random publications, and what they say.

const words = [
  'storm',
  'zee',
  'Ängste',
  'война',
  '東京',
  'of',
  'X.',
  'Mr. Y',
  '(1900)',
  "l'été",
  'naïve',
  '& co',
  '3',
  'no-one'
] as const
const aText = (chance: Chance) =>
  `${chance.pick(['A', 'De', 'Große', 'Ночь', 'Z'])} ${Array.from({ length: 1 + chance.below(4) }, () => chance.pick(words)).join(' ')} ${chance.pick(['end', 'eind', 'конец', '99', 'B.'])}`

const languages = [
  english,
  dutch,
  language('fra', 'French'),
  language('deu', 'German'),
  language('grc', 'Ancient Greek')
] as const
const authorRoles = {
  work: ['aut', 'cmp', 'librettist', 'director'],
  expression: ['trl', 'illustrator', 'nrt', 'vertaler'],
  manifestation: ['printer', 'pbl']
} as const

/** A publication with one text; words and relations at random. */
function randomPublication(chance: Chance): Publication {
  const maybe = (text: () => string) => (chance.oneIn(2) ? text() : undefined)
  const text = () => aText(chance)
  const year = () => String(1500 + chance.below(520))
  const named = (relation: string, type: string) =>
    Array.from({ length: chance.below(3) }, () => related(relation, type, { name: text() }))
  const authors = (of: keyof typeof authorRoles) =>
    Array.from({ length: chance.below(3) }, () => {
      const isPerson = !chance.oneIn(3)
      const name =
        isPerson && chance.oneIn(2)
          ? `${chance.pick(['Maes', 'Ó Briain', 'Пушкин'])}, ${chance.pick(['J.', 'An', 'L. A. J.'])} ${run++}`
          : `${text()} ${run++}`
      const dates = isPerson ? maybe(() => `${year()}-`) : undefined
      const role = chance.pick(authorRoles[of] as readonly [string, ...string[]])
      return related(
        'refAuthors',
        isPerson ? 'person' : 'corporation',
        { name, life_dates: dates },
        role,
        chance.oneIn(4) ? [`http://viaf.org/viaf/${run}`] : []
      )
    })
  const some = <T>(from: readonly T[]) => from.filter(() => chance.oneIn(3))
  const spoken = some(languages)
  const [material, content] = chance.pick<readonly [string, string]>([
    ['word', 'word'],
    ['music', 'music'],
    ['music', 'word'],
    ['map', 'map'],
    ['footage', 'footage'],
    ['computer_file', 'computer_file'],
    ['mixed_material', 'mixed_material'],
    ['serial', 'serial']
  ])
  return {
    manifestation: level(
      `manifestation_${material}`,
      'M',
      {
        title: text(),
        subtitle: maybe(text),
        responsibility: maybe(text),
        isbn: chance.oneIn(2) ? ['978-90-9711-408-1', '90-9758-014-5'] : undefined,
        issn: maybe(() => '1234-5679'),
        ean: maybe(() => '5412345678908'),
        year_of_publication: maybe(year),
        edition: maybe(text),
        extent: maybe(() => `${run} p. : ill. ; 20 cm`),
        material_type: maybe(() => chance.pick(['volume', 'online resource', 'paperback'])),
        series_statement: maybe(() => `${text()} ; ${run}`)
      },
      [
        ...named('refPublishers', 'publisher'),
        ...named('refPlaces', 'place'),
        ...some(spoken),
        ...authors('manifestation')
      ]
    ),
    expressions: [
      {
        ...level(`expression_${content}`, 'E', { title: text(), year: maybe(year) }, [
          ...spoken,
          ...authors('expression')
        ]),
        work: level(
          `work_${content}`,
          'W',
          {
            title: text(),
            original_title: maybe(text),
            literary_type: maybe(text),
            year: maybe(year),
            scale: maybe(() => `Scale 1:${run}`)
          },
          [
            ...authors('work'),
            ...named('refSubjects', 'subject'),
            ...named('refGenres', 'genre'),
            ...named('refPlaces', 'place'),
            ...named('refTimes', 'time'),
            ...named('refTargetAudiences', 'target_audience'),
            ...(chance.oneIn(3) ? [related('refUniformTitles', 'title', { title: text() })] : []),
            ...(chance.oneIn(3) ? [related('refSisos', 'siso', { code: `85${run}.1` })] : []),
            ...some(languages)
          ]
        )
      }
    ]
  }
}
let run = 0

/** What a description of it must say: what the publication says, and what MARC cannot keep apart. */
function expectedOf({ manifestation, expressions }: Publication): string[] {
  const [expression] = expressions
  const work = expression?.work
  assert.ok(expression && work)
  const value = ({ entity }: PublicationLevel, key: string) => entity.metadata.find(each => each.key === key)?.value
  const codes = (of: PublicationLevel) =>
    of.related
      .filter(each => each.type === 'refLanguages')
      .map(({ entity }) => entity.metadata.map(each => each.value).join(' | '))
  const languageLine = (name: string, told: string) =>
    `${name}: refLanguages language ${told} | urn:iso:std:iso:639:-3:${told.slice(-3)}`
  const title = String(value(manifestation, 'title'))
  const given = work.related.find(each => each.type === 'refUniformTitles')?.entity.metadata[0]?.value
  const original = value(work, 'original_title')
  const spoken = codes(expression)
  const originals = codes(work)
  const isOther = originals.length !== spoken.length || originals.some(each => !spoken.includes(each))
  const hasTranslator = expression.related.some(each => ['trl', 'vertaler'].includes(String(each.metadata[0]?.value)))
  // The title of a work other than that of its publication is a uniform title in MARC.
  const uniform = given ?? (value(work, 'title') === title ? undefined : value(work, 'title'))
  const isTranslation =
    hasTranslator ||
    original !== undefined ||
    (originals.length > 0 && originals.some(each => !spoken.includes(each))) ||
    (originals.length > 0 && spoken.length > 0 && isOther)
  const of = (name: string, { entity, related: others }: PublicationLevel, leftOut: readonly string[]) => [
    `${name}: ${entity.type}`,
    ...entity.metadata.filter(each => !leftOut.includes(each.key)).map(each => `${name}: ${each.key} = ${each.value}`),
    ...others.flatMap(({ type, entity: target, metadata }) => {
      if (type === 'refLanguages' || type === 'refUniformTitles') return []
      const role = metadata[0] === undefined ? [] : [roleCodes[String(metadata[0].value)] ?? String(metadata[0].value)]
      return [
        `${name}: ${type} ${target.type} ${[...target.metadata.map(each => each.value), ...role, ...target.identifiers.slice(2)].join(' | ')}`
      ]
    })
  ]
  return [
    ...of('manifestation', manifestation, []),
    ...spoken.map(each => languageLine('manifestation', each)),
    ...of('expression', expression, ['title']),
    `expression: title = ${title}`,
    ...spoken.map(each => languageLine('expression', each)),
    ...of('work', work, ['title', 'original_title']),
    `work: title = ${uniform ?? title}`,
    ...(uniform === undefined ? [] : [`work: refUniformTitles title ${uniform}`]),
    ...(original !== undefined
      ? [`work: original_title = ${original}`]
      : isTranslation && uniform !== undefined
        ? [`work: original_title = ${uniform}`]
        : []),
    ...(originals.length > 0 ? originals : isTranslation ? [] : spoken).map(each => languageLine('work', each))
  ].sort()
}
const roleCodes: Readonly<Record<string, string>> = {
  librettist: 'lbt',
  director: 'drt',
  illustrator: 'ill',
  vertaler: 'trl',
  printer: 'prt'
}
