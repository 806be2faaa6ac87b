import { fileURLToPath } from 'node:url'

import { createTokenRegistry, type TokenRegistry } from '#auth/api-tokens.ts'
import { createAuthenticator } from '#auth/authenticator.ts'
import { createLiveRights, type LiveRights } from '#auth/live-rights.ts'
import { createTicketIssuer } from '#auth/tickets.ts'
import { type Catalogue, createCatalogue } from '#catalogue/catalogue.ts'
import type { Parts } from '#catalogue/parts.ts'
import { createModel, type Model } from '#domain/record-types/model.ts'
import { extendRecordTypes } from '#domain/record-types/model-file.ts'
import { anonymousKey, createPrincipal, isScope, type Principal } from '#domain/permissions.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { isInBlocks } from '#events/address-guard.ts'
import { createChangeNotifier } from '#events/change-notifier.ts'
import { createLeadership, type Leadership, nameOfHolder, takeTask } from '#events/leadership.ts'
import { type ReportFault, WebhookDispatcher } from '#events/webhook-dispatcher.ts'
import { createWebhookManager, type WebhookManager } from '#events/webhook-manager.ts'
import { sealedWebhooks } from '#events/sealed-secrets.ts'
import { createWebhookSender } from '#events/webhook-sender.ts'
import type { App } from '#http/openapi/typebox-provider.ts'
import { type Media, openMedia } from '#media/open-media.ts'
import { createImportQueue, type ImportQueue } from '#imports/import-queue.ts'
import { createParts } from '#imports/open-parts.ts'
import { openStore } from '#store/open-store.ts'
import type { Store } from '#store/store.ts'
import { type Config, isDomainName, publicUrlOf, readModelFile } from './config.ts'
import { openSecrets, type ServiceSecrets } from './service-secrets.ts'
import { version } from './version.ts'

/** The parts of a running catalogue, joined. Every command starts from these. */
export interface Libretto extends AsyncDisposable {
  readonly config: Config
  readonly model: Model
  readonly store: Store
  readonly catalogue: Catalogue
  /** What the catalogue is made of, for what works beside the requests. */
  readonly parts: Parts
  readonly imports: ImportQueue
  readonly tokens: TokenRegistry
  readonly secrets: ServiceSecrets
  /** What an operator must know about this start. */
  readonly warnings: readonly string[]
  readonly liveRights: LiveRights
  readonly webhooks: WebhookManager
  /** The bytes of media files. */
  readonly media: Media
  /** Tells webhooks of changes, while this process is the leader. */
  readonly dispatcher: WebhookDispatcher
  /** Whether this process does what one at a time may do: tell webhooks, clean up. */
  readonly leadership: Leadership
  /** Begins to do so where no other process does: only a service does that, not every command. */
  startBackground(report: ReportFault): void
  /** Whoever sits at this machine: commands act in this name. */
  readonly operator: Principal
}

/** The record types that the settings describe. */
export function modelOf({ model }: Config): Model {
  return createModel(
    model === undefined ? builtInRecordTypes : extendRecordTypes(builtInRecordTypes, readModelFile(model))
  )
}

/** Where the changes that are told come from. */
export const eventSourceOf = ({ publicUrl }: Config) => `${publicUrl ?? ''}/entities`

/**
 * The deadline of queries until there is a service, in milliseconds: a day. The deadline of the
 * settings is for clients that wait for an answer; a start, or an export of everything by a
 * command, takes as long as it takes.
 */
const longestOwnQuery = 86_400_000

/**
 * Opens the catalogue that the settings describe. A service says `followsModel`: what was indexed
 * by another model is then indexed anew.
 */
