import type { ClusterLevel } from '#domain/clustering/cluster-block.ts'
import { reasons } from '#domain/clustering/links.ts'
import { CatalogueError, invalidWith, notFound } from '#domain/errors.ts'
import type { Parts } from '#catalogue/parts.ts'
import { type ListedQuestion, type SettledQuestion, shownName } from '#domain/imports/stored.ts'
import type { Store } from '#store/store.ts'
import { commitUnit, isConcurrency, maxTries, keys, readState, restOf } from './state/import-state.ts'
import { placingFor } from './place/catalogue-access.ts'
import { splitMention } from './place/placing.ts'
import { placeAnswered } from './place-answered.ts'
import { createStaging, type Staging } from './state/staging.ts'

/** One side of a question: the record, and its current work and expression. */
export interface QuestionSide {
  readonly manifestation_id: string
  readonly record: string
  readonly title: string
  readonly creators: readonly string[]
  readonly languages: readonly string[]
  readonly work_id: string
  readonly expression_id: string
}

/** A question to a person: are these two the same work, or the same expression? */
export interface ReviewQuestion {
  readonly id: string
  readonly level: ClusterLevel
  /** The current state, until somebody answers. */
  readonly are_joined: boolean
  readonly confidence: number
  /** The number of records whose work or expression depends on the answer. */
  readonly settles: number
  readonly reason: string
  readonly explanation: string
  readonly one: QuestionSide
  readonly other: QuestionSide
  /** The answer, if there is one. */
  readonly settled?: { readonly verdict: Verdict; readonly by: string; readonly at: string }
}

export interface ReviewPage {
  readonly questions: readonly ReviewQuestion[]
  /** The `after` of the next page; undefined at the end. */
  readonly next: string | undefined
}

export type Verdict = 'same' | 'different'

export const toId = (key: string) => Buffer.from(key).toString('base64url')

/** The key of a question; undefined for an id that no question has. */
function fromId(id: string): string | undefined {
  const key = Buffer.from(id, 'base64url').toString()
  return toId(key) === id && !key.includes('\0') ? key : undefined
}

export interface ReviewWanted {
  readonly limit: number
  /** Return questions after this one. */
  readonly after?: string
  /** Return answered questions instead of open ones. */
  readonly areSettled?: boolean
}

/**
 * Lists the open or answered questions of an import. Open questions whose answer settles most come
 * first.
 */
export async function listReview(store: Store, job: string, wanted: ReviewWanted): Promise<ReviewPage> {
  const { limit, after, areSettled = false } = wanted
  const last = after === undefined ? undefined : fromId(after)
  if (after !== undefined && last === undefined)
    throw invalidWith([
      { pointer: 'after', message: 'This is not the id of a question; use `next` of the previous page' }
    ])
  const staging = createStaging(store)
  const page = areSettled
    ? await readState(store, 'settled', job, {
        limit: limit + 1,
        after: last === undefined ? undefined : keys.question(job, last)
      })
    : await readOpenQuestions(store, staging, job, { limit: limit + 1, last })
  const listed = page.slice(0, limit).map(({ key, value }) => ({
    id: toId(restOf(key)),
    question: value as ListedQuestion & Partial<SettledQuestion>
  }))
  const sides = await readSides(
    staging,
    listed.flatMap(({ question: { one, other } }) => [one, other])
  )
  const questions = listed.flatMap(({ id, question }): ReviewQuestion[] => {
    const [one, other] = [sides.get(question.one), sides.get(question.other)]
    if (one === undefined || other === undefined) return []
    const { level, areJoined, confidence, settles = 1, reason, verdict, by = '', at = '' } = question
    return [
      {
        id,
        level,
        are_joined: areJoined,
        confidence,
        settles,
        reason: reason.code,
        explanation: explain(reason),
        one,
        other,
        ...(verdict === undefined ? {} : { settled: { verdict, by, at } })
      }
    ]
  })
  return { questions, next: page.length > limit ? listed.at(-1)?.id : undefined }
}

/** Maximum number of open questions to put in order; others follow when some are answered. */
const maxOrdered = 50_000

