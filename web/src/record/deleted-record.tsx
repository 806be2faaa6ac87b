import { History } from 'lucide-react'
import { RestoreButton } from './restore-button.tsx'
import { Link } from '../parts/router.tsx'

import { useHistory } from '../data/use-record.ts'
import { useLocale } from '../i18n/locale.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'

interface DeletedRecordProps {
  readonly id: string
  /** The request that did not find the record. */
  readonly query: { readonly error: Error | null; readonly refetch: () => unknown }
}

/** The page of a deleted record: when and by whom, its history, and a button to restore it. */
export function DeletedRecord({ id, query }: DeletedRecordProps) {
  const { model } = useSession()
  const { words, moment, whoName, typeName } = useLocale()
  const history = useHistory(id)
  const [page] = history.data?.pages ?? []
  const [last, before] = page?.results ?? []
  useTitle(words.wasDeleted)
  if (!page || last?.kind !== 'deleted') return <QueryNote isWhole query={query} />
  return (
    <div className="full-note">
      <h1>{words.wasDeleted}</h1>
      <p>
        {typeName(page.type)} <span className="code">{id}</span>: {words.deletedBy(whoName(last.by), moment(last.at))}
      </p>
      <p className="note-actions">
        <Link className="button" to={`/record/${encodeURIComponent(id)}/history`}>
          <History size={16} aria-hidden="true" /> {words.history}
        </Link>
        {before && model.may('write', page.type) && (
          <RestoreButton id={id} version={before.version} label={words.restoreRecord} isPrimary />
        )}
      </p>
    </div>
  )
}
