import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'

import type { NewToken, Token } from '../../../client/index.ts'
import { Dialog } from '../parts/dialog.tsx'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useToasts } from '../parts/toasts.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { useSpeech } from '../words/words.tsx'
import { ShownOnce } from './shown-once.tsx'

const actions = ['read', 'write', 'delete', 'admin'] as const

export default function TokensPage() {
  const { client } = useSession()
  const { words, date } = useSpeech()
  const tokens = useQuery({
    queryKey: ['tokens'],
    queryFn: async ({ signal }) => (await client.send('GET /tokens', { signal })).data
  })
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<NewToken>()
  const [revoking, setRevoking] = useState<Token>()
  useTitle(words.tokens)
  return (
    <section>
      <header className="manage-head">
        <div>
          <h1>{words.tokens}</h1>
          <p className="soft">{words.tokensIntro}</p>
        </div>
        <button type="button" className="button primary" onClick={() => setMaking(true)}>
          <Plus size={16} aria-hidden="true" /> {words.newToken}
        </button>
      </header>
      {!tokens.data && <QueryNote query={tokens} />}
      {tokens.data?.length === 0 && <FullPageNote title={words.noTokens} />}
      {tokens.data && tokens.data.length > 0 && (
        <table className="manage-table">
          <thead>
            <tr>
              <th scope="col">{words.tokenName}</th>
              <th scope="col">{words.scopes}</th>
              <th scope="col">{words.expires}</th>
              <th scope="col">
                <span className="visually-hidden">{words.revoke}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {tokens.data.map(token => (
              <tr key={token.id}>
                <th scope="row">
                  {token.name}
                  <span className="soft">
                    {words.createdBy(token.created_by.replace(/^token:/, ''), date(token.created_at))}
                  </span>
                </th>
                <td>
                  <ul className="chips">
                    {token.scopes.map(scope => (
                      <li key={scope} className="tag">
                        {scope}
                      </li>
                    ))}
                  </ul>
                </td>
                <td>{token.expires_at === null ? words.never : date(token.expires_at)}</td>
                <td>
                  <button type="button" className="button danger" onClick={() => setRevoking(token)}>
                    {words.revoke}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isMaking && (
        <MakeToken
          onClose={() => setMaking(false)}
          onMade={token => {
            setMaking(false)
            setMade(token)
          }}
        />
      )}
      {made && (
        <ShownOnce
          title={made.name}
          hint={words.tokenShownOnce}
          secret={made.token}
          onClose={() => setMade(undefined)}
        />
      )}
      {revoking && <RevokeToken token={revoking} onClose={() => setRevoking(undefined)} />}
    </section>
  )
}

interface MakeTokenProps {
  readonly onClose: () => void
  readonly onMade: (token: NewToken) => void
}

function MakeToken({ onClose, onMade }: MakeTokenProps) {
  const { client, model } = useSession()
  const { words, familyName } = useSpeech()
  const queries = useQueryClient()
  const [chosen, setChosen] = useState<readonly string[]>(['read'])
  const [type, setType] = useState('')
  const id = useId()
  const make = useMutation({
    mutationFn: async (form: FormData) => {
      const until = String(form.get('until') ?? '')
      const { data } = await client.send('POST /tokens', {
        body: {
          name: String(form.get('name') ?? '').trim(),
          scopes: chosen.map(action => (type === '' || action === 'admin' ? action : `${action}:${type}`)),
          ...(until === '' ? {} : { expires_at: new Date(`${until}T23:59:59`).toISOString() })
        }
      })
      return data
    },
    onSuccess: async token => {
      await queries.invalidateQueries({ queryKey: ['tokens'] })
      onMade(token)
    }
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    make.mutate(new FormData(event.currentTarget))
  }
  return (
    <Dialog title={words.newToken} onClose={onClose}>
      <form className="manage-form" onSubmit={submit}>
        <label htmlFor={`${id}-name`}>{words.tokenName}</label>
        <input id={`${id}-name`} name="name" required maxLength={100} aria-describedby={`${id}-hint`} />
        <p id={`${id}-hint`} className="hint">
          {words.tokenNameHint}
        </p>
        <fieldset className="narrowing-group">
          <legend>{words.scopes}</legend>
          {actions.map(action => (
            <label key={action} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(action)}
                onChange={() =>
                  setChosen(chosen.includes(action) ? chosen.filter(each => each !== action) : [...chosen, action])
                }
              />
              {words.scopeNames[action]}
            </label>
          ))}
        </fieldset>
        <label htmlFor={`${id}-type`}>{words.onlyType}</label>
        <select id={`${id}-type`} value={type} onChange={event => setType(event.target.value)}>
          <option value="">{words.allTypes}</option>
          {[...model.families.keys()].map(family => (
            <option key={family} value={family}>
              {familyName(family)}
            </option>
          ))}
        </select>
        <label htmlFor={`${id}-until`}>{words.expires}</label>
        <input id={`${id}-until`} name="until" type="date" />
        {make.error && (
          <p className="fault" role="alert">
            {make.error.message}
          </p>
        )}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {words.cancel}
          </button>
          <button type="submit" className="button primary" disabled={make.isPending || chosen.length === 0}>
            {words.makeToken}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function RevokeToken({ token, onClose }: { readonly token: Token; readonly onClose: () => void }) {
  const { client } = useSession()
  const { words } = useSpeech()
  const { say } = useToasts()
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => client.send('DELETE /tokens/{id}', { path: { id: token.id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['tokens'] })
      say(words.revoked(token.name))
      onClose()
    },
    onError: error => say(error.message)
  })
  return (
    <Dialog title={words.confirmRevoke(token.name)} onClose={onClose}>
      <p>{words.confirmRevokeHint}</p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {words.cancel}
        </button>
        <button type="button" className="button danger" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
          {words.revoke}
        </button>
      </div>
    </Dialog>
  )
}
