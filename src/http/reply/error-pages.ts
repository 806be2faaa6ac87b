import type { FastifyRequest, RouteOptions } from 'fastify'

import { errorPage } from '#pages/error-page.ts'
import { plainTemplate, templateFor, writeDocument } from '#pages/page.ts'
import type { ErrorReason } from '#pages/phrases.ts'
import type { AppParts } from '../app-parts.ts'
import type { Problem } from './errors.ts'
import { localeFor, publicHeaders } from './public-page.ts'

/*
 * Errors of the pages for visitors. A browser gets a page in the language of its reader, whatever
 * part of the service refused the request; programs get the problem.
 */

declare module 'fastify' {
  interface FastifyInstance {
    /** Writes a problem as a page, for a browser at the address of one; undefined for others. */
    errorPage?: (problem: Problem, request: FastifyRequest) => ErrorPage | undefined
  }
}

interface ErrorPage {
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export function createErrorPages(
  { publicUrl, page, site, indexing }: Pick<AppParts, 'publicUrl' | 'page' | 'site' | 'indexing'>,
  routes: readonly RouteOptions[]
) {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  const given = page?.publicTemplate
  const ofInterface = interfaceParts(routes)
  return (problem: Problem, request: FastifyRequest): ErrorPage | undefined => {
    const { headers, routeOptions, url, id } = request
    if (!/\btext\/html\b/i.test(headers.accept ?? '')) return undefined
    const doc = routeOptions?.config?.doc
    if (doc === undefined ? ofInterface.has(firstPart(url)) : !doc.isPage) return undefined
    const current = site.current()
    const template = given && templateFor(given, current)
    const publisher = { publicUrl, site: current }
    const locale = localeFor(request, current)
    const about = { path: ownPath(url), base, requestId: problem.status >= 500 ? id : undefined }
    const made = errorPage(reasonOf(problem, indexing() !== undefined), about, locale)
    // Without a script nothing else reloads the page.
    const isRefreshed = template === undefined && made.reloadAfter !== undefined
    return {
      headers: {
        ...publicHeaders(template ?? plainTemplate, publisher),
        ...(isRefreshed && { refresh: String(made.reloadAfter) }),
        vary: 'Accept, Accept-Language, Accept-Encoding'
      },
      text: writeDocument(template ?? plainTemplate, made, locale, publisher)
    }
  }
}

function reasonOf({ status, code }: Problem, isIndexing: boolean): ErrorReason {
  if (status === 503 && isIndexing) return 'indexing'
  if (status === 503) return code === 'query_timeout' ? 'slow' : 'unavailable'
  if (status >= 500) return 'fault'
  if (status === 429) return 'tooMany'
  if (status === 401 || status === 403) return 'notAllowed'
  return status === 404 || status === 405 || status === 410 ? 'noPage' : 'badAddress'
}

/** The first parts of all paths that are no pages. */
export const interfaceParts = (routes: readonly RouteOptions[]): ReadonlySet<string> =>
  new Set(routes.filter(each => !each.config?.doc?.isPage).map(({ url }) => firstPart(url)))

export const firstPart = (url: string) => url.split(/[/?#]/, 2)[1] ?? ''

/** The path and query of an address of this service, without a language. */
function ownPath(url: string): string {
  const parsed = URL.parse(url, 'http://service')
  if (parsed === null) return '/'
  parsed.searchParams.delete('lang')
  // Two slashes at the beginning would lead to another host.
  return parsed.pathname.replace(/^\/+/, '/') + parsed.search
}
