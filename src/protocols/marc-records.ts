import type { Catalogue } from '#catalogue/catalogue.ts'
import { createTurns } from '#catalogue/take-turns.ts'
import type { StoredSourceRecord } from '#domain/imports/stored-source-record.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Publication, PublicationLevel } from '#domain/entity/publication.ts'
import { composeAuthority } from '#formats/marc/compose-authority.ts'
import { composeRecord } from '#formats/marc/compose-record.ts'
import { currentAuthority, currentRecord, readStored } from '#formats/marc/current-record.ts'
import { detectDialect, type MarcRecord, type SourceForm } from '#formats/marc/record.ts'

/** A publication as a MARC 21 record. */
export interface FoundMarcRecord {
  readonly publication: Publication
  readonly record: MarcRecord
  /** The imported bytes and their form, where they are valid and current. */
  readonly original: { readonly form: SourceForm; readonly bytes: Uint8Array } | undefined
}

/**
 * The MARC 21 records of publications: the imported record unchanged, the imported record with the
 * changes made here, or a composed one where nothing was imported or the principal may not see
 * source records.
 */
export async function findMarcRecords(
  catalogue: Catalogue,
  principal: Principal,
  publications: ReadonlyMap<string, Publication>
): Promise<ReadonlyMap<string, FoundMarcRecord>> {
  const sources = await catalogue.publications.findSourceRecords(principal, [...publications.keys()])
  const takeTurns = createTurns()
  const found = new Map<string, FoundMarcRecord>()
  for (const [id, publication] of publications) {
    found.set(id, await findOne(publication, sources.get(id)))
    await takeTurns()
  }
  return found
}

/**
 * The MARC 21 records of authorities: the imported record with the changes made here, or a composed
 * one where none was imported in MARC 21, or the principal may not see source records.
 */
export async function findMarcAuthorities(
  catalogue: Catalogue,
  principal: Principal,
  levels: readonly PublicationLevel[]
): Promise<ReadonlyMap<string, MarcRecord>> {
  const stored = await catalogue.publications.findAuthorityRecords(
    principal,
    levels.map(({ entity }) => entity.id)
  )
  const found = new Map<string, MarcRecord>()
  for (const level of levels) {
    const composed = composeAuthority(level)
    if (composed === undefined) continue
    const { id } = level.entity
    found.set(id, await currentAuthority(composed, stored.get(id)))
  }
  return found
}

async function findOne(publication: Publication, stored: StoredSourceRecord | undefined): Promise<FoundMarcRecord> {
  const source = stored && (await readStored(stored))
  if (stored === undefined || source === undefined || detectDialect(source.record) !== 'marc21')
    return { publication, record: composeRecord(publication).record, original: undefined }
  const { form, isSound } = source
  const record = currentRecord(source.record, stored, publication)
  const isOriginal = isSound && record === source.record
  return { publication, record, original: isOriginal ? { form, bytes: stored.bytes } : undefined }
}
