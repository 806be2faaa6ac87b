import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { metadata, relations } from '../support/records/entities.ts'
import { fieldOf } from '../support/records/media.ts'
import { tryFilesOf } from '../support/oracles/house-files.ts'
import { showCollections } from '../support/records/shows.ts'
import { start } from '../support/services/start.ts'

/* Shows, venues and booking agencies, loaded as any client would load them. */

const distinct = <T>(list: readonly T[], key: (each: T) => string) => [
  ...new Map(list.map(each => [key(each), each])).values()
]

/** The text of a description without markup, so that only lost words count. */
const textOf = (html: unknown) => String(html).replace(/<[^>]*>|&[a-z#0-9]+;|[\s&\u00a0]/gi, '')

const [made] = showCollections()

describe('The files of a house', () => {
  it('arrive whole by the proposed mappings, keep edits, leave by every format, and arrive elsewhere', async () => {
    assert.ok(made)
    await tryFilesOf(made, () => start({ after }))
  })
})

for (const { origin, shows, venues, agencies } of showCollections())
  describe(`A theatre's catalogue of ${origin} shows`, () => {
    it('loads through the public interface, and keeps descriptions whole', async () => {
      const service = await start({ after })
      const named = (type: string, list: readonly { readonly id: string; readonly name: string }[]) =>
        list.map(each => ({ type, identifiers: [each.id], metadata: metadata({ name: each.name }) }))
      const companies = distinct(
        shows.flatMap(show => show.artists ?? []),
        each => each.id
      )
      const genres = [...new Set(shows.flatMap(show => show.genres ?? []))].map(name => ({ id: `genre:${name}`, name }))
      const productions = shows.map(show => ({
        type: 'production',
        identifiers: [show.id],
        metadata: metadata({
          title: show.title,
          ...(show.description_html ? { description: show.description_html } : {})
        }),
        relations: relations({
          refCompanies: distinct(show.artists ?? [], each => each.id).map(each => each.id),
          refGenres: [...new Set(show.genres ?? [])].map(name => `genre:${name}`)
        })
      }))
      const all = [
        ...named('venue', venues),
        ...named('booking_agency', agencies),
        ...named('company', companies),
        ...named('genre', genres),
        ...productions
      ]
      for (let from = 0; from < all.length; from += 200) {
        const lines = all.slice(from, from + 200).map(entity => `${JSON.stringify({ op: 'create', entity })}\n`)
        const answer = await service.call('POST', '/entities/batch', {
          body: lines.join(''),
          headers: { 'content-type': 'application/x-ndjson' }
        })
        const refused = answer.text.split('\n').filter(line => line !== '' && JSON.parse(line).status !== 201)
        assert.deepEqual(refused, [])
      }

      const countOf = async (type: string) =>
        Number((await service.get(`/entities?type=${type}&limit=0`)).headers['x-total-count'])
      assert.deepEqual(
        [await countOf('production'), await countOf('venue'), await countOf('booking_agency')],
        [shows.length, venues.length, agencies.length]
      )
      const long = shows.filter(show => (show.description_html ?? '').length > 500)
      assert.ok(long.length > 20)
      for (const show of long.slice(0, 50)) {
        const { body } = await service.get(`/entities/${encodeURIComponent(show.id)}`)
        const stored = textOf(fieldOf(body, 'description'))
        assert.ok(
          stored.length > 0.95 * textOf(show.description_html).length,
          `${show.id} lost some of its description`
        )
      }
    })
  })
