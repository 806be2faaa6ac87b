import type { Parts } from '#catalogue/parts.ts'
import { type BatchResult, writeBatch } from '#catalogue/batches/write-batch.ts'
import type { Entity, MetadataEntry, Relation } from '#domain/entity/entity.ts'
import type { CatalogueError, Fault } from '#domain/errors.ts'
import { letterKey } from '#domain/clustering/title-key.ts'
import { authorityKeyOf } from '#domain/imports/authority-names.ts'
import type { ImportJob } from '#domain/imports/job.ts'
import { isSameJson } from '#domain/json.ts'
import { keyOf } from '#formats/description/keys.ts'
import type { RowIdentity, RowRecord } from '#formats/rows/map-row.ts'
import type { SourceRow } from '#formats/source/source-item.ts'
import type { ImportState } from '../state/import-state.ts'
import type { Staging } from '../state/staging.ts'
import type { UndoNotes } from '../state/undo-notes.ts'
import { writerOf } from '../write-lines.ts'

/*
 * Rows that a mapping turns into records. Each record is found by its identifier or by the values
 * of some fields, and then created or changed. A later import changes only the values that differ
 * from those of the last import, so that edits of people last.
 */

type RowOutcome = 'created' | 'updated' | 'unchanged' | 'refused'

/** A record of a row, and its outcome. */
export interface PlacedRecord {
  readonly id: string
  readonly type: string
  readonly outcome: RowOutcome
  readonly metadata: readonly MetadataEntry[]
  readonly relations: readonly Relation[]
}

export interface PlacedRow {
  readonly item: SourceRow
  /** The records that the row is the first to describe. */
  readonly records: readonly PlacedRecord[]
  /** Reasons why records of the row were not written. */
  readonly refusals: readonly string[]
  readonly remarks: readonly string[]
}

export interface RowPlacing {
  readonly newId: (type: string) => string
  readonly undoNotes: UndoNotes
  /** Commits the notes that were created so far, before anything else is written. */
  readonly commitNotes: () => Promise<void>
}

type StoredRow = ImportState['row']

/** A record as all rows of a batch describe it together. */
interface Wanted {
  readonly key: string
  readonly type: string
  readonly identity: RowIdentity
  /** The first row that describes it. */
  readonly row: SourceRow
  /** Whether several rows describe it. */
  isShared: boolean
  readonly keys: Set<string>
  readonly relationTypes: Set<string>
  readonly entries: Map<string, { readonly entries: readonly MetadataEntry[]; readonly column: string }>
  /** The column that each relation comes from. */
  readonly related: Map<
    string,
    { readonly type: string; readonly to: Wanted | string; readonly role?: string; readonly column: string }
  >
  readonly remarks: string[]
  id: string
}

/** Writes the records of rows. */
export async function placeRows(
  parts: Parts,
  staging: Staging,
  job: ImportJob,
  rows: readonly SourceRow[],
  { newId, undoNotes, commitNotes }: RowPlacing
): Promise<PlacedRow[]> {
  if (rows.length === 0) return []
  const wanted = gather(rows)
  const list = [...wanted.values()]
  const known = await staging.find('row', wanted.keys())
  const identifiers = await identify(parts, list)
  const named = await findByFields(
    parts,
    staging,
    list.filter(each => !known.has(each.key))
  )
  for (const each of list) {
    const before = known.get(each.key)
    each.id = before?.id ?? identifiers.get(each)?.id ?? named.get(each) ?? newId(each.type)
    if (before?.isShared === true || before?.job === job.id) each.isShared = true
  }
  await resolveReferences(parts, staging, wanted)
  const existing = await findExisting(
    parts,
    list.map(each => each.id)
  )
  const plans = list.map(each => planFor(each, known.get(each.key), existing.get(each.id), job))
  for (const { want, line, before } of plans) {
    if (line === undefined) continue
    const { id, key } = want
    undoNotes.add({ of: 'entity', id, version: existing.get(id)?.version ?? null })
    undoNotes.add({ of: 'row', key, before: before ?? null })
    // The id of a new record is decided before it is written: a repeated batch uses it again.
    if (!existing.has(id)) staging.put('row', key, rowStateOf(want, job, before))
  }
  await commitNotes()
  const outcomes = await writePlans(parts, job, plans)
  for (const { want, before } of plans)
    if (outcomes.get(want)?.outcome !== 'refused') staging.put('row', want.key, rowStateOf(want, job, before))
    else if (existing.has(want.id)) staging.put('row', want.key, before ?? null)
  const byRow = Map.groupBy(plans, ({ want }) => want.row)
  return rows.map(item => summarise(item, byRow.get(item) ?? [], outcomes))
}

