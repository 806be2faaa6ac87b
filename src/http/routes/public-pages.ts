import { etagOf } from '#catalogue/etag.ts'

import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import { readinessStates } from '#domain/find/readiness-states.ts'
import { CatalogueError } from '#domain/errors.ts'
import { findModelOf } from '#domain/find/find-model.ts'
import { type FindState, readFindState, sorts } from '#domain/find/find-state.ts'
import { feedOf, openSearchDescription } from '#pages/feed.ts'
import { findPage } from '#pages/find-page.ts'
import type { Locale } from '#pages/locale.ts'
import { html } from '#pages/markup.ts'
import {
  openSearchType,
  type Page,
  type PageParts,
  plainTemplate,
  recordPath,
  type Template,
  templateFor,
  writeDocument
} from '#pages/page.ts'
import { programmeDays } from '#pages/programme-days.ts'
import { robotsText, sitemapIndex, sitemapPart } from '#pages/sitemap.ts'
import { filesOf, type Site } from '#pages/site.ts'
import { startPage } from '#pages/start-page.ts'
import type { App } from '../openapi/typebox-provider.ts'
import { isKnownToClient } from '../reply/conditions.ts'
import { HttpError } from '../reply/errors.ts'
import { localeFor, publicHeaders, redirectOlder } from '../reply/public-page.ts'

/** The language of a page, where the address names one. */
const lang = Type.Optional(Type.String({ maxLength: 35 }))
const optional = (description: string) => Type.Optional(Type.String({ maxLength: 4000, description }))
/** The parameters of a search. Those of facets depend on the model. */
const search = {
  q: optional('Words'),
  type: optional('Kinds and types, with commas between them'),
  ids: optional('Ids of records, with commas between them'),
  from: optional('The first year'),
  to: optional('The last year'),
  sort: optional(sorts.join(', ')),
  related: optional('A relation and a record: `refAuthors:PERS-1`'),
  added_by: optional('The creator of the records'),
  readiness: optional(readinessStates.join(', ')),
  view: optional('`records` shows every record by itself'),
  by: optional('Values of facets, in older addresses')
}

const skipped = (what: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: `Number of ${what} that are skipped` }))
/** The lists of the page of a record. Those of referring records depend on the model. */
const recordLists = {
  skip: skipped('editions'),
  dates: skipped('performances'),
  shows: skipped('productions'),
  files: skipped('media files'),
  in: optional('The language of the editions, by the id of its record'),
  city: optional('The city of the performances'),
  when: optional('`past` shows the earlier performances'),
  sort: optional('`year` orders works by year, not by title')
}

const doc = (summary: string, produces: string) => ({
  doc: { tag: 'Service', summary, needs: 'read', mayBeAnonymous: true, isPage: true, produces } as const
})
const htmlType = 'text/html'

/**
 * Pages for readers without an account, made on the server: the first page, results, records, and
 * the files by which search engines and feed readers find them. Registered where
 * `ANONYMOUS_ACCESS` lets visitors read.
 */
export function publicPageRoutes(app: App, parts: PageParts, given: Template = plainTemplate) {
  const preHandler = redirectOlder(() => parts.site)
  const findModel = findModelOf(parts.model)
  const parametersOf = ({ url }: FastifyRequest) => new URLSearchParams(url.split('?')[1])
  const readSearch = (request: FastifyRequest) => readFindState(parametersOf(request), findModel)
  const sendPage = async (request: FastifyRequest, reply: FastifyReply, make: (locale: Locale) => Promise<Page>) => {
    const { site } = parts
    const locale = localeFor(request, site)
    // A page tells the next performance, so it is made again at each whole minute, when
    // performances begin.
    const key = `${locale.language} ${locale.prefix} ${Math.floor(parts.now() / 60_000)} ${site.version} ${request.url}`
    const write = async () => writeDocument(templateFor(given, site), await make(locale), locale, parts)
    return sendDocument(request, reply, locale, await parts.catalogue.pages.read(key, write))
  }
  const sendDocument = (request: FastifyRequest, reply: FastifyReply, { prefix }: Locale, document: string) => {
    reply.headers(publicHeaders(given, parts))
    if (prefix === '') reply.header('vary', 'Accept-Language')
    return sendTagged(request, reply, `${htmlType}; charset=utf-8`, document)
  }

  app.get(
    '/',
    { schema: { querystring: Type.Object({ lang }) }, config: doc('The first page for readers', htmlType), preHandler },
    (request, reply) => sendPage(request, reply, locale => startPage(parts, locale))
  )
  app.get(
    '/find',
    {
      schema: {
        querystring: Type.Object({ ...search, lang, cursor: Type.Optional(Type.String({ maxLength: 4000 })) })
      },
      config: doc('Results of a search, for readers', htmlType),
      preHandler
    },
    (request, reply) => {
      const { cursor } = request.query
      return sendPage(request, reply, locale => findPage(parts, { state: readSearch(request), cursor }, locale))
    }
  )
  app.get(
    '/record/:id',
    {
      schema: {
        params: Type.Object({ id: Type.String({ maxLength: 400 }) }),
        querystring: Type.Object({ ...recordLists, lang })
      },
      config: doc('The page of a record, for readers', htmlType),
      preHandler
    },
    async (request, reply) => {
      const { id } = request.params
      const locale = localeFor(request, parts.site)
      try {
        return await sendPage(request, reply, async () => {
          const { recordPage } = await import('#pages/record-page.ts')
          const page = await recordPage(parts, id, parametersOf(request), locale)
          // One record has one address, whichever of its identifiers was used.
          if (page.path.split('?')[0] !== recordPath(id)) throw new OtherAddress(page.path)
          return page
        })
      } catch (error) {
        if (error instanceof OtherAddress) return reply.redirect(locale.prefix + error.message, 301)
        if (!(error instanceof CatalogueError) || error.code !== 'not_found') throw error
        const survivor = await findSurvivor(parts, id)
        if (survivor !== undefined && survivor !== 'deleted')
          return reply.redirect(locale.prefix + recordPath(survivor), 301)
        reply.code(survivor === 'deleted' ? 410 : 404)
        const page = missingPage(id, survivor === 'deleted', locale)
        return sendDocument(request, reply, locale, writeDocument(templateFor(given, parts.site), page, locale, parts))
      }
    }
  )
  app.get(
    '/programme',
    {
      schema: {
        querystring: Type.Object({
          when: optional(programmeDays.join(', ')),
          date: optional('The first day: `2027-01-18`'),
          of: optional('The season, venue or company, by its id'),
          city: optional('The city of the venues'),
          age: optional('The age category of the shows'),
          dates: skipped('performances'),
          lang
        })
      },
      config: doc('Performances of today, the weekend or a week, for readers', htmlType),
      preHandler
    },
    async (request, reply) => {
      const { programmePage } = await import('#pages/programme-page.ts')
      return sendPage(request, reply, locale => programmePage(parts, parametersOf(request), locale))
    }
  )
  feedRoutes(app, parts, readSearch)
}

