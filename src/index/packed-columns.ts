import { growingNumbers, type Numbers, shared, sharedBytes } from './arrays.ts'

/*
 * Columns in a few pieces of shared memory. A catalogue may have thousands of metadata keys and
 * types of relations, each with a column of some dozen arrays. Sending memory to a thread takes
 * time in proportion to the square of the number of its pieces: 459 ms for 26,000 of them.
 */

type AnyArray = Numbers | Float64Array

/** The arrays of a column by their names; a column may lack some of them. */
export type ColumnArrays<Name extends string> = Readonly<Record<Name, AnyArray | undefined>>

export interface PackedColumns {
  readonly pieces: readonly Uint8Array[]
  /**
   * For each array of each column, in the order of their names: its kind, piece, first byte and
   * length.
   */
  readonly places: Uint32Array
}

const numbersOfPlace = 4
/** The classes of arrays; a kind is a place here plus one, and 0 for an array that is absent. */
const kinds: readonly (new (buffer: ArrayBufferLike, start: number, length: number) => AnyArray)[] = [
  Uint8Array,
  Uint16Array,
  Uint32Array,
  Float64Array
]

/** Bytes from which an array that is in shared memory already is a piece by itself. */
const minOwnPiece = 262_144
/** Bytes of the first piece for other arrays; each further one has twice as many, up to a limit. */
const firstPiece = 16_384
const maxPiece = 4_194_304

/** Packs columns one after the other, so that no more than one of them exists twice. */
export class ColumnPacker<Name extends string> {
  readonly #names: readonly Name[]
  readonly #pieces: Uint8Array[] = []
  readonly #places = growingNumbers()
  #open = -1
  #used = 0

  constructor(names: readonly Name[]) {
    this.#names = names
  }

  add(arrays: ColumnArrays<Name>) {
    for (const name of this.#names) this.#addArray(arrays[name])
  }

  done(): PackedColumns {
    this.#close()
    return { pieces: this.#pieces, places: this.#places.done() }
  }

  /** Gives back what is left of the piece that is being filled. */
  #close() {
    const open = this.#pieces[this.#open]
    if (open) this.#pieces[this.#open] = shared(open.subarray(0, this.#used))
  }

  #addArray(array: AnyArray | undefined) {
    const [piece, start] = array ? this.#place(array) : [0, 0]
    const kind = array ? kinds.findIndex(each => array instanceof each) + 1 : 0
    for (const number of [kind, piece, start, array?.length ?? 0]) this.#places.push(number)
  }

  /** Puts an array into a piece. Returns the place of the piece, and the first byte there. */
  #place(array: AnyArray): readonly [piece: number, start: number] {
    const { buffer, byteOffset, byteLength } = array
    const bytes = new Uint8Array(buffer, byteOffset, byteLength)
    const isOwn = byteLength === buffer.byteLength && buffer instanceof SharedArrayBuffer
    if (byteLength >= minOwnPiece && isOwn) return [this.#pieces.push(bytes) - 1, 0]
    let open = this.#pieces[this.#open]
    if (!open || this.#used + byteLength > open.length) {
      const length = Math.min(maxPiece, open ? open.length * 2 : firstPiece)
      this.#close()
      open = sharedBytes(Math.max(length, aligned(byteLength)))
      this.#open = this.#pieces.push(open) - 1
      this.#used = 0
    }
    const start = this.#used
    open.set(bytes, start)
    this.#used = aligned(start + byteLength)
    return [this.#open, start]
  }
}

const aligned = (length: number) => (length + 7) & ~7

/** Reads a column, without copying it. */
export function unpackColumn<Name extends string>(
  { pieces, places }: PackedColumns,
  names: readonly Name[],
  column: number
): ColumnArrays<Name> {
  const arrays: Partial<Record<Name, AnyArray>> = {}
  names.forEach((name, at) => {
    const first = (column * names.length + at) * numbersOfPlace
    const [kind = 0, piece = 0, start = 0, length = 0] = places.subarray(first, first + numbersOfPlace)
    const Kind = kinds[kind - 1]
    if (Kind) arrays[name] = new Kind((pieces[piece] as Uint8Array).buffer, start, length)
  })
  return arrays as ColumnArrays<Name>
}
