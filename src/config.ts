import { readFileSync } from 'node:fs'

import { isEmailAddress } from '#domain/editing/value-warnings.ts'
import type { Json } from '#domain/entity/entity.ts'
import { countTypos } from '#domain/search/typos.ts'
import { isTimeZone, utc } from '#domain/values/time-zone.ts'
import type { TrustedIssuer } from '#auth/trusted-issuer.ts'
import { type AddressBlock, readAddressBlock } from '#events/address-guard.ts'

/** One setting: its name in the environment, its meaning, and its default. */
export interface Setting<T> {
  readonly name: string
  readonly meaning: string
  /** The default as text, for the docs; empty where there is none. */
  readonly defaultText: string
  /** Whether the value is, or may contain, a secret. */
  readonly holdsSecret?: true
  read(text: string | undefined): T
}

/**
 * Every setting. This file alone reads the environment; other files get their settings as
 * arguments.
 */
export const settings = {
  port: setting('PORT', 'Port to listen on; 0 takes a free one', '8080', wholeNumber(0, 65_535)),
  host: setting(
    'HOST',
    'Address to listen on; `0.0.0.0` is every address of the machine, in clear text',
    '127.0.0.1',
    text
  ),
  databaseUrl: withSecret(
    setting(
      'DATABASE_URL',
      'Database of the records: `sqlite:<path>`, in a folder that exists, or `postgres://user:password@host:port,host:port/database`',
      'sqlite:data/libretto.db',
      text
    )
  ),
  databaseReplicaUrls: withSecret(
    setting(
      'DATABASE_REPLICA_URLS',
      'Comma list of `postgres://…` addresses of replicas, which answer lists, filters, history and feed',
      '',
      listed
    )
  ),
  databasePool: setting('DATABASE_POOL', 'Maximum connections to each PostgreSQL server', '10', wholeNumber(3, 1000)),
  databaseWait: setting(
    'DATABASE_WAIT',
    'Maximum milliseconds to wait for PostgreSQL: for a connection, for an answer, for its return after an outage. A machine that is often overloaded needs more',
    '3000',
    wholeNumber(100, 600_000)
  ),
  staleness: setting(
    'STALENESS',
    'Maximum milliseconds until a write by another process is visible on PostgreSQL. 0: every answer includes all writes that were acknowledged before its request',
    '0',
    wholeNumber(0, 60_000)
  ),
  mediaUrl: withSecret(
    optional(
      'MEDIA_URL',
      'Storage of the bytes of media files: `file:<folder>` or `s3://key:secret@host/bucket/prefix?region=…`. Unset: the folder `media` beside the SQLite file, or `data/media`',
      mediaAddress
    )
  ),
  mediaUploads: optional(
    'MEDIA_UPLOADS',
    'Folder for incomplete uploads, shared by processes that share a port. Unset: `uploads` in the folder of the media files',
    text
  ),
  mediaLimit: setting(
    'MEDIA_LIMIT',
    'Maximum bytes of one media file',
    '10737418240',
    wholeNumber(1, 5_497_558_138_880)
  ),
  maxUploadsPerToken: setting(
    'MAX_UPLOADS_PER_TOKEN',
    'Maximum unfinished uploads of one token; each may have `MEDIA_LIMIT` bytes',
    '100',
    wholeNumber(1, 1_000_000)
  ),
  maxUploadBytesPerToken: setting(
    'MAX_UPLOAD_BYTES_PER_TOKEN',
    'Maximum bytes of the unfinished uploads of one token together, as announced at their start',
    '107374182400',
    wholeNumber(1, 5_497_558_138_880)
  ),
  maxMediaBytesPerDay: optional(
    'MAX_MEDIA_BYTES_PER_DAY',
    'Maximum bytes of media files that one token stores in a day (UTC). Unset: no limit',
    wholeNumber(1, 5_497_558_138_880)
  ),
  mediaKeptDays: setting(
    'MEDIA_KEPT_DAYS',
    'Days after which unused bytes and abandoned uploads are deleted',
    '7',
    wholeNumber(1, 36_500)
  ),
  adminToken: withSecret(
    optional('ADMIN_TOKEN', 'A token with the scope `admin`, for containers and tests; at least 16 characters', secret)
  ),
  secretKey: withSecret(
    optional(
      'SECRET_KEY',
      'Signs tickets and encrypts the secrets of webhooks; at least 32 characters, the same for every process on a database (`openssl rand -base64 32`). Unset: a file `secret-key` beside the SQLite file, or in `data`',
      longSecret
    )
  ),
  secretKeyPrevious: withSecret(
    optional(
      'SECRET_KEY_PREVIOUS',
      'The previous secret key while it is changed, or `none` if it is lost',
      longSecretOrNone
    )
  ),
  moveTo: withSecret(
    optional(
      'MOVE_TO',
      'Target of `npx libretto move`, in place of `--to`: other users of the machine do not see its password',
      text
    )
  ),
  sampleData: optional(
    'SAMPLE_DATA',
    '`1` loads the sample catalogue into an empty database, `0` does not. Unset: only into the default file of a first start',
    flag
  ),
  site: optional(
    'SITE',
    'Path of a file with the logo, colours, contact, menus, languages and first page of the house, for its public pages ([how](how-to/public-catalogue.md#the-site-of-the-house))',
    text
  ),
  model: optional('MODEL', 'Path of a model file with further record types and fields', text),
  oidcIssuers: withSecret(
    setting(
      'OIDC_ISSUERS',
      'JSON list of issuers whose access tokens are accepted: `[{"issuer","audience","scopesClaim"}]`; `scopesClaim` is `scope` by default. `"acceptsIdTokens": true` accepts ID tokens too. With `"clientId"` people can sign in at the web page; then also `"name"`, `"scope"`, `"parameters"`, `"clientSecret"` ([how](how-to/sign-in-with-an-issuer.md))',
      '[]',
      issuers
    )
  ),
  publicUrl: optional(
    'PUBLIC_URL',
    'Address of the service for clients, if it differs from the one listened on, without user name, query and fragment. Record addresses in linked data begin with it, so it should not change',
    publicAddress
  ),
  repositoryName: setting(
    'REPOSITORY_NAME',
    'Name of the catalogue on its pages, and for harvesters, SRU clients and OpenRefine, unless the [site](how-to/public-catalogue.md#the-site-of-the-house) has one',
    'Libretto',
    text
  ),
  repositoryEmail: setting(
    'REPOSITORY_EMAIL',
    'E-mail address for harvesters',
    'nobody@libretto.invalid',
    emailAddress
  ),
  oaiDomain: optional(
    'OAI_DOMAIN',
    'Domain name in the identifiers of OAI-PMH (`oai:<domain>:<id>`); it must not change after a harvest. Unset: that of `PUBLIC_URL`, else `libretto.invalid`',
    domainName
  ),
  timeZone: optional(
    'TIME_ZONE',
    'Time zone of the catalogue, such as `Europe/Brussels`: of times at places whose own zone is not known. Unset: that of the machine',
    timeZone
  ),
  oaiPageSize: setting('OAI_PAGE_SIZE', 'Records per answer to a harvester', '100', wholeNumber(1, 1000)),
  anonymousAccess: setting(
    'ANONYMOUS_ACCESS',
    'Comma list of scopes of requests without a bearer, such as `read` or `read:manifestation,read:production:published`. Opens every path that reads records but the change feed, and pages for readers at `/`, `/find` and `/record/{id}`. Unset: a bearer is needed',
    '',
    readScopes
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    'Comma list of origins, such as `https://programme.example.org`, whose pages may read answers with their own bearer; `*` for all. Unset: only the pages of this service',
    '',
    readOrigins
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'One of fatal, error, warn, info, debug, trace, silent',
    'warn',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')
  ),
  requestLog: setting(
    'REQUEST_LOG',
    'Which requests are logged, one line each: `off`, `all`, `errors` (status 400 and above), or a share of those that succeed such as `0.01`, with all errors',
    'off',
    requestLogging
  ),
  metricsPort: optional(
    'METRICS_PORT',
    'Port where Prometheus reads `/metrics`; each process takes the first free port from it on. Unset: no metrics',
    wholeNumber(0, 65_535)
  ),
  metricsHost: setting('METRICS_HOST', 'Address to listen on for `METRICS_PORT`', '127.0.0.1', text),
  tracesEndpoint: withSecret(
    optional(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'Address of an OpenTelemetry collector, such as `http://127.0.0.1:4318`, that gets a span for each request (OTLP over HTTP, JSON). Unset: no traces',
      url
    )
  ),
  tracesHeaders: withSecret(
    optional(
      'OTEL_EXPORTER_OTLP_HEADERS',
      'Headers for the collector, such as `authorization=Bearer%20…`; several are separated by commas, and values are percent-encoded',
      otlpHeaders
    )
  ),
  tracesProtocol: setting(
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    'Protocol of the collector; only `http/json` is supported',
    'http/json',
    oneOf('http/json')
  ),
  tracesServiceName: setting('OTEL_SERVICE_NAME', 'Name of this service in traces', 'libretto', text),
  queryDeadline: setting(
    'QUERY_DEADLINE',
    'Maximum milliseconds for a list or filter, including its time in the queue',
    '2000',
    wholeNumber(10, 600_000)
  ),
  readers: setting(
    'READERS',
    'Threads that answer lists and filters. With at least 2, costly filters leave one to other queries',
    '2',
    wholeNumber(1, 64)
  ),
  indexSnapshot: optional(
    'INDEX_SNAPSHOT',
    'File with a snapshot of the index in memory, for PostgreSQL: a process that starts reads it instead of all records, and all processes on one database may share it. On SQLite it is beside the database. Unset: none',
    text
  ),
  cacheMegabytes: setting(
    'CACHE_MEGABYTES',
    'Memory for cached answers; a quarter of it is for summaries of related records, another for pages for readers, and three eighths for the places of answers in the file of `CACHE_FILE_MEGABYTES`',
    '64',
    wholeNumber(0, 65_536)
  ),
  cacheFileMegabytes: setting(
    'CACHE_FILE_MEGABYTES',
    'Maximum size of the file with answers as they were sent, which has no name and ends with the process: beside the SQLite file, for PostgreSQL in `/var/tmp`. At most a tenth of the free space; 0 for none',
    '512',
    wholeNumber(0, 1_048_576)
  ),
  importLimit: setting(
    'IMPORT_LIMIT',
    'Maximum bytes of a file to import',
    '2147483648',
    wholeNumber(1024, 1_099_511_627_776)
  ),
  compressFrom: setting(
    'COMPRESS_FROM',
    'Bytes from which answers are compressed (Brotli or gzip) for clients that accept it; 0 switches it off',
    '1024',
    wholeNumber(0, 1_073_741_824)
  ),
  bodyLimit: setting('BODY_LIMIT', 'Maximum bytes of a request body', '1048576', wholeNumber(1024, 1_073_741_824)),
  rateLimit: optional(
    'RATE_LIMIT',
    'Maximum requests of each token per number of seconds, such as `600/60`. Unset: no limit',
    requestsInSeconds
  ),
  addressRateLimit: setting(
    'ADDRESS_RATE_LIMIT',
    'Maximum requests of each address per number of seconds without a bearer, with an invalid one, or to sign in',
    '6000/60',
    requestsInSeconds
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    'Comma list of addresses and blocks of reverse proxies, such as `127.0.0.1`, whose `X-Forwarded-For` is trusted. Unset: the address of the connection counts',
    '',
    addressBlocks
  ),
  maxConnections: setting(
    'MAX_CONNECTIONS',
    'Maximum open connections of one process',
    '10000',
    wholeNumber(10, 1_000_000)
  ),
  maxConnectionsPerAddress: setting(
    'MAX_CONNECTIONS_PER_ADDRESS',
    'Maximum open connections from one address; those in `TRUST_PROXY` are not counted',
    '1000',
    wholeNumber(1, 1_000_000)
  ),
  maxConnectionsPerToken: setting(
    'MAX_CONNECTIONS_PER_TOKEN',
    'Maximum open connections of one token',
    '1000',
    wholeNumber(1, 1_000_000)
  ),
  maxStreams: setting('MAX_STREAMS', 'Maximum event streams of one process', '5000', wholeNumber(1, 1_000_000)),
  maxStreamsPerToken: setting(
    'MAX_STREAMS_PER_TOKEN',
    'Maximum event streams of one token',
    '500',
    wholeNumber(1, 1_000_000)
  ),
  maxStreamsPerAddress: setting(
    'MAX_STREAMS_PER_ADDRESS',
    'Maximum event streams to one address: behind a proxy in `TRUST_PROXY`, to one client of it',
    '1000',
    wholeNumber(1, 1_000_000)
  ),
  changesKeptDays: optional(
    'CHANGES_KEPT_DAYS',
    'Days after which changes are deleted from the feed. Unset: never. Versions stay',
    wholeNumber(1, 36_500)
  ),
  versionsKeptDays: optional(
    'VERSIONS_KEPT_DAYS',
    'Days after which replaced versions of records are deleted, with their changes; merges of that age cannot be undone any more. Unset: never',
    wholeNumber(1, 36_500)
  ),
  webhookAllowedAddresses: setting(
    'WEBHOOK_ALLOWED_ADDRESSES',
    'Comma list of addresses and blocks, such as `10.1.0.0/16`, that webhooks and searches of other catalogues may use although they are not public',
    '',
    addressBlocks
  ),
  webhookHosts: setting(
    'WEBHOOK_HOSTS',
    'Comma list of the hosts that webhooks may be sent to, such as `hooks.example.org`; `*.example.org` stands for those below a name. Unset: every public host',
    '',
    hostNames
  ),
  webhookRetries: setting(
    'WEBHOOK_RETRIES',
    'Comma list of seconds before each retry of a delivery; after the last one the webhook is parked',
    '5,300,1800,7200,18000,36000,36000',
    seconds
  ),
  webhookTimeout: setting(
    'WEBHOOK_TIMEOUT',
    'Maximum milliseconds for the answer of a receiver, or of another catalogue',
    '10000',
    wholeNumber(10, 600_000)
  ),
  shutdownGrace: setting(
    'SHUTDOWN_GRACE',
    'Maximum milliseconds for running requests when the service stops',
    '10000',
    wholeNumber(0, 600_000)
  )
}

