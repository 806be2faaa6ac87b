import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aRecord } from '../support/records/entities.ts'
import { aForm, sha256 } from '../support/records/media.ts'
import { adminToken, start } from '../support/services/start.ts'

/*
 * To keep large files takes longer than a silent connection may last. Here keeping waits for a lock
 * that the test holds, far longer than that.
 */

const service = await start({ after })
const { store } = service.libretto
const address = await service.app.listen({ port: 0, host: '127.0.0.1' })
// Long enough for a busy machine to send and read a request.
const maxSilence = 1_500
service.app.server.timeout = maxSilence

async function whileKept(bytes: Buffer, send: () => Promise<Response>): Promise<Response> {
  const lock = `content ${sha256(bytes)}`
  assert.ok(await store.holdLease(lock, 'test', 60_000))
  const answered = send()
  await new Promise(resolve => setTimeout(resolve, 2.5 * maxSilence))
  await store.releaseLease(lock, 'test')
  return answered
}

const call = (method: string, path: string, body: Buffer | undefined, headers: Record<string, string>) =>
  fetch(`${address}${path}`, {
    method,
    // A connection of its own: one that is kept alive may end just as it is used again.
    headers: { authorization: `Bearer ${adminToken}`, connection: 'close', ...headers },
    ...(body ? { body: new Uint8Array(body) } : {})
  })

describe('A client that has sent everything', () => {
  it('is not hung up on while its bytes are being kept', async () => {
    const mediafile = await service.create(aRecord('mediafile', { mediafile_type: 'trailer' }))
    const production = await service.create(aRecord('production', { title: 'x' }))
    const piece = Buffer.from('by pieces')
    const begun = await call('POST', `/mediafiles/${mediafile.id}/uploads`, undefined, {
      'upload-length': String(piece.length)
    })
    const put = Buffer.from('by PUT')
    const form = aForm({}, { filename: 'x', bytes: Buffer.from('by a form') })
    const pieceHeaders = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
    const [kept, formed, sent] = await Promise.all([
      whileKept(put, () => call('PUT', `/mediafiles/${mediafile.id}/content`, put, { 'content-type': 'text/plain' })),
      whileKept(Buffer.from('by a form'), () =>
        call('POST', `/entities/${production.id}/mediafiles`, form.body, form.headers)
      ),
      whileKept(piece, () => call('PATCH', begun.headers.get('location') ?? '', piece, pieceHeaders))
    ])
    assert.equal(kept.status, 200)
    assert.equal(formed.status, 201)
    assert.equal(sent.status, 204)
  })
})
