import type { Parts } from '#catalogue/parts.ts'
import { type ExpectedVersions, refuseOtherVersion } from '#catalogue/entities/change-entity.ts'
import { happensOnce, onceOf, type RequestKey } from '#catalogue/entities/once.ts'
import { warnOfDuplicates } from '#catalogue/entities/warn-of-duplicates.ts'
import { type Difference, findDifferences } from '#domain/editing/difference.ts'
import { contentOf, type Entity, type Json } from '#domain/entity/entity.ts'
import { CatalogueError, type Fault, invalidWith, notFound } from '#domain/errors.ts'
import { type ImportJob, newImportJob, noCounts } from '#domain/imports/job.ts'
import type { Principal } from '#domain/permissions.ts'
import { checkRecord } from '#formats/marc/check-record.ts'
import { writeMarcJson } from '#formats/marc/marc-json.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import type { Form, MarcRecord } from '#formats/marc/record.ts'
import type { EntityWrite, Once, StoredEntity } from '#store/ports/entities.ts'
import { deleteOrphans } from './delete-orphans.ts'
import { prepareAuthorityEdit, readAuthoritySource } from './edit-authority.ts'
import { preparePublicationEdit, readPublicationSource } from './edit-publication.ts'
import { placeNewRecord } from './new-source.ts'
import { placingFor } from './place/catalogue-access.ts'
import { fault } from './prepared-edit.ts'
import { commitUnit, isConcurrency, jobWrites, maxTries, newEditJob } from './state/import-state.ts'
import { createStaging, type Staging, UndoNotes } from './state/staging.ts'
import { countEntities } from './summarise-batch.ts'

/** A new state of a source record, sent by a person. */
export interface SourceEdit {
  readonly form: Form
  readonly bytes: Uint8Array
}

export interface SourceEditOptions {
  /** The versions of the entity that the edit may apply to. */
  readonly expected: ExpectedVersions
  readonly dryRun: boolean
  readonly by: string
}

/** An entity that an edit changes. */
export interface ChangedEntity {
  readonly id: string
  readonly type: string
  readonly outcome: 'created' | 'updated' | 'deleted'
  readonly changes: readonly Difference[]
}

export interface EditedSource {
  /** The entity, as written or as it would be. */
  readonly entity: StoredEntity
  readonly warnings: readonly Fault[]
  readonly records: readonly ChangedEntity[]
}

/**
 * Replaces the source record of a manifestation or an authority by an edited one, and brings its
 * works, texts and authorities to it, as an import of the record would. Fields that people edited
 * in the catalogue stay unless this edit changes them. It is a job like an import, so that it can
 * be undone. No import may run meanwhile.
 */
export async function editSource(
  parts: Parts,
  id: string,
  edit: SourceEdit,
  options: SourceEditOptions
): Promise<EditedSource> {
  const sent = await readOne(edit)
  return await inTries(() => editOnce(parts, id, sent, options))
}

export interface NewSourceOptions {
  readonly dryRun: boolean
  /** Makes the record be created once, however often the request is sent. */
  readonly once?: RequestKey | undefined
}

/**
 * Stores a new record that a person wrote, as an import of it would: its works, texts and
 * authorities are found among those of the catalogue. Throws `identifier_taken` for a record that
 * was stored before. It is a job like an import, so that it can be undone.
 */
export const createFromSource = happensOnce(createNow, {
  keyOf: (_, { once }: NewSourceOptions) => once,
  repeat: (_parts, _principal, { outcome, note }): EditedSource => {
    const { id, ...rest } = note as unknown as Omit<EditedSource, 'entity'> & { readonly id: string }
    const entity = outcome.find(each => each?.id === id)
    if (entity === undefined) throw new Error('The outcome of a new record is stored without its entity')
    return { ...rest, entity }
  }
})

async function createNow(parts: Parts, principal: Principal, edit: SourceEdit, options: NewSourceOptions) {
  const sent = await readOne(edit)
  return await inTries(() => createOnce(parts, principal, sent, options))
}

