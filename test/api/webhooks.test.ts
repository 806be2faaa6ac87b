import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { Webhook } from 'standardwebhooks'

import { aPerson, aVenue } from '../support/records/entities.ts'
import { allowLoopback, startReceiver, until } from '../support/services/receiver.ts'
import { type Answer, start, type TestService } from '../support/services/start.ts'

const publicUrl = 'https://hooks.example.org/libretto'

/** Starts a service that may send to this machine. */
const startLocal = (t: Parameters<typeof start>[0], environment: Record<string, string> = {}) =>
  start(t, { ...allowLoopback, ...environment })

async function makeWebhook(service: TestService, wanted: Record<string, unknown>) {
  const answer = await service.post('/webhooks', wanted)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

const pointersOf = (answer: Answer) => (answer.body.errors as { pointer: string }[]).map(each => each.pointer)

describe('POST /webhooks', () => {
  it('answers 201 with the webhook, its address, and a secret of 32 bytes', async t => {
    const { post } = await start(t)

    const { status, headers, body } = await post('/webhooks', {
      url: publicUrl,
      description: 'The website',
      event_types: ['entity.created', 'entity.deleted'],
      entity_types: ['work', 'person']
    })

    assert.equal(status, 201)
    assert.equal(headers.location, `/webhooks/${body.id}`)
    const { id, secret, cursor, created_at, ...rest } = body
    assert.match(id, /^[0-9a-f]{12}$/)
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.match(cursor, /^[0-9a-f]{16}-0$/)
    assert.ok(Date.parse(created_at) > 0)
    assert.deepEqual(rest, {
      url: publicUrl,
      description: 'The website',
      event_types: ['entity.created', 'entity.deleted'],
      entity_types: ['work', 'person'],
      state: 'active',
      attempts: 0,
      failing_since: null,
      next_attempt_at: null,
      previous_secret_until: null,
      created_by: 'token:admin'
    })
  })

  it('names every fault at once', async t => {
    const { post } = await start(t)

    const answer = await post('/webhooks', {
      url: 'http://10.0.0.1/',
      description: 'two\nlines',
      event_types: ['entity.created', 'entity.eaten'],
      entity_types: ['person', 'dragon'],
      from: 'yesterday'
    })

    assert.equal(answer.status, 400)
    assert.equal(answer.body.code, 'invalid')
    assert.deepEqual(pointersOf(answer), ['/url', '/description', '/event_types/1', '/entity_types/1', '/from'])
  })

  for (const url of [
    'http://localhost/',
    'http://127.0.0.1:8080/',
    'http://[::1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://192.168.1.10/',
    'ftp://example.org/',
    'http://user:secret@example.org/',
    'https://example.org:25/',
    'not an address'
  ]) {
    it(`refuses ${url}`, async t => {
      const { post } = await start(t)
      const answer = await post('/webhooks', { url })

      assert.equal(answer.status, 400)
      assert.deepEqual(pointersOf(answer), ['/url'])
    })
  }

  it('refuses what it does not know, and a body without a url', async t => {
    const { post } = await start(t)

    assert.equal((await post('/webhooks', { url: publicUrl, colour: 'red' })).status, 400)
    assert.equal((await post('/webhooks', {})).status, 400)
    assert.equal((await post('/webhooks', { url: 7 })).status, 400)
  })

  it('begins now, at the beginning, or after a cursor of the feed', async t => {
    const service = await start(t)
    await service.create(aPerson())
    await service.create(aVenue())
    const sequenceOf = (cursor: string) => Number(cursor.split('-')[1])

    const now = await makeWebhook(service, { url: publicUrl })
    const beginning = await makeWebhook(service, { url: publicUrl, from: 'beginning' })
    const between = await makeWebhook(service, { url: publicUrl, from: now.cursor.replace(/-2$/, '-1') })

    assert.deepEqual(
      [now, beginning, between].map(each => sequenceOf(each.cursor)),
      [2, 0, 1]
    )
  })

  it('answers 410 for a cursor of another feed or one that is not kept, with where to restart', async t => {
    const service = await start(t)
    await service.create(aPerson())
    const { cursor } = await makeWebhook(service, { url: publicUrl })

    const other = await service.post('/webhooks', { url: publicUrl, from: '0123456789abcdef-1' })
    const ahead = await service.post('/webhooks', { url: publicUrl, from: cursor.replace(/-1$/, '-9') })

    assert.equal(other.status, 410)
    assert.equal(ahead.status, 410)
    assert.equal(other.body.code, 'cursor_expired')
    assert.equal(other.body.restart_cursor, cursor)
  })

  it('refuses the 101st', async t => {
    const service = await start(t)
    for (let index = 0; index < 100; index++) await makeWebhook(service, { url: publicUrl })

    assert.equal((await service.post('/webhooks', { url: publicUrl })).status, 400)
  })
})

describe('GET /webhooks', () => {
  it('lists webhooks in the order in which they were made, without their secrets', async t => {
    const service = await start(t)
    const first = await makeWebhook(service, { url: `${publicUrl}/1` })
    const second = await makeWebhook(service, { url: `${publicUrl}/2` })

    const { status, body, text } = await service.get('/webhooks')

    assert.equal(status, 200)
    const { secret: _, ...shown } = first
    assert.deepEqual(body[0], shown)
    assert.equal(body[1].id, second.id)
    assert.ok(!text.includes('whsec_'))
    assert.deepEqual((await service.get(`/webhooks/${first.id}`)).body, shown)
  })
})

describe('PATCH /webhooks/{id}', () => {
  it('changes what is given and leaves the rest', async t => {
    const service = await start(t)
    const { secret: _, ...made } = await makeWebhook(service, { url: publicUrl, entity_types: ['person'] })

    const changed = await service.patch(`/webhooks/${made.id}`, {
      url: `${publicUrl}/2`,
      event_types: ['entity.merged']
    })

    assert.equal(changed.status, 200)
    assert.deepEqual(changed.body, { ...made, url: `${publicUrl}/2`, event_types: ['entity.merged'] })
    assert.deepEqual((await service.get(`/webhooks/${made.id}`)).body, changed.body)
  })

  it('pauses and goes on', async t => {
    const service = await start(t)
    const { id } = await makeWebhook(service, { url: publicUrl })

    assert.equal((await service.patch(`/webhooks/${id}`, { state: 'paused' })).body.state, 'paused')
    assert.equal((await service.patch(`/webhooks/${id}`, { state: 'active' })).body.state, 'active')
    assert.equal((await service.patch(`/webhooks/${id}`, { state: 'parked' })).status, 400)
  })

  it('checks as strictly as when a webhook is made', async t => {
    const service = await start(t)
    const { id } = await makeWebhook(service, { url: publicUrl })

    const answer = await service.patch(`/webhooks/${id}`, { url: 'http://[fd00::1]/', entity_types: ['dragon'] })

    assert.equal(answer.status, 400)
    assert.deepEqual(pointersOf(answer), ['/url', '/entity_types/0'])
    assert.equal((await service.get(`/webhooks/${id}`)).body.url, publicUrl)
  })
})

describe('DELETE /webhooks/{id}', () => {
  it('deletes it with its log; afterwards nothing answers to its id', async t => {
    const service = await startLocal(t)
    const { url } = await startReceiver(t)
    const { id } = await makeWebhook(service, { url })
    const delivery = (await service.post(`/webhooks/${id}/test`, undefined)).body

    assert.equal((await service.delete(`/webhooks/${id}`)).status, 204)

    const calls: [string, string][] = [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
      ['POST', '/resume'],
      ['GET', '/deliveries'],
      ['POST', `/deliveries/${delivery.id}/replay`]
    ]
    for (const [method, path] of calls) {
      const answer = await service.call(method, `/webhooks/${id}${path}`, method === 'PATCH' ? { body: {} } : {})
      assert.equal(answer.status, 404, `${method} ${path}`)
    }
    assert.equal(await service.libretto.store.findDelivery(id, Number(delivery.id)), undefined)
  })
})

describe('Access to webhooks', () => {
  it('is for admins only, on every path', async t => {
    const service = await start(t)
    const { id } = await makeWebhook(service, { url: publicUrl })
    const calls: [string, string, unknown?][] = [
      ['GET', '/webhooks'],
      ['POST', '/webhooks', { url: publicUrl }],
      ['GET', `/webhooks/${id}`],
      ['PATCH', `/webhooks/${id}`, { description: 'mine' }],
      ['DELETE', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/test`],
      ['POST', `/webhooks/${id}/rotate-secret`],
      ['POST', `/webhooks/${id}/resume`],
      ['GET', `/webhooks/${id}/deliveries`],
      ['POST', `/webhooks/${id}/deliveries/1/replay`],
      // An existing webhook and one that does not exist give the same answer.
      ['GET', '/webhooks/000000000000']
    ]
    const others = await service.tokenWith('read', 'write', 'delete', 'admin:person')
    for (const [method, url, body] of calls) {
      const options = body === undefined ? {} : { body }
      assert.equal((await service.call(method, url, { ...options, token: others })).status, 403, `${method} ${url}`)
      assert.equal((await service.call(method, url, { ...options, token: undefined })).status, 401, `${method} ${url}`)
    }
    assert.equal((await service.get(`/webhooks/${id}`)).body.description, '')
  })
})

describe('POST /webhooks/{id}/test', () => {
  it('sends a signed event at once and answers what came of it', async t => {
    const service = await startLocal(t)
    const receiver = await startReceiver(t)
    const { id, secret } = await makeWebhook(service, { url: receiver.url })

    const { status, body } = await service.call('POST', `/webhooks/${id}/test`)

    assert.equal(status, 200)
    const [{ headers, body: sent, event } = assert.fail('nothing was sent')] = receiver.received
    assert.equal(receiver.received.length, 1)
    assert.equal(headers['content-type'], 'application/cloudevents+json')
    assert.match(headers['user-agent'] ?? '', /^Libretto\//)
    assert.deepEqual(new Webhook(secret).verify(sent, headers as Record<string, string>), event)
    assert.equal(event.type, 'webhook.test')
    assert.equal(event.specversion, '1.0')
    assert.deepEqual(event.data, { webhook_id: id })
    const { id: deliveryId, at, duration_ms, ...rest } = body
    assert.match(deliveryId, /^\d+$/)
    assert.ok(Date.parse(at) > 0 && duration_ms >= 0)
    assert.deepEqual(rest, {
      reason: 'test',
      event_id: headers['webhook-id'],
      event_type: 'webhook.test',
      subject: id,
      attempt: 1,
      delivered: true,
      status: 204,
      error: null
    })
  })

  it('answers 200 also when the receiver fails, and leaves the state as it was', async t => {
    const service = await startLocal(t)
    const receiver = await startReceiver(t, response => void response.writeHead(500).end('no'))
    const { id } = await makeWebhook(service, { url: receiver.url })

    const refused = await service.call('POST', `/webhooks/${id}/test`)
    await service.patch(`/webhooks/${id}`, { url: 'http://127.0.0.1:2/' })
    const unreachable = await service.call('POST', `/webhooks/${id}/test`)

    assert.equal(refused.status, 200)
    assert.deepEqual([refused.body.delivered, refused.body.status], [false, 500])
    assert.deepEqual([unreachable.body.delivered, unreachable.body.status], [false, null])
    assert.match(unreachable.body.error, /ECONNREFUSED/)
    const { state, attempts, failing_since } = (await service.get(`/webhooks/${id}`)).body
    assert.deepEqual([state, attempts, failing_since], ['active', 0, null])
  })

  it('works for a paused webhook', async t => {
    const service = await startLocal(t)
    const receiver = await startReceiver(t)
    const { id } = await makeWebhook(service, { url: receiver.url })
    await service.patch(`/webhooks/${id}`, { state: 'paused' })

    assert.equal((await service.call('POST', `/webhooks/${id}/test`)).body.delivered, true)
  })

  it('answers 503 while ten are under way', async t => {
    const service = await startLocal(t, { WEBHOOK_TIMEOUT: '500' })
    const receiver = await startReceiver(t, () => {})
    const { id } = await makeWebhook(service, { url: receiver.url })

    const send = () => service.call('POST', `/webhooks/${id}/test`, { isSentOnce: true })
    const answers = await Promise.all(Array.from({ length: 12 }, send))

    assert.deepEqual(answers.map(each => each.status).sort(), [...Array(10).fill(200), 503, 503])
    assert.equal((await service.call('POST', `/webhooks/${id}/test`)).status, 200)
  })
})

describe('POST /webhooks/{id}/rotate-secret', () => {
  it('gives a new secret, and both sign', async t => {
    const service = await startLocal(t)
    const receiver = await startReceiver(t)
    const { id, secret: first } = await makeWebhook(service, { url: receiver.url })

    const { status, body } = await service.call('POST', `/webhooks/${id}/rotate-secret`)
    await service.call('POST', `/webhooks/${id}/test`)

    assert.equal(status, 200)
    assert.notEqual(body.secret, first)
    const until = Date.parse(body.previous_secret_until) - Date.now()
    assert.ok(until > 86_300_000 && until <= 86_400_000, String(until))
    const [{ headers, body: sent } = assert.fail('nothing was sent')] = receiver.received
    assert.equal(headers['webhook-signature']?.split(' ').length, 2)
    for (const secret of [first, body.secret]) new Webhook(secret).verify(sent, headers as Record<string, string>)
    assert.throws(() =>
      new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(sent, headers as Record<string, string>)
    )
  })

  it('signs with the new one only after a day', async t => {
    const service = await startLocal(t)
    const receiver = await startReceiver(t)
    const { id, secret: first } = await makeWebhook(service, { url: receiver.url })
    const { secret } = (await service.call('POST', `/webhooks/${id}/rotate-secret`)).body
    const { store } = service.libretto
    const yesterday = new Date(Date.now() - 1).toISOString()
    await store.updateWebhook(id, 2, { previousSecretUntil: yesterday })

    await service.call('POST', `/webhooks/${id}/test`)

    const [{ headers, body: sent } = assert.fail('nothing was sent')] = receiver.received
    new Webhook(secret).verify(sent, headers as Record<string, string>)
    assert.throws(() => new Webhook(first).verify(sent, headers as Record<string, string>))
  })
})

describe('GET /webhooks/{id}/deliveries', () => {
  it('pages through what was sent, newest first, each once while more is sent', async t => {
    const service = await startLocal(t)
    const receiver = await startReceiver(t)
    const { id } = await makeWebhook(service, { url: receiver.url })
    const sent: string[] = []
    for (let index = 0; index < 5; index++) sent.unshift((await service.call('POST', `/webhooks/${id}/test`)).body.id)

    const first = await service.get(`/webhooks/${id}/deliveries?limit=2`)
    await service.call('POST', `/webhooks/${id}/test`)
    const second = await service.get(first.body.next)
    const third = await service.get(second.body.next)

    const pages = [first, second, third].map(page => page.body.deliveries.map((each: { id: string }) => each.id))
    assert.deepEqual(pages, [sent.slice(0, 2), sent.slice(2, 4), sent.slice(4)])
    assert.equal(third.body.next, undefined)
  })

  it('refuses a limit of 0 and what is not a delivery', async t => {
    const service = await start(t)
    const { id } = await makeWebhook(service, { url: publicUrl })

    assert.equal((await service.get(`/webhooks/${id}/deliveries?limit=0`)).status, 400)
    assert.equal((await service.get(`/webhooks/${id}/deliveries?before=x`)).status, 400)
    assert.deepEqual((await service.get(`/webhooks/${id}/deliveries`)).body, { deliveries: [] })
  })
})

describe('POST /webhooks/{id}/deliveries/{delivery_id}/replay', () => {
  it('sends the same event again, under the same id, and leaves the place in the feed', async t => {
    const service = await startLocal(t)
    service.libretto.startBackground(assert.ifError)
    const receiver = await startReceiver(t)
    const { id, secret } = await makeWebhook(service, { url: receiver.url })
    const person = await service.create(aPerson())
    await service.create(aVenue())
    await receiver.waitFor(2)
    await until(async () => (await service.get(`/webhooks/${id}/deliveries`)).body.deliveries.length === 2)
    const { cursor } = (await service.get(`/webhooks/${id}`)).body
    const { deliveries } = (await service.get(`/webhooks/${id}/deliveries`)).body

    const { status, body } = await service.call('POST', `/webhooks/${id}/deliveries/${deliveries[1].id}/replay`)

    assert.equal(status, 200)
    const [first, , again] = receiver.received
    assert.equal(again?.body, first?.body)
    assert.equal(again?.headers['webhook-id'], first?.headers['webhook-id'])
    new Webhook(secret).verify(again?.body ?? '', again?.headers as Record<string, string>)
    assert.deepEqual([body.reason, body.delivered, body.subject], ['replay', true, person.id])
    assert.equal((await service.get(`/webhooks/${id}`)).body.cursor, cursor)
  })

  it('replays a test', async t => {
    const service = await startLocal(t)
    const receiver = await startReceiver(t)
    const { id } = await makeWebhook(service, { url: receiver.url })
    const { id: deliveryId } = (await service.call('POST', `/webhooks/${id}/test`)).body

    await service.call('POST', `/webhooks/${id}/deliveries/${deliveryId}/replay`)

    const [first, second] = receiver.received
    assert.equal(second?.headers['webhook-id'], first?.headers['webhook-id'])
  })

  it('answers 404 for a delivery of another webhook, and 410 when the change is not kept', async t => {
    const service = await startLocal(t)
    const { store } = service.libretto
    service.libretto.startBackground(assert.ifError)
    const receiver = await startReceiver(t)
    const { id } = await makeWebhook(service, { url: receiver.url })
    const other = await makeWebhook(service, { url: publicUrl, entity_types: ['title'] })
    await service.create(aPerson())
    await receiver.waitFor(1)
    await until(async () => (await store.listDeliveries(id, 1)).length === 1)
    const [delivery] = await store.listDeliveries(id, 1)
    const replay = (webhook: string, number: unknown) =>
      service.call('POST', `/webhooks/${webhook}/deliveries/${number}/replay`)

    assert.equal((await replay(other.id, delivery?.number)).status, 404)
    assert.equal((await replay(id, 'x')).status, 404)
    await store.deleteChanges('9999')
    assert.equal((await replay(id, delivery?.number)).status, 410)
    assert.equal(receiver.received.length, 1)
  })
})

describe('POST /webhooks/{id}/resume', () => {
  it('goes on where it was, or from a place in the feed', async t => {
    const service = await startLocal(t)
    service.libretto.startBackground(assert.ifError)
    const receiver = await startReceiver(t)
    const { id } = await makeWebhook(service, { url: receiver.url })
    await service.patch(`/webhooks/${id}`, { state: 'paused' })
    const first = await service.create(aPerson())
    const second = await service.create(aVenue())
    const subjects = () => receiver.received.map(each => each.event.subject)

    const resumed = await service.call('POST', `/webhooks/${id}/resume`)
    await receiver.waitFor(2)
    assert.equal(resumed.body.state, 'active')
    assert.deepEqual(subjects(), [first.id, second.id])

    await until(async () => (await service.get(`/webhooks/${id}`)).body.cursor.endsWith('-2'))
    await service.call('POST', `/webhooks/${id}/resume?from=beginning`)
    await receiver.waitFor(4)
    assert.deepEqual(subjects(), [first.id, second.id, first.id, second.id])
  })

  it('skips what a receiver cannot take', async t => {
    const service = await startLocal(t, { WEBHOOK_RETRIES: '0' })
    service.libretto.startBackground(assert.ifError)
    const receiver = await startReceiver(t, (response, count) => void response.writeHead(count > 2 ? 204 : 500).end())
    const { id } = await makeWebhook(service, { url: receiver.url })
    await service.create(aPerson('Poison'))
    await until(async () => (await service.get(`/webhooks/${id}`)).body.state === 'parked')

    await service.call('POST', `/webhooks/${id}/resume?from=now`)
    const next = await service.create(aPerson('Next'))
    await receiver.waitFor(3)

    assert.equal(receiver.received[2]?.event.subject, next.id)
  })

  it('refuses what is no place', async t => {
    const service = await start(t)
    const { id } = await makeWebhook(service, { url: publicUrl })

    assert.equal((await service.call('POST', `/webhooks/${id}/resume?from=tomorrow`)).status, 400)
    assert.equal((await service.call('POST', `/webhooks/${id}/resume?from=0123456789abcdef-0`)).status, 410)
  })
})

describe('Two admins at once', () => {
  it('cannot both rotate the secret from the same one', async t => {
    const service = await start(t)
    const { id } = await makeWebhook(service, { url: publicUrl })

    const answers = await Promise.all([1, 2].map(() => service.call('POST', `/webhooks/${id}/rotate-secret`)))

    assert.deepEqual(answers.map(each => each.status).sort(), [200, 412])
  })
})
