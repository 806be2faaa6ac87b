import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Draft } from '#formats/description/description.ts'
import { readSource } from '#formats/source/read-source.ts'
import type { SourceRecord } from '#formats/source/source-item.ts'
import { all } from './marc-files.ts'

/* UNIMARC as the Bibliothèque nationale de France and ABES (Sudoc) write it. */

const read = async (text: string): Promise<SourceRecord> => {
  const [item] = await all(readSource([Buffer.from(text)]))
  assert.equal(item?.outcome, 'record', JSON.stringify(item?.defects))
  return item
}
const values = (draft: Draft | undefined, key: string) =>
  draft?.metadata.filter(each => each.key === key).map(({ value }) => value)
const people = (draft: Draft | undefined) =>
  draft?.relations
    .filter(({ relation }) => relation === 'refAuthors')
    .map(({ target, role }) => `${target.metadata[0]?.value} ${role?.code}`)

const field = (tag: string, indicators: string, ...subfields: readonly string[]) =>
  `<mxc:datafield tag="${tag}" ind1="${indicators[0]}" ind2="${indicators[1]}">${subfields
    .map(each => `<mxc:subfield code="${each[0]}">${each.slice(1)}</mxc:subfield>`)
    .join('')}</mxc:datafield>`

/** An answer of the SRU service of the Bibliothèque nationale de France. */
const bnf = `<?xml version="1.0"?><srw:searchRetrieveResponse xmlns:srw="http://www.loc.gov/zing/srw/"><srw:records><srw:record><srw:recordData>
<mxc:record xmlns:mxc="info:lc/xmlns/marcxchange-v2" format="Unimarc" type="Bibliographic"><mxc:leader>     cam0 22000003  450 </mxc:leader>
<mxc:controlfield tag="001">FRBNF350060010000002</mxc:controlfield>
${field('100', '  ', 'a19850722d1985    m  y0frey50      ba')}${field('101', '0 ', 'afre')}
${field('200', '1 ', 'a\u0098La \u009cPorte étroite', 'bTexte imprimé', 'eroman', 'fJeanne Lind', 'gpréface de Paul Maes')}
${field('210', '  ', 'a[Paris]', 'cGallimard', 'd1985', 'e27-Évreux', 'gImpr. Hérissey')}
${field('215', '  ', 'a185 p.', 'cill.', 'd18 cm')}${field('225', '| ', 'aCollection Folio', 'v2')}
${field('410', ' 0', '034234851', 'tCollection Folio (Paris)', 'x0768-0732', 'v2')}${field('461', ' 0', '034234851', 'tŒuvres complètes', 'v3')}
${field('700', ' |', '311894985', 'oISNI0000000121032683', 'aLind', 'bJeanne', 'f1913-1960', '40070')}
${field('702', ' |', '311924017', 'aMaes', 'bPaul', '40080')}${field('702', ' |', 'aReli', 'bAnna', '40110')}
${field('801', ' 0', 'aFR', 'bFR-751131015')}${field('930', '  ', '5FR-751131010:1', 'a16-Y2-50187 (2)', 'cTolbiac')}
</mxc:record></srw:recordData></srw:record></srw:records></srw:searchRetrieveResponse>`

/** A record of ABES in lines, with an embedded field. */
const abes = [
  '=LDR  00000cam0 2200000   450 ',
  '=001  026927608',
  '=100  \\\\$a19850722d1985    u  y0frey50      ba',
  '=101  0\\$afre',
  '=200  1\\$aLes vagues$eroman :$f[Jeanne Lind] ;$g[préface par Paul Maes]',
  '=205  \\\\$a2e éd.$brevue',
  '=214  \\0$aParis$cGallimard$dDL 1985',
  '=225  2\\$aFolio$iBleu$v2',
  '=461  \\1$1001012345678$12001 $aŒuvres$v3$1700 1$aLind$bJeanne$1801 0$bX',
  '=700  \\1$3026927608$aLind$bJeanne$4070',
  '=801  \\3$aFR$bAbes',
  '=915  \\\\$5341725201:1$bBC123',
  '=930  \\\\$5341725201:1$a840 LIN'
].join('\n')

describe('A record of the Bibliothèque nationale de France', () => {
  it('has its roles of four digits, the ISNI of a name, and the punctuation of ISBD', async () => {
    const { description, unmapped } = await read(bnf)
    const { manifestation, expressions, works } = description
    assert.deepEqual(people(works[0]), ['Lind, Jeanne aut'])
    assert.deepEqual(people(expressions[0]), ['Maes, Paul aui'])
    assert.deepEqual(people(manifestation), ['Reli, Anna bnd'])
    assert.deepEqual(works[0]?.relations.find(({ role }) => role)?.target.identifiers, [
      '(FR-751131015)11894985',
      'https://isni.org/isni/0000000121032683'
    ])
    assert.deepEqual(
      ['title', 'subtitle', 'extent', 'distribution', 'series_statement', 'host'].map(key =>
        values(manifestation, key)
      ),
      [
        ['La Porte étroite'],
        ['roman'],
        ['185 p. : ill. ; 18 cm'],
        ['27-Évreux : Impr. Hérissey'],
        ['Collection Folio ; 2', 'Collection Folio (Paris) ; 2'],
        ['Œuvres complètes ; 3']
      ]
    )
    assert.deepEqual(description.problems, [])
    // The local fields are counted.
    assert.deepEqual(unmapped, ['930 $a', '930 $c'])
  })
})

describe('A record of ABES', () => {
  it('has fields of other records inside its links, and loses the punctuation of its statements', async () => {
    const { description, unmapped } = await read(abes)
    const { manifestation } = description
    assert.deepEqual(
      ['subtitle', 'responsibility', 'edition', 'series_statement', 'host'].map(key => values(manifestation, key)),
      [['roman'], ['[Jeanne Lind] ; [préface par Paul Maes]'], ['2e éd., revue'], ['Folio. Bleu ; 2'], ['Œuvres ; 3']]
    )
    assert.deepEqual(unmapped, ['461 $1', '915 $b', '930 $a'])
  })
})

describe('The number of an authority ($3) in UNIMARC', () => {
  it('is in the file of the agency that issued the record; those of subdivisions are not of the heading', async () => {
    const first = '=801  \\\\0$aFR$bOther\n=801  \\\\3'
    const { description } = await read(
      abes.replace('=801  \\\\3', first).replace('=915', '=606  \\\\$30271$aVagues$30272$xHistoire\n=915')
    )
    const numbersOf = (relation: string) =>
      description.works[0]?.relations.filter(each => each.relation === relation).map(({ target }) => target.identifiers)
    assert.deepEqual(numbersOf('refAuthors'), [['(Abes)026927608']])
    assert.deepEqual(numbersOf('refSubjects'), [['(Abes)0271']])
  })
})