export type Config = { readonly [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]['read']> } & {
  /** The process that npm started this one with; undefined if it was not started by npm. */
  readonly npmProcess: number | undefined
}

/** Reads the environment once, at start-up. Throws an Error that names every bad setting. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const faults = misspeltSettings(environment)
  const entries = Object.entries(settings).map(([key, each]) => {
    // Other programs share the names of OpenTelemetry; without a collector they are not read.
    const isUnread = each.name.startsWith('OTEL_') && !environment[settings.tracesEndpoint.name]
    const given = isUnread ? undefined : environment[each.name]
    try {
      return [key, each.read(given === '' ? undefined : given)]
    } catch (error) {
      faults.push(`${each.name} ${error instanceof Error ? error.message : String(error)}`)
      return [key, undefined]
    }
  })
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const npmProcess = environment.npm_lifecycle_event === undefined ? undefined : process.ppid
  return Object.freeze({ ...Object.fromEntries(entries), npmProcess }) as Config
}

/**
 * Variables of other programs whose names are one letter away from a setting. A name that is
 * missing here can be unset for the service.
 */
const namesOfOthers: ReadonlySet<string> = new Set(['HEADERS', 'MODE', 'MODELS'])

/** Prefix that many programs put before the names of their settings; this one does not. */
const commonPrefix = /^LIBRETTO_(?=.)/

