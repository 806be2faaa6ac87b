import type { ImportOptions } from '#domain/imports/job.ts'
import type { Model } from '#domain/record-types/model.ts'
import { readCsvMapping } from '#formats/tables/publication-mapping.ts'
import { isRowMapping, readRowMapping } from '#formats/tables/row-mapping.ts'
import { readItemMapping } from '#formats/source/item-mapping.ts'
import { readSource } from '#formats/source/read-source.ts'
import type { SourceItem, SourceOptions } from '#formats/source/source-item.ts'

/** Reads a file with the options of its import. */
export function readItems(
  bytes: AsyncIterable<Uint8Array>,
  model: Model,
  { format, mapping, items, agency }: ImportOptions
): AsyncGenerator<SourceItem> {
  return readSource(bytes, {
    ...(format === undefined ? {} : { format }),
    ...(mapping === undefined
      ? {}
      : isRowMapping(mapping)
        ? { rows: { mapping: readRowMapping(mapping, model), model } }
        : { mapping: readCsvMapping(mapping) }),
    ...(items === undefined ? {} : { items: readItemMapping(items) }),
    ...(agency === undefined ? {} : { agency })
  } as SourceOptions)
}
