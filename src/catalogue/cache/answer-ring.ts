import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'

/** Bytes in a fixed space, of which the oldest are overwritten. */
export interface AnswerRing extends Disposable {
  /**
   * Stores bytes and returns their position; undefined where they are too long. `overwritten` is
   * called with a range of positions before what is there is lost.
   */
  append(bytes: Buffer): number | undefined
  /** Reads what was appended, into a buffer that the next call uses again. */
  read(at: number, length: number): Buffer
}

/** Bytes that are gathered in memory and written together. */
const blockBytes = 262_144

/** Opens a file that has no name any more, so that it ends with the process, however that ends. */
function openNameless(path: string) {
  const file = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  return file
}

/** Opens a ring in a file, of which the system's cache holds the parts in use (decision 63). */
export function openAnswerRing(
  path: string,
  maxBytes: number,
  overwritten: (from: number, to: number) => void
): AnswerRing {
  const file = openNameless(path)
  const block = Buffer.allocUnsafe(blockBytes)
  const blocks = Math.max(2, Math.floor(maxBytes / blockBytes))
  const scratch = Buffer.allocUnsafe(blockBytes)
  let current = 0
  let used = 0
  const startBlock = () => {
    writeSync(file, block, 0, used, current * blockBytes)
    current = (current + 1) % blocks
    used = 0
    overwritten(current * blockBytes, (current + 1) * blockBytes)
  }
  return {
    append(bytes) {
      if (bytes.length > blockBytes) return undefined
      if (used + bytes.length > blockBytes) startBlock()
      const at = current * blockBytes + used
      bytes.copy(block, used)
      used += bytes.length
      return at
    },
    read(at, length) {
      const inBlock = at - current * blockBytes
      if (inBlock >= 0 && inBlock < blockBytes) return block.subarray(inBlock, inBlock + length)
      if (readSync(file, scratch, 0, length, at) < length) throw new Error('The file of answers is too short')
      return scratch.subarray(0, length)
    },
    [Symbol.dispose]: () => closeSync(file)
  }
}
