import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import { isKnownToClient } from '../reply/conditions.ts'
import { HttpError } from '../reply/errors.ts'
import { missingPage, pageHeaders } from '../reply/html-pages.ts'
import { headersWithScript } from '../reply/public-page.ts'
import type { App } from '../openapi/typebox-provider.ts'
import type { PageFile, WebPage } from '../web-page.ts'
import { route } from '../openapi/route.ts'

/** Addresses that have pages of their own for readers without an account. */
const readersAddresses = ['/', '/find']

/** The addresses of the page. Its script reads the view from the address. */
const addresses = ['/find/*', '/browse', '/browse/*', '/record/*', '/new', '/new/*', '/manage', '/manage/*', '/sign-in']

/** The web page, if it was built. It needs no bearer: people sign in on it. */
export function webPageRoutes(app: App, page: WebPage | undefined, name: () => string, hasPublicPages: boolean) {
  const headers = page && headersWithScript(page.scriptSource)
  for (const address of hasPublicPages ? addresses : [...readersAddresses, ...addresses]) {
    app.get(
      address,
      {
        config: {
          doc: { tag: 'Service', summary: 'The web page', isPublic: true, isPage: true, produces: 'text/html' }
        }
      },
      (request, reply) => {
        if (page && headers) sendFile(request, reply.headers(headers), page.documentFor(name()))
        else reply.code(404).headers(pageHeaders).type('text/html; charset=utf-8').send(missingPage())
      }
    )
  }

  app.get(
    '/favicon.ico',
    route({}, { tag: 'Service', summary: 'The icon', isPublic: true, isPage: true, produces: 'image/svg+xml' }),
    (request, reply) => {
      const [, icon] = [...(page?.assets ?? [])].find(([name]) => /^libretto-.*\.svg$/.test(name)) ?? []
      if (!icon) throw new HttpError('no_such_path', 'The web page has no icon')
      sendFile(request, reply.header('cache-control', 'public, max-age=86400'), icon)
    }
  )
  app.get(
    '/assets/:name',
    route(
      { params: Type.Object({ name: Type.String() }) },
      { tag: 'Service', summary: 'A file of the web page', isPublic: true, isPage: true, produces: '*/*' }
    ),
    (request, reply) => {
      const file = page?.assets.get(request.params.name)
      if (!file) throw new HttpError('no_such_path', `The web page has no file "${request.params.name}"`)
      // The name contains a digest of the content, so the content never changes.
      sendFile(request, reply.header('cache-control', 'public, max-age=31536000, immutable'), file)
    }
  )
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: PageFile) {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  reply.header('vary', 'accept-encoding').header('etag', file.etag)
  if (isKnownToClient(request.headers, file.etag)) return reply.code(304).send()
  reply.type(file.type)
  if (file.brotli && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(file.brotli)
  if (file.gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(file.gzip)
  return reply.send(file.bytes)
}
