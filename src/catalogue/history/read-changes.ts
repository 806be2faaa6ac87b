import {
  type ChangeEvent,
  type ChangeKind,
  readFeedCursor,
  toChangeEvent,
  writeFeedCursor
} from '#domain/events/change-event.ts'
import { CatalogueError, invalidWith } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import type { FeedState } from '#store/ports/feed.ts'
import type { Parts } from '../parts.ts'
import { refuseBlind } from '../entities/read-entity.ts'
import { readableTypes, showAllTo, visibleTargets } from '../guarded/visibility.ts'

export interface ChangesRequest {
  /** Changes after this cursor; from the oldest that is kept where there is none. */
  readonly since: string | undefined
  readonly limit: number
  readonly kinds?: readonly ChangeKind[]
  readonly types?: readonly string[]
  readonly ids?: readonly string[]
}

export interface ChangesPage {
  readonly changes: readonly ChangeEvent[]
  /** Where to go on; also when there was nothing. */
  readonly cursor: string
  /** Whether there is more to read at once. */
  readonly more: boolean
}

/**
 * What happened after a cursor, in the order in which it was committed. Throws `cursor_expired`
 * when that cannot be told any more.
 */
export async function readChanges(parts: Parts, principal: Principal, request: ChangesRequest): Promise<ChangesPage> {
  refuseBlind(principal)
  const feed = await parts.store.feedState()
  const after = request.since === undefined ? feed.oldest - 1 : readSince(request.since, feed)
  const { since, ...wanted } = request
  const answer = await parts.store.readChanges({ ...wanted, after, readableTypes: readableTypes(principal) })
  const { changes, upTo } = answer
  const withDocument = changes.filter(change => change.json !== null) as unknown as StoredEntity[]
  const shown = new Map(
    (await showAllTo(parts.store, principal, withDocument)).map((each, index) => [withDocument[index], each.json])
  )
  const merged = changes.flatMap(({ mergedInto }) => (mergedInto === null ? [] : [{ key: mergedInto }]))
  const isVisible = await visibleTargets(parts.store, principal, merged)
  const events = changes.map(change => {
    const json = shown.get(change as unknown as StoredEntity) ?? null
    const mergedInto = change.mergedInto !== null && isVisible({ key: change.mergedInto }) ? change.mergedInto : null
    return toChangeEvent({ ...change, json, mergedInto }, feed.epoch, parts.eventSource)
  })
  return {
    changes: events,
    cursor: writeFeedCursor({ epoch: feed.epoch, sequence: upTo }),
    more: answer.more ?? upTo < feed.newest
  }
}

function readSince(text: string, feed: FeedState): number {
  const cursor = readFeedCursor(text)
  if (!cursor) {
    throw invalidWith([{ pointer: 'since', message: `Not a cursor of this feed: "${text}"` }])
  }
  // One that lies ahead belongs to changes that this database has lost, by a restored backup for
  // instance.
  const isKept = cursor.epoch === feed.epoch && cursor.sequence + 1 >= feed.oldest && cursor.sequence <= feed.newest
  if (isKept) return cursor.sequence
  throw new CatalogueError('cursor_expired', 'The changes after this cursor are not kept; read everything again', {
    about: ['since', text],
    extra: { restart_cursor: writeFeedCursor({ epoch: feed.epoch, sequence: feed.newest }) }
  })
}
