import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { parse } from 'csv-parse/sync'
import ICAL from 'ical.js'

import { metadata, relations } from '../../support/records/entities.ts'
import { readJsonLd, readNTriples } from '../../support/oracles/rdf-graphs.ts'
import { showCollections } from '../../support/records/shows.ts'
import { start } from '../../support/services/start.ts'

/* Shows with descriptions as theatres write them, performed on dates of our own. */

const publicUrl = 'https://catalogue.example.org'
const idOf = (prefix: string, id: string) => `${prefix}-${id.replaceAll(':', '-')}`

for (const collection of showCollections()) {
  const { origin, venues } = collection
  const service = await start({ after }, { PUBLIC_URL: publicUrl, BODY_LIMIT: '20000000' })

  describe(`A season of ${origin} shows`, () => {
    const shows = collection.shows.toSorted(
      (one, other) => (other.description_html?.length ?? 0) - (one.description_html?.length ?? 0)
    )

    before(async () => {
      const records = [
        {
          id: 'SEA-1',
          type: 'season',
          metadata: metadata({ name: 'A season', start_date: '2026-01-01', end_date: '2029-12-31' })
        },
        ...venues.map(({ id, name, city }) => ({
          id: idOf('VE', id),
          type: 'venue',
          metadata: metadata({ name, ...(city ? { city } : {}) })
        })),
        ...shows.flatMap((show, index) => {
          const venue = idOf('VE', venues[index % venues.length]?.id ?? '')
          const description = show.description_html ?? ''
          return [
            {
              id: idOf('PR', show.id),
              type: 'production',
              metadata: metadata({
                title: show.title,
                ...(description === '' ? {} : { description }),
                duration: 60 + (index % 60)
              }),
              relations: relations({ refSeasons: 'SEA-1', refVenues: venue })
            },
            {
              id: idOf('PF', show.id),
              type: 'performance',
              metadata: metadata({ start: new Date(Date.UTC(2026, 0, 1 + index, 19, 30)).toISOString() }),
              relations: relations({ refProduction: idOf('PR', show.id), refVenues: venue })
            }
          ]
        })
      ]
      const { status, text } = await service.post(
        '/entities/batch?atomic=1',
        records.map(entity => ({ op: 'create', entity }))
      )
      assert.equal(status, 200, text.slice(0, 1000))
    })

    it('is whole as CSV and as a calendar, for readers that are not ours', async () => {
      const { text } = await service.get('/entities/SEA-1/programme.csv')
      const rows = parse(text, { columns: true }) as Record<string, string>[]
      assert.equal(rows.length, shows.length)
      const titles = new Map(shows.map(show => [idOf('PR', show.id), show.title]))
      for (const row of rows) assert.equal(row.title?.replace(/^'(?=[=+\-@])/, ''), titles.get(row.production_id ?? ''))

      const calendar = await service.get('/entities/SEA-1/calendar.ics')
      for (const line of calendar.text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75)
      const events = new ICAL.Component(ICAL.parse(calendar.text)).getAllSubcomponents('vevent')
      assert.equal(events.length, shows.length)
      assert.equal(new Set(events.map(each => each.getFirstPropertyValue('uid'))).size, shows.length)
    })

    it('keeps descriptions of any length, and tells them in linked data without markup', async () => {
      const context = (await service.get('/context.jsonld')).body as unknown
      const long = shows.slice(0, 100).filter(({ description_html }) => (description_html ?? '').length > 600)
      assert.ok(long.length > 20)
      for (const { id } of long) {
        const path = `/entities/${idOf('PR', id)}`
        const lines = readNTriples((await service.get(`${path}?format=ntriples`)).text)
        const jsonLd = (await service.get(`${path}?format=jsonld`)).text
        assert.deepEqual(await readJsonLd(jsonLd, `${publicUrl}/context.jsonld`, context), lines)
        const description = lines.find(line => line.includes('<https://schema.org/description>')) ?? ''
        assert.ok(description.length > 500)
        assert.doesNotMatch(description, /<\/?(?:p|br|strong|em|a|div)\b/)
      }
    })
  })
}
