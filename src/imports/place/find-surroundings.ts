import { type Answer, type ClusterLevel, clusterLevels } from '#domain/clustering/cluster-block.ts'
import { blockKeysOf } from '#domain/clustering/blocks.ts'
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
  const given = mentionsOf(changes)
  const replaced = await staging.find(
    'mention',
    changes.flatMap(({ name }) => mentionIdsOf(name, known.get(name)))
  )
  const touched = new Set([...given.keys(), ...replaced.keys()])
  const others = await staging.find('mention', revisited)
  const evidence = [...given, ...replaced, ...others].map(([id, mention]) => [id, mention.evidence] as const)
  let blocks = await findBlocks(staging, touched, evidence)
  const merged = await findMerges([...blocks.mentions, ...replaced], placing)
  // A merge counts as an answer, and an answer may make a block larger: it is read again.
  if (await learnMerges(staging, [...blocks.mentions, ...replaced, ...others], merged, placing))
    blocks = await findBlocks(staging, touched, evidence)
  const before = new Map([...blocks.mentions, ...replaced].map(([id, mention]) => [id, inMerged(mention, merged)]))
  const after = new Map<string, UnplacedMention>([...blocks.mentions, ...given])
  const answers = await withoutUndoneMerges(blocks.answers, placing)
  return { before, after, touched, answers, isElsewhere: await findElsewhere(staging, before, after, placing) }
}

/** The mentions of the records that change, as they will be. */
function mentionsOf(changes: readonly RecordChange[]): Map<string, UnplacedMention> {
  const found = new Map<string, UnplacedMention>()
  for (const { name, next } of changes)
    for (const [place, mention] of next?.mentions.entries() ?? []) found.set(mentionId(name, place), mention)
  return found
}

/** Works and expressions that a person merged into others, by id. */
type Merges = ReadonlyMap<string, string>

/** Finds the merges by people of works and expressions of these mentions. */
async function findMerges(
  mentions: readonly (readonly [string, StoredMention])[],
  { findOwners, hints }: Placing
): Promise<Merges> {
  const found = new Map<string, string>()
  if (mentions.length === 0 || hints !== undefined) return found
  const ids = [...new Set(mentions.flatMap(([, { workId, expressionId }]) => [workId, expressionId]))]
  for (const [id, owner] of await findOwners(ids)) if (owner !== id) found.set(id, owner)
  return found
}

const inMerged = (mention: StoredMention, merged: Merges): StoredMention =>
  merged.has(mention.workId) || merged.has(mention.expressionId)
    ? {
        ...mention,
        workId: merged.get(mention.workId) ?? mention.workId,
        expressionId: merged.get(mention.expressionId) ?? mention.expressionId
      }
    : mention

/**
 * Stages the merges as answers, so that they hold when records change: a mention of the merged
 * entity and one of the entity that it was merged into are the same. Returns true if there are any.
 */
async function learnMerges(
  staging: Staging,
  mentions: readonly (readonly [string, StoredMention])[],
  merged: Merges,
  placing: Placing
): Promise<boolean> {
  let isLearned = false
  for (const [victim, survivor] of merged)
    for (const level of clusterLevels) {
      const idOf = (mention: StoredMention) => mention[idKeys[level]]
      const own = mentions.find(([, mention]) => idOf(mention) === victim)
      if (own === undefined) continue
      const near = mentions.find(([, mention]) => idOf(mention) === survivor)
      const other = near ?? (await findMentionOf(staging, survivor, idOf, placing))
      if (other === undefined) continue
      const [one = '', second = ''] = [own[0], other[0]].sort()
      const answer = { level, one, other: second, verdict: 'same', merged: victim } as const
      const key = keys.answer(answer)
      staging.put('answer', key, { ...answer, by: `merge into ${survivor}`, at: new Date(0).toISOString() })
      for (const each of [one, second]) staging.put('answered', keys.answered(each, key), true)
      staging.put('flag', 'answers', true)
      isLearned = true
    }
  return isLearned
}

const idKeys = { work: 'workId', expression: 'expressionId' } as const satisfies Record<
  ClusterLevel,
  keyof StoredMention
