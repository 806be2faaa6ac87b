import { createReadStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Maximum bytes in memory for a client that does not read yet. */
const maxBytesInMemory = 1_048_576

/**
 * Sends the lines of an answer while the request is still arriving. Most clients send everything
 * before they read anything; for those the lines go to a temporary file, since waiting would block
 * both sides, and memory must not grow.
 */
export interface LineSink extends AsyncDisposable {
  write(line: string): Promise<void>
  /** Sends the lines of the temporary file and ends the answer. */
  end(): Promise<void>
}

export function createLineSink(response: ServerResponse): LineSink {
  let folder: string | undefined
  let file: FileHandle | undefined

  return {
    async write(line) {
      if (response.destroyed) return
      if (!file && response.writableLength < maxBytesInMemory) {
        response.write(line)
        return
      }
      if (!file) {
        folder = await mkdtemp(join(tmpdir(), 'libretto-answer-'))
        file = await open(join(folder, 'lines'), 'wx', 0o600)
      }
      await file.write(line)
    },
    async end() {
      if (file && folder !== undefined && !response.destroyed) {
        await pipeline(createReadStream(join(folder, 'lines')), response)
      } else response.end()
    },
    async [Symbol.asyncDispose]() {
      await file?.close()
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    }
  }
}
