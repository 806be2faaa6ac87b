import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Level, Publication } from '#domain/entity/publication.ts'
import { composeRecord } from '#formats/marc/compose-record.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { writeMrk } from '#formats/marc/mrk.ts'
import { withText } from '#formats/marc/patch/edit-values.ts'
import { patchSource } from '#formats/marc/patch-source.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import { isDataField, type MarcRecord } from '#formats/marc/record.ts'
import { createChance, howMany, seed } from '../../support/records/chance.ts'
import { randomPublication, related } from '../../support/records/made-publications.ts'
import { publicationFrom } from '../../support/records/publications.ts'
import { marcFrom } from '../../support/records/marc-lines.ts'
import { difference, descriptionLines } from '../../support/oracles/description-lines.ts'
import { all, recordOf } from './marc-files.ts'

const lines = `
=LDR  00000cam\\\\2200000\\a\\4500
=001  ocm123
=003  OCoLC
=005  19990101000000.0
=008  970513s1997\\\\\\\\be\\a\\\\\\e\\b\\\\\\\\001\\1\\dut\\c
=020  \\\\$a9028604349 (pbk.) :$c€ 20
=035  \\\\$a(OCoLC)123
=050  00$aPT1$b.B5
=100  1\\$aPeeters, An,$d1948-$0(DE-588)1
=245  13$aDe storm :$been roman /$cAn Peeters.
=250  \\\\$a2e dr.
=260  \\\\$aGent :$bZee,$c1997.
=300  \\\\$a125 p. ;$c21 cm
=504  \\\\$aIncludes index.
=650  \\0$aStorms$zBelgium$vFiction.$0(LC)sh1
=650  \\7$aSea.$2fast
=700  1\\$aMaes, Jan,$eillustrator.
=856  40$uhttp://example.org/1
=949  \\\\$aLocal 1`

async function read(): Promise<MarcRecord> {
  const [reading] = await all(readMarc([Buffer.from(`${lines.trim()}\n`)]))
  const record = recordOf(reading)
  assert.ok(record)
  return record
}

const linesOf = (record: MarcRecord) =>
  writeMrk(record)
    .split(/\r?\n/)
    .map(each => each.trimEnd())
    .filter(Boolean)

const anyFieldOf = (levels: readonly Level[]) => new Map(levels.map(level => [level, undefined]))

/** The lines that a change took away and brought. */
async function changed(edit: (publication: Publication) => Publication, levels: readonly Level[]) {
  const source = await read()
  const composed = composeRecord(edit(publicationFrom(describeRecord(source))), { onlyStated: true })
  const patched = patchSource(source, composed, anyFieldOf(levels))
  const [before, after] = [linesOf(source), linesOf(patched)]
  assert.deepEqual(
    difference(descriptionLines(describeRecord(composed.record)), descriptionLines(describeRecord(patched))),
    {
      lost: [],
      added: []
    }
  )
  return {
    gone: before.filter(each => !after.includes(each)),
    come: after.filter(each => !before.includes(each)),
    after
  }
}

/** A publication with something else in the metadata of its manifestation. */
const withMetadata =
  (key: string, value: string) =>
  ({ manifestation, expressions }: Publication): Publication => ({
    manifestation: {
      ...manifestation,
      entity: {
        ...manifestation.entity,
        metadata: [...manifestation.entity.metadata.filter(each => each.key !== key), { key, value }]
      }
    },
    expressions
  })