/** Reads open questions in the order of what they settle, after one that may be answered by now. */
async function readOpenQuestions(
  store: Store,
  staging: Staging,
  job: string,
  { limit, last }: { readonly limit: number; readonly last: string | undefined }
): Promise<{ readonly key: string; readonly value: ListedQuestion }[]> {
  const open = await readState(store, 'question', job, { limit: maxOrdered })
  const ordered = open.sort(inOrder)
  if (last === undefined) return ordered.slice(0, limit)
  const key = keys.question(job, last)
  const before = (await staging.find('question', [key])).get(key) ?? (await staging.find('settled', [key])).get(key)
  const rest = before === undefined ? ordered : ordered.filter(each => inOrder({ key, value: before }, each) < 0)
  return rest.slice(0, limit)
}

interface Keyed {
  readonly key: string
  readonly value: ListedQuestion
}

const inOrder = (one: Keyed, other: Keyed) =>
  (other.value.settles ?? 1) - (one.value.settles ?? 1) || (one.key < other.key ? -1 : one.key > other.key ? 1 : 0)

export function explain({ code, shared }: { readonly code: string; readonly shared?: string }): string {
  const words = Object.hasOwn(reasons, code) ? reasons[code as keyof typeof reasons] : code
  return shared === undefined ? words : `${words}: “${shared}”`
}

export async function readSides(staging: Staging, mentions: readonly string[]): Promise<Map<string, QuestionSide>> {
  const stored = await staging.find('mention', new Set(mentions))
  const records = await staging.find('record', new Set([...stored.keys()].map(id => splitMention(id)[0])))
  const sides = new Map<string, QuestionSide>()
  for (const [id, { evidence, work, workId, expressionId }] of stored) {
    const [name] = splitMention(id)
    const record = records.get(name)
    if (record === undefined) continue
    const title = work.metadata.find(each => each.key === 'title')?.value
    sides.set(id, {
      manifestation_id: record.manifestationId,
      record: shownName(name, record),
      title: typeof title === 'string' ? title : '',
      creators: evidence.creators.map(({ surname, forenames }) => `${surname}, ${forenames}`),
      languages: evidence.expression.languages,
      work_id: workId,
      expression_id: expressionId
    })
  }
  return sides
}

export interface GivenAnswer {
  readonly question: string
  readonly verdict: Verdict
}

/** The effect of answers. */
export interface Answered {
  readonly answered: number
  readonly changed: number
}

/**
 * Stores answers to review questions; they hold for all later imports. Works and expressions are
 * corrected at once. No other import may run meanwhile. A question can be answered again. Throws
 * `not_found` for a question that was never on the list.
 */
export async function answerReview(
  parts: Parts,
  job: string,
  answers: readonly GivenAnswer[],
  by: string,
  now: () => number = Date.now
): Promise<Answered> {
  const staging = createStaging(parts.store)
  const questionKeys = answers.map(each => keys.question(job, fromId(each.question) ?? ''))
  for (let tries = 1; ; tries++) {
    staging.clear()
    const [questions, settled] = [
      await staging.find('question', questionKeys),
      await staging.find('settled', questionKeys)
    ]
    const mentions = new Set<string>()
    for (const [index, { question, verdict }] of answers.entries()) {
      const key = questionKeys[index] ?? ''
      const found = questions.get(key) ?? settled.get(key)
      if (found === undefined) throw notFound('question', question)
      const [one = '', other = ''] = [found.one, found.other].sort()
      const name = keys.answer({ level: found.level, one, other })
      const answer = { verdict, by, at: new Date(now()).toISOString() }
      staging.put('answer', name, { level: found.level, one, other, ...answer })
      staging.put('settled', key, { ...found, ...answer })
      for (const each of [one, other]) {
        staging.put('answered', keys.answered(each, name), true)
        mentions.add(each)
      }
    }
    staging.put('flag', 'answers', true)
    // The answers are pending by now, so that placing sees them.
    await placeAnswered(staging, [...mentions], placingFor(parts, job))
    const { writes, state } = staging.flush()
    try {
      await commitUnit(parts, { id: job }, writes, state)
      return { answered: answers.length, changed: writes.length }
    } catch (error) {
      if (tries === maxTries || !isConcurrency(error)) throw error
    }
  }
}

/** Refuses more answers than one transaction should hold. */
export function refuseMany(answers: readonly unknown[]) {
  if (answers.length > maxAnswers)
    throw new CatalogueError('invalid', `At most ${maxAnswers} questions can be answered at once`)
}

const maxAnswers = 100
