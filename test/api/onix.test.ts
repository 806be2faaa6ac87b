import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { importPayload } from '../support/services/import-file.ts'
import { start } from '../support/services/start.ts'

/* Statements of publishers about a book and its makers are shown, and exported. */

const service = await start({ after }, { ANONYMOUS_ACCESS: 'read' })

const message = (biography: string, price: string) =>
  '<ONIXMessage release="3.0"><Header><Sender><SenderName>Zee</SenderName></Sender></Header><Product><RecordReference>r1</RecordReference>' +
  '<NotificationType>03</NotificationType><DescriptiveDetail><ProductForm>BB</ProductForm><TitleDetail><TitleType>01</TitleType>' +
  '<TitleElement><TitleElementLevel>01</TitleElementLevel><TitleText>De storm</TitleText></TitleElement></TitleDetail>' +
  `<Contributor><ContributorRole>A01</ContributorRole><PersonNameInverted>Berg, Anna</PersonNameInverted><BiographicalNote>${biography}</BiographicalNote></Contributor>` +
  '</DescriptiveDetail><CollateralDetail><SupportingResource><ResourceContentType>01</ResourceContentType><ResourceVersion>' +
  '<ResourceLink>https://zee.example/storm.jpg</ResourceLink></ResourceVersion></SupportingResource>' +
  '<Prize><PrizeName>Gouden Uil</PrizeName><PrizeYear>2009</PrizeYear><PrizeCode>04</PrizeCode></Prize></CollateralDetail>' +
  '<ProductSupply><SupplyDetail><ProductAvailability>21</ProductAvailability><Price><PriceType>02</PriceType>' +
  `<PriceAmount>${price}</PriceAmount><CurrencyCode>EUR</CurrencyCode></Price></SupplyDetail></ProductSupply></Product></ONIXMessage>`
const importMessage = (...parts: Parameters<typeof message>) =>
  importPayload(service, message(...parts), { type: 'application/xml' })

async function only(type: string) {
  const { body } = await service.filter([{ type: 'type', value: type }])
  assert.equal(body.count, 1, type)
  return body.results[0] as { id: string; metadata: { key: string; value: unknown }[] }
}
const valuesOf = ({ metadata }: Awaited<ReturnType<typeof only>>, key: string) =>
  metadata.filter(each => each.key === key).map(({ value }) => value)

describe('A product of a publisher', () => {
  it('is shown with its cover, prizes, availability, price and the biography of its author, and exported with them', async () => {
    const { counts } = await importMessage('Lives at sea.', '22.50')
    assert.equal(counts.created, 1)
    const book = await only('manifestation')
    assert.deepEqual(
      ['cover_link', 'award', 'terms_of_availability'].map(key => valuesOf(book, key)),
      [['https://zee.example/storm.jpg'], ['Gouden Uil, 2009: shortlisted'], ['in stock', 'EUR 22.50']]
    )
    const person = await only('person')
    assert.deepEqual(valuesOf(person, 'biography'), ['Lives at sea.'])

    const { text: page } = await service.get(`/record/${book.id}`, { token: undefined })
    for (const each of ['https://zee.example/storm.jpg', 'Gouden Uil, 2009: shortlisted', 'EUR 22.50'])
      assert.ok(page.includes(each), each)
    assert.match((await service.get(`/record/${person.id}`, { token: undefined })).text, /Lives at sea\./)

    const { text: marc } = await service.get(`/entities/${book.id}?format=mrk`)
    assert.match(marc, /=586 {2}\\\\\$aGouden Uil, 2009: shortlisted/)
    assert.match(marc, /=020 {2}\\\\\$cEUR 22\.50/)
    const { text: schema } = await service.get(`/entities/${book.id}?format=schema`)
    assert.match(schema, /"award":\s*"Gouden Uil, 2009: shortlisted"/)
    assert.match(schema, /"image":\s*\{"@id":"https:\/\/zee\.example\/storm\.jpg"/)
    assert.match((await service.get(`/entities/${book.id}?format=mods`)).text, /<note type="awards">Gouden Uil/)
    assert.match((await service.get(`/entities/${person.id}?format=marcauth`)).text, /tag="678"[\s\S]*Lives at sea\./)
  })

  it('follows the next message: a new price and biography take the place of the old', async () => {
    await importMessage('Lives in town.', '24.00')
    assert.deepEqual(valuesOf(await only('manifestation'), 'terms_of_availability'), ['in stock', 'EUR 24.00'])
    assert.deepEqual(valuesOf(await only('person'), 'biography'), ['Lives in town.'])
  })
})
