import type { ImportOptions } from '#domain/imports/job.ts'
import { readCsvMapping } from '#formats/csv/csv-mapping.ts'
import { readSource } from '#formats/source/read-source.ts'
import type { SourceItem, SourceOptions } from '#formats/source/source-item.ts'

/** Reads a file with the options of its import. */
export function readItems(
  bytes: AsyncIterable<Uint8Array>,
  { format, mapping, agency }: ImportOptions
): AsyncGenerator<SourceItem> {
  return readSource(bytes, {
    ...(format === undefined ? {} : { format }),
    ...(mapping === undefined ? {} : { mapping: readCsvMapping(mapping) }),
    ...(agency === undefined ? {} : { agency })
  } as SourceOptions)
}
