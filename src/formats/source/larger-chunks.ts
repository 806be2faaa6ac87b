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
