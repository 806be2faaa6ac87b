/**
 * Headers of every answer. A client may store an answer but must revalidate it; nothing here may be
 * executed or framed.
 */
export const commonHeaders = {
  'api-version': '1',
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  vary: 'Accept-Encoding'
}
