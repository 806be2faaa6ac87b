import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '../parts/router.tsx'

import { isProblem, type QuestionSide } from '../../../client/index.ts'
import { recordKey } from '../data/use-record.ts'
import { useLocale } from '../i18n/locale.tsx'
import { useToasts } from '../parts/toasts.tsx'
import { useSession } from '../session/session.tsx'
import { mayImport } from './may-import.ts'
import { useReasonText } from './reason-text.ts'
import './import.css'

/**
 * Cases like those that people decided about an edition and the others of its works. Each can be
 * accepted, or all at once; nothing happens before.
 */
export function LikeCases({ id }: { readonly id: string }) {
  const { client, model } = useSession()
  const { words, number, problemText } = useLocale()
  const { say } = useToasts()
  const reasonText = useReasonText()
  const queries = useQueryClient()
  const offered = useQuery({
    queryKey: [...recordKey(id), 'like cases'],
    enabled: mayImport(model),
    retry: false,
    queryFn: async ({ signal }) =>
      (await client.send('GET /entities/{id}/like-cases', { path: { id }, signal })).data.cases
  })
  const accept = useMutation({
    mutationFn: (cases: readonly string[]) =>
      client.send('POST /entities/{id}/like-cases', { path: { id }, body: { cases: [...cases] } }),
    onSuccess: async (_, cases) => {
      await queries.invalidateQueries()
      say(words.likeCasesDecided(cases.length, number(cases.length)))
    },
    onError: error => say(isProblem(error, 'unavailable') ? words.importRuns : problemText(error))
  })
  const cases = offered.data ?? []
  if (cases.length === 0) return null
  return (
    <section className="like-cases" aria-labelledby="like-cases">
      <h2 id="like-cases" className="section-title">
        {words.likeCases} <span className="count">{number(cases.length)}</span>
      </h2>
      <p className="soft">{words.likeCasesIntro}</p>
      <ul className="like-case-list">
        {cases.map(each => (
          <li key={each.id}>
            <span>
              <SideLink side={each.one} /> / <SideLink side={each.other} />
              <br />
              <span className="soft">
                {words.likeCaseWhy[
                  each.likeness === 'titles' || each.likeness === 'authors' ? each.likeness : 'pattern'
                ](each.decided.one, each.decided.other)}
                {each.reason !== null && ` (${reasonText(each.explanation.replace(/^.*: /s, ''), each.reason)})`}
              </span>
            </span>
            <button
              type="button"
              className="button"
              disabled={accept.isPending}
              aria-label={`${each.one.title} / ${each.other.title}: ${each.verdict === 'same' ? words.same : words.different}`}
              onClick={() => accept.mutate([each.id])}
            >
              {each.verdict === 'same' ? words.same : words.different}
            </button>
          </li>
        ))}
      </ul>
      {cases.length > 1 && (
        <button
          type="button"
          className="button"
          disabled={accept.isPending}
          onClick={() => accept.mutate(cases.map(each => each.id))}
        >
          {words.acceptLikeCases}
        </button>
      )}
    </section>
  )
}

const SideLink = ({ side }: { readonly side: QuestionSide }) => (
  <Link to={`/record/${encodeURIComponent(side.manifestation_id)}`}>{side.title}</Link>
)
