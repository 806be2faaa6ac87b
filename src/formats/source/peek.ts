import type { ByteSource } from './larger-chunks.ts'

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
