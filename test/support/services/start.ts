import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

import type { Entity } from '#domain/entity/entity.ts'
import type { App } from '#http/openapi/typebox-provider.ts'
import { readConfig } from '../../../src/config.ts'
import { buildService, type Libretto, openLibretto } from '../../../src/main.ts'
import { newTestDatabase, testStore } from '../databases/database.ts'
import { hangLimit } from '../machines/hang-limit.ts'
import { adminToken, secretKey } from './service-output.ts'
import { quickFolder, type Teardown } from '../machines/temporary-folder.ts'

export { adminToken, secretKey } from './service-output.ts'
export { type Teardown, temporaryFolder } from '../machines/temporary-folder.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  /** The body as JSON, or as text where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks wherever it likes into an answer
  readonly body: any
  readonly text: string
}

export interface RequestOptions {
  /** The answer is wanted whatever it is: 503 too. */
  readonly isSentOnce?: boolean
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Undefined sends none. */
  readonly token?: string | undefined
}

export interface TestService {
  readonly libretto: Libretto
  readonly app: App
  /** Sends a request as admin, unless another token is named, and reads the answer. */
  call(method: string, url: string, options?: RequestOptions): Promise<Answer>
  get(url: string, options?: RequestOptions): Promise<Answer>
  post(url: string, body: unknown, options?: RequestOptions): Promise<Answer>
  put(url: string, body: unknown, options?: RequestOptions): Promise<Answer>
  patch(url: string, body: unknown, options?: RequestOptions): Promise<Answer>
  delete(url: string, options?: RequestOptions): Promise<Answer>
  /** Searches with filters; fails when the answer is not 200. */
  filter(filters: unknown, query?: string): Promise<Answer>
  /** Creates an entity and gives it back without warnings; fails when that is refused. */
  create(entity: Record<string, unknown>, query?: string): Promise<Entity>
  /** Makes a token with these scopes. */
  tokenWith(...scopes: string[]): Promise<string>
}

/**
 * Starts a service on a database of its own, of the store under test; both are gone when the test
 * is over.
 */
export async function start(t: Teardown, environment: Record<string, string> = {}): Promise<TestService> {
  await using opening = new AsyncDisposableStack()
  const named = environment.DATABASE_URL
  const database = named === undefined ? await newTestDatabase() : { url: named, drop: async () => {} }
  opening.defer(database.drop)
  const media = join(quickFolder(), `libretto-media-${randomUUID()}`)
  opening.defer(() => rm(media, { recursive: true, force: true }))
  const libretto = await openLibretto(
    readConfig({
      DATABASE_URL: database.url,
      ADMIN_TOKEN: adminToken,
      SECRET_KEY: secretKey,
      LOG_LEVEL: 'silent',
      TIME_ZONE: 'UTC',
      READERS: '1',
      // Waiting for the one reader is part of a query's deadline, and a busy machine is slow.
      QUERY_DEADLINE: String(hangLimit),
      DATABASE_WAIT: '60000',
      MEDIA_URL: `file:${media}`,
      ...environment
    }),
    { followsModel: true }
  )
  opening.use(libretto)
  const app = await buildService(libretto)
  opening.defer(() => app.close())
  // Last made, first gone; and gone at once where the start does not succeed.
  const opened = opening.move()
  t.after(() => opened.disposeAsync())

  const send = async (method: string, url: string, options: RequestOptions): Promise<Answer> => {
    const token = 'token' in options ? options.token : adminToken
    const response = await app.inject({
      method: method as 'GET',
      url,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers
      },
      ...(options.body === undefined
        ? {}
        : {
            payload:
              typeof options.body === 'string' || Buffer.isBuffer(options.body)
                ? options.body
                : JSON.stringify(options.body)
          })
    })
    const text = decode(response.rawPayload, response.headers['content-encoding'])
    return {
      status: response.statusCode,
      headers: response.headers as Answer['headers'],
      text,
      body: readBody(text)
    }
  }
  /**
   * Sends a request, again where PostgreSQL is too busy to answer in time: 503 with Retry-After
   * asks for that.
   */
  const call = async (method: string, url: string, options: RequestOptions = {}): Promise<Answer> => {
    for (let tries = 1; ; tries++) {
      const answer = await send(method, url, options)
      const isStarved = testStore === 'postgres' && answer.status === 503 && answer.headers['retry-after'] !== undefined
      if (options.isSentOnce || !isStarved || answer.body?.code !== 'unavailable' || tries === maxTries) return answer
      await new Promise(resolve => setTimeout(resolve, 500))
    }
  }
  const expect = (answer: Answer, status: number): Answer => {
    if (answer.status !== status) throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text}`)
    return answer
  }

  return {
    libretto,
    app,
    call,
    get: (url, options) => call('GET', url, options),
    post: (url, body, options) => call('POST', url, { ...options, body }),
    put: (url, body, options) => call('PUT', url, { ...options, body }),
    patch: (url, body, options) => call('PATCH', url, { ...options, body }),
    delete: (url, options) => call('DELETE', url, options),
    filter: async (filters, query = '') =>
      expect(await call('POST', `/entities/filter${query}`, { body: filters }), 200),
    create: async (entity, query = '') => {
      const { warnings: _, ...made } = expect(await call('POST', `/entities${query}`, { body: entity }), 201).body
      return made as Entity
    },
    tokenWith: async (...scopes) => (await libretto.tokens.create({ name: 'test', scopes }, 'test')).token
  }
}

/** Maximum number of times that a request is sent. */
const maxTries = 5

/** Reads a body as clients do that accept compression. */
function decode(bytes: Buffer, encoding: unknown): string {
  if (encoding === 'br') return brotliDecompressSync(bytes).toString()
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}

function readBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
