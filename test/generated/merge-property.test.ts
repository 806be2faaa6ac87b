import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'

import type { Entity, MetadataEntry, Relation } from '#domain/entity/entity.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { changesAfter, endOfFeed } from '../support/records/changes.ts'
import { howMany, seed } from '../support/records/chance.ts'
import { start, type TestService } from '../support/services/start.ts'

/*
 * Merges and their undoing, over random catalogues: records that refer to each other and to both
 * sides of a merge, with roles, further identifiers and repeated metadata. Two states are the same
 * if every byte of every document is, except `version` and `audit.updated`. Those continue, because
 * the history is never rewritten: undoing a merge is a change too.
 *
 * `SEED=… node --test <this file>` repeats a run.
 */

/** How many random catalogues for each of the tests. */
const runs = {
  newestFirst: howMany({ quick: 2, short: 6, long: 700, onPostgres: 3 }),
  anyOrder: howMany({ quick: 3, short: 8, long: 1300, onPostgres: 4 }),
  neverMade: howMany({ quick: 2, short: 6, long: 1000, onPostgres: 3 }),
  edited: howMany({ quick: 3, short: 8, long: 1300, onPostgres: 4 })
}
/**
 * A service is used for so many runs before the next is started: a start costs more than a run, and
 * a full catalogue slows each of them.
 */
const runsPerService = 20

// Plans: what fast-check makes and shrinks. Numbers stand for records; each is taken modulo how
// many there are.

interface ArrowPlan {
  readonly kind: number
  readonly target: number
  /**
   * Points to one of the first records of a type, so that many share a target and both sides of a
   * merge are pointed to.
   */
  readonly isCrowded: boolean
  readonly role: string | undefined
}

interface RecordPlan {
  readonly type: (typeof types)[number]
  readonly notes: readonly MetadataEntry[]
  readonly identifiers: number
  readonly arrows: readonly ArrowPlan[]
  readonly edits: number
}

interface MergePlan {
  readonly survivor: number
  readonly victim: number
  readonly isCrowded: boolean
  /**
   * The content that the caller chooses for the survivor: the metadata of both records, or the
   * relations of the victim.
   */
  readonly chooses: 'nothing' | 'metadata' | 'relations'
}

interface EditPlan {
  readonly record: number
  readonly kind: 'metadata' | 'relation' | 'role' | 'title' | 'delete'
  readonly target: number
}

interface Plan {
  readonly records: readonly RecordPlan[]
  readonly merges: readonly MergePlan[]
  /** Which of the merges that can be taken back is next; newest first where it is left out. */
  readonly order: readonly number[] | undefined
}

const types = ['person', 'venue', 'work_word', 'work_music', 'production', 'performance', 'expression_word'] as const

const aNote = fc.record(
  {
    key: fc.constantFrom('scrap', 'label'),
    value: fc.oneof(fc.string({ maxLength: 8 }), fc.integer({ min: 0, max: 9 })),
    lang: fc.constantFrom('nl', 'fr')
  },
  { requiredKeys: ['key', 'value'] }
)

/**
 * Returns the metadata of a victim that a survivor can have besides its own: a declared field has
 * one value.
 */
const addable = (survivor: Entity, victim: Entity) => {
  const declared = new Set(Object.keys(builtInRecordTypes.find(each => each.type === survivor.type)?.fields ?? {}))
  return victim.metadata.filter(
    entry => !declared.has(entry.key) || !survivor.metadata.some(own => own.key === entry.key)
  )
}

const anArrow: fc.Arbitrary<ArrowPlan> = fc.record({
  kind: fc.nat(100),
  target: fc.nat(100),
  isCrowded: fc.boolean(),
  role: fc.option(fc.constantFrom('author', 'director'), { nil: undefined })
})

const aRecordPlan: fc.Arbitrary<RecordPlan> = fc.record({
  type: fc.constantFrom(...types),
  notes: fc.array(aNote, { maxLength: 4 }),
  identifiers: fc.nat(2),
  arrows: fc.array(anArrow, { maxLength: 6 }),
  edits: fc.nat(2)
})

const aMergePlan: fc.Arbitrary<MergePlan> = fc.record({
  survivor: fc.nat(100),
  victim: fc.nat(100),
  isCrowded: fc.boolean(),
  chooses: fc.constantFrom('nothing', 'nothing', 'metadata', 'relations')
})

const anEditPlan: fc.Arbitrary<EditPlan> = fc.record({
  record: fc.nat(100),
  kind: fc.constantFrom('metadata', 'relation', 'role', 'title', 'delete'),
  target: fc.nat(100)
})

