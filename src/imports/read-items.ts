import type { ImportOptions } from '#domain/imports/job.ts'
import type { Model } from '#domain/record-types/model.ts'
import { readItemMapping } from '#formats/source/item-mapping.ts'
import { readSource } from '#formats/source/read-source.ts'
import type { SourceItem, SourceOptions } from '#formats/source/source-item.ts'
import { readTableMapping } from '#formats/tables/read-table-mapping.ts'

/** Reads a file with the options of its import. */
export function readItems(
  bytes: AsyncIterable<Uint8Array>,
  model: Model,
  { format, mapping, items, agency }: ImportOptions
): AsyncGenerator<SourceItem> {
  return readSource(bytes, {
    ...(format === undefined ? {} : { format }),
    ...(mapping === undefined ? {} : readTableMapping(mapping, model)),
    ...(items === undefined ? {} : { items: readItemMapping(items) }),
    ...(agency === undefined ? {} : { agency })
  } as SourceOptions)
}
