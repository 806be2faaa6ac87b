import { tokenName } from './has-credentials.ts'

/*
 * Answers that every page needs, and the record that the address names: requested by the first
 * script, before the program that shows them is there. On a slow line that saves a second.
 */

interface Early {
  readonly token: string
  readonly answer: Promise<Response>
  readonly since: number
}

declare global {
  /** The early answers by address. The first script is not a module, so they are passed on here. */
  var earlyAnswers: Map<string, Early> | undefined
}

/** Milliseconds after which an answer is too old to be used. */
const maxAge = 10_000

/** Sends the first requests, with the token of this tab or device. */
export function askEarly(basePath: string) {
  const token = sessionStorage.getItem(tokenName) ?? localStorage.getItem(tokenName)
  if (token === null) return
  globalThis.earlyAnswers = new Map()
  const address = location.pathname.slice(basePath.length)
  const [, id] = /^\/record\/([^/]+)\/?$/.exec(address) ?? []
  const ofRecord = [`/entities/${id}?resolve=1`, `/entities/${id}/references?limit=0`]
  const own = id !== undefined ? ofRecord : address === '/' ? ['/recent'] : []
  for (const path of ['/me', '/record-types', ...own]) {
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
    const answer = fetch(basePath + path, { headers, cache: 'no-store' })
    answer.catch(() => {})
    globalThis.earlyAnswers.set(basePath + path, { token, answer, since: performance.now() })
  }
}

/** Fetches, or takes the early answer to the same request with the same token, once. */
export const fetchOrTake: typeof fetch = async (input, init) => {
  const isPlain = typeof input === 'string' && (init?.method ?? 'GET') === 'GET'
  const known = isPlain ? globalThis.earlyAnswers?.get(input) : undefined
  if (typeof input === 'string') globalThis.earlyAnswers?.delete(input)
  const isUsable =
    known !== undefined &&
    performance.now() - known.since < maxAge &&
    new Headers(init?.headers).get('authorization') === `Bearer ${known.token}`
  const taken = isUsable ? await known.answer.catch(() => undefined) : undefined
  init?.signal?.throwIfAborted()
  return taken?.ok === true ? taken : fetch(input, init)
}
