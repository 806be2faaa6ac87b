import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { createTestDatabase } from '../support/databases/database.ts'
import { createClient, pause, type ServerProcess, startServer } from '../support/services/server-process.ts'
import { adminToken, type Teardown, temporaryFolder } from '../support/services/start.ts'

/*
 * A process that is killed while bytes arrive leaves files behind. The next one removes those that
 * nobody can go on with.
 */

const twoHours = 7_200_000

describe('what a killed process leaves in the upload folder', () => {
  it('is removed after the start when it is old; uploads that can be gone on with, and what came lately, stay', async t => {
    const media = temporaryFolder(t)
    const uploads = join(media, 'uploads')
    const database = await createTestDatabase(t)
    const environment = { SAMPLE_DATA: '0', MEDIA_URL: `file:${media}`, MEDIA_UPLOADS: uploads }
    const first = await startServer(t, database, environment)
    const id = await createMediafile(t, first)

    await beginSending(t, first, `/mediafiles/${id}/content`, uploads)
    const interrupted = namesIn(uploads)
    const begun = await clientOf(t, first).call('POST', `/mediafiles/${id}/uploads`, undefined, {
      'upload-length': '10',
      'tus-resumable': '1.0.0'
    })
    assert.equal(begun.status, 201, begun.text)
    const resumable = namesIn(uploads).filter(name => !interrupted.includes(name))
    await first.kill()

    const hash = 'ab'.repeat(31)
    const lost = [join(uploads, `${'0'.repeat(32)}.bytes`), join(uploads, `${'1'.repeat(32)}.json.part`)]
    const young = [join(uploads, `${'2'.repeat(32)}.bytes`)]
    // Beside content that has its name already.
    const shelf = join(media, 'content', 'ab')
    mkdirSync(shelf, { recursive: true })
    lost.push(join(shelf, `${hash}.${'c'.repeat(12)}`))
    for (const path of [...lost, ...young]) writeFileSync(path, 'left')
    const old = new Date(Date.now() - twoHours)
    for (const path of [...lost, ...[...interrupted, ...resumable].map(name => join(uploads, name))])
      utimesSync(path, old, old)

    const second = await startServer(t, database, environment)
    const stay = [...resumable, ...young.map(path => path.slice(uploads.length + 1))].sort()
    const giveUp = performance.now() + 60_000
    while (namesIn(uploads).length > stay.length && performance.now() < giveUp) await pause(50)
    assert.deepEqual(namesIn(uploads), stay)
    while (namesIn(shelf).length > 0 && performance.now() < giveUp) await pause(50)
    assert.deepEqual(namesIn(shelf), [])
    const told = await clientOf(t, second).call('HEAD', String(begun.headers.location), undefined, {
      'tus-resumable': '1.0.0'
    })
    assert.equal(told.headers['upload-offset'], '0')
  })
})

const namesIn = (folder: string) => readdirSync(folder).sort()

function clientOf(t: Teardown, server: ServerProcess) {
  const client = createClient(server.port)
  t.after(() => client.close())
  return client
}

async function createMediafile(t: Teardown, server: ServerProcess): Promise<string> {
  const { status, text } = await clientOf(t, server).call('POST', '/mediafiles', { mediafile_type: 'trailer' })
  assert.equal(status, 201, text)
  return (JSON.parse(text) as { id: string }).id
}

/** Sends the beginning of a body, and waits until it has arrived in the folder. */
async function beginSending(t: Teardown, { port }: ServerProcess, path: string, folder: string) {
  const sending = request({
    port,
    host: '127.0.0.1',
    method: 'PUT',
    path,
    headers: {
      authorization: `Bearer ${adminToken}`,
      'content-type': 'application/octet-stream',
      'content-length': '1000000'
    }
  })
  sending.on('error', () => {})
  t.after(() => void sending.destroy())
  sending.write(Buffer.alloc(200_000, 'x'))
  const giveUp = performance.now() + 60_000
  const arrived = () =>
    readdirSync(folder).filter(name => name.endsWith('.bytes') && statSync(join(folder, name)).size > 0).length > 0
  for (;;) {
    try {
      if (arrived()) return
    } catch {
      // The folder is made with the first upload.
    }
    if (performance.now() > giveUp) assert.fail('nothing arrives')
    await pause(20)
  }
}
