import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'

import { TableHead } from '../parts/table-head.tsx'
import { Choices } from '../parts/choices.tsx'
import type { NewToken, Token } from '../../../client/index.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { useToasts } from '../parts/toasts.tsx'
import { dropDraft, formDraftName } from '../change/drafts.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { KindChoice, MakeDialog } from './make-dialog.tsx'
import { type MakeProps, ManagedList } from './managed-list.tsx'

const actions = ['read', 'write', 'delete', 'admin'] as const
type Action = (typeof actions)[number]

export default function TokensPage() {
  const { client } = useSession()
  const { words } = useLocale()
  const tokens = useQuery({
    queryKey: ['tokens'],
    queryFn: async ({ signal }) => (await client.send('GET /tokens', { signal })).data
  })
  return (
    <ManagedList
      title={words.tokens}
      intro={words.tokensIntro}
      add={words.newToken}
      none={words.noTokens}
      noneHint={words.noTokensHint}
      query={tokens}
      make={MakeToken}
      secretOf={({ name, token }) => ({ title: name, hint: words.tokenShownOnce, secret: token })}
    >
      {all => <TokenTable all={all} />}
    </ManagedList>
  )
}

function TokenTable({ all }: { readonly all: readonly Token[] }) {
  const { words, date, whoName } = useLocale()
  const [revoking, setRevoking] = useState<Token>()
  return (
    <>
      <table className="manage-table">
        <TableHead
          names={[
            words.tokenName,
            words.scopes,
            words.expires,
            <span key="revoke" className="visually-hidden">
              {words.revoke}
            </span>
          ]}
        />
        <tbody>
          {all.map(token => (
            <tr key={token.id}>
              <th scope="row">
                {token.name}
                <span className="soft">{words.createdBy(whoName(token.created_by), date(token.created_at))}</span>
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
      {revoking && <RevokeToken token={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  )
}

/** The name under which an unsaved token is stored. */
const draft = 'new token'

function MakeToken({ onClose, onMade }: MakeProps<NewToken>) {
  const { client } = useSession()
  const { words } = useLocale()
  const queries = useQueryClient()
  const [chosen, setChosen] = useState<readonly Action[]>(['read'])
  const id = useId()
  const make = useMutation({
    mutationFn: async (form: FormData) => {
      const type = String(form.get('type') ?? '')
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
      dropDraft(formDraftName(draft))
      await queries.invalidateQueries({ queryKey: ['tokens'] })
      onMade(token)
    }
  })
  return (
    <MakeDialog
      title={words.newToken}
      makes={words.makeToken}
      draft={draft}
      isIncomplete={chosen.length === 0}
      making={make}
      onClose={onClose}
    >
      <label htmlFor={`${id}-name`}>{words.tokenName}</label>
      <input id={`${id}-name`} name="name" required maxLength={100} aria-describedby={`${id}-hint`} />
      <p id={`${id}-hint`} className="hint">
        {words.tokenNameHint}
      </p>
      <fieldset className="filter-group">
        <legend>{words.scopes}</legend>
        <Choices of={actions} chosen={chosen} onChoose={setChosen} name={action => words.scopeNames[action]} />
      </fieldset>
      <KindChoice />
      <label htmlFor={`${id}-until`}>{words.expires}</label>
      <input id={`${id}-until`} name="until" type="date" />
    </MakeDialog>
  )
}

function RevokeToken({ token, onClose }: { readonly token: Token; readonly onClose: () => void }) {
  const { client } = useSession()
  const { words, problemText } = useLocale()
  const { say } = useToasts()
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => client.send('DELETE /tokens/{id}', { path: { id: token.id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['tokens'] })
      say(words.revoked(token.name))
      onClose()
    },
    onError: error => say(problemText(error))
  })
  return (
    <ConfirmDialog
      title={words.confirmRevoke(token.name)}
      does={words.revoke}
      isDisabled={revoke.isPending}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>{words.confirmRevokeHint}</p>
    </ConfirmDialog>
  )
}
