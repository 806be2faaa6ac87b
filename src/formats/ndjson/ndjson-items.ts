import type { Defect } from '../source/defects.ts'
import type { ByteSource } from '../source/larger-chunks.ts'
import { defaultMaxRecordBytes, maxUnreadableBytes } from '../source/position.ts'
import type { SourceItem, SourceOptions } from '../source/source-item.ts'
import { type JsonLine, readNdjson } from './read-ndjson.ts'

/** Reads the bytes of one JSON object as a record of MARC. */
export type ReadMarcObject = (bytes: Buffer, options: SourceOptions) => Promise<SourceItem>

/**
 * Reads a file of JSON objects. An object with an array of fields is a MARC record, one with a type
 * is an entity.
 */
export async function* ndjsonItems(
  source: ByteSource,
  options: SourceOptions,
  readMarcObject: ReadMarcObject
): AsyncGenerator<SourceItem, void, undefined> {
  for await (const line of readNdjson(source, options.maxRecordBytes ?? defaultMaxRecordBytes)) {
    const { position, found } = line
    if ('object' in found && Array.isArray(found.object.fields))
      yield { ...(await readMarcObject(line.source, options)), position }
    else yield jsonItem(line)
  }
}

function jsonItem({ position, source, found }: JsonLine): SourceItem {
  const base = { format: 'ndjson', position } as const
  const unreadable = (defect: Defect): SourceItem => ({
    ...base,
    source: source.subarray(0, maxUnreadableBytes),
    outcome: 'unreadable',
    name: undefined,
    defects: [defect]
  })
  if ('defect' in found) return unreadable(found.defect)
  const { object } = found
  if (typeof object.type === 'string') return { ...base, source, outcome: 'entity', defects: [], entity: object }
  return unreadable({
    kind: 'not_a_record',
    message: 'The object has neither a "type" nor the "fields" of MARC; other objects are imported with a mapping'
  })
}
