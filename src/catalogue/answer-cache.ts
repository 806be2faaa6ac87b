import type { Store } from '#store/store.ts'

/** An answer ready to send, with what it was made from. */
export interface CachedAnswer {
  /** As text, not bytes: Node sends the head and a text in one piece, which took 2 µs less for each answer of 1 kB (bench/get.ts). */
  readonly body: string
  readonly etag: string
  /** Ids of every entity shown in it. */
  readonly madeFrom: readonly string[]
  /** True when it shows that something is missing: that may come to exist under any name, so the answer is not kept. */
  readonly hasGaps?: boolean
}

/**
 * Keeps answers ready to send, and never gives a stale one: before it looks, it asks the store what has changed and drops every answer made from
 * that, whichever process wrote it.
 *
 * Requests that have come in together share one such question. It is asked after all of them were read, so whatever was written before any of
 * them was sent is seen. Asking takes two system calls; shared, it is the difference between 60 and 75 % of a bare server (bench/get.ts).
 */
export interface AnswerCache {
  /** The answer for a key, made and kept when it is not there. `make` gives undefined for what should not be kept. */
  answer<T extends CachedAnswer | undefined>(key: string, make: () => Promise<T>): Promise<CachedAnswer | T>
}

/** What keeping one answer costs, roughly: a text takes one byte a letter or, when any letter is far from Latin, two. */
const sizeOf = ({ body }: CachedAnswer) => 2 * body.length + 500

interface Kept {
  readonly answer: CachedAnswer
  /** Whether it was asked for since its turn to go last came: then it is passed over once. */
  isUsed: boolean
}

export function createAnswerCache(store: Store, mostBytes: number): AnswerCache {
  const answers = new Map<string, Kept>()
  const keysByEntity = new Map<string, Set<string>>()
  let bytes = 0
  /** Counts the times that something was dropped, so that an answer made before such a moment is not kept after it. */
  let generation = 0

  const drop = (key: string) => {
    const answer = answers.get(key)?.answer
    if (!answer) return
    answers.delete(key)
    bytes -= sizeOf(answer)
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
    const size = sizeOf(answer)
    if (size > mostBytes / 8) return
    drop(key)
    answers.set(key, { answer, isUsed: false })
    bytes += size
    for (const id of answer.madeFrom) {
      const keys = keysByEntity.get(id)
      if (keys) keys.add(key)
      else keysByEntity.set(id, new Set([key]))
    }
    makeRoom()
  }

  /**
   * Drops the oldest answers, but gives those that were asked for another round. Only marking what is asked for, instead of moving it to the end,
   * makes room nearly as well and saves a microsecond for each answer (bench/get.ts).
   */
  const makeRoom = () => {
    for (const [key, kept] of answers) {
      if (bytes <= mostBytes) break
      if (kept.isUsed) {
        answers.delete(key)
        answers.set(key, { ...kept, isUsed: false })
      } else drop(key)
    }
  }

  let catchingUp: Promise<void> | undefined
  /** Drops what has changed. `setImmediate` comes when everything that has arrived was read: whoever asks until then shares the answer. */
  const catchUp = (): Promise<void> => {
    catchingUp ??= new Promise<void>(resolve => setImmediate(resolve)).then(async () => {
      catchingUp = undefined
      const changed = store.changedSinceLastAsked()
      dropChanged(changed instanceof Promise ? await changed : changed)
    })
    return catchingUp
  }

  return {
    async answer(key, make) {
      await catchUp()
      const known = answers.get(key)
      if (known) {
        known.isUsed = true
        return known.answer
      }
      const before = generation
      const made = await make()
      if (made && !made.hasGaps && before === generation) keep(key, made)
      return made
    }
  }
}
