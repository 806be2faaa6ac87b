import { type Answer, clusterBlock, clusterLevels } from '#domain/clustering/cluster-block.ts'
import { blocksOf } from '#domain/clustering/blocks.ts'
import { findLikeCases, type LikeCase, type Likeness, type OpenCase } from '#domain/clustering/like-cases.ts'
import { reasons } from '#domain/clustering/links.ts'
import { notFound } from '#domain/errors.ts'
import type { StoredAnswer, StoredMention } from '#domain/imports/stored.ts'
import type { Parts } from '#catalogue/parts.ts'
import { createTurns } from '#catalogue/take-turns.ts'
import { type DecisionKind, madeBy } from './explain-links.ts'
import { findMentionsUnder, findSurroundings, toMention } from './place/find-surroundings.ts'
import { type Placing, splitMention } from './place/placing.ts'
import { type Answered, type QuestionSide, readSides, toId, type Verdict } from './review.ts'
import { changeAnswers, findOwn, type OwnRecord } from './split.ts'
import { keys } from './state/import-state.ts'
import { createStaging, type Staging } from './state/staging.ts'
import { placingFor } from './place/catalogue-access.ts'

/*
 * Cases like those that people decided about a record and the others of its works, by merging,
 * splitting or answering. A person accepts each; an accepted case is an answer like any other.
 */

/** Decisions are about works; expressions follow from them. */
const [level] = clusterLevels

/**
 * Maximum number of decisions that cases are compared with, of other decisions that may contradict
 * them, and of cases in one answer.
 */
const maxDecisions = 100
const maxCases = 100
/** Maximum number of open questions and joins that are compared; later ones follow. */
const maxCompared = 2000

/** A case that a decision is offered for. */
export interface OfferedCase {
  readonly id: string
  /** The decision that is offered. */
  readonly verdict: Verdict
  readonly likeness: Likeness
  /** The rule of clustering between the two, as a code; null unless the likeness is a pattern. */
  readonly reason: string | null
  readonly explanation: string
  readonly are_joined: boolean
  readonly one: QuestionSide
  readonly other: QuestionSide
  /** The decision that it is like. */
  readonly decided: {
    readonly one: string
    readonly other: string
    readonly made_by: DecisionKind
    /** The person; null for a merge, whose history is with the merged records. */
    readonly by: string | null
    readonly at: string | null
  }
}

const caseId = ({ one, other }: Pick<LikeCase, 'one' | 'other'>) => toId(`${one}\n${other}`)

/** Lists cases like the decisions about a manifestation. Throws `not_found` without an import. */
export async function listLikeCases(parts: Parts, id: string): Promise<OfferedCase[]> {
  // Nothing that is staged here is written.
  const staging = createStaging(parts.store)
  const own = await findOwn(staging, id)
  if (own === undefined) throw notFound('import of an entity', id)
  const { cases } = await findCases(staging, own, placingFor(parts, own.job))
  const answers = await staging.find(
    'answer',
    cases.map(each => keys.answer(each.decision))
  )
  const sides = await readSides(
    staging,
    cases.flatMap(each => [each.one, each.other, each.decision.one, each.decision.other])
  )
  return cases.flatMap((each): OfferedCase[] => {
    const [one, other] = [sides.get(each.one), sides.get(each.other)]
    const answer = answers.get(keys.answer(each.decision))
    if (one === undefined || other === undefined || answer === undefined) return []
    const [first, second] = [each.decision.one, each.decision.other].map(side => sides.get(side)?.title ?? '')
    const made_by = madeBy(answer)
    const isMerge = made_by === 'merge'
    const decided = {
      one: first ?? '',
      other: second ?? '',
      made_by,
      by: isMerge ? null : answer.by,
      at: isMerge ? null : answer.at
    }
    const { verdict, likeness, reason = null, areJoined } = each
    return [
      {
        id: caseId(each),
        verdict,
        likeness,
        reason,
        explanation: explainCase(each, decided),
        are_joined: areJoined,
        one,
        other,
        decided
      }
    ]
  })
}

function explainCase({ verdict, likeness, reason }: LikeCase, { one, other }: { one: string; other: string }): string {
  const decided = `“${one}” and “${other}” were decided to be ${verdict === 'same' ? 'the same work' : 'different works'}`
  if (likeness === 'titles') return `${decided}; these two have the same two titles`
  if (likeness === 'authors') return `${decided}; these two have the same title and are by the same two authors`
  return `${decided}; these two are alike in the same way: ${reason === undefined ? 'same author' : reasons[reason]}`
}

interface Found {
  readonly cases: readonly LikeCase[]
  readonly mentions: ReadonlyMap<string, StoredMention>
}

