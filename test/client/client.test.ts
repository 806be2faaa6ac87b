import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import {
  ConnectionError,
  createClient,
  isProblem,
  label,
  ProblemError,
  related,
  value,
  values
} from '../../client/index.ts'
import { aVenue, createBook } from '../support/records/entities.ts'
import { aPng } from '../support/records/media.ts'
import { listen } from '../support/services/listen.ts'
import { adminToken, start } from '../support/services/start.ts'

const service = await start({ after })
const baseUrl = `http://127.0.0.1:${await listen(service)}`
const libretto = createClient({ baseUrl, token: adminToken })

const venue = (name: string) => ({ type: 'venue', metadata: [{ key: 'name', value: name }] })

const show = (title: string) => ({ type: 'production', metadata: [{ key: 'title', value: title }] })

describe('the client, reading', () => {
  it('reads an entity of a type or an umbrella, and refuses one of another type', async () => {
    const { manifestation } = await createBook(service)
    assert.equal((await libretto.entities.readAs('manifestation', manifestation)).id, manifestation)
    assert.equal((await libretto.entities.readAs('manifestation_word', manifestation)).type, 'manifestation_word')
    await assert.rejects(
      libretto.entities.readAs('production', manifestation),
      new TypeError(`"${manifestation}" is of the type manifestation_word, not production`)
    )
  })

  it('reads an entity by any of its identifiers, and tells its tag', async () => {
    const made = await libretto.entities.create({ ...venue('Zwaluw'), identifiers: ['urn:x:zwaluw/1?&#'] })

    assert.deepEqual(await libretto.entities.read('urn:x:zwaluw/1?&#'), await libretto.entities.read(made.id))
    const { etag, data } = await libretto.send('GET /entities/{id}', { path: { id: made.id } })
    assert.equal(etag, '"1"')
    assert.equal(data._id, made._id)
  })

  it('answers undefined while an entity is what it was, and the entity once it is not', async () => {
    const { id } = await libretto.entities.create(venue('Anker'))

    assert.equal(await libretto.entities.readIfChanged(id, '"1"'), undefined)
    await libretto.entities.patch(id, { metadata: [{ key: 'city', value: 'Antwerpen' }] })
    const changed = await libretto.entities.readIfChanged(id, '"1"')
    assert.equal(changed?.etag, '"2"')
    assert.equal(changed?.entity.version, 2)
  })

  it('reads many entities in the order of their ids, and the whole records that others refer to', async () => {
    const ids = Array.from({ length: 120 }, (_, index) => `VE-MANY-${index}`)
    await service.call('PUT', '/entities', { body: ids.map(id => ({ id, ...venue(`Hall ${id}`) })) })
    const found = await libretto.entities.readMany([...ids.toReversed(), 'VE-NONE', 'VE-MANY-7'])
    assert.deepEqual(
      found.map(each => each.id),
      ids.toReversed()
    )
    const relations = ['VE-MANY-3', 'VE-MANY-4'].map(key => ({ type: 'refVenues', key }))
    const { id } = await service.create({ ...show('Away'), relations })
    const targets = await libretto.entities.readRelated([await libretto.entities.read(id)], { types: ['refVenues'] })
    assert.deepEqual(
      [...targets].map(([key, each]) => [key, label(each)]),
      [
        ['VE-MANY-3', 'Hall VE-MANY-3'],
        ['VE-MANY-4', 'Hall VE-MANY-4']
      ]
    )
    assert.equal((await libretto.entities.readRelated([], {})).size, 0)
  })

  it('gives the name of an entity in a language, in a variety of it, or at all', () => {
    const title = (value: string, lang?: string) => ({ key: 'title', value, ...(lang && { lang }) })
    const entity = { metadata: [title('Woorden', 'nl'), title('Words', 'en-GB'), title('Mots', 'fr')] }
    for (const [lang, name] of Object.entries({ nl: 'Woorden', en: 'Words', 'fr-BE': 'Mots', de: 'Woorden' }))
      assert.deepEqual([label(entity, lang), value(entity, 'title', lang)], [name, name])
    assert.deepEqual([label(entity), label({ metadata: [] })], ['Woorden', ''])
  })

  it('refuses to ask for nothing', async () => {
    await assert.rejects(libretto.entities.read(''), TypeError)
  })

  it('gives a WEM, many of them, and the tree of a work', async () => {
    const book = await createBook(service)

    const wem = await libretto.entities.wem(book.manifestation)
    assert.equal(wem.work.type, 'work_word')
    const [one, other] = await libretto.entities.wems([book.manifestation, 'M-NONE'])
    assert.deepEqual(one?.wem, wem)
    assert.equal(other?.problem?.code, 'not_found')
    const tree = await libretto.entities.tree(book.work)
    assert.deepEqual(
      tree.expressions.flatMap(each => each.manifestations.map(({ id }) => id)),
      [book.manifestation]
    )
  })

  it('finds a page with the exact count, and everything by following the pages', async () => {
    const names = Array.from({ length: 7 }, (_, index) => `Zaal ${index}`)
    for (const name of names) await libretto.entities.create(venue(name))
    const filters = [{ type: 'text', key: 'properties.name.value', value: 'Zaal *' }]

    const page = await libretto.entities.find(filters, { limit: 2, orderBy: 'name', descending: true })
    assert.equal(page.count, 7)
    assert.deepEqual(page.results.map(nameOf), ['Zaal 6', 'Zaal 5'])
    const all = await Array.fromAsync(libretto.entities.findAll(filters, { limit: 2, orderBy: 'name' }))
    assert.deepEqual(all.map(nameOf), names)
  })

  it('counts values over all matches, and suggests names', async () => {
    await libretto.entities.create(venue('Facetzaal Een'))
    await libretto.entities.create(venue('Facetzaal Twee'))
    const filters = [{ type: 'search', value: 'facetzaal' }]

    const { count, results } = await libretto.entities.findWorks(filters, { limit: 1, facetsOf: 'records' })
    assert.deepEqual([count, results.length, results[0]?.is_match], [2, 1, true])
    const { facets } = await libretto.entities.find(filters, { limit: 0, facets: ['type', 'properties.name.value'] })
    assert.deepEqual(facets?.type, [{ value: 'venue', count: 2 }])
    assert.equal(facets?.['properties.name.value']?.length, 2)
    const suggested = await libretto.suggest('facetz', { types: ['venue'], limit: 1 })
    assert.deepEqual(
      suggested.map(({ label }) => label),
      ['Facetzaal Een']
    )
  })

  it('tells the record types, and whose token it is', async () => {
    const token = await service.tokenWith('read:venue', 'write:venue')
    const narrow = createClient({ baseUrl, token })

    assert.deepEqual(
      (await narrow.recordTypes()).map(({ type, may }) => ({ type, may })),
      [{ type: 'venue', may: ['read', 'write'] }]
    )
    assert.deepEqual(await narrow.me(), { name: 'token:test', is_admin: false })
  })
})

