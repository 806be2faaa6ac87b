import assert from 'node:assert/strict'
import { afterEach } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { type ChangeEvent, writeFeedCursor } from '#domain/events/change-event.ts'
import type { TestService } from '../services/start.ts'

/**
 * A change as a test names it: what happened, to which entity, and the version that it has since.
 */
export type NamedChange = readonly [type: ChangeEvent['type'], id: string, version: number]

/**
 * Does something and gives every change that came of it, in the order in which `GET /changes` tells
 * them.
 */
export async function changesOf(service: TestService, act: () => Promise<unknown>): Promise<NamedChange[]> {
  const since = await endOfFeed(service)
  await act()
  return (await changesAfter(service, since)).map(nameOf)
}

export const nameOf = ({ type, data }: ChangeEvent): NamedChange => [type, data.id, data.version]

/** The cursor after everything that has happened. */
export async function endOfFeed({ libretto }: Pick<TestService, 'libretto'>): Promise<string> {
  const { epoch, newest } = await libretto.store.feedState()
  return writeFeedCursor({ epoch, sequence: newest })
}

/** Everything after a cursor, page by page; from the beginning where there is none. */
export async function changesAfter(service: TestService, since?: string, query = ''): Promise<ChangeEvent[]> {
  const changes: ChangeEvent[] = []
  let cursor = since
  for (;;) {
    const from = cursor === undefined ? '' : `&since=${cursor}`
    const { status, body, text } = await service.get(`/changes?limit=1000${from}${query}`)
    if (status !== 200) throw new Error(`GET /changes answered ${status}: ${text}`)
    changes.push(...body.changes)
    cursor = body.cursor
    if (!body.more) return changes
  }
}

/** A moment that lies after everything written so far and before everything written next. */
export async function moment(): Promise<string> {
  await sleep(2)
  const at = new Date().toISOString()
  await sleep(2)
  return at
}

/**
 * Holds every test of a file to the changes that its answers speak of: after each test the feed
 * must hold those, and no others. A creation speaks of the entity and its version, a change of its
 * new ETag, a deletion of the entity and, with `references=detach`, of all that pointed to it. A
 * refusal, a dry run and a change of nothing speak of none.
 */
export function holdToChanges(service: TestService) {
  const inject = service.app.inject.bind(service.app) as unknown as Inject
  let expected: NamedChange[] = []
  let since: string | undefined
  const watching: Inject = async request => {
    since ??= await endOfFeed(service)
    const before = await lookAt(service, request)
    const response = await inject(request)
    expected.push(...changesSpokenOf(before, request, response))
    return response
  }
  service.app.inject = watching as unknown as typeof service.app.inject

  afterEach(async () => {
    if (since === undefined) return
    const told = (await changesAfter(service, since)).map(nameOf)
    const [spokenOf, from] = [expected, since]
    expected = []
    since = undefined
    // Several answers may speak of one update, when many write at once and some of them nothing
    // new.
    const updates = new Set(spokenOf.filter(([type]) => type === 'entity.updated').map(String))
    const others = spokenOf.filter(([type]) => type !== 'entity.updated').map(String)
    assert.deepEqual(told.map(String).sort(), [...others, ...updates].sort(), `changes since ${from}`)
  })
}

interface InjectRequest {
  readonly method: string
  readonly url: string
}
interface InjectResponse {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly body: string
}
type Inject = (request: InjectRequest) => Promise<InjectResponse>

/** An entity as it is before a request, and those that point to it. */
interface Before {
  readonly id: string
  readonly version: number
  readonly referring: readonly { readonly id: string; readonly version: number }[]
}

const entityPath = /^(?:\/elody\/v1)?\/entities\/([^/?]+)(?:\/(?:metadata|relations))?(?:\?|$)/

async function lookAt({ libretto }: TestService, { method, url }: InjectRequest): Promise<Before | undefined> {
  const [, identifier] = method === 'GET' ? [] : (entityPath.exec(url) ?? [])
  const stored = identifier === undefined ? undefined : await libretto.store.findEntity(decodeURIComponent(identifier))
  if (!stored) return undefined
  const { id, version } = stored
  if (!url.includes('references=detach')) return { id, version, referring: [] }
  const { references } = await libretto.store.findReferences({ id, readableTypes: undefined, skip: 0, limit: 10_000 })
  const referring = await libretto.store.findEntities(references.map(each => each.id).filter(each => each !== id))
  return { id, version, referring: [...referring.values()] }
}

function changesSpokenOf(
  before: Before | undefined,
  { method, url }: InjectRequest,
  { statusCode, headers, body }: InjectResponse
): NamedChange[] {
  if (method === 'GET' || statusCode >= 300 || /[?&](?:dry_run|soft)=1/.test(url)) return []
  if (/^(?:\/elody\/v1)?\/entities(?:\?|$)/.test(url)) {
    const { id, version } = JSON.parse(body) as { id: string; version: number }
    return [['entity.created', id, version]]
  }
  if (!before) return []
  if (statusCode === 204) {
    return [
      ...before.referring.map((each): NamedChange => ['entity.updated', each.id, each.version + 1]),
      ['entity.deleted', before.id, before.version + 1]
    ]
  }
  const version = Number(/^"(\d+)"$/.exec(String(headers.etag))?.[1])
  return version > before.version ? [['entity.updated', before.id, version]] : []
}
