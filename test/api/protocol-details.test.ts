import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { importWithRemarks } from '../support/services/import-file.ts'
import { marcFile } from '../support/records/marc-files.ts'
import { start } from '../support/services/start.ts'
import { assertValid } from '../support/oracles/validate-xml.ts'

/* Details of requests by programs of libraries and by browsers. */

const publicUrl = 'https://catalogue.example.org'
const service = await start({ after }, { PUBLIC_URL: publicUrl })
const { remarks } = await importWithRemarks(
  service,
  marcFile({
    tide: '020 ## $a9789025701017\n100 1# $aLind, Eva$4oth\n245 14 $aThe tide /$cEva Lind.\n700 1# $aMaes, Jan,$epreface.\n700 1# $aClaes, An,$ebinder.'
  })
)
const { id } = (await service.get('/entities/tide')).body
await service.patch(`/entities/${id}`, {
  identifiers: [id, 'urn:isbn:9789025701017', 'urn:uuid:5b2fd9e1-7d9c-4f9f-8a53-111111111111', 'tide']
})

describe('A publication', () => {
  it('has the roles of its record, also those in plain words', () => {
    assert.deepEqual(
      remarks.filter((each: { remarks: string[] }) => each.remarks.some(text => text.includes('role'))),
      []
    )
  })

  it('leads from a reference manager to its page', async () => {
    const { text } = await service.get(`/entities/${id}?format=ris`)
    assert.match(text, new RegExp(`^UR {2}- ${publicUrl}/record/${id}\\r$`, 'm'))
  })

  it('has its ISBN once in MODS, and addresses as such', async () => {
    const { text } = await service.get(`/entities/${id}?format=mods`)
    assert.deepEqual(
      [...text.matchAll(/<identifier type="(\w+)">([^<]*)</g)].map(([, type, value]) => `${type} ${value}`),
      ['isbn 9789025701017', 'local tide', 'uri urn:uuid:5b2fd9e1-7d9c-4f9f-8a53-111111111111']
    )
  })

  it('is a page for a client that takes nothing but HTML, and data for others', async () => {
    const page = await service.get(`/entities/${id}`, { headers: { accept: 'text/html' } })
    assert.deepEqual([page.status, page.headers.location], [303, `${publicUrl}/record/${id}`])
    const data = await service.get(`/entities/${id}`, { headers: { accept: 'text/html, application/json;q=0.5' } })
    assert.deepEqual([data.status, data.body.id], [200, id])
  })
})

describe('The protocols of libraries', () => {
  it('answer a browser in XML', async () => {
    for (const path of ['/sru', '/oai?verb=Identify']) {
      const answer = await service.get(path, { headers: { accept: 'text/html' } })
      assert.equal(answer.status, 200, path)
      assert.match(String(answer.headers['content-type']), /xml/)
    }
  })

  it('describe themselves with their methods', async () => {
    const { text } = await service.get('/sru?version=1.2&operation=explain')
    assert.match(text, /<(?:\w+:)?serverInfo [^>]*method="GET POST"/)
  })

  it('refuse a mask in an identifier by a diagnostic, and not by an empty list', async () => {
    const ask = async (query: string) =>
      (await service.get(`/sru?version=1.2&operation=searchRetrieve&query=${encodeURIComponent(query)}`)).text
    for (const index of ['dc.identifier', 'bath.isbn', 'rec.id'])
      assert.match(await ask(`${index}=978*`), /diagnostic\/1\/28</, index)
    assert.match(await ask('dc.identifier=9789025701017'), /numberOfRecords>1</)
  })

  it('never repeat an identifier that is no URI, so that every answer is valid', async () => {
    for (const identifier of ['%25%25', 'http://[x', 'a%20b', ':', '%E0%A4']) {
      const { text } = await service.get(`/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=${identifier}`)
      assert.match(text, /idDoesNotExist|badArgument/)
      assert.doesNotMatch(text, /<request [^>]*identifier=/)
      await assertValid(text)
    }
  })
})