const aPlan = (order: fc.Arbitrary<readonly number[] | undefined>): fc.Arbitrary<Plan> =>
  fc.record({
    records: fc.array(aRecordPlan, { minLength: 5, maxLength: 40 }),
    merges: fc.array(aMergePlan, { minLength: 1, maxLength: 3 }),
    order
  })

const newestFirst = fc.constant(undefined)
const anyOrder = fc.array(fc.nat(100), { minLength: 3, maxLength: 3 })

describe('a merge that is taken back', () => {
  it(`leaves the whole catalogue byte-identical, newest merge first (seed ${seed})`, async t => {
    await check(t, runs.newestFirst, aPlan(newestFirst), async (service, plan, prefix) =>
      mergeAndTakeBack(service, plan, prefix)
    )
  })

  it(`leaves the whole catalogue byte-identical in whatever order merges are taken back (seed ${seed})`, async t => {
    await check(t, runs.anyOrder, aPlan(anyOrder), async (service, plan, prefix) =>
      mergeAndTakeBack(service, plan, prefix)
    )
  })

  it(`leaves what would be there, had it never been made, while others stay made (seed ${seed})`, async t => {
    await check(t, runs.neverMade, aPlan(anyOrder), async (service, plan, prefix) =>
      mergeAndTakeOneBack(service, plan, prefix)
    )
  })

  it(`keeps what was changed in between (seed ${seed})`, async t => {
    const edited = fc.tuple(aPlan(newestFirst), fc.array(anEditPlan, { minLength: 1, maxLength: 6 }))
    await check(t, runs.edited, edited, async (service, [plan, edits], prefix) =>
      mergeEditAndTakeBack(service, plan, edits, prefix)
    )
  })
})

async function check<T>(
  t: TestContext,
  numRuns: number,
  plans: fc.Arbitrary<T>,
  run: (service: TestService, plan: T, prefix: string) => Promise<void>
) {
  let service: TestService | undefined
  let count = 0
  const started = performance.now()
  await fc.assert(
    fc.asyncProperty(plans, async plan => {
      if (!service || count % runsPerService === 0) service = await start(t)
      count++
      await run(service, plan, `${count}-`)
    }),
    { seed, numRuns }
  )
  t.diagnostic(`seed ${seed}: ${numRuns} runs in ${Math.round(performance.now() - started)} ms`)
}

async function mergeAndTakeBack(service: TestService, plan: Plan, prefix: string) {
  await fill(service, plan, prefix)
  const before = await readCatalogue(service)
  const merges = await mergeAll(service, plan, prefix)
  await takeAllBack(service, merges, plan.order)
  const after = await readCatalogue(service)
  assertSameDocuments(after.documents, before.documents)
  assert.deepEqual(after, before)
  assert.deepEqual(await service.libretto.store.check(), {
    ok: true,
    entities: before.documents.length,
    problems: [],
    notices: []
  })
}

/**
 * Two catalogues of one plan: in the second, the merge that is taken back in the first is never
 * made.
 */
async function mergeAndTakeOneBack(service: TestService, plan: Plan, prefix: string) {
  const merges = plan.merges.map((merge): MergePlan => ({ ...merge, chooses: 'nothing' }))
  const [one, other] = [`${prefix}one-`, `${prefix}other-`]
  await fill(service, plan, one)
  await fill(service, plan, other)
  const made = await mergeAll(service, { ...plan, merges }, one)
  const back = at(
    made.filter(each => !made.some(later => later.victim.id === each.survivor)),
    plan.order?.[0] ?? 0
  )
  if (!back) return
  const { status, text } = await service.post(`/entities/${back.survivor}/unmerge`, { victim_id: back.victim.id })
  assert.equal(status, 200, text)
  for (const each of made.filter(merge => merge !== back)) {
    const [survivor, victim] = [each.survivor, each.victim.id].map(id => id.replace(one, other))
    const merged = await service.post(`/entities/${survivor}/merge`, { victim_id: victim })
    assert.equal(merged.status, 200, merged.text)
  }
  const all = await readEntities(service)
  assertSameDocuments(withoutNames(all, one), withoutNames(all, other))
}

/**
 * Returns the documents under a prefix, without everything in which two catalogues of one plan
 * differ. A record that was restored while its target was merged refers to it by a former
 * identifier, which still works.
 */
