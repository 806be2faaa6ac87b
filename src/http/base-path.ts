import type { FastifyRequest } from 'fastify'

import type { App } from './openapi/typebox-provider.ts'

/* A service may be reached under a path of a host, such as `https://example.org/catalogue`. */

declare module 'fastify' {
  interface FastifyRequest {
    /** The path that clients reach the service under, such as `/catalogue`; mostly empty. */
    basePath: string
  }
}

/**
 * Returns the path of the public address, without a slash at the end; empty where there is none.
 */
export const basePathOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/(?<!\/)\/+$/, '')

/** Returns the address without this prefix, where it has it. */
export function withoutPrefix(url: string, prefix: string): string {
  if (prefix === '' || !url.startsWith(prefix)) return url
  const rest = url.slice(prefix.length)
  return rest === '' ? '/' : rest.startsWith('/') ? rest : rest.startsWith('?') ? `/${rest}` : url
}

/** Returns the path and query of a request as its client wrote them, for links to other pages. */
export const clientAddressOf = ({ basePath, url }: FastifyRequest): string => basePath + url

/** Makes `Location` of every answer begin with the path. */
export function prefixLocations(app: App, basePath: string) {
  if (basePath === '') return
  app.addHook('onSend', (_, reply, payload, done) => {
    const location = reply.getHeader('location')
    if (typeof location === 'string' && location.startsWith('/')) reply.header('location', basePath + location)
    done(null, payload)
  })
}
