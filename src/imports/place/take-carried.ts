import { createHash } from 'node:crypto'

import { blockKeysOf } from '#domain/clustering/blocks.ts'
import { evidenceVersion, mentionId } from '#domain/clustering/evidence.ts'
import { joinAuthorities, type StoredMention, type StoredRecord, type UnplacedMention } from '#domain/imports/stored.ts'
import { levels } from '#domain/entity/publication.ts'
import { isSameJson } from '#domain/json.ts'
import { descriptionVersion } from '#formats/description/description.ts'
import type { RecordLine, SourceLine } from '#formats/ndjson/source-line.ts'
import type { SourceCarried, SourceRecord } from '#formats/source/source-item.ts'
import type { Parts } from '#catalogue/parts.ts'
import type { Identified } from '#store/ports/entities.ts'
import { type ImportState, keys, type StateKind } from '../state/import-state.ts'
import type { Staging, UndoNotes } from '../state/staging.ts'
import { toNextRecord } from './next-record.ts'
import { mentionIdsOf } from './placing.ts'
import { stageLinks } from './record-links.ts'

/*
 * Lines with the knowledge of imports that another catalogue exported with its entities. They are
 * written to the state of imports, and change no entity: works stay as they were found, and edits
 * stay edits.
 */

export interface TakenLine {
  readonly item: SourceCarried
  readonly outcome: 'taken' | 'unchanged' | 'refused'
  readonly message?: string
}

type LineOf<Kind extends SourceLine['kind']> = Extract<SourceLine, { kind: Kind }>

export interface TakingOptions {
  /** The job that takes the lines. */
  readonly job: string
  /** In a preview the entities of earlier lines do not exist. */
  readonly isPreview: boolean
  readonly undoNotes: Pick<UndoNotes, 'add'>
}

/** Stages the lines that fit the entities of the catalogue; the others are refused. */
export async function takeCarried(
  { store, model }: Parts,
  staging: Staging,
  items: readonly SourceCarried[],
  { job, isPreview, undoNotes }: TakingOptions
): Promise<TakenLine[]> {
  if (items.length === 0) return []
  const lines = items.map(each => each.line)
  const existing = await store.identify([...new Set(lines.flatMap(line => namesIn(line).map(([id]) => id)))])
  const known = await readKnown(staging, lines)
  const changes: StateChange[] = []
  const taken = items.map((item): TakenLine => {
    const { line, record } = item
    const change = new StateChange()
    const message =
      (isPreview ? undefined : misfitOf(line, existing, type => model.umbrellaOf(type))) ??
      takers[line.kind](change, line as never, { known, job, record })
    if (message !== undefined) return { item, outcome: 'refused', message }
    if (change.values.length > 0) changes.push(change)
    return { item, outcome: change.values.length > 0 ? 'taken' : 'unchanged' }
  })
  await stageChanges(staging, changes, undoNotes)
  return taken
}

/** Stages changes, and notes the values before all of them. */
async function stageChanges(staging: Staging, changes: readonly StateChange[], undoNotes: TakingOptions['undoNotes']) {
  const before = new Map<StateKind, ReadonlyMap<string, unknown>>()
  for (const [kind, values] of Map.groupBy(
    changes.flatMap(each => each.values),
    each => each.kind
  ))
    before.set(kind, await staging.find(kind, new Set(values.map(each => each.key))))
  for (const { values } of changes) {
    const [first] = values
    if (first === undefined) continue
    undoNotes.add({
      of: 'state',
      guard: { kind: first.kind, key: first.key, digest: digestOfValue(first.value) },
      before: values.map(({ kind, key }) => ({ kind, key, value: before.get(kind)?.get(key) ?? null }))
    })
    for (const { kind, key, value } of values) staging.put(kind, key, value as never)
  }
}

/** The values that tell whether lines are known already, by kind and key. */
type Known = { readonly [Kind in StateKind]?: ReadonlyMap<string, ImportState[Kind]> }

async function readKnown(staging: Staging, lines: readonly SourceLine[]): Promise<Known> {
  const of = <Kind extends SourceLine['kind']>(kind: Kind) =>
    lines.filter((each): each is LineOf<Kind> => each.kind === kind)
  const records = of('record')
  const record = await staging.find('record', new Set(records.map(each => each.record)))
  return {
    record,
    mention: await staging.find(
      'mention',
      [...record].flatMap(([name, each]) => mentionIdsOf(name, each))
    ),
    origin: await staging.find('origin', new Set(records.map(each => each.manifestation_id))),
    edited: await staging.find(
      'edited',
      new Set([
        ...records.flatMap(ownOf),
        ...of('authority').map(idOfAuthority),
        ...of('holdings').flatMap(({ items }) => items.map(({ id }) => id))
      ])
    ),
    target: await staging.find('target', new Set(of('authority').map(each => each.key))),
    holdings: await staging.find('holdings', new Set(of('holdings').map(each => each.name))),
    row: await staging.find('row', new Set(of('row').map(each => each.key))),
    answer: await staging.find(
      'answer',
      new Set([...of('answer'), ...of('settled')].map(each => keys.answer(inOrder(each))))
    )
  }
}

