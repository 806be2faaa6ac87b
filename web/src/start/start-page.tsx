import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { findAddress } from '../find/find-state.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { FamilyIcon } from '../parts/family-icon.tsx'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { useSpeech } from '../words/words.tsx'
import './start.css'

const mostRecent = 12

/** What is here, and what changed. */
export function StartPage() {
  const { words } = useSpeech()
  useTitle(undefined)
  return (
    <div className="start">
      <section>
        <h1>{words.inTheCatalogue}</h1>
        <Counts />
      </section>
      <section>
        <h2>{words.whatChanged}</h2>
        <Recent />
      </section>
    </div>
  )
}

function Counts() {
  const { client, model } = useSession()
  const { number, familyName } = useSpeech()
  const families = [...model.families].filter(([, rows]) => rows.some(row => row.may.includes('read')))
  const { data } = useQuery({
    queryKey: ['count'],
    queryFn: ({ signal }) => client.entities.find([], { limit: 0, facets: ['type'], facetLimit: 1000, signal })
  })
  const countOf = (family: string) =>
    data?.facets?.type
      ?.filter(({ value }) => model.familyOf(value) === family)
      .reduce((sum, { count }) => sum + count, 0) ?? 0
  return (
    <ul className="counts">
      {families.map(([family]) => (
        <li key={family}>
          <Link to={findAddress({ types: [family] })}>
            <FamilyIcon family={family} />
            <strong>{data ? number(countOf(family)) : '\u00a0'}</strong>
            <span>{familyName(family)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Recent() {
  const { client, model } = useSession()
  const { words, typeName, ago } = useSpeech()
  const nameOf = useNameOf()
  const recent = useQuery({
    queryKey: ['recent'],
    queryFn: ({ signal }) =>
      client.entities.find([], { limit: mostRecent, orderBy: 'date_updated', descending: true, signal })
  })
  if (!recent.data) return <QueryNote query={recent} />
  if (recent.data.count === 0) return <FullPageNote title={words.nothingYet}>{words.nothingYetHint}</FullPageNote>
  return (
    <ol className="recent">
      {recent.data.results.map(entity => (
        <li key={entity.id}>
          <Link to={`/record/${encodeURIComponent(entity.id)}`}>
            <FamilyIcon family={model.familyOf(entity.type)} />
            <span className="recent-name">{nameOf(entity)}</span>
            <span className="recent-type">{typeName(entity.type)}</span>
          </Link>
          <span className="recent-when">
            {(entity.version === 1 ? words.createdBy : words.updatedBy)(
              entity.audit.updated.by.replace(/^token:/, ''),
              ago(entity.audit.updated.at)
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}
