import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPerson, createBook, metadata } from '../support/records/entities.ts'
import { readCitation } from '../support/oracles/read-citations.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const service = await start({ after }, { PUBLIC_URL: 'https://catalogue.example.org' })
const { create, get } = service

const author = await create(aPerson('Shakespeare, William'))
const translator = await create(aPerson('Oldenkamp, Marit'))
const by = (key: string, role: string) => [{ key, type: 'refAuthors', metadata: metadata({ role }) }]
const { manifestation, work } = await createBook(service, {
  work: { relations: by(author.id, 'author') },
  expression: { relations: by(translator.id, 'translator') },
  manifestation: { fields: { title: 'Hamlet & zonen', year_of_publication: '2019' } }
})
const path = `/entities/${manifestation}`
const mediaTypes = {
  bibtex: 'application/x-bibtex',
  ris: 'application/x-research-info-systems',
  csl: 'application/vnd.citationstyles.csl+json'
}

describe('A manifestation as a citation', () => {
  it('is answered to who asks for it by Accept or by ?format=, and in the WEM path', async () => {
    for (const [format, accept] of Object.entries(mediaTypes)) {
      const answer = await get(path, { headers: { accept } })
      assert.equal(answer.status, 200)
      assert.ok(String(answer.headers['content-type']).startsWith(accept))
      const item = readCitation(format, answer.text)
      assert.equal(item.title, 'Hamlet & zonen')
      assert.deepEqual(
        item.author?.map(each => ({ ...each })),
        [{ family: 'Shakespeare', given: 'William' }]
      )
      assert.equal((await get(`${path}?format=${format}`)).text, answer.text)
      assert.equal((await get(`/entities/wem/${manifestation}`, { headers: { accept } })).text, answer.text)
      const known = await get(path, { headers: { accept, 'if-none-match': String(answer.headers.etag) } })
      assert.equal(known.status, 304)
    }
  })

  it('is a form that other records do not have: then the next that is wanted is answered, or 406', async () => {
    for (const id of [work, author.id]) {
      const problem = await get(`/entities/${id}`, { headers: { accept: mediaTypes.bibtex } })
      assertProblem(problem, 'not_acceptable')
      assert.match(problem.body.detail, /application\/ld\+json/)
      assert.doesNotMatch(problem.body.detail, /can be had as[^;]*bibtex/)
      assertProblem(await get(`/entities/${id}?format=ris`), 'not_acceptable')
      const next = await get(`/entities/${id}`, { headers: { accept: `${mediaTypes.bibtex}, text/turtle;q=0.5` } })
      assert.match(String(next.headers['content-type']), /^text\/turtle/)
    }
    assertProblem(await get('/entities/nowhere?format=bibtex'), 'not_found')
  })

  it('names nobody whom the token may not read, and is not there for who may not read it', async () => {
    const narrowed = await service.tokenWith('read:manifestation', 'read:expression', 'read:work')
    const stranger = await service.tokenWith('read:person')
    for (const format of Object.keys(mediaTypes)) {
      const { text } = await get(`${path}?format=${format}`, { token: narrowed })
      assert.match(text, /Hamlet/)
      assert.doesNotMatch(text, /Shakespeare|Oldenkamp/)
      assertProblem(await get(`${path}?format=${format}`, { token: stranger }), 'not_found')
      assertProblem(await get(`${path}?format=${format}`, { token: undefined }), 'unauthenticated')
    }
  })
})