const idOfAuthority = ({ authority }: LineOf<'authority'>) => authority.id

/** The ids of the entities that were made of a record. */
const ownOf = ({ manifestation_id: id, works, items = [] }: RecordLine): string[] => [
  id,
  ...works.flatMap(each => [each.work_id, each.expression_id]),
  ...items.map(each => each.id)
]

function inOrder<Line extends LineOf<'answer' | 'settled'>>({ kind: _, ...given }: Line) {
  const [one = '', other = ''] = [given.one, given.other].sort()
  return { ...given, one, other }
}

const [work, text, publication] = levels

/** The entities that a line names, each with the umbrella that it must have, if any. */
function namesIn(line: SourceLine): (readonly [id: string, umbrella: string | undefined])[] {
  switch (line.kind) {
    case 'record':
      return [
        [line.manifestation_id, publication],
        ...line.works.map(each => [each.work_id, work] as const),
        ...line.works.map(each => [each.expression_id, text] as const)
      ]
    case 'authority':
      return line.is_missing ? [] : [[line.authority.id, undefined]]
    case 'holdings':
      return [[line.manifestation_id, publication]]
    case 'row':
      return [[line.id, undefined]]
    case 'settled':
    case 'answer':
      return []
  }
}

function misfitOf(
  line: SourceLine,
  existing: ReadonlyMap<string, Identified>,
  umbrellaOf: (type: string) => string
): string | undefined {
  for (const [id, umbrella] of namesIn(line)) {
    const found = existing.get(id)
    if (found === undefined) return `There is no record "${id}", which this line is about`
    if (umbrella !== undefined && umbrellaOf(found.type) !== umbrella)
      return `The record "${id}" is a ${found.type}, not a ${umbrella}`
  }
  if (line.kind === 'authority' && !line.is_missing && existing.get(line.authority.id)?.type !== line.authority.type)
    return `The record "${line.authority.id}" is not a ${line.authority.type}`
  return undefined
}

/** The new values of the state for one line. The first one guards the undo. */
class StateChange {
  readonly values: { readonly kind: StateKind; readonly key: string; readonly value: unknown }[] = []

  put<Kind extends StateKind>(kind: Kind, key: string, value: ImportState[Kind] | null): void {
    this.values.push({ kind, key, value })
  }
}

