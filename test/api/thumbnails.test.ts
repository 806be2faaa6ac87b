import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { createThumbnails } from '#media/thumbnails.ts'
import { aPng, createMediafile, getBytes, sha256 } from '../support/records/media.ts'
import { start, temporaryFolder } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const service = await start({ after })
const thumbnail = (id: string, width = 160, headers: Record<string, string> = {}) =>
  getBytes(service, `/mediafiles/${id}/thumbnail?width=${width}`, { headers })

describe('GET /mediafiles/{id}/thumbnail', () => {
  it('gives a smaller picture, the same each time', async () => {
    const { mediafile } = await createMediafile(service, aPng(800, 400))
    const [first, second] = await Promise.all([thumbnail(mediafile), thumbnail(mediafile)])
    assert.equal(first?.headers['content-type'], 'image/webp')
    assert.equal(first?.bytes.toString('latin1', 8, 12), 'WEBP')
    assert.deepEqual(first?.bytes, second?.bytes)
    const { default: sharp } = await import('sharp')
    const { width, height } = await sharp(first?.bytes).metadata()
    assert.deepEqual([width, height], [160, 80])
    assert.equal((await thumbnail(mediafile, 160, { 'if-none-match': String(first?.headers.etag) })).status, 304)
  })

  it('gives a card for previews of links: the whole picture on a blurred one', async () => {
    const { default: sharp } = await import('sharp')
    for (const [width, height] of [
      [400, 800],
      [1600, 200]
    ] as const) {
      const { mediafile } = await createMediafile(service, aPng(width, height))
      const { headers, bytes } = await getBytes(service, `/mediafiles/${mediafile}/thumbnail?form=card`)
      assert.equal(headers['content-type'], 'image/jpeg')
      const made = await sharp(bytes).metadata()
      assert.deepEqual([made.format, made.width, made.height], ['jpeg', 1200, 630])
    }
  })

  it('cuts a picture for each purpose around its focal point, and again when the point moves', async () => {
    const { default: sharp } = await import('sharp')
    // Red on the left, green on the right; the third in the middle is blue.
    const colours = [
      [255, 0, 0],
      [0, 0, 255],
      [0, 255, 0]
    ] as const
    const { mediafile } = await createMediafile(
      service,
      aPng(900, 300, column => colours[Math.floor(column / 300)] ?? colours[0])
    )
    const cut = async (form: string) => {
      const { headers, bytes } = await getBytes(service, `/mediafiles/${mediafile}/thumbnail?form=${form}`)
      const { width, height, format } = await sharp(bytes).metadata()
      const { dominant } = await sharp(bytes).stats()
      const strongest = (['r', 'g', 'b'] as const).reduce((one, other) =>
        dominant[other] > dominant[one] ? other : one
      )
      return { size: [format, width, height], strongest, etag: headers.etag }
    }
    const focus = async (x: number) =>
      service.patch(`/entities/${mediafile}`, { metadata: [{ key: 'focus_x', value: x }] })
    const sizes = { poster: [800, 1200], banner: [1920, 640], square: [1080, 1080], social: [1200, 630] }
    for (const [form, size] of Object.entries(sizes)) assert.deepEqual((await cut(form)).size, ['jpeg', ...size])
    const centre = await cut('poster')
    await focus(0)
    const left = await cut('poster')
    await focus(1)
    const right = await cut('poster')
    assert.deepEqual(
      [left, centre, right].map(({ strongest }) => strongest),
      ['r', 'b', 'g']
    )
    assert.equal(new Set([left, centre, right].map(({ etag }) => etag)).size, 3)
    assert.equal((await focus(1.01)).status, 400)
  })

  it('keeps its address when the file is replaced, and shows the new one', async () => {
    const { mediafile } = await createMediafile(service, aPng(300, 300))
    const address = `/mediafiles/${mediafile}/thumbnail?form=square`
    const before = await getBytes(service, address)
    const content = aPng(300, 300, [0, 0, 255])
    const replaced = await service.call('PUT', `/mediafiles/${mediafile}/content`, {
      body: content,
      headers: { 'content-type': 'image/png' }
    })
    assert.equal(replaced.status, 200)
    const after = await getBytes(service, address, { headers: { 'if-none-match': String(before.headers.etag) } })
    assert.equal(after.status, 200)
    assert.notDeepEqual(after.bytes, before.bytes)
    assert.deepEqual((await getBytes(service, `/mediafiles/${mediafile}/content`)).bytes, content)
  })

  it('of a video elsewhere is that of the picture that stands for it', async () => {
    const { mediafile, production } = await createMediafile(service, aPng(640, 360))
    const { body: video } = await service.post(`/entities/${production}/mediafiles`, {
      mediafile_type: 'trailer',
      external_url: 'https://video.example.org/watch/1'
    })
    assertProblem(await service.get(`/mediafiles/${video.id}/thumbnail`), 'not_found')
    await service.patch(`/entities/${video.id}`, { relations: [{ type: 'refPrimaryThumbnail', key: mediafile }] })
    assert.deepEqual((await thumbnail(video.id)).bytes, (await thumbnail(mediafile)).bytes)
    assert.equal((await service.get(`/mediafiles/${video.id}/content`)).status, 307)
  })

  it('gives the original where it cannot be read as a picture', async () => {
    const broken = aPng(800, 400).subarray(0, 60)
    const { mediafile } = await createMediafile(service, broken)
    const { status, bytes } = await thumbnail(mediafile)
    assert.equal(status, 200)
    assert.deepEqual(bytes, broken)
    const huge = aPng(3, 2)
    huge.writeUInt32BE(100_000, 16)
    huge.writeUInt32BE(100_000, 20)
    assert.deepEqual((await thumbnail((await createMediafile(service, huge)).mediafile)).bytes, huge)
  })

  it('is for pictures that a browser does not run, and for a few widths', async () => {
    for (const content of ['%PDF-1.7', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'text']) {
      const { mediafile } = await createMediafile(service, Buffer.from(content))
      assertProblem(await service.get(`/mediafiles/${mediafile}/thumbnail`), 'not_found')
    }
    const { mediafile } = await createMediafile(service, aPng())
    assert.equal((await service.get(`/mediafiles/${mediafile}/thumbnail?width=161`)).status, 400)
  })

  it('can be fetched with a ticket', async () => {
    const { mediafile } = await createMediafile(service, aPng(400, 400))
    const { body: ticket } = await service.post('/tickets', { mediafile_id: mediafile })
    const answer = await getBytes(service, `/mediafiles/${mediafile}/thumbnail?ticket=${ticket}`, { token: '' })
    assert.equal(answer.status, 200)
  })

  it('is not made where the package for it is not installed', async t => {
    const bytes = aPng(400, 400)
    await createMediafile(service, bytes)
    const none = createThumbnails(join(temporaryFolder(t), 'x'), service.libretto.media.contents, async () => undefined)
    assert.equal(await none.find(sha256(bytes), 'image/png', 160), undefined)
    const some = createThumbnails(join(temporaryFolder(t), 'x'), service.libretto.media.contents)
    assert.ok(await some.find(sha256(bytes), 'image/png', 160))
    await some.removeBefore(Date.now() + 60_000)
    assert.ok(await some.find(sha256(bytes), 'image/png', 160))
  })
})
