import type { Catalogue } from '#catalogue/catalogue.ts'
import { CatalogueError } from '#domain/errors.ts'
import type { KeptSource } from '#domain/kept-source.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Publication } from '#domain/publication.ts'
import { composeRecord } from '#formats/marc/compose-record.ts'
import { patchSource } from '#formats/marc/patch-source.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import { detectDialect, type Form, forms, type MarcRecord } from '#formats/marc/record.ts'
import { writers } from '#formats/marc/write-marc.ts'

/** A manifestation as a record, or why it cannot be one. */
export interface MarcExport {
  readonly id: string
  readonly bytes: Buffer | undefined
  readonly refusal: string | undefined
}

/** Writes manifestations as MARC 21 records in a form, in the order asked for; those that are gone or may not be read are left out. */
export async function exportMarc(
  catalogue: Catalogue,
  principal: Principal,
  ids: readonly string[],
  form: Form
): Promise<MarcExport[]> {
  const publications = await catalogue.readPublications(principal, ids)
  // A source names everything that it was read as, also what this reader may not see.
  const sources = principal.readsEverything ? await catalogue.findSources(principal, ids) : none
  const written: MarcExport[] = []
  for (const [id, publication] of publications) written.push(await exportOne(id, publication, sources.get(id), form))
  return written
}

const none: ReadonlyMap<string, KeptSource> = new Map()

async function exportOne(
  id: string,
  publication: Publication,
  kept: KeptSource | undefined,
  form: Form
): Promise<MarcExport> {
  const source = kept === undefined ? undefined : await readKept(kept)
  // As it came, byte for byte, where nothing was changed and nothing is wrong with it.
  if (
    kept !== undefined &&
    source?.isSound &&
    kept.changedLevels.length === 0 &&
    kept.format === form &&
    form === 'iso2709'
  )
    return { id, bytes: Buffer.from(kept.bytes), refusal: undefined }
  const record =
    kept === undefined || source === undefined
      ? composeRecord(publication).record
      : patchSource(source.record, composeRecord(publication), kept.changedLevels)
  try {
    return { id, bytes: Buffer.from(writers[form].write(record)), refusal: undefined }
  } catch (error) {
    // Too long for ISO 2709: that is true of the record, not of the request.
    if (error instanceof CatalogueError) return { id, bytes: undefined, refusal: error.message }
    throw error
  }
}

/** The record that a manifestation was imported from, if it is MARC 21; of another format or dialect there is nothing to give back. */
async function readKept({ format, bytes }: KeptSource): Promise<{ record: MarcRecord; isSound: boolean } | undefined> {
  const form = forms.find(each => each === format)
  if (form === undefined) return undefined
  for await (const reading of readMarc([bytes], { form })) {
    if (reading.outcome !== 'record' || detectDialect(reading.record) !== 'marc21') return undefined
    return { record: reading.record, isSound: reading.defects.every(each => each.kind === 'no_control_number') }
  }
  return undefined
}