/** Tells one value of the state from another. */
export const digestOfValue = (value: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('base64')

interface TakenWith {
  readonly known: Known
  readonly job: string
  readonly record: SourceRecord | undefined
}

/** Makes the change for a line of each kind; returns the reason if it cannot be taken. */
const takers: {
  readonly [Kind in SourceLine['kind']]: (
    change: StateChange,
    line: LineOf<Kind>,
    given: TakenWith
  ) => string | undefined
} = {
  record: takeRecord,

  authority(
    change,
    { key, authority, is_missing: isMissing = false, is_edited: isEdited = false, ...line },
    { known }
  ) {
    const target = known.target?.get(key)
    // The catalogue has one under this key already.
    if (target?.exists && target.id !== authority.id) return undefined
    const next = joinAuthorities({ ...(target ?? authority), exists: !isMissing || target?.exists === true }, authority)
    if (!isSameJson(target, next)) change.put('target', key, next)
    if (authority.records !== undefined) change.put('authority key', authority.id, key)
    for (const name of Object.keys(authority.records ?? {})) change.put('authority record', name, key)
    markEdited(change, authority.id, isEdited ? (line.edited_fields ?? true) : undefined, known)
    return undefined
  },

  holdings(change, { name, record, manifestation_id: manifestationId, items, source, edited = [] }, { known, job }) {
    for (const { id } of items) markEdited(change, id, edited.includes(id) ? true : undefined, known)
    const before = known.holdings?.get(name)
    const next = { job, record, manifestationId, items, ...(source === undefined ? {} : { source }) }
    if (before !== undefined && isSameJson({ ...before, job }, next)) return undefined
    change.put('holdings', name, next)
    if (before?.source !== undefined && before.manifestationId !== manifestationId)
      change.put('holdings of', keys.holdingsOf(before.manifestationId, name), null)
    if (source !== undefined) change.put('holdings of', keys.holdingsOf(manifestationId, name), true)
    return undefined
  },

  row(change, { key, id, metadata, relations, is_shared: isShared = false }, { known, job }) {
    const before = known.row?.get(key)
    const next = { id, job, metadata, relations, ...(isShared ? { isShared } : {}) }
    if (before === undefined || !isSameJson({ ...before, job }, next)) change.put('row', key, next)
    return undefined
  },

  settled(change, { kind: _, are_joined: areJoined, ...question }, { known, job }) {
    // The list of another import has the question, with the answer.
    if (known.answer?.has(keys.answer(inOrder({ kind: 'settled', are_joined: areJoined, ...question }))))
      return undefined
    const key = keys.question(job, keys.questionRest(question.one, question.level, question.other))
    change.put('settled', key, { ...question, areJoined, by: `import:${job}` })
    return undefined
  },

  answer(change, line, { known, job }) {
    const answer = inOrder(line)
    const key = keys.answer(answer)
    if (known.answer?.get(key)?.verdict === answer.verdict) return undefined
    change.put('answer', key, { ...answer, by: `import:${job}` })
    for (const mention of [answer.one, answer.other]) change.put('answered', keys.answered(mention, key), true)
    change.put('flag', 'answers', true)
    return undefined
  }
}

/** Notes which fields of an entity people have edited; undefined if they have edited none. */
function markEdited(
  change: StateChange,
  id: string,
  fields: ImportState['edited'] | undefined,
  { edited }: Known
): void {
  const mark = fields !== true && fields?.length === 0 ? undefined : fields
  if (!isSameJson(edited?.get(id), mark)) change.put('edited', id, mark ?? null)
}

function takeRecord(
  change: StateChange,
  line: RecordLine,
  { known, job, record: item }: TakenWith
): string | undefined {
  if (item === undefined) return undefined
  const { record: name, manifestation_id: id, read_by: readBy, options } = line
  const [before, origin] = [known.record?.get(name), known.origin?.get(id)]
  if (before !== undefined && before.manifestationId !== id)
    return `The record "${name}" exists already, as "${before.manifestationId}"`
  if (origin !== undefined && origin !== name) return `"${id}" has another source record, "${origin}"`
  const isNumber = item.name === item.description.controlNumber
  const next = toNextRecord(item, { name, ...(isNumber ? { number: item.name } : {}) }, job, line.imported)
  const idByKey = new Map(line.items?.map(each => [each.key, each.id]))
  const items = next.items.flatMap(each => {
    const itemId = idByKey.get(each.key)
    return itemId === undefined ? [] : [{ ...each, id: itemId }]
  })
  const mentions = next.mentions.slice(0, line.works.length)
  const isWhole = line.works.length === next.mentions.length
  const record: StoredRecord = {
    ...next.record,
    manifestationId: id,
    mentions: mentions.length,
    // Other rules give other works: the record is placed again when it is next imported.
    evidenceVersion: isWhole ? Math.min(readBy.evidence, evidenceVersion) : 0,
    descriptionVersion: Math.min(readBy.description, descriptionVersion),
    ...(items.length === 0 ? {} : { items }),
    ...(options === undefined ? {} : { readWith: options })
  }
  const olds = new Map(
    mentionIdsOf(name, before).flatMap(each => {
      const mention = known.mention?.get(each)
      return mention === undefined ? [] : [[each, mention] as const]
    })
  )
  const isKnown =
    before?.digest === record.digest &&
    isSameJson(
      [...olds.values()].map(each => [each.workId, each.expressionId]),
      line.works.slice(0, mentions.length).map(each => [each.work_id, each.expression_id])
    )
  if (!isKnown) {
    change.put('record', name, record)
    change.put('source', id, next.source)
    change.put('origin', id, name)
    if (record.number !== undefined) change.put('number', keys.number(record.number, name), true)
    stageLinks(change, name, before, record)
    const placed = mentions.map((each, place) => placeMention(each, line.works[place], job))
    putMentions(change, name, olds, placed)
  }
  const edited = new Set(line.edited)
  const fields = new Map(Object.entries(line.edited_fields ?? {}))
  for (const each of new Set(ownOf(line)))
    markEdited(change, each, edited.has(each) ? (fields.get(each) ?? true) : undefined, known)
  return undefined
}

function placeMention(
  mention: UnplacedMention,
  place: RecordLine['works'][number] | undefined,
  job: string
): StoredMention {
  const questions = place?.questions?.map(({ are_joined: areJoined, ...rest }) => ({ ...rest, areJoined, job }))
  return {
    ...mention,
    workId: place?.work_id ?? '',
    expressionId: place?.expression_id ?? '',
    ...(questions === undefined ? {} : { questions })
  }
}

/** Puts the mentions of a record with the keys and questions that they are found by. */
function putMentions(
  change: StateChange,
  name: string,
  olds: ReadonlyMap<string, StoredMention>,
  mentions: readonly StoredMention[]
): void {
  const news = new Map(mentions.map((mention, place) => [mentionId(name, place), mention]))
  const putKeys = (id: string, { evidence, questions = [] }: StoredMention, isThere: boolean) => {
    for (const key of blockKeysOf(evidence)) change.put('block key', keys.blockKey(key, id), isThere ? true : null)
    for (const { job, ...question } of questions) {
      const key = keys.question(job, keys.questionRest(id, question.level, question.other))
      change.put('question', key, isThere ? { ...question, one: id } : null)
    }
  }
  for (const [id, old] of olds) {
    if (!news.has(id)) change.put('mention', id, null)
    putKeys(id, old, false)
  }
  for (const [id, mention] of news) {
    change.put('mention', id, mention)
    putKeys(id, mention, true)
  }
}
