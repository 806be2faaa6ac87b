export type * from './api.ts'
export {
  createClient,
  type ChangeOptions,
  type Client,
  type FindOptions,
  type ListOptions,
  type WriteOptions
} from './create-client.ts'
export type {
  FieldKey,
  FieldPath,
  FieldValue,
  FilterType,
  RecordType,
  RelationType,
  TypeName
} from './checked-names.ts'
export type { ExportFormat, ExportOptions } from './exports.ts'
export { exportFormats, importFormats } from './formats.ts'
export type { FollowOptions } from './follow-changes.ts'
export type { ImportSettings } from './imports.ts'
export type { MediaFields, UploadOptions } from './media.ts'
export { ConnectionError, isProblem, type ProblemCode, ProblemError } from './problem-error.ts'
export type { Answer, CallOptions, ClientOptions, OperationName, RequestOf } from './send-request.ts'
export { related, type Related, value, values } from './read-values.ts'
