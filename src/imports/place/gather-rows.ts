import { letterKey } from '#domain/clustering/title-key.ts'
import type { MetadataEntry, Relation } from '#domain/entity/entity.ts'
import { joinDetails, type RowIdentity, type RowRecord } from '#formats/tables/map-row.ts'
import type { SourceRow } from '#formats/source/source-item.ts'
import type { ImportState } from '../state/import-state.ts'

/** A record as all rows of a batch describe it together. */
export interface GatheredRecord {
  /** The key of its state. */
  readonly key: string
  readonly type: string
  readonly identity: RowIdentity
  /** The first row that describes it. */
  readonly row: SourceRow
  /** Whether several rows describe it. */
  isShared: boolean
  /** The keys and the types of relations that the mapping fills, with or without values here. */
  readonly keys: Set<string>
  readonly relationTypes: Set<string>
  readonly entries: Map<string, { readonly entries: readonly MetadataEntry[]; readonly column: string }>
  readonly related: Map<string, GatheredRelation>
  readonly remarks: string[]
  /** The beginning of the identifiers of all dates of an event; empty for a date with a name. */
  readonly datedBy: string | undefined
  /** The id of its entity; empty until it is identified. */
  id: string
  /** The identifier that it had before its date moved. */
  movedFrom?: string
}

export interface GatheredRelation {
  readonly type: string
  /** A record of the batch, an identifier, or an id. */
  readonly to: GatheredRecord | string
  readonly details: readonly MetadataEntry[]
  /** The column that it comes from. */
  readonly column: string
}

/** Joins the records of all rows by what identifies them. Of several values, the last counts. */
export function gatherRows(rows: readonly SourceRow[]): Map<string, GatheredRecord> {
  const gathered = new Map<string, GatheredRecord>()
  for (const row of rows) {
    const own = row.records.map(record => addRecord(gathered, row, record))
    for (const [place, { relations }] of row.records.entries())
      for (const { type, to, details, column } of relations) {
        const target = typeof to === 'number' ? own[to] : to
        if (target === undefined) continue
        const name = `${type}\n${typeof target === 'string' ? target : target.key}`
        const known = own[place]?.related.get(name)?.details ?? []
        own[place]?.related.set(name, { type, to: target, column, details: joinDetails(known, details) })
      }
  }
  return gathered
}

function addRecord(gathered: Map<string, GatheredRecord>, row: SourceRow, record: RowRecord): GatheredRecord {
  const key = keyOfRecord(record)
  const known = gathered.get(key) ?? {
    key,
    type: record.type,
    identity: record.identity,
    row,
    isShared: false,
    keys: new Set(),
    relationTypes: new Set(),
    entries: new Map(),
    related: new Map(),
    remarks: [],
    datedBy: record.datedBy,
    id: ''
  }
  gathered.set(key, known)
  if (known.row !== row) known.isShared = true
  for (const each of record.keys) known.keys.add(each)
  for (const each of record.relationTypes) known.relationTypes.add(each)
  for (const [name, entries] of Map.groupBy(record.metadata, each => each.key)) {
    // Other spellings of a name find the record and do not rename it.
    if (known.entries.has(name) && isFoundBy(record, name)) continue
    const column = entries[0]?.column ?? ''
    known.entries.set(name, { column, entries: entries.map(({ column: _, ...entry }) => entry) })
  }
  return known
}

export const identifierOf = ({ identity }: GatheredRecord): string | undefined =>
  identity.by === 'identifier' ? identity.identifier : undefined

/** Whether a record is found by the values of a field. */
const isFoundBy = ({ identity }: Pick<RowRecord, 'identity'>, key: string) =>
  identity.by === 'fields' && identity.values.some(([name]) => name === key)

/** The key of the state of a record with an identifier. */
export const keyOfIdentifier = (identifier: string) => `id ${identifier}`

function keyOfRecord({ type, identity }: RowRecord): string {
  if (identity.by === 'identifier') return keyOfIdentifier(identity.identifier)
  return `fields ${JSON.stringify([type, ...identity.values.map(([key, value]) => [key, letterKey(value) || value])])}`
}

/**
 * The values that the file gives a record, with those that earlier rows of the same import gave:
 * the last value of each field counts, and the relations of all rows. Rows of a record that several
 * describe come one after the other, so none of them removes a relation.
 */
export function givenBy(
  record: GatheredRecord,
  before: ImportState['row'] | undefined,
  job: string
): { readonly metadata: readonly MetadataEntry[]; readonly relations: readonly Relation[] } {
  const earlier = before?.job === job ? before.metadata.filter(({ key }) => !record.entries.has(key)) : []
  const given = [...record.entries].flatMap(([name, { entries }]) => {
    const first = isFoundBy(record, name) ? (before?.metadata ?? []).filter(({ key }) => key === name) : []
    return first.length > 0 ? first : entries
  })
  const relations = new Map<string, Relation>()
  for (const each of record.isShared ? (before?.relations ?? []) : []) relations.set(`${each.type}\n${each.key}`, each)
  for (const { type, to, details } of record.related.values()) {
    const key = typeof to === 'string' ? to : to.id
    relations.set(`${type}\n${key}`, { type, key, ...(details.length === 0 ? {} : { metadata: details }) })
  }
  return { metadata: [...earlier, ...given], relations: [...relations.values()] }
}
