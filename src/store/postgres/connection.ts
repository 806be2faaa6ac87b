import { connect as connectSocket, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import postgres from 'postgres'

import { CatalogueError } from '#domain/errors.ts'
import { diskFull } from '../refusals.ts'

/** A row as the driver returns it: whole numbers as numbers, JSON in a text column as text. */
export type Row = Record<string, unknown>

/**
 * A statement with its parameters. `?` stands for each of them; a list is sent as one JSON text.
 */
export interface Statement {
  readonly text: string
  readonly parameters: readonly Parameter[]
}

export type Parameter = string | number | null

/** Begins a transaction that reads one moment. */
export const beginSnapshot = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** One connection. A lost connection stays lost: another one is opened instead. */
export interface Link {
  /**
   * Sends a statement; further ones follow at once, without waiting for the answer (pipelining).
   */
  run(text: string, parameters?: readonly Parameter[]): Promise<Row[]>
  /** The number of statements without an answer. */
  readonly waiting: number
  /** When the server was last heard, by `performance.now()`. */
  readonly silentSince: number
  readonly isLost: boolean
  /**
   * Whether it has prepared many statements, which the server stores as long as the connection
   * lasts: time for a new one.
   */
  readonly isWorn: boolean
  /** Ends it at once; pending statements are refused as `ConnectionLost`. */
  destroy(): void
  /** Ends it when all statements are answered. */
  close(): Promise<void>
}

/** The connection is lost, and with it the answer: the statement may have happened or not. */
export class ConnectionLost extends Error {
  constructor(server: string, cause?: unknown) {
    super(`The connection to ${server} was lost`, cause === undefined ? undefined : { cause })
  }
}

/** The servers of a database, and the role that a connection needs. */
export interface Servers {
  readonly url: URL
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  readonly role: 'primary' | 'any'
  /**
   * Whether to use named statements, which a pooler in between may not support (PgBouncer in
   * transaction mode before 1.21).
   */
  readonly prepares: boolean
}

/** Maximum time to open a connection, in milliseconds. */
const connectTimeout = 2000

/**
 * Maximum number of statements prepared on one connection. Each takes some ten kilobytes of the
 * server's memory, and queries of clients have any number of forms.
 */
const maxStatements = 500

/**
 * Reads `postgres://user:password@host:port,host:port/database?sslmode=…&prepare=false`. Throws an
 * error with a clear message; it never contains the password.
 */
export function readServers(databaseUrl: string, role: Servers['role']): Servers {
  // Node cannot parse a URL with several hosts; the first represents all while the rest is read.
  const [, before = '', list = '', behind = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/s.exec(databaseUrl) ?? []
  const names = list.split(',')
  const url = URL.parse(`${before}${names[0]}${behind}`)
  if (!url || !isDecodable(url))
    throw new Error(
      'DATABASE_URL must look like postgres://user:password@host:5432/database; write "@", "/" and "%" in a password as %40, %2F and %25'
    )
  const hosts = names.map(name => {
    const parsed = URL.parse(`postgres://${name === '' ? 'localhost' : name}`)
    if (!parsed) throw new Error(`DATABASE_URL has an invalid host: "${name}"`)
    return { host: parsed.hostname.replace(/^\[|\]$/g, ''), port: Number(parsed.port || 5432) }
  })
  sslOf(url)
  return { url, hosts, role, prepares: url.searchParams.get('prepare') !== 'false' }
}

function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

/**
 * Opens a connection to the first of the servers that answers and has the role. Throws
 * `unavailable` when there is none.
 */
export const openLink = async (servers: Servers, timeout?: number): Promise<Link> =>
  (await openConnection(servers, timeout)).link

/** A connection that the driver has opened, and its socket. */
export interface Connection {
  readonly link: Link
  readonly socket: Socket
}

/** Opens a connection as `openLink` does. */
export async function openConnection(servers: Servers, timeout = connectTimeout): Promise<Connection> {
  const reasons: unknown[] = []
  for (const { host, port } of servers.hosts) {
    try {
      return await openConnectionTo(servers, host, port, timeout)
    } catch (error) {
      if (isPermanent(error)) throw error
      reasons.push(error)
    }
  }
  // For the log: clients are not told which servers there are.
  const cause = new AggregateError(reasons, `${hostsOf(servers)}: ${reasons.map(describe).join('; ')}`)
  throw new CatalogueError('unavailable', 'The database cannot be reached', { cause })
}

/** The servers of a database, for messages. */
export const hostsOf = ({ hosts }: Servers) => hosts.map(({ host, port }) => `${host}:${port}`).join(', ')

/** The message of an error with those of its causes. A host with several addresses has several. */
export function describe(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  const inner = error instanceof AggregateError && message === '' ? error.errors : cause === undefined ? [] : [cause]
  return [message, ...inner.map(describe)].filter(text => text !== '').join(': ')
}

async function openConnectionTo(servers: Servers, host: string, port: number, timeout: number): Promise<Connection> {
  const socket = await secure(await openSocket(host, port, timeout), host, sslOf(servers.url))
  const link = createLink(servers, socket, host, port)
  const timer = setTimeout(() => link.destroy(), timeout)
  try {
    const [state] = await link.run('SELECT pg_is_in_recovery() AS is_standby')
    if (servers.role === 'primary' && state?.is_standby === true) throw new Error(`${host}:${port} is a standby`)
    return { link, socket }
  } catch (error) {
    link.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function openSocket(host: string, port: number, timeout: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 })
    const fail = (error: Error) => {
      clearTimeout(timer)
      socket.destroy()
      reject(error)
    }
    const timer = setTimeout(() => fail(new Error(`${host}:${port} does not answer`)), timeout)
    socket.once('error', fail)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', fail)
      // For the time when the driver does not listen: the event `close` is enough.
      socket.on('error', () => {})
      resolve(socket)
    })
  })
}

