import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

import { notFound } from '#domain/errors.ts'
import { type ContentStore, isContentHash, type StoredContent } from '../content-store.ts'
import { requestBucket, type Bucket, readAll } from './bucket-client.ts'

/** What is larger is sent in pieces of at least so many bytes; a bucket takes 10,000 of them. */
const pieceSize = 16_777_216
const mostPieces = 9000

/**
 * How long a bucket may be silent while it joins pieces, in milliseconds. Amazon says that it can
 * take minutes, and 5 GB took three on a busy machine; whoever asks again meanwhile makes it join
 * them twice at once.
 */
const longestJoining = 900_000

/** Keeps content in a bucket of an S3-compatible server, each under `<prefix>content/<hash>`. */
export function openBucketStore(bucket: Bucket): ContentStore {
  const keyOf = (hash: string) => {
    if (!isContentHash(hash)) throw new Error('Not a content hash')
    return `content/${hash}`
  }
  const ask = async (...[wanted]: [Parameters<typeof requestBucket>[1]]) => requestBucket(bucket, wanted)

  const join = async (key: string, uploadId: string, body: string) => {
    const ended = await ask({ method: 'POST', key, query: { uploadId }, body, patience: longestJoining })
    const text = await readAll(ended.body)
    // A bucket may begin to answer before it knows whether it succeeds.
    if (text.includes('<Error>')) throw new Error(`The bucket could not join the pieces: ${text.slice(0, 200)}`)
  }

  const findSize = async (key: string): Promise<number | undefined> => {
    const { status, headers, body } = await ask({ method: 'HEAD', key })
    body.resume()
    return status === 404 ? undefined : Number(headers['content-length'])
  }

  /** Several requests that make one object: nothing is seen of it before the last. */
  const putInPieces = async (key: string, path: string, size: number) => {
    const begun = await ask({ method: 'POST', key, query: { uploads: '' } })
    const uploadId = unescapeXml(/<UploadId>([^<]+)/.exec(await readAll(begun.body))?.[1] ?? '')
    try {
      const step = Math.max(pieceSize, Math.ceil(size / mostPieces))
      const tags: string[] = []
      for (let first = 0; first < size; first += step) {
        const part = { path, first, last: Math.min(first + step, size) - 1 }
        const query = { partNumber: String(tags.length + 1), uploadId }
        const { headers, body } = await ask({ method: 'PUT', key, query, body: await piece(part) })
        body.resume()
        tags.push(headers.etag ?? '')
      }
      const list = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
      const whole = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`
      await join(key, uploadId, whole).catch(async (error: unknown) => {
        // Where only the answer was lost, the pieces are joined and their upload is not known any
        // more.
        if ((await findSize(key)) !== size) throw error
      })
    } catch (error) {
      await ask({ method: 'DELETE', key, query: { uploadId } }).then(
        ({ body }) => body.resume(),
        () => {}
      )
      throw error
    }
  }

  const find = async (hash: string): Promise<StoredContent | undefined> => {
    const { status, headers, body } = await ask({ method: 'HEAD', key: keyOf(hash) })
    body.resume()
    if (status === 404) return undefined
    return { hash, size: Number(headers['content-length']), keptAt: Date.parse(headers['last-modified'] ?? '') }
  }

  return {
    async check() {
      const { status, body } = await ask({ method: 'HEAD' }).catch((cause: unknown) => {
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
        const { body } = await ask({ method: 'PUT', key, body: { open: () => createReadStream(path), size, hash } })
        body.resume()
      }
      const kept = await find(hash)
      if (kept?.size !== size) throw new Error(`Content ${hash} has ${kept?.size} bytes, not ${size}`)
    },

    find,

    async read(hash, first, last) {
      const range = `bytes=${first}-${last}`
      const { status, body } = await ask({ method: 'GET', key: keyOf(hash), headers: { range } })
      if (status !== 404) return body
      body.resume()
      throw notFound('content', hash)
    },

    async remove(hash) {
      const { body } = await ask({ method: 'DELETE', key: keyOf(hash) })
      body.resume()
    },

    async *list() {
      const prefix = `${bucket.prefix}content/`
      for (let next: string | undefined = ''; next !== undefined; ) {
        const query = { 'list-type': '2', prefix, ...(next === '' ? {} : { 'continuation-token': next }) }
        const text: string = await readAll((await ask({ method: 'GET', query })).body)
        for (const [, entry = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          const member = (name: string) => unescapeXml(new RegExp(`<${name}>([^<]*)`).exec(entry)?.[1] ?? '')
          const hash = member('Key').slice(prefix.length)
          if (isContentHash(hash))
            yield { hash, size: Number(member('Size')), keptAt: Date.parse(member('LastModified')) }
        }
        const token: string | undefined = /<NextContinuationToken>([^<]+)/.exec(text)?.[1]
        next = token === undefined ? undefined : unescapeXml(token)
      }
    },

    async [Symbol.asyncDispose]() {}
  }
}

/** A piece is read twice, once for the hash that its signature holds. */
async function piece({ path, first, last }: { path: string; first: number; last: number }) {
  const open = () => createReadStream(path, { start: first, end: last })
  const hash = createHash('sha256')
  for await (const chunk of open()) hash.update(chunk as Buffer)
  return { open, size: last - first + 1, hash: hash.digest('hex') }
}

const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' }

const unescapeXml = (text: string) =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    return entities[name ?? ''] ?? whole
  })