describe('the client, writing', () => {
  it('refuses a change to an older version, and joins it where it is asked to', async () => {
    const { id, version } = await libretto.entities.create(venue('Silo'))
    await libretto.entities.patch(id, { metadata: [{ key: 'city', value: 'Gent' }] })
    const change = { metadata: [{ key: 'country', value: 'BE' }] }

    await assert.rejects(libretto.entities.patch(id, change, { ifMatch: version }), error =>
      isProblem(error, 'version_mismatch')
    )
    const joined = await libretto.entities.patch(id, change, { ifMatch: version, merge: true })
    assert.deepEqual(joined.metadata.map(({ key }) => key).sort(), ['city', 'country', 'name'])
  })

  it('repeats a creation with the same key without making a second one', async () => {
    const idempotencyKey = 'make-it-once'
    const first = await libretto.entities.create(venue('Eenmaal'), { idempotencyKey })
    assert.equal((await libretto.entities.create(venue('Eenmaal'), { idempotencyKey })).id, first.id)
  })

  it('replaces, reverts, merges, takes a merge back, and deletes', async () => {
    const { id } = await libretto.entities.create(venue('Een'))
    const other = await libretto.entities.create(venue('Twee'))
    await libretto.entities.replace(id, { metadata: [{ key: 'name', value: 'Anders' }] })

    assert.equal(nameOf(await libretto.entities.revert(id, 1)), 'Een')
    const outcome = await libretto.entities.merge(id, other.id)
    assert.deepEqual([outcome.survivor_id, outcome.victim_id], [id, other.id])
    assert.equal((await libretto.entities.read(other.id)).id, id)
    await libretto.entities.unmerge(id)
    assert.equal((await libretto.entities.read(other.id)).id, other.id)
    await libretto.entities.delete(other.id)
    await assert.rejects(libretto.entities.read(other.id), error => isProblem(error, 'not_found'))
    const { results } = await libretto.entities.history(other.id)
    assert.equal(results[0]?.kind, 'deleted')
  })

  it('writes nothing when it is only to try', async () => {
    const tried = await libretto.entities.create({ ...venue('Proef'), id: 'VE-PROEF' }, { dryRun: true })
    assert.equal(tried.id, 'VE-PROEF')
    await assert.rejects(libretto.entities.read('VE-PROEF'), error => isProblem(error, 'not_found'))
  })
})

