import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'

import { testStore } from '../support/databases/database.ts'
import type { Chance } from '../support/records/chance.ts'
import { aPerson, aProduction, aVenue, relations } from '../support/records/entities.ts'
import { marcFile } from '../support/records/marc-files.ts'
import { aPng } from '../support/records/media.ts'
import { openStream } from '../support/services/event-stream.ts'
import { answerOf, beginRequest } from '../support/services/listen.ts'
import { until } from '../support/services/receiver.ts'
import { type Client, createClient, pause } from '../support/services/server-process.ts'

/*
 * Clients of all kinds that work on a service with the sample catalogue: they read, search, write,
 * import, export, send and read media, follow the feed, and leave in the middle. None of them lets
 * the number of records grow: each purges its oldest ones.
 */

/** One thing that a client does. */
type Act = () => Promise<unknown>

export interface MixedWork {
  /** How often each thing was done. */
  readonly counts: ReadonlyMap<string, number>
  /** Works until told to stop. Rejects at the first answer that was not expected. */
  work(isOver: () => boolean): Promise<void>
}

/** Maximum number of records of a client, and of MARC records in a file. */
const maxRecords = 60
const recordsOfFile = 10

export function createMixedWork(port: number, chance: Chance): MixedWork {
  const counts = new Map<string, number>()
  const clients: readonly (readonly [name: string, number: number, acts: (ask: Ask) => Record<string, Act>])[] = [
    ['W', 3, ask => writes(ask, chance)],
    ['R', 3, ask => reads(ask, chance)],
    ['M', 1, ask => mediaFiles(ask, port, chance)],
    ['I', 1, ask => imports(ask)],
    ['X', 1, ask => exports(ask, port, chance)],
    ['F', 1, ask => feedReaders(ask, port, chance)]
  ]
  async function workAs(acts: (ask: Ask) => Record<string, Act>, isOver: () => boolean) {
    const client = createClient(port)
    try {
      const all = Object.entries(acts(askingOf(client)))
      while (!isOver()) {
        const [name, act] = all[chance.below(all.length)] ?? assert.fail()
        await act()
        counts.set(name, (counts.get(name) ?? 0) + 1)
      }
    } finally {
      client.close()
    }
  }
  return {
    counts,
    async work(isOver) {
      const each = clients.flatMap(([, number, acts]) => Array.from({ length: number }, () => workAs(acts, isOver)))
      await Promise.all(each)
    }
  }
}

/** Sends a request that must be answered with one of these statuses; returns the body. */
type Ask = <T = { id: string }>(statuses: readonly number[], ...request: Parameters<Client['call']>) => Promise<T>

/** Maximum times that a request is sent again to a server of PostgreSQL that is busy. */
const maxRepeats = testStore === 'postgres' ? 10 : 0

const askingOf =
  (client: Client): Ask =>
  async (statuses, method, path, body, given = {}) => {
    // With a key, a request that is sent again takes effect once.
    const key = maxRepeats > 0 && method !== 'GET' && path.startsWith('/entities')
    const sent = key ? { ...given, 'idempotency-key': randomUUID() } : given
    let answer = await client.call(method, path, body, sent)
    for (let repeats = 0; answer.status === 503 && repeats < maxRepeats; repeats++) {
      await pause(1000)
      answer = await client.call(method, path, body, sent)
    }
    const { status, text, headers } = answer
    assert.ok(statuses.includes(status), `${method} ${path} was answered ${status} ${text.slice(0, 500)}`)
    const isJson = String(headers['content-type']).startsWith('application/json')
    return isJson ? JSON.parse(text) : ({ text, location: headers.location } as never)
  }

