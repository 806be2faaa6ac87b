import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { type Card, createCards } from '#media/cards/cards.ts'
import { readWoff2 } from '#media/cards/read-woff2.ts'
import { tones } from '#pages/card.ts'
import { aProduction, metadata } from '../support/records/entities.ts'
import { aPng, createMediafile, getBytes } from '../support/records/media.ts'
import { start, temporaryFolder } from '../support/services/start.ts'

/* Pictures for previews of links: a poster or a cover, the title, and the name of the house. */

const service = await start(
  { after },
  { ANONYMOUS_ACCESS: 'read', PUBLIC_URL: 'https://catalogue.example.org', REPOSITORY_NAME: 'De Linde' }
)
const root = join(import.meta.dirname, '../..')
const fontFile = (name: string) => readFileSync(join(root, 'web/src/public/fonts', `${name}.woff2`))
const nobody = { token: undefined }
const { default: sharp } = await import('sharp')

const get = (path: string, headers = {}) => getBytes(service, path, { ...nobody, headers })
const aWork = (title: string) => service.create({ type: 'work_word', metadata: metadata({ title }) })

/** The share of pixels of a part of a picture that are as light as its text. */
async function lightIn(bytes: Uint8Array, region: { left: number; top: number; width: number; height: number }) {
  const { data } = await sharp(bytes).extract(region).greyscale().raw().toBuffer({ resolveWithObject: true })
  return data.filter(each => each > 200).length / data.length
}