describe('the client, with media files', () => {
  it('brings a small file and a large one, tells how far it is, and gives the bytes back', async () => {
    const { id } = await libretto.entities.create({
      type: 'production',
      metadata: [{ key: 'title', value: 'Met film' }]
    })
    for (const size of [1000, 9 * 1024 * 1024]) {
      const bytes = new Uint8Array(size).map((_, at) => at % 251)
      const told: number[] = []
      const made = await libretto.media.add(
        id,
        new Blob([bytes]),
        'film é.bin',
        { mediafile_type: 'trailer', title: `Film van ${size}` },
        { onProgress: sent => told.push(sent) }
      )
      assert.equal(made.metadata.find(({ key }) => key === 'size')?.value, size)
      assert.equal(told.at(-1), size)
      assert.equal(told.length, Math.ceil(size / (4 * 1024 * 1024)))
      assert.deepEqual(new Uint8Array(await (await libretto.media.content(made.id)).arrayBuffer()), bytes)
    }
    assert.equal((await libretto.media.list(id, { category: 'trailer' })).count, 2)
    assert.equal((await libretto.media.list(id, { category: 'posters' })).count, 0)
  })

  it('continues a large file where the connection was lost', async () => {
    const { id } = await libretto.entities.create(show('Hele film'))
    const bytes = new Uint8Array(9 * 1024 * 1024).map((_, at) => at % 251)
    let losses = 0
    // The first loss is before the service gets a part, the second after it.
    const losing: typeof fetch = async (input, init) => {
      if (init?.method !== 'PATCH' || losses === 2) return fetch(input, init)
      losses++
      if (losses === 2) await fetch(input, init)
      throw new TypeError('terminated')
    }
    const client = createClient({ baseUrl, token: adminToken, fetch: losing })
    const made = await client.media.add(id, new Blob([bytes]), 'film', { mediafile_type: 'trailer' })
    assert.equal(losses, 2)
    assert.deepEqual(new Uint8Array(await (await libretto.media.content(made.id)).arrayBuffer()), bytes)
  })

  it('gives addresses of bytes, of small pictures and of calendars, with a ticket where one is needed', async () => {
    const { id } = await libretto.entities.create(show('Met affiche'))
    const poster = await libretto.media.add(id, new Blob([new Uint8Array(aPng())]), 'a.png', {
      mediafile_type: 'posters'
    })
    const statusOf = async (address: string) => (await fetch(address)).status

    assert.equal(await statusOf(libretto.media.contentUrl(poster.id)), 401)
    assert.equal(await statusOf(await libretto.media.ticketUrl(poster.id, { expiresIn: 60 })), 200)
    assert.equal(libretto.media.thumbnailUrl(poster.id, 320), `${baseUrl}/mediafiles/${poster.id}/thumbnail?width=320`)
    assert.equal(await statusOf(libretto.programmes.calendarUrl(id)), 401)
    assert.equal(await statusOf(await libretto.programmes.calendarTicketUrl(id, { tz: 'Europe/Brussels' })), 200)
    assert.match(await libretto.programmes.calendar(id), /^BEGIN:VCALENDAR/)
    assert.match(await libretto.programmes.table(id, { from: '2026-01-01' }), /start/)
  })

  it('leaves nothing behind when a large file does not arrive whole', async () => {
    const { id } = await libretto.entities.create({
      type: 'production',
      metadata: [{ key: 'title', value: 'Halve film' }]
    })
    const cut: typeof fetch = async (input, init) => {
      const isSecond = init?.method === 'PATCH' && new Headers(init.headers).get('upload-offset') !== '0'
      return isSecond ? Promise.reject(new TypeError('terminated')) : fetch(input, init)
    }
    const client = createClient({ baseUrl, token: adminToken, fetch: cut })
    const large = new Blob([new Uint8Array(5 * 1024 * 1024)])
    await assert.rejects(client.media.add(id, large, 'film', { mediafile_type: 'trailer' }), ConnectionError)
    assert.equal((await libretto.media.list(id)).count, 0)
  })
})

