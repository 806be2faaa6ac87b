import { useMutation } from '@tanstack/react-query'
import { CheckCheck, Equal, Merge, Split, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link, useSearchParams } from '../parts/router.tsx'

import type { DuplicateGroup, DuplicatePage } from '../../../client/index.ts'
import { LastMany } from '../bulk-edit/last-bulk-change.tsx'
import { type ChosenGroup, MergeMany } from '../bulk-edit/merge-many.tsx'
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
  const score = reason === 'similar' ? (query.get('score') ?? '50') : '50'
  useTitle(words.likelyDuplicates)
  const wanted = { type, reason, min_score: Number(score) }
  const list = usePages({
    queryKey: ['likely duplicates', type, reason, score],
    first: async signal => (await client.send('GET /duplicates', { query: { ...wanted, limit: 20 }, signal })).data
  })
  const [chosen, setChosen] = useState<ReadonlyMap<string, ChosenGroup>>(new Map())
  const [isMerging, setIsMerging] = useState(false)
  const choose = (name: string, value: string) => {
    const parameters = new URLSearchParams(query)
    if (value === '') parameters.delete(name)
    else parameters.set(name, value)
    setQuery(parameters, { replace: true })
    setChosen(new Map())
  }
  const groups = list.data?.pages.flatMap(page => page.results) ?? []
  const count = list.data?.pages[0]?.count ?? 0
  const mayMerge = ({ records: [first], same_as: sameAs }: DuplicateGroup) =>
    sameAs === undefined && first !== undefined && model.may('write', first.type) && model.may('delete', first.type)
  const chooseGroups = (given: readonly DuplicateGroup[], isChosen: boolean) => {
    const next = new Map(chosen)
    for (const group of given) {
      const survivor = group.records[0]?.id
      if (!isChosen) next.delete(keyOf(group))
      else if (survivor !== undefined && mayMerge(group) && next.size < maxGroups)
        next.set(keyOf(group), { group, survivor })
    }
    setChosen(next)
  }
  const chooseAll = useMutation({
    mutationFn: async () => {
      const all: DuplicateGroup[] = []
      let page = (await client.send('GET /duplicates', { query: { ...wanted, limit: 200 } })).data
      all.push(...page.results)
      while (page.next !== undefined && all.length < maxGroups) {
        page = (await client.follow<DuplicatePage>(page.next, {})).data
        all.push(...page.results)
      }
      chooseGroups(all, true)
    }
  })
  // With Shift, all groups up to the last one.
  const last = useRef(-1)
  const toggle = (at: number, isChosen: boolean, isRange: boolean) => {
    const from = isRange && last.current >= 0 ? last.current : at
    chooseGroups(groups.slice(Math.min(from, at), Math.max(from, at) + 1), isChosen)
    last.current = at
  }
  if (isMerging)
    return (
      <article className="likely-duplicates">
        <h1>{words.mergeDuplicates}</h1>
        <MergeMany
          chosen={[...chosen.values()]}
          onBack={() => {
            setIsMerging(false)
            setChosen(new Map())
            last.current = -1
          }}
        />
      </article>
    )
  return (
    <article className="likely-duplicates">
      <h1>{words.likelyDuplicates}</h1>
      <LastMany />
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
        {reason === 'similar' && (
          <label>
            {words.leastScore}
            <select value={score} onChange={event => choose('score', event.target.value)}>
              <Options of={scores} name={each => `${each} %`} />
            </select>
          </label>
        )}
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
            {groups.map((group, at) => (
              <Group
                key={keyOf(group)}
                group={group}
                survivor={chosen.get(keyOf(group))?.survivor}
                {...(mayMerge(group) ? { onChoose: (is, isRange) => toggle(at, is, isRange) } : {})}
                onSurvivor={survivor => setChosen(new Map(chosen).set(keyOf(group), { group, survivor }))}
              />
            ))}
          </ol>
          <NextButton pages={list} />
          {groups.some(mayMerge) && (
            <section className="selection-bar" aria-label={words.mergeDuplicates}>
              <p className="selection-bar-text" role="status">
                {words.selected(number(chosen.size))}
              </p>
              <button
                type="button"
                className="button"
                disabled={chooseAll.isPending}
                onClick={() => chooseAll.mutate()}
              >
                <CheckCheck size={16} aria-hidden="true" /> {words.selectAll(number(Math.min(count, maxGroups)))}
              </button>
              <button
                type="button"
                className="button primary"
                disabled={chosen.size === 0}
                onClick={() => setIsMerging(true)}
              >
                <Merge size={16} aria-hidden="true" /> {words.showPreview}
              </button>
              {chosen.size > 0 && (
                <button
                  type="button"
                  className="icon-button"
                  aria-label={words.close}
                  onClick={() => setChosen(new Map())}
                >
                  <X size={18} aria-hidden="true" />
                </button>
              )}
            </section>
          )}
        </>
      )}
    </article>
  )
}