/** Joins the records of all rows by what identifies them. */
function gather(rows: readonly SourceRow[]): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>()
  for (const row of rows) {
    const own = row.records.map(record => {
      const key = keyFor(record)
      const known = wanted.get(key)
      const want: Wanted = known ?? {
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
        id: ''
      }
      wanted.set(key, want)
      if (want.row !== row) want.isShared = true
      for (const each of record.keys) want.keys.add(each)
      for (const each of record.relationTypes) want.relationTypes.add(each)
      for (const [name, entries] of Map.groupBy(record.metadata, each => each.key)) {
        const [{ column } = { column: '' }] = entries
        // Of several rows, the last one counts.
        want.entries.set(name, { column, entries: entries.map(({ column: _, ...entry }) => entry) })
      }
      return want
    })
    for (const [place, { relations }] of row.records.entries())
      for (const { type, to, role, column } of relations) {
        const target = typeof to === 'number' ? own[to] : to
        if (target === undefined) continue
        const name = `${type}\n${typeof target === 'string' ? target : target.key}`
        own[place]?.related.set(name, { type, to: target, column, ...(role === undefined ? {} : { role }) })
      }
  }
  return wanted
}

/** The key of the state of a record. */
function keyFor({ type, identity }: Pick<RowRecord, 'type' | 'identity'>): string {
  if (identity.by === 'identifier') return `id ${identity.identifier}`
  return `fields ${JSON.stringify([type, ...identity.values.map(([key, value]) => [key, letterKey(value) || value])])}`
}

/** Finds the records that have an identifier of the file. */
async function identify({ store }: Parts, list: readonly Wanted[]) {
  const byIdentifier = new Map<string, Wanted>()
  for (const each of list) if (each.identity.by === 'identifier') byIdentifier.set(each.identity.identifier, each)
  const found = new Map<Wanted, { readonly id: string; readonly type: string }>()
  for (const [identifier, entity] of await store.identify([...byIdentifier.keys()])) {
    const want = byIdentifier.get(identifier)
    if (want !== undefined) found.set(want, entity)
  }
  return found
}

/**
 * Replaces identifiers in relations by the ids of their records. A relation to a record that
 * neither the catalogue nor an earlier row has is left out, with a remark.
 */
async function resolveReferences({ store }: Parts, staging: Staging, wanted: ReadonlyMap<string, Wanted>) {
  const names = new Set<string>()
  for (const { related } of wanted.values())
    for (const { to } of related.values()) if (typeof to === 'string' && !wanted.has(`id ${to}`)) names.add(to)
  const [stored, planned] = [
    await store.identify([...names]),
    await staging.find(
      'row',
      [...names].map(each => `id ${each}`)
    )
  ]
  for (const { related, remarks } of wanted.values())
    for (const [name, relation] of related) {
      const { to, column } = relation
      if (typeof to !== 'string') continue
      const id = wanted.get(`id ${to}`)?.id ?? stored.get(to)?.id ?? planned.get(`id ${to}`)?.id
      if (id !== undefined) related.set(name, { ...relation, to: id })
      else {
        related.delete(name)
        remarks.push(`${column}: No record has the identifier "${to}"; the relation is left out`)
      }
    }
}

