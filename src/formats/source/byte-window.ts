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
