import type { Server } from 'node:http'

import Fastify, { LogController, type FastifyReply, type FastifyRequest, type RouteOptions } from 'fastify'

import type { TokenRegistry } from '#auth/api-tokens.ts'
import type { IssuerSignIn } from '#auth/issuer-sign-in.ts'
import type { LiveRights } from '#auth/live-rights.ts'
import type { TicketUse } from '#auth/tickets.ts'
import type { Catalogue } from '#catalogue/catalogue.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import type { ChangeNotifier } from '#events/change-notifier.ts'
import type { WebhookManager } from '#events/webhook-manager.ts'
import type { OaiRepository } from '#protocols/oai-pmh/answer-request.ts'
import type { MediaManager } from '#media/media-manager.ts'
import type { Thumbnails } from '#media/thumbnails.ts'
import type { ImportQueue } from '#imports/import-queue.ts'
import { type AdmissionParts, createAdmission } from './access/admission.ts'
import { basePathOf, withoutPrefix } from './base-path.ts'
import { closeUnread, startBodyClock, stopBodyClock } from './body/body-clock.ts'
import { type CorsOrigins, createCrossOrigin } from './access/cross-origin.ts'
import { type ConnectionLimits, limitConnections } from './access/connection-limits.ts'
import { commonHeaders } from './reply/common-headers.ts'
import { refuseUnreadableType } from './body/body-headers.ts'
import { drain } from './body/drain.ts'
import { patchMediaTypes, sendProblem } from './reply/errors.ts'
import { readJsonBody } from './body/json-body.ts'
import { addFormBodies } from './body/form-body.ts'
import { recheckRights } from './access/lasting-rights.ts'
import { readsRecords } from './access/reads-records.ts'
import { openApiDocument } from './openapi/openapi.ts'
import { rawProblem } from './reply/raw-problem.ts'
import { batchRoutes } from './routes/batch.ts'
import { changeRoutes } from './routes/changes.ts'
import { contentRoutes } from './routes/media/content.ts'
import { entityListRoutes } from './routes/entities/entity-lists.ts'
import { exportRoutes } from './routes/export.ts'
import { historyRoutes } from './routes/entities/history.ts'
import { importRoutes } from './routes/imports/imports.ts'
import { linkedDataRoutes } from './routes/linked-data.ts'
import { programmeRoutes } from './routes/entities/programmes.ts'
import { oaiRoutes } from './routes/oai.ts'
import { entityMediafileRoutes } from './routes/media/entity-mediafiles.ts'
import { mediafileRoutes } from './routes/media/mediafiles.ts'
import { otherPlatformRoutes } from './routes/other-platform.ts'
import { listEntityRoutes } from './routes/entities/list-entities.ts'
import { readEntityRoutes } from './routes/entities/read-entity.ts'
import { wemRoutes } from './routes/entities/wem.ts'
import { growthRoutes } from './routes/growth.ts'
import { suggestRoutes } from './routes/suggest.ts'
import { reconciliationRoutes } from './routes/reconcile.ts'
import { recordTypeRoutes } from './routes/record-types.ts'
import { serviceRoutes } from './routes/service.ts'
import { readinessRoutes } from './routes/media/readiness.ts'
import { ticketRoutes } from './routes/media/tickets.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { sruRoutes } from './routes/sru.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { uploadRoutes } from './routes/media/uploads.ts'
import { publicPageRoutes, robotsRoute } from './routes/public-pages.ts'
import { webPageRoutes } from './routes/web-page.ts'
import { webhookRoutes } from './routes/webhooks/webhooks.ts'
import { writeEntityRoutes } from './routes/entities/write-entities.ts'
import type { App } from './openapi/typebox-provider.ts'
import { answerUnknownPath, methodsAt } from './reply/unknown-path.ts'
import { reapUnread } from './body/unread-body.ts'
import { validatorCompiler } from './body/validation.ts'
import type { WebPage } from './web-page.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The principal of the request. Paths that need no bearer have none; reading this there is a
     * bug.
     */
    principal: Principal
    /** The use of the ticket that replaces a bearer; undefined where there is a bearer. */
    ticket: TicketUse | undefined
    /** Stops the time limit of the body. */
    bodyArrived: () => void
    /** Time of admission, by `performance.now()`. */
    admittedAt: number
  }
  interface FastifyInstance {
    liveRights: LiveRights
  }
}

