import type { ByteSource } from './larger-chunks.ts'

export interface Peeked {
  /** At least as many bytes as were asked for, unless there are no more. */
  readonly head: Buffer
  /** The whole source, from the beginning. Who does not read it closes it. */
  readonly all: AsyncGenerator<Uint8Array, void, undefined>
}

/** Looks at the beginning of a source without taking it away. */
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

/** Lets go of a source that is not read any further, or not at all. */
export async function close(source: AsyncGenerator<Uint8Array, void, undefined>): Promise<void> {
  // A generator that has not begun would not come to its end.
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
    // Who stops early lets go of the file too.
    await rest.return?.()
  }
}

async function* toIterator(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  yield* source
}
