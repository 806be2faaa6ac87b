import type { Answer } from '#domain/clustering/cluster-block.ts'
import { blockKeysOf } from '#domain/clustering/cluster-records.ts'
import type { Mention, WorkEvidence } from '#domain/clustering/evidence.ts'
import type { StoredMention } from '#domain/imports/stored.ts'
import { keys } from '../state/import-state.ts'
import type { Staging } from '../state/staging.ts'

export interface Surroundings {
  /**
   * Mentions that are kept and may be of one work with those asked about, with all that may be of
   * one with them, and so on.
   */
  readonly mentions: ReadonlyMap<string, StoredMention>
  readonly answers: readonly Answer[]
}

/**
 * Finds the blocks that some mentions are in, whole. `given` are not looked up again: they are
 * about to take the place of what is kept under their ids; `from` is the evidence whose keys are
 * followed, the given and what they replace.
 */
export async function findBlocks(
  staging: Staging,
  given: ReadonlySet<string>,
  from: Iterable<readonly [mention: string, evidence: WorkEvidence]>
): Promise<Surroundings> {
  const mentions = new Map<string, StoredMention>()
  const answers = new Map<string, Answer>()
  const seenKeys = new Set<string>()
  const hasAnswers = (await staging.find('flag', ['answers'])).size > 0
  let open: [mention: string, evidence: WorkEvidence][] = [...from].map(([mention, evidence]) => [mention, evidence])
  while (open.length > 0) {
    const blockKeys = open.flatMap(([, evidence]) => blockKeysOf(evidence)).filter(key => !seenKeys.has(key))
    for (const key of blockKeys) seenKeys.add(key)
    const near = await staging.listRests('block key', [...new Set(blockKeys)])
    const answered = hasAnswers
      ? await readAnswers(
          staging,
          open.map(([mention]) => mention)
        )
      : []
    for (const each of answered) answers.set(keys.answer(each), each)
    const joined = answered.filter(each => each.verdict === 'same').flatMap(({ one, other }) => [one, other])
    const wanted = new Set(
      [...open.map(([mention]) => mention), ...near, ...joined].filter(id => !given.has(id) && !mentions.has(id))
    )
    const loaded = await staging.find('mention', wanted)
    for (const [id, mention] of loaded) mentions.set(id, mention)
    open = [...loaded].map(([id, { evidence }]) => [id, evidence])
  }
  return { mentions, answers: [...answers.values()].sort(inOrder) }
}

const inOrder = (one: Answer, other: Answer) => (keys.answer(one) < keys.answer(other) ? -1 : 1)

/**
 * What people said of these mentions. Kept under both of the two; given once, the first by its
 * letters first.
 */
async function readAnswers(staging: Staging, mentions: readonly string[]): Promise<Answer[]> {
  const behind = await staging.listRests('answered', mentions)
  if (behind.length === 0) return []
  const kept = await staging.find('answer', behind)
  return [...kept.values()].map(({ level, one, other, verdict }) => ({ level, one, other, verdict }))
}

export const toMention = (id: string, evidence: WorkEvidence): Mention => {
  const cut = id.lastIndexOf('#')
  return { ...evidence, record: id.slice(0, cut), place: Number(id.slice(cut + 1)), id }
}
