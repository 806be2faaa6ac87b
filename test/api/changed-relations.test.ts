import assert from 'node:assert/strict'
import { after, it } from 'node:test'

import { createTestDatabase } from '../support/databases/database.ts'
import { aRecord, createBook, relations } from '../support/records/entities.ts'
import { getOverSocket } from '../support/services/get-over-socket.ts'
import { listen } from '../support/services/listen.ts'
import { start } from '../support/services/start.ts'

/** Asks for an answer that is made each time. */
const anew = { 'x-made-anew': '1' }

it('Every format has the present name of a related record, whichever process changed it', async () => {
  const DATABASE_URL = await createTestDatabase({ after })
  const [one, other] = [await start({ after }, { DATABASE_URL }), await start({ after }, { DATABASE_URL })] as const
  const ports = [await listen(one), await listen(other)]
  const author = (await one.create(aRecord('person', { name: 'Name 0' }))).id
  const publisher = (await one.create(aRecord('publisher', { name: 'House 0' }))).id
  const book = await createBook(one, {
    work: { relations: relations({ refAuthors: author }) },
    manifestation: { relations: relations({ refPublishers: publisher }) }
  })
  const authorization = `Bearer ${await one.tokenWith('read')}`
  const formats = ['jsonld', 'schema', 'turtle', 'ntriples', 'rdfxml', 'bibtex', 'csl', 'marcxml', 'mods', 'dc']

  for (let time = 0; time < 4; time++) {
    if (time > 0) {
      // Each process changes one of the two records that the other one has read before.
      const [first, second] = time % 2 === 0 ? [one, other] : [other, one]
      const rename = (id: string, value: string) => ({
        path: `/entities/${id}`,
        body: { metadata: [{ key: 'name', value }] }
      })
      const [person, house] = [rename(author, `Name ${time}`), rename(publisher, `House ${time}`)]
      assert.equal((await first.patch(person.path, person.body)).status, 200)
      assert.equal((await second.patch(house.path, house.body)).status, 200)
    }
    for (const port of ports)
      for (const format of formats) {
        const { body } = await getOverSocket(port, `/entities/wem/${book.manifestation}?format=${format}`, {
          authorization,
          ...anew
        })
        const names = new Set(body.match(/(?:Name|House) \d/g))
        assert.deepEqual([...names].sort(), [`House ${time}`, `Name ${time}`], format)
      }
  }
})
