/** The position of a record in its file. */
export interface Position {
  /** Counted from 1; records that could not be read count too. */
  readonly number: number
  /** Its first byte, counted from 0. */
  readonly offset: number
  /** In bytes. */
  readonly length: number
}

/** Maximum bytes of a record, unless the caller sets another limit. */
export const defaultMaxRecordBytes = 8_000_000

/** Maximum bytes that a reader returns of a record that it could not read. */
export const maxUnreadableBytes = 100_000
