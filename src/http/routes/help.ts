import { extname } from 'node:path'
import Type from 'typebox'

import { table } from '#domain/table.ts'

import { openDocuments } from '../help/documents.ts'
import { maxHelpQueryLength, searchDocuments } from '../help/search-documents.ts'
import type { App } from '../openapi/typebox-provider.ts'
import { route } from '../openapi/route.ts'
import { HttpError } from '../reply/errors.ts'
import { helpHeaders } from '../reply/html-pages.ts'

const html = 'text/html; charset=utf-8'
/** Types of files that browsers show; all others are sent as text, HTML of examples too. */
const pictures: Readonly<Record<string, string>> = table({ '.png': 'image/png', '.svg': 'image/svg+xml' })

/** The documents of the package, for people. They need no bearer, and hold no data. */
export function helpRoutes(app: App, folder: string) {
  const documents = openDocuments(folder)
  // Made once each: everybody may request them at any rate.
  const pages = new Map<string, string>()
  // Loaded on first use (decision 24).
  const helpPages = () => import('../help/help-page.ts')
  const doc = { tag: 'Service', isPublic: true, isPage: true } as const

  app.get(
    '/help',
    route(
      { querystring: Type.Object({ q: Type.Optional(Type.String({ maxLength: maxHelpQueryLength })) }) },
      { ...doc, summary: 'Search the documentation', produces: 'text/html' }
    ),
    async ({ query: { q = '' } }, reply) => {
      const { foundPage, startOfHelp } = await helpPages()
      if (q.trim() === '') return reply.redirect(`help/${startOfHelp}`, 302)
      return reply
        .headers(helpHeaders)
        .type(html)
        .send(foundPage(q, searchDocuments(documents.sections(), q)))
    }
  )

  app.get(
    '/help/*',
    route(
      { params: Type.Object({ '*': Type.String() }) },
      { ...doc, summary: 'Read a document', produces: '*/*', problems: ['no_such_path'] }
    ),
    async (request, reply) => {
      const path = request.params['*']
      const known = pages.get(path)
      if (known !== undefined) return reply.headers(helpHeaders).type(html).send(known)
      const bytes = documents.read(path)
      if (bytes === undefined) throw new HttpError('no_such_path', `There is no document "${path}"`)
      if (!path.endsWith('.md')) return reply.type(pictures[extname(path)] ?? 'text/plain; charset=utf-8').send(bytes)
      const { documentPage } = await helpPages()
      const made = documentPage(path, bytes.toString())
      pages.set(path, made)
      return reply.headers(helpHeaders).type(html).send(made)
    }
  )
}
