import type { Parts } from '#catalogue/parts.ts'
import { type ExpectedVersions, refuseOtherVersion } from '#catalogue/entities/change-entity.ts'
import { readPublications } from '#catalogue/publications/read-publications.ts'
import { type Difference, findDifferences } from '#domain/editing/difference.ts'
import { contentOf, type Entity } from '#domain/entity/entity.ts'
import { CatalogueError, type Fault, invalidWith, notFound } from '#domain/errors.ts'
import { newImportJob, noCounts } from '#domain/imports/job.ts'
import type { StoredRecord } from '#domain/imports/stored.ts'
import { isSameJson } from '#domain/json.ts'
import { createPrincipal } from '#domain/permissions.ts'
import { checkRecord } from '#formats/marc/check-record.ts'
import { composeChanged } from '#formats/marc/compose/fixed-fields.ts'
import { currentRecord, readStored } from '#formats/marc/current-record.ts'
import { itemOfRecord } from '#formats/marc/marc-items.ts'
import { marc21Table } from '#formats/marc/mapping/marc21-table.ts'
import { mergeRecords } from '#formats/marc/merge-records.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import { detectDialect, findControlValue, type Form, type MarcRecord } from '#formats/marc/record.ts'
import type { Draft } from '#formats/description/description.ts'
import { mentionsIn, type SourceItem, type SourceOptions, type SourceRecord } from '#formats/source/source-item.ts'
import type { EntityWrite, StoredEntity } from '#store/ports/entities.ts'
import { deleteOrphans } from './delete-orphans.ts'
import { placingFor } from './place/catalogue-access.ts'
import { excessOfRecord } from './place/draft-limits.ts'
import { readingOptions } from './place/keep-source-edits.ts'
import { toNextRecord } from './place/next-record.ts'
import { placeRecords } from './place/place-records.ts'
import { mentionIdsOf, type Placing } from './place/placing.ts'
import { findSourceRecords } from './source-records.ts'
import { commitUnit, isConcurrency, jobWrites, keys, maxTries, newEditJob } from './state/import-state.ts'
import { createStaging, type Staging, UndoNotes } from './state/staging.ts'
import { countEntities } from './summarise-batch.ts'

/** A new state of a source record, sent by a person. */
export interface SourceEdit {
  readonly form: Form
  readonly bytes: Uint8Array
}

export interface SourceEditOptions {
  /** The versions of the manifestation that the edit may apply to. */
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
  /** The manifestation, as written or as it would be. */
  readonly entity: StoredEntity
  readonly warnings: readonly Fault[]
  readonly records: readonly ChangedEntity[]
}

/**
 * Replaces the source record of a manifestation by an edited one, and brings its works, texts and
 * authorities to it, as an import of the record would. Fields that people edited in the catalogue
 * stay unless this edit changes them. It is a job like an import, so that it can be undone. No
 * import may run meanwhile.
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

const fault = (message: string) => invalidWith([{ pointer: '', message }])

/** The source record of a manifestation, and the state that an edit starts from. */
interface Situation {
  readonly name: string
  readonly record: StoredRecord
  /** The source record as stored. */
  readonly source: MarcRecord
  /** The same with the changes that people made in the catalogue: the record that they edit. */
  readonly shown: MarcRecord
  readonly readWith: SourceOptions
  readonly jobOptions: Readonly<Record<string, unknown>>
}

