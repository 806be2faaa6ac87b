import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { createTestDatabase } from '../support/databases/database.ts'
import { createChance, isLong, seed } from '../support/records/chance.ts'
import { startS3 } from '../support/services/s3-server.ts'
import { type ServerProcess, startServer } from '../support/services/server-process.ts'
import { adminToken, type Teardown, temporaryFolder } from '../support/services/start.ts'

/*
 * A large media file goes in and out through a process that has little memory, while connections
 * are cut at random and the process is killed. It looks at memory, so it has the machine to itself.
 */

const megabyte = 1_048_576
const size = (isLong ? 5 * 1024 : 40) * megabyte + 12_345
const cuts = isLong ? 25 : 5
const kills = isLong ? 5 : 1
const maxMemory = 200 * megabyte

describe(`A media file of ${Math.round(size / megabyte)} MB, cut ${cuts} times and its server killed ${kills} times`, () => {
  it('arrives and comes back whole by a folder', { timeout: 1_800_000 }, async t => {
    await goThere(t, `file:${join(temporaryFolder(t), 'media')}`)
  })

  it('arrives and comes back whole by a bucket', { timeout: 1_800_000 }, async t => {
    await goThere(t, await startS3(t))
  })
})

async function goThere(t: Teardown, mediaUrl: string) {
  const chance = createChance(seed)
  // A setting for small machines: less memory for short-lived values.
  const environment = {
    NODE_OPTIONS: '--max-semi-space-size=1',
    MEDIA_URL: mediaUrl,
    MEDIA_UPLOADS: join(temporaryFolder(t), 'uploads'),
    SAMPLE_DATA: '0'
  }
  const database = await createTestDatabase(t)
  let server = await startServer(t, database, environment)
  let peak = 0
  const watching = setInterval(() => {
    peak = Math.max(peak, memoryOf(server))
  }, 20)
  t.after(() => clearInterval(watching))
  const restart = async () => {
    await server.kill()
    server = await startServer(t, database, environment)
  }
  const created = await ask(server, 'POST', '/mediafiles', {}, JSON.stringify({ mediafile_type: 'trailer' }))
  const { id } = JSON.parse(await textOf(created)) as { id: string }
  const begun = await ask(server, 'POST', `/mediafiles/${id}/uploads`, { 'upload-length': String(size) })
  const upload = String(begun.headers.location)
  begun.resume()

  // Acknowledged bytes are there after every interruption.
  let acknowledged = 0
  let attempts = 0
  const expected = hashOf(0, size)
  for (;;) {
    const told = await ask(server, 'HEAD', upload)
    told.resume()
    const offset = Number(told.headers['upload-offset'])
    assert.ok(offset >= acknowledged, `${offset} bytes are there of ${acknowledged} that were answered for`)
    if (offset === size) break
    const isCut = attempts < cuts
    const part = Math.min(size - offset, isCut ? 1 + chance.below(Math.ceil((1.5 * size) / cuts)) : size)
    const ending = !isCut
      ? 'end'
      : attempts % Math.ceil(cuts / kills) === 1
        ? 'kill'
        : attempts % 2 === 0
          ? 'cut'
          : 'end'
    const status = await sendPiece(server, upload, offset, part, ending)
    if (status !== undefined) {
      assert.equal(status, 204)
      acknowledged = offset + part
    }
    if (ending === 'kill') await restart()
    attempts++
  }
  const stored = JSON.parse(await textOf(await ask(server, 'GET', `/mediafiles/${id}`))) as {
    metadata: { key: string; value: unknown }[]
  }
  assert.equal(stored.metadata.find(entry => entry.key === 'sha256')?.value, expected)

  const hash = createHash('sha256')
  let read = 0
  for (let tries = 0; read < size; tries++) {
    const headers = { range: `bytes=${read}-`, 'if-range': `"${expected}"` }
    const answer = await ask(server, 'GET', `/mediafiles/${id}/content`, headers)
    assert.equal(answer.statusCode, 206)
    const most = tries < cuts ? 1 + chance.below(Math.ceil((1.5 * size) / cuts)) : size
    let got = 0
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        hash.update(chunk)
        got += chunk.length
        if (got >= most) break
      }
    } finally {
      answer.destroy()
    }
    read += got
  }
  assert.equal(read, size)
  assert.equal(hash.digest('hex'), expected)
  t.after(() =>
    console.log(`most memory of the service: ${Math.round(peak / megabyte)} MB (${mediaUrl.split(':')[0]})`)
  )
  if (peak > 0) assert.ok(peak <= maxMemory, `${Math.round(peak / megabyte)} MB`)
}

/**
 * Sends some bytes of the file. Gives the status of the answer; undefined where it was cut, or the
 * server was killed under it.
 */
async function sendPiece(
  server: ServerProcess,
  url: string,
  offset: number,
  length: number,
  ending: 'end' | 'cut' | 'kill'
) {
  const sent = request(`${server.url}${url}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${adminToken}`,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      'content-length': String(ending === 'end' ? length : length + 1)
    }
  })
  const answered = new Promise<number | undefined>(resolve => {
    sent.on('response', response => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', () => resolve(undefined))
    sent.on('close', () => resolve(undefined))
  })
  for (const chunk of bytesFrom(offset, length))
    if (!sent.destroyed && !sent.write(chunk)) await Promise.race([once(sent, 'drain').catch(() => {}), answered])
  if (ending === 'end') sent.end()
  else if (ending === 'cut') sent.destroy()
  else {
    await server.kill()
    sent.destroy()
  }
  return answered
}

/**
 * The file, from one place on: a pattern that is another in each megabyte, so that nothing can be
 * in the wrong place.
 */
function* bytesFrom(offset: number, length: number): Generator<Buffer> {
  let at = offset
  while (at < offset + length) {
    const index = Math.floor(at / megabyte)
    const from = at - index * megabyte
    const to = Math.min(megabyte, from + offset + length - at)
    yield blockOf(index).subarray(from, to)
    at += to - from
  }
}

function blockOf(index: number): Buffer {
  const block = Buffer.alloc(megabyte, createHash('sha512').update(`block ${index}`).digest())
  return block
}

function hashOf(offset: number, length: number): string {
  const hash = createHash('sha256')
  for (const chunk of bytesFrom(offset, length)) hash.update(chunk)
  return hash.digest('hex')
}

function ask(server: ServerProcess, method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(`${server.url}${path}`, {
      method,
      agent: false,
      headers: {
        authorization: `Bearer ${adminToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers
      }
    })
    sent.on('response', resolve).on('error', reject)
    sent.end(body)
  })
}

async function textOf(answer: IncomingMessage): Promise<string> {
  return Buffer.concat(await answer.toArray()).toString('utf8')
}

/**
 * The memory that a process has for itself, in bytes; 0 where the system does not tell. Pages of
 * the program's own file are not counted: the system drops them when memory is short.
 */
function memoryOf({ child }: ServerProcess): number {
  const file = `/proc/${child.pid}/status`
  try {
    return Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(file, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