describe('the client, refused', () => {
  it('throws what the service said, with each place that is wrong', async () => {
    const error = await libretto.entities
      .create({ type: 'performance', metadata: [{ key: 'start', value: 'soon' }] })
      .then(
        () => assert.fail('it was accepted'),
        (thrown: unknown) => thrown
      )

    assert.ok(isProblem(error))
    assert.equal(error.code, 'invalid')
    assert.equal(error.status, 400)
    assert.ok(error.errors.some(({ pointer }) => pointer.startsWith('/metadata/0')))
    assert.ok(isProblem(error, 'not_found', 'invalid'))
    assert.ok(!isProblem(error, 'not_found'))
  })

  it('throws what the service said of an upload that was refused at once, however large', async () => {
    const { id } = await libretto.entities.create({ type: 'production', metadata: [{ key: 'title', value: 'Storm' }] })
    const stranger = createClient({ baseUrl, token: 'libretto_000000000000_nothing' })
    const [some, much] = [3, 12].map(megabytes => new Blob([Buffer.alloc(megabytes * 1024 * 1024)]))
    assert.ok(some && much)
    for (let round = 0; round < 8; round++) {
      await assert.rejects(stranger.imports.add(much), error => isProblem(error, 'unauthenticated'))
      await assert.rejects(libretto.media.add(id, some, 'a.bin', { mediafile_type: 'nonsense' as never }), error =>
        isProblem(error, 'invalid')
      )
      await assert.rejects(libretto.media.add('NO-SUCH', some, 'a.bin', {}), error => isProblem(error, 'not_found'))
    }
  })

  it('asks for its token each time, and is told when it no longer holds', async () => {
    let token = adminToken
    const client = createClient({ baseUrl, token: () => token })
    await client.me()
    token = 'libretto_000000000000_nothing'
    await assert.rejects(client.me(), error => isProblem(error, 'unauthenticated'))
  })

  it('sends no token where it is empty, as from an environment variable that is not set', async t => {
    const open = await start(t, { ANONYMOUS_ACCESS: 'read' })
    const client = createClient({ baseUrl: `http://127.0.0.1:${await listen(open)}`, token: '' })
    assert.equal((await client.entities.find([])).count, 0)
  })

  it('creates, lists and revokes tokens', async () => {
    const made = await libretto.tokens.create({ name: 'kiosk', scopes: ['read'] })
    await createClient({ baseUrl, token: made.token }).me()
    assert.ok(JSON.stringify(await libretto.tokens.list()).includes(made.id))
    await libretto.tokens.revoke(made.id)
    assert.ok(!JSON.stringify(await libretto.tokens.list()).includes(made.id))
  })

  it('tells a service that is away from one that refuses', async () => {
    const away = createClient({ baseUrl: 'http://127.0.0.1:1', token: adminToken })
    await assert.rejects(away.me(), ConnectionError)
    const { url } = await aServer((_, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'))
    await assert.rejects(createClient({ baseUrl: url }).me(), ConnectionError)
  })

  it('stops when it is called off', async () => {
    const { url } = await aServer(() => {})
    const signal = AbortSignal.timeout(20)
    await assert.rejects(createClient({ baseUrl: url }).me({ signal }), { name: 'TimeoutError' })
  })

  it('asks again when the service says later, unless what was asked might then happen twice', async () => {
    const methods: string[] = []
    const problem = { type: '', title: '', status: 503, detail: 'Away', code: 'unavailable', message: '' }
    const { url } = await aServer((request, response) => {
      methods.push(request.method ?? '')
      response.writeHead(503, { 'retry-after': '0' }).end(JSON.stringify(problem))
    })
    const client = createClient({ baseUrl: url })

    await assert.rejects(client.me(), ProblemError)
    await assert.rejects(client.entities.create(venue('Een')), ProblemError)
    await assert.rejects(client.entities.create(venue('Een'), { idempotencyKey: 'one' }), ProblemError)
    assert.deepEqual(methods, ['GET', 'GET', 'GET', 'POST', 'POST', 'POST', 'POST'])
  })
})

describe('the client, following changes', () => {
  it('gives every change once and in order, and goes on when the connection was lost', async t => {
    const stop = new AbortController()
    t.after(() => stop.abort())
    const { cursor: since } = await lastCursor()
    // A door between the two that is slammed after the first event.
    let connections = 0
    const flaky: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      return ++connections > 1 ? response : cutAfterFirstEvent(response)
    }
    const client = createClient({ baseUrl, token: adminToken, fetch: flaky })
    const made: string[] = []
    for (const name of ['Een', 'Twee', 'Drie']) made.push((await service.create(aVenue(name))).id)

    const seen: string[] = []
    for await (const event of client.changes.follow({ since, signal: stop.signal })) {
      seen.push(event.subject)
      // This one is written while somebody listens.
      if (seen.length === 3) made.push((await service.create(aVenue('Vier'))).id)
      if (seen.length === 4) break
    }
    assert.deepEqual(seen, made)
    assert.equal(connections, 2)
  })

  it('tells of a connection that was lost or cannot be made, and makes another', async t => {
    const stop = new AbortController()
    t.after(() => stop.abort())
    const { cursor: since } = await lastCursor()
    const ways = [
      async () => Promise.reject(new TypeError('fetch failed')),
      async () => new Response(new ReadableStream({ start: body => body.error(new TypeError('terminated')) }))
    ]
    const flaky: typeof fetch = async (input, init) => (await ways.shift()?.()) ?? fetch(input, init)
    const client = createClient({ baseUrl, token: adminToken, fetch: flaky })
    const { id } = await service.create(aVenue())
    const waits: number[] = []

    const changes = client.changes.follow({ since, signal: stop.signal, onReconnect: wait => waits.push(wait) })
    assert.equal((await changes.next()).value?.subject, id)
    assert.deepEqual(waits, [1000, 2000])
  })

  it('throws what can never succeed, and ends when it is called off', async () => {
    const nobody = createClient({ baseUrl, token: 'libretto_000000000000_nothing' })
    await assert.rejects(nobody.changes.follow().next(), error => isProblem(error, 'unauthenticated'))
    const { cursor: since } = await lastCursor()
    const stop = new AbortController()
    const next = libretto.changes.follow({ since, signal: stop.signal }).next()
    stop.abort()
    assert.deepEqual(await next, { value: undefined, done: true })
  })
})

const nameOf = (entity: { readonly metadata: readonly { readonly key: string; readonly value?: unknown }[] }) =>
  entity.metadata.find(({ key }) => key === 'name')?.value

async function lastCursor() {
  let page = await libretto.changes.read({ limit: 1000 })
  while (page.more) page = await libretto.changes.read({ limit: 1000, since: page.cursor })
  return page
}

function cutAfterFirstEvent(response: Response): Response {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let text = ''
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) return controller.close()
      text += decoder.decode(value, { stream: true })
      const end = /data: [^\n]*\n\n/.exec(text)
      if (!end) return
      controller.enqueue(encoder.encode(text.slice(0, end.index + end[0].length)))
      await reader?.cancel()
      controller.close()
    }
  })
  return new Response(body, { status: response.status, headers: response.headers })
}

