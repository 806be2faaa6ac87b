import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { readMarcJson, writeMarcJson } from '#formats/marc/marc-json.ts'
import { readMrk, writeMrk } from '#formats/marc/mrk.ts'
import type { MarcRecord } from '#formats/marc/record.ts'
import { all, inChunks, recordOf, textOf, told } from './marc-files.ts'

const leader = '00000nam a2200000 a 4500'
const book = (number: string): MarcRecord => ({
  leader,
  fields: [
    { tag: '001', value: number },
    { tag: '245', indicators: '10', subfields: [{ code: 'a', value: 'Été {1} $2 \\ 日本' }] }
  ]
})

describe('MARC-in-JSON', () => {
  const read = (text: string | Buffer, size = 65_536, maxRecordBytes?: number) =>
    all(readMarcJson(inChunks(Buffer.from(text), size), maxRecordBytes === undefined ? {} : { maxRecordBytes }))
  const json = (number: string) => writeMarcJson(book(number))

  it('is written as its specification has it', () => {
    assert.equal(
      json('x'),
      '{"leader":"00000nam a2200000 a 4500","fields":[{"001":"x"},{"245":{"ind1":"1","ind2":"0","subfields":[{"a":"Été {1} $2 \\\\ 日本"}]}}]}'
    )
  })

  it('is read as one object, an array, or one on each line, whatever the size of the chunks', async () => {
    for (const text of [
      `[${json('a')}, ${json('b')}]`,
      `${json('a')}\n${json('b')}\n`,
      JSON.stringify(
        [book('a'), book('b')].map(each => JSON.parse(writeMarcJson(each))),
        null,
        2
      )
    ])
      for (const size of [1, 7, 65_536]) {
        const readings = await read(text, size)
        assert.deepEqual(readings.map(told), ['record a', 'record b'])
        assert.deepEqual(readings.map(recordOf), [book('a'), book('b')])
      }
    const [, second] = await read(`[${json('é')}, ${json('b')}]`)
    assert.equal(second?.position.offset, Buffer.byteLength(`[${json('é')}, `))
    assert.equal(Buffer.from(second?.source ?? []).toString(), json('b'))
  })

  it('is read with members for tag and code too', async () => {
    const text = JSON.stringify({
      leader,
      fields: [
        { tag: '001', value: 'x' },
        { tag: '245', ind1: '1', ind2: ' ', subfields: [{ code: 'a', value: 'T' }] }
      ]
    })
    assert.equal(textOf(recordOf((await read(text))[0]), '245'), '1 $aT')
  })

  const defects: readonly [what: string, text: string, told: readonly string[]][] = [
    ['no leader', '{"fields":[{"001":"x"}]}', ['record x bad_leader']],
    ['no fields', '{"leader":"x"}', ['unreadable - not_marc']],
    [
      'a field that is no object',
      `{"leader":"${leader}","fields":[{"001":"x"},5,null]}`,
      ['record x bad_field bad_field']
    ],
    ['a field without subfields', `{"leader":"${leader}","fields":[{"001":"x"},{"245":{}}]}`, ['record x bad_field']],
    [
      'a subfield that is no text',
      `{"leader":"${leader}","fields":[{"001":"x"},{"245":{"subfields":[{"a":1},{"b":"T"}]}}]}`,
      ['record x bad_subfield']
    ],
    [
      'control characters',
      `{"leader":"${leader}","fields":[{"001":"x\\u0000\\u001e"}]}`,
      ['record x control_characters']
    ],
    [
      'half of a character',
      `{"leader":"${leader}","fields":[{"001":"x"},{"500":"\\ud800"}]}`,
      ['record x undecodable']
    ],
    ['a bracket too few', `{"leader":"${leader}","fields":[{"001":"x"}`, ['unreadable x not_well_formed']],
    ['a text without an end', `{"leader":"${leader}","fields":[{"001":"x}]}`, ['unreadable - not_well_formed']],
    ['a word that is not JSON', '{"leader":nothing}', ['unreadable - not_well_formed']],
    ['something else between', 'Hello', ['unreadable - not_well_formed']]
  ]
  for (const [what, text, expected] of defects) {
    it(`with ${what} is told, and the rest is read`, async () => {
      const readings = await read(`${json('before')}\n${text}\n${json('after')}\n`)
      assert.deepEqual(readings.map(told), ['record before', ...expected, 'record after'])
    })
  }

  it('that ends within a record is told; over the limit it is left out', async () => {
    assert.deepEqual((await read(json('x').slice(0, -5))).map(told), ['unreadable x truncated'])
    const long = json('x').replace('Été', 'y'.repeat(200_000))
    assert.deepEqual((await read(`${long}\n${json('b')}`, 1000, 50_000)).map(told), [
      'unreadable x over_limit',
      'record b'
    ])
  })
})