/** Finds records that people created, or that imports of publications created, by their names. */
async function findByFields(
  { store, model }: Parts,
  staging: Staging,
  list: readonly Wanted[]
): Promise<Map<Wanted, string>> {
  const found = new Map<Wanted, string>()
  for (const [type, wants] of Map.groupBy(list, each => each.type)) {
    const nameField = model.findType(type)?.nameField
    const named = wants.flatMap(want => {
      const { identity } = want
      const name = identity.by === 'fields' && identity.values.find(([key]) => key === nameField)?.[1]
      return identity.by === 'fields' && nameField !== undefined && name
        ? [{ want, name, values: identity.values }]
        : []
    })
    if (nameField === undefined || named.length === 0) continue
    const names = [...new Set(named.map(each => each.name))]
    const entities: Entity[] = []
    for (let at = 0; at < names.length; at += 500)
      for (const { json } of await store.lookUp(nameField, names.slice(at, at + 500), type))
        entities.push(JSON.parse(json) as Entity)
    const authorityKey = (name: string) =>
      authorityKeyOf({ type, metadata: [{ key: 'name', value: name }], key: keyOf(name) })
    const imported = await staging.find('target', names.map(authorityKey))
    for (const { want, name, values } of named) {
      const match = entities.find(({ metadata }) =>
        values.every(([key, value]) => metadata.some(entry => entry.key === key && entry.value === value))
      )
      const authority = values.length === 1 ? imported.get(authorityKey(name)) : undefined
      const id = match?.id ?? (authority?.exists ? authority.id : undefined)
      if (id !== undefined) found.set(want, id)
    }
  }
  return found
}

async function findExisting({ store }: Parts, ids: readonly string[]): Promise<Map<string, Entity>> {
  const found = new Map<string, Entity>()
  for (const [id, { json }] of await store.findEntities([...new Set(ids)])) found.set(id, JSON.parse(json) as Entity)
  return found
}

// Plans

interface Plan {
  readonly want: Wanted
  readonly before: StoredRow | undefined
  readonly isNew: boolean
  readonly metadata: readonly MetadataEntry[]
  readonly relations: readonly Relation[]
  /** The operation of a batch; undefined if nothing changes. */
  readonly line: Readonly<Record<string, unknown>> | undefined
  readonly refusal?: string
}

function planFor(want: Wanted, before: StoredRow | undefined, existing: Entity | undefined, job: ImportJob): Plan {
  const { metadata: given, relations: givenRelations } = rowStateOf(want, job, before)
  const base = { want, before, isNew: existing === undefined }
  if (existing !== undefined && existing.type !== want.type)
    return {
      ...base,
      metadata: given,
      relations: givenRelations,
      line: undefined,
      refusal: `The record "${want.id}" is a ${existing.type}, not a ${want.type}`
    }
  const { identity } = want
  const identifiers = identity.by === 'identifier' ? [identity.identifier] : []
  if (existing === undefined) {
    // In a preview the record is only planned when an earlier batch has created it.
    const isPlanned = job.isPreview && before?.job === job.id
    const isSame = isPlanned && isSameJson([before.metadata, before.relations], [given, givenRelations])
    const entity = { id: want.id, type: want.type, identifiers, metadata: given, relations: givenRelations }
    return {
      ...base,
      isNew: !isPlanned,
      metadata: given,
      relations: givenRelations,
      line: isSame ? undefined : { op: 'create', entity }
    }
  }
  const isOurs = identity.by === 'identifier'
  const metadata = mergeLists(existing.metadata, given, before?.metadata, want.keys, each => each.key, isOurs)
  const relations = mergeLists(
    existing.relations,
    givenRelations,
    before?.relations,
    want.relationTypes,
    each => each.type,
    isOurs
  )
  const lacksIdentifier = identifiers.some(each => !existing.identifiers.includes(each))
  const isSame = !lacksIdentifier && isSameJson([existing.metadata, existing.relations], [metadata, relations])
  const entity = {
    identifiers: [...existing.identifiers.slice(2), ...(lacksIdentifier ? identifiers : [])],
    metadata,
    relations
  }
  return {
    ...base,
    metadata,
    relations,
    line: isSame ? undefined : { op: 'replace', id: want.id, if_match: existing.version, entity }
  }
}

