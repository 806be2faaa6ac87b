import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import type { Difference, DuplicateGroup, MergeOutcome } from '../../../client/index.ts'
import { Link } from '../parts/router.tsx'
import { TableHead } from '../parts/table-head.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { Differences } from '../record/history-page.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { useKeepOpen } from './bulk-form.tsx'
import { BulkProgress, type Progress } from './bulk-progress.tsx'
import { ManyOutcomeView } from './bulk-result.tsx'
import { keepLastChange } from './last-change.ts'
import { RefusedList } from './refused-list.tsx'
import { type PlannedMerge, sendMerges } from './send-bulk-change.ts'
import './bulk-edit.css'

/** A group of duplicates, and the record that the others are merged into. */
export interface ChosenGroup {
  readonly group: DuplicateGroup
  readonly survivor: string
}

interface MergeManyProps {
  readonly chosen: readonly ChosenGroup[]
  /** Goes back to the list. */
  readonly onBack: () => void
}

const shownAtFirst = 20

/** Shows what merging groups of duplicates would do, merges them, and offers to undo it. */
export function MergeMany({ chosen, onBack }: MergeManyProps) {
  const { client, me } = useSession()
  const { words, problemText } = useLocale()
  const queries = useQueryClient()
  const [progress, setProgress] = useState<Progress>()
  const stop = useRef(new AbortController())
  const heading = useRef<HTMLHeadingElement>(null)
  // The list is gone: the keyboard goes on here.
  useEffect(() => heading.current?.focus(), [])
  const [merges] = useState(() =>
    chosen.flatMap(({ group, survivor }): PlannedMerge[] =>
      group.records.flatMap(({ id }) => (id === survivor ? [] : [{ survivor, victim: id }]))
    )
  )
  const preview = useQuery({
    queryKey: ['change many', 'merge', merges],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) =>
      sendMerges(client, merges, {
        isDry: true,
        signal,
        onProgress: handled => setProgress({ handled, all: merges.length })
      })
  })
  const carryOut = useMutation({
    mutationFn: async (given: readonly PlannedMerge[]) => {
      stop.current = new AbortController()
      setProgress({ handled: 0, all: given.length })
      const at = new Date().toISOString()
      const outcome = await sendMerges(client, given, {
        isDry: false,
        signal: stop.current.signal,
        onProgress(handled, { done }) {
          setProgress({ handled, all: given.length })
          keepLastChange(me.name, { what: words.mergeDuplicates, at, done })
        }
      })
      return { outcome, wasStopped: stop.current.signal.aborted }
    },
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'change many' })
  })
  useKeepOpen(carryOut.isPending)
  if (carryOut.data)
    return (
      <ManyOutcomeView
        {...carryOut.data}
        entities={[]}
        title={words.manyMerged}
        more={words.likelyDuplicates}
        onMore={onBack}
      />
    )
  const isBusy = preview.isPending || carryOut.isPending
  return (
    <section className="many many-preview">
      <h2 ref={heading} tabIndex={-1} className="section-title">
        {words.changesPreview}
      </h2>
      {carryOut.error && (
        <p className="fault" role="alert">
          {problemText(carryOut.error)}
        </p>
      )}
      {preview.error && <QueryNote query={preview} />}
      {isBusy && (
        <BulkProgress
          progress={progress}
          label={words.mergeDuplicates}
          onStop={carryOut.isPending ? () => stop.current.abort() : undefined}
        />
      )}
      {!isBusy && (
        <div className="many-actions">
          <MergeButton merges={preview.data?.merges ?? []} onMerge={given => carryOut.mutate(given)} />
          <button type="button" className="button" onClick={onBack}>
            {words.backToResults}
          </button>
        </div>
      )}
      {preview.data && !isBusy && (
        <>
          <RefusedList
            title={words.refusedRecords}
            hint={words.refusedHint}
            refused={preview.data.refused}
            entities={[]}
          />
          <MergeTable merges={preview.data.merges} chosen={chosen} />
        </>
      )}
    </section>
  )
}

interface MergeButtonProps {
  readonly merges: readonly MergeOutcome[]
  readonly onMerge: (merges: readonly PlannedMerge[]) => void
}

function MergeButton({ merges, onMerge }: MergeButtonProps) {
  const { words, number } = useLocale()
  if (merges.length === 0) return null
  return (
    <button
      type="button"
      className="button primary"
      onClick={() => onMerge(merges.map(each => ({ survivor: each.survivor_id, victim: each.victim_id })))}
    >
      {words.carryOutMerges(merges.length, number(merges.length))}
    </button>
  )
}

interface MergeTableProps {
  readonly merges: readonly MergeOutcome[]
  readonly chosen: readonly ChosenGroup[]
}

/** The merges, each with the values that the record gets and those that are lost. */
function MergeTable({ merges, chosen }: MergeTableProps) {
  const { words, number } = useLocale()
  const [shown, setShown] = useState(shownAtFirst)
  const records = new Map(chosen.flatMap(({ group }) => group.records.map(record => [record.id, record])))
  const named = (id: string) => {
    const label = records.get(id)?.label ?? ''
    return (
      <>
        <Link to={`/record/${encodeURIComponent(id)}`}>{label === '' ? id : label}</Link>{' '}
        <span className="soft">{id}</span>
      </>
    )
  }
  if (merges.length === 0) return null
  return (
    <>
      <div className="many-changes">
        <table>
          <TableHead names={[words.mergeKeep, words.mergeGone, words.changesPreview]} />
          <tbody>
            {merges.slice(0, shown).map(merge => (
              <tr key={merge.victim_id}>
                <th scope="row">{named(merge.survivor_id)}</th>
                <td>{named(merge.victim_id)}</td>
                <td>
                  <Differences type={records.get(merge.survivor_id)?.type ?? ''} changes={differencesOf(merge)} />
                  <p className="soft">
                    {words.mergePreview(merge.repointed_references, number(merge.repointed_references))}
                  </p>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {merges.length > shown && (
        <button type="button" className="button" onClick={() => setShown(shown + 50)}>
          {words.showMore}
        </button>
      )}
    </>
  )
}

/** The values that are dropped and gained, in the form of a history entry. */
function differencesOf({ gained, dropped }: MergeOutcome): Difference[] {
  const keys = new Set([...(gained?.metadata ?? []), ...(dropped?.metadata ?? [])].map(({ key }) => key))
  const valuesOf = (values: MergeOutcome['gained'], key: string) =>
    (values?.metadata ?? []).flatMap(each => (each.key === key ? [each.value] : []))
  const relations = (values: MergeOutcome['gained'], isGained: boolean) =>
    (values?.relations ?? []).map(
      (each): Difference =>
        ({
          field: 'relation',
          type: each.type,
          key: each.key,
          before: isGained ? null : each,
          after: isGained ? each : null
        }) as Difference
    )
  return [
    ...[...keys].map(
      key => ({ field: 'metadata', key, before: valuesOf(dropped, key), after: valuesOf(gained, key) }) as Difference
    ),
    ...relations(dropped, false),
    ...relations(gained, true)
  ]
}
