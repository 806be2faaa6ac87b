import type { Catalogue } from '#catalogue/catalogue.ts'
import { CatalogueError } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Form } from '#formats/marc/record.ts'
import { writers } from '#formats/marc/write-marc.ts'
import { findMarcRecords, type FoundMarcRecord } from '../marc-records.ts'

/** A manifestation as a record, or the reason why it cannot be written. */
export interface MarcExport {
  readonly id: string
  readonly bytes: Buffer | undefined
  readonly refusal: string | undefined
}

/**
 * Writes manifestations as MARC 21 records, in the given order; missing and unreadable ones are
 * omitted.
 */
export async function exportMarc(
  catalogue: Catalogue,
  principal: Principal,
  ids: readonly string[],
  form: Form
): Promise<MarcExport[]> {
  const publications = await catalogue.readPublications(principal, ids, { withItems: true })
  const records = await findMarcRecords(catalogue, principal, publications)
  return [...records].map(([id, found]) => exportOne(id, found, form))
}

function exportOne(id: string, { record, original }: FoundMarcRecord, form: Form): MarcExport {
  // The imported bytes, where nothing was changed and they are valid.
  if (original?.form === 'iso2709' && form === 'iso2709')
    return { id, bytes: Buffer.from(original.bytes), refusal: undefined }
  try {
    return { id, bytes: Buffer.from(writers[form].write(record)), refusal: undefined }
  } catch (error) {
    // Too long for ISO 2709: a property of the record, not a fault of the request.
    if (error instanceof CatalogueError) return { id, bytes: undefined, refusal: error.message }
    throw error
  }
}