>

async function findMentionOf(
  staging: Staging,
  id: string,
  idOf: (mention: StoredMention) => string,
  placing: Placing
): Promise<readonly [string, StoredMention] | undefined> {
  const mentions = await findMentionsUnder(staging, id, placing)
  return [...mentions].sort(([one], [other]) => (one < other ? -1 : 1)).find(([, mention]) => idOf(mention) === id)
}

/** Finds the mentions of the manifestations that lead to a work or an expression. */
export async function findMentionsUnder(
  staging: Staging,
  id: string,
  { findReferrers }: Placing
): Promise<ReadonlyMap<string, StoredMention>> {
  const referrers = await findReferrers(id)
  const further = await Promise.all(referrers.slice(0, maxFollowed).map(findReferrers))
  const origins = await staging.find('origin', [...referrers, ...further.flat()])
  const records = await staging.find('record', new Set(origins.values()))
  const ids = [...records].flatMap(([name, record]) => mentionIdsOf(name, record))
  return await staging.find('mention', ids)
}

/** Maximum number of expressions of a work that are followed to a record. */
const maxFollowed = 50

/** Leaves out answers that stand for a merge that was undone since. */
async function withoutUndoneMerges(
  answers: readonly StoredMergeAnswer[],
  { findOwners }: Placing
): Promise<readonly Answer[]> {
  const victims = answers.flatMap(each => each.merged ?? [])
  if (victims.length === 0) return answers
  const owners = await findOwners(victims)
  return answers.filter(({ merged }) => merged === undefined || (owners.get(merged) ?? merged) !== merged)
}

type StoredMergeAnswer = Answer & { readonly merged?: string }

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
): Promise<{ readonly mentions: ReadonlyMap<string, StoredMention>; readonly answers: readonly StoredMergeAnswer[] }> {
  const mentions = new Map<string, StoredMention>()
  const answers = new Map<string, StoredMergeAnswer>()
  const seenKeys = new Set<string>()
  const hasAnswers = (await staging.find('flag', ['answers'])).size > 0
  let open: [mention: string, evidence: WorkEvidence][] = [...from].map(([mention, evidence]) => [mention, evidence])
  while (open.length > 0) {
    const ids = open.map(([mention]) => mention)
    // Mentions with the same key may be of one work.
    const blockKeys = open.flatMap(([, evidence]) => blockKeysOf(evidence)).filter(key => !seenKeys.has(key))
    for (const key of blockKeys) seenKeys.add(key)
    const neighbours = await staging.listRests('block key', [...new Set(blockKeys)])
    // Those that people said are the same are neighbours too.
    const answered = hasAnswers ? await readAnswers(staging, ids) : []
    for (const each of answered) answers.set(keys.answer(each), each)
    const joined = answered.filter(each => each.verdict === 'same').flatMap(({ one, other }) => [one, other])
    const wanted = [...ids, ...neighbours, ...joined].filter(id => !given.has(id) && !mentions.has(id))
    const loaded = await staging.find('mention', new Set(wanted))
    for (const [id, mention] of loaded) mentions.set(id, mention)
    open = [...loaded].map(([id, { evidence }]) => [id, evidence])
  }
  return { mentions, answers: [...answers.values()].sort(inOrder) }
}

const inOrder = (one: Answer, other: Answer) => (keys.answer(one) < keys.answer(other) ? -1 : 1)

/** Reads the answers to review questions about these mentions, each answer once. */
async function readAnswers(staging: Staging, mentions: readonly string[]): Promise<StoredMergeAnswer[]> {
  const answerKeys = await staging.listRests('answered', mentions)
  if (answerKeys.length === 0) return []
  const answers = await staging.find('answer', answerKeys)
  return [...answers.values()].map(({ level, one, other, verdict, merged }) => ({
    level,
    one,
    other,
    verdict,
    ...(merged === undefined ? {} : { merged })
  }))
}

export const toMention = (id: string, evidence: WorkEvidence): Mention => {
  const cut = id.lastIndexOf('#')
  return { ...evidence, record: id.slice(0, cut), place: Number(id.slice(cut + 1)), id }
}
