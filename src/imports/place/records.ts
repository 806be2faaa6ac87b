import { evidenceVersion, mentionId } from '#domain/clustering/evidence.ts'
import type { ImportJob, NumberCollision, PreviewLine } from '#domain/imports/job.ts'
import { importedDigest } from '#domain/imports/stored.ts'
import { isSameJson } from '#domain/json.ts'
import { descriptionVersion } from '#formats/description/description.ts'
import { type RecordHeader, remarksOn, type SourceDeletion } from '#formats/source/source-item.ts'
import { explain } from '../review.ts'
import { keys, type Undo } from '../state/import-state.ts'
import type { Staging } from '../state/staging.ts'
import { identifyRecords, type NamedItem } from './identify-records.ts'
import { type ImportKind, mayNotDelete, type NotedState, notesOf, type Undoing } from './import-kind.ts'
import { keepSourceEdits } from './keep-source-edits.ts'
import { identifyState, type RecordIdentity } from './next-record.ts'
import { placeRecords } from './place-records.ts'
import type { Placed, Placing, RecordChange } from './placing.ts'
import { contentOf, type PreparedRecord } from './prepare-record.ts'
import type { DraftRules } from './draft-limits.ts'
import type { Parts } from '#catalogue/parts.ts'
import { readPublications } from '#catalogue/publications/read-publications.ts'
import { comparedRecord, isSameRecord } from '#domain/imports/same-record.ts'
import { createPrincipal } from '#domain/permissions.ts'
import { composeRecord, ownAgency } from '#formats/marc/compose-record.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { readMarcEvidence } from '#formats/marc/mapping/evidence.ts'

/* Records of publications, and deletions of them: works and expressions are found for them. */

/** Tells why a record cannot be imported. */
export function refusalOf({ description }: RecordHeader, excess: string | undefined): string[] | undefined {
  // The missing title is among the remarks of the record itself.
  if (description.problems.some(each => each.kind === 'no_title')) return []
  return excess === undefined ? undefined : [excess]
}

interface PlacedRecord {
  readonly item: NamedItem
  readonly identity: RecordIdentity | undefined
  /** Set for a record of this catalogue, which is not imported. */
  readonly own: OwnState | undefined
  readonly collision: NumberCollision | undefined
  /** Whether a deletion fits several records. */
  readonly isUnclear: boolean
  /** Undefined when it is as it was at its last import. */
  readonly change: RecordChange | undefined
  readonly placed: Placed | undefined
}

export const records: ImportKind<PreparedRecord | SourceDeletion, PlacedRecord> = {
  refuse(item, rules) {
    if (item.outcome === 'deletion') {
      if (item.name === undefined) return ['A record was deleted, but the file does not name it']
      return rules.mayDelete === false ? [mayNotDelete] : undefined
    }
    return refusalOf(item, item.excess)
  },

  async place(given, { parts, staging, job, placing }) {
    const items = given.filter((each): each is NamedItem => each.name !== undefined)
    const own: ReadonlyMap<NamedItem, OwnState> = await findOwnRecords(
      parts,
      staging,
      items.filter(each => each.outcome === 'record')
    )
    const others = items.filter(each => !own.has(each))
    const { identities, collisions, unclear } = await identifyRecords(staging, others)
    const clear = others.filter(each => !unclear.has(each))
    const changes = await findChanges(staging, clear, identities, { job, rules: parts })
    const requested = [...changes.values()]
    const placed = requested.length === 0 ? [] : await placeRecords(staging, requested, placing)
    const placedBy = new Map(requested.map((change, at) => [change, placed[at]]))
    return items.map(item => {
      const change = changes.get(item)
      return {
        item,
        identity: identities.get(item),
        own: own.get(item),
        collision: collisions.get(item),
        isUnclear: unclear.has(item),
        change,
        placed: change && placedBy.get(change)
      }
    })
  },

  summarise({ item, own, collision, isUnclear, placed }) {
    const outcome = placed === undefined || placed.outcome === 'unknown' ? 'unchanged' : placed.outcome
    const joined = outcome === 'created' ? (placed?.works.filter(each => !each.isNewWork) ?? []) : []
    const isRetained = outcome === 'kept'
    return {
      item,
      counted: [outcome, ...joined.map(() => 'joinedWorks' as const)],
      isRetained,
      remarks: [
        ...(own === undefined ? remarksOn(item) : []),
        ...(isRetained ? [retainedRemark] : []),
        ...(collision === undefined ? [] : [collisionRemark(collision)]),
        ...(isUnclear ? [unclearRemark] : []),
        ...(own === 'other' ? [ownRemark] : [])
      ],
      ...(collision === undefined ? {} : { collision })
    }
  },

  preview: placed =>
    placed.flatMap(({ item, identity, change, placed: found }): PreviewLine[] => {
      const next = change?.next
      if (next === undefined || found === undefined) return []
      return [
        {
          number: item.position.number,
          record: identity?.number ?? found.name,
          title: titleIn(next.record.manifestation.metadata),
          outcome: found.outcome,
          works: found.works.map(({ isNewWork, link }, index) => ({
            title: titleIn(next.mentions[index]?.work.metadata ?? []),
            is_new: isNewWork,
            explanation: link === undefined ? null : explain(link.reason),
            ...(link === undefined ? {} : { reason: link.reason.code }),
            confidence: link?.confidence ?? null
          }))
        }
      ]
    }),

  undo: { of: ['record', 'mention'], restore: restoreRecords }
}

