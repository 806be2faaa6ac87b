/**
 * On every answer. A client may keep an answer but must ask whether it still holds; nothing here
 * may be run or framed.
 */
export const commonHeaders = {
  'api-version': '1',
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer'
}