describe('The card of a record', () => {
  it('has the title and the name of the house on 1200 × 630 pixels, and the same address in its page', async () => {
    const [short, other] = [await aWork('Hamlet'), await aWork('Macbeth')]
    const { text } = await service.get(`/nl/record/${short.id}`, nobody)
    const address = `https://catalogue.example.org/nl/record/${short.id}/card.jpg`
    assert.match(text, new RegExp(`<meta property="og:image" content="${address}">`))
    assert.match(text, /twitter:card" content="summary_large_image"/)
    const { headers, bytes } = await get(`/nl/record/${short.id}/card.jpg`)
    assert.equal(headers['content-type'], 'image/jpeg')
    const { width, height, format } = await sharp(bytes).metadata()
    assert.deepEqual([format, width, height], ['jpeg', 1200, 630])
    // The title beside the made cover, and the name of the house at the bottom.
    assert.ok((await lightIn(bytes, { left: 455, top: 200, width: 400, height: 150 })) > 0.05)
    assert.ok((await lightIn(bytes, { left: 455, top: 530, width: 200, height: 50 })) > 0.02)
    assert.notDeepEqual((await get(`/record/${other.id}/card.jpg`)).bytes, bytes)
    assert.equal((await get(`/nl/record/${short.id}/card.jpg`, { 'if-none-match': headers.etag })).status, 304)
    assert.equal((await get('/record/NO-SUCH/card.jpg')).status, 404)
  })

  it('shows the poster whole, and another card when the title or the poster changes', async () => {
    const show = await service.create(aProduction({ title: 'Before' }))
    await createMediafile(
      service,
      aPng(300, 450, () => [0, 200, 0]),
      'posters',
      show.id
    )
    const first = await get(`/record/${show.id}/card.jpg`)
    const { data } = await sharp(first.bytes)
      .extract({ left: 200, top: 300, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const [red = 0, green = 0] = data
    assert.ok(green > 150 && red < 60, `${[...data]}`)
    await service.patch(`/entities/${show.id}`, { metadata: [{ key: 'title', value: 'After' }] })
    const second = await get(`/record/${show.id}/card.jpg`)
    assert.notEqual(second.headers.etag, first.headers.etag)
    assert.notDeepEqual(second.bytes, first.bytes)
  })

  it('leaves a title out whose letters no typeface has, and cuts a long one', async () => {
    const [none, long] = [await aWork('\u{e000}\u{e001}\u{e002}'), await aWork('A title of many words '.repeat(40))]
    const title = { left: 455, top: 64, width: 680, height: 400 }
    assert.equal(await lightIn((await get(`/record/${none.id}/card.jpg`)).bytes, title), 0)
    const { bytes } = await get(`/record/${long.id}/card.jpg`)
    assert.ok((await lightIn(bytes, title)) > 0.05)
    // Nothing runs over the edge or into the name of the house.
    assert.equal(await lightIn(bytes, { left: 1150, top: 0, width: 50, height: 630 }), 0)
    assert.equal(await lightIn(bytes, { left: 700, top: 500, width: 436, height: 130 }), 0)
  })
})

describe('Drawing a card', () => {
  const card: Card = {
    ...{ title: 'Hamlet', maker: undefined, house: 'De Linde', ground: '#43141f', ink: '#ffffff' },
    ...{ picture: undefined, madeCover: undefined, typefaces: { titles: [], text: [] } }
  }
  const noContents = { find: async () => undefined } as never

  it('uses the typefaces that it is given', async t => {
    const cards = createCards(temporaryFolder(t), noContents)
    const drawn = await Promise.all(
      [[], [fontFile('serif-600')], [fontFile('sans-600')], [Buffer.from('no typeface')]].map(async titles =>
        (await cards.find({ ...card, typefaces: { titles, text: [] } }))?.bytes.toString('base64')
      )
    )
    assert.equal(new Set(drawn.slice(0, 3)).size, 3)
    assert.equal(drawn[3], drawn[0])
  })

  it('draws nothing without sharp, and says so', async t => {
    const cards = createCards(temporaryFolder(t), noContents, async () => undefined)
    assert.equal(await cards.areDrawn(), false)
    assert.equal(await cards.find(card), undefined)
  })

  it('has at most so many cards in memory and waiting', async t => {
    const cards = createCards(temporaryFolder(t), noContents)
    const asked = Array.from({ length: 60 }, (_, at) => cards.find({ ...card, title: `Title ${at}` }))
    const made = await Promise.all(asked)
    assert.equal(made.filter(each => each === undefined).length, 10)
  })

  it('uses the colours of the pages', () => {
    const styles = readFileSync(join(root, 'web/src/parts/picture.css'), 'utf8')
    assert.deepEqual(
      [...styles.matchAll(/--tone: (#[0-9a-f]{6})/g)].map(([, tone]) => tone),
      tones
    )
    assert.match(readFileSync(join(root, 'web/src/public/public.css'), 'utf8'), /--band: #43141f/)
  })
})

describe('A typeface in WOFF2', () => {
  it('becomes a font with the same tables and all outlines', () => {
    const font = readWoff2(fontFile('serif-600'))
    const tables = new Map(
      Array.from({ length: font.readUInt16BE(4) }, (_, at) => {
        const entry = 12 + 16 * at
        const [offset, length] = [font.readUInt32BE(entry + 8), font.readUInt32BE(entry + 12)]
        return [font.toString('latin1', entry, entry + 4), font.subarray(offset, offset + length)] as const
      })
    )
    const [loca, glyf, head] = ['loca', 'glyf', 'head'].map(name => tables.get(name) as Buffer)
    const isLong = head?.readUInt16BE(50) === 1
    const last = isLong ? loca?.readUInt32BE(loca.length - 4) : (loca?.readUInt16BE(loca.length - 2) ?? 0) * 2
    assert.equal(last, glyf?.length)
    assert.equal((loca?.length ?? 0) / (isLong ? 4 : 2), (tables.get('maxp')?.readUInt16BE(4) ?? 0) + 1)
  })

  it('is refused where it ends early or is something else', () => {
    const whole = fontFile('sans-400')
    for (const bytes of [
      whole.subarray(0, 40),
      whole.subarray(0, whole.length / 2),
      Buffer.alloc(100),
      Buffer.alloc(0)
    ])
      assert.throws(() => readWoff2(bytes))
  })
})
