import { type Answer, clusterBlock, type ClusterLevel } from '#domain/clustering/cluster-block.ts'
import { blocksOf } from '#domain/clustering/blocks.ts'
import { shownName, type StoredAnswer } from '#domain/imports/stored.ts'
import type { Parts } from '#catalogue/parts.ts'
import { keys } from './state/import-state.ts'
import { createStaging, type Staging } from './state/staging.ts'
import { placingFor } from './place/catalogue-access.ts'
import { findMentionsUnder, findSurroundings, toMention } from './place/find-surroundings.ts'
import { mentionIdsOf, splitMention } from './place/placing.ts'
import { explain } from './review.ts'

/** The origin of a manifestation, and the reasons why it belongs to its works. */
export interface Origin {
  readonly import_id: string
  readonly record: string
  readonly form: string
  readonly links: readonly OriginLink[]
  /** Decisions of people about this record and another. */
  readonly decisions: readonly Decision[]
}

/** A decision of a person that two records are, or are not, of one work or expression. */
export interface Decision {
  readonly level: ClusterLevel
  readonly verdict: 'same' | 'different'
  /** The manifestation of the other record. */
  readonly other_id: string
  /** The way it was decided. */
  readonly made_by: DecisionKind
  /** The person; null for a merge, whose history is with the merged records. */
  readonly by: string | null
  readonly at: string | null
}

export type DecisionKind = 'review' | 'merge' | 'split'

export const madeBy = ({ merged, split }: StoredAnswer): DecisionKind =>
  merged !== undefined ? 'merge' : split !== undefined ? 'split' : 'review'

export interface OriginLink {
  readonly work_id: string
  readonly expression_id: string
  /**
   * The manifestation whose record this one was joined to; null for the first of a work, or the
   * only one.
   */
  readonly joined_to: string | null
  readonly reason: string | null
  readonly explanation: string | null
  readonly confidence: number | null
  readonly is_sure: boolean | null
}

/**
 * Explains the links of a manifestation. They are computed again from the stored evidence, the
 * answers and the merges by people, so they hold for the current catalogue. Undefined for a
 * manifestation that was not imported.
 */
export async function explainLinks(parts: Parts, manifestationId: string): Promise<Origin | undefined> {
  // Nothing that is staged here is written.
  const staging = createStaging(parts.store)
  const name = (await staging.find('origin', [manifestationId])).get(manifestationId)
  const record = name === undefined ? undefined : (await staging.find('record', [name])).get(name)
  if (name === undefined || record === undefined) return undefined
  const source = (await staging.find('source', [manifestationId])).get(manifestationId)
  const ids = mentionIdsOf(name, record)
  const placing = placingFor(parts, record.job)
  const own = await staging.find('mention', ids)
  // The work may have got records of other authors by a merge, which only these know of.
  const revisited = new Set(ids)
  for (const work of new Set([...own.values()].map(each => each.workId)))
    for (const mention of (await findMentionsUnder(staging, work, placing)).keys()) revisited.add(mention)
  const { before, answers } = await findSurroundings(staging, [], new Map(), [...revisited], placing)
  const all = [...before].map(([id, { evidence }]) => toMention(id, evidence))
  const members = blocksOf(all, answers)
    .filter(block => block.some(each => own.has(each.id)))
    .flatMap(block => clusterBlock(block, answers).works)
    .flatMap(work => work.members)
  const links = new Map(members.map(each => [each.mention, each.link]))
  const joined = await staging.find(
    'record',
    [...links.values()].flatMap(link => (link === undefined ? [] : [splitMention(link.to)[0]]))
  )
  return {
    import_id: record.job,
    record: shownName(name, record),
    form: source?.form ?? '',
    decisions: await findDecisions(staging, ids, answers),
    links: ids.flatMap(id => {
      const mention = before.get(id)
      if (mention === undefined) return []
      const link = links.get(id)
      return [
        {
          work_id: mention.workId,
          expression_id: mention.expressionId,
          joined_to: link === undefined ? null : (joined.get(splitMention(link.to)[0])?.manifestationId ?? null),
          reason: link?.reason.code ?? null,
          explanation: link === undefined ? null : explain(link.reason),
          confidence: link?.confidence ?? null,
          is_sure: link?.isSure ?? null
        }
      ]
    })
  }
}

async function findDecisions(
  staging: Staging,
  own: readonly string[],
  inForce: readonly Answer[]
): Promise<Decision[]> {
  const about = inForce.filter(({ one, other }) => own.includes(one) || own.includes(other))
  const answers = [...(await staging.find('answer', about.map(keys.answer))).values()]
  const otherOf = ({ one, other }: StoredAnswer) => splitMention(own.includes(one) ? other : one)[0]
  const records = await staging.find('record', new Set(answers.map(otherOf)))
  return answers.flatMap((answer): Decision[] => {
    const { level, verdict, by, at } = answer
    const other = records.get(otherOf(answer))
    if (other === undefined) return []
    const made_by = madeBy(answer)
    const isMerge = made_by === 'merge'
    const id = other.manifestationId
    return [{ level, verdict, other_id: id, made_by, by: isMerge ? null : by, at: isMerge ? null : at }]
  })
}
