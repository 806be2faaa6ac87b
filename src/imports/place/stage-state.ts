import { blockKeysOf } from '#domain/clustering/blocks.ts'
import type { StoredItem, StoredMention, StoredQuestion } from '#domain/imports/stored.ts'
import { isSameJson } from '#domain/json.ts'
import type { Staging } from '../state/staging.ts'
import { keys } from '../state/import-state.ts'
import { mentionIdsOf, type Placing } from './placing.ts'
import type { Situation } from './find-positions.ts'
import { stageLinks } from './record-links.ts'

/** The entities of the records that change, by the name of the record. */
export interface RecordEntities {
  /** Ids of manifestations. */
  readonly idOf: ReadonlyMap<string, string>
  readonly itemsOf: ReadonlyMap<string, readonly StoredItem[]>
}

/**
 * Stages the import state of the records that changed, and of the mentions around them that moved.
 */
export async function stageState(
  staging: Staging,
  situation: Situation,
  entities: RecordEntities,
  placing: Placing
): Promise<void> {
  stageMentions(staging, situation, placing)
  await stageRecords(staging, situation, entities, placing)
}

function stageMentions(staging: Staging, { before, after, touched, positions }: Situation, placing: Placing) {
  const questions = questionsByMention(positions.questions, before, touched, placing.job)
  for (const [id, mention] of after) {
    const position = positions.of.get(id)
    if (position === undefined) continue
    const old = before.get(id)
    const own = questions.get(id)
    const next: StoredMention = {
      evidence: mention.evidence,
      work: mention.work,
      expression: mention.expression,
      titleRank: mention.titleRank,
      ...(mention.parts === undefined ? {} : { parts: mention.parts }),
      ...(mention.isAdaptation === true ? { isAdaptation: true } : {}),
      workId: position.workId,
      expressionId: position.expressionId,
      ...(own === undefined ? {} : { questions: own })
    }
    const isMoved = old?.workId !== next.workId || old.expressionId !== next.expressionId
    if (isMoved && old !== undefined && !touched.has(id))
      placing.undoNotes?.add({ of: 'mention', mention: id, workId: old.workId, expressionId: old.expressionId })
    if (isMoved || touched.has(id) || !isSameJson(old.questions, next.questions)) staging.put('mention', id, next)
    listQuestions(staging, id, old?.questions, next.questions)
  }
  for (const [id, old] of before) {
    if (!after.has(id)) {
      staging.put('mention', id, null)
      listQuestions(staging, id, old.questions, undefined)
    }
  }
  for (const id of touched) {
    const [was, is] = [keysOf(before, id), keysOf(after, id)]
    for (const key of was) if (!is.has(key)) staging.put('block key', keys.blockKey(key, id), null)
    for (const key of is) if (!was.has(key)) staging.put('block key', keys.blockKey(key, id), true)
  }
}

const keysOf = (mentions: ReadonlyMap<string, Pick<StoredMention, 'evidence'>>, id: string) => {
  const mention = mentions.get(id)
  return new Set(mention === undefined ? [] : blockKeysOf(mention.evidence))
}

/**
 * The questions about pairs of mentions, by the mention with the earlier id. A question stays on
 * the list of the import that first asked it.
 */
function questionsByMention(
  questions: Situation['positions']['questions'],
  before: ReadonlyMap<string, StoredMention>,
  touched: ReadonlySet<string>,
  job: string
): Map<string, StoredQuestion[]> {
  const found = new Map<string, StoredQuestion[]>()
  for (const { level, one, other, reason, confidence, areJoined, settles } of questions) {
    const isNew = touched.has(one) || touched.has(other)
    const earlier = before.get(one)?.questions?.find(each => each.level === level && each.other === other)
    const question = { level, other, reason, confidence, areJoined, settles, job: isNew ? job : (earlier?.job ?? job) }
    const known = found.get(one)
    if (known === undefined) found.set(one, [question])
    else known.push(question)
  }
  return found
}

function listQuestions(
  staging: Staging,
  one: string,
  was: readonly StoredQuestion[] = [],
  is: readonly StoredQuestion[] = []
) {
  if (isSameJson(was, is)) return
  const keyOf = ({ job, level, other }: StoredQuestion) => keys.question(job, keys.questionRest(one, level, other))
  const still = new Set(is.map(keyOf))
  for (const each of was) if (!still.has(keyOf(each))) staging.put('question', keyOf(each), null)
  for (const each of is) {
    const { job: _, ...question } = each
    staging.put('question', keyOf(each), { ...question, one })
  }
}

async function stageRecords(
  staging: Staging,
  { changes, known, before }: Situation,
  { idOf, itemsOf }: RecordEntities,
  { undoNotes }: Placing
) {
  const olds = [...known.values()].map(each => each.manifestationId)
  const sources = undoNotes ? await staging.find('source', olds) : new Map()
  for (const { name, next } of changes) {
    const old = known.get(name)
    const id = idOf.get(name) ?? ''
    const source = old && sources.get(old.manifestationId)
    undoNotes?.add({
      of: 'record',
      name,
      before:
        old && source
          ? {
              record: old,
              mentions: mentionIdsOf(name, old).flatMap(each => before.get(each) ?? []),
              source
            }
          : null
    })
    if (old !== undefined && old.manifestationId !== id) {
      staging.put('source', old.manifestationId, null)
      staging.put('origin', old.manifestationId, null)
    }
    const number = next?.record.number ?? old?.number
    if (number !== undefined) staging.put('number', keys.number(number, name), next ? true : null)
    const items = itemsOf.get(name) ?? []
    const record = next && { ...next.record, manifestationId: id, ...(items.length === 0 ? {} : { items }) }
    stageLinks(staging, name, old, record)
    staging.put('record', name, record ?? null)
    staging.put('source', id, next ? next.source : null)
    staging.put('origin', id, next ? name : null)
  }
}
