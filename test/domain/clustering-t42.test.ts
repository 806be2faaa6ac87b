import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { clusterRecords } from '../support/records/cluster-records.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { readMarcEvidence } from '#formats/marc/mapping/evidence.ts'
import { clusterShelf, expressionsIn, marcFrom, type Shelf, worksIn } from '../support/records/marc-lines.ts'

/*
 * The cases of T42, the test set of the BIB-R benchmark for turning MARC into FRBR: originals, and
 * translations, films, comics and parodies derived from them, with one kind of flaw in each set.
 * Its own files may not be copied here; these records have the same traits.
 */

const originals: Shelf = {
  novel: '100 1# $aBrandt, Kaja$4aut\n245 10 $aThe harbour thief$h[publication]$cKaja Brandt',
  reading:
    '041 1# $aeng\n100 1# $aOduya, Sam$4aut\n245 00 $aOf wind and rain$cSam Oduya; Joan Pike$h[read text]\n700 1# $aPike, Joan$4nrt',
  series: '100 1# $aBrandt, Kaja$4aut\n245 10 $aThe tide clock$cK. Brandt\n490 1# $aHarbour series$v7'
}
const derived: Shelf = {
  translation: [
    '041 1# $afre$heng\n100 1# $aBrandt, Kaja$4aut\n245 10 $avoleur du port (Le)$cKaja Brandt; Luc Petit\n700 1# $aPetit, Luc$4trl\n765 0# $wt-010$tThe Harbour thief',
    'fre'
  ],
  text: [
    '100 0# $aOduya, Sam$4aut\n245 00 $aDe vent et de pluie$cSam Oduya; L. Petit\n700 0# $aPetit, L.$4trl\n765 0# $tOf wind and rain',
    'fre'
  ],
  film1:
    '100 1# $aHale, Tom$4drt\n245 10 $aThe tide clock Part 1$h[Motion Picture]$cTom Hale; Joan Pike\n700 1# $aPike, Joan$4act',
  film2:
    '100 1# $aHale, Tom$4drt\n245 10 $aThe tide clock Part 2$h[Motion Picture]$cTom Hale; Joan Pike\n700 1# $aPike, Joan$4act',
  comic: [
    '041 1# $afre$hita\n100 1# $aRossi, Gino$4aut\n245 10 $aThe harbour thief$h[print]$bfree adaptation of the book of Kaja Brandt$cGino Rossi\n700 1# $aBrandt, Kaja$4ant',
    'fre'
  ],
  manga: [
    '245 10 $athief of the harbour (The)$hManga$cbased on writing by Kaja Brandt; adapted by studio Wave\n700 1# $aBrandt, Kaja$4ant\n700 1# $aStudio Wave$4adp',
    'fre'
  ],
  parody: [
    '100 1# $aMarin, Ida$4aut\n245 10 $aThe wrong tide$bThe tide clock by Ida Marin$cIda Marin; from Brandt\n700 1# $aBrandt, Kaja$4ant',
    'fre'
  ]
}

const alter = (shelf: Shelf, change: (lines: string) => string): Shelf =>
  Object.fromEntries(
    Object.entries(shelf).map(([name, given]) => [
      name,
      typeof given === 'string' ? change(given) : [change(given[0]), given[1]]
    ])
  )

describe('A derivation (T42)', () => {
  const apart = ['comic', 'film1', 'film2', 'manga', 'parody', 'series']
  const found = [...apart, 'novel translation', 'reading text'].sort()
  const flaws: readonly (readonly [flaw: string, change: (lines: string) => string])[] = [
    ['as it should be', lines => lines],
    ['without roles', lines => lines.replaceAll(/\$4(?:aut|trl|nrt)/g, '')],
    ['without names of its authors but in the statement', lines => lines.replace(/^100 .*\$4aut$/m, '')],
    ['with the material in the title', lines => lines.replace(/\$h\[(.*?)\]/, ' [$1]')]
  ]
  for (const [flaw, change] of flaws) {
    it(`belongs to the work of its original when it is a translation, and to its own otherwise: ${flaw}`, () => {
      const clusters = clusterShelf({ ...alter(originals, change), ...alter(derived, change) })
      assert.deepEqual(worksIn(clusters), found)
      const expressions = expressionsIn(clusters)
      for (const name of ['novel', 'translation', 'reading', 'text']) assert.ok(expressions.includes(name), name)
    })
  }

  it('stays by itself when nothing names the original', () => {
    const bare = alter({ ...originals, ...derived }, lines => lines.replace(/^765 .*$/m, ''))
    assert.deepEqual(worksIn(clusterShelf(bare)), [...apart, 'novel', 'reading', 'text', 'translation'].sort())
  })

  it('is found in spite of a typing error in a uniform title', () => {
    const shelf: Shelf = {
      a: '100 1# $aBrandt, Kaja$4aut\n240 10 $aHarbourxxx\n245 10 $aHarbour.',
      b: '100 1# $aBrandt, Kaja$4aut\n245 10 $aHarbour.'
    }
    assert.deepEqual(worksIn(clusterShelf(shelf)), ['a b'])
  })

  it('belongs to the work of its original in UNIMARC too', () => {
    const general = '100 ## $a20020114d2001    m  y0frey50      ba'
    const shelf = {
      original: `${general}\n101 0# $adut\n200 1# $aDe palingtoren$fMila Verhoeven\n700 #1 $aVerhoeven$bMila$4070`,
      translation: `${general}\n101 1# $afre$cdut\n200 1# $aLe phare des anguilles$fMila Verhoeven$gtraduit par Luc Petit\n454 #1 $tDe palingtoren\n700 #1 $aVerhoeven$bMila$4070\n702 #1 $aPetit$bLuc$4730`,
      film: `${general}\n101 0# $afre\n200 1# $aDe palingtoren$bImages animées$fTom Hale\n700 #1 $aHale$bTom$4300\n702 #1 $aVerhoeven$bMila$4100`
    }
    const evidence = Object.entries(shelf).map(([name, lines]) => {
      const { fields } = marcFrom(name, lines)
      const record = {
        leader: `00000${name === 'film' ? 'ngm' : 'nam'}0 2200000   450 `,
        fields: fields.filter(each => each.tag !== '008')
      }
      return readMarcEvidence(record, describeRecord(record, 'unimarc'), name)
    })
    assert.deepEqual(worksIn(clusterRecords(evidence)), ['film', 'original translation'])
  })
})
