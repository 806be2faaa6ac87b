import { useMutation } from '@tanstack/react-query'
import { Merge, Split } from 'lucide-react'
import { Link, useSearchParams } from '../parts/router.tsx'

import type { DuplicateGroup } from '../../../client/index.ts'
import { usePages } from '../data/use-pages.ts'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useToasts } from '../parts/toasts.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import type { Words } from '../i18n/en.ts'
import { useLocale } from '../i18n/locale.tsx'
import { differentRelation } from './duplicates.tsx'
import { useChanges } from './use-changes.ts'
import { Options } from '../parts/options.tsx'
import { NextButton } from '../parts/show-more.tsx'
import './duplicates.css'

/** The work list of likely duplicates: each is merged, or said to be different. */
export default function DuplicatesPage() {
  const { client, model } = useSession()
  const { words, number, familyName, fieldName } = useLocale()
  const [query, setQuery] = useSearchParams()
  const type = query.get('type') ?? ''
  const reason = query.get('reason') ?? ''
  useTitle(words.likelyDuplicates)
  const list = usePages({
    queryKey: ['likely duplicates', type, reason],
    first: async signal => (await client.send('GET /duplicates', { query: { type, reason, limit: 20 }, signal })).data
  })
  const choose = (name: string, value: string) => {
    const chosen = new URLSearchParams(query)
    if (value === '') chosen.delete(name)
    else chosen.set(name, value)
    setQuery(chosen, { replace: true })
  }
  const groups = list.data?.pages.flatMap(page => page.results) ?? []
  const count = list.data?.pages[0]?.count ?? 0
  return (
    <article className="likely-duplicates">
      <h1>{words.likelyDuplicates}</h1>
      <p className="soft">{words.likelyDuplicatesIntro}</p>
      <div className="duplicate-filters">
        <label>
          {words.kindOfRecord}
          <select value={type} onChange={event => choose('type', event.target.value)}>
            <option value="">{words.allTypes}</option>
            <Options of={[...model.families.keys()]} name={familyName} />
          </select>
        </label>
        <label>
          {words.duplicateReason}
          <select value={reason} onChange={event => choose('reason', event.target.value)}>
            <option value="">{words.allReasons}</option>
            <Options of={reasons} name={each => nameOfReason(each, words, fieldName)} />
          </select>
        </label>
      </div>
      {!list.data ? (
        <QueryNote query={list} />
      ) : groups.length === 0 ? (
        <FullPageNote title={words.noDuplicates} />
      ) : (
        <>
          <p className="soft" role="status">
            {words.duplicateGroups(count, number(count))}
          </p>
          <ol className="duplicate-groups">
            {groups.map(group => (
              <Group
                key={`${group.records[0]?.id} ${group.reasons[0]?.reason} ${group.reasons[0]?.value}`}
                group={group}
              />
            ))}
          </ol>
          <NextButton pages={list} />
        </>
      )}
    </article>
  )
}

/** Reasons to choose from: the numbers of the built-in types. Others are listed under "all". */
const reasons = ['name', 'similar', 'isbn', 'issn', 'ean', 'lccn', 'barcode']

const nameOfReason = (reason: string, words: Words, fieldName: (key: string) => string) =>
  reason === 'name' ? words.sameName : reason === 'similar' ? words.similarRecords : fieldName(reason)

function Group({ group }: { readonly group: DuplicateGroup }) {
  const { words, fieldName, typeName, number } = useLocale()
  const { model } = useSession()
  const different = useDifferent(group)
  const [first, ...others] = group.records
  if (!first) return null
  const mayWrite = model.may('write', first.type)
  return (
    <li className="duplicate-group">
      <p className="duplicate-reasons">
        {group.reasons.map(({ reason, value }) => (
          <span key={`${reason} ${value}`} className="tag">
            {nameOfReason(reason, words, fieldName)}: {value}
            {group.score !== undefined && ` (${number(group.score)} %)`}
          </span>
        ))}
      </p>
      <ul>
        {group.records.map(({ id, type, label }) => (
          <li key={id}>
            <span>
              <Link to={`/record/${encodeURIComponent(id)}`}>{label === '' ? id : label}</Link>{' '}
              <span className="soft">
                {typeName(type)} {id}
              </span>
            </span>
            {id !== first.id && mayWrite && (
              <span className="duplicate-actions">
                {model.may('delete', type) && (
                  <Link
                    className="button"
                    aria-label={words.mergeWithFirst(id, first.id)}
                    to={`/record/${encodeURIComponent(first.id)}/merge?${new URLSearchParams({ with: id })}`}
                  >
                    <Merge size={16} aria-hidden="true" /> {words.merge}
                  </Link>
                )}
                <button
                  type="button"
                  className="button"
                  aria-label={words.sayDifferent(id)}
                  disabled={different.isPending}
                  onClick={() => different.mutate(id)}
                >
                  <Split size={16} aria-hidden="true" /> {words.different}
                </button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {group.count > others.length + 1 && (
        <p className="soft">{words.andMore(number(group.count - others.length - 1))}</p>
      )}
    </li>
  )
}

/** Says that a record of a group is different from all others that are listed, with Undo. */
function useDifferent({ records, different }: DuplicateGroup) {
  const { client } = useSession()
  const { words, problemText } = useLocale()
  const { say } = useToasts()
  const { refresh, tell } = useChanges()
  const said = new Set(different.map(pair => pair.toSorted().join(' ')))
  return useMutation({
    mutationFn: async (id: string) => {
      const body = records
        .filter(other => other.id !== id && !said.has([id, other.id].toSorted().join(' ')))
        .map(other => ({ type: differentRelation, key: other.id }))
      await client.send('POST /entities/{id}/relations', { path: { id }, body })
      return { id, body }
    },
    onSuccess: async ({ id, body }) => {
      await refresh()
      tell(words.saidDifferent, () => client.send('DELETE /entities/{id}/relations', { path: { id }, body }))
    },
    onError: error => say(problemText(error))
  })
}
