import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { eventRecords } from '#domain/record-types/event-records.ts'
import { createModel, type Model } from '#domain/record-types/model.ts'
import { readCalendar } from '../icalendar/read-calendar.ts'
import { mapRow, type RowRecord } from '../tables/map-row.ts'
import { readRowMapping } from '../tables/row-mapping.ts'
import type { ByteSource } from '../source/bytes.ts'
import type { EventFormat } from '../source/source-formats.ts'
import { defaultMaxRecordBytes, maxUnreadableBytes } from '../source/position.ts'
import type { SourceItem, SourceOptions } from '../source/source-item.ts'
import type { ReadEvent } from './event.ts'
import { readCdbXml } from './read-cdbxml.ts'
import { readJsonEvents } from './read-json-events.ts'
import { schemaOrgShow } from './schema-org.ts'
import { uitShow } from './uitdatabank.ts'

/** The readers of files of events. */
const readers: Readonly<
  Record<EventFormat, (source: ByteSource, maxBytes: number) => AsyncGenerator<ReadEvent, void, undefined>>
> = {
  icalendar: readCalendar,
  uitdatabank: source => readJsonEvents(source, uitShow),
  cdbxml: readCdbXml,
  schemaorg: source => readJsonEvents(source, schemaOrgShow)
}

/** Reads the events of a file, without making records of them. */
export const readEvents = (format: EventFormat, source: ByteSource, maxBytes = defaultMaxRecordBytes) =>
  readers[format](source, maxBytes)

/** Reads the events of a file, each as a row that becomes a production and its performances. */
export async function* eventItems(
  format: EventFormat,
  source: ByteSource,
  options: SourceOptions
): AsyncGenerator<SourceItem, void, undefined> {
  const model = options.model ?? createModel(builtInRecordTypes)
  const [byId, byTitle] = [readRowMapping(eventRecords(true), model), readRowMapping(eventRecords(false), model)]
  for await (const { found, ...place } of readEvents(format, source, options.maxRecordBytes)) {
    const base = { ...place, format }
    if ('defect' in found) {
      const start = place.source.subarray(0, maxUnreadableBytes)
      yield { ...base, source: start, outcome: 'unreadable', name: undefined, defects: [found.defect] }
      continue
    }
    const { show, unmapped } = found
    const { records, defects } = mapRow(show.id === undefined ? byTitle : byId, show, model)
    const all = [...found.defects, ...defects]
    if (records.length === 0) {
      const none = { kind: 'not_a_record', message: 'The event has neither a title nor a date' } as const
      yield { ...base, outcome: 'unreadable', name: undefined, defects: [...all, none] }
    } else
      yield {
        ...base,
        outcome: 'row',
        records: records.map(withOwnKeys).map(each => withSeries(each, model)),
        defects: all,
        unmapped
      }
  }
}

/** A date that may move, with the beginning of the identifiers of all dates of its event. */
function withSeries(record: RowRecord, model: Model): RowRecord {
  const { type, identity } = record
  if (!model.findType(type)?.moved || identity.by !== 'identifier') return record
  return { ...record, datedBy: /^(.*@)\d{4}-\d\d-\d\d[T\d:.Z+-]*$/s.exec(identity.identifier)?.[1] ?? '' }
}

/**
 * Other files describe a record that is found by its name, too. An event that says nothing about a
 * field of it does not remove the value.
 */
function withOwnKeys(record: RowRecord): RowRecord {
  if (record.identity.by === 'identifier') return record
  return {
    ...record,
    keys: record.metadata.map(({ key }) => key),
    relationTypes: record.relations.map(({ type }) => type)
  }
}
