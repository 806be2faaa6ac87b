import { Link } from '../parts/router.tsx'

import type { Entity, QuestionSide, ReviewQuestion } from '../../../client/index.ts'
import { isEmpty, textOf, valuesOf } from '../data/record-model.ts'
import { useLocale } from '../i18n/locale.tsx'
import { languageText, nameText } from './evidence-text.ts'
import { useReasonText } from './reason-text.ts'

type Verdict = 'same' | 'different'
type Records = ReadonlyMap<string, Entity>

interface OpenQuestionProps {
  readonly question: ReviewQuestion
  readonly records: Records
  readonly isCurrent: boolean
  readonly isBusy: boolean
  readonly onFocus: () => void
  readonly onAnswer: (verdict: Verdict) => void
}

/** A review question: two records side by side, the reason, the confidence, and two answers. */
export function OpenQuestion({ question, records, isCurrent, isBusy, onFocus, onAnswer }: OpenQuestionProps) {
  const { words, number } = useLocale()
  const reasonText = useReasonText()
  const percent = Math.round(question.confidence * 100)
  const asks = question.level === 'work' ? words.isOneWork : words.isOneExpression
  return (
    // The keys act on the question that has the focus, so it must be focusable.
    <li
      className="question"
      tabIndex={isCurrent ? 0 : -1}
      aria-current={isCurrent}
      aria-label={`${asks} ${question.one.title} / ${question.other.title}`}
      onFocus={onFocus}
    >
      <div className="question-head">
        <h3>{asks}</h3>
        <span className="tag">{question.are_joined ? words.isJoined : words.isApart}</span>
      </div>
      <p className="question-why">{capital(reasonText(question.explanation, question.reason))}</p>
      <p className="sureness">
        <meter aria-label={words.howSure(percent)} min={0} max={100} value={percent} />
        <span className="soft">{words.howSure(percent)}</span>
      </p>
      <Sides question={question} records={records} />
      <p className="soft">
        {words.answerEffects[question.level][question.are_joined ? 'joined' : 'apart']}{' '}
        {question.settles > 1 && words.answerSettles(number(question.settles))}
      </p>
      <div className="question-answers">
        {(['same', 'different'] as const).map(answer => (
          <button
            key={answer}
            type="button"
            className="button"
            disabled={isBusy}
            aria-keyshortcuts={words[`${answer}Key`]}
            onClick={() => onAnswer(answer)}
          >
            {words[answer]}{' '}
            <span className="key-cap" aria-hidden="true">
              {words[`${answer}Key`]}
            </span>
          </button>
        ))}
      </div>
    </li>
  )
}

/** The fields that distinguish editions, in the order of importance. */
const tellingFields = [
  'subtitle',
  'responsibility',
  'edition',
  'year_of_publication',
  'isbn',
  'extent',
  'series_statement'
]

interface SidesProps {
  readonly question: ReviewQuestion
  readonly records: Records
}

/** Both sides, one row per field; differences are marked. */
function Sides({ question: { one, other }, records }: SidesProps) {
  const { words, fieldName, relationName, language } = useLocale()
  const known = (side: QuestionSide, key: string) => {
    const record = records.get(side.manifestation_id)
    const [value] = record ? valuesOf(record, key, language) : []
    return isEmpty(value) ? '' : textOf(value)
  }
  const rows = [
    { name: fieldName('title'), values: [one.title, other.title] },
    { name: relationName('refAuthors'), values: [one, other].map(side => side.creators.map(nameText).join('; ')) },
    {
      name: relationName('refLanguages'),
      values: [one, other].map(side => side.languages.map(code => languageText(code, language)).join(', '))
    },
    ...tellingFields.map(key => ({ name: fieldName(key), values: [known(one, key), known(other, key)] }))
  ].filter(({ values }) => values.some(value => value !== ''))
  return (
    <table className="sides">
      <tbody>
        {rows.map(({ name, values }) => (
          <tr key={name} className={new Set(values).size > 1 ? 'differs' : undefined}>
            <th scope="row">{name}</th>
            {values.map((value, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: there are two sides, in this order
              <td key={at}>{value}</td>
            ))}
          </tr>
        ))}
        <tr>
          <th scope="row">{words.sourceRecord}</th>
          {[one, other].map(side => (
            <td key={side.manifestation_id}>
              <Link to={`/record/${encodeURIComponent(side.manifestation_id)}`} tabIndex={-1}>
                {side.record}
              </Link>
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  )
}

interface SettledQuestionProps {
  readonly question: ReviewQuestion
  readonly isBusy: boolean
  readonly onAnswer: (verdict: Verdict) => void
}

/** The given answer, and a button to change it. */
export function SettledQuestion({ question, isBusy, onAnswer }: SettledQuestionProps) {
  const { words, ago, whoName } = useLocale()
  const { settled, one, other } = question
  if (settled === undefined) return null
  const otherwise = settled.verdict === 'same' ? 'different' : 'same'
  return (
    <li>
      <p>
        <span className="result-name">{one.title}</span> <span className="soft">/</span>{' '}
        <span className="result-name">{other.title}</span>
        <span className={settled.verdict === 'same' ? 'tag import-done' : 'tag'}>
          {settled.verdict === 'same' ? words.decidedSame : words.decidedDifferent}
        </span>
        <span className="soft settled-by">{words.decidedBy(whoName(settled.by), ago(settled.at))}</span>
      </p>
      <button type="button" className="button" disabled={isBusy} onClick={() => onAnswer(otherwise)}>
        {words.changeVerdict[otherwise]}
      </button>
    </li>
  )
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