async function readSituation(parts: Parts, staging: Staging, id: string): Promise<Situation> {
  const { store, model } = parts
  const name = (await staging.find('origin', [id])).get(id)
  const record = name === undefined ? undefined : (await staging.find('record', [name])).get(name)
  const stored = (await findSourceRecords(store, [id])).get(id)
  const source = stored && (await readStored(stored))
  const reader = createPrincipal(model, 'import', ['read'])
  const publication = (await readPublications(parts, reader, [id], { withItems: true })).get(id)
  if (name === undefined || record === undefined || !stored || !source || publication === undefined)
    throw fault(`"${id}" has no source record in MARC: change the fields of the record instead`)
  const job = (await staging.find('job', [keys.job(record.job)])).get(keys.job(record.job))
  const [, agency] = /^\(([^()]+)\)/.exec(name) ?? []
  const jobOptions = { ...job?.options, ...record.readWith, ...(agency === undefined ? {} : { agency }) }
  return {
    name,
    record,
    source: source.record,
    shown: currentRecord(source.record, stored, publication),
    readWith: readingOptions(jobOptions),
    jobOptions
  }
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
  const situation = await readSituation(parts, staging, id)
  const now = new Date().toISOString()
  const item = toItem(parts, situation, sent, now)
  const job = newImportJob({
    id: newEditJob(newUuid()),
    name: id,
    state: 'done',
    isPreview: false,
    options: situation.jobOptions,
    by,
    createdAt: now,
    startedAt: now,
    endedAt: now,
    handled: 1,
    counts: { ...noCounts, updated: 1 }
  })
  const undoNotes = new UndoNotes(staging, job.id, 0)
  const placing: Placing = {
    ...placingFor(parts, job.id),
    undoNotes,
    changedInSource: await findChanged(staging, situation, sent)
  }
  const { name, record } = situation
  const { number, digest } = record
  const source = (await staging.find('source', [id])).get(id)
  const imported = record.imported ?? (source && { ...source, digest })
  const next = toNextRecord(item, { name, ...(number === undefined ? {} : { number }) }, job.id, imported)
  const [placed] = await placeRecords(staging, [{ name, next }], placing)
  const manifestationId = placed?.manifestationId ?? id
  bumpVersion(staging, stored, manifestationId)
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
  const entity = written.find(each => each?.id === manifestationId)
  if (entity === undefined) throw new Error(`The edit of "${id}" wrote no manifestation`)
  return { entity, warnings: checkRecord(sent), records }
}

const concurrent = (id: string) =>
  new CatalogueError('version_mismatch', `Others change "${id}" all the time; try again`, { about: ['id', id] })

/**
 * The record to place: the sent one, without the changes that people made in the catalogue. Those
 * of the fields that this edit changes, too, stay in it.
 */
function toItem({ model, sanitizeHtml }: Parts, situation: Situation, sent: MarcRecord, now: string): SourceRecord {
  const { source, shown, readWith } = situation
  refuseOtherRecord(shown, sent)
  const merged = shown === source ? sent : mergeRecords(shown, sent, source, tagsOfChanged(situation, sent, readWith))
  const fields = merged.fields.map(field =>
    field.tag === '005' && detectDialect(merged) === 'marc21' ? { tag: '005', value: composeChanged(now) } : field
  )
  const item = itemOfRecord({ leader: merged.leader, fields }, readWith)
  if (item.outcome !== 'record') throw fault(item.defects[0]?.message ?? 'The record describes no publication')
  if (item.description.problems.some(each => each.kind === 'no_title'))
    throw fault('The record has no title: 245 $a is missing (200 $a in UNIMARC)')
  const excess = excessOfRecord(item, { model, sanitizeHtml })
  if (excess !== undefined) throw fault(excess)
  return item
}

/**
 * The tags of all fields that give a value or a relation that the edit changes. A field that is
 * taken from the sent record has other values in it, which people may have changed in the
 * catalogue, or that were those of other fields: where the merged record would say something new
 * about them, their tags are taken, too.
 */
function tagsOfChanged({ shown, source }: Situation, sent: MarcRecord, readWith: SourceOptions): Set<string> {
  const read = (record: MarcRecord) => draftsOf(itemOfRecord(record, readWith))
  const [before, after, stored] = [read(shown), read(sent), read(source)]
  const edited = [...before.keys()].map(place => differingBetween(before[place], after[place]))
  const tags = new Set<string>()
  const take = (names: ReadonlySet<string>, place: number) => {
    for (const drafts of [before, after, stored])
      for (const { name, tag } of namesIn(drafts[place]))
        if (names.has(name)) for (const each of [tag, ...fixedTagsOf(name)]) tags.add(each)
  }
  for (const [place, names] of edited.entries()) take(names, place)
  for (let size = -1; size !== tags.size; ) {
    size = tags.size
    const merged = read(mergeRecords(shown, sent, source, tags))
    for (const [place, names] of edited.entries())
      take(differingBetween(merged[place], stored[place]).difference(names), place)
  }
  return tags
}

const differingBetween = (one: Draft | undefined, other: Draft | undefined) =>
  new Set(one && other ? differingNames(one, other) : [])

