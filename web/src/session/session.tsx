import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'

import { type Client, createClient, type Me } from '../../../client/index.ts'
import { createRecordModel, type RecordModel } from '../data/record-model.ts'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { connectionFor, sessionQuestion } from './connection.ts'
import {
  currentCredentials,
  clearCredentials,
  type Issued,
  storeCredentials,
  signOutEverywhere,
  type Credentials
} from './token-storage.ts'
import { basePath } from '../base-path.ts'
import { returnAddress, returnPath } from './return-address.ts'
import { type SignInNote, SignInPage } from './sign-in-page.tsx'
import { forgetSearches } from '../find/recent-searches.ts'

/** The signed-in user, with the client and the record model. */
export interface Session {
  readonly client: Client
  readonly me: Me
  /** The display name: from the issuer, or the name of the token. */
  readonly displayName: string
  readonly model: RecordModel
  signOut(): void
}

const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('Nobody is signed in')
  return session
}

/** The state of the session. Each sign-in has a number of its own. */
type Presence =
  | { readonly is: 'in'; readonly entry: number }
  | { readonly is: 'out'; readonly note?: SignInNote }
  | { readonly is: 'returning' }
  | { readonly is: 'leaving' }

/** Shows the page to signed-in users, and the sign-in page to everybody else. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const { words } = useLocale()
  const [presence, setPresence] = useState(presenceAtFirst)

  const lose = useCallback(() => {
    const credentials = currentCredentials()
    // Several running requests may be refused; only the first reports it.
    if (!credentials) return
    const { issued } = credentials
    clearCredentials()
    setPresence({ is: 'out', note: issued ? { kind: 'over', issuerName: issued.issuerName } : { kind: 'lost' } })
  }, [])
  const enter = useCallback((credentials: Credentials, onDevice: boolean) => {
    storeCredentials(credentials, onDevice)
    setPresence({ is: 'in', entry: Date.now() })
  }, [])
  const leave = useCallback(() => {
    const issued = currentCredentials()?.issued
    signOutEverywhere()
    forgetSearches()
    setPresence({ is: issued ? 'leaving' : 'out' })
    if (issued)
      endAtIssuer(issued).then(
        isGone => isGone || setPresence({ is: 'out', note: { kind: 'left' } }),
        () => setPresence({ is: 'out', note: { kind: 'left here only', issuerName: issued.issuerName } })
      )
  }, [])

  const isReturning = presence.is === 'returning'
  useEffect(() => {
    if (!isReturning) return
    returned().then(({ place, issuerName, credentials, fault }) => {
      history.replaceState(null, '', place)
      if (credentials) enter(credentials, false)
      else setPresence({ is: 'out', note: { kind: 'failed', issuerName, fault } })
    })
  }, [isReturning, enter])

  if (presence.is === 'returning') return <FullPageNote quiet>{words.signingIn}</FullPageNote>
  if (presence.is === 'leaving') return <FullPageNote quiet>{words.signingOut}</FullPageNote>
  if (presence.is === 'out') return <SignInPage note={presence.note} onEnter={enter} />
  // Each sign-in starts with an empty cache: the records of another user are not for this one.
  return (
    <Signed key={presence.entry} onLost={lose} onLeave={leave}>
      {children}
    </Signed>
  )
}

function presenceAtFirst(): Presence {
  if (location.pathname === returnPath) {
    const answer = new URLSearchParams(location.search)
    if (answer.has('code') || answer.has('error')) return { is: 'returning' }
    // Returned from signing out at the issuer.
    history.replaceState(null, '', `${basePath}/`)
  }
  return currentCredentials() ? { is: 'in', entry: 0 } : { is: 'out' }
}

/** Requested once, however often the page is drawn: the answer of the issuer can be used once. */
let ending: ReturnType<typeof import('./issuer-sign-in.ts')['finishSignIn']> | undefined
function returned() {
  const query = location.search
  ending ??= import('./issuer-sign-in.ts').then(({ finishSignIn }) => finishSignIn(query))
  return ending
}

/**
 * Signs out at the issuer too: on a shared computer the next user would be signed in there without
 * being asked. Returns whether the browser leaves the page for it.
 */
async function endAtIssuer({ issuer, refreshToken, idToken }: Issued): Promise<boolean> {
  const { data } = await createClient({ baseUrl: basePath }).send('POST /sign-in/end', {
    body: {
      issuer,
      redirect_uri: returnAddress(),
      ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
      ...(idToken === undefined ? {} : { id_token: idToken })
    }
  })
  if (data.address === undefined) return false
  location.assign(data.address)
  return true
}

interface SignedProps {
  readonly onLost: () => void
  readonly onLeave: () => void
  readonly children: ReactNode
}

function Signed({ onLost, onLeave, children }: SignedProps) {
  const [{ client, queries }] = useState(() => connectionFor(onLost))
  return (
    <QueryClientProvider client={queries}>
      <Opened client={client} onLeave={onLeave}>
        {children}
      </Opened>
    </QueryClientProvider>
  )
}

interface OpenedProps {
  readonly client: Client
  readonly onLeave: () => void
  readonly children: ReactNode
}

function Opened({ client, onLeave, children }: OpenedProps) {
  const { words, problemText } = useLocale()
  const opening = useQuery(sessionQuestion(client))
  const session = useMemo(
    () =>
      opening.data && {
        client,
        me: opening.data.me,
        displayName: currentCredentials()?.issued?.person ?? opening.data.me.name.replace(/^token:/, ''),
        model: createRecordModel(opening.data.tables.record_types, opening.data.tables.time_zone),
        signOut: onLeave
      },
    [client, opening.data, onLeave]
  )
  // A user of an issuer may have no permissions here yet.
  if (session && session.model.types.length === 0)
    return (
      <FullPageNote isWhole title={words.mayNothing} action={words.signOut} onAction={onLeave}>
        {words.mayNothingHint(session.displayName)}
      </FullPageNote>
    )
  if (session) return <SessionContext value={session}>{children}</SessionContext>
  if (!opening.error) return <FullPageNote quiet>{words.loading}</FullPageNote>
  return (
    <FullPageNote isWhole title={words.wrong} action={words.retry} onAction={() => opening.refetch()}>
      {problemText(opening.error)}
    </FullPageNote>
  )
}
