import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'

import type { Entity, EntityPage, Filter } from '../../../client/index.ts'
import { findAddress, filtersOf, readFindState } from '../find/find-state.ts'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { useSpeech } from '../words/words.tsx'
import { ChangeForm } from './change-form.tsx'
import { LastMany } from './last-many.tsx'
import '../change/change.css'
import './change-many.css'

/** So many can be changed in one go: they are held in memory, and undone one by one. */
const mostRecords = 10_000
const pageLength = 500

/** One field or relation of many records: of those that were chosen among the results, or of all that were found. */
export default function ChangeManyPage() {
  const { model } = useSession()
  const { words, number } = useSpeech()
  const [query] = useSearchParams()
  const { state: kept } = useLocation()
  const chosen: readonly string[] | undefined = (kept as { ids?: readonly string[] } | null)?.ids
  const state = readFindState(query)
  const filters: Filter[] =
    chosen === undefined ? filtersOf(state, model.climbsBy) : [{ type: 'id', value: [...chosen] }]
  const [readSoFar, setReadSoFar] = useState({ done: 0, all: 0 })
  const records = useRecordsOf(filters, setReadSoFar)
  const count = records.data?.count ?? readSoFar.all
  useTitle(words.changeMany)
  return (
    <section className="change many">
      <header className="import-head">
        <Link className="button ghost" to={findAddress(state)}>
          <ArrowLeft size={16} aria-hidden="true" /> {words.backToResults}
        </Link>
        <h1>{count > 0 ? words.changeManyOf(count, number(count)) : words.changeMany}</h1>
      </header>
      <LastMany />
      {!records.data && records.error === null && readSoFar.done > 0 && (
        <p role="status" className="soft">
          {words.readingRecords(number(readSoFar.done), number(readSoFar.all))}
        </p>
      )}
      {!records.data && <QueryNote query={records} />}
      {records.data?.count === 0 && <FullPageNote title={words.nothingChosen}>{words.nothingChosenHint}</FullPageNote>}
      {records.data && records.data.count > mostRecords && (
        <p className="note note-warn">{words.tooMany(number(mostRecords))}</p>
      )}
      {records.data && records.data.entities.length > 0 && (
        <ChangeForm entities={records.data.entities} onDone={() => records.refetch()} />
      )}
    </section>
  )
}

interface Read {
  readonly count: number
  /** None where there are too many. */
  readonly entities: readonly Entity[]
}

/** All records that match, as they are now. They stay as they were read: what is shown is what was looked at. */
function useRecordsOf(filters: readonly Filter[], tell: (progress: { done: number; all: number }) => void) {
  const { client } = useSession()
  return useQuery<Read>({
    queryKey: ['change many', filters],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: async ({ signal }) => {
      // In the order of creation, each is read once whatever others write meanwhile.
      let page = await client.entities.find(filters, { limit: pageLength, orderBy: 'date_created', signal })
      const { count } = page
      if (count > mostRecords) return { count, entities: [] }
      const entities = [...page.results]
      while (page.next !== undefined) {
        tell({ done: entities.length, all: count })
        page = (await client.follow<EntityPage>(page.next, { body: filters, signal })).data
        entities.push(...page.results)
      }
      return { count: entities.length, entities }
    }
  })
}
