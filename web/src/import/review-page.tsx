import { partialMatchKey, type Query, useMutation, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Link, useParams } from '../parts/router.tsx'

import { isProblem, type ReviewQuestion } from '../../../client/index.ts'
import { useRecords } from '../data/use-names.ts'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useToasts } from '../parts/toasts.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { LikeCases } from './like-cases.tsx'
import { OpenQuestion, SettledQuestion } from './review-question.tsx'
import { reviewKey, useImport, useReview } from './use-imports.ts'
import { NextButton } from '../parts/show-more.tsx'
import './import.css'

type Verdict = 'same' | 'different'

/** The review questions of an import, each answered with one key. */
export default function ReviewPage() {
  const { id = '' } = useParams()
  const { words, number } = useLocale()
  const job = useImport(id)
  const open = useReview(id, false)
  const settled = useReview(id, true)
  useTitle(job.data && words.reviewOf(job.data.name))
  const questions = open.data?.pages.flatMap(page => page.questions) ?? []
  const answered = settled.data?.pages.flatMap(page => page.questions) ?? []
  const records = useRecords(
    [...questions, ...answered].flatMap(({ one, other }) => [one.manifestation_id, other.manifestation_id])
  )
  const answer = useAnswer(id)
  if (isProblem(open.error, 'forbidden')) return <FullPageNote isWhole title={words.mayNotImport} />
  if (!job.data || !open.data) return <QueryNote isWhole query={job.data ? open : job} />
  const count = `${number(questions.length)}${open.hasNextPage ? '+' : ''}`
  return (
    <article className="review">
      <header className="import-head">
        <Link className="button ghost" to={`/manage/imports/${id}`}>
          <ArrowLeft size={16} aria-hidden="true" /> {job.data.name}
        </Link>
        <h1>{words.reviewOf(job.data.name)}</h1>
        <p className="soft">{words.reviewIntro}</p>
      </header>
      {answer.variables !== undefined && answer.isSuccess && (
        <LikeCases id={answer.variables.question.one.manifestation_id} />
      )}
      {questions.length === 0 ? (
        <FullPageNote title={words.nothingToReview}>{words.nothingToReviewHint}</FullPageNote>
      ) : (
        <>
          <h2 className="section-title" aria-live="polite">
            {words.toReview(open.hasNextPage ? 2 : questions.length, count)}
          </h2>
          <p className="hint review-keys">
            {words.reviewKeys} <kbd>{words.sameKey}</kbd> {words.same}, <kbd>{words.differentKey}</kbd>{' '}
            {words.different}.
          </p>
          <OpenQuestions questions={questions} records={records} answer={answer} />
          <NextButton pages={open} />
        </>
      )}
      {answered.length > 0 && (
        <section>
          <h2 className="section-title">
            {words.decided}{' '}
            <span className="count">{`${number(answered.length)}${settled.hasNextPage ? '+' : ''}`}</span>
          </h2>
          <ul className="settled">
            {answered.map(question => (
              <SettledQuestion
                key={question.id}
                question={question}
                isBusy={answer.isPending}
                onAnswer={verdict => answer.mutate({ question, verdict })}
              />
            ))}
          </ul>
          <NextButton pages={settled} />
        </section>
      )}
    </article>
  )
}

interface GivenAnswer {
  readonly question: ReviewQuestion
  readonly verdict: Verdict
}

/** Sends the answer, refreshes the page, and offers to change it. */
function useAnswer(id: string) {
  const { client } = useSession()
  const { words, problemText } = useLocale()
  const { say } = useToasts()
  const queries = useQueryClient()
  const answer = useMutation({
    mutationFn: ({ question, verdict }: GivenAnswer) => client.imports.answer(id, question.id, verdict),
    onSuccess: async (_, { question, verdict }) => {
      // The next question can be answered at once.
      await queries.invalidateQueries({ queryKey: reviewKey(id) })
      say((verdict === 'same' ? words.nowSame : words.nowDifferent)(question.one.title))
      // Works were merged or split, so cached records may be outdated.
      const isElsewhere = ({ queryKey }: Pick<Query, 'queryKey'>) => !partialMatchKey(queryKey, reviewKey(id))
      void queries.invalidateQueries({ predicate: isElsewhere })
    },
    onError: error => say(isProblem(error, 'unavailable') ? words.importRuns : problemText(error))
  })
  return answer
}

interface OpenQuestionsProps {
  readonly questions: readonly ReviewQuestion[]
  readonly records: ReturnType<typeof useRecords>
  readonly answer: ReturnType<typeof useAnswer>
}

/** The current question: it has the focus and receives the keys. */
function OpenQuestions({ questions, records, answer }: OpenQuestionsProps) {
  const { words } = useLocale()
  const list = useRef<HTMLOListElement>(null)
  const [at, setAt] = useState(0)
  const current = Math.min(at, questions.length - 1)
  const currentId = questions[current]?.id
  // The first question has the focus at the start, and the next one after each answer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question is another place
  useEffect(() => {
    list.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus()
  }, [currentId])
  const onKey = (event: KeyboardEvent) => {
    const question = questions[current]
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt(Math.max(0, Math.min(questions.length - 1, current + step)))
    }
    const key = event.key.toLowerCase()
    const verdict = key === words.sameKey ? 'same' : key === words.differentKey ? 'different' : undefined
    if (verdict !== undefined && isPlain && question && !answer.isPending) {
      event.preventDefault()
      answer.mutate({ question, verdict })
    }
  }
  return (
    <ol ref={list} className="questions" onKeyDown={onKey}>
      {questions.map((question, index) => (
        <OpenQuestion
          key={question.id}
          question={question}
          records={records}
          isCurrent={index === current}
          isBusy={answer.isPending}
          onFocus={() => setAt(index)}
          onAnswer={verdict => answer.mutate({ question, verdict })}
        />
      ))}
    </ol>
  )
}
