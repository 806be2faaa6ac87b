import { CatalogueError } from '#domain/errors.ts'
import type { Defect } from '../source/defects.ts'
import type { ByteSource } from '../source/bytes.ts'
import { defaultMaxRecordBytes, maxUnreadableBytes } from '../source/position.ts'
import type { SourceFormat } from '../source/source-formats.ts'
import type { SourceItem, SourceOptions } from '../source/source-item.ts'
import { type JsonLine, readNdjson } from './read-ndjson.ts'
import { readHistoryLine } from './history-line.ts'
import { readMediaLine } from './media-line.ts'
import { type RecordLine, readSourceLine } from './source-line.ts'

export interface LineReaders {
  /** Reads the bytes of one JSON object as a record of MARC. */
  readonly readMarcObject: (bytes: Buffer, options: SourceOptions) => Promise<SourceItem>
  /** Reads the bytes of a record in a format; returns undefined for an unknown format. */
  readonly readRecord: (bytes: Buffer, line: RecordLine) => Promise<SourceItem | undefined>
}

/**
 * Reads a file of JSON objects. An object with an array of fields is a MARC record, one with a type
 * is an entity, and one with a source has the knowledge of imports about an entity; others have a
 * version of an entity, or bytes of a media file.
 */
export async function* ndjsonItems(
  source: ByteSource,
  options: SourceOptions,
  { readMarcObject, readRecord }: LineReaders
): AsyncGenerator<SourceItem, void, undefined> {
  // A line contains a record in base64, with its entities.
  const maxLineBytes = 2 * (options.maxRecordBytes ?? defaultMaxRecordBytes)
  for await (const line of readNdjson(source, maxLineBytes)) {
    const { position, found } = line
    if ('object' in found && Array.isArray(found.object.fields))
      yield { ...(await readMarcObject(line.source, options)), position }
    else if ('object' in found && found.object.type === undefined && found.object.source !== undefined)
      yield await sourceItem(line, found.object.source, readRecord)
    else yield jsonItem(line)
  }
}

const base = ({ position, source }: JsonLine) => ({ format: 'ndjson', position, source }) as const

const unreadable = (line: JsonLine, ...defects: readonly Defect[]): SourceItem => ({
  ...base(line),
  source: line.source.subarray(0, maxUnreadableBytes),
  outcome: 'unreadable',
  name: undefined,
  defects
})

const notRead = (line: JsonLine, message: string) => unreadable(line, { kind: 'not_a_record', message })

async function sourceItem(line: JsonLine, given: unknown, readRecord: LineReaders['readRecord']): Promise<SourceItem> {
  const found = readSourceLine(given)
  if ('fault' in found) return notRead(line, found.fault)
  const item = { ...base(line), outcome: 'carried', line: found, defects: [] } as const
  if (found.kind !== 'record') return { ...item, record: undefined }
  const bytes = Buffer.from(found.bytes, 'base64')
  try {
    const record = await readRecord(bytes, found)
    if (record?.outcome === 'record')
      return { ...item, record: { ...record, format: found.format as SourceFormat, source: bytes } }
    const message = `source/bytes: Not a record in the format "${found.format.slice(0, 100)}"`
    return unreadable(line, { kind: 'not_a_record', message }, ...(record?.defects ?? []))
  } catch (error) {
    // The options contain a mapping, which may be invalid.
    if (!(error instanceof CatalogueError)) throw error
    return notRead(line, `source/options: ${error.message}`)
  }
}

function jsonItem(line: JsonLine): SourceItem {
  const { found } = line
  if ('defect' in found) return unreadable(line, found.defect)
  const { object } = found
  if (typeof object.type === 'string') return { ...base(line), outcome: 'entity', defects: [], entity: object }
  // The bytes of these lines are not held beside their values.
  const without = { ...base(line), source: new Uint8Array(), defects: [] }
  if (object.history !== undefined) {
    const version = readHistoryLine(object.history)
    return 'fault' in version ? notRead(line, version.fault) : { ...without, outcome: 'version', line: version }
  }
  if (object.media !== undefined) {
    const piece = readMediaLine(object.media)
    if ('fault' in piece) return notRead(line, piece.fault)
    return { ...without, outcome: 'piece', ...piece, bytes: Buffer.from(piece.bytes, 'base64') }
  }
  return notRead(
    line,
    'The object has neither a "type", nor a "source", nor the "fields" of MARC; other objects are imported with a mapping'
  )
}
