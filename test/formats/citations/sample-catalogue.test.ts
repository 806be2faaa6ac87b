import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { loadSample } from '../../../src/cli/sample.ts'
import { type CitedItem, readCitation } from '../../support/oracles/read-citations.ts'
import { start } from '../../support/services/start.ts'

/* Every manifestation of the sample catalogue as a citation, read by a package that is not ours. */

const service = await start({ after }, { PUBLIC_URL: 'https://catalogue.example.org' })
await loadSample(service.libretto)
const { body } = await service.get('/entities?type=manifestation&limit=1000')
const ids = (body as { id: string }[]).map(({ id }) => id)

/**
 * The names of the makers: of a recording or of music without an author, the composers; of a film,
 * the directors.
 */
const creatorsOf = ({ type, author = [], composer = [], director = [] }: CitedItem) => {
  const first = type === 'song' ? composer : type === 'motion_picture' ? (director as readonly object[]) : author
  const makers = [first, author, type === 'motion_picture' ? [] : composer].find(each => each.length > 0) ?? []
  return makers.map(name => Object.values(name).sort())
}

describe('Each manifestation of the sample catalogue', () => {
  it('is one item in BibTeX, RIS and CSL-JSON, with the same title and authors', async () => {
    assert.ok(ids.length >= 60)
    for (const id of ids) {
      const cite = async (format: string) => {
        const { status, text } = await service.get(`/entities/${id}?format=${format}`)
        assert.equal(status, 200, text)
        return readCitation(format, text)
      }
      const csl = await cite('csl')
      assert.equal(csl.id, id)
      for (const format of ['bibtex', 'ris']) {
        const item = await cite(format)
        assert.equal(item.title, csl.title, `${id} as ${format}`)
        assert.deepEqual(creatorsOf(item), creatorsOf(csl), `${id} as ${format}`)
      }
    }
  })
})
