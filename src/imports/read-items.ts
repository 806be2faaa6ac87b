import { availableParallelism } from 'node:os'

import type { ImportOptions } from '#domain/imports/job.ts'
import type { Model } from '#domain/record-types/model.ts'
import { sanitizeHtml } from '#formats/html/sanitize-html.ts'
import { peek } from '#formats/source/bytes.ts'
import { readItemMapping } from '#formats/source/item-mapping.ts'
import { dividedFormatOf, readSource } from '#formats/source/read-source.ts'
import type { SourceOptions } from '#formats/source/source-item.ts'
import { readTableMapping } from '#formats/tables/read-table-mapping.ts'
import { type DescribingThreads, readInThreads } from './describing-threads.ts'
import { type ImportItem, prepareItem } from './place/prepare-record.ts'

export interface ReadingOptions extends Partial<DescribingThreads> {
  /**
   * Shorter files are read in the thread of the import, since starting others would take longer.
   */
  readonly minDividedBytes?: number
}

/** Maximum number of describing threads. With more, placing takes longer than describing. */
const maxThreads = 4
/** One core is for placing, and one for writing: with two cores, threads bring next to nothing. */
const threadsOfMachine = () => Math.max(0, Math.min(availableParallelism() - 2, maxThreads))
/** A thread takes as long to start as some 500 records to describe. */
const minBytes = 1_000_000

/**
 * Reads a file with the options of its import. Records of a long file of MARC are read and
 * described in threads of their own; the items and their order are the same.
 */
export async function* readItems(
  bytes: AsyncIterable<Uint8Array>,
  model: Model,
  options: ImportOptions,
  { threads = threadsOfMachine(), minDividedBytes = minBytes, ...settings }: ReadingOptions = {}
): AsyncGenerator<ImportItem, void, undefined> {
  const sourceOptions = sourceOptionsOf(options, model)
  let all = bytes
  if (threads > 0) {
    const { head, all: rejoined } = await peek(bytes, minDividedBytes)
    all = rejoined
    const format = head.length < minDividedBytes ? undefined : dividedFormatOf(head, sourceOptions)
    if (format !== undefined) {
      const work = { recordTypes: model.recordTypes, options: { ...options, format } }
      yield* readInThreads(all, work, { threads, ...settings })
      return
    }
  }
  for await (const item of readSource(all, sourceOptions)) yield prepareItem(item, { model, sanitizeHtml })
}

/** The options by which the items of a file are read. */
export function sourceOptionsOf({ format, mapping, items, agency }: ImportOptions, model: Model): SourceOptions {
  return {
    model,
    ...(format === undefined ? {} : { format }),
    ...(mapping === undefined ? {} : readTableMapping(mapping, model)),
    ...(items === undefined ? {} : { items: readItemMapping(items) }),
    ...(agency === undefined ? {} : { agency })
  } as SourceOptions
}