/** Creates, changes and purges records of its own. */
function writes(ask: Ask, chance: Chance): Record<string, Act> {
  const own: { readonly id: string; readonly type: string }[] = []
  let words = 0
  const word = () => `Word ${words++}`
  const pick = (type: string) => {
    const found = own.filter(each => each.type === type)
    return found.length === 0 ? undefined : found[chance.below(found.length)]
  }
  /** A thing to do with a record, where there is one of its type. */
  const withOne = (type: string, act: (id: string) => Promise<unknown>) => async () => {
    const one = pick(type)
    if (one) await act(one.id)
  }
  const create = async (draft: object & { type: string }) => {
    const { id } = await ask(
      [201],
      'POST',
      '/entities',
      draft,
      chance.oneIn(2) ? { 'idempotency-key': randomUUID() } : {}
    )
    own.push({ id, type: draft.type })
  }
  const purgeOldest = async () => {
    while (own.length > maxRecords) await ask([204], 'DELETE', `/entities/${own.shift()?.id}?purge=1&references=detach`)
  }
  return {
    async create() {
      await create(chance.pick([aPerson(word()), aVenue(word()), aProduction({ title: word() })]))
      await purgeOldest()
    },
    'create a batch': async () => {
      const ids = Array.from({ length: 10 }, () => randomUUID())
      const lines = ids.map(id => ({ op: 'create', ...aProduction({ title: word() }, { id }) }))
      await ask([200], 'POST', '/entities/batch?atomic=1', lines)
      for (const id of ids) own.push({ id, type: 'production' })
      await purgeOldest()
    },
    patch: withOne('production', id =>
      ask([200], 'PATCH', `/entities/${id}`, { metadata: [{ key: 'description', value: word().repeat(20) }] })
    ),
    replace: withOne('person', id => ask([200], 'PUT', `/entities/${id}`, aPerson(word()))),
    revert: withOne('person', id => ask([200, 409], 'POST', `/entities/${id}/revert`, { version: 1 })),
    relate: withOne('production', async id => {
      const venue = pick('venue')
      if (venue) await ask([200, 201], 'PATCH', `/entities/${id}/relations`, relations({ refVenues: venue.id }))
    }),
    'merge and unmerge': withOne('venue', async id => {
      const victim = pick('venue')
      if (!victim || victim.id === id) return
      await ask([200], 'POST', `/entities/${id}/merge`, { victim_id: victim.id })
      await ask([200], 'POST', `/entities/${id}/unmerge`, { victim_id: victim.id })
    }),
    'be refused': async () => {
      await ask([400], 'POST', '/entities', { type: 'production', metadata: [{ key: 'title' }] })
      await ask([404], 'PATCH', '/entities/none', { metadata: [] })
    }
  }
}

const hamlet = 'M-HAMLETEN2016'
const paths = [
  '/entities?type=venue&order_by=name&limit=50&envelope=1',
  '/entities/VE-ZWALUW',
  '/entities/VE-ZWALUW/references?limit=10',
  `/entities/wem/${hamlet}`,
  '/entities/W-HAMLET/tree',
  '/entities/PR-HAMLET/history?limit=10',
  '/entities/VE-ZWALUW/calendar.ics',
  '/entities/PR-HAMLET/programme.html?lang=nl',
  '/suggest?q=haml&limit=5',
  '/recent?limit=10',
  '/growth',
  '/duplicates?type=person',
  '/sru?query=dc.title%20%3D%20hamlet&maximumRecords=5&recordSchema=marcxml',
  '/oai?verb=ListRecords&metadataPrefix=oai_dc',
  '/record-types',
  '/find?q=hamlet',
  '/record/W-HAMLET',
  '/programme',
  '/sitemap-1.xml',
  '/health/ready'
] as const
const formats = ['text/turtle', 'application/ld+json', 'application/marcxml+xml', 'application/x-bibtex'] as const
const filters = [
  [{ type: 'search', value: 'hamlet' }],
  [{ type: 'type', value: 'production' }],
  [{ type: 'text', key: 'properties.title.value', value: '*a*' }],
  [
    { type: 'type', value: 'production' },
    { type: 'search', value: 'word' }
  ]
] as const

/** Reads and searches, as JSON, in other formats and as pages. */
function reads(ask: Ask, chance: Chance): Record<string, Act> {
  return {
    read: () => ask([200], 'GET', chance.pick(paths)),
    'read another format': () =>
      ask([200], 'GET', `/entities/wem/${hamlet}`, undefined, { accept: chance.pick(formats) }),
    search: () =>
      ask(
        [200],
        'POST',
        '/entities/filter?limit=20&facets=properties.status.value',
        chance.pickOr<unknown>(filters, [])
      ),
    'ask for nothing': () => ask([404], 'GET', `/entities/none-${chance.below(1_000_000)}`),
    'ask for anything': () => ask([200], 'GET', `/suggest?q=${chance.below(1_000_000)}`)
  }
}

