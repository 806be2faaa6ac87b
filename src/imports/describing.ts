import type { ImportOptions } from '#domain/imports/job.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import type { Position } from '#formats/source/position.ts'
import type { ImportItem } from './place/prepare-record.ts'

/*
 * The division of a file among describing threads. Each thread reads the whole file, and describes
 * every n-th part of it: finding the records takes a tenth of the time, and the parts are the same
 * in every thread. Items are sent as the JSON of a part. A structured clone of the descriptions
 * takes as long to receive as they take to make; the JSON of what is stored of them a twentieth.
 */

/** The data that a describing thread is started with. */
export interface DescribingData {
  readonly recordTypes: readonly RecordType[]
  /** The options of the import, with the format of the file. */
  readonly options: ImportOptions
  /** The number of threads, and which of them this one is, counted from 0. */
  readonly threads: number
  readonly own: number
}

/** A message to a describing thread: a piece of the file, or that a part of it was taken. */
export type DescribingRequest = { readonly bytes: Uint8Array } | { readonly isEnd: true } | { readonly isTaken: true }

export type DescribingMessage =
  | { readonly kind: 'alive' }
  /** It has read as many pieces of the file, and wants the next one. */
  | { readonly kind: 'more'; readonly received: number }
  /** The items of its next part, as text. */
  | { readonly kind: 'part'; readonly items: string }
  | { readonly kind: 'end' }

/** Maximum records and bytes of a part. */
const maxInPart = 50
const maxBytesInPart = 500_000

/** Maximum number of parts that a thread has sent and that nobody has taken: more than a batch. */
export const maxWaitingParts = 16

/** Tells which records of a file are in the parts of one thread; called for each, in order. */
export function divideFile(
  { threads, own }: Pick<DescribingData, 'threads' | 'own'>,
  onPartEnd: () => void
): (position: Position) => boolean {
  let part = 0
  let count = 0
  let bytes = 0
  return ({ length }) => {
    if (count === maxInPart || bytes >= maxBytesInPart) {
      if (part % threads === own) onPartEnd()
      part++
      count = 0
      bytes = 0
    }
    count++
    bytes += length
    return part % threads === own
  }
}

/** Bytes are written in base64. Those of a record are among what is stored of it. */
export const textOfItem = (item: ImportItem): string =>
  JSON.stringify('source' in item ? { ...item, source: Buffer.from(item.source).toString('base64') } : item)

export const itemsOfText = (text: string): ImportItem[] =>
  (JSON.parse(text) as (ImportItem & { source?: string })[]).map(item =>
    item.source === undefined ? item : ({ ...item, source: Buffer.from(item.source, 'base64') } as ImportItem)
  )
