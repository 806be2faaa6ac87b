import { Readable } from 'node:stream'
import { crc32, deflateSync } from 'node:zlib'

import { hasValue } from '#domain/filter/filter.ts'
import { mediafile } from '#domain/record-types/stage.ts'
import type { Libretto } from '../main.ts'

/* Pictures for the posters and scenes of the sample catalogue, drawn by this program. */

/** Number of pictures that are stored at the same time. */
const atOnce = 8

/** Draws a picture for every image of the sample that is not stored yet. */
export async function loadSamplePictures({ catalogue, operator, media }: Libretto): Promise<void> {
  const images = await catalogue.lists.entities(operator, {
    filter: {
      kind: 'all',
      of: [{ kind: 'types', types: [mediafile.type] }, hasValue('mimetype', ['image/jpeg', 'image/png', 'image/webp'])]
    },
    order: { items: [{ by: 'created' }], ascending: true },
    ...{ skip: 0, limit: 1000, cursor: undefined }
  })
  const ids = images.entities.map(({ id }) => id)
  const storeNext = async () => {
    for (let id = ids.shift(); id !== undefined; id = ids.shift()) {
      const entityId = id
      const bytes = drawPicture(entityId, /POSTER|AFFICHE/.test(entityId) ? [240, 340] : [320, 214])
      await media.manager.receive(
        { entityId, owner: operator.key, length: bytes.length },
        Readable.from([bytes]),
        facts => catalogue.media.attachContent(operator, entityId, facts)
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, storeNext))
}

/** Colours that go together, in hexadecimal: background, two shapes, and a light. */
const palettes = [
  '1e2236 7a2e3b d6994c f5e9ce',
  '183b3e 2f6c68 deba6f f0eedd',
  '342854 6d3564 e48978 fae2cd',
  '462c16 965c26 e4be74 faf0d6',
  '162c4e 366092 e27854 eeece2',
  '26381e 5c7a3c d8c66e f6f4de'
]

/** Draws a stage: a floor, a light from above, and three shapes, all chosen by a name. */
function drawPicture(name: string, [width, height]: readonly [number, number]): Buffer {
  let state = crc32(name)
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 0x1_0000_0000
  }
  const palette = palettes[Math.floor(next() * palettes.length)] ?? ''
  const light = width * (0.25 + next() * 0.5)
  const floor = height * (0.68 + next() * 0.14)
  const spread = 0.25 + next() * 0.35
  const shapes = Array.from({ length: 3 }, () => {
    const size = width * (0.05 + next() * 0.09)
    return { x: width * (0.15 + next() * 0.7), size, top: floor - size * (2 + next() * 4), isRound: next() < 0.5 }
  })
  const rows: Buffer[] = []
  for (let y = 0; y < height; y++) {
    // Each row begins with its filter: none.
    const row = Buffer.alloc(width + 1)
    for (let x = 0; x < width; x++) {
      const isLit = Math.abs(x - light) < 6 + y * spread
      const isShape = shapes.some(({ x: at, size, top, isRound }) =>
        y > top + size && y < floor + size / 2
          ? Math.abs(x - at) < size / 2
          : isRound && (x - at) ** 2 + (y - top - size / 2) ** 2 < (size * 0.6) ** 2
      )
      row[x + 1] = isShape ? (isLit ? 2 : 0) : isLit ? (y > floor ? 2 : 3) : y > floor ? 0 : 1
    }
    rows.push(row)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits, colours from a palette.
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.replaceAll(' ', ''), 'hex')),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0))
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}
