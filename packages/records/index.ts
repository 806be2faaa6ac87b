/*
 * The front door of libretto-records: library records in and out of their formats, without a store
 * and without HTTP. A MARC record is the value between them: every format that is read becomes one,
 * and every format that is written is made of one.
 */

export { describeRecord } from '../../src/formats/marc/mapping/describe-record.ts'
export { type DecodedText, decodeMarc8 } from '../../src/formats/marc/marc8.ts'
export type {
  ControlField,
  DataField,
  Dialect,
  MarcField,
  MarcRecord,
  Subfield
} from '../../src/formats/marc/record.ts'
export { detectDialect, isDataField } from '../../src/formats/marc/record.ts'
export type { Defect, DefectKind } from '../../src/formats/source/defects.ts'
export type { Position } from '../../src/formats/source/position.ts'
export type {
  Calendar,
  CalendarEvent,
  CalendarTime
} from '../../src/formats/icalendar/write-calendar.ts'
export { writeCalendar } from '../../src/formats/icalendar/write-calendar.ts'
export { CatalogueError } from '../../src/domain/errors.ts'
export {
  detectFormat,
  type Read,
  type ReadDeletion,
  type ReadFormat,
  type ReadOptions,
  type ReadRecord,
  type RecordSource,
  readFormats,
  readRecords,
  remarksOn,
  type Unreadable
} from './read-records.ts'
export {
  type WriteOptions,
  type WrittenFormat,
  writeRecord,
  writeRecords,
  writtenFormats
} from './write-records.ts'
