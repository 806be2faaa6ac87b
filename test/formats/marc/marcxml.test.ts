import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { marcXmlHead, marcXmlTail, readMarcXml, writeMarcXml } from '#formats/marc/marcxml.ts'
import type { MarcRecord } from '#formats/marc/record.ts'
import { all, inChunks, recordOf, textOf, told } from './marc-files.ts'

const read = (text: string | Buffer, size = 65_536, maxRecordBytes?: number) =>
  all(readMarcXml(inChunks(Buffer.from(text), size), maxRecordBytes === undefined ? {} : { maxRecordBytes }))

const record = (
  number: string,
  rest = '<datafield tag="245" ind1="1" ind2="0"><subfield code="a">Titel</subfield></datafield>'
) => `<record><leader>00000nam a2200000 a 4500</leader><controlfield tag="001">${number}</controlfield>${rest}</record>`
const collection = (...records: string[]) =>
  `<?xml version="1.0"?>\n<collection xmlns="http://www.loc.gov/MARC21/slim">${records.join('\n')}</collection>`

describe('Reading MARCXML', () => {
  it('gives each record with its fields, its place and its text', async () => {
    const file = collection(record('één'), record('two'))
    const readings = await read(file)
    assert.deepEqual(readings.map(told), ['record één', 'record two'])
    assert.deepEqual(recordOf(readings[1]), {
      leader: '00000nam a2200000 a 4500',
      fields: [
        { tag: '001', value: 'two' },
        { tag: '245', indicators: '10', subfields: [{ code: 'a', value: 'Titel' }] }
      ]
    })
    const { position, source } = readings[1] ?? {}
    assert.equal(Buffer.from(source ?? []).toString(), record('two'))
    assert.deepEqual(
      Buffer.from(file).subarray(position?.offset, (position?.offset ?? 0) + (position?.length ?? 0)),
      Buffer.from(source ?? [])
    )
  })

  it('reads the same whatever the size of the chunks', async () => {
    const file = collection(
      record(
        'a',
        '<datafield tag="500" ind1=" " ind2=" "><subfield code="a">A &amp; B<!-- x --><![CDATA[ <C>]]> é𝒳</subfield></datafield>'
      ),
      record('b')
    )
    const whole = await read(file)
    assert.equal(textOf(recordOf(whole[0]), '500'), '  $aA & B <C> é𝒳')
    for (const size of [1, 3, 50]) assert.deepEqual(await read(file, size), whole)
  })

  it('takes prefixes, a record without a collection, and files in UTF-16 and Latin-1', async () => {
    const prefixed = record('p').replaceAll(/<(\/?)/g, '<$1marc:')
    assert.deepEqual(
      (await read(prefixed.replace('<marc:record>', '<marc:record xmlns:marc="http://www.loc.gov/MARC21/slim">'))).map(
        told
      ),
      ['record p']
    )
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(collection(record('é')), 'utf16le')])
    assert.deepEqual((await read(utf16)).map(told), ['record é'])
    const latin1 = Buffer.from(collection(record('é')).replace('"1.0"', '"1.0" encoding="ISO-8859-1"'), 'latin1')
    assert.deepEqual((await read(latin1)).map(told), ['record é'])
  })

  it('finds records in an answer of OAI-PMH, and deletions', async () => {
    const file = `<OAI-PMH><ListRecords>
      <record><header><identifier>oai:x:1</identifier></header><metadata>${record('x1')}</metadata></record>
      <record><header status="deleted"><identifier>oai:x:2</identifier></header></record>
      <record><header><identifier>oai:x:3</identifier></header><metadata>${record('x3')}</metadata></record></ListRecords></OAI-PMH>`
    const readings = await read(file)
    assert.deepEqual(readings.map(told), ['record x1', 'deletion -', 'record x3'])
    const deletion = readings[1]
    assert.equal(deletion?.outcome === 'deletion' && deletion.oaiIdentifier, 'oai:x:2')
  })

  const defects: readonly [what: string, record: string, told: string][] = [
    ['no leader', record('x').replace(/<leader>.*<\/leader>/, ''), 'record x bad_leader'],
    ['a short leader', record('x').replace('00000nam a2200000 a 4500', 'nam'), 'record x bad_leader'],
    [
      'a subfield without a code',
      record('x', '<datafield tag="245" ind1=" " ind2=" "><subfield>T</subfield></datafield>'),
      'record x bad_subfield'
    ],
    [
      'a field without a tag',
      record('x', '<datafield ind1=" " ind2=" "><subfield code="a">T</subfield></datafield>'),
      'record x bad_field'
    ],
    ['an empty field', record('x', '<datafield tag="500" ind1=" " ind2=" "></datafield>'), 'record x empty_field'],
    ['no control number', record('x').replace(/<controlfield.*?<\/controlfield>/, ''), 'record - no_control_number'],
    ['nothing in it', '<record></record>', 'unreadable - not_marc'],
    ['a missing end tag', record('x').replace('</subfield>', ''), 'unreadable x not_well_formed'],
    ['a character that is not allowed', record('x').replace('Titel', 'A&#0;B'), 'unreadable x not_well_formed'],
    ['an entity that is not declared', record('x').replace('Titel', '&eacute;'), 'unreadable x not_well_formed'],
    ['a bare ampersand', record('x').replace('Titel', 'A & B'), 'unreadable x not_well_formed'],
    ['bytes that are not UTF-8', record('x').replace('Titel', '\ufffd'), 'record x undecodable']
  ]
  for (const [what, broken, expected] of defects) {
    it(`tells a record with ${what}, and goes on`, async () => {
      const readings = await read(collection(record('before'), broken, record('after')))
      assert.deepEqual(readings.map(told), ['record before', expected, 'record after'])
    })
  }

  it('gives no record twice when one has no end, and holds none of them', async () => {
    const open = record('open').replace('</record>', '')
    const readings = await read(
      collection(open, ...Array.from({ length: 50 }, (_, index) => record(`r${index}`))),
      1000,
      2_000
    )
    const others = Array.from({ length: 50 }, (_, index) => `record r${index}`)
    assert.deepEqual(readings.map(told), ['unreadable open not_well_formed', ...others])
  })

  it('tells a file that ends within a record, and one that is no XML', async () => {
    assert.deepEqual((await read(collection(record('a'), record('b')).slice(0, -40))).map(told), [
      'record a',
      'unreadable b not_well_formed'
    ])
    assert.deepEqual((await read('<collection>')).map(told), ['unreadable - not_well_formed'])
    assert.deepEqual((await read('not xml')).map(told), ['unreadable - not_well_formed'])
  })

  it('refuses a document type: nothing is expanded and nothing fetched', async () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 20 }, (_, index) => `<!ENTITY a${index} "&a;&a;&a;&a;">`).join('')}]>${record('x', '&a19;')}`
    assert.deepEqual((await read(bomb)).map(told), ['unreadable - refused'])
    const outside = `<!DOCTYPE x SYSTEM "file:///etc/passwd">${record('x')}`
    assert.deepEqual((await read(outside, 3)).map(told), ['unreadable - refused'])
  })

  it('holds no more than its limit: of a record, a text, a tag, a depth', async () => {
    const long = 'x'.repeat(300_000)
    const field = (text: string) =>
      `<datafield tag="500" ind1=" " ind2=" "><subfield code="a">${text}</subfield></datafield>`
    const many = record('many', field('y'.repeat(1_000)).repeat(300))
    assert.deepEqual((await read(collection(many, record('after')), 1000, 100_000)).map(told), [
      'unreadable many over_limit',
      'record after'
    ])
    assert.deepEqual((await read(collection(record('text', field(long)), record('after')), 1000, 100_000)).map(told), [
      'unreadable text over_limit',
      'record after'
    ])
    assert.deepEqual((await read(`<a b="${long}`, 1000, 100_000)).map(told), ['unreadable - over_limit'])
    assert.deepEqual((await read('<a>'.repeat(10_000))).map(told), ['unreadable - not_well_formed'])
  })
})

describe('Writing MARCXML', () => {
  it('gives a record that reads back as the same', async () => {
    const odd: MarcRecord = {
      leader: '00000nam a2200000 a 4500',
      fields: [
        { tag: '001', value: ' a<b>&"c\' ' },
        { tag: '245', indicators: '1"', subfields: [{ code: '&', value: ' x\ty\r\nz ]]> 𝒳\u0085 ' }] }
      ]
    }
    const alone = await read(writeMarcXml(odd))
    assert.deepEqual(recordOf(alone[0]), odd)
    const within = await read(marcXmlHead + writeMarcXml(odd, { isWithinCollection: true }).repeat(2) + marcXmlTail)
    assert.deepEqual(within.map(recordOf), [odd, odd])
  })

  it('replaces what XML cannot hold', async () => {
    const [reading] = await read(
      writeMarcXml({ leader: '00000nam a2200000 a 4500', fields: [{ tag: '001', value: 'a\u0001\ud800b' }] })
    )
    assert.equal(reading?.controlNumber, 'a\ufffd\ufffdb')
  })
})
