import assert from 'node:assert/strict'
import { after, before, describe, it, mock } from 'node:test'

import { passMoments } from '#catalogue/entities/pass-moments.ts'
import { aProduction, aRecord, aVenue, createBook, relations } from '../support/records/entities.ts'
import { aPng, createMediafile } from '../support/records/media.ts'
import { start } from '../support/services/start.ts'

/*
 * A production that visitors see from one moment to another. The clock of the service is moved to
 * before, between and after; every address that may tell of the production is asked each time.
 */

/** The time that the service reads; undefined for that of the machine. */
let clock: number | undefined
const machineTime = Date.now
mock.method(Date, 'now', () => clock ?? machineTime())

const minute = 60_000
/** By one look at the clock: a second one may be a millisecond later. */
const now = Math.floor(Date.now() / minute) * minute
const opens = now + 60 * minute
const closes = now + 120 * minute
const moments = { publish_at: new Date(opens).toISOString(), withdraw_at: new Date(closes).toISOString() }
const texts = { description_short: '<p>Short</p>', subtitle: 'Een zangspel' }

const byStatus = ['production:published', 'performance', 'mediafile', 'venue', 'work']
  .map(each => `read:${each}`)
  .join(',')

/** The scopes of visitors, and the status of the production that has moments. */
const visitors = {
  'who may read by status': { scopes: byStatus, status: 'published' },
  'who may read every production': { scopes: 'read', status: 'concept' }
}

/** The addresses that tell of the production while it is public. */
const addressesOf = ({ production, night, venue, work, file }: Stage) => [
  `/record/${production}`,
  `/record/${night}`,
  `/record/${venue}`,
  `/record/${work}`,
  '/',
  '/find?q=zangspel',
  '/programme?when=week',
  '/feed.atom',
  '/sitemap-1.xml',
  '/oai?verb=ListRecords&metadataPrefix=oai_dc',
  '/sru/all?query=zangspel',
  '/export?format=ndjson',
  '/export?format=ndjson&include=history',
  '/export?format=csv&type=production',
  '/export?format=schema&type=production',
  `/entities/${production}`,
  `/entities/${production}?version=1`,
  `/entities/${production}?format=schema`,
  `/entities/${night}?include=relations`,
  '/entities?limit=100',
  '/suggest?q=nacht',
  `/entities/${venue}/references`,
  `/entities/${venue}/calendar.ics`,
  `/entities/${venue}/programme.csv`,
  `/entities/${venue}/programme.rss`,
  `/entities/${venue}/programme.html`,
  `/entities/${production}/press-kit.zip`,
  `/entities/${production}/mediafiles`,
  `/mediafiles/${file}/content`,
  `/mediafiles/${file}/thumbnail?form=square`
]

interface Stage {
  readonly production: string
  readonly night: string
  readonly venue: string
  readonly work: string
  readonly file: string
}

