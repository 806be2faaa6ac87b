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
import { scopeOf, showAllTo, visibleTargets } from '../guarded/visibility.ts'

export interface ChangesRequest {
  /**
   * Read changes after this cursor; from the oldest stored change when it is undefined, and only
   * later ones when it is `now`.
   */
  readonly since: string | undefined
  readonly limit: number
  readonly kinds?: readonly ChangeKind[]
  readonly types?: readonly string[]
  readonly ids?: readonly string[]
}

export interface ChangesPage {
  readonly changes: readonly ChangeEvent[]
  /** The cursor to continue with; also when there was nothing. */
  readonly cursor: string
  /** Whether there is more to read now. */
  readonly more: boolean
}

/**
 * Reads the changes after a cursor, in the order of their commits. Throws `cursor_expired` when
 * they are no longer stored.
 */
export async function readChanges(parts: Parts, principal: Principal, request: ChangesRequest): Promise<ChangesPage> {
  refuseBlind(principal)
  const feed = await parts.store.feedState()
  const after = request.since === undefined ? feed.oldest - 1 : readSince(request.since, feed)
  const { since, ...wanted } = request
  const answer = await parts.store.readChanges({ ...wanted, after, ...scopeOf(principal) })
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
  if (text === 'now') return feed.newest
  const cursor = readFeedCursor(text)
  if (!cursor) {
    throw invalidWith([{ pointer: 'since', message: `Not a cursor of this feed: "${text}"` }])
  }
  // A cursor ahead of the feed belongs to changes that this database has lost, for instance by
  // restoring a backup.
  const isStored = cursor.epoch === feed.epoch && cursor.sequence + 1 >= feed.oldest && cursor.sequence <= feed.newest
  if (isStored) return cursor.sequence
  throw new CatalogueError(
    'cursor_expired',
    'The changes after this cursor are no longer stored; read everything again',
    {
      about: ['since', text],
      extra: { restart_cursor: writeFeedCursor({ epoch: feed.epoch, sequence: feed.newest }) }
    }
  )
}
