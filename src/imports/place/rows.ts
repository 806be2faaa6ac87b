import type { Parts } from '#catalogue/parts.ts'
import type { MetadataEntry } from '#domain/entity/entity.ts'
import type { ExistingEntity } from '#domain/imports/decide-entities.ts'
import type { PreviewRecord } from '#domain/imports/job.ts'
import { withMove } from '#domain/imports/moved-dates.ts'
import { type ExistingContent, retainEdits } from '#domain/imports/retain-edits.ts'
import { settleContent } from '#domain/imports/settle-content.ts'
import { isSameJson } from '#domain/json.ts'
import { controlNumberOf, remarksOn, type SourceRow } from '#formats/source/source-item.ts'
import type { ImportState } from '../state/import-state.ts'
import { type GatheredRecord, gatherRows, givenBy, identifierOf, keyOfIdentifier } from './gather-rows.ts'
import { identifyRows } from './identify-rows.ts'
import { type Batch, type ImportKind, notesOf } from './import-kind.ts'
import { isByImport } from './stage-entities.ts'
import { type RowPlan, type RowResult, writeRows } from './write-rows.ts'

/*
 * Rows that a mapping turns into records. Each record is found by its identifier or by the values
 * of some fields, and then created or changed. The values of the last import are stored, so that
 * edits of people last as they do for other records (`retainEdits`).
 */

interface PlacedRow {
  readonly item: SourceRow
  /** The records that the row is the first to describe. */
  readonly records: readonly { readonly plan: RowPlan; readonly result: RowResult }[]
  /** Whether the entities of the records are staged: a preview writes nothing. */
  readonly isStaged: boolean
}

export const rows: ImportKind<SourceRow, PlacedRow> = {
  refuse: () => undefined,

  async place(items, batch) {
    const { parts, job } = batch
    const gathered = gatherRows(items)
    const known = await identifyRows(gathered, batch)
    const plans = await planRecords([...gathered.values()], known, batch)
    await noteStates(plans, batch)
    const results = await writeRows(parts, job, plans)
    for (const plan of plans) stageResult(plan, resultOf(results, plan), batch)
    const byRow = Map.groupBy(plans, ({ record }) => record.row)
    return items.map(item => ({
      item,
      records: (byRow.get(item) ?? []).map(plan => ({ plan, result: resultOf(results, plan) })),
      isStaged: job.isPreview
    }))
  },

  summarise({ item, records, isStaged }) {
    const refusal = records.flatMap(({ result }) => result.refusals)
    const outcomes = records.flatMap(({ plan, result: { outcome } }) =>
      outcome === 'refused' ? [] : [{ type: plan.record.type, outcome }]
    )
    return {
      item,
      counted: outcomes.map(each => each.outcome),
      written: outcomes.flatMap(({ type, outcome }) =>
        isStaged || outcome === 'unchanged' ? [] : [{ type, outcome }]
      ),
      remarks: [
        ...remarksOn(item),
        ...records.flatMap(({ plan, result }) => [...plan.record.remarks, ...result.remarks])
      ],
      ...(refusal.length === 0 ? {} : { refusal })
    }
  },

  preview(placed, model) {
    const names = new Map<string, string>()
    for (const { records } of placed)
      for (const { plan } of records) {
        const nameField = model.findType(plan.record.type)?.nameField
        names.set(plan.record.id, String(plan.content.metadata.find(each => each.key === nameField)?.value ?? ''))
      }
    return placed.map(({ item, records }) => {
      const shown = records.map(({ plan: { record, content }, result }): PreviewRecord => {
        const relations = content.relations.map(each => ({ type: each.type, name: names.get(each.key) ?? each.key }))
        const { type, id } = record
        const { metadata } = content
        return { type, title: names.get(id) ?? '', outcome: result.outcome, metadata, relations }
      })
      const [first] = shown
      return {
        number: item.position.number,
        record: controlNumberOf(item) ?? '',
        title: first?.title ?? '',
        outcome: first?.outcome ?? 'unchanged',
        works: [],
        records: shown
      }
    })
  },

  undo: {
    of: ['row'],
    // Notes of entities, which restore the records themselves, are those of entities of our own.
    async restore(notes, { staging, inBatches }) {
      await inBatches(notesOf(notes, 'row'), async batch => {
        for (const { key, before } of batch) staging.put('row', key, before)
      })
    }
  }
}

const unchanged: RowResult = { outcome: 'unchanged', refusals: [], remarks: [], entity: undefined }
const resultOf = (results: ReadonlyMap<RowPlan, RowResult>, plan: RowPlan) => results.get(plan) ?? unchanged

