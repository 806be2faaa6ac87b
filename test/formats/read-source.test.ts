import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { writeMarcJson } from '#formats/marc/marc-json.ts'
import { writeMarcXml } from '#formats/marc/marcxml.ts'
import { writeMrk } from '#formats/marc/mrk.ts'
import { readSource } from '#formats/source/read-source.ts'
import type { SourceItem, SourceOptions } from '#formats/source/source-item.ts'
import { marcFrom } from '../support/records/marc-lines.ts'
import { aBook, all, inChunks, iso } from './marc/marc-files.ts'

const read = (text: string | Buffer, options: SourceOptions = {}, size = 65_536) =>
  all(readSource(inChunks(Buffer.from(text as string), size), options))

/** An item in a few words. */
const told = (item: SourceItem) =>
  [
    item.outcome,
    item.format,
    item.position.number,
    'name' in item ? (item.name ?? '-') : 'entity' in item ? String(item.entity.id) : '',
    ...item.defects.map(each => each.kind)
  ].join(' ')

const entity = '{"id":"PERS-1","type":"person","metadata":[{"key":"name","value":"An"}]}'
const marc = marcFrom('b7', '245 10 $aTitel')

describe('A source of records', () => {
  it('is told by its first bytes, and gives each record with its name, its description and its evidence', async () => {
    const book = [...aBook('b7').slice(0, 1), ['003', 'BE-GnUNI'] as const, ...aBook('b7').slice(1)]
    const [item, ...others] = await read(iso(book))
    assert.equal(others.length, 0)
    assert.ok(item?.outcome === 'record')
    assert.equal(item.format, 'iso2709')
    assert.equal(item.name, '(BE-GnUNI)b7')
    assert.equal(item.evidence.record, '(BE-GnUNI)b7')
    assert.equal(item.description.manifestation.metadata[0]?.value, 'Een titel')
    assert.deepEqual(Buffer.from(item.source), iso(book))
  })

  it('is read alike in every form of MARC', async () => {
    for (const [format, text] of Object.entries({
      marcxml: writeMarcXml(marc),
      json: writeMarcJson(marc),
      mrk: writeMrk(marc)
    }))
      assert.deepEqual((await read(text)).map(told), [`record ${format} 1 b7`], format)
  })

  it('names a record by its content where it has no control number, the same each time', async () => {
    const [, ...rest] = aBook('x')
    const names = async () =>
      (await read(Buffer.concat([iso(rest), iso(aBook('y').slice(1))]))).map(each => ('name' in each ? each.name : ''))
    const [one = '', other] = await names()
    assert.match(one, /^sha256:[0-9a-f]{32}$/)
    assert.equal(one, other)
    assert.deepEqual(await names(), [one, other])
  })

  it('takes the agency it is told for records that name none', async () => {
    assert.deepEqual((await read(iso(aBook('b7')), { agency: 'BE-GnUNI' })).map(told), [
      'record iso2709 1 (BE-GnUNI)b7'
    ])
  })

  it('says of which record it tells that it is gone, and what could not be read', async () => {
    const gone = iso(aBook('b8'), { leader: '00000dam a2200000 a 4500' })
    const items = await read(Buffer.concat([iso(aBook('b7')), gone, Buffer.from('00500nam a22')]), { agency: 'X' })
    assert.deepEqual(items.map(told), [
      'record iso2709 1 (X)b7',
      'deletion iso2709 2 (X)b8',
      'unreadable iso2709 3 - truncated'
    ])
  })

  it('may be NDJSON of entities and of MARC-in-JSON, line by line, whatever is wrong with one of them', async () => {
    const lines = [entity, '', writeMarcJson(marc), '{"id":', '[1]', '{"name":"nobody"}', `  ${entity}\r`].join('\n')
    for (const size of [65_536, 7, 1])
      assert.deepEqual(
        (await read(lines, {}, size)).map(told),
        [
          'entity ndjson 1 PERS-1',
          'record json 3 b7',
          'unreadable ndjson 4 - not_well_formed',
          'unreadable ndjson 5 - not_a_record',
          'unreadable ndjson 6 - not_a_record',
          'entity ndjson 7 PERS-1'
        ],
        `in chunks of ${size}`
      )
    const [first, , , , , last] = await read(lines)
    assert.deepEqual(first?.position, { number: 1, offset: 0, length: entity.length })
    assert.equal(
      lines.slice(last?.position.offset, (last?.position.offset ?? 0) + (last?.position.length ?? 0)),
      `  ${entity}\r`
    )
  })

  it('may be an array of entities', async () => {
    assert.deepEqual((await read(`[\n ${entity},\n ${entity}\n]`)).map(told), [
      'entity ndjson 1 PERS-1',
      'entity ndjson 2 PERS-1'
    ])
  })

  it('passes over a line that is too long, and over one that is not UTF-8', async () => {
    const long = `{"type":"person","note":"${'x'.repeat(5_000)}"}`
    const latin = Buffer.from('{"type":"person","id":"\xe9"}', 'latin1')
    const items = await read(Buffer.concat([Buffer.from(`${entity}\n${long}\n`), latin, Buffer.from(`\n${entity}`)]), {
      maxRecordBytes: 1_000,
      format: 'ndjson'
    })
    assert.deepEqual(items.map(told), [
      'entity ndjson 1 PERS-1',
      'unreadable ndjson 2 - over_limit',
      'unreadable ndjson 3 - undecodable',
      'entity ndjson 4 PERS-1'
    ])
    assert.equal(items[1]?.position.length, long.length)
  })

  it('is one thing that cannot be read when it is in no known format, and nothing when it is empty', async () => {
    assert.deepEqual((await read('just words\nand more')).map(told), ['unreadable iso2709 1 - unknown_format'])
    assert.deepEqual(await read(''), [])
  })

  it('lets go of its file when reading stops early', async () => {
    let isClosed = false
    const chunks = (async function* () {
      try {
        for (let each = 0; ; each++) yield iso(aBook(`b${each}`))
      } finally {
        isClosed = true
      }
    })()
    for await (const item of readSource(chunks)) {
      assert.equal(item.outcome, 'record')
      break
    }
    assert.equal(isClosed, true)
  })
})
