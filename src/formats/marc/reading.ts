import { recordWithBlanks } from './blank-signs.ts'
import type { Defect } from '../source/defects.ts'
import type { Position } from '../source/position.ts'
import { controlNumberOf, type MarcRecord, type SourceForm } from './record.ts'

const textEncodings = ['ascii', 'utf-8', 'marc-8', 'iso-5426', 'windows-1252', 'mixed'] as const
export type TextEncoding = (typeof textEncodings)[number]

interface ReadingBase {
  readonly form: SourceForm
  readonly position: Position
  /** 001, if it could be read, even of an unreadable record. */
  readonly controlNumber: string | undefined
  readonly defects: readonly Defect[]
  /**
   * The record as received, byte for byte; at most the first 100,000 bytes of an unreadable one.
   */
  readonly source: Uint8Array
}

/** A record that was read. It may have defects; no text is lost without a defect. */
export interface ReadRecord extends ReadingBase {
  readonly outcome: 'record'
  readonly record: MarcRecord
  readonly encoding: TextEncoding
  /** The parts of a record of another format that did not become fields, once for each of them. */
  readonly unmapped?: readonly string[]
}

/**
 * The deletion of a record in its source system: a leader with status d, or a deleted header of
 * OAI-PMH (then without a record).
 */
export interface ReadDeletion extends ReadingBase {
  readonly outcome: 'deletion'
  readonly record: MarcRecord | undefined
  /** The identifier of the OAI-PMH header, if there is one. */
  readonly oaiIdentifier: string | undefined
}

export interface Unreadable extends ReadingBase {
  readonly outcome: 'unreadable'
}

/** The result for each record of a file, in order. */
export type Reading = ReadRecord | ReadDeletion | Unreadable

export type Readings = AsyncGenerator<Reading, void, undefined>

export interface ReadOptions {
  /** A longer record is left out, with a defect. Bounds the memory of a reader. */
  readonly maxRecordBytes?: number
}

/**
 * Makes a reading of a record: deletion (by the leader) and control numbers are checked here for
 * every form.
 */
export function readingOf(
  found: {
    readonly form: SourceForm
    readonly position: Position
    readonly source: Uint8Array
    readonly record: MarcRecord
    readonly encoding: TextEncoding
    readonly oaiIdentifier?: string | undefined
    readonly unmapped?: readonly string[]
  },
  defects: Defect[]
): Reading {
  const { form, position, source, encoding, unmapped } = found
  const record = recordWithBlanks(found.record)
  let controlNumbers = 0
  for (const { tag } of record.fields) if (tag === '001') controlNumbers++
  if (controlNumbers > 1)
    defects.push({
      kind: 'repeated_control_number',
      message: `The field 001 occurs ${controlNumbers} times`,
      tag: '001'
    })
  const controlNumber = controlNumbers === 0 ? undefined : controlNumberOf(record)
  if (controlNumber === undefined) defects.push({ kind: 'no_control_number', message: 'There is no field 001' })
  const base = { form, position, controlNumber, defects, source }
  if (record.leader[5] === 'd') return { ...base, outcome: 'deletion', record, oaiIdentifier: found.oaiIdentifier }
  return { ...base, outcome: 'record', record, encoding, ...(unmapped === undefined ? {} : { unmapped }) }
}