/** Plans the content of each record. */
async function planRecords(
  records: readonly GatheredRecord[],
  known: ReadonlyMap<string, ImportState['row']>,
  { parts, staging, job }: Batch
): Promise<RowPlan[]> {
  const ids = records.map(each => each.id)
  // In a preview, records that earlier rows would have written are as these would have left them.
  const existing = await staging.findEntities(new Set(ids))
  const stored = job.isPreview ? await parts.store.identify(ids) : existing
  return records.map(record => {
    const before = known.get(record.key)
    const entity = existing.get(record.id)
    const given = withMoveOf(record, givenBy(record, before, job.id), before, parts)
    const base = { record, before, given, existing: entity, isStored: stored.has(record.id) }
    if (entity === undefined) return { ...base, content: given, isSame: false }
    if (entity.content.type !== record.type) {
      const refusal = `The record "${record.id}" is a ${entity.content.type}, not a ${record.type}`
      return { ...base, content: given, isSame: false, refusal }
    }
    const content = retainEdits(entity.content, lastContent(record, before, entity, given, parts), given)
    const isNamed = identifiersOf(entity).includes(identifierOf(record) ?? record.id)
    const isSame =
      isNamed && isSameJson([entity.content.metadata, entity.content.relations], [content.metadata, content.relations])
    return { ...base, content, isSame }
  })
}

/** The values of the file, with the former date of one that moved. */
function withMoveOf(
  record: GatheredRecord,
  given: ExistingContent,
  before: ImportState['row'] | undefined,
  { model }: Parts
): ExistingContent {
  const rule = model.findType(record.type)?.moved
  if (record.datedBy === undefined || rule === undefined || before === undefined) return given
  return { ...given, metadata: withMove(rule, given.metadata, before.metadata) }
}

const identifiersOf = ({ content: { id, uuid, otherIdentifiers } }: ExistingEntity) => [id, uuid, ...otherIdentifiers]

/**
 * The content that the last import gave a record, as far as the mapping fills it. Values that
 * differ from it are edits of people.
 *
 * A record that no import of rows has written yet gets the values that it lacks. Only if imports
 * alone have written it, and it has the identifier of the row, the row replaces its values.
 */
function lastContent(
  record: GatheredRecord,
  before: ImportState['row'] | undefined,
  existing: ExistingEntity,
  given: ExistingContent,
  parts: Parts
): ExistingContent {
  if (before !== undefined) {
    // Imports of earlier versions stored the values of the file, not as they were written.
    const { metadata } = settleContent({ type: record.type, metadata: before.metadata, relations: [] }, parts)
    return {
      metadata: metadata.filter(({ key }) => record.keys.has(key)),
      relations: before.relations.filter(({ type }) => record.relationTypes.has(type))
    }
  }
  if (!identifiersOf(existing).includes(identifierOf(record) ?? '') || !isByImport(existing))
    return { metadata: [], relations: [] }
  const [keys, types] = [new Set(given.metadata.map(each => each.key)), new Set(given.relations.map(each => each.type))]
  return {
    metadata: existing.content.metadata.filter(({ key }) => keys.has(key)),
    relations: existing.content.relations.filter(({ type }) => types.has(type))
  }
}

/**
 * Notes the state of records before they are written. The id of a new record is decided before it
 * is written, too: a repeated batch uses it again.
 */
async function noteStates(plans: readonly RowPlan[], { staging, job, undoNotes, commitNotes }: Batch): Promise<void> {
  for (const { record, before, given, existing, isSame, refusal } of plans) {
    if (isSame || refusal !== undefined) continue
    undoNotes.add({ of: 'entity', id: record.id, version: existing?.version ?? null })
    undoNotes.add({ of: 'row', key: record.key, before: before ?? null })
    if (record.movedFrom !== undefined)
      undoNotes.add({ of: 'row', key: keyOfIdentifier(record.movedFrom), before: before ?? null })
    if (existing === undefined) staging.put('row', record.key, stateOf(record, given, job.id))
  }
  await commitNotes()
}

/** Stages the state of a record after it was written, or refused. */
function stageResult(plan: RowPlan, { outcome, entity }: RowResult, { staging, job }: Batch): void {
  const { record, before, given, existing, content } = plan
  if (outcome === 'refused') {
    if (existing !== undefined) staging.put('row', record.key, before ?? null)
    return
  }
  staging.put('row', record.key, stateOf(record, entity ? asWritten(given, content, entity.content) : given, job.id))
  if (record.movedFrom !== undefined) staging.put('row', keyOfIdentifier(record.movedFrom), null)
  if (!job.isPreview || entity === undefined || outcome === 'unchanged') return
  staging.write(
    existing === undefined
      ? { kind: 'insert', content: entity.content }
      : { kind: 'update', content: entity.content, expectedVersion: existing.version },
    record.type
  )
}

const stateOf = ({ id, isShared }: GatheredRecord, given: ExistingContent, job: string): ImportState['row'] => ({
  id,
  job,
  metadata: given.metadata,
  relations: given.relations,
  ...(isShared ? { isShared: true } : {})
})

/**
 * The values of the file in the form in which they were written: with safe HTML, the offset of the
 * venue, and without values that their fields refused. Of a field that people edited, the value of
 * the file was not written.
 */
function asWritten(given: ExistingContent, planned: ExistingContent, written: ExistingContent): ExistingContent {
  const inList = (list: readonly MetadataEntry[], key: string) => list.filter(each => each.key === key)
  const keys = new Set(given.metadata.map(each => each.key))
  return {
    metadata: [...keys].flatMap(key => {
      const own = inList(given.metadata, key)
      return isSameJson(own, inList(planned.metadata, key)) ? inList(written.metadata, key) : own
    }),
    relations: given.relations
  }
}
