import type { Store } from '#store/store.ts'

/** An answer ready to send, with what it was made from. */
export interface CachedAnswer {
  readonly body: Buffer
  readonly etag: string
  /** The type of the entity asked for, to hold against what the asker may read. */
  readonly type: string
  /** Ids of every entity shown in it. */
  readonly madeFrom: readonly string[]
}

/**
 * Keeps answers as bytes, and never gives a stale one: before each look it asks the store what has changed (a microsecond when nothing has)
 * and drops every answer made from that, whichever process wrote it.
 */
export interface AnswerCache {
  /** The answer for a key, made and kept when it is not there. `make` gives undefined for what should not be kept. */
  answer<T extends CachedAnswer | undefined>(key: string, make: () => Promise<T>): Promise<CachedAnswer | T>
}

/** What keeping one answer costs beside its bytes, roughly. */
const overhead = 500

export function createAnswerCache(store: Store, mostBytes: number): AnswerCache {
  const answers = new Map<string, CachedAnswer>()
  const keysByEntity = new Map<string, Set<string>>()
  let bytes = 0
  /** Counts the times that something was dropped, so that an answer made before such a moment is not kept after it. */
  let generation = 0

  const drop = (key: string) => {
    const answer = answers.get(key)
    if (!answer) return
    answers.delete(key)
    bytes -= answer.body.length + overhead
    for (const id of answer.madeFrom) {
      const keys = keysByEntity.get(id)
      keys?.delete(key)
      if (keys?.size === 0) keysByEntity.delete(id)
    }
  }

  const dropChanged = (changed: readonly string[] | 'all') => {
    if (changed === 'all') {
      generation++
      answers.clear()
      keysByEntity.clear()
      bytes = 0
    } else if (changed.length > 0) {
      generation++
      for (const id of changed) for (const key of [...(keysByEntity.get(id) ?? [])]) drop(key)
    }
  }

  const keep = (key: string, answer: CachedAnswer) => {
    const size = answer.body.length + overhead
    if (size > mostBytes / 8) return
    drop(key)
    answers.set(key, answer)
    bytes += size
    for (const id of answer.madeFrom) {
      const keys = keysByEntity.get(id)
      if (keys) keys.add(key)
      else keysByEntity.set(id, new Set([key]))
    }
    for (const oldest of answers.keys()) {
      if (bytes <= mostBytes) break
      drop(oldest)
    }
  }

  return {
    async answer(key, make) {
      const changed = store.changedSinceLastAsked()
      dropChanged(changed instanceof Promise ? await changed : changed)
      const known = answers.get(key)
      if (known) {
        // Moved to the end: the first in the map is the one not asked for longest.
        answers.delete(key)
        answers.set(key, known)
        return known
      }
      const before = generation
      const made = await make()
      if (made && before === generation) keep(key, made)
      return made
    }
  }
}
