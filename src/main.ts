import { randomUUID } from 'node:crypto'
import { existsSync, statfsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { createTokenRegistry, type TokenRegistry } from '#auth/api-tokens.ts'
import { type AuditLog, createAuditLog } from '#auth/audit-log.ts'
import { createAuthenticator } from '#auth/authenticator.ts'
import { createLiveRights, type LiveRights } from '#auth/live-rights.ts'
import { createTicketIssuer } from '#auth/tickets.ts'
import type { OpenRing } from '#catalogue/cache/answer-cache.ts'
import { openAnswerRing } from '#catalogue/cache/answer-ring.ts'
import { type Catalogue, createCatalogue } from '#catalogue/catalogue.ts'
import { deletePrivateSearches } from '#catalogue/lists/saved-searches.ts'
import { patientStore } from '#catalogue/guarded/patient-store.ts'
import { withUuidsInAnyCase } from '#catalogue/guarded/uuid-case.ts'
import type { Parts } from '#catalogue/parts.ts'
import { readClientFilters } from '#compat/filter/client-filter-reader.ts'
import type { ReadFilters } from '#domain/filter/read-filter.ts'
import { createModel, type Model } from '#domain/record-types/model.ts'
import { extendRecordTypes } from '#domain/record-types/model-file.ts'
import { anonymousKey, createPrincipal, faultOfScope, type Principal } from '#domain/permissions.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { isInBlocks } from '#events/address-guard.ts'
import { createChangeNotifier } from '#events/change-notifier.ts'
import { createCautiousClock } from '#protocols/cautious-clock.ts'
import { createLeadership, type Leadership, nameOfHolder, takeTask } from '#events/leadership.ts'
import { type ReportFault, WebhookDispatcher } from '#events/webhook-dispatcher.ts'
import { createWebhookManager, type WebhookManager } from '#events/webhook-manager.ts'
import { sealedWebhooks } from '#events/sealed-secrets.ts'
import { createWebhookSender } from '#events/webhook-sender.ts'
import type { RequestMetrics } from '#http/observe/request-metrics.ts'
import type { App } from '#http/openapi/typebox-provider.ts'
import { contentsOfImports } from '#media/contents-of-imports.ts'
import { type Media, mediaSettingsOf, openMedia } from '#media/open-media.ts'
import { readSite } from '#pages/read-site.ts'
import { createSiteSettings, type SiteSettings } from '#pages/site-settings.ts'
import { createForeignCatalogues } from '#imports/foreign-catalogues.ts'
import { createImportQueue, type ImportQueue } from '#imports/import-queue.ts'
import { createParts } from '#imports/open-parts.ts'
import { openStore } from '#store/open-store.ts'
import type { ReportStep } from '#store/ports/administration.ts'
import type { Store } from '#store/store.ts'
import { type Config, isDomainName, publicUrlOf, readModelFile, timeZoneOf } from './config.ts'
import { openSecrets, type ServiceSecrets } from './service-secrets.ts'
import { homepage, packageFolder, version } from './version.ts'

/** The parts of a running catalogue, joined. Every command starts from these. */
export interface Libretto extends AsyncDisposable {
  readonly config: Config
  readonly model: Model
  /** The house whose site the public pages are. */
  readonly site: SiteSettings
  readonly store: Store
  readonly catalogue: Catalogue
  /** Reads filters in further forms, beside those of the interface. */
  readonly readFilters?: ReadFilters
  /** The parts of the catalogue, for background work. */
  readonly parts: Parts
  readonly imports: ImportQueue
  readonly tokens: TokenRegistry
  /** The log of administrative acts. */
  readonly audit: AuditLog
  readonly secrets: ServiceSecrets
  /** Warnings for the operator about this start. */
  readonly warnings: readonly string[]
  readonly liveRights: LiveRights
  readonly webhooks: WebhookManager
  /** The bytes of media files. */
  readonly media: Media
  /** Sends changes to webhooks while this process is the leader. */
  readonly dispatcher: WebhookDispatcher
  /** Leadership of tasks that one process at a time may do: webhooks, clean-up. */
  readonly leadership: Leadership
  /** Starts background work; only a service does, not every command. */
  startBackground(report: ReportFault): void
  /** The principal of commands: the operator of this machine. */
  readonly operator: Principal
}

/** The record types that the settings describe. */
export function modelOf({ model }: Config): Model {
  return createModel(
    model === undefined ? builtInRecordTypes : extendRecordTypes(builtInRecordTypes, readModelFile(model))
  )
}

/** The `source` of change events. */
export const eventSourceOf = ({ publicUrl }: Config) => `${publicUrl ?? ''}/entities`

/** Milliseconds between two looks for settings of the site that another process stored. */
const siteInterval = 1000

/** Prints the steps of an upgrade, apart from the output of commands. */
const reportStep: ReportStep = step => {
  const begun = performance.now()
  console.error(`${step} begins. It can be interrupted: the next start does it again.`)
  return () => console.error(`${step} took ${((performance.now() - begun) / 1000).toFixed(1)} s.`)
}

/**
 * Opens the catalogue that the settings describe. With `followsModel`, as in a service, records
 * that were indexed by another model are indexed again.
 */
export async function openLibretto(config: Config, { followsModel = false } = {}): Promise<Libretto> {
  const model = modelOf(config)
  // Before anything is created.
  anonymousOf(config, model)
  const siteOfFile = readSite(config.site, config.repositoryName)
  const secrets = openSecrets(config)
  const unsealed = await openStore(config.databaseUrl, model, {
    readers: config.readers,
    indexSnapshot: config.indexSnapshot,
    poolSize: config.databasePool,
    maxWait: config.databaseWait,
    replicaUrls: config.databaseReplicaUrls,
    staleness: config.staleness,
    followsModel,
    reportStep
  })
  const warnings = followsModel ? await settleOrClose(secrets, unsealed) : []
  const store = withUuidsInAnyCase(sealedWebhooks(unsealed, secrets.seal))
  const eventSource = eventSourceOf(config)
  const media = await openMedia(store, config, { newHolder: nameOfHolder, take: takeTask })
  const parts = createParts(store, model, {
    eventSource,
    contents: contentsOfImports(media),
    timeZone: timeZoneOf(config),
    // Searches of others hold up a write for less time than a search.
    maxDuplicateWait: config.queryDeadline / 4,
    cacheBytes: config.cacheMegabytes * 1_048_576,
    openRing: followsModel ? ringOf(config) : undefined,
    cursorKey: () => secrets.key().derive('cursors')
  })
  const catalogue = createCatalogue(parts)
  const operator = createPrincipal(model, 'operator', ['admin'])
  const site = createSiteSettings(catalogue, operator, siteOfFile)
  if (followsModel) await site.refresh()
  const liveRights = createLiveRights({ store, hasAdminToken: config.adminToken !== undefined, now: Date.now })
  const { isInForce } = liveRights
  const { databaseUrl, importLimit: sizeLimit } = config
  const imports = createImportQueue(parts, { databaseUrl, sizeLimit, isInForce, media: mediaSettingsOf(config) })
  if (followsModel) await checkOrClose(media, store)
  const receivers = { exceptions: config.webhookAllowedAddresses, hosts: config.webhookHosts }
  const sender = createWebhookSender({ ...receivers, timeout: config.webhookTimeout })
  const sending = { store, model, sender, eventSource, userAgent: `Libretto/${version}`, now: Date.now }
  const leadership = createLeadership(store, 'webhooks and clean-up')
  const dispatcher = new WebhookDispatcher({
    ...sending,
    retries: config.webhookRetries,
    random: Math.random,
    isLeader: leadership.isHeld,
    isInForce
  })
  let siteTimer: NodeJS.Timeout | undefined
  return {
    config,
    model,
    site,
    store,
    catalogue,
    readFilters: readClientFilters,
    parts,
    imports,
    secrets,
    warnings,
    liveRights,
    tokens: createTokenRegistry(store, model, owner =>
      parts.followUps.run('private searches of a revoked token', () => deletePrivateSearches(parts, owner))
    ),
    audit: createAuditLog(store, Date.now),
    webhooks: createWebhookManager({ ...sending, receivers, changed: () => dispatcher.wake() }),
    media,
    dispatcher,
    leadership,
    startBackground(report) {
      parts.followUps.start(report)
      dispatcher.start(report)
      leadership.start(report, () => dispatcher.wake())
      imports.start(report)
      // While the database is unavailable, no page can be made either; the next look tries again.
      siteTimer ??= setInterval(() => site.refresh().catch(() => {}), siteInterval).unref()
    },
    operator,
    async [Symbol.asyncDispose]() {
      clearInterval(siteTimer)
      await parts.followUps[Symbol.asyncDispose]()
      await imports.close()
      await dispatcher.stop()
      await leadership.stop()
      await sender[Symbol.asyncDispose]()
      await media[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    }
  }
}

/** Checks the secrets; closes the store when that fails. */
async function settleOrClose(secrets: ServiceSecrets, store: Store): Promise<string[]> {
  try {
    return await secrets.settle(store)
  } catch (error) {
    await store[Symbol.asyncDispose]()
    throw error
  }
}

/**
 * Opens the file of sent answers: beside a database file, otherwise where large temporary files
 * belong. It may take a tenth of the free space, so that the database does not lack it.
 */
function ringOf({ databaseUrl, cacheFileMegabytes }: Config): OpenRing | undefined {
  if (cacheFileMegabytes === 0) return undefined
  const folder = databaseUrl.startsWith('sqlite:') ? dirname(resolve(databaseUrl.slice('sqlite:'.length))) : '/var/tmp'
  return overwritten => {
    const { bavail, bsize } = statfsSync(folder)
    const maxBytes = Math.min(cacheFileMegabytes * 1_048_576, (bavail * bsize) / 10)
    return openAnswerRing(join(folder, `.libretto-answers-${randomUUID()}`), maxBytes, overwritten)
  }
}

/** Refuses to start without the store of media files. */
async function checkOrClose(media: Media, store: Store): Promise<void> {
  try {
    await media.check()
  } catch (error) {
    await media[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
    throw error
  }
}

const tracesOf = ({ tracesEndpoint, tracesHeaders = {}, tracesServiceName }: Config) =>
  tracesEndpoint === undefined
    ? undefined
    : { endpoint: tracesEndpoint, headers: tracesHeaders, serviceName: tracesServiceName, version }

const webPageFolder = fileURLToPath(new URL('web/dist', packageFolder))

/** Whether the web page was built; in a clone it may be missing. */
export const isPageBuilt = () => existsSync(join(webPageFolder, 'index.html'))

/**
 * Builds the HTTP service over an open catalogue; it does not listen yet. Requests are counted if
 * `metrics` is given.
 */
export async function buildService(
  {
    config,
    model,
    site,
    store,
    catalogue,
    parts,
    tokens,
    audit,
    secrets,
    liveRights,
    webhooks,
    media,
    imports
  }: Libretto,
  metrics?: RequestMetrics
): Promise<App> {
  // Loaded here: half of the program is HTTP, and commands that serve nothing start sooner without
  // it.
  const [{ buildApp }, { basePathOf }, { findWebPage }, { createJwtVerifier }, { createIssuerSignIn }] =
    await Promise.all([
      import('#http/app.ts'),
      import('#http/base-path.ts'),
      import('#http/web-page.ts'),
      import('#auth/jwt-verifier.ts'),
      import('#auth/issuer-sign-in.ts')
    ])
  const { clientExtension } = await import('#compat/extension.ts')
  store.setQueryDeadline(config.queryDeadline)
  const { followUps } = parts
  const jwt = createJwtVerifier(model, config.oidcIssuers)
  const authenticator = createAuthenticator({
    store,
    model,
    adminToken: config.adminToken,
    jwt,
    now: Date.now
  })
  return buildApp({
    extension: clientExtension,
    catalogue,
    cache: parts.cache,
    patientCatalogue: createCatalogue({ ...parts, store: patientStore(parts.store) }),
    model,
    authenticator,
    tokens,
    audit,
    followUps,
    liveRights,
    signIn: createIssuerSignIn(config.oidcIssuers, jwt, Date.now),
    anonymous: anonymousOf(config, model),
    repository: {
      adminEmail: config.repositoryEmail,
      domain: config.oaiDomain ?? domainOf(config.publicUrl),
      pageSize: config.oaiPageSize,
      cursors: parts.cursors,
      now: createCautiousClock()
    },
    statedUrl: config.publicUrl,
    tickets: createTicketIssuer({
      store,
      model,
      adminToken: config.adminToken,
      secretKey: secrets.key,
      now: Date.now
    }),
    notifier: createChangeNotifier(store),
    webhooks,
    media: media.manager,
    removeContents: contents =>
      followUps.run('remove the bytes of purged media files', () => media.removeUnused(contents)),
    mediaLimit: config.mediaLimit,
    ...{ thumbnails: media.thumbnails, cards: media.cards },
    page: findWebPage(webPageFolder, basePathOf(config.publicUrl)),
    documentFolder: fileURLToPath(packageFolder),
    imports,
    foreignCatalogues: createForeignCatalogues({
      catalogue,
      exceptions: config.webhookAllowedAddresses,
      timeout: config.webhookTimeout,
      userAgent: `Libretto/${version}`
    }),
    indexing: () => store.findingState().building,
    isReady: async () => {
      try {
        await store.identify(['ready'])
        return !store.findingState().isBlocked
      } catch {
        return false
      }
    },
    version,
    homepage,
    publicUrl: publicUrlOf(config),
    timeZone: timeZoneOf(config),
    site,
    corsOrigins: config.corsOrigins,
    bodyLimit: config.bodyLimit,
    compressFrom: config.compressFrom,
    rateLimit: config.rateLimit,
    addressRateLimit: config.addressRateLimit,
    connectionLimits: {
      connections: config.maxConnections,
      connectionsPerAddress: config.maxConnectionsPerAddress,
      connectionsPerToken: config.maxConnectionsPerToken,
      streams: config.maxStreams,
      streamsPerToken: config.maxStreamsPerToken,
      streamsPerAddress: config.maxStreamsPerAddress
    },
    isTrustedProxy: address => isInBlocks(address, config.trustProxy),
    logLevel: config.logLevel,
    observation: {
      requestLog: config.requestLog,
      metrics,
      traces: tracesOf(config)
    }
  })
}

/**
 * The principal of requests without a bearer, where the settings allow reading. Throws for unknown
 * scopes.
 */
function anonymousOf({ anonymousAccess }: Config, model: Model): Principal | undefined {
  for (const scope of anonymousAccess) {
    const fault = faultOfScope(model, scope)
    if (fault !== undefined) throw new Error(`ANONYMOUS_ACCESS: unknown scope "${scope}": ${fault}`)
  }
  return anonymousAccess.length > 0 ? createPrincipal(model, anonymousKey, anonymousAccess) : undefined
}

/** The domain name for identifiers: that of the public address, if it is one. */
function domainOf(publicUrl: string | undefined): string {
  const host = publicUrl === undefined ? '' : new URL(publicUrl).hostname
  return isDomainName(host) ? host : 'libretto.invalid'
}
