import { createHash } from 'node:crypto'

import type { FastifyRequest, preHandlerHookHandler } from 'fastify'

import { memoize } from '#domain/memoize.ts'
import { chooseLanguage, languageOf, type Locale, localeOf } from '#pages/locale.ts'
import { type Publisher, stylesOf, type Template } from '#pages/page.ts'
import type { Language } from '#pages/phrases.ts'
import type { Site } from '#pages/site.ts'
import { withoutPrefix } from '../base-path.ts'

/**
 * Scripts, styles and fonts only from this service; text becomes markup only through the one policy
 * of the page (`web/src/parts/html-text.tsx`), so the content of a record can never run.
 */
const documentHeaders = {
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

/** The headers of a document with a script that stands in it. */
export const headersWithScript = (source: string) => ({
  ...documentHeaders,
  'content-security-policy': documentHeaders['content-security-policy'].replace(
    "script-src 'self'",
    `script-src 'self' ${source}`
  )
})

/** The source in a content security policy that allows a style or script of a document. */
export const sourceOf = memoize(10, (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)

/** The headers of a page for readers, which has styles of its own and a form that searches. */
export const publicHeaders = (template: Template, publisher: Publisher) => ({
  ...documentHeaders,
  'content-security-policy': documentHeaders['content-security-policy']
    .replace("form-action 'none'", "form-action 'self'")
    .replace("style-src 'self'", ["style-src 'self'", ...stylesOf(template, publisher).map(sourceOf)].join(' '))
})

/** Splits the language off the path of a page: `/nl/find?q=x` is the page `/find?q=x` in Dutch. */
export function splitLanguage(
  url: string,
  offered: readonly Language[]
): { readonly language: Language | undefined; readonly path: string } {
  const language = offered.find(each => url.startsWith(`/${each}`) && /^(?:[/?]|$)/.test(url.slice(each.length + 1)))
  return language === undefined ? { language, path: url } : { language, path: withoutPrefix(url, `/${language}`) }
}

/**
 * The locale of a request: the language that its path begins with, that of an older address
 * (`?lang=`), or that of `Accept-Language`.
 */
export function localeFor({ originalUrl, basePath, query, headers }: FastifyRequest, { languages }: Site): Locale {
  const { language } = splitLanguage(withoutPrefix(originalUrl, basePath), languages)
  if (language !== undefined) return { ...localeOf(language), prefix: `/${language}` }
  const { lang } = (query ?? {}) as { lang?: unknown }
  const asked = typeof lang === 'string' ? languageOf(lang, languages) : undefined
  return localeOf(asked ?? chooseLanguage(headers['accept-language'], languages))
}

/** Sends readers of older addresses, with `?lang=nl`, to the same page at `/nl/…`. */
export const redirectOlder =
  (site: () => Site): preHandlerHookHandler =>
  (request, reply, done) => {
    const { lang } = request.query as { lang?: string }
    if (lang === undefined) return done()
    const url = new URL(request.url, 'http://service')
    url.searchParams.delete('lang')
    const language = languageOf(lang, site().languages)
    reply.redirect(`${language === undefined ? '' : `/${language}`}${url.pathname}${url.search}`, 301)
  }
