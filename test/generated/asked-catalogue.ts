import assert from 'node:assert/strict'

import { hangLimit } from '../support/machines/hang-limit.ts'
import { pause } from '../support/services/server-process.ts'
import { adminToken } from '../support/services/start.ts'
import type { GeneratedRequest, Surroundings } from './request-generator.ts'

/*
 * A small catalogue for generated requests. It is restored when the requests have worn it down, and
 * what they leave behind is deleted.
 */

/** Maximum number of records that the requests leave behind; the oldest are deleted. */
const maxLeftBehind = 60
/** Maximum number of media files, uploads, imports, webhooks and tokens that are remembered. */
const maxMade = 20
/** Maximum number of answers that may be requested again. */
const maxSeen = 20

export interface Sent {
  readonly status: number
  readonly text: string
}

/** Sends a request as admin. */
export type Send = (method: string, url: string, body?: unknown) => Promise<Sent>

export interface AskedCatalogue extends Surroundings {
  /** Creates or replaces every record of the catalogue. */
  restore(): Promise<void>
  /** Forgets what was made of some kinds. */
  forget(...kinds: readonly string[]): void
  /** Remembers what a request made or read. */
  note(request: GeneratedRequest, answer: Sent, headers: Readonly<Record<string, unknown>>): Promise<void>
}

/** The records of the catalogue. */
const bodies: readonly { readonly id: string; readonly type: string; readonly [member: string]: unknown }[] = [
  ...Array.from({ length: 4 }, (_, n) => ({
    id: `PERS-${n}`,
    type: 'person',
    metadata: [{ key: 'name', value: `Person ${n}` }]
  })),
  ...Array.from({ length: 3 }, (_, n) => ({
    id: `LANG-${n}`,
    type: 'language',
    metadata: [
      { key: 'name', value: `L ${n}` },
      { key: 'code', value: `l${n}` }
    ]
  })),
  ...Array.from({ length: 3 }, (_, n) => ({
    id: `ZIZO-${n}`,
    type: 'zizo',
    metadata: [
      { key: 'title', value: `Z ${n}` },
      { key: 'code', value: [`z${n}`] }
    ],
    relations: n > 0 ? [{ type: 'refParentZizo', key: `ZIZO-${n - 1}` }] : []
  })),
  ...Array.from({ length: 4 }, (_, n) => ({
    id: `W-${n}`,
    type: 'work_word',
    metadata: [{ key: 'title', value: `Work ${n}` }],
    relations: [
      { type: 'refAuthors', key: `PERS-${n}` },
      { type: 'refZizos', key: `ZIZO-${n % 3}` }
    ]
  })),
  ...Array.from({ length: 6 }, (_, n) => ({
    id: `E-${n}`,
    type: 'expression_word',
    metadata: [{ key: 'title', value: `Expression ${n}` }],
    relations: [
      { type: 'refWork', key: `W-${n % 4}` },
      { type: 'refLanguages', key: `LANG-${n % 3}` }
    ]
  })),
  ...Array.from({ length: 8 }, (_, n) => ({
    id: `M-${n}`,
    type: n % 2 ? 'manifestation_word' : 'manifestation_map',
    metadata: [
      { key: 'title', value: `Book ${n}` },
      { key: 'isbn', value: '9780306406157' }
    ],
    relations: [{ type: 'refExpressions', key: `E-${n % 6}` }]
  })),
  ...Array.from({ length: 4 }, (_, n) => ({
    id: `VE-${n}`,
    type: 'venue',
    metadata: [{ key: 'name', value: `Venue ${n}` }],
    identifiers: [`urn:venue ${n}`]
  })),
  ...Array.from({ length: 6 }, (_, n) => ({
    id: `PR-${n}`,
    type: 'production',
    metadata: [
      { key: 'title', value: `Show ${n}` },
      { key: 'duration', value: n * 10 }
    ],
    relations: [{ type: 'refVenues', key: `VE-${n % 4}` }]
  }))
]