/**
 * Merges the values of a file into those of a record, name by name. Values that the last import had
 * already do not change, so that edits of people last. A record that was found by its name alone
 * only gets values that it lacks.
 */
function mergeLists<Item>(
  current: readonly Item[],
  given: readonly Item[],
  base: readonly Item[] | undefined,
  names: ReadonlySet<string>,
  nameOf: (each: Item) => string,
  isOurs: boolean
): readonly Item[] {
  let result = current
  for (const name of names) {
    const [now, next, last] = [current, given, base].map(list => list?.filter(each => nameOf(each) === name))
    const isUnchanged =
      last === undefined ? next?.length === 0 || (!isOurs && now?.length !== 0) : isSameJson(next, last)
    if (isUnchanged || isSameJson(now, next)) continue
    const at = result.findIndex(each => nameOf(each) === name)
    const others = result.filter(each => nameOf(each) !== name)
    const place = at < 0 ? others.length : result.slice(0, at).filter(each => nameOf(each) !== name).length
    result = [...others.slice(0, place), ...(next ?? []), ...others.slice(place)]
  }
  return result
}

/**
 * The values that the file gives, with those that earlier rows of the same import gave: the last
 * value of each field counts, and the relations of all rows.
 */
function rowStateOf(want: Wanted, job: ImportJob, before: StoredRow | undefined): StoredRow {
  const earlier = before?.job === job.id ? before : undefined
  const given = [...want.entries.values()].flatMap(({ entries }) => entries)
  const kept = earlier?.metadata.filter(({ key }) => !want.entries.has(key)) ?? []
  // Rows of a record that several describe come one after the other, so none removes a relation.
  const beside = want.isShared ? before?.relations : undefined
  const relations = new Map((beside ?? []).map(each => [`${each.type}\n${each.key}`, each]))
  for (const { type, to, role } of want.related.values()) {
    const key = typeof to === 'string' ? to : to.id
    relations.set(`${type}\n${key}`, {
      type,
      key,
      ...(role === undefined ? {} : { metadata: [{ key: 'role', value: role }] })
    })
  }
  return {
    id: want.id,
    job: job.id,
    metadata: [...kept, ...given],
    relations: [...relations.values()],
    ...(want.isShared ? { isShared: true } : {})
  }
}

// Writing

interface Outcome {
  readonly outcome: RowOutcome
  readonly refusals: readonly string[]
  readonly remarks: readonly string[]
}

/** Maximum attempts at a record with values that its fields refuse. */
const maxAttempts = 3

/**
 * Writes the plans. A value that its field refuses is left out, if the record can do without it.
 */
async function writePlans(parts: Parts, job: ImportJob, plans: readonly Plan[]): Promise<Map<Wanted, Outcome>> {
  const outcomes = new Map<Wanted, Outcome>()
  for (const { want, line, refusal } of plans)
    if (line === undefined)
      outcomes.set(want, {
        outcome: refusal === undefined ? 'unchanged' : 'refused',
        refusals: refusal === undefined ? [] : [refusal],
        remarks: []
      })
  let open = plans.flatMap(plan =>
    plan.line === undefined ? [] : [{ plan, line: plan.line, remarks: [] as string[] }]
  )
  const refused = new Set<string>()
  for (let attempt = 1; open.length > 0; attempt++) {
    const again: typeof open = []
    const lines = open.map(({ line }) => line)
    // A preview writes nothing, so records of the file refer to each other without existing.
    const options = { dryRun: job.isPreview, allowDangling: job.isPreview }
    for await (const result of writeBatch(parts, writerOf(parts, job), lines, options)) {
      const one = open[result.index]
      if (one === undefined) continue
      const { plan, line, remarks } = one
      if (result.error === undefined) {
        const doubts = (result.warnings ?? []).map(each => withColumn(plan, line, each))
        const outcome =
          result.outcome === 'created' && plan.isNew
            ? 'created'
            : result.outcome === 'unchanged'
              ? 'unchanged'
              : 'updated'
        outcomes.set(plan.want, { outcome, refusals: [], remarks: [...remarks, ...doubts] })
        continue
      }
      const next = attempt < maxAttempts ? withoutFaulty(plan, line, result.error) : undefined
      if (next !== undefined) again.push({ plan, line: next.line, remarks: [...remarks, ...next.left] })
      else {
        refused.add(plan.want.id)
        outcomes.set(plan.want, { outcome: 'refused', refusals: reasonsOf(plan, line, result, refused), remarks })
      }
    }
    open = again
  }
  return outcomes
}