const retainedRemark = 'Not deleted: people have changed it here, or other records refer to it'
const ownRemark =
  'Not imported: this is a record of this catalogue, and the file has other values. Change the record here instead'
const unclearRemark =
  'Not deleted: several records have this number, and the file does not name the agency. Import the file with its agency'
const collisionRemark = ({ controlNumber, otherTitle }: NumberCollision) =>
  `Another record has the number "${controlNumber}" (“${otherTitle}”), and neither names its agency: imported as a record of its own. Import the file with its agency to tell the numbers apart`

const titleIn = (metadata: readonly { readonly key: string; readonly value: string | boolean }[]) =>
  String(metadata.find(each => each.key === 'title')?.value ?? '')

/** Finds the records that differ from their last import. */
async function findChanges(
  staging: Staging,
  items: readonly NamedItem[],
  identities: ReadonlyMap<NamedItem, RecordIdentity>,
  { job, rules }: { readonly job: ImportJob; readonly rules: DraftRules }
): Promise<Map<NamedItem, RecordChange>> {
  const identityOf = (item: NamedItem) => identities.get(item) ?? { name: item.name }
  const known = await staging.find(
    'record',
    items.map(each => identityOf(each).name)
  )
  const sources = await staging.find(
    'source',
    [...known.values()].filter(each => each.imported !== undefined).map(each => each.manifestationId)
  )
  const changes = new Map<NamedItem, RecordChange>()
  for (const item of items) {
    const identity = identityOf(item)
    const { name } = identity
    if (item.outcome === 'deletion') {
      changes.set(item, { name, next: undefined })
      continue
    }
    const record = known.get(name)
    const isUnchanged =
      record?.evidenceVersion === evidenceVersion &&
      record.descriptionVersion === descriptionVersion &&
      importedDigest(record) === item.state.record.digest &&
      // The same record with another mapping of items.
      isSameJson(
        record.items?.map(({ draft }) => draft) ?? [],
        item.state.items.map(({ draft }) => draft)
      )
    if (isUnchanged) continue
    const source = record && sources.get(record.manifestationId)
    const { item: placed, imported } = source
      ? await keepSourceEdits(item, { ...record, source }, job.options, rules)
      : { item, imported: undefined }
    changes.set(item, { name, next: identifyState(placed.state, identity, job.id, imported) })
  }
  return changes
}

// Undo

type RecordUndo = Extract<Undo, { of: 'record' }>
type Hints = Map<string, { readonly workId: string; readonly expressionId: string }>

/**
 * Restores records, and then moves mentions back to the works and expressions that they had before
 * the import.
 */
async function restoreRecords(notes: readonly NotedState[], undoing: Undoing): Promise<void> {
  const { staging, job } = undoing
  const records = notesOf(notes, 'record')
  const hints = hintsIn(notes)
  const toRestore = new Set(records.map(({ name }) => name))
  const placing = restoringPlacing(undoing, hints, toRestore)
  await undoing.inBatches(records, async batch => {
    for (const { name } of batch) toRestore.delete(name)
    const changes = await restoringChanges(staging, batch, job)
    const placed = changes.length === 0 ? [] : await placeRecords(staging, changes, placing)
    const retained = placed.filter(each => each.outcome === 'kept')
    undoing.count(current => ({
      ...current,
      handled: Math.max(0, current.handled - batch.length),
      counts: { ...current.counts, kept: current.counts.kept + retained.length }
    }))
    for (const { name, manifestationId = name } of retained) undoing.retain(manifestationId)
  })
  // Only now is every id free again that a record had taken along to another work; and some only
  // after other mentions have moved back.
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const moved = await findMoved(staging, hints)
    if (moved.length === 0 || moved.length >= before) return
    before = moved.length
    await undoing.inBatches(moved, async batch => {
      await placeRecords(staging, [], placing, batch)
    })
  }
}

