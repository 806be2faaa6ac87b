export type * from './api.ts'
export { createClient, type Client } from './create-client.ts'
export type { ChangeOptions, FindOptions, ListOptions, PageOf, WriteOptions } from './options.ts'
export type {
  EntityOf,
  EntryOf,
  FieldKey,
  FieldPath,
  FieldValue,
  FilterType,
  RecordType,
  RelationType,
  Scope,
  TypeName,
  TypesOf
} from './checked-names.ts'
export type { ExportFormat, ExportOptions } from './exports.ts'
export { exportFormats, importFormats } from './formats.ts'
export type { FollowOptions } from './follow-changes.ts'
export type { ImportFormat, ImportSettings } from './imports.ts'
export type { MediaCategory, MediaFields, ThumbnailWidth, UploadOptions } from './media.ts'
export type { ProgrammeRange } from './programmes.ts'
export { ConnectionError, isProblem, type ProblemCode, ProblemError } from './problem-error.ts'
export type { Answer, CallOptions, ClientOptions, OperationName, RequestOf } from './send-request.ts'
export { label, type LocalTime, localTime, related, type Related, value, values } from './read-values.ts'
