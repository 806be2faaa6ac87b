import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'

import { aVenue } from '../support/records/entities.ts'
import { answerOf, beginRequest, linesOf, listen } from '../support/services/listen.ts'
import { start } from '../support/services/start.ts'
import { hangLimit } from '../support/machines/hang-limit.ts'
import { watchStalls } from '../support/machines/machine-stalls.ts'

/*
 * Batches far larger than the memory that may be spent on them. They look at the clock and at
 * memory, so they have the machine to themselves.
 */

const manyLines = process.env.LONG ? 100_000 : 10_000
const headers = { 'content-type': 'application/x-ndjson' }
const venueLine = (index: number) => `${JSON.stringify({ op: 'create', ...aVenue(`Venue ${index}`) })}\n`

describe('POST /entities/batch with very many lines', () => {
  it('serves a client that sends everything before it reads anything', { timeout: hangLimit }, async t => {
    const own = await start(t)
    const port = await listen(own)
    const count = 10_000
    // Every other line is long, and refused at length: more than all buffers between the two can
    // hold.
    const badLine = (index: number) => `${JSON.stringify({ op: 'patch', id: `${'x'.repeat(2000)}${index}` })}\n`

    const sent = beginRequest(port, '/entities/batch', { method: 'POST', headers })
    const answered = answerOf(sent)
    answered.then(
      response => response.pause(),
      () => {}
    )
    for (let index = 0; index < count; index++) {
      if (!sent.write(index % 2 === 0 ? venueLine(index) : badLine(index))) await once(sent, 'drain')
    }
    sent.end()
    await once(sent, 'finish')
    const response = await answered

    let read = 0
    for await (const line of linesOf(response)) {
      const { index, status } = JSON.parse(line)
      assert.deepEqual([index, status], [read, read % 2 === 0 ? 201 : 404])
      read++
    }
    assert.equal(read, count)
    assert.equal(Number((await own.get('/entities?limit=0')).headers['x-total-count']), count / 2)
  })

  it(`writes ${manyLines} lines without growing, and answers others meanwhile`, { timeout: 2 * hangLimit }, async t => {
    using stalls = watchStalls()
    const own = await start(t)
    const port = await listen(own)
    const known = await own.create(aVenue('Known'))
    const count = manyLines
    const megabytes = () => process.memoryUsage().rss / 1_048_576

    const sent = beginRequest(port, '/entities/batch', { method: 'POST', headers })
    const answered = answerOf(sent)
    let isOver = false
    const waits: number[] = []
    const asking = (async () => {
      while (!isOver) {
        const asked = performance.now()
        const { status } = await fetch(`http://127.0.0.1:${port}/entities/${known.id}`, {
          headers: { authorization: String(sent.getHeader('authorization')) }
        })
        assert.equal(status, 200)
        waits.push(performance.now() - asked)
        await new Promise(resolve => setTimeout(resolve, 50))
      }
    })()
    let sentLines = 0
    const sending = (async () => {
      for (; sentLines < count; sentLines++) if (!sent.write(venueLine(sentLines))) await once(sent, 'drain')
      sent.end()
    })()

    let read = 0
    let first = 0
    let most = 0
    for await (const line of linesOf(await answered)) {
      assert.equal(JSON.parse(line).status, 201)
      read++
      // The first tenth fills caches and warms everything up.
      if (read === count / 10) first = megabytes()
      if (read % 1000 === 0) most = Math.max(most, megabytes())
    }
    await sending
    isOver = true
    await asking

    assert.equal(read, count)
    waits.sort((one, other) => one - other)
    const longest = waits.at(-1) ?? 0
    t.diagnostic(
      `memory: ${first.toFixed(0)} MB after a tenth, ${most.toFixed(0)} MB at most; ${waits.length} requests meanwhile, the slowest took ${longest.toFixed(0)} ms`
    )
    assert.ok(most - first < 150, `grew by ${(most - first).toFixed(0)} MB`)
    assert.ok(waits.length > 20)
    assert.ok(longest < stalls.allow(2000), `a request waited ${longest.toFixed(0)} ms`)
  })
})
