import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Pencil, Rss, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Link } from '../parts/router.tsx'

import { type FindState, findAddress } from '../../../src/domain/find/find-state.ts'
import { basePath } from '../base-path.ts'
import { useChanges } from '../change/use-changes.ts'
import { useLocale } from '../i18n/locale.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { SectionNote } from '../parts/section-note.tsx'
import { useSession } from '../session/session.tsx'
import { type OwnSearch, savedKey, titleOf, useSavedSearches } from './use-saved-searches.ts'

const titled = (value: string) => [{ key: 'title', value }]
const focus = (field: HTMLInputElement | null) => field?.focus()

interface SavedSearchesProps {
  readonly state: FindState
  readonly onClose: () => void
}

/** Saves the present search under a name, and lists, renames, shares and deletes saved ones. */
export function SavedSearches({ state, onClose }: SavedSearchesProps) {
  const { client, model } = useSession()
  const { words, problemText } = useLocale()
  const queries = useQueryClient()
  const { tell } = useChanges()
  const { query, searches } = useSavedSearches()
  const [title, setTitle] = useState(state.text)
  const [isShared, setShared] = useState(false)
  const [renamed, setRenamed] = useState<string>()
  const mayShare = model.types.some(({ may }) => may.includes('write'))
  const act = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: () => queries.invalidateQueries({ queryKey: savedKey })
  })
  const create = (search: Pick<OwnSearch, 'metadata' | 'private' | 'address'>) =>
    client.send('POST /saved_searches', {
      body: { metadata: search.metadata, private: search.private, address: search.address }
    })
  const save = (event: FormEvent) => {
    event.preventDefault()
    const body = { metadata: titled(title.trim()), private: !isShared, address: findAddress(state) }
    act.mutate(() => create(body).then(() => setTitle('')))
  }
  const change = (id: string, body: { private?: boolean; metadata?: ReturnType<typeof titled> }) =>
    act.mutate(() =>
      client.send('PATCH /saved_searches/{id}', { path: { id }, body }).then(() => setRenamed(undefined))
    )
  const remove = (search: OwnSearch) =>
    act.mutate(async () => {
      await client.send('DELETE /saved_searches/{id}', { path: { id: search.id } })
      tell(words.deleted(titleOf(search)), () => create(search))
    })
  return (
    <Dialog title={words.savedSearches} onClose={onClose} wide>
      <form className="saved-form" onSubmit={save}>
        <label>
          <span>{words.savedName}</span>
          <input type="text" required maxLength={200} value={title} onChange={event => setTitle(event.target.value)} />
        </label>
        {mayShare && (
          <label className="check">
            <input type="checkbox" checked={isShared} onChange={event => setShared(event.target.checked)} />
            <span>{words.shareSearch}</span>
          </label>
        )}
        <button type="submit" className="button primary" disabled={act.isPending || title.trim() === ''}>
          {words.saveSearch}
        </button>
      </form>
      {act.error && (
        <p className="fault" role="alert">
          {problemText(act.error)}
        </p>
      )}
      <SectionNote queries={[query]} label={words.savedSearches} />
      {query.data && searches.length === 0 && <p className="soft">{words.noSavedSearches}</p>}
      <ul className="saved-list">
        {searches.map(search =>
          renamed === search.id ? (
            <li key={search.id}>
              <Rename search={search} onRename={name => change(search.id, { metadata: titled(name) })} />
            </li>
          ) : (
            <li key={search.id}>
              <Link to={search.address} onClick={onClose}>
                {titleOf(search)}
              </Link>
              {!search.is_own && <span className="soft">{words.sharedBy(search.user.replace(/^\w+:/, ''))}</span>}
              {search.feed !== undefined && (
                <a className="icon-button" href={basePath + search.feed} aria-label={words.feedOf(titleOf(search))}>
                  <Rss size={16} aria-hidden="true" />
                </a>
              )}
              {search.is_own && (mayShare || !search.private) && (
                <label className="check">
                  <input
                    type="checkbox"
                    aria-label={words.sharedNamed(titleOf(search))}
                    checked={!search.private}
                    onChange={() => change(search.id, { private: !search.private })}
                  />
                  <span>{words.shared}</span>
                </label>
              )}
              {search.is_own && (
                <>
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={words.renameThis(titleOf(search))}
                    onClick={() => setRenamed(search.id)}
                  >
                    <Pencil size={16} aria-hidden="true" />
                  </button>
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={words.deleteThis(titleOf(search))}
                    onClick={() => remove(search)}
                  >
                    <Trash2 size={16} aria-hidden="true" />
                  </button>
                </>
              )}
            </li>
          )
        )}
      </ul>
    </Dialog>
  )
}

interface RenameProps {
  readonly search: OwnSearch
  readonly onRename: (name: string) => void
}

function Rename({ search, onRename }: RenameProps) {
  const { words } = useLocale()
  const [name, setName] = useState(titleOf(search))
  return (
    <form
      className="saved-form"
      onSubmit={event => {
        event.preventDefault()
        onRename(name.trim())
      }}
    >
      <label>
        <span>{words.savedName}</span>
        <input
          type="text"
          required
          ref={focus}
          maxLength={200}
          value={name}
          onChange={event => setName(event.target.value)}
        />
      </label>
      <button type="submit" className="button" disabled={name.trim() === ''}>
        {words.save}
      </button>
    </form>
  )
}