async function findCases(staging: Staging, own: OwnRecord, placing: Placing): Promise<Found> {
  const about = new Set(own.mentions.keys())
  for (const work of new Set([...own.mentions.values()].map(each => each.workId)))
    for (const mention of (await findMentionsUnder(staging, work, placing)).keys()) about.add(mention)
  const { before, answers } = await findSurroundings(staging, [], new Map(), [...about], placing)
  const onWorks = answers.filter(each => each.level === level)
  const decisions = onWorks.filter(({ one, other }) => about.has(one) || about.has(other)).slice(0, maxDecisions)
  if (decisions.length === 0) return { cases: [], mentions: before }
  const mentions = new Map([...before].map(([id, { evidence }]) => [id, toMention(id, evidence)]))
  const joins = decisions.some(each => each.verdict === 'different')
    ? findJoins(blocksOf([...mentions.values()], answers), answers)
    : []
  const decided = new Set(onWorks.map(each => pairKey(each)))
  const workOf = (id: string) => before.get(id)?.workId
  const isOpen = (pair: OpenCase) => !decided.has(pairKey(pair))
  const open = [...findQuestions(before), ...joins].filter(isOpen).slice(0, maxCompared)
  const others = onWorks.filter(each => !decisions.includes(each)).slice(0, maxDecisions)
  // A question is also a join, if its two are joined.
  const cases = new Map<string, LikeCase>()
  const turn = createTurns()
  for (const like of findLikeCases(mentions, decisions, open, [...decisions, ...others])) {
    await turn()
    if (like === undefined || decided.has(pairKey(like))) continue
    if (like.likeness === 'authors' && workOf(like.one) === workOf(like.other)) continue
    cases.set(pairKey(like), like)
    if (cases.size === maxCases) break
  }
  return { cases: [...cases.values()], mentions: before }
}

const pairKey = ({ one, other }: { readonly one: string; readonly other: string }) => [one, other].sort().join('\n')

const findQuestions = (mentions: ReadonlyMap<string, StoredMention>): OpenCase[] =>
  [...mentions].flatMap(([one, { questions = [] }]) =>
    questions
      .filter(each => each.level === level)
      .map(({ other, areJoined }) => ({ one, other, areJoined, isAsked: true }))
  )

const findJoins = (blocks: ReturnType<typeof blocksOf>, answers: readonly Answer[]): OpenCase[] =>
  blocks
    .flatMap(block => clusterBlock(block, answers).works)
    .flatMap(work => work.members)
    .flatMap(({ mention, link }) =>
      link === undefined ? [] : [{ one: mention, other: link.to, areJoined: true, isAsked: false }]
    )

/**
 * Accepts offered cases: stores each as an answer, and corrects works and expressions. Throws
 * `not_found` for a case that is not offered (any more). No import may run meanwhile.
 */
export async function acceptLikeCases(
  parts: Parts,
  id: string,
  accepted: readonly string[],
  by: string,
  now: () => number = Date.now
): Promise<Answered> {
  return changeAnswers(parts, id, async (staging, own, placing) => {
    const { cases, mentions } = await findCases(staging, own, placing)
    const byId = new Map(cases.map(each => [caseId(each), each]))
    const at = new Date(now()).toISOString()
    const chosen = [...new Set(accepted)].map(each => {
      const found = byId.get(each)
      if (found === undefined) throw notFound('case', each)
      return found
    })
    const records = await staging.find('record', new Set(chosen.map(({ one }) => splitMention(one)[0])))
    for (const each of chosen) {
      // A separation is a split of the first record, so that it can be withdrawn like one.
      const split = each.verdict === 'different' ? records.get(splitMention(each.one)[0])?.manifestationId : undefined
      storeAnswer(staging, mentions, each, { by, at, ...(split === undefined ? {} : { split }) })
    }
    staging.put('flag', 'answers', true)
    return { count: chosen.length, mentions: chosen.flatMap(({ one, other }) => [one, other]) }
  })
}

function storeAnswer(
  staging: Staging,
  mentions: ReadonlyMap<string, StoredMention>,
  { one: first, other: second, verdict }: LikeCase,
  given: Pick<StoredAnswer, 'by' | 'at' | 'split'>
) {
  const [one = '', other = ''] = [first, second].sort()
  const key = keys.answer({ level, one, other })
  staging.put('answer', key, { level, one, other, verdict, ...given })
  for (const each of [one, other]) staging.put('answered', keys.answered(each, key), true)
  // An open question about the two is answered with it.
  for (const [from, to] of [
    [one, other],
    [other, one]
  ] as const)
    for (const question of mentions.get(from)?.questions ?? [])
      if (question.level === level && question.other === to) {
        const { job, ...listed } = question
        const place = keys.question(job, keys.questionRest(from, level, to))
        staging.put('settled', place, { ...listed, one: from, verdict, by: given.by, at: given.at })
      }
}