describe('A source record that is brought up to date', () => {
  it('is the very same where no level was changed', async () => {
    const source = await read()
    assert.equal(patchSource(source, composeRecord(publicationFrom(describeRecord(source))), new Map()), source)
  })

  it('keeps every field of a level that was changed and changed back', async () => {
    const { gone, come } = await changed(each => each, ['work', 'expression', 'manifestation'])
    assert.deepEqual(gone, ['=005  19990101000000.0'])
    assert.deepEqual(come, ['=005  20261114093000.1'])
  })

  it('loses only the field that no longer holds, and gets the composed one in its place', async () => {
    const { gone, come, after } = await changed(withMetadata('edition', '3e dr.'), ['manifestation'])
    assert.deepEqual(gone, ['=005  19990101000000.0', '=250  \\\\$a2e dr.'])
    assert.deepEqual(come, ['=005  20261114093000.1', '=250  \\\\$a3e dr.'])
    assert.equal(
      after.findIndex(each => each.startsWith('=250')),
      after.findIndex(each => each.startsWith('=245')) + 1
    )
  })

  it('has the year in 008 mended too, and the rest of it as it was', async () => {
    const { gone, come } = await changed(withMetadata('year_of_publication', '2001'), ['manifestation'])
    assert.deepEqual(gone.slice(1), [
      '=008  970513s1997\\\\\\\\be\\a\\\\\\e\\b\\\\\\\\001\\1\\dut\\c',
      '=260  \\\\$aGent :$bZee,$c1997.'
    ])
    assert.deepEqual(come.slice(1), [
      '=008  970513s2001\\\\\\\\be\\a\\\\\\e\\b\\\\\\\\001\\1\\dut\\c',
      '=260  \\\\$aGent :$bZee,$c2001.'
    ])
  })

  it('keeps subjects that still hold with their numbers and schemes, and drops those that were taken away', async () => {
    const { gone, come } = await changed(
      ({ manifestation, expressions: [expression] }) => {
        assert.ok(expression?.work)
        const related = expression.work.related.filter(each => each.entity.metadata[0]?.value !== 'Sea')
        return { manifestation, expressions: [{ ...expression, work: { ...expression.work, related } }] }
      },
      ['work']
    )
    assert.deepEqual(gone.slice(1), ['=650  \\7$aSea.$2fast'])
    assert.deepEqual(come.slice(1), [])
  })

  it('names the language of the original when its text gets a translator', async () => {
    const { gone, come } = await changed(
      ({ manifestation, expressions: [expression] }) => {
        assert.ok(expression)
        const translator = related('refAuthors', 'person', { name: 'Claes, Eva' }, 'translator')
        return { manifestation, expressions: [{ ...expression, related: [...expression.related, translator] }] }
      },
      ['expression']
    )
    assert.deepEqual(gone.slice(1), [])
    assert.ok(come.includes('=041  1\\$adut$hdut'), come.join('\n'))
  })

  it('keeps the title of the work when the publication gets another', async () => {
    const { come } = await changed(withMetadata('title', 'De orkaan'), ['manifestation'])
    assert.ok(
      come.some(each => each.startsWith('=240') && each.includes('De storm')),
      come.join('\n')
    )
  })

  it('has a changed title where it stands and where it is repeated, and keeps fields with another title', () => {
    const source = marcFrom('flights', '222 #0 $aFlights\n245 00 $aFlights =$bVuelos /$cby many.\n740 0# $aVuelos.')
    const publication = publicationFrom(describeRecord(source))
    const titlesWith = (key: string, value: string) => {
      const composed = composeRecord(withMetadata(key, value)(publication))
      const patched = patchSource(source, composed, new Map([['manifestation', new Set([key])]]))
      return linesOf(patched).filter(each => /^=(?:222|245|246|740)/.test(each))
    }
    assert.deepEqual(titlesWith('parallel_title', 'Aves'), [
      '=222  \\0$aFlights',
      '=245  00$aFlights =$bAves /$cby many.',
      '=740  0\\$aVuelos.'
    ])
    assert.deepEqual(titlesWith('title', 'Birds'), [
      '=222  \\0$aBirds',
      '=245  00$aBirds =$bVuelos /$cby many.',
      '=740  0\\$aVuelos.'
    ])
  })

  it('has no title of the work beside the same title of the publication, which another record gave the work', () => {
    const lines = '245 00 $aModal tides.\n440 #0 $aThe shore series.'
    const source = marcFrom('shore', lines)
    const publication = publicationFrom(describeRecord(marcFrom('shore', `240 10 $aModal tides\n${lines}`)))
    const composed = composeRecord(withMetadata('series_statement', 'The quay series')(publication))
    const patched = patchSource(source, composed, new Map([['manifestation', new Set(['series_statement'])]]))
    assert.deepEqual(
      linesOf(patched).filter(each => /^=(?:130|2|4)/.test(each)),
      ['=245  00$aModal tides.', '=440  \\0$aThe quay series']
    )
  })

  /** A record, and what it is when a work in it gets another title, without leader and 005. */
  function withWorkTitled(number: string, lines: string, [old, title]: readonly [old: string, title: string]) {
    const source = marcFrom(number, lines)
    const publication = publicationFrom(describeRecord(source))
    const isChanged = ({ key, value }: { key: string; value: unknown }) => key === 'title' && value === old
    const expressions = publication.expressions.map(each => {
      const { entity } = each.work ?? {}
      if (each.work === undefined || entity === undefined || !entity.metadata.some(isChanged)) return each
      const metadata = entity.metadata.map(entry => (isChanged(entry) ? { ...entry, value: title } : entry))
      return { ...each, work: { ...each.work, entity: { ...entity, metadata } } }
    })
    const composed = composeRecord({ ...publication, expressions })
    const patched = patchSource(source, composed, new Map([['work', new Set(['contained title'])]]))
    return [source, patched].map(each => linesOf(each).filter(line => !/^=(?:LDR|005)/.test(line)))
  }

  const discs = `LDR/06 j
110 2# $aKade.
245 14 $aThe Kade in mono.
505 00 $gDisc 1,$tThe early dyke.$tSalt /$rMila ;$tTide.$gDisc 2,$tLate dyke.$tReed /$rMila ;$tMud.
710 22 $aKade.$tEarly dyke.
710 22 $aKade.$tLate dyke.`

  for (const [says, old] of [
    ['with an article', 'Early dyke'],
    ['in the same words', 'Late dyke']
  ] as const)
    it(`has a changed title of a work in it where it is entered, and keeps the list that has it ${says}`, () => {
      const [before, after] = withWorkTitled('discs', discs, [old, 'Last dyke'])
      assert.deepEqual(
        after,
        before?.map(line => (line.startsWith('=710') ? line.replace(`$t${old}`, '$tLast dyke') : line))
      )
      assert.notDeepEqual(after, before)
    })

  it('keeps a title that repeats an entry in other words, when a work in it gets another title', () => {
    const [before, after] = withWorkTitled(
      'dykes',
      `245 00 $aThe Kade in mono.\n710 22 $aKade.$tEarly dyke.\n710 22 $aKade.$tLate dyke.\n740 02 $aDyken, de.`,
      ['Late dyke', 'Last dyke']
    )
    assert.deepEqual(
      after,
      before?.map(line => line.replace('$tLate dyke', '$tLast dyke'))
    )
    assert.notDeepEqual(after, before)
  })

  it('has an entry for the changed title of a work that only a list has, and keeps the list', () => {
    const [before = [], after = []] = withWorkTitled(
      'works',
      '110 2# $aKade.\n240 10 $aWorks\n245 14 $aThe Kade in mono.\n505 00 $tSalt ;$tTide.$gDisc 2,$tReed ;$tMud.',
      ['Mud', 'Clay']
    )
    assert.deepEqual(
      after.filter(each => !before.includes(each)),
      ['=710  22$aKade.$tClay']
    )
    assert.deepEqual(
      before.filter(each => !after.includes(each)),
      []
    )
  })

  it('has a class number where it stands as a whole, not in the longer one before it', () => {
    const subfields = ['016.658', '658'].map(value => ({ code: 'a', value }))
    const field = { tag: '082', indicators: '00', subfields }
    const edited = withText(field, 'a', ['658', '839.3177'])
    assert.deepEqual(
      edited?.subfields.map(each => each.value),
      ['016.658', '839.3177']
    )
  })

  for (const [says, value] of [
    ['at its end, after a bracket', '(London :|Thomas Harrild) again'],
    ['at its beginning, before a bracket', 'Printed (London :|Thomas Harrild)'],
    ['in the second of two equal parts', '(London :|London again)']
  ] as const)
    it(`has a value of several subfields changed ${says}`, () => {
      const [place = '', name = ''] = value.split('|')
      const isRepeated = name.startsWith('London')
      const old = isRepeated ? 'London)' : 'Thomas Harrild)'
      const source = marcFrom('printer', `245 00 $aTides\n260 ## $aLondon :$bKade,$c1851$e(London :$f${old}`)
      const publication = withMetadata('distribution', `${place} ${name}`)(publicationFrom(describeRecord(source)))
      const patched = patchSource(
        source,
        composeRecord(publication),
        new Map([['manifestation', new Set(['distribution'])]])
      )
      assert.deepEqual(
        linesOf(patched).filter(each => each.startsWith('=260')),
        [`=260  \\\\$aLondon :$bKade,$c1851$e${place}$f${name}`]
      )
    })

  it('loses a note of which only the institution ($5) would be left', () => {
    const source = marcFrom('walden', '245 00 $aWalden :$bescritos.\n500 ## $aTranslation of: Walden : writings.$5FU')
    const publication = publicationFrom(describeRecord(source))
    const [text] = publication.expressions
    assert.ok(text?.work)
    const metadata = text.work.entity.metadata.map(each => (each.key === 'title' ? { ...each, value: 'Pond' } : each))
    const work = { ...text.work, entity: { ...text.work.entity, metadata } }
    const composed = composeRecord({ ...publication, expressions: [{ ...text, work }] })
    const patched = patchSource(source, composed, new Map([['work', new Set(['title'])]]))
    assert.ok(
      linesOf(patched).every(each => !/^=500 {2}\\\\\$5/.test(each)),
      writeMrk(patched)
    )
    assert.ok(linesOf(patched).some(each => each.includes('Pond')))
  })

  it('loses a field that no longer holds as often as it is there', async () => {
    const source = await read()
    const sea = source.fields.find(each => isDataField(each) && each.subfields[0]?.value === 'Sea.')
    assert.ok(sea)
    const { manifestation, expressions } = publicationFrom(describeRecord(source))
    const composed = composeRecord({
      manifestation,
      expressions: expressions.map(each => ({
        ...each,
        work: each.work && {
          ...each.work,
          related: each.work.related.filter(({ entity }) => entity.metadata[0]?.value !== 'Sea')
        }
      }))
    })
    const patched = patchSource({ ...source, fields: [...source.fields, sea] }, composed, anyFieldOf(['work']))
    assert.ok(!linesOf(patched).some(each => each.includes('$aSea.')))
  })

  it('says afterwards what the publication says, whichever levels were changed', () => {
    const chance = createChance(seed)
    const foreign = [
      { tag: '583', indicators: '  ', subfields: [{ code: 'a', value: 'Bound.' }] },
      { tag: '886', indicators: '0 ', subfields: [{ code: 'u', value: 'Of another format' }] },
      { tag: '949', indicators: '  ', subfields: [{ code: 'a', value: 'Local' }] }
    ]
    const count = howMany({ quick: 60, short: 400, long: 20_000, onPostgres: 0 })
    for (let run = 0; run < count; run++) {
      const [before, other] = [randomPublication(chance), randomPublication(chance)]
      const { record } = composeRecord(before, { onlyStated: true })
      const source = { leader: record.leader, fields: [...record.fields, ...foreign] }
      const [expression] = before.expressions
      const [otherExpression] = other.expressions
      assert.ok(expression && otherExpression)
      const isChanged = { manifestation: chance.oneIn(2), expression: chance.oneIn(2), work: chance.oneIn(2) }
      const after: Publication = {
        manifestation: isChanged.manifestation
          ? {
              ...other.manifestation,
              entity: { ...other.manifestation.entity, type: before.manifestation.entity.type }
            }
          : before.manifestation,
        expressions: [
          {
            ...(isChanged.expression
              ? { ...otherExpression, entity: { ...otherExpression.entity, type: expression.entity.type } }
              : expression),
            work:
              isChanged.work && otherExpression.work && expression.work
                ? {
                    ...otherExpression.work,
                    entity: { ...otherExpression.work.entity, type: expression.work.entity.type }
                  }
                : expression.work
          }
        ]
      }
      const levels = (['work', 'expression', 'manifestation'] as const).filter(each => isChanged[each])
      const composed = composeRecord(after, { onlyStated: true })
      const patched = patchSource(source, composed, anyFieldOf(levels))
      const told = `run ${run} of SEED=${seed}, ${levels}\n${writeMrk(source)}\n${writeMrk(patched)}`
      const { lost, added } = difference(
        descriptionLines(describeRecord(composed.record)),
        descriptionLines(describeRecord(patched))
      )
      assert.deepEqual({ lost, added }, { lost: [], added: [] }, told)
      assert.deepEqual(
        patched.fields.filter(each => foreign.some(({ tag }) => tag === each.tag)),
        foreign,
        told
      )
      if (levels.length === 0) assert.equal(patched, source)
    }
  })
})
