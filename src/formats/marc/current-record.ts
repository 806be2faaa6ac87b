import type { Publication } from '#domain/entity/publication.ts'
import type { StoredAuthorityRecord, StoredSourceRecord } from '#domain/imports/stored-source-record.ts'
import { describeAuthority, detectAuthority } from './mapping/authority-record.ts'
import { patchAuthority } from './patch-authority.ts'
import { composeRecord } from './compose-record.ts'
import { type HeldRecord, patchItems } from './patch/patch-items.ts'
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
 * The source record with the changes that people made of the publication since, and the items of
 * its holdings records; the source record itself where there are none, and for UNIMARC, which is
 * not composed.
 */
export function currentRecord(
  source: MarcRecord,
  { items, itemMapping: mapping, changed }: StoredSourceRecord,
  publication: Publication,
  held: readonly HeldRecord[] = []
): MarcRecord {
  if (detectDialect(source) !== 'marc21') return source
  const patched = patchItems(source, items, publication, { held, ...(mapping === undefined ? {} : { mapping }) })
  return changed.size === 0 ? patched : patchSource(patched, composeRecord(publication, { onlyStated: true }), changed)
}

/** The record that is composed of a publication, with the fields of its holdings records. */
export function composedRecord(publication: Publication, held: readonly HeldRecord[] = []): MarcRecord {
  if (held.length === 0) return composeRecord(publication).record
  return patchItems(composeRecord({ ...publication, items: [] }).record, [], publication, { held })
}

/** Reads the holdings records of a publication. */
export async function readHeld(stored: Pick<StoredSourceRecord, 'holdings'> | undefined): Promise<HeldRecord[]> {
  const held: HeldRecord[] = []
  for (const each of stored?.holdings ?? []) {
    const source = await readStored(each)
    if (source !== undefined && detectDialect(source.record) === 'marc21')
      held.push({ record: source.record, items: each.items })
  }
  return held
}

/**
 * The authority record as imported, with the changes that people made of the authority since; the
 * composed one where none was imported in MARC 21. Of several records, the one with the present
 * name comes first.
 */
export async function currentAuthority(
  composed: MarcRecord,
  stored: StoredAuthorityRecord | undefined
): Promise<MarcRecord> {
  const found: ReadSource[] = []
  for (const each of stored?.sources ?? []) {
    const source = await readStored(each)
    if (source !== undefined && detectAuthority(source.record) === 'marc21') found.push(source)
  }
  const source = preferredAuthority(found, composed)?.record
  return source === undefined ? composed : patchAuthority(source, composed, stored?.changed)
}

/** Of several authority records, the one with the present name, or the first. */
export function preferredAuthority<T extends Pick<ReadSource, 'record'>>(
  found: readonly T[],
  composed: MarcRecord | undefined
): T | undefined {
  const preferred = composed && describeAuthority(composed, 'marc21')?.authority.key
  const keyOf = (record: MarcRecord) => describeAuthority(record, detectAuthority(record) ?? 'marc21')?.authority.key
  return found.find(each => keyOf(each.record) === preferred) ?? found[0]
}