describe('The lines of .mrk', () => {
  const read = (text: string, size = 65_536, maxRecordBytes?: number) =>
    all(readMrk(inChunks(Buffer.from(text), size), maxRecordBytes === undefined ? {} : { maxRecordBytes }))
  const lines = (number: string) =>
    `=LDR  00000nam\\a2200000\\a\\4500\n=001  ${number}\n=008  970513s1997\\\\\\\\be\n=245  1\\$aEen titel /$cAn.\n\n`

  it('are read with their blanks, records apart by a blank line or a new leader', async () => {
    for (const size of [1, 9, 65_536]) {
      const readings = await read(`${lines('a') + lines('b').trimEnd()}\n${lines('c').replaceAll('\n', '\r\n')}`, size)
      assert.deepEqual(readings.map(told), ['record a', 'record b', 'record c'])
      assert.equal(recordOf(readings[2])?.leader, leader)
      assert.equal(textOf(recordOf(readings[2]), '008'), '970513s1997    be')
      assert.equal(textOf(recordOf(readings[2]), '245'), '1 $aEen titel /$cAn.')
    }
  })

  it('hold names for characters, those of marks before the letter', async () => {
    const [reading] = await read(
      lines('a').replace('Een titel', 'caf{acute}e {dollar}5 {lcub}x{rcub} S{llig}i{rlig}a {AElig}{unknown}')
    )
    assert.equal(textOf(recordOf(reading), '245')?.normalize('NFC'), '1 $acafé $5 {x} Si͡a Æ{unknown} /$cAn.')
  })

  it('read back as what was written', async () => {
    const odd: MarcRecord = {
      ...book('x'),
      fields: [
        ...book('x').fields,
        { tag: '500', indicators: '  ', subfields: [{ code: 'a', value: ' {dollar} \n\r\t\\ ' }] }
      ]
    }
    assert.deepEqual(recordOf((await read(writeMrk(odd)))[0]), odd)
  })

  it('that are broken are told, and the rest is read', async () => {
    const cases: readonly [string, string][] = [
      ['=LDR  short\n=001  x\n', 'record x bad_leader'],
      ['=001  x\n=245  10$aT\n', 'record x bad_leader'],
      ['=LDR  00000nam\\a2200000\\a\\4500\n=001  x\n=245  T without subfields\n', 'record x bad_field'],
      ['=LDR  00000nam\\a2200000\\a\\4500\n=001  x\n=245  10$aT\ngoes on\n', 'record x bad_field'],
      ['=LDR  00000nam\\a2200000\\a\\4500\n=001  x\n=245  10$aT$\n', 'record x bad_subfield'],
      ['=LDR  00000nam\\a2200000\\a\\4500\n=001  x\n=500  \n', 'record x empty_field'],
      ['Hello\n', 'unreadable - bad_field not_marc']
    ]
    for (const [text, expected] of cases)
      assert.deepEqual((await read(`${lines('a')}${text}\n${lines('b')}`)).map(told), [
        'record a',
        expected,
        'record b'
      ])
    const long = lines('x').replace('Een', 'y'.repeat(200_000))
    assert.deepEqual((await read(long + lines('b'), 1000, 50_000)).map(told), ['unreadable x over_limit', 'record b'])
  })
})
