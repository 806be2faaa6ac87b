import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, RotateCcw } from 'lucide-react'
import { RestoreButton } from './restore-button.tsx'
import { Link, useParams } from '../parts/router.tsx'

import type { History } from '../../../client/index.ts'
import { textOf } from '../data/record-model.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useRecords } from '../data/use-names.ts'
import { recordKey, useHistory } from '../data/use-record.ts'
import { QueryNote } from '../parts/query-note.tsx'
import { ShowMore } from '../parts/show-more.tsx'
import { useToasts } from '../parts/toasts.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { FieldValue } from './field-value.tsx'
import './history.css'
import { RecordName } from '../parts/record-name.tsx'

type Version = History['results'][number]

/** All versions of a record, newest first, with their changes. */
export default function HistoryPage() {
  const { id = '' } = useParams()
  const { words, moment, whoName } = useLocale()
  const { model } = useSession()
  const history = useHistory(id)
  const nameOf = useNameOf()
  const current = useRecords([id]).get(id)
  const name = current ? nameOf(current) : id
  useTitle(words.historyOf(name))
  if (!history.data) return <QueryNote isWhole query={history} />
  const type = history.data.pages[0]?.type ?? ''
  const count = history.data.pages[0]?.count
  const results = history.data.pages.flatMap(page => page.results)
  const newest = results[0]?.version
  const mayWrite = model.may('write', type)

  return (
    <article className="history">
      <header>
        <Link to={`/record/${encodeURIComponent(id)}`} className="button ghost">
          <ArrowLeft size={16} aria-hidden="true" /> {name}
        </Link>
        <h1>{words.history}</h1>
      </header>
      {mayWrite && <UndoMerge id={id} />}
      <ol>
        {results.map(version => (
          <li key={version.version}>
            <div className="version-head">
              <h2>
                {words.historyKinds[version.kind as keyof typeof words.historyKinds] ?? version.kind}
                <span className="soft">
                  {' '}
                  {words.versionNumber(version.version)}
                  {version.version === newest && ` (${words.current})`}
                </span>
              </h2>
              <p className="soft">
                {whoName(version.by)}, <time dateTime={version.at}>{moment(version.at)}</time>
              </p>
              {mayWrite && version.version !== newest && version.kind !== 'deleted' && version.kind !== 'merged' && (
                <RestoreButton id={id} version={version.version} label={words.restore} />
              )}
            </div>
            <Differences type={type} changes={version.changes} />
          </li>
        ))}
      </ol>
      <ShowMore pages={history} shown={results.length} count={count} />
    </article>
  )
}

/** Offers to undo the last merge into a record, as long as that is possible. */
function UndoMerge({ id }: { readonly id: string }) {
  const { client } = useSession()
  const { words, problemText } = useLocale()
  const { say } = useToasts()
  const queries = useQueryClient()
  const merged = useQuery({
    queryKey: [...recordKey(id), 'unmerge'],
    retry: false,
    queryFn: ({ signal }) => client.entities.unmerge(id, undefined, { dryRun: true, signal }).catch(() => null)
  })
  const undo = useMutation({
    mutationFn: (victimId: string) => client.entities.unmerge(id, victimId),
    onSuccess: async () => {
      await queries.invalidateQueries()
      say(words.undone)
    },
    onError: error => say(problemText(error))
  })
  const victimId = merged.data?.victim_id
  if (victimId === undefined) return null
  return (
    <p className="note undo-merge">
      {words.mergedHere(victimId)}{' '}
      <button type="button" className="button" disabled={undo.isPending} onClick={() => undo.mutate(victimId)}>
        <RotateCcw size={16} aria-hidden="true" /> {words.undoMerge}
      </button>
    </p>
  )
}

interface DifferencesProps {
  readonly type: string
  readonly changes: Version['changes']
}

/** The differences between two versions, field by field. */
export function Differences({ type, changes }: DifferencesProps) {
  const { model } = useSession()
  const { words, fieldName, relationName } = useLocale()
  const ids = changes.flatMap(change => (change.field === 'relation' ? [change.key] : []))
  const records = useRecords(ids)
  const named = (id: string) => {
    const record = records.get(id)
    return record ? <RecordName record={record} /> : id
  }
  if (changes.length === 0) return null
  // A created record has no earlier values.
  const wasNothing = changes.every(
    change => change.field !== 'order' && (change.before === null || change.before.length === 0)
  )
  return (
    <table className={wasNothing ? 'differences added' : 'differences'}>
      <thead>
        <tr>
          {[words.about, words.was, words.became].map(name => (
            <th key={name} scope="col">
              <span className="visually-hidden">{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {changes.map(change => {
          if (change.field === 'order')
            return (
              <tr key={`order ${change.of}`}>
                <th scope="row">{words.orderChanged}</th>
                <td />
                <td>{change.of}</td>
              </tr>
            )
          if (change.field === 'metadata') {
            const kind = model.fieldOf(type, change.key)?.kind
            const values = (all: readonly unknown[]) =>
              all.map(value => (
                <div key={textOf(value)} dir="auto" lang={change.lang}>
                  <FieldValue name={change.key} kind={kind} value={value} />
                </div>
              ))
            return (
              <tr key={`field ${change.key} ${change.lang ?? ''}`}>
                <th scope="row">
                  {fieldName(change.key)}
                  {change.lang !== undefined && <span className="lang-tag">{change.lang}</span>}
                </th>
                <td className="was">{values(change.before)}</td>
                <td className="became">{values(change.after)}</td>
              </tr>
            )
          }
          if (change.field === 'relation')
            return (
              <tr key={`relation ${change.type} ${change.key}`}>
                <th scope="row">{relationName(change.type)}</th>
                <td className="was">{change.before === null ? '' : named(change.key)}</td>
                <td className="became">{change.after === null ? '' : named(change.key)}</td>
              </tr>
            )
          return (
            <tr key={`identifier ${change.before ?? ''} ${change.after ?? ''}`}>
              <th scope="row">{words.identifiers}</th>
              <td className="was">{change.before}</td>
              <td className="became">{change.after}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