function withoutNames(all: readonly Entity[], prefix: string): string[] {
  const entities = all.filter(entity => entity.id.startsWith(prefix))
  const ids = new Map(entities.flatMap(({ id, identifiers }) => identifiers.map(identifier => [identifier, id])))
  return entities.map(({ id, type, metadata, relations, identifiers }) => {
    const resolved = relations.map(relation => ({ ...relation, key: ids.get(relation.key) ?? relation.key }))
    const content = {
      id,
      type,
      metadata,
      relations: [...new Map(resolved.toReversed().map(each => [`${each.type} ${each.key}`, each])).values()].sort(
        (a, b) => (`${a.type} ${a.key}` < `${b.type} ${b.key}` ? -1 : 1)
      ),
      identifiers: identifiers.filter(identifier => identifier.includes(prefix))
    }
    return JSON.stringify(content).replaceAll(prefix, '')
  })
}

async function mergeEditAndTakeBack(service: TestService, plan: Plan, edits: readonly EditPlan[], prefix: string) {
  await fill(service, plan, prefix)
  const before = await readEntities(service)
  const merges = await mergeAll(service, { ...plan, merges: plan.merges.slice(0, 1) }, prefix)
  const expected = new Map(before.map(entity => [entity.id, entity]))
  const [merged] = merges
  for (const [number, edit] of edits.entries()) {
    await editOne(service, edit, number, prefix, expected, merged?.survivor)
  }
  await takeAllBack(service, merges, plan.order)
  const now = await readEntities(service)
  // A record that comes back has no relation to one that was deleted meanwhile.
  const names = new Set(now.flatMap(entity => entity.identifiers))
  const wanted = [...expected.values()].map(entity => {
    return { ...entity, relations: entity.relations.filter(({ key }) => names.has(key)) }
  })
  assertSameDocuments(now.map(lasting), wanted.map(lasting))
  const { ok, problems } = await service.libretto.store.check()
  assert.ok(ok, problems.join('\n'))
}

// The catalogue

/**
 * Creates the records of a plan in one transaction, since they may point to each other in any
 * order; then edits some, so that their versions differ.
 */
async function fill(service: TestService, plan: Plan, prefix: string) {
  const entities = toEntities(plan, prefix)
  const created = await service.post(
    '/entities/batch?atomic=1',
    entities.map(entity => ({ op: 'create', entity }))
  )
  assert.equal(created.status, 200, created.text)
  const edits = plan.records.flatMap((record, index) =>
    Array.from({ length: record.edits }, (_, number) => ({
      op: 'patch',
      id: `${prefix}${index}`,
      metadata: [{ key: 'edit', value: number }]
    }))
  )
  const edited = await service.post('/entities/batch', edits)
  assert.ok(
    edited.body.every((each: { status: number }) => each.status === 200),
    edited.text
  )
}

type NewEntity = Pick<Entity, 'id' | 'type' | 'metadata' | 'relations' | 'identifiers'>

/** Which relations a type may have: those of its table, and one that is in no table. */
const arrowKinds: Readonly<Record<string, readonly (readonly [relation: string, targets: readonly string[]])[]>> = {
  person: [['seeAlso', types]],
  venue: [['seeAlso', types]],
  work_word: [
    ['refAuthors', ['person']],
    ['refRelatedWorks', ['work_word', 'work_music']],
    ['seeAlso', types]
  ],
  work_music: [
    ['refAuthors', ['person']],
    ['refRelatedWorks', ['work_word', 'work_music']]
  ],
  production: [
    ['refVenues', ['venue']],
    ['refAuthors', ['person']],
    ['refWorks', ['work_word', 'work_music', 'expression_word']]
  ],
  performance: [
    ['refVenues', ['venue']],
    ['seeAlso', types]
  ],
  expression_word: [['refAuthors', ['person']]]
}

/** The relations that a type requires. */
const needs: Readonly<Record<string, readonly [relation: string, targets: readonly string[]]>> = {
  performance: ['refProduction', ['production']],
  expression_word: ['refWork', ['work_word', 'work_music']]
}

