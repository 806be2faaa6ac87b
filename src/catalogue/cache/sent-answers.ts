import type { AnswerRing } from './answer-ring.ts'

/** The head of an answer, shared by all that have the same but for their ETag. */
export interface SentHead {
  readonly status: number
  /** The pattern of the path, for logs. */
  readonly route: string
  /** Names and values in turn, without `ETag` and `Content-Length`. */
  readonly headers: readonly string[]
}

export interface SentAnswer {
  readonly head: SentHead
  readonly etag: string
  /** Each character is a byte of the body. */
  readonly body: string
}

export interface SentWith extends Omit<SentAnswer, 'body'> {
  /** A text is sent as UTF-8. */
  readonly body: string | Buffer
}

/** Answers as they were sent, by a text that holds all of a request that they depend on. */
export interface SentAnswers {
  has(key: string): boolean
  /** Returns an answer unless an entity that it shows has changed. */
  find(key: string): SentAnswer | undefined
  /** Stores an answer that was made from entities as they were at a generation of the changes. */
  put(key: string, answer: SentWith, from: MadeFrom): void
  /** Bytes in memory, and the number of answers. */
  measure(): { readonly bytes: number; readonly entries: number }
}

/** Entities as they were at a generation of the changes, and further reads. */
export interface MadeFrom {
  readonly ids: Iterable<string>
  /** Reads of state that are compared before each answer (noting-store.ts); each is a line. */
  readonly reads?: Iterable<string>
  readonly generation: number
}

/** Tells whether entities have changed. */
export interface Changes {
  /** Counts the reads that found changes. */
  readonly generation: number
  /** Whether none of these entities has changed after a generation. */
  areCurrent(ids: () => readonly string[], generation: number): boolean
  /** Whether reads of state give what they gave. */
  giveTheSame(reads: readonly string[]): boolean
}

/**
 * Position of an answer in the ring: the ids of its entities, its reads of state, its ETag and its
 * body, in order.
 */
interface Place {
  readonly at: number
  readonly idsLength: number
  readonly readsLength: number
  readonly etagLength: number
  readonly length: number
  readonly head: SentHead
  /** The generation at which no entity of it had changed. */
  freshAt: number
}

/** Bytes in memory for each answer, beside its key: the growth of the heap by 100,000 of them. */
const placeBytes = 150
/** Different heads; there are some for each route and encoding. */
const maxHeads = 1000

export const noSentAnswers: SentAnswers = {
  has: () => false,
  find: () => undefined,
  put() {},
  measure: () => ({ bytes: 0, entries: 0 })
}

/**
 * Stores answers in a ring of bytes, and in memory only where they are. After an error of the file,
 * such as a full disk, nothing is stored any more.
 */
export function createSentAnswers(
  changes: Changes,
  openRing: (overwritten: (from: number, to: number) => void) => AnswerRing,
  maxIndexBytes: number
): SentAnswers {
  const places = new Map<string, Place>()
  const heads = new Map<string, SentHead>()
  let bytes = 0
  const drop = (key: string) => {
    if (places.delete(key)) bytes -= key.length + placeBytes
  }
  /** The first of the map are the oldest, which are overwritten first. */
  const dropWhile = (isDropped: (place: Place) => boolean) => {
    for (const [key, place] of places) {
      if (!isDropped(place)) return
      drop(key)
    }
  }
  const overwritten = (from: number, to: number) => dropWhile(({ at }) => at >= from && at < to)
  let ring: AnswerRing | undefined
  let hasFailed = false
  const attempt = <T>(work: (open: AnswerRing) => T): T | undefined => {
    if (hasFailed) return undefined
    try {
      ring ??= openRing(overwritten)
      return work(ring)
    } catch {
      hasFailed = true
      places.clear()
      bytes = 0
      ring?.[Symbol.dispose]()
      return undefined
    }
  }
  const shared = (head: SentHead): SentHead => {
    const name = `${head.status} ${head.route} ${head.headers.join('\n')}`
    const known = heads.get(name)
    if (known) return known
    if (heads.size >= maxHeads) heads.clear()
    heads.set(name, head)
    return head
  }

  return {
    has: key => places.has(key),
    find(key) {
      const place = places.get(key)
      if (!place) return undefined
      return attempt(open => {
        const { at, length, idsLength, readsLength, etagLength, head } = place
        const stored = open.read(at, length)
        const idsOf = () => stored.toString('utf8', 0, idsLength).split('\n')
        const etagAt = idsLength + readsLength
        const bodyAt = etagAt + etagLength
        const isCurrent =
          changes.areCurrent(idsOf, place.freshAt) &&
          (readsLength === 0 || changes.giveTheSame(stored.toString('utf8', idsLength, etagAt).split('\n')))
        if (!isCurrent) {
          drop(key)
          return undefined
        }
        place.freshAt = changes.generation
        return {
          head,
          etag: stored.toString('latin1', etagAt, bodyAt),
          body: stored.toString('latin1', bodyAt, length)
        }
      })
    },
    put(key, { head, etag, body }, { ids, reads = [], generation }) {
      attempt(open => {
        const [start, read] = [ids, reads].map(lines => Buffer.from([...lines].join('\n'))) as [Buffer, Buffer]
        const stored = Buffer.concat([start, read, Buffer.from(etag, 'latin1'), Buffer.from(body as string)])
        const at = open.append(stored)
        if (at === undefined) return
        drop(key)
        const lengths = {
          idsLength: start.length,
          readsLength: read.length,
          etagLength: etag.length,
          length: stored.length
        }
        places.set(key, { at, ...lengths, head: shared(head), freshAt: generation })
        bytes += key.length + placeBytes
        dropWhile(() => bytes > maxIndexBytes)
      })
    },
    measure: () => ({ bytes, entries: places.size })
  }
}
