import { table } from '#domain/table.ts'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

import { notFound } from '#domain/errors.ts'
import { isContentHash } from '#domain/entity/server-fields.ts'
import type { ContentStore, StoredContent } from '../content-store.ts'
import { requestBucket, type Bucket, readAll } from './bucket-client.ts'

/**
 * Minimum number of bytes of a piece; larger content is sent in pieces. A bucket takes at most
 * 10,000 of them.
 */
const pieceSize = 16_777_216
const maxPieces = 9000

/**
 * Maximum milliseconds that a bucket may be silent while it joins pieces. Amazon says that joining
 * can take minutes, and 5 GB took three on a busy machine; a repeated request would make the bucket
 * join them twice at once.
 */
const maxJoining = 900_000

/** Stores content in a bucket of an S3-compatible server, under `<prefix>content/<hash>`. */
export function openBucketStore(bucket: Bucket): ContentStore {
  const keyOf = (hash: string) => {
    if (!isContentHash(hash)) throw new Error('Not a content hash')
    return `content/${hash}`
  }
  const request = async (...[wanted]: [Parameters<typeof requestBucket>[1]]) => requestBucket(bucket, wanted)

  const join = async (key: string, uploadId: string, body: string) => {
    const ended = await request({ method: 'POST', key, query: { uploadId }, body, maxSilence: maxJoining })
    const text = await readAll(ended.body)
    // A bucket may begin to respond before it knows whether it succeeds.
    if (text.includes('<Error>')) throw new Error(`The bucket could not join the pieces: ${text.slice(0, 200)}`)
  }

  const findSize = async (key: string): Promise<number | undefined> => {
    const { status, headers, body } = await request({ method: 'HEAD', key })
    body.resume()
    return status === 404 ? undefined : Number(headers['content-length'])
  }

  /** Sends one object in several requests; the object becomes visible with the last one. */
  const putInPieces = async (key: string, path: string, size: number) => {
    const begun = await request({ method: 'POST', key, query: { uploads: '' } })
    const uploadId = unescapeXml(/<UploadId>([^<]+)/.exec(await readAll(begun.body))?.[1] ?? '')
    try {
      const step = Math.max(pieceSize, Math.ceil(size / maxPieces))
      const tags: string[] = []
      for (let first = 0; first < size; first += step) {
        const part = { path, first, last: Math.min(first + step, size) - 1 }
        const query = { partNumber: String(tags.length + 1), uploadId }
        const { headers, body } = await request({ method: 'PUT', key, query, body: await piece(part) })
        body.resume()
        tags.push(headers.etag ?? '')
      }
      const list = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
      const whole = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`
      await join(key, uploadId, whole).catch(async (error: unknown) => {
        // When only the response was lost, the pieces are joined and their upload no longer exists.
        if ((await findSize(key)) !== size) throw error
      })
    } catch (error) {
      await request({ method: 'DELETE', key, query: { uploadId } }).then(
        ({ body }) => body.resume(),
        () => {}
      )
      throw error
    }
  }

  const find = async (hash: string): Promise<StoredContent | undefined> => {
    const { status, headers, body } = await request({ method: 'HEAD', key: keyOf(hash) })
    body.resume()
    if (status === 404) return undefined
    return { hash, size: Number(headers['content-length']), storedAt: Date.parse(headers['last-modified'] ?? '') }
  }

  return {
    async check() {
      const { status, body } = await request({ method: 'HEAD' }).catch((cause: unknown) => {
        throw new Error(
          `MEDIA_URL: the bucket "${bucket.name}" at ${bucket.host} cannot be used: ${(cause as Error).message}`,
          { cause }
        )
      })
      body.resume()
      if (status === 404)
        throw new Error(`MEDIA_URL: there is no bucket "${bucket.name}" at ${bucket.host}; create it, or name another`)
    },
    async put(hash, path, size) {
      const key = keyOf(hash)
      if (size > pieceSize) await putInPieces(key, path, size)
      else {
        const { body } = await request({ method: 'PUT', key, body: { open: () => createReadStream(path), size, hash } })
        body.resume()
      }
      const stored = await find(hash)
      if (stored?.size !== size) throw new Error(`Content ${hash} has ${stored?.size} bytes, not ${size}`)
    },

    find,

    async read(hash, first, last) {
      const range = `bytes=${first}-${last}`
      const { status, body } = await request({ method: 'GET', key: keyOf(hash), headers: { range } })
      if (status !== 404) return body
      body.resume()
      throw notFound('content', hash)
    },

    async remove(hash) {
      const { body } = await request({ method: 'DELETE', key: keyOf(hash) })
      body.resume()
    },

    async *list() {
      const prefix = `${bucket.prefix}content/`
      for (let next: string | undefined = ''; next !== undefined; ) {
        const query = { 'list-type': '2', prefix, ...(next === '' ? {} : { 'continuation-token': next }) }
        const text: string = await readAll((await request({ method: 'GET', query })).body)
        for (const contents of text.split('<Contents>').slice(1)) {
          const [entry = ''] = contents.split('</Contents>', 1)
          const member = (name: string) => unescapeXml(new RegExp(`<${name}>([^<]*)`).exec(entry)?.[1] ?? '')
          const hash = member('Key').slice(prefix.length)
          if (isContentHash(hash))
            yield { hash, size: Number(member('Size')), storedAt: Date.parse(member('LastModified')) }
        }
        const token: string | undefined = /<NextContinuationToken>([^<]+)/.exec(text)?.[1]
        next = token === undefined ? undefined : unescapeXml(token)
      }
    },

    async [Symbol.asyncDispose]() {}
  }
}

/** Opens a piece. A piece is read twice: first for the hash in its signature. */
async function piece({ path, first, last }: { path: string; first: number; last: number }) {
  const open = () => createReadStream(path, { start: first, end: last })
  const hash = createHash('sha256')
  for await (const chunk of open()) hash.update(chunk as Buffer)
  return { open, size: last - first + 1, hash: hash.digest('hex') }
}

const entities: Readonly<Record<string, string>> = table({ quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' })

const unescapeXml = (text: string) =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    return entities[name ?? ''] ?? whole
  })
