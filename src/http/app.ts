import { randomBytes } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import Fastify, { type FastifyReply, type FastifyRequest, LogController, type RouteOptions } from 'fastify'

import type { LiveRights } from '#auth/live-rights.ts'
import type { TicketUse } from '#auth/tickets.ts'
import { CatalogueError } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import { auditing, isAdministrative } from './access/audited-acts.ts'
import { createAdmission, refuseLargeVisit } from './access/admission.ts'
import { basePathOf, prefixLocations, withoutPrefix } from './base-path.ts'
import { closeUnread, startBodyClock, stopBodyClock } from './body/body-clock.ts'
import { createCrossOrigin } from './access/cross-origin.ts'
import { limitConnections } from './access/connection-limits.ts'
import { type Compression, createCompression } from './reply/compression.ts'
import { commonHeaders, forbidStoring, secretTags } from './reply/common-headers.ts'
import { drain } from './body/drain.ts'
import { createErrorPages, firstPart, interfaceParts } from './reply/error-pages.ts'
import { splitLanguage } from './reply/public-page.ts'
import { HttpError, patchMediaTypes, sendProblem } from './reply/errors.ts'
import { maxValuesIn, readJsonBody, refuseUnreadableType } from './body/json-body.ts'
import { addFormBodies } from './body/form-body.ts'
import { recheckRights } from './access/lasting-rights.ts'
import { observeRequests } from './observe/observe-requests.ts'
import { readExamples } from './openapi/examples.ts'
import { openApiDocument } from './openapi/openapi.ts'
import { rawProblem } from './reply/raw-problem.ts'
import { createRepeatedAnswers, type RepeatedAnswers } from './reply/repeated-answers.ts'
import type { App } from './openapi/typebox-provider.ts'
import { answerUnknownPath, literalMethods, methodsAt, refuseMethod } from './reply/unknown-path.ts'
import { reapUnread } from './body/unread-body.ts'
import { createValidatorCompiler } from './body/validation.ts'
import type { AppParts } from './app-parts.ts'
import { registerRoutes } from './register-routes.ts'
import type { RouteDoc } from './openapi/route-doc.ts'

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
    /** Compression of answers; undefined where it is off. */
    compression: Compression | undefined
    repeated: RepeatedAnswers
  }
}

/** Builds the HTTP application: the routes, and the rules that apply to all of them. */
export async function buildApp(parts: AppParts): Promise<App> {
  let isClosing = false
  const basePath = basePathOf(parts.statedUrl)
  const { extension } = parts
  // Filled when the routes are known, before the first request.
  const ofInterface = new Set<string>()
  const app = createFastify(parts, basePath, ofInterface)

  // An unknown `Expect` may be ignored (RFC 9110, 10.1.1); the refusal by Node would be no problem
  // document.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  reapUnread(app.server as Server)
  app.setValidatorCompiler(createValidatorCompiler(extension?.isIgnored))
  app.setSerializerCompiler(() => data => JSON.stringify(data))
  app.decorateRequest('principal', null as unknown as Principal)
  app.decorateRequest('ticket', undefined)
  app.decorateRequest('basePath', basePath)
  app.decorateRequest('admittedAt', 0)
  app.decorate('liveRights', parts.liveRights)
  const compression = parts.compressFrom === 0 ? undefined : createCompression(parts.compressFrom)
  app.decorate('compression', compression)

  const maxValues = maxValuesIn(parts.bodyLimit)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser([...patchMediaTypes], { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      // Some clients send a Content-Type with every request; a DELETE needs no body for it.
      const isLeftOut = request.method === 'DELETE' && bytes.length === 0
      if (!isLeftOut) refuseUnreadableType(request)
      refuseLargeVisit(request, bytes.length)
      done(null, isLeftOut ? undefined : readJsonBody(bytes as Buffer, maxValues))
    } catch (error) {
      done(error as Error)
    }
  })

  addFormBodies(app)

  const observe = observeRequests(app, parts.observation)

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
    if (hasAmbiguousHost(request.raw)) done(new HttpError('bad_request', 'The request must have one valid Host header'))
    else if (request.is404) answerUnknown(request, reply)
    else done()
  })

  const connections = limitConnections(app.server as Server, parts.connectionLimits, parts.isTrustedProxy)
  const admission = createAdmission(parts, connections)
  const repeated = createRepeatedAnswers({ ...parts, admission, observe, requestIdOf, isClosing: () => isClosing })
  repeated.serve(app.server as Server)
  app.decorate('repeated', repeated)
  app.decorateRequest('bodyArrived', null as unknown as () => void)
  // Each route gets only the hooks it needs: a hook that does nothing, or looks up its route, costs
  // as much as the look-up of a get (bench/get.ts).
  app.addHook('onRoute', route => {
    const doc = route.config?.doc
    if (!doc) throw new Error(`The route ${route.url} has no doc`)
    if (takesBody(route) && !doc.isPublic && doc.needs === undefined)
      throw new Error(`The route ${route.method} ${route.url} takes a body but names no needs`)
    if (isAdministrative(route, doc) && doc.act === undefined)
      throw new Error(`The route ${route.method} ${route.url} is administrative but names no act`)
    if (doc.act) route.onSend = auditing(parts.audit, parts.followUps, doc.act)
    const mayBeAnonymous = doc.mayBeAnonymous ?? readsRecords(String(route.method), doc)
    const admit = admission.hookFor({ ...doc, mayBeAnonymous })
    route.onRequest = secretTags.has(doc.tag) ? [forbidStoring, admit] : admit
    if (doc.isStreamed) route.preParsing = closeUnread
    if (doc.isStreamed || route.method === 'GET' || route.method === 'HEAD') return
    route.preParsing = startBodyClock
    route.preValidation = doc.isPublic ? stopBodyClock : [stopBodyClock, recheckRights]
  })
  prefixLocations(app, basePath)
  // Checked last, so that requests begun before the closing close too: a connection left open would
  // delay the end.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close')
    if (compression === undefined || request.headers['accept-encoding'] === undefined) done(null, payload)
    else compression.compress(request, reply, payload, done)
  })

  const routes: RouteOptions[] = []
  app.addHook('onRoute', route => {
    if (!isAddedByFramework(route)) routes.push(route)
  })
  app.setErrorHandler((error, request, reply) => {
    const isMissing = error instanceof CatalogueError && error.code === 'not_found'
    const methods = isMissing ? literalMethods(routes, request) : []
    return methods.length > 0 ? refuseMethod(methods, request, reply) : sendProblem(error, request, reply)
  })
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply) => answerUnknownPath(routes, request, reply)
  app.setNotFoundHandler(answerUnknown)

  let document: object | undefined
  const openApi = () => {
    document ??= openApiDocument(routes, { ...parts, basePath, examples: readExamples(parts.documentFolder) })
    return document
  }
  registerRoutes(app, parts, connections, openApi)
  for (const each of interfaceParts(routes)) ofInterface.add(each)
  if (parts.anonymous !== undefined) app.decorate('errorPage', createErrorPages(parts, routes))

  app.addHook('preClose', async () => {
    isClosing = true
    if (app.server.listening) await drain(app.server)
  })
  await app.ready()
  return app
}

