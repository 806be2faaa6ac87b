import type { ClusterLevel } from '#domain/clustering/cluster-block.ts'
import { reasons } from '#domain/clustering/links.ts'
import { CatalogueError, invalidWith, notFound } from '#domain/errors.ts'
import type { Store } from '#store/store.ts'
import { createDesk, type Desk, type ListedQuestion, type SettledQuestion } from './desk.ts'
import { placeRecords } from './place-records.ts'
import { splitMention } from './placing.ts'
import { type ImportParts, isPassing, placingWith, writeUnit } from './run-import.ts'

/** One side of a question: which record says it, and where it is now. */
export interface QuestionSide {
  readonly manifestation_id: string
  readonly record: string
  readonly title: string
  readonly creators: readonly string[]
  readonly languages: readonly string[]
  readonly work_id: string
  readonly expression_id: string
}

/** Two that may be one: a person says whether they are. */
export interface ReviewQuestion {
  readonly id: string
  readonly level: ClusterLevel
  /** How it is until somebody answers. */
  readonly are_joined: boolean
  readonly confidence: number
  readonly reason: string
  readonly explanation: string
  readonly one: QuestionSide
  readonly other: QuestionSide
  /** What somebody said, of one that was answered. */
  readonly settled?: { readonly verdict: Verdict; readonly by: string; readonly at: string }
}

export interface ReviewPage {
  readonly questions: readonly ReviewQuestion[]
  /** Asks for the rest; undefined at the end. */
  readonly next: string | undefined
}

export type Verdict = 'same' | 'different'

const toId = (key: string) => Buffer.from(key).toString('base64url')

/** The key of a question; undefined for an id that no question has. */
function fromId(id: string): string | undefined {
  const key = Buffer.from(id, 'base64url').toString()
  return toId(key) === id && !key.includes('\0') ? key : undefined
}

export interface ReviewWanted {
  readonly limit: number
  /** Those after this question. */
  readonly after?: string
  /** Those that somebody has answered, instead of those that nobody has. */
  readonly areSettled?: boolean
}

/** The questions of an import that nobody has answered, or those that somebody has, in a lasting order. */
export async function listReview(store: Store, job: string, wanted: ReviewWanted): Promise<ReviewPage> {
  const { limit, after, areSettled = false } = wanted
  const last = after === undefined ? undefined : fromId(after)
  if (after !== undefined && last === undefined)
    throw invalidWith([{ pointer: 'after', message: 'It is not the id of a question; take `next` of the page before' }])
  const from = last === undefined ? {} : { after: `${job}\n${last}` }
  const kind = areSettled ? 'import settled' : 'import question'
  const page = await store.readPapers(kind, { heading: job, limit: limit + 1, ...from })
  const desk = createDesk(store)
  const listed = page.slice(0, limit).map(({ key, value }) => ({
    id: toId(key.slice(job.length + 1)),
    question: JSON.parse(value) as ListedQuestion & Partial<SettledQuestion>
  }))
  const sides = await readSides(
    desk,
    listed.flatMap(({ question: { one, other } }) => [one, other])
  )
  const questions = listed.flatMap(({ id, question }): ReviewQuestion[] => {
    const [one, other] = [sides.get(question.one), sides.get(question.other)]
    if (one === undefined || other === undefined) return []
    const { level, areJoined, confidence, reason, verdict, by = '', at = '' } = question
    return [
      {
        id,
        level,
        are_joined: areJoined,
        confidence,
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

export function explain({ code, shared }: { readonly code: string; readonly shared?: string }): string {
  const words = Object.hasOwn(reasons, code) ? reasons[code as keyof typeof reasons] : code
  return shared === undefined ? words : `${words}: “${shared}”`
}

async function readSides(desk: Desk, mentions: readonly string[]): Promise<Map<string, QuestionSide>> {
  const kept = await desk.find('import mention', new Set(mentions))
  const records = await desk.find('import record', new Set([...kept.keys()].map(id => splitMention(id)[0])))
  const sides = new Map<string, QuestionSide>()
  for (const [id, { evidence, work, workId, expressionId }] of kept) {
    const [name] = splitMention(id)
    const record = records.get(name)
    if (record === undefined) continue
    const title = work.metadata.find(each => each.key === 'title')?.value
    sides.set(id, {
      manifestation_id: record.manifestationId,
      record: name,
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

/** What an answer has changed. */
export interface Answered {
  readonly answered: number
  readonly changed: number
}

const mostTries = 8

/**
 * Keeps what a person said, for good: whatever is imported later, it holds. Works and expressions are put right at once. Nobody else may be
 * importing meanwhile. Who thinks better of it answers again. Throws `not_found` for a question that was never on the list.
 */
export async function answerReview(
  parts: ImportParts,
  job: string,
  answers: readonly GivenAnswer[],
  by: string,
  now: () => number = Date.now
): Promise<Answered> {
  const desk = createDesk(parts.store)
  const keys = answers.map(each => `${job}\n${fromId(each.question) ?? ''}`)
  for (let tries = 1; ; tries++) {
    desk.clear()
    const [questions, settled] = [await desk.find('import question', keys), await desk.find('import settled', keys)]
    const mentions = new Set<string>()
    for (const [index, { question, verdict }] of answers.entries()) {
      const key = keys[index] ?? ''
      const asked = questions.get(key) ?? settled.get(key)
      if (asked === undefined) throw notFound('question', question)
      const [one = '', other = ''] = [asked.one, asked.other].sort()
      const name = `${asked.level} ${one} ${other}`
      const said = { verdict, by, at: new Date(now()).toISOString() }
      desk.put('import answer', name, { level: asked.level, one, other, ...said })
      desk.put('import settled', key, { ...asked, ...said })
      for (const each of [one, other]) {
        desk.put('import answered', `${each}\n${name}`, true)
        mentions.add(each)
      }
    }
    desk.put('import flag', 'answers', true)
    // Laid down first, and seen by what follows.
    await placeRecords(desk, [], { ...placingWith(parts, job) }, [...mentions])
    const { writes, papers } = desk.handIn()
    try {
      await writeUnit(parts, { id: job }, writes, papers)
      return { answered: answers.length, changed: writes.length }
    } catch (error) {
      if (tries === mostTries || !isPassing(error)) throw error
    }
  }
}

/** Refuses more at once than one transaction should hold. */
export function refuseMany(answers: readonly unknown[]) {
  if (answers.length > mostAnswers)
    throw new CatalogueError('invalid', `At most ${mostAnswers} questions can be answered at once`)
}

const mostAnswers = 100
