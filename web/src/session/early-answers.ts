import type { Entity, RecordTypeRow } from '../../../client/index.ts'
import { wordsIn } from '../../../src/domain/find/find-filters.ts'
import { findStageTypes } from '../data/stage-types.ts'
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

/** The posters of productions, the oldest first. */
export const postersOf = (productions: readonly string[]) =>
  ({
    filters: [
      { type: 'selection', key: 'relations.refProductions.key', value: productions, match_exact: true },
      { type: 'selection', key: 'properties.mediafile_type.value', value: ['posters'], match_exact: true }
    ],
    options: { limit: 200, orderBy: 'date_created' }
  }) as const

/**
 * Maximum number of editions in the tree of a work. The editions of larger works are fetched by
 * expression.
 */
export const maxTreeEditions = 200

/** Results that are read at once. */
export const resultsAtOnce = 30

/**
 * The words of a search that has nothing else; undefined for any other. Further parameters depend
 * on the tables, which the first script does not read.
 */
export function wordsAlone(search: string): string | undefined {
  const [[name, text] = [], ...others] = new URLSearchParams(search)
  return name === 'q' && others.length === 0 ? wordsIn(text ?? '').join(' ') || undefined : undefined
}

/** Media files of a record that are read at once. */
export const filesAtOnce = 60

/** The width of the picture of a record on its page. */
export const coverWidth = 320

/** Imports that need attention. */
export const questioned = { query: { limit: 1000, questions: 1 } } as const

/**
 * Sends the first requests, with the token of this tab or device. Gives whether the address is that
 * of a form with a text with markup, whose editor is a script of its own.
 */
export async function askEarly(basePath: string): Promise<boolean> {
  const token = sessionStorage.getItem(tokenName) ?? localStorage.getItem(tokenName)
  if (token === null) return false
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
  const types = ask('/record-types')
  const address = location.pathname.slice(basePath.length)
  const [, id] = /^\/record\/([^/]+)\/?$/.exec(address) ?? []
  const [, edited] = /^\/record\/([^/]+)\/edit\/?$/.exec(address) ?? []
  if (edited !== undefined) return hasMarkup(ask(`/entities/${edited}`), types).catch(() => false)
  if (id !== undefined) {
    const record = ask(`/entities/${id}?resolve=1`)
    ask(`/entities/${id}/references?limit=0`)
    askForLargest(record, types, ask).catch(() => {})
  } else if (address === '/find') {
    const words = wordsAlone(location.search)
    if (words !== undefined)
      ask(
        `/entities/filter?limit=${resultsAtOnce}&order_by=&asc=1&group_by=work`,
        JSON.stringify([{ type: 'search', value: words }])
      )
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
  return false
}

interface Tables {
  readonly record_types: readonly RecordTypeRow[]
}

async function hasMarkup(record: Promise<Response>, types: Promise<Response>): Promise<boolean> {
  const { type } = (await (await record).clone().json()) as Entity
  const { record_types: rows } = (await (await types).clone().json()) as Tables
  return rows.find(row => row.type === type)?.fields.some(({ kind }) => kind === 'html') === true
}

type Ask = (path: string, body?: string) => Promise<Response>

/** Whether the page of a record begins with the tree of a work: expressions refer to it. */
export const isWork = ({ type }: Pick<Entity, 'type'>, rows: readonly RecordTypeRow[]) =>
  rows.some(({ relations }) => relations.some(each => each.type === 'refWork' && each.to.includes(type)))

/** Requests the largest part of a page: the tree of a work, the pictures of a production. */
async function askForLargest(record: Promise<Response>, types: Promise<Response>, ask: Ask) {
  const entity = (await (await record).clone().json()) as Entity
  const { id, type, relations } = entity
  const { record_types: rows } = (await (await types).clone().json()) as Tables
  if (isWork(entity, rows)) ask(`/entities/${id}/tree?limit=${maxTreeEditions}`)
  if (type !== findStageTypes(rows).production?.type) return
  ask(`/entities/${id}/mediafiles?limit=${filesAtOnce}`)
  // Other pictures come before a poster.
  if (relations.some(each => /^ref(?:Primary|Mediafiles)/.test(each.type))) return
  const { filters, options } = postersOf([id])
  const answer = await ask(
    `/entities/filter?limit=${options.limit}&order_by=${options.orderBy}`,
    JSON.stringify(filters)
  )
  const { results } = (await answer.clone().json()) as { readonly results: readonly Entity[] }
  const poster = results.find(({ metadata }) => metadata.some(({ key }) => key === 'sha256'))
  if (poster) await ask(`/mediafiles/${encodeURIComponent(poster.id)}/thumbnail?width=${coverWidth}`)
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