/** Maximum number of groups that are merged at once. */
const maxGroups = 1000

const keyOf = ({ records: [first], reasons: [reason] }: DuplicateGroup) =>
  `${first?.id} ${reason?.reason} ${reason?.value}`

/** Least scores to choose from. */
const scores = ['30', '50', '70', '80', '90', '95']

/** Reasons to choose from: the numbers of the built-in types. Others are listed under "all". */
const reasons = ['name', 'similar', 'identifier', 'isbn', 'issn', 'ean', 'lccn', 'barcode']

const nameOfReason = (reason: string, words: Words, fieldName: (key: string) => string) =>
  reason === 'name'
    ? words.sameName
    : reason === 'similar'
      ? words.similarRecords
      : reason === 'identifier'
        ? words.sameAuthorityNumber
        : fieldName(reason)

interface GroupProps {
  readonly group: DuplicateGroup
  /** The record that remains; undefined if the group is not selected. */
  readonly survivor: string | undefined
  /** Selects the group, or all groups up to it. Missing if the user may not merge them. */
  readonly onChoose?: (isChosen: boolean, isRange: boolean) => void
  readonly onSurvivor: (id: string) => void
}

function Group({ group, survivor, onChoose, onSurvivor }: GroupProps) {
  const { words, fieldName, typeName, number } = useLocale()
  const { model } = useSession()
  const different = useVerdict(group, differentRelation)
  const same = useVerdict(group, group.same_as ?? '')
  const [first, ...others] = group.records
  if (!first) return null
  const mayWrite = model.may('write', first.type)
  return (
    <li className="duplicate-group">
      <p className="duplicate-reasons">
        {onChoose && (
          <input
            type="checkbox"
            aria-label={words.selectThis(`${first.label} ${first.id}`)}
            checked={survivor !== undefined}
            onChange={event => onChoose(event.target.checked, (event.nativeEvent as MouseEvent).shiftKey === true)}
          />
        )}
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
              {survivor !== undefined && (
                <input
                  type="radio"
                  name={`survivor ${keyOf(group)}`}
                  aria-label={words.staysHere(id)}
                  checked={survivor === id}
                  onChange={() => onSurvivor(id)}
                />
              )}{' '}
              <Link to={`/record/${encodeURIComponent(id)}`}>{label === '' ? id : label}</Link>{' '}
              <span className="soft">
                {typeName(type)} {id}
              </span>
            </span>
            {id !== first.id && mayWrite && (
              <span className="duplicate-actions">
                {group.same_as !== undefined && (
                  <button
                    type="button"
                    className="button"
                    aria-label={words.saySameElsewhere(id)}
                    disabled={same.isPending}
                    onClick={() => same.mutate(id)}
                  >
                    <Equal size={16} aria-hidden="true" /> {words.sameElsewhere}
                  </button>
                )}
                {group.same_as === undefined && model.may('delete', type) && (
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

/** Says that a record of a group is different from, or the same as, all others, with Undo. */
function useVerdict({ records, different }: DuplicateGroup, relation: string) {
  const { client } = useSession()
  const { words, problemText } = useLocale()
  const { say } = useToasts()
  const { refresh, tell } = useChanges()
  const said = new Set(different.map(pair => pair.toSorted().join(' ')))
  return useMutation({
    mutationFn: async (id: string) => {
      const body = records
        .filter(other => other.id !== id && !said.has([id, other.id].toSorted().join(' ')))
        .map(other => ({ type: relation, key: other.id }))
      await client.send('POST /entities/{id}/relations', { path: { id }, body })
      return { id, body }
    },
    onSuccess: async ({ id, body }) => {
      await refresh()
      tell(relation === differentRelation ? words.saidDifferent : words.saidSameElsewhere, () =>
        client.send('DELETE /entities/{id}/relations', { path: { id }, body })
      )
    },
    onError: error => say(problemText(error))
  })
}
