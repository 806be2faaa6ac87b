import type { ByteSource } from '../source/larger-chunks.ts'
import { marcItem } from '../marc/marc-items.ts'
import { readMarcJson } from '../marc/marc-json.ts'
import { defaultMaxRecordBytes, maxUnreadableBytes } from '../marc/reading.ts'
import type { SourceItem, SourceOptions } from '../source/source-item.ts'
import { type JsonLine, readNdjson } from './read-ndjson.ts'

export async function* ndjsonItems(
  source: ByteSource,
  options: SourceOptions
): AsyncGenerator<SourceItem, void, undefined> {
  for await (const line of readNdjson(source, options.maxRecordBytes ?? defaultMaxRecordBytes))
    yield await jsonItem(line, options)
}

/** A line with an array of fields is MARC; one with a type is an entity of ours. */
async function jsonItem({ position, source, found }: JsonLine, options: SourceOptions): Promise<SourceItem> {
  const base = { format: 'ndjson', position, source } as const
  const unreadable = (defect: SourceItem['defects'][number]): SourceItem => ({
    ...base,
    source: source.subarray(0, maxUnreadableBytes),
    outcome: 'unreadable',
    name: undefined,
    defects: [defect]
  })
  if ('defect' in found) return unreadable(found.defect)
  const { object } = found
  if (Array.isArray(object.fields))
    for await (const reading of readMarcJson([source])) return { ...marcItem(reading, options), position }
  if (typeof object.type === 'string') return { ...base, outcome: 'entity', defects: [], entity: object }
  return unreadable({ kind: 'not_a_record', message: 'The object has neither a "type" nor the "fields" of MARC' })
}