export async function openLibretto(config: Config, { followsModel = false } = {}): Promise<Libretto> {
  const model = modelOf(config)
  const secrets = openSecrets(config)
  const unsealed = await openStore(config.databaseUrl, model, {
    queryDeadline: longestOwnQuery,
    readers: config.readers,
    poolSize: config.databasePool,
    replicaUrls: config.databaseReplicaUrls,
    staleness: config.staleness,
    followsModel
  })
  const warnings = followsModel ? await settleOrClose(secrets, unsealed) : []
  const store = sealedWebhooks(unsealed, secrets.seal)
  const eventSource = eventSourceOf(config)
  const parts = createParts(store, model, { eventSource, cacheBytes: config.cacheMegabytes * 1_048_576 })
  const catalogue = createCatalogue(parts)
  const liveRights = createLiveRights({ store, hasAdminToken: config.adminToken !== undefined, now: Date.now })
  const { isInForce } = liveRights
  const { databaseUrl, importLimit: sizeLimit } = config
  const imports = createImportQueue(parts, { databaseUrl, sizeLimit, isInForce })
  const media = await openMedia(store, config, { newHolder: nameOfHolder, take: takeTask })
  const exceptions = config.webhookAllowedAddresses
  const sender = createWebhookSender({ exceptions, timeout: config.webhookTimeout })
  const sending = { store, model, sender, eventSource, userAgent: `Libretto/${version}`, now: Date.now }
  const leadership = createLeadership(store, 'webhooks and clean-up')
  const dispatcher = new WebhookDispatcher({
    ...sending,
    retries: config.webhookRetries,
    random: Math.random,
    isLeader: leadership.isHeld,
    isInForce
  })
  return {
    config,
    model,
    store,
    catalogue,
    parts,
    imports,
    secrets,
    warnings,
    liveRights,
    tokens: createTokenRegistry(store, model),
    webhooks: createWebhookManager({ ...sending, exceptions, changed: () => dispatcher.wake() }),
    media,
    dispatcher,
    leadership,
    startBackground(report) {
      dispatcher.start(report)
      leadership.start(report, () => dispatcher.wake())
      imports.start(report)
    },
    operator: createPrincipal(model, 'operator', ['admin']),
    async [Symbol.asyncDispose]() {
      await imports.close()
      await dispatcher.stop()
      await leadership.stop()
      await sender[Symbol.asyncDispose]()
      await media[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    }
  }
}

/** A start that fails leaves nothing open. */
async function settleOrClose(secrets: ServiceSecrets, store: Store): Promise<string[]> {
  try {
    return await secrets.settle(store)
  } catch (error) {
    await store[Symbol.asyncDispose]()
    throw error
  }
}

/** The HTTP service over an open catalogue; not listening yet. */
export async function buildService({
  config,
  model,
  store,
  catalogue,
  tokens,
  secrets,
  liveRights,
  webhooks,
  media,
  imports
}: Libretto): Promise<App> {
  // Loaded here: half of the program is about HTTP, and commands that serve nothing begin sooner
  // without it.
  const [{ buildApp }, { findWebPage }, { createJwtVerifier }, { createIssuerSignIn }] = await Promise.all([
    import('#http/app.ts'),
    import('#http/web-page.ts'),
    import('#auth/jwt-verifier.ts'),
    import('#auth/issuer-sign-in.ts')
  ])
  store.setQueryDeadline(config.queryDeadline)
  const jwt = createJwtVerifier(model, config.oidcIssuers)
  const authenticator = createAuthenticator({
    store,
    model,
    adminToken: config.adminToken,
    jwt,
    now: Date.now
  })
  return buildApp({
    catalogue,
    model,
    authenticator,
    tokens,
    liveRights,
    signIn: createIssuerSignIn(config.oidcIssuers, jwt, Date.now),
    anonymous: anonymousOf(config, model),
    repository: {
      name: config.repositoryName,
      adminEmail: config.repositoryEmail,
      domain: config.oaiDomain ?? domainOf(config.publicUrl),
      pageSize: config.oaiPageSize,
      now: Date.now
    },
    statedUrl: config.publicUrl,
    tickets: createTicketIssuer({
      store,
      model,
      adminToken: config.adminToken,
      secretKey: secrets.key,
      now: Date.now
    }),
    bell: createChangeNotifier(store),
    webhooks,
    media: media.manager,
    mediaLimit: config.mediaLimit,
    thumbnails: media.thumbnails,
    page: findWebPage(fileURLToPath(new URL('../web/dist', import.meta.url))),
    imports,
    isReady: async () => {
      try {
        await store.identify(['ready'])
        return true
      } catch {
        return false
      }
    },
    version,
    publicUrl: publicUrlOf(config),
    corsOrigins: config.corsOrigins,
    bodyLimit: config.bodyLimit,
    rateLimit: config.rateLimit,
    addressRateLimit: config.addressRateLimit,
    connectionLimits: {
      connections: config.maxConnections,
      connectionsPerAddress: config.maxConnectionsPerAddress,
      connectionsPerToken: config.maxConnectionsPerToken,
      streams: config.maxStreams,
      streamsPerToken: config.maxStreamsPerToken
    },
    isTrustedProxy: address => isInBlocks(address, config.trustProxy),
    logLevel: config.logLevel
  })
}

/**
 * Whoever sends no bearer, where the settings let them read something. Throws when they name what
 * there is not.
 */
function anonymousOf({ anonymousAccess }: Config, model: Model): Principal | undefined {
  const unknown = anonymousAccess.find(scope => !isScope(model, scope))
  if (unknown !== undefined) throw new Error(`ANONYMOUS_ACCESS: there is no type for the scope "${unknown}"`)
  return anonymousAccess.length > 0 ? createPrincipal(model, anonymousKey, anonymousAccess) : undefined
}

/** A domain name for identifiers: that of the public address, where it has one. */
function domainOf(publicUrl: string | undefined): string {
  const host = publicUrl === undefined ? '' : new URL(publicUrl).hostname
  return isDomainName(host) ? host : 'libretto.invalid'
}
