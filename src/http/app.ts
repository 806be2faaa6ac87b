import Fastify, { LogController, type FastifyReply, type FastifyRequest, type RouteOptions } from 'fastify'

import type { TokenKeeper } from '#auth/api-tokens.ts'
import type { Authenticator } from '#auth/authenticator.ts'
import type { Catalogue } from '#catalogue/catalogue.ts'
import type { Model } from '#domain/model.ts'
import type { Principal } from '#domain/permissions.ts'
import { HttpError, patchMediaTypes, sendProblem, toProblem } from './errors.ts'
import { readJsonBody } from './json-body.ts'
import { openApiDocument } from './openapi.ts'
import { entityListRoutes } from './routes/entity-lists.ts'
import { readEntityRoutes } from './routes/read-entities.ts'
import { serviceRoutes } from './routes/service.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { writeEntityRoutes } from './routes/write-entities.ts'
import type { App } from './typebox-provider.ts'
import { validatorCompiler } from './validation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is asking. On paths that need no bearer there is nobody, and reading this is a fault of ours. */
    principal: Principal
  }
}

export interface AppParts {
  readonly catalogue: Catalogue
  readonly model: Model
  readonly authenticator: Authenticator
  readonly tokens: TokenKeeper
  readonly isReady: () => Promise<boolean>
  readonly version: string
  readonly bodyLimit: number
  readonly logLevel: string
}

/** Existing clients know every path under this prefix too. */
const aliasPrefix = '/elody/v1'

/** On every answer. A client may keep an answer but must ask whether it still holds; nothing here may be run or framed. */
const commonHeaders = {
  'api-version': '1',
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer'
}

/** The HTTP door: the routes, and everything that holds for all of them. */
export async function buildApp(parts: AppParts): Promise<App> {
  let isClosing = false
  const app: App = Fastify({
    logger: { level: parts.logLevel, redact: ['req.headers.authorization'] },
    // One line for each request would cost more than the request; problems are logged where they are sent.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: parts.bodyLimit,
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: 20_000, maxHeaderSize: 32_768 },
    // While closing, requests on connections that are open already are still answered, and told to close.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: true },
    rewriteUrl: request => withoutAlias(request.url ?? '/'),
    frameworkErrors: (error, request, reply) => {
      reply.headers(commonHeaders)
      sendProblem(error, request as unknown as FastifyRequest, reply as unknown as FastifyReply)
    },
    clientErrorHandler: (error, socket) => {
      if (socket.destroyed || !socket.writable) return
      socket.end(rawProblem(error))
    }
  })

  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(() => data => JSON.stringify(data))
  app.decorateRequest('principal', null as unknown as Principal)

  app.removeAllContentTypeParsers()
  app.addContentTypeParser([...patchMediaTypes], { parseAs: 'buffer' }, (_, bytes, done) => {
    try {
      done(null, readJsonBody(bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders)
    if (isClosing) reply.header('connection', 'close')
    const { doc } = request.routeOptions.config
    try {
      // Paths that do not exist have no doc; they are told so, whoever asks.
      if (doc) refuseUnacceptable(request.headers.accept, doc.produces ?? 'application/json')
      if (doc?.isPublic || !doc) return done()
      const principal = parts.authenticator.authenticate(request.headers.authorization)
      if (!(principal instanceof Promise)) {
        request.principal = principal
        return done()
      }
      principal.then(found => {
        request.principal = found
        done()
      }, done)
    } catch (error) {
      done(error as Error)
    }
  })

  const routes: RouteOptions[] = []
  app.addHook('onRoute', route => {
    if (!isAddedByFramework(route)) routes.push(route)
  })
  app.setErrorHandler(sendProblem)
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const methods = methodsFor(routes, path)
    if (methods.length === 0)
      return sendProblem(new HttpError('no_such_path', `There is no path "${path}"`), request, reply)
    reply.header('allow', methods.join(', '))
    return sendProblem(
      new HttpError('method_not_allowed', `"${path}" takes ${methods.join(', ')}, not ${request.method}`),
      request,
      reply
    )
  })

  let document: object | undefined
  const openApi = () => {
    document ??= openApiDocument(routes, parts.model, parts.version)
    return document
  }
  readEntityRoutes(app, parts.catalogue, parts.model)
  writeEntityRoutes(app, parts.catalogue)
  entityListRoutes(app, parts.catalogue)
  tokenRoutes(app, parts.tokens, parts.authenticator)
  serviceRoutes(app, parts.isReady, openApi)

  app.addHook('preClose', done => {
    isClosing = true
    done()
  })
  await app.ready()
  return app
}

const withoutAlias = (url: string) => {
  if (!url.startsWith(aliasPrefix)) return url
  const rest = url.slice(aliasPrefix.length)
  return rest === '' ? '/' : rest.startsWith('/') || rest.startsWith('?') ? rest : url
}

/** Fastify adds a HEAD route for each GET; the document has the GET. */
const isAddedByFramework = (route: RouteOptions) => route.method === 'HEAD'

/** The methods a path has, for `Allow`. */
function methodsFor(routes: readonly RouteOptions[], path: string): string[] {
  const segments = path.split('/')
  const fitting = routes.filter(({ url }) => {
    const pattern = url.split('/')
    return (
      pattern.length === segments.length &&
      pattern.every((each, index) => each.startsWith(':') || each === segments[index])
    )
  })
  const methods = fitting.flatMap(route => route.method)
  return [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].sort()
}

/** JSON can always be had; a client that names other forms only is told so. No `Accept`, or any form, means JSON. */
function refuseUnacceptable(accept: string | undefined, produced: string) {
  if (accept === undefined || accept === '' || accept.includes('*/*')) return
  const [family] = produced.split('/')
  const isGood = accept.split(',').some(range => {
    const media = range.split(';')[0]?.trim().toLowerCase()
    return (
      media === produced ||
      media === `${family}/*` ||
      media === '*' ||
      (media === 'application/problem+json' && family === 'application')
    )
  })
  if (!isGood) throw new HttpError('not_acceptable', `The answer is ${produced}; "Accept: ${accept}" leaves that out`)
}

/** An answer to what never became a request: written by hand, since no reply exists for it. */
function rawProblem(error: NodeJS.ErrnoException): string {
  const code =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'headers_too_large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'request_timeout'
        : 'bad_request'
  const words = {
    headers_too_large: 'The headers are too large',
    request_timeout: 'The request did not arrive in time',
    bad_request: 'This is not an HTTP request'
  }
  const problem = toProblem(new HttpError(code, words[code]))
  const body = JSON.stringify(problem)
  return `HTTP/1.1 ${problem.status} ${problem.title}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
}
