import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useNavigate, useSearchParams } from '../parts/router.tsx'

import type { ForeignAnswer } from '../../../client/index.ts'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { RecordLink } from '../parts/record-link.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { useSiteWords } from '../manage/use-site-words.ts'
import { importKey, importsKey } from './use-imports.ts'
import '../change/change.css'
import '../manage/site.css'
import './import.css'

type ForeignRecord = ForeignAnswer['records'][number]

/** Searches other catalogues, and imports a record that they have. */
export default function CopyPage() {
  const { client } = useSession()
  const words = useSiteWords()
  const { problemText } = useLocale()
  const id = useId()
  // The search is the address, so that it can be sent, and survives Back.
  const [query, setQuery] = useSearchParams()
  const sought = query.get('q') ?? ''
  const [text, setText] = useState(sought)
  useTitle(words.copyRecords)
  const catalogues = useQuery({
    queryKey: ['catalogues'],
    queryFn: async ({ signal }) => (await client.send('GET /catalogues', { signal })).data
  })
  const found = useQuery({
    queryKey: ['catalogues', sought],
    enabled: sought !== '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await client.send('GET /catalogues/records', { query: { q: sought }, signal })).data
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === sought) void found.refetch()
    else setQuery({ q: text.trim() })
  }
  if (!catalogues.data) return <QueryNote query={catalogues} />
  if (catalogues.data.length === 0)
    return (
      <FullPageNote isWhole title={words.noCatalogues}>
        {words.noCataloguesHint}
      </FullPageNote>
    )
  return (
    <section>
      <h1>{words.copyRecords}</h1>
      <p className="soft">{words.copyIntro}</p>
      <search>
        <form className="copy-search" onSubmit={submit}>
          <div className="field">
            <label htmlFor={id}>{words.copySearch}</label>
            <input
              id={id}
              type="search"
              required
              maxLength={200}
              value={text}
              onChange={event => setText(event.target.value)}
            />
          </div>
          <button type="submit" className="button primary" disabled={found.isFetching}>
            {words.searchThem}
          </button>
        </form>
      </search>
      {found.isFetching && <FullPageNote quiet>{catalogues.data.map(({ name }) => name).join(', ')} …</FullPageNote>}
      {found.error && (
        <p className="fault" role="alert">
          {problemText(found.error)}
        </p>
      )}
      {found.data?.map(answer => (
        <CatalogueAnswer key={answer.name} answer={answer} />
      ))}
    </section>
  )
}

function CatalogueAnswer({ answer }: { readonly answer: ForeignAnswer }) {
  const { number } = useLocale()
  const words = useSiteWords()
  const { name, count, records, error } = answer
  const told =
    error !== undefined
      ? words.notAnswered(error)
      : records.length === 0
        ? words.nothingThere
        : words.foundThere(number(count), records.length)
  return (
    <section aria-label={name}>
      <h2 className="section-title">{name}</h2>
      <p role="status" className={error === undefined ? 'soft' : 'fault'}>
        {told}
      </p>
      <ul className="copied-records">
        {records.map(record => (
          <FoundRecord key={record.source} from={name} record={record} />
        ))}
      </ul>
    </section>
  )
}

/** A record there, beside those that are likely to be the same here. */
function FoundRecord({ from, record }: { readonly from: string; readonly record: ForeignRecord }) {
  const { client } = useSession()
  const { problemText } = useLocale()
  const words = useSiteWords()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const take = useMutation({
    mutationFn: () =>
      client.imports.add(new Blob([record.source], { type: 'application/marcxml+xml' }), {
        name: `${from}: ${title}`.slice(0, 200),
        format: 'marcxml'
      }),
    onSuccess: async made => {
      queries.setQueryData(importKey(made.id), made)
      await queries.invalidateQueries({ queryKey: [...importsKey, 'list'] })
    }
  })
  const title = record.title === '' ? words.noTitle : record.title
  const facts = [record.publisher, record.year, ...record.isbn].filter(each => each !== '')
  return (
    <li>
      <div>
        <h3 dir="auto">{title}</h3>
        {record.responsibility !== '' && <p dir="auto">{record.responsibility}</p>}
        <p className="soft">{facts.join(' · ')}</p>
      </div>
      <div>
        <h4>{words.here}</h4>
        {record.here.length === 0 && <p className="soft">{words.nothingHere}</p>}
        <ul>
          {record.here.map(each => (
            <li key={each.id}>
              <RecordLink id={each.id}>{each.label}</RecordLink>
            </li>
          ))}
        </ul>
      </div>
      <div>
        <button
          type="button"
          className="button primary"
          disabled={take.isPending || take.isSuccess}
          onClick={() => take.mutate(undefined, { onSuccess: made => navigate(`/manage/imports/${made.id}`) })}
        >
          {take.isPending ? words.importing : words.importThis}
          <span className="visually-hidden">: {title}</span>
        </button>
        {take.error && (
          <p className="fault" role="alert">
            {problemText(take.error)}
          </p>
        )}
      </div>
    </li>
  )
}
