import type { Catalogue } from '#catalogue/catalogue.ts'
import { createTurns } from '#catalogue/take-turns.ts'
import type { StoredSourceRecord } from '#domain/imports/stored-source-record.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Publication, PublicationLevel } from '#domain/entity/publication.ts'
import { composeAuthority } from '#formats/marc/compose-authority.ts'
import { composedRecord, currentAuthority, currentRecord, readHeld, readStored } from '#formats/marc/current-record.ts'
import { currentHoldings, type HeldRecord } from '#formats/marc/patch/patch-items.ts'
import { controlNumberOf, detectDialect, type MarcRecord, type SourceForm } from '#formats/marc/record.ts'
import { holdingsOf, splitHoldings } from '#formats/marc/split-holdings.ts'

/** A publication as a MARC 21 record. */
export interface FoundMarcRecord {
  readonly publication: Publication
  readonly record: MarcRecord
  /** Its holdings records, where its items are not in the record itself. */
  readonly holdings: readonly MarcRecord[]
  /** The imported bytes and their form, where they are valid and current. */
  readonly original: { readonly form: SourceForm; readonly bytes: Uint8Array } | undefined
}

interface MarcOptions {
  /** Gives items as holdings records, not in the records of publications. */
  readonly holdings?: boolean
}

/**
 * The MARC 21 records of publications: the imported record unchanged, the imported record with the
 * changes made here, or a composed one where nothing was imported or the principal may not see
 * source records. Holdings records are imported ones, too, as far as there are any.
 */
export async function findMarcRecords(
  catalogue: Catalogue,
  principal: Principal,
  publications: ReadonlyMap<string, Publication>,
  options: MarcOptions = {}
): Promise<ReadonlyMap<string, FoundMarcRecord>> {
  const sources = await catalogue.publications.findSourceRecords(principal, [...publications.keys()])
  const takeTurns = createTurns()
  const found = new Map<string, FoundMarcRecord>()
  for (const [id, publication] of publications) {
    found.set(id, await findOne(publication, sources.get(id), options))
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

async function findOne(
  publication: Publication,
  stored: StoredSourceRecord | undefined,
  { holdings = false }: MarcOptions
): Promise<FoundMarcRecord> {
  const read = stored && (await readStored(stored))
  const source = read && detectDialect(read.record) === 'marc21' ? { ...read, stored } : undefined
  const held = await readHeld(stored)
  const current = (given: Publication) =>
    source?.stored === undefined
      ? composedRecord(given, held)
      : currentRecord(source.record, source.stored, given, held)
  const { record, apart } = holdings
    ? takeApart(publication, held, current)
    : { record: current(publication), apart: [] }
  const original =
    source?.stored !== undefined && source.isSound && record === source.record
      ? { form: source.form, bytes: source.stored.bytes }
      : undefined
  return { publication, record, holdings: apart, original }
}

/** The record of a publication without its items, and its holdings records. */
function takeApart(
  publication: Publication,
  held: readonly HeldRecord[],
  current: (publication: Publication) => MarcRecord
) {
  const { items = [] } = publication
  const imported = currentHoldings(held, items)
  const others = new Set(items).difference(new Set(imported.flatMap(each => each.items)))
  const { record, holdings } = splitHoldings(current({ ...publication, items: [...others] }), [...others])
  if (controlNumberOf(record) === undefined) return { record: current(publication), apart: [] }
  return { record, apart: [...imported.map(each => holdingsOf(record, each.record)), ...holdings] }
}