/** The page is at another path, which is the message. */
class OtherAddress extends Error {}

/** The files by which feed readers and search engines find the pages. */
function feedRoutes(app: App, parts: PageParts, readSearch: (request: FastifyRequest) => FindState) {
  const preHandler = redirectOlder(() => parts.site)
  app.get(
    '/feed.atom',
    {
      schema: { querystring: Type.Object({ ...search, lang }) },
      config: doc('New records as an Atom feed', 'application/atom+xml'),
      preHandler
    },
    async (request, reply) => {
      const locale = localeFor(request, parts.site)
      if (locale.prefix === '') reply.header('vary', 'Accept-Language')
      const feed = await feedOf(parts, readSearch(request), locale)
      return sendTagged(request, reply, 'application/atom+xml; charset=utf-8', feed)
    }
  )
  app.get('/opensearch.xml', { config: doc('The catalogue as a search engine', openSearchType) }, (request, reply) =>
    sendTagged(request, reply, 'application/opensearchdescription+xml; charset=utf-8', openSearchDescription(parts))
  )
  app.get('/sitemap.xml', { config: doc('Index of the sitemaps', 'application/xml') }, async (request, reply) =>
    sendTagged(request, reply, 'application/xml; charset=utf-8', await sitemapIndex(parts))
  )
  app.get(
    '/sitemap-:number.xml',
    {
      schema: { params: Type.Object({ number: Type.Integer({ minimum: 1, maximum: 50_000 }) }) },
      config: doc('A part of the sitemap', 'application/xml')
    },
    async (request, reply) => {
      const part = await sitemapPart(parts, request.params.number)
      if (part === undefined) throw new HttpError('no_such_path', `There is no sitemap ${request.params.number}`)
      return sendTagged(request, reply, 'application/xml; charset=utf-8', part)
    }
  )
}

/** The files of the house: its logo and its typefaces. */
export function siteFileRoute(app: App, site: () => Site) {
  app.get(
    '/site/:name',
    {
      schema: { params: Type.Object({ name: Type.String({ maxLength: 400 }) }) },
      config: {
        doc: { tag: 'Service', summary: 'A file of the house', isPublic: true, isPage: true, produces: '*/*' }
      }
    },
    (request, reply) => {
      const file = filesOf(site()).get(request.params.name)
      if (!file) throw new HttpError('no_such_path', `The site has no file "${request.params.name}"`)
      return reply
        .headers({
          // The name contains a digest of the content, so the content never changes.
          'cache-control': 'public, max-age=31536000, immutable',
          // A drawing may have styles of its own, but nothing in it may run.
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        })
        .type(file.type)
        .send(file.bytes)
    }
  )
}

/** `robots.txt`, which keeps search engines out where there are no pages for visitors. */
export function robotsRoute(app: App, publicUrl: string, isPublic: boolean) {
  app.get(
    '/robots.txt',
    {
      config: {
        doc: {
          tag: 'Service',
          summary: 'Rules for search engines',
          isPublic: true,
          isPage: true,
          produces: 'text/plain'
        }
      }
    },
    (_, reply) => reply.type('text/plain; charset=utf-8').send(robotsText(publicUrl, isPublic))
  )
}

/** The record that a merged one became part of; `deleted` for one that was deleted. */
async function findSurvivor({ catalogue, principal }: PageParts, id: string): Promise<string | undefined> {
  try {
    const { results } = await catalogue.history.read(principal, id, 0, 1)
    return results[0]?.merged_into ?? (results[0]?.kind === 'deleted' ? 'deleted' : undefined)
  } catch {
    return undefined
  }
}

function missingPage(id: string, isDeleted: boolean, { phrases }: Locale): Page {
  const title = isDeleted ? phrases.gone : phrases.missing
  return {
    title,
    path: recordPath(id),
    isUnlisted: true,
    body: html`<h1>${title}</h1><p>${isDeleted ? phrases.goneDetail : phrases.missingDetail}</p>`
  }
}

/** Sends a text with a tag of its content: it is fetched again only when it has changed. */
function sendTagged(request: FastifyRequest, reply: FastifyReply, mediaType: string, body: string): FastifyReply {
  const etag = etagOf(body)
  reply.header('etag', etag).header('cache-control', 'no-cache')
  if (reply.statusCode === 200 && isKnownToClient(request.headers, etag)) return reply.code(304).send()
  return reply.type(mediaType).send(body)
}