/** Describes the variables whose name is that of a setting but for one letter or a prefix. */
function misspeltSettings(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = Object.values(settings).map(({ name }) => name)
  return Object.entries(environment).flatMap(([name, value]) => {
    // Kubernetes sets `LIBRETTO_PORT=tcp://…` for a service with the name "libretto".
    if (!value || known.includes(name) || namesOfOthers.has(name) || /^(?:tcp|udp|sctp):\/\//.test(value)) return []
    const written = name.includes('_') ? name.toUpperCase() : name
    const bare = written.replace(commonPrefix, '')
    // Shorter names are similar to others by chance.
    const isLike = (each: string) => each.length > 4 && countTypos(bare, each, 1) !== undefined
    const meant = known.find(each => bare !== name && bare === each) ?? known.find(isLike)
    if (meant === undefined) return []
    return [`${name} is not a setting; did you mean ${meant}? Correct the name, or unset it if another program uses it`]
  })
}

/**
 * Address of the service for clients: addresses in answers begin with it, so it should not change.
 */
export const publicUrlOf = ({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string =>
  publicUrl ?? httpAddress(allAddresses.includes(host) ? 'localhost' : host, port)

/** Hosts by which a service listens on every address of the machine; no client can reach them. */
const allAddresses = ['0.0.0.0', '::', '::0', '0:0:0:0:0:0:0:0']

/** The address of a service at a host and port. */
export const httpAddress = (host: string, port: number) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** The time zone of the catalogue. */
export const timeZoneOf = ({ timeZone }: Config): string => {
  const zone = timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
  // A machine may have any zone, or a name that is not in the database.
  return zone === 'Etc/UTC' || !isTimeZone(zone) ? utc : zone
}

function setting<T>(name: string, meaning: string, defaultText: string, parse: (text: string) => T): Setting<T> {
  return { name, meaning, defaultText, read: given => parse(given ?? defaultText) }
}

function optional<T>(name: string, meaning: string, parse: (text: string) => T): Setting<T | undefined> {
  return { name, meaning, defaultText: '', read: given => (given === undefined ? undefined : parse(given)) }
}

function withSecret<T>(each: Setting<T>): Setting<T> {
  return { ...each, holdsSecret: true }
}

/**
 * The settings that differ from their defaults, by their names, for the audit log. Of one that may
 * contain a secret it says only that it is set.
 */
export function describeSettings(config: Config): Record<string, Json> {
  const described: Record<string, Json> = {}
  for (const [key, each] of Object.entries(settings) as [keyof Config, Setting<unknown>][]) {
    const [value, usual] = [config[key], each.read(undefined)].map(part => JSON.stringify(part ?? null, bigAsText))
    if (value !== usual) described[each.name] = each.holdsSecret ? 'set' : (JSON.parse(value ?? 'null') as Json)
  }
  return described
}

const bigAsText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

function text(value: string): string {
  return value
}

/** Reads a secret; errors never contain the value. */
function longSecret(value: string): string {
  if (value.length < 32) throw new Error('must have at least 32 characters')
  return value
}

function longSecretOrNone(value: string): string {
  return value === 'none' ? value : longSecret(value)
}

function secret(value: string): string {
  if (value.length < 16) throw new Error('must have at least 16 characters')
  return value
}

function flag(value: string): boolean {
  if (value === '1' || value === 'true') return true
  if (value === '0' || value === 'false') return false
  throw new Error(`must be 1 or 0, got "${value}"`)
}

function url(value: string): string {
  const parsed = URL.parse(value)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) throw new Error(`must be an http or https address, got "${value}"`)
  return value.replace(/\/$/, '')
}

/** Reads headers as OpenTelemetry writes them. The value is not repeated: it contains secrets. */
function otlpHeaders(value: string): Readonly<Record<string, string>> {
  const headers = new Headers()
  for (const pair of value.split(',').filter(each => each.trim() !== '')) {
    const at = pair.indexOf('=')
    try {
      if (at < 1) throw new Error('no name')
      headers.set(pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim()))
    } catch {
      throw new Error('must be a comma list of name=value, with values that are percent-encoded')
    }
  }
  return Object.fromEntries(headers)
}

/** Reads the address that clients use. The paths of records are appended to it. */
function publicAddress(value: string): string {
  const address = url(value)
  const { username, password, search, hash } = new URL(address)
  // The value is not repeated: it may contain a password.
  if (username !== '' || password !== '') throw new Error('must not contain a user name or a password')
  if (search !== '' || hash !== '' || /[?#]/.test(address))
    throw new Error(`must not have a query or a fragment: paths are appended to it, got "${value}"`)
  return address
}

function emailAddress(value: string): string {
  if (!isEmailAddress(value)) throw new Error(`must be an e-mail address, got "${value}"`)
  return value
}

function timeZone(value: string): string {
  if (!isTimeZone(value)) throw new Error(`must be a time zone such as Europe/Brussels, got "${value}"`)
  return value
}

function domainName(value: string): string {
  if (!isDomainName(value)) throw new Error(`must be a domain name such as catalogue.example.org, got "${value}"`)
  return value
}

/** Whether a name is allowed in identifiers of OAI-PMH: no IP address, and more than one part. */
export const isDomainName = (value: string) => /^[a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)+$/i.test(value)

/** Reads origins of pages, or `*`. */
function readOrigins(value: string): '*' | string[] {
  if (value.trim() === '*') return '*'
  const origins = listed(value)
  const other = origins.find(origin => URL.parse(origin)?.origin !== origin || !/^https?:/.test(origin))
  if (other !== undefined)
    throw new Error(`must be * or a comma list of origins such as https://example.org, got "${other}"`)
  return origins
}

function readScopes(value: string): string[] {
  const scopes = listed(value)
  const other = scopes.find(scope => !/^read(?::[A-Za-z0-9_]+){0,2}$/.test(scope))
  if (other !== undefined) throw new Error(`must be a comma list of scopes such as read:manifestation, got "${other}"`)
  return scopes
}

/** Reads an address that may contain a secret; errors never contain it. */
function mediaAddress(value: string): string {
  if (/^file:./.test(value)) return value
  const parsed = URL.parse(value)
  if (parsed?.protocol === 's3:' && parsed.pathname.length > 1) return value
  throw new Error('must be file:<folder> or s3://key:secret@host/bucket')
}

function wholeNumber(min: number, max: number): (value: string) => number {
  return value => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    if (!(number >= min && number <= max))
      throw new Error(`must be a whole number from ${min} to ${max}, got "${value}"`)
    return number
  }
}

function requestLogging(value: string): { share: number; hasFailures: boolean } {
  if (value === 'off') return { share: 0, hasFailures: false }
  if (value === 'all') return { share: 1, hasFailures: true }
  if (value === 'errors') return { share: 0, hasFailures: true }
  if (!/^0\.\d{1,6}$/.test(value)) throw new Error(`must be off, all, errors or a share such as 0.01, got "${value}"`)
  return { share: Number(value), hasFailures: true }
}

function oneOf<const T extends string>(...values: readonly T[]): (value: string) => T {
  return value => {
    const found = values.find(each => each === value)
    if (found === undefined) throw new Error(`must be one of ${values.join(', ')}, got "${value}"`)
    return found
  }
}

function listed(value: string): string[] {
  return value === '' ? [] : value.split(',').map(each => each.trim())
}

function addressBlocks(value: string): AddressBlock[] {
  return listed(value).map(each => {
    const block = readAddressBlock(each)
    if (!block) throw new Error(`must be a comma list of addresses and blocks such as 10.1.0.0/16, got "${each}"`)
    return block
  })
}

function hostNames(value: string): string[] {
  return listed(value).map(each => {
    const host = URL.parse(`http://${each.replace(/^\*\./, '')}/`)?.hostname
    if (!/^(\*\.)?[^*:/?#@\s]+$/.test(each) || host === undefined)
      throw new Error(`must be a comma list of hosts such as hooks.example.org or *.example.org, got "${each}"`)
    return each.startsWith('*.') ? `*.${host}` : host
  })
}

function seconds(value: string): number[] {
  return listed(value).map(each => {
    if (!/^\d{1,7}(\.\d{1,3})?$/.test(each)) throw new Error(`must be a comma list of seconds, got "${each}"`)
    return Number(each)
  })
}

function requestsInSeconds(value: string): { requests: number; seconds: number } {
  const [, requests, seconds] = /^([1-9]\d{0,8})\/([1-9]\d{0,5})$/.exec(value) ?? []
  if (requests === undefined) throw new Error(`must be requests and seconds such as 600/60, got "${value}"`)
  return { requests: Number(requests), seconds: Number(seconds) }
}

function issuers(value: string): TrustedIssuer[] {
  const form = 'must be a JSON list of {"issuer", "audience", "scopesClaim"}'
  let list: unknown
  try {
    list = JSON.parse(value)
  } catch {
    throw new Error(`${form}; this is not JSON`)
  }
  if (!Array.isArray(list)) throw new Error(form)
  return list.map((each: unknown) => {
    const members = (each ?? {}) as Record<string, unknown>
    const { issuer, audience, scopesClaim = 'scope', acceptsIdTokens = false, ...page } = members
    if (typeof issuer !== 'string' || typeof audience !== 'string' || typeof scopesClaim !== 'string')
      throw new Error(form)
    if (!URL.canParse(issuer)) throw new Error(`${form}; "${issuer}" is not an address`)
    if (typeof acceptsIdTokens !== 'boolean')
      throw new Error(`of the issuer "${issuer}" must have true or false as "acceptsIdTokens"`)
    return { issuer, audience, scopesClaim, acceptsIdTokens, page: pageClient(issuer, page) }
  })
}

/** Parameters that the page sets in every request to an issuer; settings may not override them. */
const ownParameters =
  /^(client_(id|secret)|redirect_uri|response_(type|mode)|scope|state|nonce|code.*|grant_type|refresh_token|request.*)$/

/**
 * Reads the sign-in of the page with an issuer. Errors never contain values: one may be a secret.
 */
function pageClient(issuer: string, members: Readonly<Record<string, unknown>>): TrustedIssuer['page'] {
  const { clientId, clientSecret, name = new URL(issuer).host, scope = 'openid', parameters = {}, ...others } = members
  const fault = (message: string) => new Error(`of the issuer "${issuer}" ${message}`)
  const [other] = Object.keys(others)
  if (other !== undefined) throw fault(`has the unknown member "${other}"`)
  if (clientId === undefined) {
    const [unused] = Object.keys(members)
    if (unused !== undefined) throw fault(`has "${unused}", which needs "clientId"`)
    return undefined
  }
  if (typeof clientId !== 'string' || clientId === '') throw fault('must have a text as "clientId"')
  if (clientSecret !== undefined && typeof clientSecret !== 'string') throw fault('must have a text as "clientSecret"')
  if (typeof name !== 'string' || name === '') throw fault('must have a text as "name"')
  if (typeof scope !== 'string' || !scope.split(' ').includes('openid'))
    throw fault('must have a "scope" with "openid" in it, such as "openid profile"')
  if (!isTexts(parameters)) throw fault('must have an object of texts as "parameters"')
  const reserved = Object.keys(parameters).find(each => ownParameters.test(each))
  if (reserved !== undefined) throw fault(`must not set the parameter "${reserved}"`)
  return { clientId, clientSecret, name, scope, parameters }
}

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(each => typeof each === 'string')

/** Reads the JSON of a model file. Throws an Error that describes the fault of the file. */
export function readModelFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new Error(`MODEL: "${path}" cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause
    })
  }
}
