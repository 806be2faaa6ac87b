import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'

import { HttpError, sendProblem } from './errors.ts'

/** Answers a request for an unknown path or method, and the preflight requests of other origins. */
export function answerUnknownPath(routes: readonly RouteOptions[], request: FastifyRequest, reply: FastifyReply) {
  const path = request.url.split('?')[0] ?? ''
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
  reply.header('allow', methods.join(', '))
  return sendProblem(
    new HttpError('method_not_allowed', `"${path}" allows ${methods.join(', ')}, not ${request.method}`),
    request,
    reply
  )
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
