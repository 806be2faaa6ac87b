/** Bytes as they arrive, from a file or a request. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

const enough = 32_768

/**
 * Joins small chunks, so that an unfinished record is inspected again only now and then, not for
 * each byte of a slow sender.
 */
export async function* largerChunks(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  let waiting: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    if (chunk.length >= enough && size === 0) {
      yield chunk
      continue
    }
    waiting.push(chunk)
    size += chunk.length
    if (size < enough) continue
    yield Buffer.concat(waiting)
    waiting = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(waiting)
}

export interface Peeked {
  /** At least as many bytes as requested, unless there are no more. */
  readonly head: Buffer
  /** The whole source, from the beginning. A caller that does not read it must close it. */
  readonly all: AsyncGenerator<Uint8Array, void, undefined>
}

/** Reads the beginning of a source without consuming it. */
export async function peek(source: ByteSource, count: number): Promise<Peeked> {
  const chunks = toIterator(source)
  const first: Uint8Array[] = []
  let size = 0
  while (size < count) {
    const { done, value } = await chunks.next()
    if (done) break
    first.push(value)
    size += value.length
  }
  const head = Buffer.concat(first)
  return { head, all: rejoin(head, chunks) }
}

/** Closes a source that is not read any further, or not at all. */
export async function close(source: AsyncGenerator<Uint8Array, void, undefined>): Promise<void> {
  // A generator that has not begun would not run its `finally`.
  await source.next()
  await source.return()
}

async function* rejoin(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield head
    while (true) {
      const { done, value } = await rest.next()
      if (done) return
      yield value
    }
  } finally {
    // A reader that stops early closes the file too.
    await rest.return?.()
  }
}

async function* toIterator(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  yield* source
}

/**
 * The current part of a stream: it grows at its end as chunks arrive and is consumed at its front.
 *
 * Capacity is doubled when needed, so that a long record in small chunks is not copied again for
 * each of them.
 */
export class ByteWindow {
  #room = Buffer.allocUnsafe(1 << 18)
  #from = 0
  #to = 0
  /** The number of bytes consumed so far. */
  offset = 0

  get length(): number {
    return this.#to - this.#from
  }

  /** The bytes in the window. Valid until the next change. */
  get bytes(): Buffer {
    return this.#room.subarray(this.#from, this.#to)
  }

  append(chunk: Uint8Array) {
    if (this.#to + chunk.length > this.#room.length) {
      const length = this.length
      const needed = length + chunk.length
      const room =
        needed * 2 > this.#room.length ? Buffer.allocUnsafe(Math.max(this.#room.length * 2, needed * 2)) : this.#room
      this.#room.copy(room, 0, this.#from, this.#to)
      this.#room = room
      this.#from = 0
      this.#to = length
    }
    this.#room.set(chunk, this.#to)
    this.#to += chunk.length
  }

  /** Removes bytes from the front. */
  drop(count: number) {
    this.#from += count
    this.offset += count
  }
}
