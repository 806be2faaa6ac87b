import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '../parts/router.tsx'

import type { Client, RecentChange as Change } from '../../../client/index.ts'
import { findAddress } from '../../../src/domain/find/find-state.ts'
import { FamilyIcon } from '../parts/family-icon.tsx'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { RecordName } from '../parts/record-name.tsx'

export const recentQuestion = (client: Client) =>
  queryOptions({
    queryKey: ['recent'],
    queryFn: async ({ signal }) => (await client.send('GET /recent', { signal })).data.results
  })

/**
 * The latest changes, newest first. Many records of a kind that were added at once are one line,
 * and so is an import.
 */
export function Recent() {
  const { client } = useSession()
  const { words } = useLocale()
  const recent = useQuery(recentQuestion(client))
  if (!recent.data) return <QueryNote query={recent} />
  if (recent.data.length === 0) return <FullPageNote title={words.nothingYet}>{words.nothingYetHint}</FullPageNote>
  return (
    <ol className="recent">
      {recent.data.map(change => (
        <Line key={change.records[0]?.id} change={change} />
      ))}
    </ol>
  )
}

function Line({ change }: { readonly change: Change }) {
  const { kind, by, created, at, count, more, records, import: importId } = change
  const { model } = useSession()
  const { words, typeName, familyName, ago, number, whoName } = useLocale()
  const type = records[0]?.type ?? ''
  const others = count - records.length
  return (
    <li>
      <FamilyIcon family={kind ?? model.familyOf(type)} />
      <span className="recent-what">
        {records.map((record, index) => (
          <span key={record.id}>
            {index > 0 && ' · '}
            <Link className="recent-name" to={`/record/${encodeURIComponent(record.id)}`}>
              <RecordName record={record} />
            </Link>
          </span>
        ))}
        {others > 0 && (
          <>
            {' '}
            <Link
              to={
                importId === undefined
                  ? findAddress({ types: [kind ?? type], sort: 'newest' })
                  : `/manage/imports/${encodeURIComponent(importId)}`
              }
            >
              {more ? words.andManyMore : words.andMore(number(others))}
            </Link>
          </>
        )}{' '}
        {(count === 1 || kind !== undefined) && (
          <span className="recent-type">{kind === undefined || count === 1 ? typeName(type) : familyName(kind)}</span>
        )}
      </span>
      <span className="recent-when">{(created ? words.createdBy : words.updatedBy)(whoName(by), ago(at))}</span>
    </li>
  )
}