/** The operation without the values that were refused; undefined if it cannot do without them. */
function withoutFaulty(
  plan: Plan,
  line: Readonly<Record<string, unknown>>,
  error: CatalogueError
): { readonly line: Readonly<Record<string, unknown>>; readonly left: string[] } | undefined {
  const entity = line.entity as { metadata: readonly MetadataEntry[]; relations: readonly Relation[] }
  const places = error.faults.map(({ pointer }) => /^\/(metadata|relations)\/(\d+)(?:\/|$)/.exec(pointer))
  if (error.code !== 'invalid' && error.code !== 'description_too_long') return undefined
  if (places.length === 0 || places.some(each => each === null || each[1] === 'relations')) return undefined
  const faulty = new Set(places.map(each => Number(each?.[2])))
  const metadata = entity.metadata.filter((_, at) => !faulty.has(at))
  return {
    line: { ...line, entity: { ...entity, metadata } },
    left: error.faults.map(each => `${withColumn(plan, line, each)}; the value is left out`)
  }
}

/** The message of a fault with the column that the value comes from. */
function withColumn({ want }: Plan, line: Readonly<Record<string, unknown>>, { pointer, message }: Fault): string {
  const entity = line.entity as { metadata: readonly MetadataEntry[]; relations: readonly Relation[] }
  const [, list, at] = /^\/(metadata|relations)\/(\d+)/.exec(pointer) ?? []
  const entry = list === 'metadata' ? entity.metadata[Number(at)] : undefined
  const relation = list === 'relations' ? entity.relations[Number(at)] : undefined
  const column =
    entry === undefined
      ? [...want.related.values()].find(
          ({ type, to }) => type === relation?.type && (to === relation.key || (to as Wanted).id === relation.key)
        )?.column
      : want.entries.get(entry.key)?.column
  return column === undefined || column === '' ? `${want.type}: ${message}` : `${column}: ${message}`
}

function reasonsOf(
  plan: Plan,
  line: Readonly<Record<string, unknown>>,
  { error }: BatchResult,
  refused: ReadonlySet<string>
): string[] {
  if (error === undefined) return []
  const faults = error.faults.length > 0 ? error.faults : [{ pointer: '', message: error.message }]
  return faults.map(each =>
    each.code === 'missing_target' && refused.has(each.value ?? '')
      ? `${plan.want.type}: left out, since a record that it refers to was left out`
      : withColumn(plan, line, each)
  )
}

function summarise(item: SourceRow, own: readonly Plan[], outcomes: ReadonlyMap<Wanted, Outcome>): PlacedRow {
  const all = own.map(({ want }) => outcomes.get(want))
  return {
    item,
    records: own.map(({ want, metadata, relations }) => ({
      id: want.id,
      type: want.type,
      outcome: outcomes.get(want)?.outcome ?? 'unchanged',
      metadata,
      relations
    })),
    refusals: all.flatMap(each => each?.refusals ?? []),
    remarks: own.flatMap(({ want }) => [...want.remarks, ...(outcomes.get(want)?.remarks ?? [])])
  }
}