export interface AppParts extends AdmissionParts {
  readonly catalogue: Catalogue
  readonly model: Model
  readonly tokens: TokenRegistry
  readonly liveRights: LiveRights
  /** Sign-in with an issuer, for people. */
  readonly signIn: IssuerSignIn
  readonly repository: Omit<OaiRepository, 'catalogue' | 'model' | 'recordUrl'>
  /**
   * Configured address of the service for harvesters and SRU clients; undefined to use the address
   * of the request.
   */
  readonly statedUrl: string | undefined
  readonly notifier: ChangeNotifier
  readonly webhooks: WebhookManager
  readonly media: MediaManager
  readonly mediaLimit: number
  readonly thumbnails: Thumbnails
  /** The built web page; undefined where it was not built. */
  readonly page: WebPage | undefined
  readonly imports: ImportQueue
  readonly isReady: () => Promise<boolean>
  readonly version: string
  /** Address of the service for clients, without a slash at the end. */
  readonly publicUrl: string
  readonly bodyLimit: number
  readonly connectionLimits: ConnectionLimits
  /** Whether `X-Forwarded-*` headers from this address are trusted. */
  readonly isTrustedProxy: (address: string) => boolean
  readonly logLevel: string
  /** Origins whose pages may read answers; none when empty. */
  readonly corsOrigins: CorsOrigins
}

/** Prefix under which existing clients use every path. */
const aliasPrefix = '/elody/v1'

