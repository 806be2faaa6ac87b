import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

import { Webhook } from 'standardwebhooks'

import { readAddressBlock } from '#events/address-guard.ts'
import { createSemaphore } from '#events/semaphore.ts'
import type { WebhookOutcome } from '#events/post-webhook.ts'
import { isTooEarly, progressAfter } from '#events/retry-plan.ts'
import { WebhookDispatcher } from '#events/webhook-dispatcher.ts'
import { createWebhookSender } from '#events/webhook-sender.ts'
import type { StoredWebhook } from '#store/ports/webhooks.ts'
import type { Store } from '#store/store.ts'
import { settings } from '../../src/config.ts'
import { aPerson, aVenue, aWork, metadata } from '../support/records/entities.ts'
import { watchStalls } from '../support/machines/machine-stalls.ts'
import { allowLoopback, type Received, startReceiver, until } from '../support/services/receiver.ts'
import { start, type TestService } from '../support/services/start.ts'

/**
 * Starts a service that tells webhooks of changes; anything that goes wrong in it fails the test.
 */
async function startTelling(t: TestContext, environment: Record<string, string> = {}): Promise<TestService> {
  const service = await start(t, { ...allowLoopback, ...environment })
  service.libretto.startBackground(assert.ifError)
  return service
}

async function makeWebhook(service: TestService, wanted: Record<string, unknown>) {
  const answer = await service.post('/webhooks', wanted)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

/** Waits until the feed has been read, and is not read again before the next change. */
const untilQuiet = () => wait(700)

const read = async (service: TestService, id: string) => (await service.get(`/webhooks/${id}`)).body
const logOf = async (service: TestService, id: string) =>
  (await service.get(`/webhooks/${id}/deliveries?limit=1000`)).body.deliveries as {
    event_id: string
    attempt: number
    delivered: boolean
    status: number | null
    error: string | null
    at: string
  }[]
const feedOf = async (service: TestService) =>
  (await service.get('/changes?limit=1000')).body.changes as { id: string }[]
const verify = (secret: string, { body, headers }: Received) => new Webhook(secret).verify(body, { ...headers })
const idsOf = (received: readonly Received[]) => received.map(each => each.event.id as string)

describe('A webhook', () => {
  it('is told of every change as in the feed, in its order, signed', async t => {
    const service = await startTelling(t)
    const receiver = await startReceiver(t)
    const { secret } = await makeWebhook(service, { url: receiver.url })

    const person = await service.create(aPerson())
    await service.put(`/entities/${person.id}`, { ...aPerson(), metadata: metadata({ name: 'Bacon, Francis' }) })
    await service.delete(`/entities/${person.id}`)
    await Promise.all(Array.from({ length: 30 }, (_, index) => service.create(aVenue(`Venue ${index}`))))
    await receiver.waitFor(33)

    const feed = await feedOf(service)
    assert.equal(feed.length, 33)
    assert.deepEqual(
      receiver.received.map(each => verify(secret, each)),
      feed
    )
    for (const { headers, event } of receiver.received) {
      assert.equal(headers['webhook-id'], event.id)
      assert.equal(headers['content-type'], 'application/cloudevents+json')
    }
  })

  it('is told in order also when every second attempt fails, and under the same id each time', async t => {
    const service = await startTelling(t, { WEBHOOK_RETRIES: '0' })
    const receiver = await startReceiver(t, (response, count) => void response.writeHead(count % 2 ? 503 : 200).end())
    const { id, secret } = await makeWebhook(service, { url: receiver.url })
    for (let index = 0; index < 5; index++) await service.create(aPerson(`Person ${index}`))
    await receiver.waitFor(10, 15_000)

    const told = (await feedOf(service)).flatMap(event => [event.id, event.id])
    assert.deepEqual(idsOf(receiver.received), told)
    for (const each of receiver.received) verify(secret, each)
    await until(async () => (await logOf(service, id)).length === 10)
    assert.deepEqual(
      (await logOf(service, id)).reverse().map(each => [each.event_id, each.attempt, each.status]),
      told.map((event, index) => [event, (index % 2) + 1, index % 2 ? 200 : 503])
    )
    const { state, attempts, failing_since, cursor } = await read(service, id)
    assert.deepEqual([state, attempts, failing_since, cursor], ['active', 0, null, told.at(-1)])
  })

  it('hears only of the types it asked for', async t => {
    const service = await startTelling(t)
    const works = await startReceiver(t)
    const deletions = await startReceiver(t)
    await makeWebhook(service, { url: works.url, entity_types: ['work', 'venue'] })
    await makeWebhook(service, { url: deletions.url, event_types: ['entity.deleted'], entity_types: ['person'] })

    const person = await service.create(aPerson())
    const work = await service.create(aWork())
    const venue = await service.create(aVenue())
    await service.delete(`/entities/${venue.id}`)
    await service.delete(`/entities/${person.id}`)
    await Promise.all([works.waitFor(3), deletions.waitFor(1)])
    await wait(300)

    const told = ({ received }: { received: readonly Received[] }) =>
      received.map(({ event }) => [event.type, event.subject])
    assert.deepEqual(told(works), [
      ['entity.created', work.id],
      ['entity.created', venue.id],
      ['entity.deleted', venue.id]
    ])
    assert.deepEqual(told(deletions), [['entity.deleted', person.id]])
  })

  it('that asks for other types later is not told of what it was passed over with', async t => {
    const service = await startTelling(t)
    const receiver = await startReceiver(t)
    const { id } = await makeWebhook(service, { url: receiver.url, entity_types: ['venue'] })
    const venue = await service.create(aVenue())
    await receiver.waitFor(1)
    await service.create(aPerson('Before'))
    await untilQuiet()

    await service.patch(`/webhooks/${id}`, { entity_types: ['person'] })
    const after = await service.create(aPerson('After'))
    await receiver.waitFor(2)
    await wait(300)

    assert.deepEqual(
      receiver.received.map(each => each.event.subject),
      [venue.id, after.id]
    )
  })

  it('is behind by nothing after a stop, whatever was not for it', async t => {
    const service = await startTelling(t)
    const others = await startReceiver(t)
    const { id, cursor } = await makeWebhook(service, { url: 'http://127.0.0.1:2/', entity_types: ['venue'] })
    await makeWebhook(service, { url: others.url, entity_types: ['person'] })
    await service.create(aPerson())
    await others.waitFor(1)
    await untilQuiet()
    assert.equal((await read(service, id)).cursor, cursor, 'not worth a write of its own')

    await service.libretto.dispatcher.stop()

    assert.equal((await read(service, id)).cursor, (await feedOf(service)).at(-1)?.id)
  })

  it('is told at once when it is made with a place in the past', async t => {
    const service = await startTelling(t)
    await service.create(aPerson())
    const receiver = await startReceiver(t)
    await untilQuiet()

    await makeWebhook(service, { url: receiver.url, from: 'beginning' })

    await receiver.waitFor(1)
  })

  it('is told nothing by a service that was not asked to', async t => {
    const service = await start(t, allowLoopback)
    const receiver = await startReceiver(t)
    await makeWebhook(service, { url: receiver.url })
    await service.create(aPerson())
    await wait(400)

    assert.equal(receiver.received.length, 0)
  })
})

describe('A receiver that fails', () => {
  it('is tried again as often as set, then the webhook is parked and says so', async t => {
    const service = await startTelling(t, { WEBHOOK_RETRIES: '0.3,0.6' })
    const receiver = await startReceiver(t, response => void response.writeHead(500).end())
    const { id } = await makeWebhook(service, { url: receiver.url })
    const { id: personId } = await service.create(aPerson())
    await receiver.waitFor(1)
    await until(async () => (await read(service, id)).attempts === 1)
    const failing = await read(service, id)
    assert.equal(failing.state, 'active')
    assert.ok(Date.parse(failing.next_attempt_at) > Date.parse(failing.failing_since))

    await until(async () => (await read(service, id)).state === 'parked')
    await service.create(aPerson('Later'))
    await wait(500)

    const parked = await read(service, id)
    assert.deepEqual([parked.attempts, parked.next_attempt_at], [3, null])
    assert.equal(parked.failing_since, failing.failing_since)
    assert.equal(parked.cursor, failing.cursor)
    const moments = receiver.received.map(each => each.at)
    const [first = 0, second = 0] = moments.slice(1).map((at, index) => at - (moments[index] ?? 0))
    // A fifth less at least.
    assert.ok(first >= 235, String(first))
    assert.ok(second >= 475, String(second))
    assert.deepEqual(
      receiver.received.map(each => each.event.subject),
      Array(3).fill(personId)
    )
    assert.deepEqual(
      (await logOf(service, id)).map(each => [each.attempt, each.delivered, each.status]),
      [
        [3, false, 500],
        [2, false, 500],
        [1, false, 500]
      ]
    )
  })

  it('is told everything it missed, in order, when a person resumes it', async t => {
    const service = await startTelling(t, { WEBHOOK_RETRIES: '0' })
    let isWell = false
    const receiver = await startReceiver(t, response => void response.writeHead(isWell ? 200 : 500).end())
    const { id } = await makeWebhook(service, { url: receiver.url })
    for (const name of ['One', 'Two', 'Three']) await service.create(aPerson(name))
    await until(async () => (await read(service, id)).state === 'parked')
    isWell = true

    await service.call('POST', `/webhooks/${id}/resume`)
    await receiver.waitFor(5)

    assert.deepEqual(
      idsOf(receiver.received.slice(2)),
      (await feedOf(service)).map(each => each.id)
    )
  })

  it('is given up at once when it says that it is gone (410)', async t => {
    const service = await startTelling(t, { WEBHOOK_RETRIES: '0,0,0' })
    const receiver = await startReceiver(t, response => void response.writeHead(410).end())
    const { id } = await makeWebhook(service, { url: receiver.url })
    await service.create(aPerson())
    await until(async () => (await read(service, id)).state === 'disabled')
    await service.create(aPerson('Later'))
    await wait(300)

    assert.equal(receiver.received.length, 1)
  })

  it('is left alone for as long as it asks (Retry-After)', async t => {
    const service = await startTelling(t, { WEBHOOK_RETRIES: '0,0' })
    const receiver = await startReceiver(t, (response, count) =>
      count === 1 ? void response.writeHead(429, { 'retry-after': '1' }).end() : void response.end()
    )
    await makeWebhook(service, { url: receiver.url })
    await service.create(aPerson())
    await receiver.waitFor(2)

    const [first, second] = receiver.received
    assert.ok((second?.at ?? 0) - (first?.at ?? 0) >= 995)
  })

  it('is tried at once at its new address', async t => {
    const service = await startTelling(t, { WEBHOOK_RETRIES: '3600' })
    const receiver = await startReceiver(t)
    const { id } = await makeWebhook(service, { url: 'http://127.0.0.1:2/' })
    await service.create(aPerson())
    await until(async () => (await read(service, id)).attempts === 1)
    await untilQuiet()

    await service.patch(`/webhooks/${id}`, { url: receiver.url })

    await receiver.waitFor(1)
    await until(async () => (await read(service, id)).failing_since === null)
  })

  it('is not sent to at an address that became forbidden', async t => {
    const service = await startTelling(t)
    const { id } = await makeWebhook(service, { url: 'http://127.0.0.1:2/' })
    // As if it had been made under other settings.
    await service.libretto.store.updateWebhook(id, 1, { url: 'http://169.254.169.254/latest/meta-data/' })
    await service.create(aPerson())
    await until(async () => (await logOf(service, id)).length === 1)

    const [attempt] = await logOf(service, id)
    assert.equal(attempt?.error, 'Refused: 169.254.169.254 is not a public address (link-local)')
  })
})

describe('What a person does while an event is under way', () => {
  /** A webhook whose receiver holds the first event back until it is told to answer. */
  async function startHeld(t: TestContext) {
    const service = await startTelling(t)
    const { promise, resolve } = Promise.withResolvers<void>()
    const receiver = await startReceiver(t, async (response, count) => {
      if (count === 1) await promise
      response.end()
    })
    const webhook = await makeWebhook(service, { url: receiver.url })
    await service.create(aPerson('One'))
    await receiver.waitFor(1)
    return { service, receiver, webhook, answer: resolve }
  }

  it('a pause lasts, and the event counts as delivered', async t => {
    const { service, receiver, webhook, answer } = await startHeld(t)
    await service.patch(`/webhooks/${webhook.id}`, { state: 'paused' })
    await service.create(aPerson('Two'))
    answer()
    await until(async () => (await logOf(service, webhook.id)).length === 1)
    await wait(300)
    assert.equal((await read(service, webhook.id)).state, 'paused')

    await service.call('POST', `/webhooks/${webhook.id}/resume`)
    await receiver.waitFor(2)
    await wait(300)
    assert.deepEqual(
      idsOf(receiver.received),
      (await feedOf(service)).map(each => each.id)
    )
  })

  it('a delete ends it, and nothing is logged', async t => {
    const { service, receiver, webhook, answer } = await startHeld(t)
    await service.delete(`/webhooks/${webhook.id}`)
    await service.create(aPerson('Two'))
    answer()
    await wait(500)

    assert.equal(receiver.received.length, 1)
    assert.deepEqual(await service.libretto.store.listDeliveries(webhook.id, 10), [])
  })

  it('a new place in the feed stands', async t => {
    const { service, receiver, webhook, answer } = await startHeld(t)
    await service.create(aPerson('Two'))
    await service.call('POST', `/webhooks/${webhook.id}/resume?from=now`)
    answer()
    await until(async () => (await logOf(service, webhook.id)).length === 1)
    const third = await service.create(aPerson('Three'))
    await receiver.waitFor(2)
    await wait(300)

    assert.deepEqual(
      receiver.received.slice(1).map(each => each.event.subject),
      [third.id]
    )
  })

  it('a stop waits a second at most, and what had no answer by then is sent by the next start', async t => {
    const { service, receiver, webhook } = await startHeld(t)
    const began = performance.now()
    await service.libretto.dispatcher.stop()

    const took = performance.now() - began
    assert.ok(took > 900 && took < 5000, String(took))
    assert.deepEqual(await logOf(service, webhook.id), [])
    const { config, model, store } = service.libretto
    await using sender = createWebhookSender({ exceptions: config.webhookAllowedAddresses, hosts: [], timeout: 1000 })
    const next = new WebhookDispatcher({ ...partsWith(store), model, sender })
    next.start(assert.ifError)
    await receiver.waitFor(2)
    await until(async () => (await logOf(service, webhook.id)).length === 1)
    await next.stop()
    assert.equal(receiver.received[1]?.event.id, receiver.received[0]?.event.id)
  })
})

const partsWith = (store: Store) => ({
  store,
  eventSource: '/entities',
  userAgent: 'Libretto/test',
  retries: [0],
  now: Date.now,
  random: () => 0.5,
  isLeader: () => true,
  isInForce: async () => true
})

describe('A store that cannot write for a while', () => {
  it('gets the outcome later; the event is not sent again meanwhile', async t => {
    const service = await start(t, allowLoopback)
    const { config, model, store } = service.libretto
    const receiver = await startReceiver(t)
    const { id } = await makeWebhook(service, { url: receiver.url })
    let failures = 0
    const full: Store = {
      ...store,
      advanceWebhook: progress => {
        if (failures === 2) return store.advanceWebhook(progress)
        failures++
        return Promise.reject(new Error('The disk is full'))
      }
    }
    const reported: unknown[] = []
    await using sender = createWebhookSender({ exceptions: config.webhookAllowedAddresses, hosts: [], timeout: 1000 })
    const dispatcher = new WebhookDispatcher({ ...partsWith(full), model, sender })
    dispatcher.start(error => reported.push(error))
    await service.create(aPerson())
    await service.create(aVenue())
    await receiver.waitFor(2)
    await until(async () => (await logOf(service, id)).length === 2)
    await dispatcher.stop()

    assert.equal(reported.length, 2)
    assert.deepEqual(
      idsOf(receiver.received),
      (await feedOf(service)).map(each => each.id)
    )
  })
})

/**
 * Starts all hostile receivers, in a thread of their own, so that only what they do over the wire
 * is felt here.
 */
async function startHostile(t: TestContext) {
  const shared = new Int32Array(new SharedArrayBuffer(4 * 2 * 100))
  const worker = new Worker(new URL('./fixtures/hostile-receivers.ts', import.meta.url), { workerData: shared })
  t.after(() => worker.terminate())
  const [ports] = (await once(worker, 'message')) as [Record<string, number>]
  return Object.entries(ports).map(([what, port], index) => ({
    what,
    url: `http://127.0.0.1:${port}/`,
    requests: () => Atomics.load(shared, 2 * index),
    open: () => Atomics.load(shared, 2 * index + 1)
  }))
}

describe('Hostile receivers', () => {
  it('harm no other delivery and no request', async t => {
    const service = await startTelling(t, { WEBHOOK_TIMEOUT: '1500', WEBHOOK_RETRIES: '0.1,0.1,0.1' })
    const honest = await startReceiver(t)
    const hostile = await Promise.all(
      (await startHostile(t)).map(async each => ({ ...each, id: (await makeWebhook(service, { url: each.url })).id }))
    )
    const { id, secret } = await makeWebhook(service, { url: honest.url })
    const before = process.memoryUsage().rss
    using stalls = watchStalls()

    // Honest traffic goes on all the while: a write every few milliseconds and reads between them.
    const written = new Map<string, number>()
    const reads: number[] = []
    const entity = await service.create(aVenue())
    for (let index = 0; index < 100; index++) {
      const person = await service.create(aPerson(`Person ${index}`))
      written.set(person.id, performance.now())
      const asked = performance.now()
      assert.equal((await service.get(`/entities/${entity.id}`)).status, 200)
      reads.push(performance.now() - asked)
      await wait(20)
    }
    await honest.waitFor(101, 10_000)

    assert.deepEqual(
      idsOf(honest.received),
      (await feedOf(service)).map(each => each.id)
    )
    for (const each of honest.received) verify(secret, each)
    const delays = honest.received.slice(1).map(each => each.at - (written.get(each.event.subject) ?? 0))
    assert.ok(quantile(delays, 0.95) < stalls.allow(6000), `95 of 100 deliveries within ${quantile(delays, 0.95)} ms`)
    assert.ok(quantile(reads, 0.95) < stalls.allow(1000), `95 of 100 reads within ${quantile(reads, 0.95)} ms`)
    assert.ok((await logOf(service, id)).every(each => each.delivered))

    // Each of them was tried and logged, and those that never said 2xx are on their way to being
    // parked.
    const delivering = ['drips its answer, one byte at a time', 'answers without end', 'sends a bad chunk']
    for (const { what, id: hostileId, requests } of hostile) {
      await until(
        async () => (await logOf(service, hostileId)).length > 0,
        10_000,
        () => what
      )
      const log = await logOf(service, hostileId)
      assert.ok(requests() > 0, what)
      assert.equal(
        log.some(each => each.delivered),
        delivering.includes(what),
        `${what}: ${JSON.stringify(log[0])}`
      )
    }
    const grown = (process.memoryUsage().rss - before) / 1_048_576
    assert.ok(grown < 200, `grew by ${grown} MB`)
    await service.libretto.dispatcher.stop()
    await until(
      () => hostile.every(each => each.open() === 0),
      5000,
      () => `the connections to end: ${hostile.filter(each => each.open() > 0).map(each => each.what)}`
    )
  })
})

describe('An answer', () => {
  it('is read for 64 KiB at most, and its status counts', async t => {
    let written = 0
    const receiver = await startReceiver(t, response => {
      const pour = () => {
        do written += 65_536
        while (!response.destroyed && response.write('x'.repeat(65_536)))
      }
      response.on('drain', pour)
      pour()
    })
    const exceptions = [readAddressBlock('127.0.0.0/8') ?? assert.fail()]
    await using sender = createWebhookSender({ exceptions, hosts: [], timeout: 5000 })

    const outcome = await sender.send({ url: receiver.url, headers: {}, body: '{}' })

    assert.equal('status' in outcome && outcome.status, 200)
    // Bytes in the buffers of the connection count as written.
    assert.ok(written < 16_777_216, `${written} bytes`)
  })
})

const quantile = (values: readonly number[], share: number) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length * share)] ?? 0

