import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { readMarc } from '#formats/marc/read-marc.ts'
import { all, inChunks, recordOf, textOf, told } from './marc-files.ts'

const read = (text: string | Buffer, size = 65_536, maxRecordBytes?: number) =>
  all(readMarc(inChunks(Buffer.from(text as string), size), maxRecordBytes === undefined ? {} : { maxRecordBytes }))

const tide = `000000228 FMT   L BK
000000228 LDR   L ^^^^^cam^a22^^^^^^a^4500
000000228 008   L 880715s1951^^^^be^^^^^^^^^^^^000^1^eng^d
000000228 1001  L $$aVerhoeven, Mila,$$d1911-1984
000000228 24514 L $$aThe tide for $5 /$$cMila Verhoeven.
000000228 CAT   L $$aUSER01$$b00$$c20240105
`
const ferry = tide.replaceAll('000000228', '000000794').replace('The tide', 'The ferry')

describe('Aleph sequential', () => {
  it('is read as records of MARC, with the number of the lines as control number', async () => {
    for (const size of [1, 50, 65_536]) {
      const readings = await read(`\ufeff${tide}${ferry.replaceAll('\n', '\r\n')}`, size)
      assert.deepEqual(readings.map(told), ['record 000000228', 'record 000000794'])
      const record = recordOf(readings[1])
      assert.equal(record?.leader, '     cam a22      a 4500')
      assert.equal(textOf(record, '008'), '880715s1951    be            000 1 eng d')
      assert.equal(textOf(record, '100'), '1 $aVerhoeven, Mila,$d1911-1984')
      assert.equal(textOf(record, '245'), '14$aThe ferry for $5 /$cMila Verhoeven.')
      assert.equal(textOf(record, 'CAT'), '  $aUSER01$b00$c20240105')
      assert.ok(readings.every(each => each.form === 'aleph'))
    }
  })

  it('has blanks for circumflexes and number signs, in coded fields, indicators and before a text', async () => {
    const [reading] = await read(
      tide
        .replace('be^^^^^^^^^^^^000^1^eng^d', 'be############000#1#eng#d')
        .concat('000000228 300## L $$a^^^svazků ;$$c22 cm C#\n')
    )
    const record = recordOf(reading)
    assert.equal(textOf(record, '008'), '880715s1951    be            000 1 eng d')
    assert.equal(textOf(record, '300'), '  $a   svazků ;$c22 cm C#')
  })

  it('has them too in MARCXML of Aleph, but not where the leader has blanks', async () => {
    const xml = (leader: string) =>
      `<record xmlns="http://www.loc.gov/MARC21/slim"><leader>${leader}</leader><controlfield tag="001">1#</controlfield><controlfield tag="008">850423s1985^^^^xxu</controlfield><datafield tag="300" ind1="^" ind2="#"><subfield code="a">^2 p.</subfield></datafield></record>`
    const fieldsOf = async (leader: string) => {
      const record = recordOf((await read(xml(leader)))[0])
      return [record?.leader, ...['001', '008', '300'].map(tag => textOf(record, tag))]
    }
    assert.deepEqual(await fieldsOf('^^^^^nam^^2200289^a^4500'), [
      '     nam  2200289 a 4500',
      '1#',
      '850423s1985    xxu',
      '  $a^2 p.'
    ])
    assert.deepEqual((await fieldsOf('     nam  2200289 a 4500')).slice(2), ['850423s1985^^^^xxu', '^#$a^2 p.'])
  })

  it('gives each record its own bytes, blank lines between included', async () => {
    const gap = tide.replace('000000228 24514', ' \t\r\n\n000000228 24514')
    const file = Buffer.from(`${gap}\n${ferry}`)
    const readings = await read(file)
    assert.deepEqual(
      readings.map(({ source }) => Buffer.from(source).toString()),
      [gap.slice(0, -1), ferry.slice(0, -1)]
    )
    for (const { position, source } of readings)
      assert.deepEqual(file.subarray(position.offset, position.offset + position.length), Buffer.from(source))
  })

  it('takes any indicators, and values that end with a dollar sign', async () => {
    const [reading] = await read(`${tide}000000228 500## L $$aPaid in $$$bcash\n`)
    assert.equal(reading === undefined ? '' : told(reading), 'record 000000228')
    assert.equal(textOf(recordOf(reading), '500'), '  $aPaid in $$bcash')
  })

  it('takes the leader from the format where there is no leader, and the own number of a record', async () => {
    const without = (format: string) =>
      ferry.replace(/.*LDR.*\n/, '').replace('L BK', `L ${format}\n000000794 001   L ocm1`)
    assert.deepEqual((await read(without('MP'))).map(told), ['record ocm1'])
    assert.equal(recordOf((await read(without('MP')))[0])?.leader, '00000nem a2200000   4500')
    assert.deepEqual((await read(without('??'))).map(told), ['record ocm1 bad_leader'])
  })

  it('says which record was deleted', async () => {
    assert.deepEqual((await read(`${tide}000000228 DEL   L $$aY\n${ferry}`)).map(told), [
      'deletion 000000228',
      'record 000000794'
    ])
  })

  it('names the line that is wrong, and reads the others', async () => {
    const cases: readonly [string, string, RegExp][] = [
      ['Hello', 'bad_field', /^Line 7: not a record number.*"Hello"/],
      ['000000228 2', 'bad_field', /^Line 7/],
      ['000000228 500   L ', 'empty_field', /^Line 7: the field 500 is empty/],
      ['000000228 500   L $$', 'bad_subfield empty_field', /^Line 7/],
      ['000000228 500   L A note', 'bad_field', /^Line 7: the field 500 does not begin with a subfield/]
    ]
    for (const [line, kinds, message] of cases) {
      const readings = await read(`${tide}${line}\n${ferry}`)
      assert.deepEqual(readings.map(told), [`record 000000228 ${kinds}`, 'record 000000794'], line)
      assert.match(readings[0]?.defects[0]?.message ?? '', message)
    }
    const latin = Buffer.concat([Buffer.from(tide), Buffer.from('000000228 500   L $$aCaf\xe9\n', 'latin1')])
    assert.deepEqual((await read(latin)).map(told), ['record 000000228 undecodable'])
    assert.deepEqual((await read(`${tide}000000500 ?\n${ferry}`)).map(told), [
      'record 000000228',
      'unreadable 000000500 bad_field not_marc',
      'record 000000794'
    ])
  })

  it('leaves out a record over the limit', async () => {
    const long = tide.replace('The tide', 'y'.repeat(20_000))
    for (const size of [1000, 65_536])
      assert.deepEqual((await read(long + ferry, size, 5_000)).map(told), [
        'unreadable 000000228 over_limit',
        'record 000000794'
      ])
  })
})
