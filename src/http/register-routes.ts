import { readFilters } from '#domain/filter/read-filter.ts'
import { auditRoutes } from './routes/audit.ts'
import { batchRoutes } from './routes/batch.ts'
import { catalogueRoutes } from './routes/imports/catalogues.ts'
import { templateRoutes } from './routes/imports/templates.ts'
import { changeRoutes } from './routes/changes.ts'
import { contentRoutes } from './routes/media/content.ts'
import { duplicateRoutes } from './routes/duplicates.ts'
import { entityListRoutes } from './routes/entities/entity-lists.ts'
import { exportRoutes } from './routes/export.ts'
import { historyRoutes } from './routes/entities/history.ts'
import { importRoutes } from './routes/imports/imports.ts'
import { linkedDataRoutes } from './routes/linked-data.ts'
import { programmeRoutes } from './routes/entities/programmes.ts'
import { oaiRoutes } from './routes/oai.ts'
import { entityMediafileRoutes } from './routes/media/entity-mediafiles.ts'
import { mediaAddressRoutes } from './routes/media/addresses.ts'
import { mediafileRoutes } from './routes/media/mediafiles.ts'
import { primaryMediafileRoutes } from './routes/media/primary.ts'
import { manyEntityRoutes } from './routes/entities/many-entities.ts'
import { listEntityRoutes } from './routes/entities/list-entities.ts'
import { readEntityRoutes } from './routes/entities/read-entity.ts'
import { partRoutes } from './routes/entities/parts.ts'
import { wemRoutes } from './routes/entities/wem.ts'
import { growthRoutes } from './routes/growth.ts'
import { recentRoutes } from './routes/recent.ts'
import { helpRoutes } from './routes/help.ts'
import { suggestRoutes } from './routes/suggest.ts'
import { reconciliationRoutes } from './routes/reconcile.ts'
import { recordTypeRoutes } from './routes/record-types.ts'
import { savedSearchRoutes } from './routes/saved-searches.ts'
import { serviceRoutes } from './routes/service.ts'
import { pressKitRoutes } from './routes/media/press-kit.ts'
import { readinessRoutes } from './routes/media/readiness.ts'
import { ticketRoutes } from './routes/media/tickets.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { siteSettingsRoutes } from './routes/site-settings.ts'
import { sruRoutes } from './routes/sru.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { uploadRoutes } from './routes/media/uploads.ts'
import { createFacetCounts } from '#pages/facet-counts.ts'
import type { PageParts } from '#pages/page.ts'
import { cardRoute } from './routes/card.ts'
import { publicPageRoutes, robotsRoute, siteFileRoute } from './routes/public-pages.ts'
import { webPageRoutes } from './routes/web-page.ts'
import { webhookRoutes } from './routes/webhooks/webhooks.ts'
import { writeEntityRoutes } from './routes/entities/write-entities.ts'
import type { App } from './openapi/typebox-provider.ts'
import type { AppParts } from './app-parts.ts'
import type { ConnectionCounter } from './access/connection-limits.ts'

