import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { until } from '../support/services/receiver.ts'
import { aPerson, aProduction, aVenue, longTexts, metadata, relations } from '../support/records/entities.ts'
import { changesAfter, changesOf, endOfFeed, moment, nameOf } from '../support/records/changes.ts'
import { type EventStream, openStream } from '../support/services/event-stream.ts'
import { answerOf, beginRequest, listen } from '../support/services/listen.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const service = await start({ after })
const { create, patch } = service
const port = await listen(service)

/** Opens a stream that the test ends with. */
const open = async (
  t: { after(end: () => void): void },
  ...[query, options]: [query?: string, options?: Parameters<typeof openStream>[2]]
) => {
  const stream = await openStream(port, query, options)
  t.after(() => stream.close())
  return stream
}

/**
 * Resolves to whether the stream ends within so many milliseconds; events that come before are
 * passed over.
 */
const endsWithin = async (stream: EventStream, milliseconds: number) => {
  const ending = (async () => {
    while (await stream.next()) {}
    return true
  })()
  return Promise.race([ending, sleep(milliseconds, false)])
}

/** In milliseconds: what waits for a heartbeat takes 15 s, and a busy machine may take some. */
const lessThanHeartbeat = 12_000

/** Waits until the server has no connection any more; fails when that takes long. */
const untilNoConnections = async ({ app }: typeof service) => {
  const count = () =>
    new Promise<number>((resolve, reject) =>
      app.server.getConnections((error, connections) => (error ? reject(error) : resolve(connections)))
    )
  await until(async () => (await count()) === 0)
}

const problemOf = async (query: string, headers: Record<string, string> = {}) => {
  const sent = beginRequest(port, `/changes${query}`, { headers: { accept: 'text/event-stream', ...headers } })
  sent.end()
  const response = await answerOf(sent)
  const text = (await Array.fromAsync(response)).map(String).join('')
  return { status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text), text }
}

