import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import { isKnownToClient } from '../reply/conditions.ts'
import { HttpError } from '../reply/errors.ts'
import { missingPage, pageHeaders } from '../reply/html-pages.ts'
import type { App } from '../openapi/typebox-provider.ts'
import type { PageFile, WebPage } from '../web-page.ts'

/** Addresses that have pages of their own for readers without an account. */
const readersAddresses = ['/', '/find']

/** The addresses of the page. Its script reads the view from the address. */
const addresses = ['/find/*', '/browse', '/browse/*', '/record/*', '/new', '/new/*', '/manage', '/manage/*', '/sign-in']

/**
 * Scripts, styles and fonts only from this service; text becomes markup only through the one policy
 * of the page (`web/src/parts/html-text.tsx`), so the content of a record can never run.
 */
export const documentHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The text editor parses pasted text with the second policy, in a document that is never shown.
    'trusted-types libretto-html ProseMirrorClipboard'
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()'
}

/** The web page, if it was built. It needs no bearer: people sign in on it. */
export function webPageRoutes(app: App, page: WebPage | undefined, hasPublicPages: boolean) {
  for (const address of hasPublicPages ? addresses : [...readersAddresses, ...addresses]) {
    app.get(
      address,
      {
        config: {
          doc: { tag: 'Service', summary: 'The web page', isPublic: true, isPage: true, produces: 'text/html' }
        }
      },
      (request, reply) => {
        if (page) sendFile(request, reply.headers(documentHeaders), page.document)
        else reply.code(404).headers(pageHeaders).type('text/html; charset=utf-8').send(missingPage())
      }
    )
  }

  app.get(
    '/assets/:name',
    {
      schema: { params: Type.Object({ name: Type.String() }) },
      config: {
        doc: { tag: 'Service', summary: 'A file of the web page', isPublic: true, isPage: true, produces: '*/*' }
      }
    },
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