/** Registers every route, with the parts it needs. */
export function registerRoutes(app: App, parts: AppParts, connections: ConnectionCounter, openApi: () => object) {
  const { catalogue, model, repository, statedUrl, extension } = parts
  const reading = { readFilters: extension?.readFilters ?? readFilters }
  extension?.adaptRoutes(app, parts)
  listEntityRoutes(app, { ...parts, ...reading })
  readEntityRoutes(app, parts)
  wemRoutes(app, parts)
  partRoutes(app, parts.catalogue)
  suggestRoutes(app, catalogue, model)
  savedSearchRoutes(app, catalogue, parts.anonymous !== undefined)
  growthRoutes(app, catalogue)
  recentRoutes(app, catalogue, model)
  duplicateRoutes(app, catalogue, model)
  writeEntityRoutes(app, parts)
  entityListRoutes(app, catalogue)
  historyRoutes(app, catalogue)
  batchRoutes(app, catalogue, parts.bodyLimit)
  exportRoutes(app, {
    catalogue: parts.patientCatalogue,
    model,
    publicUrl: parts.publicUrl,
    contents: parts.media,
    ...reading
  })
  entityMediafileRoutes(app, { ...parts, publicUrl: statedUrl })
  mediafileRoutes(app, parts)
  primaryMediafileRoutes(app, catalogue)
  mediaAddressRoutes(app, parts)
  ticketRoutes(app, catalogue, parts.tickets)
  readinessRoutes(app, catalogue, parts.publicUrl)
  pressKitRoutes(app, catalogue, parts.media, parts.timeZone)
  manyEntityRoutes(app, catalogue, model)
  extension?.addRoutes(app, parts)
  // In a scope of its own: every body is bytes here, also one that is declared as JSON.
  app.register(async room => {
    room.removeAllContentTypeParsers()
    room.addContentTypeParser('*', (_, payload, done) => done(null, payload))
    contentRoutes(room as unknown as App, catalogue, parts.media, parts.thumbnails)
    uploadRoutes(room as unknown as App, catalogue, parts.media, parts.mediaLimit)
  })
  changeRoutes(app, catalogue, model, parts.notifier, connections)
  webhookRoutes(app, parts.webhooks)
  // Addresses given to other systems must stay valid, so they are given only when configured.
  const recordUrl = statedUrl && `${statedUrl}/${parts.page === undefined ? 'entities' : 'record'}/`
  const { publicUrl } = parts
  // The one name of the house, for pages and for every protocol: the settings of the site have it.
  const nameNow = () => parts.site.current().name
  oaiRoutes(app, { catalogue, model, publicUrl, recordUrl, nameNow, ...repository }, statedUrl)
  sruRoutes(app, { catalogue, model, publicUrl, recordUrl, nameNow }, statedUrl)
  importRoutes(app, parts.imports, model)
  catalogueRoutes(app, parts.foreignCatalogues, () => parts.site.current().catalogues)
  templateRoutes(app, () => parts.site.current().templates)
  tokenRoutes(app, parts.tokens, parts.authenticator)
  auditRoutes(app, parts.audit)
  signInRoutes(app, parts.signIn)
  recordTypeRoutes(app, model, parts.timeZone)
  linkedDataRoutes(app)
  reconciliationRoutes(app, { ...parts, nameNow, hasPage: parts.page !== undefined })
  programmeRoutes(app, catalogue, parts.publicUrl, parts.timeZone)
  serviceRoutes(app, parts, openApi)
  helpRoutes(app, parts.documentFolder)
  pageRoutes(app, parts, nameNow)
}

/**
 * The current minute, just after its beginning. Pages are made once a minute: those of the same
 * minute ask the same questions, and a performance of this minute has begun.
 */
const beginningOfMinute = () => Math.floor(Date.now() / 60_000) * 60_000 + 1

/** The web page, and the pages for readers without an account where they may read anything. */
function pageRoutes(
  app: App,
  { catalogue, model, anonymous, publicUrl, timeZone, page, site, cards }: AppParts,
  nameNow: () => string
) {
  const isPublic = anonymous !== undefined
  webPageRoutes(app, page, nameNow, isPublic)
  robotsRoute(app, publicUrl, isPublic)
  siteFileRoute(app, site.current)
  siteSettingsRoutes(app, site)
  if (isPublic) {
    const readers: PageParts = {
      ...{ catalogue, model, principal: { ...anonymous, asksTogether: true }, publicUrl, timeZone },
      now: beginningOfMinute,
      facetCounts: createFacetCounts(() => performance.now()),
      areCardsDrawn: cards.areDrawn,
      get site() {
        return site.current()
      }
    }
    publicPageRoutes(app, readers, page?.publicTemplate)
    cardRoute(app, readers, cards, page)
  }
}