/**
 * The request for TLS, the first message of a connection.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])

/**
 * Begins TLS on a socket, where it is wanted. The driver could do so, but it would remove our
 * listeners from the socket, and a lost connection would go unnoticed.
 */
function secure(socket: Socket, host: string, mode: Ssl): Promise<Socket> {
  if (mode === false) return Promise.resolve(socket)
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      clearTimeout(timer)
      socket.destroy()
      reject(error)
    }
    const timer = setTimeout(() => fail(new Error(`${host} does not answer the request for TLS`)), connectTimeout)
    const succeed = (secured: Socket) => {
      clearTimeout(timer)
      for (const each of [socket, secured]) each.off('error', fail).off('close', closed)
      resolve(secured)
    }
    const closed = () => fail(new Error(`${host} ended the connection at the request for TLS`))
    socket.once('error', fail).once('close', closed)
    socket.once('data', answer => {
      // One byte; anything after it did not come from the server.
      const isWilling = answer.length === 1 && answer[0] === 'S'.charCodeAt(0)
      const isUnwilling = answer.length === 1 && answer[0] === 'N'.charCodeAt(0)
      if (isUnwilling && mode === 'prefer') return succeed(socket)
      if (!isWilling) return fail(new Error(`${host} does not support TLS`))
      const secured = connectTls({
        socket,
        host,
        ...(isIP(host) ? {} : { servername: host }),
        rejectUnauthorized: mode === 'verify-full'
      })
      secured.once('error', fail).once('close', closed)
      secured.once('secureConnect', () => succeed(secured))
    })
    socket.write(sslRequest)
  })
}

/**
 * Runs the driver on a socket of ours. The driver also has a pool and reconnects by itself; but its
 * waits cannot be limited from outside, and it repeats statements that must not be repeated
 * (docs/decisions/0007).
 */
function createLink({ url, prepares }: Servers, socket: Socket, host: string, port: number): Link {
  const server = `${host}:${port}`
  let isUsed = false
  let isLost = false
  let waiting = 0
  const prepared = new Set<string>()
  let silentSince = performance.now()
  /** Rejects the statements without an answer. */
  const pending = new Set<(error: unknown) => void>()
  /**
   * The end of the statement before. A pooler without support for named statements may mix up
   * statements that are pipelined: then each waits for the one before.
   */
  let previous: Promise<void> | undefined
  const destroy = () => {
    isLost = true
    socket.destroy()
    void sql.end({ timeout: 0 }).catch(() => {})
  }
  const sql = postgres({
    host,
    port,
    user: decodeURIComponent(url.username) || 'postgres',
    pass: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)) || 'postgres',
    ssl: false,
    max: 1,
    max_lifetime: null,
    fetch_types: false,
    prepare: prepares,
    connection: { application_name: url.searchParams.get('application_name') ?? 'libretto' },
    onnotice: () => {},
    onclose: () => {
      isLost = true
    },
    types: { wholeNumber: { to: 20, from: [20], parse: Number, serialize: String } },
    socket: () => {
      if (isUsed) throw new ConnectionLost(server)
      isUsed = true
      return socket
    }
  } as postgres.Options<Record<string, postgres.PostgresType>>)
  socket.on('data', () => {
    silentSince = performance.now()
  })
  // A reset connection reports an error before it closes, and the driver would accept further
  // statements in between, and never answer them.
  for (const event of ['error', 'close'])
    socket.once(event, () => {
      isLost = true
      // The driver has passed on all answers by then.
      setImmediate(() => {
        for (const reject of pending) reject(new ConnectionLost(server, new Error('it was closed')))
      })
    })

  return {
    get waiting() {
      return waiting
    },
    get silentSince() {
      return silentSince
    },
    get isLost() {
      return isLost
    },
    get isWorn() {
      return prepared.size >= maxStatements
    },
    async run(text, parameters = []) {
      if (isLost) throw new ConnectionLost(server)
      if (waiting === 0) silentSince = performance.now()
      waiting++
      const mine = prepares ? undefined : previous
      const ended = Promise.withResolvers<void>()
      if (!prepares) previous = ended.promise
      prepared.add(text)
      try {
        if (mine) await mine
        return await new Promise<Row[]>((resolve, reject) => {
          pending.add(reject)
          const sending = sql.unsafe(numbered(text), [...parameters], { prepare: true, simple: false } as object)
          sending.then(rows => resolve(withoutHoles(rows)), reject).finally(() => pending.delete(reject))
        })
      } catch (error) {
        // A server that shuts down, or is no longer the primary, gets no further statements.
        if (isAway(error)) destroy()
        throw isServerError(error) ? error : new ConnectionLost(server, error)
      } finally {
        ended.resolve()
        waiting--
        silentSince = performance.now()
      }
    },
    destroy,
    async close() {
      if (isLost) return
      await sql.end({ timeout: 1 }).catch(() => {})
      isLost = true
      socket.destroy()
    }
  }
}