/** Sends media files in one request and in parts, reads and deletes them. */
function mediaFiles(ask: Ask, port: number, chance: Chance): Record<string, Act> {
  const tus = { 'tus-resumable': '1.0.0' }
  const picture = () => aPng(200, 20 + chance.below(20))
  const withFile = async (use: (id: string) => Promise<unknown>) => {
    const { id } = await ask([201], 'POST', '/mediafiles', { filename: 'poster.png', mediafile_type: 'posters' })
    await use(id)
    await ask([204], 'DELETE', `/mediafiles/${id}`)
  }
  return {
    'send a media file': () =>
      withFile(async id => {
        await ask([200], 'PUT', `/mediafiles/${id}/content`, picture(), { 'content-type': 'image/png' })
        await ask([206], 'GET', `/mediafiles/${id}/content`, undefined, { range: 'bytes=10-99' })
        await ask([200], 'GET', `/mediafiles/${id}/thumbnail?width=160`)
      }),
    'send a media file in parts': () =>
      withFile(async id => {
        const bytes = picture()
        const length = { ...tus, 'upload-length': String(bytes.length) }
        const { location } = await ask<{ location: string }>(
          [201],
          'POST',
          `/mediafiles/${id}/uploads`,
          undefined,
          length
        )
        const { pathname } = new URL(location, 'http://localhost')
        const part = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
        // A client that leaves in the middle.
        const cut = beginRequest(port, pathname, { method: 'PATCH', headers: { ...part, 'content-length': '999999' } })
        cut.on('error', () => {})
        cut.write(bytes.subarray(0, 10))
        cut.destroy()
        if (chance.oneIn(2)) await ask([204, 404, 409], 'DELETE', pathname, undefined, tus)
        else await ask([204, 409], 'PATCH', pathname, bytes, part)
      })
  }
}

/** Imports a file, and undoes the import. */
function imports(ask: Ask): Record<string, Act> {
  let files = 0
  const untilState = (id: string, state: string) =>
    until(async () => {
      const job = await ask<{ state: string }>([200], 'GET', `/imports/${id}`)
      assert.notEqual(job.state, 'failed', JSON.stringify(job))
      return job.state === state
    })
  return {
    async 'import and undo'() {
      const file = files++
      const shelf = Object.fromEntries(
        Array.from({ length: recordsOfFile }, (_, at) => [
          `s${at}`,
          `100 1# $aWriter, Nr ${at}\n245 10 $aThe road nr ${at} of ${file}\n264 #1 $aGent :$bDe Kade,$c1951.`
        ])
      )
      const { id } = await ask([202], 'POST', '/imports?name=road.mrc&agency=XX', marcFile(shelf), {
        'content-type': 'application/marc'
      })
      await untilState(id, 'done')
      await ask([202], 'POST', `/imports/${id}/undo`)
      await untilState(id, 'undone')
    }
  }
}

/** Exports all records, or leaves after the first of them. */
function exports(ask: Ask, port: number, chance: Chance): Record<string, Act> {
  const path = () => `/export?format=${chance.pick(['ndjson', 'marcxml', 'csv', 'turtle'])}`
  return {
    export: () => ask([200], 'GET', path()),
    async 'leave an export'() {
      const sent = beginRequest(port, path())
      sent.end()
      const answer = await answerOf(sent)
      sent.on('error', () => {})
      answer.on('error', () => {})
      if (chance.oneIn(2)) await new Promise(resolve => answer.once('data', resolve))
      sent.destroy()
    }
  }
}

/** Reads the feed in pages and as a stream, which it leaves. */
function feedReaders(ask: Ask, port: number, chance: Chance): Record<string, Act> {
  let since = ''
  return {
    async 'read the feed'() {
      const { cursor } = await ask<{ cursor: string }>([200], 'GET', `/changes?limit=500${since}`)
      since = `&since=${encodeURIComponent(cursor)}`
    },
    async 'follow the feed'() {
      const stream = await openStream(port, since.replace('&', '?'))
      if (chance.oneIn(2)) await stream.take(1 + chance.below(20))
      stream.close()
    }
  }
}
