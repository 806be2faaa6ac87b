import type { Parts } from '#catalogue/parts.ts'
import { readDraft } from '#domain/editing/read-draft.ts'
import { findExcess, newHtmlBudget } from '#domain/editing/record-limits.ts'
import { type AuditStamp, type EntityContent, type MetadataEntry, toEntity } from '#domain/entity/entity.ts'
import { CatalogueError, type Fault } from '#domain/errors.ts'
import { isJsonObject } from '#domain/json.ts'
import type { HistoryLine } from '#formats/ndjson/history-line.ts'
import type { SourceVersion } from '#formats/source/source-item.ts'
import type { CarriedVersion } from '#store/ports/history.ts'

/** The editor of a version whose export does not name one. */
const unknownEditor = 'unknown'

export interface TakenVersion {
  readonly item: SourceVersion
  /** `other`: the record has a history of this catalogue, which stays. */
  readonly outcome: 'taken' | 'refused' | 'other'
  readonly message: string
}

/**
 * Stores the versions that other catalogues made of records, before these records are created. They
 * are written at once: a batch that is repeated finds them.
 */
export async function takeVersions(
  parts: Parts,
  items: readonly SourceVersion[],
  { isPreview }: { readonly isPreview: boolean }
): Promise<TakenVersion[]> {
  if (items.length === 0) return []
  const read = items.map(item => readVersion(parts, item.line))
  const versions = read.filter(each => typeof each !== 'string')
  const outcomes = isPreview ? [] : [...(await parts.store.carryVersions(versions))]
  const told = new Set<string>()
  return read.flatMap((each, index): TakenVersion[] => {
    const item = items[index] as SourceVersion
    if (typeof each === 'string') return [{ item, outcome: 'refused', message: each }]
    if (outcomes.shift() !== 'refused') return [{ item, outcome: 'taken', message: '' }]
    if (told.has(each.uuid)) return []
    told.add(each.uuid)
    return [{ item, outcome: 'other', message: otherHistory(each.id) }]
  })
}

const otherHistory = (id: string) =>
  `The history of "${id}" was not taken: this catalogue has a history of its own for the record`

/** Reads a version as it is stored; returns the reason if it cannot be. */
function readVersion(parts: Parts, line: HistoryLine): CarriedVersion | string {
  const { id, _id: uuid, type, version, at, entity, merged_into: mergedInto = null } = line
  const by = line.by === '' ? unknownEditor : line.by
  const carried = { id, uuid, type, version, at, by, mergedInto }
  if (parts.model.findType(type) === undefined) return `history/type: There is no type "${type}"`
  if (entity === null) return { ...carried, json: null }
  if (mergedInto !== null) return 'history/merged_into: Only a deletion has it'
  const content = readContent(parts, line)
  if (typeof content === 'string') return `history/entity${content}`
  const audit = isJsonObject(entity.audit) ? entity.audit : {}
  const created = readStamp(audit.created) ?? { at, by }
  return { ...carried, json: JSON.stringify(toEntity(content, version, { created, updated: { at, by } })) }
}

function readStamp(given: unknown): AuditStamp | undefined {
  if (!isJsonObject(given) || typeof given.at !== 'string' || typeof given.by !== 'string') return undefined
  const at = new Date(given.at)
  return Number.isNaN(at.getTime())
    ? undefined
    : { at: at.toISOString(), by: given.by === '' ? unknownEditor : given.by }
}

/** Reads the content of a version; returns its first fault, with the pointer. */
function readContent(parts: Parts, { id, _id: uuid, type, entity }: HistoryLine): EntityContent | string {
  const faults: Fault[] = []
  try {
    const { metadata, relations, identifiers, ...draft } = readDraft(entity, faults)
    if (draft.id !== id || draft.uuid !== uuid || draft.type !== type)
      return ': The id, _id and type must be those of the line'
    const otherIdentifiers = identifiers.filter(each => each !== id && each !== uuid)
    const content = { id, uuid, type, relations, otherIdentifiers, metadata: safe(parts, type, metadata, faults) }
    const recordType = parts.model.findType(type)
    if (recordType) faults.push(...findExcess(recordType, content))
    const [fault] = faults
    return fault === undefined ? content : `${fault.pointer}: ${fault.message}`
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    const [fault] = error.faults
    return `${fault?.pointer ?? ''}: ${fault?.message ?? error.message}`
  }
}

/** Metadata without unsafe HTML: pages show past versions too. */
function safe({ model, sanitizeHtml }: Parts, type: string, metadata: readonly MetadataEntry[], faults: Fault[]) {
  const budget = newHtmlBudget()
  return metadata.map(entry => {
    if (typeof entry.value !== 'string' || model.fieldOf(type, entry.key)?.kind !== 'html') return entry
    const { html, excess } = sanitizeHtml(entry.value, budget)
    if (excess !== undefined) faults.push({ pointer: '/metadata', message: `"${entry.key}" ${excess}` })
    return html === entry.value ? entry : { ...entry, value: html }
  })
}
