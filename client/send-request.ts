import type { Operations } from './api.ts'
import { ConnectionError, ProblemError, problemOf } from './problem-error.ts'

export interface ClientOptions {
  /**
   * The address of the service, such as `https://catalogue.example.org`. In a browser, by default,
   * the origin of the page.
   */
  readonly baseUrl?: string
  /** The bearer token, or a function that returns the current one. An empty one is none. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>)
  /** Maximum number of retries after 429 and 503, and of a part of an upload that was lost. */
  readonly retries?: number
  /** A replacement for `fetch`, for tests and wrappers. */
  readonly fetch?: typeof globalThis.fetch
}

export type OperationName = keyof Operations

type Given<Name extends OperationName, Part extends 'path' | 'query' | 'body'> = Operations[Name][Part]

/** Options of every request. */
export interface CallOptions {
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string | undefined>>
}

/** The parameters of an operation: path and body where it needs them, query optional. */
export type RequestOf<Name extends OperationName> = CallOptions & {
  readonly query?: Given<Name, 'query'>
} & (keyof Given<Name, 'path'> extends never ? { readonly path?: undefined } : { readonly path: Given<Name, 'path'> }) &
  (Given<Name, 'body'> extends undefined ? { readonly body?: undefined } : { readonly body: Given<Name, 'body'> })

export interface Answer<Data> {
  /** Undefined with 204 and 304. */
  readonly data: Data
  readonly status: number
  /** Identifies the state that was read, for `If-Match` or `If-None-Match`. */
  readonly etag: string | undefined
  readonly headers: Headers
}

/** Sends requests and reads their answers; the rest of the client is built on it. */
export interface Sender {
  /**
   * Sends one of the operations of the interface. Rejects with a `ProblemError` or a
   * `ConnectionError`.
   */
  send<Name extends OperationName>(
    name: Name,
    ...[request]: Record<never, never> extends RequestOf<Name>
      ? [request?: RequestOf<Name>]
      : [request: RequestOf<Name>]
  ): Promise<Answer<Operations[Name]['answer']>>
  /** Sends a request to an address from an answer, such as `next`. */
  follow<Data>(address: string, request?: CallOptions & { readonly body?: unknown }): Promise<Answer<Data>>
  /** Maximum number of retries. */
  readonly retries: number
  /** The whole address of a path, such as `/mediafiles/MF-1/content`. */
  addressOf(path: string): string
  /** The raw response: for streams, and for uploads and downloads of bytes. */
  open(address: string, options: CallOptions & Bytes): Promise<Response>
}

export interface Bytes {
  readonly method?: string
  readonly body?: Blob | FormData
}

/** Maximum delay before a retry, in seconds; a longer `Retry-After` is passed on as an error. */
const maxWaitSeconds = 10

export function createSender(options: ClientOptions): Sender {
  const { baseUrl = '', retries = 2, fetch: send = globalThis.fetch } = options
  let base = baseUrl
  while (base.endsWith('/')) base = base.slice(0, -1)
  const basePath = base.replace(/^https?:\/\/[^/]+/, '')
  // An address of an answer is a path of the host, with that of the service or, from a service that
  // does not know it, without.
  const ofService = (address: string) =>
    basePath !== '' && address.startsWith(`${basePath}/`) ? address.slice(basePath.length) : address

  const request = async (address: string, init: RequestInit): Promise<Response> => {
    const token = typeof options.token === 'function' ? await options.token() : options.token
    const headers = new Headers(init.headers)
    if (token) headers.set('authorization', `Bearer ${token}`)
    try {
      // The caller handles tags: the browser's own cache would hide a 304.
      return await send(base + address, { ...init, headers, cache: 'no-store' })
    } catch (error) {
      if (init.signal?.aborted) throw init.signal.reason
      throw new ConnectionError(`The service at ${base || 'this address'} does not answer`, { cause: error })
    }
  }

  const call = async <Data>(method: string, address: string, given: Sending): Promise<Answer<Data>> => {
    const { body, headers = {}, signal } = given
    const isLines = typeof body === 'string'
    const init: RequestInit = {
      method,
      headers: Object.entries({
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': isLines ? 'application/x-ndjson' : 'application/json' }),
        ...headers
      }).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ...(body === undefined ? {} : { body: isLines ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal })
    }
    for (let attempt = 0; ; attempt++) {
      const response = await request(address, init)
      if (response.ok || response.status === 304) return (await answerOf(response)) as Answer<Data>
      const error = await problemOf(response)
      const wait = mayRepeat(method, address, headers, error) ? error.retryAfter : undefined
      if (wait === undefined || wait > maxWaitSeconds || attempt >= retries) throw error
      await pause(wait * 1000, signal)
    }
  }

  /** Sends bytes or reads a stream. A request that only reads is repeated. */
  const openOnce = async (address: string, { headers = {}, ...init }: CallOptions & Bytes): Promise<Response> => {
    const response = await request(ofService(address), {
      ...init,
      headers: Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
    })
    if (!response.ok) throw await problemOf(response)
    return response
  }

  return {
    retries,
    addressOf: path => base + path,
    send: async (name, given = {} as never) => {
      const { path, query, ...rest } = given as Sending & {
        readonly path?: Readonly<Record<string, string>>
        readonly query?: Readonly<Record<string, unknown>>
      }
      const [method = 'GET', pattern = ''] = name.split(' ')
      return call(method, fillIn(pattern, path) + queryText(query), rest)
    },
    follow: (address, given = {}) => call(given.body === undefined ? 'GET' : 'POST', ofService(address), given),
    async open(address, given) {
      for (let attempt = 0; ; attempt++) {
        try {
          return await openOnce(address, given)
        } catch (error) {
          const isRepeated = mayRepeat(given.method ?? 'GET', address, given.headers ?? {}, error)
          const wait = isRepeated ? error.retryAfter : undefined
          if (wait === undefined || wait > maxWaitSeconds || attempt >= retries) throw error
          await pause(wait * 1000, given.signal)
        }
      }
    }
  }
}

type Sending = CallOptions & { readonly body?: unknown }

/**
 * A rate-limited request had no effect. With the database unavailable that is unknown, so only
 * idempotent requests are repeated.
 */
function mayRepeat(method: string, address: string, headers: object, error: unknown): error is ProblemError {
  if (!(error instanceof ProblemError)) return false
  const isHarmless = method === 'GET' || readingPosts.test(address) || 'idempotency-key' in headers
  return error.code === 'rate_limited' || (error.status === 503 && isHarmless)
}

/** Requests that only read, although they have a body. */
const readingPosts = /^(?:\/[^?]*)?\/(?:filter|filter_v2|wem|export|reconcile)(?:\?|$)/

async function answerOf(response: Response): Promise<Answer<unknown>> {
  const { status, headers } = response
  const isEmpty = status === 204 || status === 304
  const text = isEmpty ? '' : await response.text()
  const isJson = headers.get('content-type')?.includes('json') ?? false
  return {
    data: isEmpty ? undefined : isJson ? JSON.parse(text) : text,
    status,
    etag: headers.get('etag') ?? undefined,
    headers
  }
}

function fillIn(pattern: string, values: Readonly<Record<string, string>> = {}): string {
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    // An empty value would lead to another path.
    if (value === undefined || value === '') throw new TypeError(`"${pattern}" needs a ${name}`)
    return encodeURIComponent(value)
  })
}

export function queryText(query: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/** Waits, unless the signal is aborted. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
