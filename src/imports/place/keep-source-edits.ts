import type { ImportedSource, StoredRecord } from '#domain/imports/stored.ts'
import type { ImportOptions } from '#domain/imports/job.ts'
import { isSameJson } from '#domain/json.ts'
import { readStored } from '#formats/marc/current-record.ts'
import { itemOfRecord } from '#formats/marc/marc-items.ts'
import { mergeRecords } from '#formats/marc/merge-records.ts'
import { readItemMapping } from '#formats/source/item-mapping.ts'
import type { SourceAuthority, SourceOptions } from '#formats/source/source-item.ts'
import type { ImportState } from '../state/import-state.ts'
import { type PreparedRecord, prepareRecord } from './prepare-record.ts'
import type { DraftRules } from './draft-limits.ts'

/** The options by which a record of an import is read again. */
export const readingOptions = ({ agency, items }: ImportOptions): SourceOptions => ({
  ...(agency === undefined ? {} : { agency }),
  ...(items === undefined ? {} : { items: readItemMapping(items) })
})

/** A source record that people have edited since it was imported. */
export type EditedSource = Pick<StoredRecord, 'imported'> & { readonly source: ImportState['source'] }

/** A record to place, with the record that it was imported as if people have edited it. */
export interface KeptEdits {
  readonly item: PreparedRecord
  readonly imported?: ImportedSource
}

/**
 * Applies the edits of people to a record that its file has changed: the tags that they changed
 * stay as they are. Returns the record of the file if no edit differs from it.
 */
export async function keepSourceEdits(
  item: PreparedRecord,
  { imported, source }: EditedSource,
  options: ImportOptions,
  rules: DraftRules
): Promise<KeptEdits> {
  const [base, mine, theirs] = [imported && (await read(imported)), await read(source), await read(item.state.source)]
  if (theirs === undefined || base === undefined || mine === undefined) return { item }
  const merged = mergeRecords(base.record, mine.record, theirs.record)
  const edited = isSameJson(merged, theirs.record) ? undefined : itemOfRecord(merged, readingOptions(options))
  if (edited?.outcome !== 'record' || edited.description.problems.some(each => each.kind === 'no_title'))
    return { item }
  return { item: prepareRecord(edited, rules), imported: asImported(item) }
}

const read = ({ form, base64 }: ImportState['source']) =>
  readStored({ format: form, bytes: Buffer.from(base64, 'base64') })

/** Applies the edits of people to an authority record in the same way. */
export async function keepAuthorityEdits(
  item: SourceAuthority,
  { imported, source }: Readonly<Record<'imported' | 'source', ImportState['source']>>
): Promise<SourceAuthority> {
  const theirs = await readStored({ format: item.format, bytes: item.source })
  const [base, mine] = [await read(imported), await read(source)]
  if (theirs === undefined || base === undefined || mine === undefined) return item
  const merged = mergeRecords(base.record, mine.record, theirs.record)
  const edited = isSameJson(merged, theirs.record) ? undefined : itemOfRecord(merged, {})
  if (edited?.outcome !== 'authority' || edited.authority.type !== item.authority.type) return item
  const own = { form: item.format, base64: Buffer.from(item.source).toString('base64') }
  return { ...edited, name: item.name, position: item.position, imported: own }
}

/** The record of an item as it was imported. */
const asImported = ({ state: { source, record } }: PreparedRecord): ImportedSource => ({
  ...source,
  digest: record.digest
})