async function aServer(answer: Parameters<typeof createServer>[1] & {}) {
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('the client, against a service that is busy', () => {
  it('repeats everything that only reads, and no other request', async t => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      request.resume()
      const problem = { type: '/problems/unavailable', title: 'x', status: 503, detail: 'x', code: 'unavailable' }
      response.writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '0' })
      response.end(JSON.stringify({ ...problem, message: 'x' }))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const busy = createClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
    const reads = [
      () => busy.entities.read('x'),
      () => busy.entities.find([]),
      () => busy.entities.findAll([]).next(),
      () => busy.entities.wems(['x']),
      () => busy.exports.matching([], 'ndjson'),
      () => busy.media.content('x')
    ]
    for (const read of reads) {
      asked.length = 0
      await assert.rejects(read(), ProblemError)
      assert.equal(asked.length, 3, asked.join())
    }
    const writes = [
      () => busy.entities.create({ type: 'venue', metadata: [{ key: 'name', value: 'x' }] }),
      () => busy.entities.delete('x'),
      () => busy.media.add('x', new Blob(['x']), 'x.txt', {})
    ]
    for (const write of writes) {
      asked.length = 0
      await assert.rejects(write(), ProblemError)
      assert.equal(asked.length, 1, asked.join())
    }
  })
})

