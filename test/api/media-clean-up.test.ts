import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { cleanUpMedia } from '#media/clean-up.ts'
import { createMediafile, getBytes, sha256 } from '../support/records/media.ts'
import { start } from '../support/services/start.ts'

const service = await start({ after })
const { media, store } = service.libretto
/** As if all that is there was put there long ago. */
const cleanUp = (uploads = 0) => cleanUpMedia({ store, ...media }, { contents: Date.now() + 60_000, uploads })

describe('Cleaning up', () => {
  it('removes the bytes of a media file that was deleted, and of one that got others', async () => {
    const gone = await createMediafile(service, Buffer.from('gone'))
    const other = await createMediafile(service, Buffer.from('before'))
    await service.delete(`/mediafiles/${gone.mediafile}`)
    await service.call('PUT', `/mediafiles/${other.mediafile}/content`, {
      body: Buffer.from('after!'),
      headers: { 'content-type': 'text/plain' }
    })

    assert.deepEqual(await cleanUp(), { contents: 2, bytes: 10, uploads: 0 })

    assert.equal((await getBytes(service, `/mediafiles/${other.mediafile}/content`)).bytes.toString(), 'after!')
    assert.equal(await media.contents.find(sha256(Buffer.from('gone'))), undefined)
  })

  it('leaves bytes that another media file has too', async () => {
    const one = await createMediafile(service, Buffer.from('shared'))
    const other = await createMediafile(service, Buffer.from('shared'))
    await service.delete(`/mediafiles/${one.mediafile}`)
    await cleanUp()
    assert.equal((await getBytes(service, `/mediafiles/${other.mediafile}/content`)).bytes.toString(), 'shared')
  })

  it('leaves what came lately, so that a deletion can be taken back', async () => {
    const { mediafile } = await createMediafile(service, Buffer.from('lately'))
    await service.delete(`/mediafiles/${mediafile}`)
    assert.deepEqual(await media.cleanUp(), { contents: 0, bytes: 0, uploads: 0 })
    await service.post(`/entities/${mediafile}/revert`, { version: 1 })
    assert.equal((await getBytes(service, `/mediafiles/${mediafile}/content`)).status, 200)
  })

  it('removes uploads that nobody goes on with', async () => {
    const { mediafile } = await createMediafile(service)
    const { headers } = await service.call('POST', `/mediafiles/${mediafile}/uploads`, {
      headers: { 'upload-length': '10' }
    })
    assert.equal((await cleanUp(Date.now() + 60_000)).uploads, 1)
    assert.equal((await service.call('HEAD', String(headers.location))).status, 404)
  })

  it('removes nothing that is taken in at the same time', async () => {
    const bytes = Array.from({ length: 5 }, (_, index) => Buffer.from(`the same bytes ${index}`))
    for (let round = 0; round < 10; round++) {
      const made = await Promise.all(bytes.map(each => createMediafile(service, each)))
      await Promise.all(made.map(({ mediafile }) => service.delete(`/mediafiles/${mediafile}`)))
      const [again] = await Promise.all([
        Promise.all(bytes.map(each => createMediafile(service, each))),
        cleanUp(),
        cleanUp()
      ])
      for (const [index, { mediafile }] of again.entries())
        assert.deepEqual((await getBytes(service, `/mediafiles/${mediafile}/content`)).bytes, bytes[index])
      await Promise.all(again.map(({ mediafile }) => service.delete(`/mediafiles/${mediafile}`)))
    }
  })
})