describe('The sending thread', () => {
  const exceptions = [readAddressBlock('127.0.0.0/8') ?? assert.fail()]
  const file = new URL('./fixtures/dying-sender-worker.ts', import.meta.url)
  const isDelivered = (outcome: WebhookOutcome) => 'status' in outcome && outcome.status === 204

  for (const [end, timeout] of [
    ['die', 2000],
    ['swell', 20_000]
  ] as const) {
    it(`that should ${end} fails only what was under way, and another one goes on`, async t => {
      const receiver = await startReceiver(t, (response, count) => {
        // The first is under way until the thread ends.
        if (count > 1) response.writeHead(204).end()
      })
      await using sender = createWebhookSender({ exceptions, hosts: [], timeout }, file)
      const send = (body: string) => sender.send({ url: receiver.url, headers: {}, body })

      const underWay = send('{}')
      await receiver.waitFor(1)
      const before = process.memoryUsage().rss
      let most = before
      const watch = setInterval(() => {
        most = Math.max(most, process.memoryUsage().rss)
      }, 5)
      const outcomes = await Promise.all([send(`{"a":"${end} now"}`), underWay])
      clearInterval(watch)

      for (const outcome of outcomes)
        assert.match('error' in outcome ? outcome.error : '', /^The sending thread (ended|failed)/)
      const grown = (most - before) / 1_048_576
      assert.ok(grown < 500, `grew by ${grown} MB`)
      assert.ok(isDelivered(await send('{}')))
    })
  }

  it('that hangs is ended, and another one goes on', async t => {
    const receiver = await startReceiver(t, response => void response.writeHead(204).end())
    await using sender = createWebhookSender({ exceptions, hosts: [], timeout: 400 }, file)
    const send = (body: string) => sender.send({ url: receiver.url, headers: {}, body })

    const outcome = await send('{"a":"hang now"}')

    assert.ok('error' in outcome)
    assert.ok(isDelivered(await send('{}')))
  })

  it('is sent 20 events at once at most, however many webhooks there are', async t => {
    const service = await startTelling(t)
    let open = 0
    let most = 0
    const receiver = await startReceiver(t, async response => {
      most = Math.max(most, ++open)
      await wait(100)
      open--
      response.end()
    })
    for (let index = 0; index < 50; index++) await makeWebhook(service, { url: receiver.url })
    await service.create(aPerson())
    await service.create(aPerson())
    await receiver.waitFor(100, 15_000)

    assert.ok(most <= 20 && most >= 10, String(most))
  })
})