function toEntities({ records }: Plan, prefix: string): NewEntity[] {
  const present = new Set(records.map(record => record.type as string))
  // A record whose type needs one that is not there becomes a person.
  const typed = records.map(record => {
    const need = needs[record.type]
    return need && !need[1].some(type => present.has(type)) ? { ...record, type: 'person' as const } : record
  })
  const ofTypes = (wanted: readonly string[]) =>
    typed.flatMap((record, index) => (wanted.includes(record.type) ? [`${prefix}${index}`] : []))
  const pointTo = (relation: string, wanted: readonly string[], arrow: ArrowPlan): Relation[] => {
    const all = ofTypes(wanted)
    const key = at(arrow.isCrowded ? all.slice(0, 3) : all, arrow.target)
    if (key === undefined) return []
    const { role } = arrow
    return [{ key, type: relation, ...(role === undefined ? {} : { metadata: [{ key: 'role', value: role }] }) }]
  }
  return typed.map((record, index) => {
    const id = `${prefix}${index}`
    const need = needs[record.type]
    const first = record.arrows[0] ?? { kind: 0, target: index, isCrowded: true, role: undefined }
    const relations = [
      ...(need ? pointTo(...need, first) : []),
      ...record.arrows.flatMap(arrow => {
        const kind = at(arrowKinds[record.type] ?? [], arrow.kind)
        return kind ? pointTo(...kind, arrow) : []
      })
    ]
    const name = ['person', 'venue'].includes(record.type) ? 'name' : 'title'
    return {
      id,
      type: record.type,
      metadata: [
        record.type === 'performance'
          ? { key: 'start', value: '2026-11-14T20:00:00Z' }
          : { key: name, value: `Record ${id}` },
        ...record.notes
      ],
      relations: [...new Map(relations.map(each => [`${each.type} ${each.key}`, each])).values()],
      identifiers: Array.from({ length: record.identifiers }, (_, number) => `urn:${id} / ${number}`)
    }
  })
}

const at = <T>(list: readonly T[], number: number): T | undefined => list[number % list.length]

async function readEntities(service: TestService): Promise<Entity[]> {
  const { body } = await service.get('/entities?limit=1000')
  assert.ok(body.length < 1000, 'The catalogue does not fit into one page')
  return body as Entity[]
}

/** Returns the part of a document that must be the same again. */
const lasting = ({ version, audit, ...rest }: Entity) => JSON.stringify({ ...rest, created: audit.created })

/** Says only which documents differ, of all there are. */
function assertSameDocuments(actual: readonly string[], expected: readonly string[]) {
  const [known, wanted] = [new Set(actual), new Set(expected)]
  assert.deepEqual(
    actual.filter(each => !wanted.has(each)),
    expected.filter(each => !known.has(each))
  )
  assert.deepEqual(actual, expected, 'the order of creation is another')
}

/**
 * Everything that must be the same again: all documents in the order of creation, what every
 * identifier leads to, who points where.
 */
async function readCatalogue(service: TestService) {
  const { store } = service.libretto
  const entities = await readEntities(service)
  const resolved: Record<string, string | undefined> = {}
  const references: Record<string, unknown> = {}
  for (const { id, identifiers } of entities) {
    for (const identifier of identifiers) resolved[identifier] = (await store.findEntity(identifier))?.id
    references[id] = await store.findReferences({ id, readableTypes: undefined, skip: 0, limit: 1000 })
  }
  return { documents: entities.map(lasting), resolved, references }
}

// Merging

interface Merged {
  readonly survivor: string
  readonly victim: Entity
}

async function mergeAll(service: TestService, plan: Plan, prefix: string): Promise<Merged[]> {
  const merges: Merged[] = []
  for (const each of plan.merges) {
    const live = (await readEntities(service)).filter(entity => entity.id.startsWith(prefix))
    const families = Map.groupBy(live, entity => entity.type.replace(/^work_.*/, 'work'))
    const possible = [...families.values()].filter(family => family.length > 1)
    const family = at(possible, each.survivor) ?? []
    const crowd = each.isCrowded ? family.slice(0, 3) : family
    const survivor = at(crowd, each.survivor)
    const victim = at(
      crowd.filter(entity => entity !== survivor),
      each.victim
    )
    if (survivor && victim) merges.push(await mergeOne(service, survivor, victim, each.chooses))
  }
  return merges
}

async function mergeOne(
  service: TestService,
  survivor: Entity,
  victim: Entity,
  chooses: MergePlan['chooses']
): Promise<Merged> {
  const before = await readEntities(service)
  const names = new Set(victim.identifiers)
  const referring = before.filter(
    entity =>
      entity.id !== survivor.id && entity.id !== victim.id && entity.relations.some(relation => names.has(relation.key))
  )
  const { body, changes } = await withChanges(service, () =>
    service.post(`/entities/${survivor.id}/merge`, {
      victim_id: victim.id,
      ...(chooses === 'metadata' ? { metadata: [...survivor.metadata, ...addable(survivor, victim)] } : {}),
      ...(chooses === 'relations' ? { relations: victim.relations } : {})
    })
  )
  assert.deepEqual(body, {
    survivor_id: survivor.id,
    victim_id: victim.id,
    repointed_references: referring.length
  })
  assert.deepEqual(changes, [
    `entity.merged ${victim.id} without a document`,
    `entity.updated ${survivor.id}`,
    ...referring.map(entity => `entity.updated ${entity.id}`)
  ])

  const after = await readEntities(service)
  for (const identifier of victim.identifiers)
    assert.equal((await service.libretto.store.findEntity(identifier))?.id, survivor.id)
  const touched = new Set([survivor.id, victim.id, ...referring.map(entity => entity.id)])
  assert.deepEqual(
    after.filter(entity => !touched.has(entity.id)),
    before.filter(entity => !touched.has(entity.id)),
    'a record was changed that has nothing to do with the merge'
  )
  const pointing = after.filter(entity => entity.relations.some(relation => names.has(relation.key)))
  assert.deepEqual(pointing, [], 'something still points to the victim')
  return { survivor: survivor.id, victim }
}

