import type { FastifyRequest } from 'fastify'

import { chooseLanguage, localeOf } from '#pages/locale.ts'

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

/** The headers of the web page, but with a form that searches here. */
export const publicHeaders = {
  ...documentHeaders,
  'content-security-policy': documentHeaders['content-security-policy'].replace(
    "form-action 'none'",
    "form-action 'self'"
  )
}

/** The locale of a request: the language of its address, or of `Accept-Language`. */
export function localeFor({ query, headers }: FastifyRequest) {
  const { lang } = (query ?? {}) as { lang?: unknown }
  return localeOf(chooseLanguage(typeof lang === 'string' ? lang : undefined, headers['accept-language']))
}