/**
 * Takes the rows that the server counted. When a statement failed after some of its rows, the
 * driver leaves as many empty places before the rows of the next one
 * (https://github.com/porsager/postgres/issues/1181).
 */
const withoutHoles = (rows: postgres.RowList<postgres.Row[]>): Row[] =>
  rows.length > rows.count ? rows.slice(rows.length - rows.count) : rows

type Ssl = 'require' | 'prefer' | 'verify-full' | false

function sslOf(url: URL): Ssl {
  const mode = url.searchParams.get('sslmode') ?? url.searchParams.get('ssl') ?? 'disable'
  if (mode === 'disable' || mode === 'false') return false
  if (mode === 'require' || mode === 'prefer' || mode === 'verify-full') return mode
  throw new Error(`DATABASE_URL has sslmode "${mode}"; it must be disable, prefer, require or verify-full`)
}

/** Whether the server can store a text; it throws an error for others, and nothing matches them. */
export const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** A list as a parameter, without texts that the server cannot store. */
export const storableList = (texts: readonly string[]) => JSON.stringify(texts.filter(isStorable))

const numberedTexts = new Map<string, string>()

/** Writes `$1`, `$2` … for the question marks of a statement that was assembled from pieces. */
function numbered(text: string): string {
  const cached = numberedTexts.get(text)
  if (cached !== undefined) return cached
  if (numberedTexts.size >= 2000) numberedTexts.clear()
  let count = 0
  const result = text.replaceAll('?', () => `$${++count}`)
  numberedTexts.set(text, result)
  return result
}

const isServerError = (error: unknown): error is postgres.PostgresError => error instanceof postgres.PostgresError

/** The SQLSTATE of an error of the server. */
export const stateOf = (error: unknown): string | undefined => (isServerError(error) ? error.code : undefined)

/** Whether a retry is useless: a wrong password or database stays wrong. */
const isPermanent = (error: unknown) => ['28P01', '28000', '3D000', '42501'].includes(stateOf(error) ?? '')

/** Whether the server stopped a statement at its timeout. */
export const isStopped = (error: unknown) => stateOf(error) === '57014'

/**
 * Whether the server was shutting down or starting, or is no longer the primary: nothing of the
 * statement happened.
 */
export const isAway = (error: unknown) =>
  ['57P01', '57P02', '57P03', '25006', '08006', '08003', '08001'].includes(stateOf(error) ?? '')

/** Translates expected errors of the server; others stay as they are. */
export function translate(error: unknown): unknown {
  if (error instanceof CatalogueError) return error
  const state = stateOf(error)
  if (error instanceof ConnectionLost || isAway(error) || state?.startsWith('08') || state === '53300') {
    return new CatalogueError('unavailable', 'The database is not available at the moment; try again', { cause: error })
  }
  if (state === '55P03' || state === '57014' || state === '40001' || state === '40P01') {
    return new CatalogueError('unavailable', 'The database is busy; try again', { cause: error })
  }
  if (state === '22021')
    return new CatalogueError('invalid', 'A text of the query contains the character NUL, which no record can have', {
      cause: error
    })
  return state === '53100' || state === '53200' ? diskFull(error) : error
}
