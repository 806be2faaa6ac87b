import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { PublicationLevel } from '#domain/entity/publication.ts'
import { holdings } from '#domain/record-types/holdings.ts'
import { readItems } from '#formats/marc/mapping/items.ts'
import { writeMrk } from '#formats/marc/mrk.ts'
import { patchItems } from '#formats/marc/patch/patch-items.ts'
import type { MarcRecord } from '#formats/marc/record.ts'
import { related } from '../../support/records/made-publications.ts'
import { marcFrom } from '../../support/records/marc-lines.ts'
import { anEntityOf } from '../../support/records/publications.ts'

/* A copy that leaves the location that it shares with other copies. */

type Change = Readonly<Partial<Record<'shelf_mark' | 'location' | 'status' | 'library' | 'note', string>>>

/** Brings a record up to date with its items, some of which have other values, by their place. */
function patched(source: MarcRecord, changes: Readonly<Record<number, Change | 'deleted'>>): MarcRecord {
  const drafts = readItems(source)
  const stored = drafts.map(({ from }, place) => ({ id: `I${place}`, from, isChanged: place in changes }))
  const items = drafts.flatMap(({ metadata, library }, place): PublicationLevel[] => {
    const change = changes[place] ?? {}
    if (change === 'deleted') return []
    const { library: code = library?.key, ...fields } = change
    const values = metadata.filter(({ key }) => !(key in fields))
    const others = Object.entries(fields).map(([key, value]) => ({ key, value }))
    return [
      {
        entity: anEntityOf('item', `I${place}`, [...values, ...others]),
        related: code === undefined ? [] : [related(holdings.at, 'library', { code, name: code })]
      }
    ]
  })
  return patchItems(source, stored, { items })
}

const held = (record: MarcRecord) =>
  writeMrk(record)
    .split(/\r?\n/)
    .filter(line => /^=8/.test(line))

const linked = marcFrom(
  'tide',
  `245 10 $aThe tide
852 0# $81$aBE-GNT$bWest$hPZ 3$i.T5$xBought
852 8# $82$aBE-GNT$jOther$p7001
866 41 $81$a1990-2001$xChecked
876 3# $81.1$p5001$jAvailable$xTorn$c12 EUR
876 3# $81.2$p5002$jOn loan$xStained
876 3# $82.1$jLost`
)

describe('A copy that leaves a shared 852', () => {
  it('keeps what its own 876 has, linked to an 852 of its own', () => {
    assert.deepEqual(held(patched(linked, { 0: { shelf_mark: 'PZ 3 .T6', status: 'On loan' } })), [
      '=852  0\\$81$aBE-GNT$bWest$hPZ 3$i.T5$xBought',
      '=852  8\\$82$aBE-GNT$jOther$p7001',
      '=852  0\\$83$aBE-GNT$bWest$hPZ 3$i.T6$xBought',
      '=866  41$81$a1990-2001$xChecked',
      '=866  41$83$a1990-2001$xChecked',
      '=876  3\\$83.1$p5001$jOn loan$xTorn$c12 EUR',
      '=876  3\\$81.2$p5002$jOn loan$xStained',
      '=876  3\\$82.1$jLost'
    ])
  })

  it('gets a composed 852 in another library, or with a value that the others lack', () => {
    for (const [change, composed] of [
      [{ library: 'BE-BRU/Noord' }, '$83$aBE-BRU$bNoord$jPZ 3 .T5'],
      [{ location: 'Cellar' }, '$83$aBE-GNT$bWest$cCellar$jPZ 3 .T5']
    ] as const) {
      const lines = held(patched(linked, { 1: change }))
      assert.equal(lines[2], `=852  8\\${composed}`)
      assert.deepEqual(lines.slice(-3, -1), [
        '=876  3\\$81.1$p5001$jAvailable$xTorn$c12 EUR',
        '=876  3\\$83.2$p5002$jOn loan$xStained'
      ])
    }
  })

  it('leaves it to the last one, and it goes with the copies that are deleted', () => {
    assert.deepEqual(held(patched(linked, { 0: { shelf_mark: 'A 1' }, 1: { shelf_mark: 'PZ 3 .T7' } })).slice(0, 3), [
      '=852  0\\$81$aBE-GNT$bWest$hPZ 3$i.T7$xBought',
      '=852  8\\$82$aBE-GNT$jOther$p7001',
      '=852  8\\$83$aBE-GNT$bWest$jA 1'
    ])
    const alone = patched(linked, { 0: 'deleted', 1: { shelf_mark: 'PZ 3 .T7' } })
    assert.deepEqual(
      readItems(alone).map(({ metadata }) => metadata.find(each => each.key === 'shelf_mark')?.value),
      ['Other', 'PZ 3 .T7']
    )
  })

  it('links the others to theirs where that was the only one', () => {
    const source = marcFrom(
      'sea',
      `245 10 $aThe sea
852 8# $aBE-GNT$jSea 1
876 ## $p1$xTorn
877 1# $p2$xStained`
    )
    const after = patched(source, { 1: { shelf_mark: 'Sea 2' } })
    assert.deepEqual(held(after), [
      '=852  8\\$81$aBE-GNT$jSea 1',
      '=852  8\\$82$aBE-GNT$jSea 2',
      '=876  \\\\$81$p1$xTorn',
      '=877  1\\$82$p2$xStained'
    ])
    assert.equal(patched(source, {}), source)
  })
})
