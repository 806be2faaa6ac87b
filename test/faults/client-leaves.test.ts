import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'node:test'

import { createTestDatabase } from '../support/databases/database.ts'
import { hangLimit } from '../support/machines/hang-limit.ts'
import { adminToken } from '../support/services/start.ts'
import { pause, startServer } from '../support/services/server-process.ts'

/* Clients that leave in the middle of a request or an answer. */

const head = (path: string, type: string, length: string) =>
  [
    `POST ${path} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${adminToken}`,
    `content-type: ${type}`,
    length,
    '\r\n'
  ].join('\r\n')

describe('A client that closes its connection', () => {
  it('is no error in the log, whether it sent a batch or waited for an export', async t => {
    const server = await startServer(t, await createTestDatabase(t), { LOG_LEVEL: 'debug' })
    const said = () => Object.values(server.output()).join('\n').split('\n')
    const errors = () => said().filter(line => /"level":[56]0/.test(line))
    const isNoticed = () =>
      errors().length > 0 || said().some(line => line.includes('The client closed the connection'))
    /** Sends a text, and leaves after so many milliseconds. */
    const sendAndLeave = async (text: string, after: number) => {
      const socket = connect(server.port, '127.0.0.1', () => socket.write(text))
      setTimeout(() => socket.destroy(), after)
      await once(socket, 'close')
    }

    const line = `${JSON.stringify({ op: 'create', entity: { type: 'genre', metadata: [{ key: 'name', value: 'x' }] } })}\n`
    const unfinished = `${line.length.toString(16)}\r\n${line}\r\n`
    const batch = `${head('/entities/batch', 'application/x-ndjson', 'transfer-encoding: chunked')}${unfinished}`
    // It may leave before the service has read anything: it comes again and stays longer.
    for (let [after, giveUp] = [100, performance.now() + hangLimit]; !isNoticed(); after *= 2) {
      assert.ok(performance.now() < giveUp, 'the service did not notice')
      await sendAndLeave(batch, after)
      await pause(100)
    }
    for (let time = 0; time < 20; time++)
      await sendAndLeave(`${head('/export?format=ndjson', 'application/json', 'content-length: 2')}[]`, time)
    await pause(200)
    assert.deepEqual(errors(), [])
  })
})