for (const [visitor, { scopes, status }] of Object.entries(visitors))
  describe(`A record with moments, for a visitor ${visitor}`, async () => {
    const service = await start({ after }, { ANONYMOUS_ACCESS: scopes, PUBLIC_URL: 'https://house.example.org' })
    let stage: Stage
    let book: { readonly manifestation: string; readonly cover: string }

    before(async () => {
      const venue = await service.create(aVenue('Stadsschouwburg'))
      const { work, manifestation } = await createBook(service)
      const production = await service.create(
        aProduction(
          { title: 'Nachtegaal', status, ...texts, ...moments },
          { relations: relations({ refVenues: venue.id, refWorks: work }) }
        )
      )
      const night = await service.create(
        aRecord(
          'performance',
          { start: new Date(now + 86_400_000).toISOString() },
          { refProduction: production.id, refVenues: venue.id }
        )
      )
      const { mediafile } = await createMediafile(service, aPng(80, 60), 'posters', production.id)
      stage = { production: production.id, night: night.id, venue: venue.id, work, file: mediafile }
      book = {
        manifestation,
        cover: (await createMediafile(service, aPng(80, 60), 'posters', manifestation)).mediafile
      }
    })

    /** Whether an answer tells of the production. */
    const tells = (text: string) =>
      [stage.production, stage.night, stage.file, 'Nachtegaal'].some(each => text.includes(each))

    async function at<T>(time: number, work: () => Promise<T>): Promise<T> {
      clock = time
      try {
        return await work()
      } finally {
        clock = undefined
      }
    }

    /** The addresses at which the visitor is told of the production at a time. */
    const tellingAt = (time: number) =>
      at(time, async () => {
        const told: string[] = []
        for (const address of addressesOf(stage)) {
          const { status, text } = await service.get(address, { token: undefined })
          // The bytes of a file tell without naming anything.
          if (status === 200 && (tells(text) || /^\/mediafiles|zip$/.test(address))) told.push(address)
        }
        return told
      })

    it('is shown between them and at no other time, at every address, from one minute to the next', async () => {
      assert.deepEqual(await tellingAt(opens - 1), [])
      const told = await tellingAt(opens)
      assert.deepEqual(await tellingAt(closes - 1), told)
      assert.deepEqual(await tellingAt(closes), [])
      assert.deepEqual(told, addressesOf(stage))
    })

    it('is told of by no operation of the interface before, and by some between', async () => {
      const { paths } = (await service.get('/openapi.json')).body as {
        paths: Record<string, Record<string, { parameters?: { in: string; name: string }[] }>>
      }
      const values: Record<string, readonly string[]> = {
        id: [stage.production, stage.night, stage.venue, stage.work, stage.file],
        manifestation_id: [book.manifestation],
        collection: ['entities', 'mediafiles'],
        database: ['all', 'productions'],
        delivery_id: ['none'],
        name: ['invalid']
      }
      const addresses = Object.entries(paths).flatMap(([path, methods]) =>
        'get' in methods ? fill(path, values).map(address => `${address}${queries[path] ?? ''}`) : []
      )
      const bodies = {
        '/entities/filter': [{ type: 'type', value: 'production' }],
        '/mediafiles/filter': []
      }
      const telling = async () => {
        const told: string[] = []
        for (const address of addresses) {
          const { status, text } = await service.get(address, { token: undefined })
          if (status === 200 && tells(text.replaceAll(address, ''))) told.push(address)
        }
        for (const [address, body] of Object.entries(bodies)) {
          const { status, text } = await service.post(address, body, { token: undefined })
          if (status === 200 && tells(text)) told.push(address)
        }
        return told
      }
      assert.deepEqual(await at(opens - 1, telling), [])
      const told = await at(opens, telling)
      assert.ok(told.length > 30, told.join('\n'))
      for (const address of Object.keys(bodies)) assert.ok(told.includes(address), address)
      assert.deepEqual(await at(closes, telling), [])
    })

    it('leaves the other records as they are', async () => {
      await at(opens - 1, async () => {
        const read = async (address: string) => (await service.get(address, { token: undefined })).status
        const isOfBooks = scopes === 'read'
        assert.equal(await read(`/mediafiles/${book.cover}/content`), isOfBooks ? 200 : 404)
        assert.equal(await read(`/entities/${book.manifestation}`), isOfBooks ? 200 : 404)
        assert.equal(await read(`/entities/${stage.venue}`), 200)
      })
    })

    it('is read by a token at any time', async () => {
      const token = await service.tokenWith('read')
      assert.equal(
        await at(opens - 1, async () => (await service.get(`/entities/${stage.production}`, { token })).status),
        200
      )
    })

    it('is told to clients of the change feed when a moment has passed, as a change or a deletion', async () => {
      const { parts, operator } = service.libretto
      const soon = now + 10 * minute
      const published = { status: 'published', ...texts }
      const moment = new Date(soon).toISOString()
      const later = await service.create(aProduction({ title: 'Later', ...published, publish_at: moment }))
      const over = await service.create(aProduction({ title: 'Over', ...published, withdraw_at: moment }))
      const token = await service.tokenWith('read:production:published')
      const { cursor } = (await service.get('/changes', { token })).body
      assert.deepEqual(await passMoments(parts, operator, soon - 1), [])
      assert.deepEqual(await passMoments(parts, operator, soon), [later.id, over.id])
      const { changes } = await at(soon, async () => (await service.get(`/changes?since=${cursor}`, { token })).body)
      assert.deepEqual(
        changes.map(({ type, subject }: { type: string; subject: string }) => [type, subject]),
        [
          ['entity.updated', later.id],
          ['entity.deleted', over.id]
        ]
      )
    })
  })

/** Queries that an operation needs to tell anything. */
const queries: Readonly<Record<string, string>> = {
  '/suggest': '?q=nacht',
  '/reconcile': `?queries=${encodeURIComponent(JSON.stringify({ q: { query: 'Nachtegaal', type: 'production' } }))}`,
  '/reconcile/suggest/entity': '?prefix=nacht',
  '/reconcile/preview': '?id=Nachtegaal',
  '/sru': '?query=zangspel',
  '/sru/{database}': '?query=zangspel',
  '/oai': '?verb=ListRecords&metadataPrefix=oai_dc',
  '/catalogues/records': '?q=zangspel'
}

/** The addresses of a path, with each value of its parameters. A new parameter needs a value. */
function fill(path: string, values: Readonly<Record<string, readonly string[]>>): string[] {
  const [whole, name] = /\{(\w+)\}/.exec(path) ?? []
  if (whole === undefined || name === undefined) return [path]
  const known = values[name]
  assert.ok(known, `a value for {${name}} of ${path}`)
  return known.flatMap(each => fill(path.replace(whole, each), values))
}
