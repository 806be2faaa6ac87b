import type { Parts } from '#catalogue/parts.ts'
import { type ExpectedVersions, refuseOtherVersion } from '#catalogue/entities/change-entity.ts'
import { type Difference, findDifferences } from '#domain/editing/difference.ts'
import { contentOf, type Entity } from '#domain/entity/entity.ts'
import { CatalogueError, type Fault, invalidWith, notFound } from '#domain/errors.ts'
import { newImportJob, noCounts } from '#domain/imports/job.ts'
import { checkRecord } from '#formats/marc/check-record.ts'
import { writeMarcJson } from '#formats/marc/marc-json.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import type { Form, MarcRecord } from '#formats/marc/record.ts'
import type { EntityWrite, StoredEntity } from '#store/ports/entities.ts'
import { deleteOrphans } from './delete-orphans.ts'
import { prepareAuthorityEdit, readAuthoritySource } from './edit-authority.ts'
import { preparePublicationEdit, readPublicationSource } from './edit-publication.ts'
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
  for (let tries = 1; ; tries++) {
    try {
      return await editOnce(parts, id, sent, options)
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
  const { options, stage } = await prepare({ parts, staging, id, sent, now })
  const job = newImportJob({
    id: newEditJob(newUuid()),
    name: id,
    state: 'done',
    isPreview: false,
    options,
    by,
    createdAt: now,
    startedAt: now,
    endedAt: now,
    handled: 1,
    counts: { ...noCounts, updated: 1 }
  })
  const undoNotes = new UndoNotes(staging, job.id, 0)
  const editedId = await stage({ ...placingFor(parts, job.id), undoNotes })
  bumpVersion(staging, stored, editedId)
  const { writes, types, state } = staging.flush()
  if (writes.some(each => each.kind !== 'insert' && idOf(each) === id && each.expectedVersion !== stored.version))
    throw new Race('', { cause: concurrent(id) })
  const records = await changesOf(parts, writes, types)
  const done = { ...countEntities(job, { writes, types }), undoNotes: undoNotes.count }
  let written: readonly (StoredEntity | undefined)[]
  try {
    written = await store.write({ writes, by: `import:${job.id}`, state: [...state, ...jobWrites(done)], dryRun })
  } catch (error) {
    if (dryRun || !isConcurrency(error)) throw error
    throw new Race('', { cause: error })
  }
  if (!dryRun)
    await deleteOrphans(store, createStaging(store), job.id, page => commitUnit(parts, job, page.writes, page.state))
  const entity = written.find(each => each?.id === editedId)
  if (entity === undefined) throw new Error(`The edit of "${id}" did not write it`)
  return { entity, warnings: checkRecord(sent), records }
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
