import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'

import { HttpError, sendProblem } from './errors.ts'
import { pathOf } from './page.ts'

/** Answers a request for an unknown path or method, and the preflight requests of other origins. */
export function answerUnknownPath(routes: readonly RouteOptions[], request: FastifyRequest, reply: FastifyReply) {
  const path = pathOf(request.url)
  const fitting = routesAt(routes, path)
  const methods = methodsOf(fitting)
  // A page of another origin that sends a bearer sends a preflight request first.
  if (request.method === 'OPTIONS' && fitting.some(route => route.config?.doc?.isReadByAnyPage)) {
    return reply
      .header('access-control-allow-origin', '*')
      .header('access-control-allow-methods', methods.join(', '))
      .header('access-control-allow-headers', 'authorization, content-type')
      .header('access-control-max-age', '86400')
      .code(204)
      .send()
  }
  if (methods.length === 0)
    return sendProblem(new HttpError('no_such_path', `There is no path "${path}"`), request, reply)
  return refuseMethod(methods, request, reply)
}

/**
 * The methods of a path that is the literal name of another route than the one reached: `PUT
 * /entities/filter` reaches the route of entities, but names the filter. Empty for other paths.
 */
export function literalMethods(routes: readonly RouteOptions[], { url, routeOptions }: FastifyRequest): string[] {
  const path = pathOf(url)
  if (routeOptions.url === path) return []
  return methodsOf(routes.filter(route => route.url === path))
}

export function refuseMethod(methods: readonly string[], request: FastifyRequest, reply: FastifyReply) {
  const allowed = methods.join(', ')
  reply.header('allow', allowed)
  const message = `"${pathOf(request.url)}" allows ${allowed}, not ${request.method}`
  return sendProblem(new HttpError('method_not_allowed', message), request, reply)
}

/** The methods that a path allows. */
export const methodsAt = (routes: readonly RouteOptions[], path: string) => methodsOf(routesAt(routes, path))

/** The routes that match a path. */
function routesAt(routes: readonly RouteOptions[], path: string): RouteOptions[] {
  const segments = path.replace(/(?<=.)\/$/, '').split('/')
  return routes.filter(({ url }) => {
    const pattern = url.split('/')
    return (
      pattern.length === segments.length &&
      pattern.every((each, index) => each.startsWith(':') || each === segments[index])
    )
  })
}

/** The methods of routes, for `Allow`. */
function methodsOf(routes: readonly RouteOptions[]): string[] {
  const methods = routes.flatMap(route => route.method)
  return [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].sort()
}