describe('GET /changes with Accept: text/event-stream', () => {
  it('streams what happened and what happens, as the feed tells it', async t => {
    const since = await endOfFeed(service)
    const first = await create(aVenue('Before'))
    const stream = await open(t, `?since=${since}`)
    assert.equal(stream.response.statusCode, 200)
    assert.match(String(stream.response.headers['content-type']), /^text\/event-stream/)
    assert.match(String(stream.response.headers['cache-control']), /no-cache/)
    assert.deepEqual(
      (await stream.take(1)).map(({ data }) => nameOf(data)),
      [['entity.created', first.id, 1]]
    )

    await patch(`/entities/${first.id}`, { metadata: metadata({ name: 'After' }) })
    await service.delete(`/entities/${first.id}`)

    const events = await stream.take(2)
    assert.deepEqual(
      events.map(({ data }) => nameOf(data)),
      [
        ['entity.updated', first.id, 2],
        ['entity.deleted', first.id, 3]
      ]
    )
    assert.deepEqual(
      events.map(({ data }) => data),
      (await changesAfter(service, since)).slice(1)
    )
    for (const event of events) assert.deepEqual([event.id, event.type], [event.data.id, event.data.type])
  })

  it('ends at once for HEAD, which has the headers only', async () => {
    const sent = beginRequest(port, '/changes', { method: 'HEAD', headers: { accept: 'text/event-stream' } })
    sent.end()
    const response = await answerOf(sent)
    assert.deepEqual(
      [response.statusCode, response.headers['content-type'], (await Array.fromAsync(response)).length],
      [200, 'text/event-stream', 0]
    )
  })

  it('tells of a change at once, not with the next heartbeat', async t => {
    const stream = await open(t, `?since=${await endOfFeed(service)}`)
    const { id } = await create(aVenue('Now'))
    const written = performance.now()

    const [event] = await stream.take(1)

    assert.equal(event?.data.subject, id)
    assert.ok(performance.now() - written < lessThanHeartbeat)
  })

  it('resumes after Last-Event-ID, which goes before since', async t => {
    const since = await endOfFeed(service)
    const ids: string[] = []
    for (let count = 0; count < 4; count++) ids.push((await create(aVenue(`${count}`))).id)
    const stream = await open(t, `?since=${since}`)
    const [, second] = await stream.take(2)
    stream.close()

    const resumed = await open(t, `?since=${since}`, { headers: { 'last-event-id': String(second?.id) } })

    assert.deepEqual(
      (await resumed.take(2)).map(({ data }) => data.subject),
      ids.slice(2)
    )
  })

  it('loses and repeats nothing over many interruptions while others write', async () => {
    const since = await endOfFeed(service)
    const writing = (async () => {
      for (let count = 0; count < 100; count++) await create(aVenue(`${count}`))
    })()
    const heard: string[] = []
    let last = since
    while (heard.length < 100) {
      const stream = await openStream(port, '', { headers: { 'last-event-id': last } })
      for (const event of await stream.take(Math.min(7, 100 - heard.length))) {
        heard.push(event.data.id)
        last = event.id
      }
      stream.close()
    }
    await writing

    assert.deepEqual(
      heard,
      (await changesAfter(service, since)).map(event => event.id)
    )
  })

  it('begins with how soon to come back, and names no place before the events up to it were told', async t => {
    const since = await endOfFeed(service)
    await create(aPerson())
    const { response } = await open(t, `?since=${since}`)
    const [chunk] = await once(response, 'data')

    assert.ok(String(chunk).startsWith('retry: 1000\n\n'))
  })

  it('tells only of the types and ids asked for', async t => {
    const since = await endOfFeed(service)
    const venue = await create(aVenue('One'))
    const byType = await open(t, `?since=${since}&types=person,entity.created`)
    const byId = await open(t, `?since=${since}&ids=${venue.id}`)
    const person = await create(aPerson())
    await patch(`/entities/${person.id}`, { metadata: metadata({ name: 'x' }) })
    const second = await create(aPerson())
    await service.delete(`/entities/${venue.id}`)

    assert.deepEqual(
      (await byType.take(2)).map(({ data }) => data.subject),
      [person.id, second.id]
    )
    assert.deepEqual(
      (await byId.take(2)).map(({ type }) => type),
      ['entity.created', 'entity.deleted']
    )
  })

  it('tells a token only of what it may read', async t => {
    const since = await endOfFeed(service)
    const venue = await create(aVenue())
    const token = await service.tokenWith('read:production')
    const stream = await open(t, `?since=${since}`, { token })
    const { id } = await create(aProduction({}, { relations: relations({ refVenues: venue.id }) }))

    const [event] = await stream.take(1)

    assert.equal(event?.data.subject, id)
    assert.deepEqual(event.data.data.entity?.relations, [])
  })

  it('says something every 15 seconds, so that nobody takes it for dead', async t => {
    const stream = await open(t, `?since=${await endOfFeed(service)}`)
    const [first] = await once(stream.response, 'data')
    assert.match(String(first), /^retry:/)
    const now = performance.now.bind(performance)
    let ahead = 12_000
    t.mock.method(performance, 'now', () => now() + ahead)
    const early = await Promise.race([once(stream.response, 'data'), sleep(1500)])
    assert.equal(early, undefined)

    ahead = 16_000
    const [heartbeat] = await once(stream.response, 'data')

    assert.equal(String(heartbeat), `: still here\nid: ${await endOfFeed(service)}\n\n`)
  })

  it('waits for a slow reader, who misses nothing, and keeps nothing in memory for it', async t => {
    const own = await start(t)
    const sockets: Socket[] = []
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    t.after(() => process.off('warning', note))
    const ownPort = await listen(own)
    const { id } = await own.create(aVenue('0'))
    const count = 60
    const bulk = longTexts(400_000)
    own.app.server.on('connection', socket => sockets.push(socket))

    const stream = await openStream(ownPort)
    t.after(() => stream.close())
    for (let version = 0; version < count; version++)
      await own.patch(`/entities/${id}`, { metadata: [{ key: 'bulk', value: [version, ...bulk] }] })
    await sleep(500)

    const waiting = sockets.map(socket => socket.writableLength)
    assert.ok(Math.max(...waiting) < 2_000_000, `${waiting} bytes wait in memory`)
    const events = await stream.take(count + 1)
    assert.deepEqual(
      events.map(({ data }) => data.data.version),
      Array.from({ length: count + 1 }, (_, index) => index + 1)
    )
    assert.deepEqual(warnings, [])
  })

  it('does not hold others up when one does not read', async t => {
    const idle = await open(t, `?since=${await endOfFeed(service)}`)
    idle.response.pause()
    const stream = await open(t, `?since=${await endOfFeed(service)}`)
    const { id } = await create(aVenue())

    assert.equal((await stream.take(1))[0]?.data.subject, id)
  })

  it('ends within two seconds when the token is revoked', async t => {
    const { id, token } = await service.libretto.tokens.create({ name: 'short', scopes: ['read'] }, 'test')
    const stream = await open(t, `?since=${await endOfFeed(service)}`, { token })
    assert.equal(await endsWithin(stream, 300), false)

    assert.equal((await service.delete(`/tokens/${id}`)).status, 204)

    const again = await openStream(port, '', { token })
    assert.equal(again.response.statusCode, 401)
    again.close()
    await Promise.race([once(stream.response, 'close'), sleep(2500)])
    assert.equal(stream.response.readableEnded || stream.response.destroyed, true)
  })

  it('tells nothing more to a token that was revoked', async t => {
    const { id, token } = await service.libretto.tokens.create({ name: 'short', scopes: ['read'] }, 'test')
    const stream = await open(t, `?since=${await endOfFeed(service)}`, { token })
    await service.delete(`/tokens/${id}`)
    await create(aVenue('After'))

    assert.equal(await stream.next(), undefined)
  })

  it('ends when the service closes, and does not hold it up', async t => {
    const own = await start(t)
    const stream = await openStream(await listen(own))
    const { response } = await openStream(await listen(own))
    response.pause()
    await own.create(aVenue())
    await stream.take(1)
    const closing = performance.now()

    await Promise.all([own.app.close(), endsWithin(stream, 5000)])

    assert.ok(performance.now() - closing < lessThanHeartbeat)
    assert.equal(await stream.next(), undefined)
  })

  it('ends when the service closes, however much a reader has not read', async t => {
    const own = await start(t)
    const stream = await openStream(await listen(own))
    t.after(() => stream.close())
    const { id } = await own.create(aVenue('0'))
    for (let version = 0; version < 40; version++)
      await own.patch(`/entities/${id}`, { metadata: [{ key: 'bulk', value: [version, ...longTexts(500_000)] }] })
    await sleep(300)
    const closing = performance.now()

    await own.app.close()
    await untilNoConnections(own)

    assert.ok(performance.now() - closing < lessThanHeartbeat)
  })

  it('ends on the server when the client goes away', async t => {
    const own = await start(t)
    const stream = await openStream(await listen(own))
    await own.create(aVenue())
    await stream.take(1)
    stream.close()

    await untilNoConnections(own)
  })

  it('answers a bad cursor as a problem, before it streams anything', async t => {
    assertProblem(await problemOf('?since=nonsense'), 'invalid')
    assertProblem(await problemOf('', { 'last-event-id': 'nonsense' }), 'invalid')
    assertProblem(await problemOf('?types=nonsense'), 'invalid')
    const own = await start(t)
    await own.create(aVenue())
    const foreign = await problemOf('', { 'last-event-id': await endOfFeed(own) })
    assertProblem(foreign, 'cursor_expired')
    assert.equal(foreign.body.restart_cursor, await endOfFeed(service))
  })

  it('ends when its place in the feed is forgotten, and tells why when asked again', async t => {
    const own = await start(t)
    const ownPort = await listen(own)
    await own.create(aVenue('1'))
    const stream = await openStream(ownPort)
    t.after(() => stream.close())
    const [event] = await stream.take(1)
    await own.create(aVenue('2'))
    await own.libretto.store.deleteChanges(await moment())

    const sent = beginRequest(ownPort, '/changes', {
      headers: { accept: 'text/event-stream', 'last-event-id': String(event?.id) }
    })
    sent.end()
    assert.equal((await answerOf(sent)).statusCode, 410)
    sent.destroy()
  })

  it('changes nothing', async t => {
    const since = await endOfFeed(service)
    assert.deepEqual(
      await changesOf(service, async () => {
        await open(t, `?since=${since}`)
        await sleep(100)
      }),
      []
    )
  })
})
