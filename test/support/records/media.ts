import { hash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

import { aProduction } from './entities.ts'
import type { Answer, RequestOptions, TestService } from '../services/start.ts'

/* Media files for tests: bytes that are what they say, and the requests that send them. */

export const sha256 = (bytes: Buffer) => hash('sha256', bytes)

type Colour = readonly [red: number, green: number, blue: number]

/** A real PNG of one colour, or with a colour for each column. */
export function aPng(width = 3, height = 2, colour: Colour | ((column: number) => Colour) = [200, 30, 60]): Buffer {
  const colourAt = typeof colour === 'function' ? colour : () => colour
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.concat([
    Buffer.from([0]),
    ...Array.from({ length: width }, (_, column) => Buffer.from(colourAt(column)))
  ])
  const pixels = Buffer.concat(Array.from({ length: height }, () => row))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0))
  ])
}

function crc32(bytes: Buffer): number {
  let sum = 0xffff_ffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb8_8320 : sum >>> 1
  }
  return (sum ^ 0xffff_ffff) >>> 0
}

export interface FormFile {
  readonly filename: string
  readonly bytes: Buffer
  readonly type?: string
}

/** A form as a browser sends it. */
export function aForm(
  fields: Readonly<Record<string, string>>,
  file?: FormFile
): { body: Buffer; headers: Record<string, string> } {
  const boundary = '----libretto-test-7MA4YWxkTrZu0gW'
  const parts: Buffer[] = Object.entries(fields).map(([name, value]) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
  )
  if (file) {
    parts.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${file.filename}"\r\nContent-Type: ${file.type ?? 'application/octet-stream'}\r\n\r\n`
      ),
      file.bytes,
      Buffer.from('\r\n')
    )
  }
  return {
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }
  }
}

/** Creates a production with a media file of a category, whose bytes are there. Gives their ids. */
export async function createMediafile(
  service: TestService,
  bytes = aPng(),
  category = 'posters',
  productionId?: string
): Promise<{ production: string; mediafile: string }> {
  const production = productionId ?? (await service.create(aProduction())).id
  const { body, headers } = aForm({ mediafile_type: category }, { filename: 'poster.png', bytes })
  const answer = await service.call('POST', `/entities/${production}/mediafiles`, { body, headers })
  if (answer.status !== 201) throw new Error(`Expected 201, got ${answer.status}: ${answer.text}`)
  return { production, mediafile: answer.body.id }
}

/** Sends a request and gives the bytes of the answer. */
export async function getBytes(
  service: TestService,
  url: string,
  { headers = {}, token }: Pick<RequestOptions, 'headers' | 'token'> & { token?: string } = {}
): Promise<{ status: number; headers: Answer['headers']; bytes: Buffer }> {
  const { adminToken } = await import('../services/start.ts')
  const response = await service.app.inject({
    method: 'GET',
    url,
    headers: { ...(token === '' ? {} : { authorization: `Bearer ${token ?? adminToken}` }), ...headers }
  })
  return { status: response.statusCode, headers: response.headers as Answer['headers'], bytes: response.rawPayload }
}

export const putBytes = (
  service: TestService,
  url: string,
  bytes: Buffer,
  headers: Readonly<Record<string, string>> = {}
) => service.call('PUT', url, { body: bytes, headers: { 'content-type': 'application/octet-stream', ...headers } })

/** The first value of a metadata key. */
export const fieldOf = (
  entity: { readonly metadata: readonly { readonly key: string; readonly value: unknown }[] },
  key: string
) => entity.metadata.find(entry => entry.key === key)?.value
