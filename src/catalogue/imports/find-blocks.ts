import type { Answer } from '#domain/clustering/cluster-block.ts'
import { blockKeysOf } from '#domain/clustering/cluster-records.ts'
import type { Mention, WorkEvidence } from '#domain/clustering/evidence.ts'
import type { KeptMention } from '#domain/imports/kept.ts'
import type { Desk } from './desk.ts'

export interface Surroundings {
  /** Mentions that are kept and may be of one work with those asked about, with all that may be of one with them, and so on. */
  readonly mentions: ReadonlyMap<string, KeptMention>
  readonly answers: readonly Answer[]
}

/**
 * Finds the blocks that some mentions are in, whole. `given` are not looked up again: they are about to take the place of what is kept under their
 * ids; `from` is the evidence whose keys are followed, the given and what they replace.
 */
export async function findBlocks(
  desk: Desk,
  given: ReadonlySet<string>,
  from: Iterable<readonly [mention: string, evidence: WorkEvidence]>
): Promise<Surroundings> {
  const mentions = new Map<string, KeptMention>()
  const answers = new Map<string, Answer>()
  const seenKeys = new Set<string>()
  const hasAnswers = (await desk.find('import flag', ['answers'])).size > 0
  let open: [mention: string, evidence: WorkEvidence][] = [...from].map(([mention, evidence]) => [mention, evidence])
  while (open.length > 0) {
    const keys = open.flatMap(([, evidence]) => blockKeysOf(evidence)).filter(key => !seenKeys.has(key))
    for (const key of keys) seenKeys.add(key)
    const near = await desk.listBehind('import key', [...new Set(keys)])
    const answered = hasAnswers
      ? await readAnswers(
          desk,
          open.map(([mention]) => mention)
        )
      : []
    for (const each of answered) answers.set(`${each.level} ${each.one} ${each.other}`, each)
    const joined = answered.filter(each => each.verdict === 'same').flatMap(({ one, other }) => [one, other])
    const wanted = new Set(
      [...open.map(([mention]) => mention), ...near, ...joined].filter(id => !given.has(id) && !mentions.has(id))
    )
    const loaded = await desk.find('import mention', wanted)
    for (const [id, mention] of loaded) mentions.set(id, mention)
    open = [...loaded].map(([id, { evidence }]) => [id, evidence])
  }
  return { mentions, answers: [...answers.values()].sort(inOrder) }
}

const inOrder = (one: Answer, other: Answer) => (nameOf(one) < nameOf(other) ? -1 : 1)
const nameOf = ({ level, one, other }: Answer) => `${level} ${one} ${other}`

/** What people said of these mentions. Kept under both of the two; given once, the first by its letters first. */
async function readAnswers(desk: Desk, mentions: readonly string[]): Promise<Answer[]> {
  const behind = await desk.listBehind('import answered', mentions)
  if (behind.length === 0) return []
  const kept = await desk.find('import answer', behind)
  return [...kept.values()].map(({ level, one, other, verdict }) => ({ level, one, other, verdict }))
}

export const toMention = (id: string, evidence: WorkEvidence): Mention => {
  const cut = id.lastIndexOf('#')
  return { ...evidence, record: id.slice(0, cut), place: Number(id.slice(cut + 1)), id }
}