/** The work and expression of each mention before the import first changed it. */
function hintsIn(notes: readonly NotedState[]): Hints {
  const hints: Hints = new Map()
  const hint = (mention: string, { workId, expressionId }: { workId: string; expressionId: string }) => {
    if (!hints.has(mention)) hints.set(mention, { workId, expressionId })
  }
  for (const { first } of notes) {
    if (first.of === 'mention') hint(first.mention, first)
    if (first.of === 'record')
      for (const [place, mention] of first.before?.mentions.entries() ?? []) hint(mentionId(first.name, place), mention)
  }
  return hints
}

/** Places records with the ids that they had. */
function restoringPlacing({ staging, job, placing }: Undoing, hints: Hints, toRestore: Set<string>): Placing {
  return {
    ...placing,
    hints,
    yields: record => toRestore.has(record),
    undoNotes: {
      // While records are still to be put back, a mention that the import did not move may lose its
      // place to one that it did move.
      add: undo => {
        if (undo.of !== 'mention') return
        const hint = hints.get(undo.mention) ?? undo
        hints.set(undo.mention, hint)
        staging.put('undo', keys.moved(job, undo.mention), { ...undo, ...hint })
      }
    }
  }
}

/** Finds mentions that are not in their earlier work and expression. */
async function findMoved(staging: Staging, hints: Hints): Promise<string[]> {
  const now = await staging.find('mention', hints.keys())
  return [...now].flatMap(([id, { workId, expressionId }]) => {
    const hint = hints.get(id)
    return hint !== undefined && (hint.workId !== workId || hint.expressionId !== expressionId) ? [id] : []
  })
}

/**
 * Makes changes that restore records. A record that a later import has changed is left unchanged.
 */
async function restoringChanges(staging: Staging, batch: readonly RecordUndo[], job: string): Promise<RecordChange[]> {
  const known = await staging.find(
    'record',
    batch.map(each => each.name)
  )
  return batch.flatMap(({ name, before }): RecordChange[] => {
    const record = known.get(name)
    if (record !== undefined && record.job !== job) return []
    if (before === null) return record === undefined ? [] : [{ name, next: undefined }]
    const { manifestationId, items = [], ...rest } = before.record
    const { mentions, source } = before
    const next = {
      record: rest,
      mentions,
      items,
      source,
      authorities: new Map(),
      identifier: undefined,
      manifestationId
    }
    return [{ name, next }]
  })
}

/*
 * Records of this catalogue in a file of MARC records that it exported. They exist already,
 * imported or not: an import neither creates them again nor changes them.
 */

/** Whether a record of this catalogue has the same values in the file as here. */
type OwnState = 'same' | 'other'

/**
 * Finds the records of this catalogue among the records of a file: the agency is ours, the number
 * is the id of a publication, and title or standard numbers agree with it. A record that was
 * imported under this number before is not one of them; it is imported again.
 */
async function findOwnRecords(
  parts: Parts,
  staging: Staging,
  records: readonly PreparedRecord[]
): Promise<ReadonlyMap<PreparedRecord, OwnState>> {
  const own = new Map<PreparedRecord, OwnState>()
  const ours = records.filter(({ description }) => description.agency === ownAgency)
  if (ours.length === 0) return own
  const imported = await staging.find(
    'record',
    ours.map(each => each.name)
  )
  const open = ours.filter(each => !imported.has(each.name))
  const reader = createPrincipal(parts.model, 'import', ['read'])
  const publications = await readPublications(
    parts,
    reader,
    open.flatMap(({ description }) => description.controlNumber ?? [])
  )
  for (const record of open) {
    const { description, compared, name, ownContent } = record
    const publication = publications.get(description.controlNumber ?? '')
    if (publication === undefined) continue
    const composed = composeRecord(publication).record
    const present = describeRecord(composed)
    const other = comparedRecord(readMarcEvidence(composed, present, name), present.manifestation)
    if (isSameRecord(compared, other)) own.set(record, ownContent === contentOf(present) ? 'same' : 'other')
  }
  return own
}
