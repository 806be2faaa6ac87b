import { hash } from 'node:crypto'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'

import { CatalogueError } from '#domain/errors.ts'
import { type Credentials, encodeUri, queryText, signRequest } from './sign-request.ts'

/** A bucket, and the prefix of its keys. */
export interface Bucket extends Credentials {
  readonly host: string
  readonly isSecure: boolean
  readonly name: string
  readonly prefix: string
}

export interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** The key after the prefix; undefined for the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** A text; or bytes that can be opened again for each attempt. */
  readonly body?: string | { readonly open: () => Readable; readonly size: number; readonly hash: string }
  /** Maximum milliseconds that the server may be silent; `defaultSilence` when absent. */
  readonly maxSilence?: number
}

export interface BucketAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: IncomingMessage
}

/**
 * Maximum number of attempts for a request, and maximum milliseconds that a server may be silent.
 */
const maxTries = 4
const defaultSilence = 30_000

/**
 * Reads `s3://key:secret@host:port/bucket/prefix?region=…&tls=0`. The address of the bucket is a
 * path, which every S3-compatible server supports.
 */
export function readBucketUrl(url: string): Bucket {
  const { username, password, host, pathname, searchParams } = new URL(url)
  const [, name = '', ...prefix] = decodeURIComponent(pathname).split('/')
  const missing = Object.entries({ key: username, secret: password, host, bucket: name }).filter(
    ([, each]) => each === ''
  )
  if (missing.length > 0) throw new Error(`MEDIA_URL has no ${missing.map(([what]) => what).join(', ')}`)
  const folder = prefix.filter(each => each !== '').join('/')
  return {
    host,
    name,
    isSecure: searchParams.get('tls') !== '0',
    prefix: folder === '' ? '' : `${folder}/`,
    key: decodeURIComponent(username),
    secret: decodeURIComponent(password),
    region: searchParams.get('region') ?? 'us-east-1'
  }
}

/**
 * Sends a request, and sends it again when the server could not be reached or had an internal
 * error. Returns the response with its body unread; 404 is a response, too. Throws `unavailable`
 * when all attempts fail.
 */
export async function requestBucket(bucket: Bucket, wanted: BucketRequest): Promise<BucketAnswer> {
  for (let tries = 1; ; tries++) {
    let reason: string
    let cause: unknown
    try {
      const answer = await sendOnce(bucket, wanted)
      if (answer.status < 300 || answer.status === 404) return answer
      const text = await readAll(answer.body)
      reason = `${answer.status} ${/<Code>([^<]*)/.exec(text)?.[1] ?? ''}`.trim()
      if (answer.status < 500 && answer.status !== 429)
        throw new Error(`The bucket refused ${wanted.method}: ${reason}`)
    } catch (error) {
      if (!isNetworkFault(error)) throw error
      reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message
      cause = error
    }
    if (tries === maxTries)
      throw new CatalogueError('unavailable', `The store of media files cannot be reached (${reason})`, { cause })
    await wait(100 * 2 ** tries)
  }
}

async function sendOnce(
  bucket: Bucket,
  { method, key, query = {}, headers = {}, body, maxSilence = defaultSilence }: BucketRequest
): Promise<BucketAnswer> {
  const path = `/${[bucket.name, ...(key === undefined ? [] : `${bucket.prefix}${key}`.split('/'))].map(encodeUri).join('/')}`
  const bytes = typeof body === 'string' ? Buffer.from(body) : undefined
  const stream = typeof body === 'object' ? body : undefined
  const size = stream?.size ?? bytes?.length ?? 0
  const signed = signRequest(
    {
      method,
      path,
      query,
      headers: { host: bucket.host, ...headers, ...(body === undefined ? {} : { 'content-length': String(size) }) },
      bodyHash: stream?.hash ?? hash('sha256', bytes ?? '')
    },
    bucket,
    new Date()
  )
  const text = queryText(query)
  const send = bucket.isSecure ? requestSecure : requestPlain
  const request = send(
    `${bucket.isSecure ? 'https' : 'http'}://${bucket.host}${path}${text === '' ? '' : `?${text}`}`,
    {
      method,
      headers: signed,
      timeout: maxSilence
    }
  )
  request.on('timeout', () => request.destroy(Object.assign(new Error('no word'), { code: 'ETIMEDOUT' })))
  const answered = new Promise<BucketAnswer>((resolve, reject) => {
    request.on('response', response =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response })
    )
    request.on('error', reject)
  })
  // A server may respond, and refuse, before it has read everything.
  if (stream) pipeline(stream.open(), request).catch(error => request.destroy(error as Error))
  else request.end(bytes)
  return answered
}

export async function readAll(body: IncomingMessage): Promise<string> {
  return Buffer.concat(await body.toArray()).toString('utf8')
}

const isNetworkFault = (error: unknown) =>
  [
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ERR_STREAM_PREMATURE_CLOSE'
  ].includes((error as NodeJS.ErrnoException).code ?? '')
