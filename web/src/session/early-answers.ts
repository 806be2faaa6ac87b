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

/** The productions that need attention, of which some are named. */
export const contradictory = {
  filters: [{ type: 'readiness', value: 'contradictory' }],
  options: { limit: 3, orderBy: 'title' }
}

/** Imports that need attention. */
export const questioned = { query: { limit: 1000, questions: 1 } } as const

/** Sends the first requests, with the token of this tab or device. */
export function askEarly(basePath: string) {
  const token = sessionStorage.getItem(tokenName) ?? localStorage.getItem(tokenName)
  if (token === null) return
  const asked = new Map<string, Early>()
  globalThis.earlyAnswers = asked
  const ask = (path: string, body?: string) => {
    const headers = new Headers({ accept: 'application/json', authorization: `Bearer ${token}` })
    if (body !== undefined) headers.set('content-type', 'application/json')
    const method = body === undefined ? 'GET' : 'POST'
    const answer = fetch(basePath + path, { method, headers, body: body ?? null, cache: 'no-store' })
    answer.catch(() => {})
    asked.set(keyOf(basePath + path, body), { token, answer, since: performance.now() })
    return answer
  }
  const me = ask('/me')
  ask('/record-types')
  const address = location.pathname.slice(basePath.length)
  const [, id] = /^\/record\/([^/]+)\/?$/.exec(address) ?? []
  if (id !== undefined) {
    ask(`/entities/${id}?resolve=1`)
    ask(`/entities/${id}/references?limit=0`)
  } else if (address === '/') {
    ask('/recent')
    const { limit, orderBy } = contradictory.options
    ask(`/entities/filter?limit=${limit}&order_by=${orderBy}`, JSON.stringify(contradictory.filters))
    me.then(answer => answer.clone().json())
      .then(({ is_admin: isAdmin }) => {
        if (isAdmin !== true) return
        ask(`/imports?limit=${questioned.query.limit}&questions=${questioned.query.questions}`)
        ask('/webhooks')
      })
      .catch(() => {})
  }
}

const keyOf = (address: string, body: unknown) => (body === undefined ? address : `${address}\n${body}`)

/** Fetches, or takes the early answer to the same request with the same token, once. */
export const fetchOrTake: typeof fetch = async (input, init) => {
  const key = typeof input === 'string' ? keyOf(input, init?.body ?? undefined) : ''
  const known = globalThis.earlyAnswers?.get(key)
  globalThis.earlyAnswers?.delete(key)
  const isUsable =
    known !== undefined &&
    performance.now() - known.since < maxAge &&
    new Headers(init?.headers).get('authorization') === `Bearer ${known.token}`
  const taken = isUsable ? await known.answer.catch(() => undefined) : undefined
  init?.signal?.throwIfAborted()
  return taken?.ok === true ? taken : fetch(input, init)
}
