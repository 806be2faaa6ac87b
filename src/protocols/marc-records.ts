import type { Catalogue } from '#catalogue/catalogue.ts'
import type { StoredSourceRecord } from '#domain/imports/stored-source-record.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Publication } from '#domain/entity/publication.ts'
import { patchItems } from '#formats/marc/compose/items.ts'
import { composeRecord } from '#formats/marc/compose-record.ts'
import { patchSource } from '#formats/marc/patch-source.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import { detectDialect, type MarcRecord, type SourceForm, sourceForms } from '#formats/marc/record.ts'

/** A publication as a MARC 21 record. */
export interface FoundMarcRecord {
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
  const found = new Map<string, FoundMarcRecord>()
  for (const [id, publication] of publications) found.set(id, await findOne(publication, sources.get(id)))
  return found
}

async function findOne(publication: Publication, stored: StoredSourceRecord | undefined): Promise<FoundMarcRecord> {
  const source = stored === undefined ? undefined : await readStored(stored)
  if (stored === undefined || source === undefined)
    return { record: composeRecord(publication).record, original: undefined }
  const { changedLevels, bytes } = stored
  const held = patchItems(source.record, stored.items, publication)
  if (changedLevels.length === 0 && held === source.record)
    return { record: held, original: source.isSound ? { form: source.form, bytes } : undefined }
  return { record: patchSource(held, composeRecord(publication), changedLevels), original: undefined }
}

interface ReadSource {
  readonly record: MarcRecord
  readonly form: SourceForm
  readonly isSound: boolean
}

/**
 * Reads the imported record of a manifestation if it is MARC 21; undefined for other formats and
 * dialects.
 */
async function readStored({ format, bytes }: StoredSourceRecord): Promise<ReadSource | undefined> {
  const form = sourceForms.find(each => each === format)
  if (form === undefined) return undefined
  for await (const reading of readMarc([bytes], { form })) {
    if (reading.outcome !== 'record' || detectDialect(reading.record) !== 'marc21') return undefined
    const isSound = reading.defects.every(each => each.kind === 'no_control_number')
    return { record: reading.record, form, isSound }
  }
  return undefined
}