/** Tries again after writes of other processes. */
async function inTries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof Race)) throw error
      if (tries === maxTries) throw error.cause ?? error
    }
  }
}

/**
 * Reads the record that an edit replaces, in its own format: UNIMARC too, and authority records.
 */
export async function readSource(parts: Parts, id: string): Promise<string> {
  const staging = createStaging(parts.store)
  const isAuthority = (await staging.find('authority key', [id])).has(id)
  if (!isAuthority && !(await staging.find('origin', [id])).has(id)) throw notFound('source record of an entity', id)
  const read = isAuthority ? readAuthoritySource : readPublicationSource
  return writeMarcJson(await read({ parts, staging, id }))
}

/** Another process wrote one of the entities meanwhile. */
class Race extends Error {}

/** Reads the one record that was sent. A record with a defect is refused: nothing may be lost. */
async function readOne({ form, bytes }: SourceEdit): Promise<MarcRecord> {
  const readings = []
  for await (const reading of readMarc([bytes], { form })) readings.push(reading)
  const [reading] = readings
  if (reading === undefined) throw fault('The body has no MARC record')
  if (readings.length > 1) throw fault(`The body has ${readings.length} records; send one`)
  const faults = reading.defects
    .filter(each => each.kind !== 'no_control_number')
    .map(({ tag, message }) => ({ pointer: '', message: tag === undefined ? message : `${tag}: ${message}` }))
  if (faults.length > 0) throw invalidWith(faults)
  if (reading.outcome !== 'record')
    throw fault('The leader marks the record as deleted (position 05); delete the record itself')
  return reading.record
}

async function editOnce(
  parts: Parts,
  id: string,
  sent: MarcRecord,
  { expected, dryRun, by }: SourceEditOptions
): Promise<EditedSource> {
  const { store, newUuid } = parts
  const staging = createStaging(store)
  const stored = (await store.findEntities([id])).get(id)
  if (stored === undefined) throw notFound('entity', id)
  refuseOtherVersion(stored, expected)
  const now = new Date().toISOString()
  const isAuthority = (await staging.find('authority key', [id])).has(id)
  const prepare = isAuthority ? prepareAuthorityEdit : preparePublicationEdit
  const { options, stage, warnings = [] } = await prepare({ parts, staging, id, sent, now })
  const job = jobOf({ id: newEditJob(newUuid()), name: id, by, now, options, counts: { ...noCounts, updated: 1 } })
  const undoNotes = new UndoNotes(staging, job.id, 0)
  const editedId = await stage({ ...placingFor(parts, job.id), undoNotes })
  bumpVersion(staging, stored, editedId)
  const doubts = [...checkRecord(sent), ...warnings]
  return await writeStaged(parts, { staging, job, undoNotes, editedId, dryRun, warnings: doubts, stored })
}

async function createOnce(
  parts: Parts,
  principal: Principal,
  sent: MarcRecord,
  { dryRun, once }: NewSourceOptions
): Promise<EditedSource> {
  const { store, newUuid } = parts
  const staging = createStaging(store)
  const now = new Date().toISOString()
  const job = jobOf({
    ...{ id: newEditJob(newUuid()), name: '', by: principal.name, now },
    ...{ options: {}, counts: { ...noCounts, created: 1 } }
  })
  const undoNotes = new UndoNotes(staging, job.id, 0)
  const { id, warnings } = await placeNewRecord(parts, { staging, sent, job, now, undoNotes })
  // An authority record may describe a person who is here, and tell nothing new.
  const stored = (await store.findEntities([id])).get(id)
  if (stored !== undefined) bumpVersion(staging, stored, id)
  const written = staging.pending().writes.find(each => idOf(each) === id)
  const same = written?.kind === 'insert' ? await warnOfDuplicates(parts, principal, written.content) : []
  return await writeStaged(parts, {
    ...{ staging, job: { ...job, name: id }, undoNotes, editedId: id, dryRun },
    warnings: [...same, ...warnings, ...checkRecord(sent)],
    once: note => onceOf(principal, once, note),
    ...(stored === undefined ? {} : { stored })
  })
}