describe('a semaphore', () => {
  it('are given in the order asked for, some of them not to those that failed', async () => {
    const places = createSemaphore(3, 1)
    const order: string[] = []
    const take = (name: string, isFailing: boolean) =>
      places.take(isFailing).then(giveBack => {
        order.push(name)
        return giveBack
      })
    const [failing, , well] = [
      take('f1', true),
      take('f2', true),
      take('w1', false),
      take('w2', false),
      take('w3', false)
    ]
    await wait(1)
    assert.deepEqual(order, ['f1', 'w1', 'w2'])

    ;(await well)?.()
    await wait(1)
    assert.deepEqual(order, ['f1', 'w1', 'w2', 'w3'])

    ;(await failing)?.()
    await wait(1)
    assert.deepEqual(order, ['f1', 'w1', 'w2', 'w3', 'f2'])
  })
})

describe('The retry plan', () => {
  const retries = settings.webhookRetries.read(undefined)
  const now = Date.parse('2026-01-01T00:00:00Z')
  const webhook = { cursor: 7, attempts: 0, failingSince: null } as StoredWebhook
  const failed = { status: 500, retryAfter: null, duration: 1 }
  const waitAfter = (attempts: number, outcome: WebhookOutcome, chance = 0.5) => {
    const { nextAttemptAt } = progressAfter({ ...webhook, attempts }, 8, outcome, now, {
      retries,
      random: () => chance
    })
    return nextAttemptAt === null ? null : (Date.parse(nextAttemptAt) - now) / 1000
  }

  it('waits 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, then parks', () => {
    const waits = Array.from({ length: 8 }, (_, attempts) => waitAfter(attempts, failed))
    assert.deepEqual(waits, [5, 300, 1800, 7200, 18_000, 36_000, 36_000, null])
    const last = progressAfter({ ...webhook, attempts: 7 }, 8, failed, now, { retries, random: Math.random })
    assert.deepEqual([last.state, last.attempts, last.cursor], ['parked', 8, 7])
  })

  it('spreads each by a fifth either way', () => {
    assert.equal(waitAfter(1, failed, 0), 240)
    assert.ok((waitAfter(1, failed, 0.999_999) ?? 0) > 359)
  })

  it('heeds Retry-After, in seconds or as a date, up to a day, and never waits less than planned', () => {
    const after = (retryAfter: string) => waitAfter(0, { ...failed, retryAfter })
    assert.equal(after('60'), 60)
    assert.equal(after('Thu, 01 Jan 2026 00:02:00 GMT'), 120)
    assert.equal(after('1'), 5)
    assert.equal(after('Wed, 31 Dec 2025 00:00:00 GMT'), 5)
    assert.equal(after('999999999'), 86_400)
    assert.equal(after('soon'), 5)
    assert.equal(after('-5'), 5)
  })

  it('is due, where the clock was set back by more than any wait', () => {
    const day = 86_400_000
    for (const [ahead, waits] of [
      [0, false],
      [1, true],
      [day, true],
      [day + 1, false],
      [30 * day, false]
    ] as const)
      assert.equal(isTooEarly(now + ahead, now, { retries }), waits, `${ahead} ms`)
  })

  it('takes any 2xx for delivered and nothing else', () => {
    for (const status of [200, 201, 202, 204, 299])
      assert.equal(progressAfter(webhook, 8, { ...failed, status }, now, { retries, random: Math.random }).cursor, 8)
    for (const status of [100, 199, 300, 301, 304, 400, 404, 500])
      assert.equal(progressAfter(webhook, 8, { ...failed, status }, now, { retries, random: Math.random }).cursor, 7)
  })
})