/** Builds the HTTP application: the routes, and the rules that apply to all of them. */
export async function buildApp(parts: AppParts): Promise<App> {
  let isClosing = false
  const basePath = basePathOf(parts.statedUrl)
  const app: App = Fastify({
    logger: { level: parts.logLevel, redact: ['req.headers.authorization'] },
    // A line for each request would cost more than the request; problems are logged where they are
    // sent.
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs a microsecond and is hardly ever used (bench/get.ts).
    childLoggerFactory: logger => logger,
    bodyLimit: parts.bodyLimit,
    trustProxy: parts.isTrustedProxy,
    // Bodies have a time limit of their own (below), since large uploads take long.
    requestTimeout: 0,
    connectionTimeout: 60_000,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: 20_000, maxHeaderSize: 32_768 },
    // While closing, requests on open connections are still answered, with `Connection: close`.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: true },
    // The compilers are set below. Naming a factory here keeps Fastify from loading its own, which
    // take about 5 MB (bench/start.ts).
    schemaController: { compilersFactory: { buildValidator: neverBuilt, buildSerializer: neverBuilt } },
    // A proxy may leave the path of the public address in, or take it out.
    rewriteUrl: request => withoutPrefix(withoutPrefix(request.url ?? '/', basePath), aliasPrefix),
    frameworkErrors: (error, request, reply) => {
      reply.headers(commonHeaders)
      sendProblem(error, request as unknown as FastifyRequest, reply as unknown as FastifyReply)
    },
    clientErrorHandler: (error, socket) => {
      if (socket.destroyed || !socket.writable) return
      socket.end(rawProblem(error))
    }
  })

  // An unknown `Expect` may be ignored (RFC 9110, 10.1.1); the refusal by Node would be no problem
  // document.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  reapUnread(app.server as Server)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(() => data => JSON.stringify(data))
  app.decorateRequest('principal', null as unknown as Principal)
  app.decorateRequest('ticket', undefined)
  app.decorateRequest('basePath', basePath)
  app.decorateRequest('admittedAt', 0)
  app.decorate('liveRights', parts.liveRights)

  app.removeAllContentTypeParsers()
  app.addContentTypeParser([...patchMediaTypes], { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      // Some clients send a Content-Type with every request; a DELETE needs no body for it.
      const isLeftOut = request.method === 'DELETE' && bytes.length === 0
      if (!isLeftOut) refuseUnreadableType(request)
      done(null, isLeftOut ? undefined : readJsonBody(bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })

  addFormBodies(app)

  if (parts.corsOrigins.length > 0) {
    const crossOrigin = createCrossOrigin(parts.corsOrigins, path => methodsAt(routes, path))
    app.addHook('onRequest', (request, reply, done) => {
      if (!crossOrigin.admit(request, reply)) done()
    })
    app.addHook('onSend', (_, reply, payload, done) => {
      crossOrigin.vary(reply)
      done(null, payload)
    })
  }

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders)
    // An unknown path is answered to everybody, before a body is read.
    if (request.is404) answerUnknown(request, reply)
    else done()
  })

  const connections = limitConnections(app.server as Server, parts.connectionLimits, parts.isTrustedProxy)
  const admitterOf = createAdmission(parts, connections)
  app.decorateRequest('bodyArrived', null as unknown as () => void)
  // Each route gets only the hooks it needs: a hook that does nothing, or looks up its route, costs
  // as much as the look-up of a get (bench/get.ts).
  app.addHook('onRoute', route => {
    const doc = route.config?.doc
    if (!doc) throw new Error(`The route ${route.url} has no doc`)
    if (takesBody(route) && !doc.isPublic && doc.needs === undefined)
      throw new Error(`The route ${route.method} ${route.url} takes a body but names no needs`)
    const mayBeAnonymous = doc.mayBeAnonymous ?? readsRecords(String(route.method), doc)
    route.onRequest = admitterOf({ ...doc, mayBeAnonymous })
    if (doc.isStreamed) route.preParsing = closeUnread
    if (doc.isStreamed || route.method === 'GET' || route.method === 'HEAD') return
    route.preParsing = startBodyClock
    route.preValidation = doc.isPublic ? stopBodyClock : [stopBodyClock, recheckRights]
  })
  if (basePath !== '') {
    app.addHook('onSend', (_, reply, payload, done) => {
      const location = reply.getHeader('location')
      if (typeof location === 'string' && location.startsWith('/')) reply.header('location', basePath + location)
      done(null, payload)
    })
  }
  // Checked last, so that requests begun before the closing close too: a connection left open would
  // delay the end.
  app.addHook('onSend', (_, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close')
    done(null, payload)
  })

  const routes: RouteOptions[] = []
  app.addHook('onRoute', route => {
    if (!isAddedByFramework(route)) routes.push(route)
  })
  app.setErrorHandler(sendProblem)
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply) => answerUnknownPath(routes, request, reply)
  app.setNotFoundHandler(answerUnknown)

  let document: object | undefined
  const openApi = () => {
    document ??= openApiDocument(routes, parts.model, parts.version, basePath)
    return document
  }
  const { catalogue, model, repository, statedUrl } = parts
  listEntityRoutes(app, catalogue, model)
  readEntityRoutes(app, parts)
  wemRoutes(app, parts)
  suggestRoutes(app, catalogue, model)
  growthRoutes(app, catalogue)
  writeEntityRoutes(app, catalogue, model)
  entityListRoutes(app, catalogue)
  historyRoutes(app, catalogue)
  batchRoutes(app, catalogue, parts.bodyLimit)
  exportRoutes(app, catalogue, model, parts.publicUrl)
  entityMediafileRoutes(app, { ...parts, publicUrl: statedUrl })
  mediafileRoutes(app, catalogue)
  ticketRoutes(app, catalogue, parts.tickets)
  readinessRoutes(app, catalogue)
  otherPlatformRoutes(app, catalogue, model)
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
  oaiRoutes(app, { catalogue, model, recordUrl, ...repository }, statedUrl)
  sruRoutes(app, { catalogue, model, recordUrl, name: repository.name }, statedUrl)
  importRoutes(app, parts.imports)
  tokenRoutes(app, parts.tokens, parts.authenticator)
  signInRoutes(app, parts.signIn)
  recordTypeRoutes(app, model)
  linkedDataRoutes(app)
  reconciliationRoutes(app, { ...parts, name: parts.repository.name, hasPage: parts.page !== undefined })
  programmeRoutes(app, catalogue, parts.publicUrl)
  serviceRoutes(app, parts.isReady, openApi)
  pageRoutes(app, parts)

  app.addHook('preClose', async () => {
    isClosing = true
    if (app.server.listening) await drain(app.server)
  })
  await app.ready()
  return app
}

const neverBuilt = (): never => {
  throw new Error('The app sets the compilers of schemas')
}

const takesBody = ({ method }: RouteOptions) => !['GET', 'HEAD', 'OPTIONS'].includes(String(method))

/** Fastify adds a HEAD route for each GET; the document lists the GET. */
const isAddedByFramework = (route: RouteOptions) => route.method === 'HEAD'

/** The web page, and the pages for readers without an account where they may read anything. */
function pageRoutes(app: App, { catalogue, model, anonymous, publicUrl, page }: AppParts) {
  const isPublic = anonymous !== undefined
  webPageRoutes(app, page, isPublic)
  robotsRoute(app, publicUrl, isPublic)
  if (isPublic)
    publicPageRoutes(app, { catalogue, model, principal: anonymous, publicUrl, now: Date.now }, page?.publicTemplate)
}