/** The names of the fields and relations of a draft, each with the tag that gives it. */
const namesIn = ({ metadata, relations }: Pick<Draft, 'metadata' | 'relations'> = { metadata: [], relations: [] }) => [
  ...metadata.map(({ key, from }) => ({ name: key, tag: from.tag })),
  ...relations.map(({ relation, from }) => ({ name: relation, tag: from.tag }))
]

/** The fixed fields that give a value or a relation, where no other field does. */
const fixedTagsOf = (name: string) =>
  [...marc21Table.metadata, ...marc21Table.relations].flatMap(row =>
    ('gives' in row ? row.gives : row.relation) === name ? row.tags.filter(each => each.startsWith('00')) : []
  )

/** The drafts of a record: of its manifestation, then of each work and its text. */
const draftsOf = (item: SourceItem): Draft[] =>
  item.outcome === 'record'
    ? [item.description.manifestation, ...mentionsIn(item).flatMap(({ work, expression }) => [work, expression])]
    : []

/** Throws for a record of another source or dialect: the next import would not find it again. */
function refuseOtherRecord(shown: MarcRecord, sent: MarcRecord): void {
  const [dialect, other] = [detectDialect(shown), detectDialect(sent)]
  if (dialect !== other) throw fault(`The source record is in ${nameOf[dialect]}, and the sent one in ${nameOf[other]}`)
  for (const tag of dialect === 'marc21' ? ['001', '003'] : ['001']) {
    const [was, is] = [shown, sent].map(each => findControlValue(each, tag)?.trim() ?? '')
    if (was !== is)
      throw fault(
        `${tag}: The number of a record in its source cannot be changed: "${was}" is stored, "${is}" was sent`
      )
  }
}

const nameOf = { marc21: 'MARC 21', unimarc: 'UNIMARC' } as const

/**
 * The fields and relations that the edit changes, by the entities that have them now. Nobody has
 * edited them in the catalogue where the record is shown as it is stored.
 */
async function findChanged(
  staging: Staging,
  { name, record, source, shown, readWith }: Situation,
  sent: MarcRecord
): Promise<Placing['changedInSource']> {
  if (shown === source) return undefined
  const [before, after] = [itemOfRecord(shown, readWith), itemOfRecord(sent, readWith)]
  if (before.outcome !== 'record' || after.outcome !== 'record') return undefined
  const changed = new Map<string, Set<string>>()
  const note = (id: string | undefined, was: Draft | undefined, is: Draft | undefined) => {
    if (id === undefined || was === undefined || is === undefined) return
    changed.set(id, new Set([...(changed.get(id) ?? []), ...differingNames(was, is)]))
  }
  note(record.manifestationId, before.description.manifestation, after.description.manifestation)
  const ids = mentionIdsOf(name, record)
  const placed = await staging.find('mention', ids)
  const [old, now] = [mentionsIn(before), mentionsIn(after)]
  for (const [place, mention] of ids.entries()) {
    const { workId, expressionId } = placed.get(mention) ?? {}
    note(workId, old[place]?.work, now[place]?.work)
    note(expressionId, old[place]?.expression, now[place]?.expression)
  }
  return changed
}

/** The keys of fields and the types of relations in which two drafts differ. */
function differingNames(one: Draft, other: Draft): string[] {
  const valuesOf = ({ metadata, relations, identifiers }: Draft) =>
    Map.groupBy(
      [
        ...metadata.map(({ from: _, key, ...value }) => [key, value] as const),
        ...relations.map(({ from: _, relation, ...value }) => [relation, value] as const),
        ...identifiers.map(value => ['identifier', value] as const)
      ],
      ([name]) => name
    )
  const [was, is] = [valuesOf(one), valuesOf(other)]
  return [...new Set([...was.keys(), ...is.keys()])].filter(name => !isSameJson(was.get(name), is.get(name)))
}

/**
 * Writes the manifestation even if its content stays, so that its version tells of the edit, to
 * other editors and to harvesters.
 */
function bumpVersion(staging: Staging, { id, version, json, type }: StoredEntity, manifestationId: string): void {
  if (staging.pending().writes.some(each => idOf(each) === manifestationId)) return
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
