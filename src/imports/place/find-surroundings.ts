import type { Answer } from '#domain/clustering/cluster-block.ts'
import { blockKeysOf } from '#domain/clustering/cluster-records.ts'
import { type Mention, mentionId, type WorkEvidence } from '#domain/clustering/evidence.ts'
import type { StoredMention, StoredRecord, UnplacedMention } from '#domain/imports/stored.ts'
import { keys } from '../state/import-state.ts'
import type { Staging } from '../state/staging.ts'
import { mentionIdsOf, type Placing, type RecordChange } from './placing.ts'

/** The mentions around the records that change, before and after the change. */
export interface Surroundings {
  readonly before: ReadonlyMap<string, StoredMention>
  readonly after: ReadonlyMap<string, UnplacedMention>
  /** Mentions of the records that change. */
  readonly touched: ReadonlySet<string>
  readonly answers: readonly Answer[]
  /** Whether an id belongs to an entity outside these mentions; only an undo needs to know. */
  readonly isElsewhere: (id: string) => boolean
}

/** Reads the mentions whose works and expressions the changes may affect. */
export async function findSurroundings(
  staging: Staging,
  changes: readonly RecordChange[],
  known: ReadonlyMap<string, StoredRecord>,
  revisited: readonly string[],
  placing: Placing
): Promise<Surroundings> {
  const given = new Map<string, UnplacedMention>()
  for (const { name, next } of changes)
    for (const [place, mention] of next?.mentions.entries() ?? []) given.set(mentionId(name, place), mention)
  const replaced = await staging.find(
    'mention',
    changes.flatMap(({ name }) => mentionIdsOf(name, known.get(name)))
  )
  const touched = new Set([...given.keys(), ...replaced.keys()])
  const revisitedMentions = await staging.find('mention', revisited)
  const evidence = [...given, ...replaced, ...revisitedMentions].map(([id, mention]) => [id, mention.evidence] as const)
  const { mentions: around, answers } = await findBlocks(staging, touched, evidence)
  const before = new Map<string, StoredMention>([...around, ...replaced])
  const after = new Map<string, UnplacedMention>([...around, ...given])
  return { before, after, touched, answers, isElsewhere: await findElsewhere(staging, before, after, placing) }
}

/**
 * Finds ids that mentions had before the import that is being undone, and that belong to an entity
 * outside of this block now: a record took them along and is still to be put back. Once it is put
 * back, this block is placed again.
 */
async function findElsewhere(
  staging: Staging,
  before: ReadonlyMap<string, StoredMention>,
  after: ReadonlyMap<string, UnplacedMention>,
  { hints }: Placing
): Promise<(id: string) => boolean> {
  if (hints === undefined) return () => false
  const here = new Set([...before.values()].flatMap(({ workId, expressionId }) => [workId, expressionId]))
  const hinted = [...before.keys(), ...after.keys()].flatMap(id => {
    const hint = hints.get(id)
    return hint === undefined ? [] : [hint.workId, hint.expressionId]
  })
  const elsewhere = await staging.findEntities(new Set(hinted.filter(id => !here.has(id))))
  return id => elsewhere.has(id)
}

/**
 * Finds the whole blocks of some mentions: the stored mentions that may be of one work with them,
 * those that may be of one work with these, and so on. Mentions in `given` are not looked up, since
 * they are about to replace the stored ones. `from` is the evidence whose keys are followed.
 */
export async function findBlocks(
  staging: Staging,
  given: ReadonlySet<string>,
  from: Iterable<readonly [mention: string, evidence: WorkEvidence]>
): Promise<{ readonly mentions: ReadonlyMap<string, StoredMention>; readonly answers: readonly Answer[] }> {
  const mentions = new Map<string, StoredMention>()
  const answers = new Map<string, Answer>()
  const seenKeys = new Set<string>()
  const hasAnswers = (await staging.find('flag', ['answers'])).size > 0
  let open: [mention: string, evidence: WorkEvidence][] = [...from].map(([mention, evidence]) => [mention, evidence])
  while (open.length > 0) {
    const blockKeys = open.flatMap(([, evidence]) => blockKeysOf(evidence)).filter(key => !seenKeys.has(key))
    for (const key of blockKeys) seenKeys.add(key)
    const neighbours = await staging.listRests('block key', [...new Set(blockKeys)])
    const answered = hasAnswers
      ? await readAnswers(
          staging,
          open.map(([mention]) => mention)
        )
      : []
    for (const each of answered) answers.set(keys.answer(each), each)
    const joined = answered.filter(each => each.verdict === 'same').flatMap(({ one, other }) => [one, other])
    const wanted = new Set(
      [...open.map(([mention]) => mention), ...neighbours, ...joined].filter(id => !given.has(id) && !mentions.has(id))
    )
    const loaded = await staging.find('mention', wanted)
    for (const [id, mention] of loaded) mentions.set(id, mention)
    open = [...loaded].map(([id, { evidence }]) => [id, evidence])
  }
  return { mentions, answers: [...answers.values()].sort(inOrder) }
}

const inOrder = (one: Answer, other: Answer) => (keys.answer(one) < keys.answer(other) ? -1 : 1)

/** Reads the answers to review questions about these mentions, each answer once. */
async function readAnswers(staging: Staging, mentions: readonly string[]): Promise<Answer[]> {
  const answerKeys = await staging.listRests('answered', mentions)
  if (answerKeys.length === 0) return []
  const answers = await staging.find('answer', answerKeys)
  return [...answers.values()].map(({ level, one, other, verdict }) => ({ level, one, other, verdict }))
}

export const toMention = (id: string, evidence: WorkEvidence): Mention => {
  const cut = id.lastIndexOf('#')
  return { ...evidence, record: id.slice(0, cut), place: Number(id.slice(cut + 1)), id }
}
