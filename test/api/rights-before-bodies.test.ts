import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, describe, it } from 'node:test'

import { createPrincipal } from '#domain/permissions.ts'
import { type RouteNeed, routeNeeds } from '#http/access/route-needs.ts'
import { hangLimit } from '../support/machines/hang-limit.ts'
import { aVenue } from '../support/records/entities.ts'
import { answerOf, beginRequest, linesOf, listen } from '../support/services/listen.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const service = await start({ after })
const port = await listen(service)
const powerless = await tokenWithoutRights()

describe('A body that its token may not send', () => {
  it('is refused on every route before it is read', { timeout: hangLimit }, async () => {
    const routes = await routesWithBodies()
    assert.ok(routes.length > 40, String(routes.length))
    for (const [method, path] of routes) {
      const head = await firstAnswerTo(
        `${method} ${path.replace(/\{\w+\}/g, 'x')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${powerless}\r\n` +
          'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n[\r\n'
      )

      assert.match(head, /^HTTP\/1\.1 403 /, `${method} ${path}: ${head}`)
      assert.match(head, /\r\nconnection: close\r\n/i, `${method} ${path} leaves the rest of the body to come`)
    }
  })

  it('is refused on /entities/batch though it is a JSON array that the limits allow', async () => {
    const token = await service.tokenWith('read:language')
    assertProblem(await service.post('/entities/batch', [{ op: 'create' }], { token }), 'forbidden')
  })
})

describe('A batch', () => {
  it('may be a JSON array of at most 10,000 operations', async () => {
    const answer = await service.post('/entities/batch', `[${'0,'.repeat(10_000)}0]`)

    assertProblem(answer, 'invalid')
    assert.equal(answer.body.errors[0].pointer, '/10000')
  })

  it('is told of its refusals at length only until they fill a megabyte', async () => {
    const answer = await service.post('/entities/batch', `[${'{},'.repeat(9999)}{}]`)

    assert.equal(answer.status, 200)
    assert.equal(answer.body.length, 10_000)
    assert.equal(answer.body.at(-1).problem.code, 'invalid')
    assert.equal(answer.body.at(-1).index, 9999)
    assert.ok(answer.text.length < 5_000_000, String(answer.text.length))
  })

  it('that is atomic is told of at most 1,000 faults', async () => {
    const answer = await service.post('/entities/batch?atomic=1', `[${'{},'.repeat(9999)}{}]`)

    assertProblem(answer, 'invalid')
    assert.equal(answer.body.errors.length, 1000)
    assert.match(answer.body.errors.at(-1).message, /further faults/)
  })

  it('that is atomic ends where its lines take too much memory', { timeout: hangLimit }, async () => {
    const sent = beginRequest(port, '/entities/batch?atomic=1', ndjson)
    sent.on('error', () => {})
    const answered = answerOf(sent)
    const line = Buffer.from(`{"op":"create","entity":[${'{},'.repeat(74_000)}{}]}\n`)
    let lines = 0
    let isAnswered = false
    answered.finally(() => (isAnswered = true)).catch(() => {})
    for (; lines < 200 && !isAnswered; lines++) {
      if (!sent.write(line)) await Promise.race([once(sent, 'drain'), answered]).catch(() => {})
    }
    // A client that is still sending may find the connection closed before it reads the answer.
    const response = await answered.catch((error: NodeJS.ErrnoException) => {
      assert.ok(error.code === 'EPIPE' || error.code === 'ECONNRESET', error.message)
      return undefined
    })

    assert.equal(response?.statusCode ?? 400, 400)
    assert.ok(lines < 150, String(lines))
    response?.resume()
  })

  it('writes what has come when much has come, before its lines are many', { timeout: hangLimit }, async () => {
    const sent = beginRequest(port, '/entities/batch', ndjson)
    const answered = answerOf(sent)
    // Twenty lines of 900 kB are more than waits in a window, and the body has no end yet.
    for (let index = 0; index < 20; index++)
      sent.write(
        `${JSON.stringify({ op: 'create', entity: aVenue(`VE-BIG-${index}`), padding: 'x'.repeat(900_000) })}\n`
      )
    const lines = linesOf(await answered)

    const first = JSON.parse((await lines.next()).value as string)
    assert.equal(first.index, 0)
    sent.end()
    let count = 1
    for await (const _ of lines) count++
    assert.equal(count, 20)
  })
})

const ndjson = { method: 'POST', headers: { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' } }

/**
 * Every route that takes a body and needs a bearer, from the document that is made of the route
 * table.
 */
async function routesWithBodies() {
  const { paths } = (await service.get('/openapi.json')).body as {
    paths: Record<string, Record<string, { security?: unknown[] }>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method, { security }]) => !['get', 'head', 'options'].includes(method) && security?.length !== 0)
      .map(([method]) => [method.toUpperCase(), path] as const)
  )
}

/** A token whose scopes mean nothing here, as one of an issuer may have. */
async function tokenWithoutRights(): Promise<string> {
  const token = randomBytes(16).toString('hex')
  const [id, createdAt] = ['powerless', new Date().toISOString()]
  await service.libretto.store.insertToken({
    id,
    name: id,
    hash: hash('sha256', token),
    scopes: ['nothing'],
    createdAt,
    createdBy: 'test',
    expiresAt: null
  })
  return token
}

/** Sends the beginning of a request and gives what comes back, up to the end of its headers. */
async function firstAnswerTo(beginning: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(beginning)
  for await (const chunk of socket) {
    text += String(chunk)
    if (text.includes('\r\n\r\n')) break
  }
  socket.destroy()
  return text
}

describe('The rights that a route needs', () => {
  const combinations: Readonly<Record<RouteNeed, { met: readonly string[]; unmet: readonly string[] }>> = {
    read: { met: ['read', 'read:venue'], unmet: ['write delete'] },
    write: { met: ['write', 'write:venue'], unmet: ['read delete'] },
    delete: { met: ['delete', 'delete:venue'], unmet: ['read write'] },
    'write or delete': { met: ['write', 'delete', 'write delete'], unmet: ['read'] },
    'write and delete': { met: ['write delete', 'write:venue delete:venue'], unmet: ['write', 'delete', 'read'] },
    'read or write': { met: ['read', 'write'], unmet: ['delete'] },
    'read and write everything': {
      met: ['read write'],
      unmet: ['read', 'write', 'read:venue write', 'read write:venue', 'delete']
    },
    'read, write and delete everything': {
      met: ['read write delete'],
      unmet: ['read write', 'read delete', 'write delete', 'read write delete:venue', 'read write:venue delete']
    },
    admin: { met: ['admin'], unmet: ['read write delete', 'admin:venue'] }
  }
  for (const [need, { met, unmet }] of Object.entries(combinations))
    it(`are met by the right scopes only: ${need}`, () => {
      const isMet = (scopes: string) =>
        routeNeeds[need as RouteNeed].isMetBy(createPrincipal(service.libretto.model, 'x', scopes.split(' ')))
      assert.deepEqual(met.filter(isMet), met)
      assert.deepEqual(unmet.filter(isMet), [])
    })
})
