import type { Parts } from '#catalogue/parts.ts'
import { type Fault, invalidWith } from '#domain/errors.ts'
import type { ImportOptions } from '#domain/imports/job.ts'
import { type Dialect, findControlValue, type MarcRecord } from '#formats/marc/record.ts'
import type { Placing } from './place/placing.ts'
import type { Staging } from './state/staging.ts'

/** The entity that a source record describes. */
export interface GivenEntity {
  readonly parts: Parts
  readonly staging: Staging
  readonly id: string
}

/** An edit of a source record, as it was sent. */
export interface GivenEdit extends GivenEntity {
  readonly sent: MarcRecord
  /** The time of the edit. */
  readonly now: string
}

/** An edit that was checked. */
export interface PreparedEdit {
  /** The options with which the record was imported. */
  readonly options: ImportOptions
  /** Doubts about the edit, beside those about the record. */
  readonly warnings?: readonly Fault[]
  /** Stages the changes, and returns the id of the entity. */
  readonly stage: (placing: Placing) => Promise<string>
}

/** A fault of the record as a whole. */
export const fault = (message: string) => invalidWith([{ pointer: '', message }])

const nameOf = { marc21: 'MARC 21', unimarc: 'UNIMARC' } as const

/** Throws for a record in another dialect. */
export function refuseOtherDialect(stored: Dialect, sent: Dialect): void {
  if (stored !== sent) throw fault(`The source record is in ${nameOf[stored]}, and the sent one in ${nameOf[sent]}`)
}

/** Throws for a record with another number: the next import would not find it again. */
export function refuseOtherNumber(shown: MarcRecord, sent: MarcRecord, dialect: Dialect): void {
  for (const tag of dialect === 'marc21' ? ['001', '003'] : ['001']) {
    const [was, is] = [shown, sent].map(each => findControlValue(each, tag)?.trim() ?? '')
    if (was !== is)
      throw fault(
        `${tag}: The number of a record in its source cannot be changed: "${was}" is stored, "${is}" was sent`
      )
  }
}
