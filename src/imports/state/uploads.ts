import type { Store } from '#store/store.ts'
import { commitUnit, findState, keys, readState, stateWrite } from './import-state.ts'

/*
 * Uploaded files are stored in the database until they are imported: every process that resumes an
 * import finds its file there, and no file is left on a disk.
 */

const pieceSize = 768 * 1024

export class TooLarge extends Error {
  constructor(limit: number) {
    super(`A file may have at most ${limit} bytes`)
  }
}

/** Stores a file as it arrives. Returns its size. */
export async function storeUpload(
  store: Store,
  job: string,
  bytes: AsyncIterable<Uint8Array>,
  limit: number
): Promise<number> {
  let size = 0
  let number = 0
  let gathered: Uint8Array[] = []
  let gatheredSize = 0
  const flush = async () => {
    if (gatheredSize === 0) return
    const value = Buffer.concat(gathered).toString('base64')
    gathered = []
    gatheredSize = 0
    await commitUnit({ store }, { id: job }, [], [stateWrite('upload', keys.upload(job, number++), value)])
  }
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > limit) throw new TooLarge(limit)
    gathered.push(chunk)
    gatheredSize += chunk.length
    if (gatheredSize >= pieceSize) await flush()
  }
  await flush()
  return size
}

export async function* readUpload(store: Store, job: string): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number++) {
    const key = keys.upload(job, number)
    const piece = (await findState(store, 'upload', [key])).get(key)
    if (piece === undefined) return
    yield Buffer.from(piece, 'base64')
  }
}

export async function deleteUpload(store: Store, job: string): Promise<void> {
  for (;;) {
    const page = await readState(store, 'upload', job, { limit: 8 })
    if (page.length === 0) return
    const writes = page.map(({ key }) => stateWrite('upload', key, null))
    await commitUnit({ store }, { id: job }, [], writes)
  }
}