type JobParts = Pick<ImportJob, 'id' | 'name' | 'by' | 'options' | 'counts'> & { readonly now: string }

const jobOf = ({ now, ...job }: JobParts): ImportJob =>
  newImportJob({
    ...{ state: 'done', isPreview: false, createdAt: now, startedAt: now, endedAt: now, handled: 1 },
    ...job
  })

interface StagedEdit {
  readonly staging: Staging
  readonly job: ImportJob
  readonly undoNotes: UndoNotes
  /** The entity that the record describes. */
  readonly editedId: string
  readonly dryRun: boolean
  readonly warnings: readonly Fault[]
  /** The entity before the edit; undefined for a new record. */
  readonly stored?: StoredEntity
  readonly once?: (note: Json) => { readonly once?: Once }
}

/** Writes the changes that were staged, as the work of a job that is done. */
async function writeStaged(
  parts: Parts,
  { staging, job, undoNotes, editedId, dryRun, warnings, stored, once }: StagedEdit
): Promise<EditedSource> {
  const { store } = parts
  const { writes, types, state } = staging.flush()
  const isOther = (each: EntityWrite) =>
    each.kind !== 'insert' && idOf(each) === stored?.id && each.expectedVersion !== stored.version
  if (writes.some(isOther)) throw new Race('', { cause: concurrent(editedId) })
  const records = await changesOf(parts, writes, types)
  const done = { ...countEntities(job, { writes, types }), undoNotes: undoNotes.count }
  const note = { id: editedId, warnings, records } as unknown as Json
  let written: readonly (StoredEntity | undefined)[]
  try {
    const unit = { writes, by: `import:${job.id}`, state: [...state, ...jobWrites(done)], dryRun, ...once?.(note) }
    written = await store.write(unit)
  } catch (error) {
    if (dryRun || !isConcurrency(error)) throw error
    throw new Race('', { cause: error })
  }
  if (!dryRun)
    await deleteOrphans(store, createStaging(store), job.id, page => commitUnit(parts, job, page.writes, page.state))
  const entity = written.find(each => each?.id === editedId)
  if (entity === undefined) throw new Error(`The edit of "${editedId}" did not write it`)
  return { entity, warnings, records }
}

const concurrent = (id: string) =>
  new CatalogueError('version_mismatch', `Others change "${id}" all the time; try again`, { about: ['id', id] })

/**
 * Writes the entity even if its content stays, so that its version tells of the edit, to
 * other editors and to harvesters.
 */
function bumpVersion(staging: Staging, { id, version, json, type }: StoredEntity, editedId: string): void {
  if (staging.pending().writes.some(each => idOf(each) === editedId)) return
  const content = contentOf(JSON.parse(json) as Entity)
  staging.write({ kind: 'update', content: { ...content, id }, expectedVersion: version }, type)
}

const idOf = (write: EntityWrite) => (write.kind === 'delete' ? write.id : write.content.id)

async function changesOf(
  { store }: Parts,
  writes: readonly EntityWrite[],
  types: readonly string[]
): Promise<ChangedEntity[]> {
  const before = await store.findEntities(writes.map(idOf))
  return writes.flatMap((write, index): ChangedEntity[] => {
    const id = idOf(write)
    const type = types[index] ?? ''
    if (write.kind === 'delete') return [{ id, type, outcome: 'deleted', changes: [] }]
    const stored = write.kind === 'update' ? before.get(id) : undefined
    const changes = findDifferences(stored && contentOf(JSON.parse(stored.json) as Entity), write.content)
    return changes.length === 0 ? [] : [{ id, type, outcome: stored ? 'updated' : 'created', changes }]
  })
}