async function takeAllBack(service: TestService, merges: readonly Merged[], order: readonly number[] | undefined) {
  const active = [...merges]
  for (let turn = 0; active.length > 0; turn++) {
    // Where the survivor was merged away itself, that merge has to be taken back first.
    const possible = active.filter(each => !active.some(other => other.victim.id === each.survivor))
    const next = order ? at(possible, order[turn] ?? 0) : possible.at(-1)
    assert.ok(next)
    active.splice(active.indexOf(next), 1)
    const { body, changes } = await withChanges(service, () =>
      service.post(`/entities/${next.survivor}/unmerge`, { victim_id: next.victim.id })
    )
    assert.equal(body.survivor_id, next.survivor)
    assert.equal(body.victim_id, next.victim.id)
    assert.equal(changes[0], `entity.updated ${next.survivor}`)
    assert.equal(changes.at(-1), `entity.created ${next.victim.id}`)
    assert.equal(changes.length, body.restored_references + 2)
    assert.equal(new Set(changes).size, changes.length)
  }
}

/** Sends a request that must succeed, and gives the changes it made. */
async function withChanges(service: TestService, request: () => ReturnType<TestService['post']>) {
  const since = await endOfFeed(service)
  const { status, text, body } = await request()
  assert.equal(status, 200, text)
  const changes = (await changesAfter(service, since)).map(({ type, subject, data }) => {
    const isGone = type === 'entity.merged' || type === 'entity.deleted'
    assert.equal(data.entity?.id, isGone ? undefined : subject)
    return `${type} ${subject}${isGone ? ' without a document' : ''}`
  })
  return { body, changes }
}

// Editing

/** Changes a record, and what is expected of the catalogue once the merge is taken back. */
async function editOne(
  service: TestService,
  edit: EditPlan,
  number: number,
  prefix: string,
  expected: Map<string, Entity>,
  survivor: string | undefined
) {
  const live = (await readEntities(service)).filter(entity => entity.id.startsWith(prefix))
  const { id = '' } = at(live, edit.record) ?? {}
  const entity = expected.get(id)
  if (!entity) return
  if (edit.kind === 'delete') {
    // Without the survivor there is nothing to take the merge back from.
    if (id === survivor) return
    const { status } = await service.delete(`/entities/${id}`)
    // One that others point to stays, but what only the victim pointed to may go: the victim points
    // to it still when it is back.
    if (status === 204) expected.delete(id)
    return
  }
  if (edit.kind === 'role') {
    // Of a relation that the merge left alone.
    const untouched = entity.relations.filter(({ type, key }) =>
      live.find(each => each.id === id)?.relations.some(each => each.type === type && each.key === key)
    )
    const relation = at(
      untouched.filter(({ key }) => key !== survivor),
      edit.target
    )
    if (!relation) return
    const edited = { ...relation, metadata: [{ key: 'role', value: `Edited ${number}` }] }
    const { status, text } = await service.patch(`/entities/${id}`, { relations: [edited] })
    assert.equal(status, 200, text)
    expected.set(id, { ...entity, relations: entity.relations.map(each => (each === relation ? edited : each)) })
    return
  }
  if (edit.kind === 'relation') {
    const relation = { key: at(live, edit.target)?.id ?? id, type: `edit${number}` }
    const { status, text } = await service.post(`/entities/${id}/relations`, [relation])
    assert.equal(status, 201, text)
    expected.set(id, { ...entity, relations: [...entity.relations, relation] })
    return
  }
  const key = edit.kind === 'title' ? (entity.metadata[0]?.key ?? '') : `edit${number}`
  const value = key === 'start' ? '2026-12-31T20:00:00Z' : `Edited ${number}`
  const { status, text } = await service.patch(`/entities/${id}`, { metadata: [{ key, value }] })
  assert.equal(status, 200, text)
  const isNew = edit.kind !== 'title'
  const entries = entity.metadata.map((entry, index) => (index === 0 && !isNew ? { key, value } : entry))
  expected.set(id, { ...entity, metadata: isNew ? [...entries, { key, value }] : entries })
}
