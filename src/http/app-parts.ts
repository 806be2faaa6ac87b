import type { AuditLog } from '#auth/audit-log.ts'
import type { TokenRegistry } from '#auth/api-tokens.ts'
import type { IssuerSignIn } from '#auth/issuer-sign-in.ts'
import type { LiveRights } from '#auth/live-rights.ts'
import type { AnswerCache } from '#catalogue/cache/answer-cache.ts'
import type { Catalogue } from '#catalogue/catalogue.ts'
import type { FollowUps } from '#catalogue/follow-ups.ts'
import type { ReadFilters } from '#domain/filter/read-filter.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { ChangeNotifier } from '#events/change-notifier.ts'
import type { WebhookManager } from '#events/webhook-manager.ts'
import type { OaiRepository } from '#protocols/oai-pmh/answer-request.ts'
import type { MediaManager } from '#media/media-manager.ts'
import type { Cards } from '#media/cards/cards.ts'
import type { Thumbnails } from '#media/thumbnails.ts'
import type { ForeignCatalogues } from '#imports/foreign-catalogues.ts'
import type { ImportQueue } from '#imports/import-queue.ts'
import type { SiteSettings } from '#pages/site-settings.ts'

import type { AdmissionParts } from './access/admission.ts'
import type { CorsOrigins } from './access/cross-origin.ts'
import type { ConnectionLimits } from './access/connection-limits.ts'
import type { Observation } from './observe/observe-requests.ts'
import type { App } from './openapi/typebox-provider.ts'
import type { WebPage } from './web-page.ts'

/** The parts that the HTTP application is built from. */
export interface AppParts extends AdmissionParts {
  readonly catalogue: Catalogue
  readonly cache: AnswerCache
  /** The same operations for work that may take its time: its queries wait for others. */
  readonly patientCatalogue: Catalogue
  readonly model: Model
  readonly tokens: TokenRegistry
  readonly audit: AuditLog
  /** Work that follows a commit and must not fail it. */
  readonly followUps: FollowUps
  readonly liveRights: LiveRights
  /** Sign-in with an issuer, for people. */
  readonly signIn: IssuerSignIn
  readonly repository: Omit<OaiRepository, 'catalogue' | 'model' | 'publicUrl' | 'recordUrl' | 'nameNow'>
  /**
   * Configured address of the service for harvesters and SRU clients; undefined to use the address
   * of the request.
   */
  readonly statedUrl: string | undefined
  readonly notifier: ChangeNotifier
  readonly webhooks: WebhookManager
  readonly media: MediaManager
  /** Removes bytes that no media file uses any more, at once. */
  readonly removeContents: (hashes: readonly string[]) => Promise<void>
  readonly mediaLimit: number
  readonly thumbnails: Thumbnails
  readonly cards: Cards
  /** The built web page; undefined where it was not built. */
  readonly page: WebPage | undefined
  /** The folder that the documentation is below. */
  readonly documentFolder: string
  readonly imports: ImportQueue
  /** Other catalogues that records are copied from. */
  readonly foreignCatalogues: ForeignCatalogues
  readonly isReady: () => Promise<boolean>
  /** The records that were read of all, while the index in memory is built. */
  readonly indexing: () => { readonly done: number; readonly of: number } | undefined
  readonly version: string
  /** Address of the project. */
  readonly homepage: string
  /** Address of the service for clients, without a slash at the end. */
  readonly publicUrl: string
  /** Time zone of times in tables (IANA). */
  readonly timeZone: string
  /** The house whose site the pages are. */
  readonly site: SiteSettings
  readonly bodyLimit: number
  /** Bytes from which answers are compressed; 0 for none. */
  readonly compressFrom: number
  readonly connectionLimits: ConnectionLimits
  /** Whether `X-Forwarded-*` headers from this address are trusted. */
  readonly isTrustedProxy: (address: string) => boolean
  readonly logLevel: string
  readonly observation: Observation
  /** Origins whose pages may read answers; none when empty. */
  readonly corsOrigins: CorsOrigins
  readonly extension?: Extension
}

/** Additions to the interface that no other part of the service knows. */
export interface Extension {
  /** Reads filters, in further forms too. */
  readonly readFilters: ReadFilters
  /** The path of a route for the path of a request. */
  readonly routedPath: (method: string | undefined, path: string) => string
  /** Whether a parameter that a route does not know is ignored instead of refused. */
  readonly isIgnored: (name: string, value: unknown) => boolean
  /** Adds hooks that change the routes which are registered after it. */
  readonly adaptRoutes: (app: App, parts: AppParts) => void
  readonly addRoutes: (app: App, parts: AppParts) => void
}
