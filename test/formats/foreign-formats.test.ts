import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'

import { readSource } from '#formats/source/read-source.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { deletionFile, marcFile } from '../support/records/marc-files.ts'
import { marcFrom } from '../support/records/marc-lines.ts'

async function* bytesOf(file: string | Buffer) {
  yield Buffer.from(file as string)
}
const read = (file: string | Buffer) => Array.fromAsync(readSource(bytesOf(file)))

const foreign: Readonly<Record<string, string | Buffer>> = {
  MAB2: '### 00000nM2.01200024      h\n001 123\n331 Titel\n',
  KBART: 'publication_title\tprint_identifier\tonline_identifier\nX\t1234-5679\t\n',
  BibTeX: '@book{key, title = {X}, author = {Y}}\n',
  RIS: 'TY  - BOOK\nTI  - X\nER  - \n',
  gzip: gzipSync(marcFile({ a: '245 10 $aX' })),
  'begins like none': '<?xml version="1.0"?><catalogue><book>X</book></catalogue>'
}

describe('a file in a format that is not read', () => {
  for (const [name, file] of Object.entries(foreign))
    it(`is told to be ${name.trim()}`, async () => {
      const items = await read(file)
      assert.deepEqual(
        items.map(each => each.outcome),
        ['unreadable']
      )
      const [defect] = items[0]?.defects ?? []
      assert.equal(defect?.kind, 'unknown_format')
      assert.ok(defect.message.includes(name.trim()), defect.message)
    })

  it('is not taken for one that is read: MARC, an empty collection, CSV and ONIX are', async () => {
    assert.deepEqual(
      (await read(marcFile({ a: '245 10 $aX' }))).map(each => each.outcome),
      ['record']
    )
    assert.deepEqual(await read('<collection xmlns="http://www.loc.gov/MARC21/slim"></collection>'), [])
    assert.deepEqual(
      (await read(deletionFile('a'))).map(each => each.outcome),
      ['deletion']
    )
  })

  it('may hold authorities in MARC, or holdings, which say so', async () => {
    const [authority] = await read(marcFile({ a: 'LDR/06 z\n100 1# $aVerhoeven, Mila' }))
    assert.equal(authority?.outcome, 'authority')
    const [nameless] = await read(marcFile({ a: 'LDR/06 z\n180 ## $xPeriodicals' }))
    assert.deepEqual([nameless?.outcome, nameless?.defects[0]?.kind], ['unreadable', 'not_bibliographic'])
    const [holdings] = await read(marcFile({ a: 'LDR/06 x\n852 ## $aX' }))
    assert.match(holdings?.defects[0]?.message ?? '', /holdings/)
  })
})

describe('a record without a title proper', () => {
  const titleOf = (lines: string) => {
    const { manifestation, problems } = describeRecord(marcFrom('a', lines))
    return [manifestation.metadata.find(each => each.key === 'title')?.value, ...problems.map(each => each.kind)]
  }

  it('gets the uniform title, a variant title or the subtitle, in brackets, with a remark', () => {
    assert.deepEqual(titleOf('240 10 $aSonatas,$mviolin\n245 10 $cCorelli'), ['[Sonatas. violin]', 'supplied_title'])
    assert.deepEqual(titleOf('130 0# $aBeowulf\n245 10 $h[sound]'), ['[Beowulf]', 'supplied_title'])
    assert.deepEqual(titleOf('245 10 $cX\n246 3# $aOther title'), ['[Other title]', 'supplied_title'])
    assert.deepEqual(titleOf('245 10 $bpour le clavecin'), ['[pour le clavecin]', 'supplied_title'])
    assert.deepEqual(titleOf('100 1# $aVerhoeven, Mila'), [undefined, 'no_title'])
  })
})