const processId = randomBytes(5).toString('hex')
let requests = 0

/** Returns the id that a proxy gave, if it is a plain word, or a new one. */
function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  if (typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given)) return given
  return `${processId}-${(++requests).toString(36)}`
}

/** Makes the server without routes. */
function createFastify(
  { logLevel, bodyLimit, isTrustedProxy, extension, anonymous, site }: AppParts,
  basePath: string,
  ofInterface: ReadonlySet<string>
): App {
  return Fastify({
    logger: { level: logLevel, redact: ['req.headers.authorization'] },
    // A line for each request would cost more than the request; problems are logged where they are
    // sent.
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs a microsecond and is hardly ever used (bench/get.ts).
    childLoggerFactory: logger => logger,
    bodyLimit: bodyLimit,
    trustProxy: isTrustedProxy,
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
    genReqId: requestIdOf,
    // A proxy may leave the path of the public address in, or take it out.
    rewriteUrl({ method, url = '/' }) {
      const given = basePath === '' ? url : withoutPrefix(url, basePath)
      // Only pages have a language in their address.
      const page = anonymous && splitLanguage(given, site.current().languages).path
      const path = page === undefined || ofInterface.has(firstPart(page)) ? given : page
      return extension ? extension.routedPath(method, path) : path
    },
    frameworkErrors: (error, request, reply) => {
      reply.headers(commonHeaders)
      sendProblem(error, request as unknown as FastifyRequest, reply as unknown as FastifyReply)
    },
    clientErrorHandler: (error, socket) => {
      if (socket.destroyed || !socket.writable) return
      socket.end(rawProblem(error))
    }
  })
}

/**
 * Whether a request has several `Host` headers or an invalid one (RFC 9112, 3.2): a proxy in front
 * could have chosen another than Node, which takes the first.
 */
function hasAmbiguousHost({ rawHeaders, headers: { host = '' } }: IncomingMessage): boolean {
  let hosts = 0
  // The names are at the even positions.
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts++
  return hosts > 1 || !/^[\w.~!$&'()*+,;=%:[\]-]*$/.test(host)
}

const neverBuilt = (): never => {
  throw new Error('The app sets the compilers of schemas')
}

const takesBody = ({ method }: RouteOptions) => !['GET', 'HEAD', 'OPTIONS'].includes(String(method))

/** Fastify adds a HEAD route for each GET; the document lists the GET. */
const isAddedByFramework = (route: RouteOptions) => route.method === 'HEAD'

/**
 * Tags of the routes that give records or what was made of them. The change feed is not among them:
 * it keeps connections open.
 */
const tagsOfRecords: ReadonlySet<RouteDoc['tag']> = new Set([
  'Entities',
  'Media',
  'WEM',
  'History',
  'Export',
  'Protocols'
])

/** Whether a route only reads records, so that visitors may use it where they may read. */
function readsRecords(method: string, { tag, needs }: RouteDoc): boolean {
  if (!tagsOfRecords.has(tag)) return false
  return needs === 'read' || (needs === undefined && (method === 'GET' || method === 'HEAD'))
}