export async function createAskedCatalogue(send: Send): Promise<AskedCatalogue> {
  const ids = new Map<string, string[]>()
  for (const { id, type } of bodies) ids.set(type, [...(ids.get(type) ?? []), id])
  const leftBehind: string[] = []
  const seen: { url: string; etag: string }[] = []
  const made = new Map<string, string[]>(kinds.map(kind => [kind, []]))

  let isBegun = false
  const restore = async () => {
    for (const body of bodies) {
      const create = async () => {
        // A busy service asks for patience.
        for (const last = performance.now() + hangLimit; ; ) {
          const answer = await send('POST', '/entities?allow_dangling=1', body)
          if (answer.status !== 503 || performance.now() > last) return answer
          await pause(500)
        }
      }
      const created = await create()
      // Requests go on meanwhile: the id of a record that it refers to may have been taken again.
      const isTaken = created.status === 400 && isBegun
      assert.ok(created.status === 201 || created.status === 409 || isTaken, created.text)
      if (created.status === 409) {
        const { type, ...content } = body
        const replaced = await send('PUT', `/entities/${body.id}`, { relations: [], identifiers: [], ...content })
        // A request may have given the id of a deleted record to one of another type.
        if (replaced.status !== 200 || (JSON.parse(replaced.text) as { type: string }).type !== type) {
          await send('DELETE', `/entities/${body.id}?references=detach`)
          await create()
        }
      }
    }
  }
  const create = async (url: string, body: unknown) => {
    const { status, text } = await send('POST', url, body)
    assert.ok(status === 201 || status === 202, `${url}: ${status} ${text}`)
    return parse(text) as { id: string; token: string }
  }
  const remember = async (kind: string, id: string) => {
    const list = made.get(kind) ?? []
    list.push(id)
    // The first ones stay: they were made with care, before the requests began.
    const [oldest] = list.length > maxMade ? list.splice(2, 1) : []
    const isDeletable = ['tokens', 'webhooks', 'uploads', 'mediafiles', 'saved_searches'].includes(kind)
    if (oldest !== undefined && isDeletable) await send('DELETE', `/${kind}/${oldest}`)
  }

  await restore()
  isBegun = true
  const tokens = [adminToken]
  for (const scopes of [['read'], ['read:manifestation', 'write:venue'], ['write'], ['delete', 'read']])
    tokens.push((await create('/tokens', { name: 'asker', scopes })).token)
  for (const name of ['spare 1', 'spare 2'])
    await remember('tokens', (await create('/tokens', { name, scopes: ['read'] })).id)
  for (const title of ['Poster', 'Photo'])
    await remember(
      'mediafiles',
      (
        await create('/mediafiles', {
          metadata: [
            { key: 'mediafile_type', value: 'posters' },
            { key: 'title', value: title }
          ]
        })
      ).id
    )

  return {
    tokens,
    ids,
    leftBehind,
    seen,
    made,
    restore,
    forget(...forgotten) {
      for (const kind of forgotten) made.set(kind, [])
    },
    async note({ method, url }, { status, text }, headers) {
      const path = (url.split('?')[0] ?? '').replace(/^\/elody\/v1(?=\/)/, '')
      if (method === 'GET' && status === 200 && typeof headers.etag === 'string') {
        seen.push({ url, etag: headers.etag })
        if (seen.length > maxSeen) seen.shift()
      }
      if (method === 'GET' && status === 200) for (const [kind, id] of listed(path, text)) await remember(kind, id)
      if (method !== 'POST' || (status !== 201 && status !== 202)) return
      const upload = /\/uploads\/([^/?]+)$/.exec(String(headers.location ?? ''))?.[1]
      if (upload !== undefined) return await remember('uploads', upload)
      const answer = parse(text) as { id?: string } | string | undefined
      if (path === '/tickets' && typeof answer === 'string') return await remember('tickets', answer)
      const id = typeof answer === 'object' ? answer?.id : undefined
      if (typeof id !== 'string') return
      const kind = /^\/(\w+)\/?$/.exec(path)?.[1] ?? ''
      if (made.has(kind)) return await remember(kind, id)
      if (!/^\/+entities\/?$/.test(path)) return
      leftBehind.push(id)
      const oldest = leftBehind.length > maxLeftBehind ? leftBehind.shift() : undefined
      if (oldest !== undefined) await send('DELETE', `/entities/${encodeURIComponent(oldest)}?references=detach`)
    }
  }
}

/** The first segments of paths whose ids are remembered, and other kinds of things with ids. */
const kinds = [
  ...['tokens', 'mediafiles', 'uploads', 'imports', 'webhooks', 'saved_searches'],
  ...['deliveries', 'tickets', 'questions', 'imported']
]

/** Things in lists that only the service names: deliveries, review questions, imported records. */
function listed(path: string, text: string): [kind: string, id: string][] {
  const kind = /\/deliveries$/.test(path) ? 'deliveries' : /\/review$/.test(path) ? 'questions' : 'imported'
  if (kind === 'imported' && path !== '/entities') return []
  const found = (parse(text) ?? {}) as Record<string, { id: string; type?: string }[]>
  const list = [found, found.deliveries, found.questions, found.results].find(each => Array.isArray(each)) ?? []
  const wanted = (list as { id: string; type?: string }[]).filter(
    ({ id, type = '' }) =>
      kind !== 'imported' || (type.startsWith('manifestation') && !/^(?:[MF]-\d+$|GROWN-)/.test(id))
  )
  return wanted.slice(0, 2).map(({ id }) => [kind, id])
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
