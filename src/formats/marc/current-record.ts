import type { Publication } from '#domain/entity/publication.ts'
import type { StoredSourceRecord } from '#domain/imports/stored-source-record.ts'
import { patchItems } from './compose/items.ts'
import { composeRecord } from './compose-record.ts'
import { patchSource } from './patch-source.ts'
import { readMarc } from './read-marc.ts'
import { detectDialect, type MarcRecord, type SourceForm, sourceForms } from './record.ts'

/** A source record as it was read. */
export interface ReadSource {
  readonly record: MarcRecord
  readonly form: SourceForm
  readonly isSound: boolean
}

/** Reads a source record; undefined for one that is not read as MARC. */
export async function readStored({
  format,
  bytes
}: Pick<StoredSourceRecord, 'format' | 'bytes'>): Promise<ReadSource | undefined> {
  const form = sourceForms.find(each => each === format)
  if (form === undefined) return undefined
  for await (const reading of readMarc([bytes], { form })) {
    if (reading.outcome !== 'record') return undefined
    const isSound = reading.defects.every(each => each.kind === 'no_control_number')
    return { record: reading.record, form, isSound }
  }
  return undefined
}

/**
 * The source record with the changes that people made of the publication since; the source record
 * itself where there are none, and for UNIMARC, which is not composed.
 */
export function currentRecord(source: MarcRecord, stored: StoredSourceRecord, publication: Publication): MarcRecord {
  if (detectDialect(source) !== 'marc21') return source
  const held = patchItems(source, stored.items, publication)
  return patchSource(held, composeRecord(publication), stored.changed)
}
