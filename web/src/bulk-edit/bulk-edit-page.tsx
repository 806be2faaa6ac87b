import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from '../parts/router.tsx'

import type { Entity, EntityPage, Filter } from '../../../client/index.ts'
import { filtersOf } from '../../../src/domain/find/find-filters.ts'
import { findAddress, readFindState } from '../../../src/domain/find/find-state.ts'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { ChangeForm } from './bulk-form.tsx'
import { LastMany } from './last-bulk-change.tsx'
import '../change/change.css'
import './bulk-edit.css'

/** Maximum number of records in a bulk change: they are held in memory and undone one by one. */
const maxRecords = 10_000
const pageLength = 500

/** Changes one field or relation of many records: the selected results, or all of them. */
export default function BulkEditPage() {
  const { model } = useSession()
  const { words, number } = useLocale()
  const [query] = useSearchParams()
  const { state: kept } = useLocation()
  const { ids: chosen, isFromResults } = (kept ?? {}) as {
    readonly ids?: readonly string[]
    readonly isFromResults?: boolean
  }
  const navigate = useNavigate()
  const state = readFindState(query, model)
  /** The selection of another tab, which the address does not have. */
  const isLost = query.has('chosen') && chosen === undefined
  const filters: Filter[] = chosen || isLost ? [{ type: 'id', value: [...(chosen ?? [])] }] : filtersOf(state, model)
  const [readSoFar, setReadSoFar] = useState({ done: 0, all: 0 })
  const records = useRecordsOf(filters, setReadSoFar)
  /** The change that is being made, or was just made, has its own Undo. */
  const [isMade, setIsMade] = useState(false)
  const count = records.data?.count ?? readSoFar.all
  useTitle(words.changeMany)
  return (
    <section className="change many">
      <header className="import-head">
        {isFromResults ? (
          // The results with their selection, which the address of this page does not have.
          <button type="button" className="button ghost" onClick={() => navigate(-1)}>
            <ArrowLeft size={16} aria-hidden="true" /> {words.backToResults}
          </button>
        ) : (
          <Link className="button ghost" to={findAddress(state)}>
            <ArrowLeft size={16} aria-hidden="true" /> {words.backToResults}
          </Link>
        )}
        <h1>{count > 0 ? words.changeManyOf(count, number(count)) : words.changeMany}</h1>
      </header>
      {!isMade && <LastMany />}
      {!records.data && records.error === null && readSoFar.done > 0 && (
        <p role="status" className="soft">
          {words.readingRecords(number(readSoFar.done), number(readSoFar.all))}
        </p>
      )}
      {!records.data && <QueryNote query={records} />}
      {records.data?.count === 0 && (
        <FullPageNote title={words.nothingSelected}>{words.nothingSelectedHint}</FullPageNote>
      )}
      {records.data && records.data.count > maxRecords && (
        <p className="note note-warn">{words.tooMany(number(maxRecords))}</p>
      )}
      {records.data && records.data.entities.length > 0 && (
        <ChangeForm
          entities={records.data.entities}
          draft={`bulk ${query}`}
          onBegun={() => setIsMade(true)}
          onDone={() => {
            setIsMade(false)
            void records.refetch()
          }}
        />
      )}
    </section>
  )
}

interface Read {
  readonly count: number
  /** Undefined if there are too many. */
  readonly entities: readonly Entity[]
}

/** All matching records. They are not refetched: the preview shows the records that were read. */
function useRecordsOf(filters: readonly Filter[], tell: (progress: { done: number; all: number }) => void) {
  const { client } = useSession()
  return useQuery<Read>({
    queryKey: ['change many', filters],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: async ({ signal }) => {
      // In order of creation, each record is read once despite concurrent writes.
      let page = await client.entities.find(filters, { limit: pageLength, orderBy: 'date_created', signal })
      const { count } = page
      if (count > maxRecords) return { count, entities: [] }
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
