import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { readIso2709 } from '#formats/marc/iso2709.ts'
import type { ReadRecord } from '#formats/marc/reading.ts'
import { all, type Field, iso, textOf } from './marc-files.ts'

const utf8 = '00000nam a2200000 a 4500'
const marc8 = '00000nam  2200000 a 4500'

/** Reads a title that is given in bytes; other fields may stand beside it. */
async function readTitle(title: Buffer, leader: string, others: readonly Field[] = []) {
  const field = Buffer.concat([Buffer.from('10\u001fa'), title])
  const [reading] = await all(readIso2709([iso([['001', 'x'], ['245', field], ...others], { leader })]))
  assert.equal(reading?.outcome, 'record')
  const { record, encoding, defects } = reading as ReadRecord
  return {
    title: textOf(record, '245')?.slice(4).normalize('NFC'),
    encoding,
    defects: defects.map(each => each.kind),
    record
  }
}
const latin1 = (text: string) => Buffer.from(text, 'latin1')

describe('The encoding of a record', () => {
  it('is what its leader says, when the bytes agree', async () => {
    assert.deepEqual((await readTitle(Buffer.from('Été'), utf8)).defects, [])
    const read = await readTitle(latin1('\xe2Et\xe2e'), marc8)
    assert.deepEqual([read.title, read.encoding, read.defects], ['Été', 'marc-8', []])
  })

  it('is UTF-8 when the bytes are, whatever the leader says; that is told', async () => {
    const read = await readTitle(Buffer.from('Été à Łódź'), marc8)
    assert.deepEqual([read.title, read.encoding, read.defects], ['Été à Łódź', 'utf-8', ['wrong_encoding']])
  })

  it('is Latin-1 under a leader that says UTF-8, when the bytes show it', async () => {
    for (const [bytes, title] of [
      [latin1('Un \xe9t\xe9 \xe0 la plage'), 'Un été à la plage'],
      [latin1('\x93Quoted\x94 \x96 dash'), '“Quoted” – dash'],
      [latin1('Die Stra\xdfe nach M\xfcnchen'), 'Die Straße nach München']
    ] as const) {
      const read = await readTitle(bytes, utf8)
      assert.deepEqual([read.title, read.encoding, read.defects], [title, 'windows-1252', ['wrong_encoding']])
    }
  })

  it('is MARC-8 under a leader that says UTF-8, when the bytes show it', async () => {
    const read = await readTitle(latin1('P\xe8aivi Pietil\xe8a, Dor\xe2o'), utf8)
    assert.deepEqual([read.title, read.encoding, read.defects], ['Päivi Pietilä, Doró', 'marc-8', ['wrong_encoding']])
    const escaped = await readTitle(latin1('\u001b(NrOSSIQ\u001b(B'), utf8)
    assert.deepEqual([escaped.title, escaped.encoding, escaped.defects], ['Россия', 'marc-8', ['wrong_encoding']])
  })

  it('is Latin-1 under a leader that says MARC-8, when two things in it cannot be MARC-8', async () => {
    const read = await readTitle(latin1('\xc9t\xe9 \xe0 la mer, d\xe9j\xe0'), marc8)
    assert.deepEqual(
      [read.title, read.encoding, read.defects],
      ['Été à la mer, déjà', 'windows-1252', ['wrong_encoding']]
    )
  })

  it('stays MARC-8 for one slip of the keyboard, which is told', async () => {
    const read = await readTitle(latin1('Will o\xe1 the wisp, Joaqu\xe2in'), marc8)
    assert.deepEqual([read.encoding, read.defects], ['marc-8', ['undecodable']])
  })

  it('may differ from field to field; each is read as what it is', async () => {
    const note: Field = ['500', Buffer.concat([Buffer.from('  \u001fa'), latin1('Un \xe9t\xe9 \xe0 Paris')])]
    const read = await readTitle(Buffer.from('Łódź'), utf8, [note])
    assert.deepEqual([read.title, read.encoding, read.defects], ['Łódź', 'mixed', ['wrong_encoding']])
    assert.equal(textOf(read.record, '500'), '  $aUn été à Paris')
  })

  it('leaves a replacement character where UTF-8 is damaged, and says so', async () => {
    const read = await readTitle(
      Buffer.concat([Buffer.from('Łódź '), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('.')]),
      utf8
    )
    assert.match(read.title ?? '', /^Łódź \ufffd+\.$/)
    assert.deepEqual([read.encoding, read.defects], ['utf-8', ['undecodable']])
  })

  it('leaves character references alone outside of MARC-8', async () => {
    assert.equal((await readTitle(Buffer.from('&#x4E00;'), utf8)).title, '&#x4E00;')
    assert.equal((await readTitle(Buffer.from('&#x4E00;'), marc8)).title, '一')
  })
})

describe('The encoding of a UNIMARC record', () => {
  const general = (sets: string): Field => ['100', `  $a19970701d1927    m  y0frey${sets}    ba`]
  const read = async (sets: string, title: Buffer) => {
    const leader = '00000nam  2200000   450 '
    const field = Buffer.concat([Buffer.from('1 \u001fa'), title])
    const [reading] = await all(readIso2709([iso([['001', 'x'], general(sets), ['200', field]], { leader })]))
    const { record, encoding, defects } = reading as ReadRecord
    return [textOf(record, '200')?.normalize('NFC'), encoding, ...defects.map(each => each.kind)]
  }

  it('stands in field 100: UTF-8 or ISO 5426', async () => {
    assert.deepEqual(await read('50  ', Buffer.from('École')), ['1 $aÉcole', 'utf-8'])
    assert.deepEqual(await read('0103', latin1('\xc2Ecole \xc2et\xc2e')), ['1 $aÉcole été', 'iso-5426'])
  })

  it('is UTF-8 when the bytes are, whatever field 100 says; that is told', async () => {
    assert.deepEqual(await read('0103', Buffer.from('École')), ['1 $aÉcole', 'utf-8', 'wrong_encoding'])
  })

  it('is Latin-1 when the bytes are neither', async () => {
    assert.deepEqual(await read('01  ', latin1('\xc9cole')), ['1 $aÉcole', 'windows-1252', 'wrong_encoding'])
  })
})
