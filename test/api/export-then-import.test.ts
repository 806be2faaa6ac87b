import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'

import { formatNames } from '#protocols/formats/registry.ts'
import { importWithRemarks } from '../support/services/import-file.ts'
import { adminToken, start } from '../support/services/start.ts'

/* A catalogue takes its own export back: every record is found again, and none is made. */

const service = await start({ after })

const importFile = (payload: Buffer, type: string) => importWithRemarks(service, payload, { type })

for (const file of ['vocabularies', 'people', 'books'])
  await importFile(readFileSync(new URL(`../../sample/${file}.ndjson`, import.meta.url)), 'application/x-ndjson')

const exported = async (format: string) => {
  const headers = { authorization: `Bearer ${adminToken}` }
  const answer = await service.app.inject({ method: 'GET', url: `/export?format=${format}`, headers })
  assert.equal(answer.statusCode, 200, answer.body)
  return { file: answer.rawPayload, type: String(answer.headers['content-type']) }
}

/** The whole catalogue, with the version of each record. */
const content = async () => (await exported('ndjson')).file.toString()

const inRdf = ['turtle', 'ntriples', 'rdfxml', 'jsonld']
/** Formats that keep the number of a record, by which it is found again. */
const inMarc = ['marc21', 'marcxml', 'marcjson', 'mrk']
/** Dublin Core has no place for the number: its records would be new ones. */
const numberless = ['dc']

describe('A catalogue that imports its own export', () => {
  for (const [format, records] of [['ndjson', 322], ...inMarc.map(format => [format, 60] as const)] as const)
    it(`finds every record again: ${format}`, async () => {
      const before = await content()
      const { file, type } = await exported(format)
      const { counts, remarks } = await importFile(file, type)
      assert.deepEqual([counts.unchanged, counts.created, counts.updated, counts.unreadable], [records, 0, 0, 0])
      assert.deepEqual(remarks, [])
      assert.equal(await content(), before)
    })

  it('takes the table that it wrote back by PUT /entities, where it changes nothing', async () => {
    const before = await content()
    const { file, type } = await exported('csv&type=manifestation')
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': type }
    const answer = await service.app.inject({ method: 'PUT', url: '/entities', headers, payload: file })
    assert.equal(answer.statusCode, 200, answer.body)
    assert.deepEqual([answer.json().entities.length, answer.json().errors], [60, []])
    assert.equal(await content(), before)
  })

  // Authority records are entities of their own, in a file for other catalogues.
  const forOthers = ['marcauth']

  it('makes nothing of a format that is for other programs, and says why', async () => {
    const before = await content()
    for (const format of formatNames.filter(
      each => !['ndjson', 'mods', ...inMarc, ...inRdf, ...numberless, ...forOthers].includes(each)
    )) {
      const { file } = await exported(format)
      const { counts, remarks } = await importFile(file, 'application/octet-stream')
      assert.deepEqual([counts.created, counts.updated, counts.unreadable > 0], [0, 0, true], format)
      assert.match(remarks[0].remarks.join(), format === 'csv' ? /PUT \/entities/ : /\w/, format)
    }
    assert.equal(await content(), before)
  })

  for (const format of inRdf)
    it(`knows its own records in ${format}, and changes none`, async () => {
      const before = await content()
      const { file } = await exported(format)
      const { counts } = await importFile(file, 'application/octet-stream')
      assert.deepEqual([counts.unchanged, counts.created, counts.updated], [60, 0, 0])
      assert.equal(await content(), before)
    })

  it('knows its own records in MODS, which says less of them, and changes none', async () => {
    const before = await content()
    const { file } = await exported('mods')
    const { counts, remarks } = await importFile(file, 'application/octet-stream')
    assert.deepEqual([counts.unchanged, counts.created, counts.unreadable], [60, 0, 0])
    assert.match(remarks[0].remarks.join(), /record of this catalogue/)
    assert.equal(await content(), before)
  })

  it('does not change a record by a file with other values, and says so', async () => {
    const before = await content()
    const { file } = await exported('marcxml')
    const edited = Buffer.from(file.toString().replace('>Hamlet', '>Hamlet, prins'))
    assert.notDeepEqual(edited, file)
    const { counts, remarks } = await importFile(edited, 'application/marcxml+xml')
    assert.deepEqual([counts.unchanged, counts.created, remarks.length], [60, 0, 1])
    assert.match(remarks[0].remarks.join(), /record of this catalogue/)
    assert.equal(await content(), before)
  })

  it('makes a record of another catalogue that has the number of one of its own', async () => {
    const { file } = await exported('marcxml')
    const [record = ''] = /<(?:marc:)?record[\s\S]*?<\/(?:marc:)?record>/.exec(file.toString()) ?? []
    const [own = ''] = /<(?:marc:)?controlfield tag="001">[^<]*/.exec(record) ?? []
    const foreign = `<collection xmlns="http://www.loc.gov/MARC21/slim"><record><leader>00000nam a2200000 a 4500</leader>
      ${own}</controlfield><controlfield tag="003">Libretto</controlfield>
      <datafield tag="245" ind1="0" ind2="0"><subfield code="a">Zeewier in de Oosterschelde</subfield></datafield></record></collection>`
    const { counts } = await importFile(Buffer.from(foreign), 'application/marcxml+xml')
    assert.deepEqual([counts.unchanged, counts.created], [0, 1])
  })
})