describe('the client, reading lists and changes', () => {
  it('gets the names of related records with a list, and reads values and relations by their names', async () => {
    const hall = await libretto.entities.create(venue('De Lijst'))
    const show = await libretto.entities.create({
      type: 'production',
      metadata: [
        { key: 'title', value: 'Lijst', lang: 'nl' },
        { key: 'title', value: 'List', lang: 'en' },
        { key: 'duration', value: 75 }
      ],
      relations: [{ type: 'refVenues', key: hall.id }]
    })
    const { results } = await libretto.entities.find([{ type: 'id', value: show.id }], { include: 'relations' })
    const [found] = results
    assert.ok(found)
    assert.deepEqual(
      related(found, 'refVenues').map(each => [each.key, each.value]),
      [[hall.id, 'De Lijst']]
    )
    assert.deepEqual(
      [value(found, 'title'), value(found, 'title', 'en'), value(found, 'duration')],
      ['Lijst', 'List', 75]
    )
    assert.deepEqual([values(found, 'title'), value(found, 'subtitle')], [['Lijst', 'List'], undefined])
    assert.deepEqual(related(found, 'refSeasons'), [])
  })

  it('follows later changes only, from now', async () => {
    const stop = new AbortController()
    const follow = libretto.changes.follow({ since: 'now', types: 'season', signal: stop.signal })
    let first: Awaited<ReturnType<typeof follow.next>> | undefined
    const hearing = follow.next().then(heard => {
      first = heard
    })
    // The stream is open when the service has answered; until then a change may come too early.
    const made: string[] = []
    while (!first) {
      const { id } = await libretto.entities.create({ type: 'season', metadata: [{ key: 'name', value: 'x' }] })
      made.push(id)
      await Promise.race([hearing, sleep(50)])
    }
    stop.abort()
    assert.ok(made.includes(first.value?.subject ?? ''), JSON.stringify(first))
    const { changes, cursor } = await libretto.changes.read({ since: 'now' })
    assert.deepEqual(changes, [])
    assert.ok(cursor)
  })
})
