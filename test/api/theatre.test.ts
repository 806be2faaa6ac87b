import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { metadata, relations } from '../support/entities.ts'
import { fieldOf } from '../support/media.ts'
import { start } from '../support/start.ts'

/* Real shows, venues and booking agencies, where they are: loaded as any client would. */

const folder = join(import.meta.dirname, '../../../shared/data/theatre')

interface Show {
  readonly id: string
  readonly title: string
  readonly description_html: string | null
  readonly genres?: readonly string[]
  readonly artists?: readonly { readonly id: string; readonly name: string }[]
}

if (existsSync(folder)) {
  describe('Real theatre data', () => {
    it('loads through the public interface, with descriptions kept whole', async () => {
      const service = await start({ after })
      const read = <T>(name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as T[]
      const shows = read<Show>('atc_shows.json')
      const named = (type: string, name: string) =>
        read<{ id: string; name: string }>(name).map(each => ({
          type,
          identifiers: [each.id],
          metadata: metadata({ name: each.name })
        }))
      const distinct = <T>(list: readonly T[], key: (each: T) => string) => [
        ...new Map(list.map(each => [key(each), each])).values()
      ]
      const companies = distinct(
        shows.flatMap(show => show.artists ?? []),
        each => each.id
      ).map(each => ({
        type: 'company',
        identifiers: [each.id],
        metadata: metadata({ name: each.name })
      }))
      const genres = [...new Set(shows.flatMap(show => show.genres ?? []))].map(name => ({
        type: 'genre',
        identifiers: [`genre:${name}`],
        metadata: metadata({ name })
      }))
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
        ...named('venue', 'atc_venues.json'),
        ...named('booking_agency', 'atc_booking_agencies.json'),
        ...companies,
        ...genres,
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
        [1316, 415, 335]
      )
      const long = shows.filter(show => (show.description_html ?? '').length > 500)
      assert.ok(long.length > 100)
      const textOf = (html: unknown) => String(html).replace(/<[^>]*>|&[a-z#0-9]+;|[\s&\u00a0]/gi, '')
      for (const show of long.slice(0, 50)) {
        const { body } = await service.get(`/entities/${encodeURIComponent(show.id)}`)
        const kept = textOf(fieldOf(body, 'description'))
        assert.ok(kept.length > 0.95 * textOf(show.description_html).length, `${show.id} lost some of its description`)
      }
    })
  })
}
