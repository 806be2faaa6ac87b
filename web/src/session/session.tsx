import { MutationCache, QueryCache, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback, useMemo, useRef, useState } from 'react'

import { type Client, ConnectionError, createClient, isProblem, type Me } from '../../../client/index.ts'
import { createRecordModel, type RecordModel } from '../data/record-model.ts'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { useSpeech } from '../words/words.tsx'
import { findToken, forgetToken, keepToken, leaveEverywhere } from './kept-token.ts'
import { SignInPage } from './sign-in-page.tsx'

/** Who is signed in, and what they work with. */
export interface Session {
  readonly client: Client
  readonly me: Me
  readonly model: RecordModel
  signOut(): void
}

const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('Nobody is signed in')
  return session
}

/** Shows the page to whoever is signed in, and the way in to everybody else. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const [token, setToken] = useState(findToken)
  const [isLost, setLost] = useState(false)

  const lose = useCallback(() => {
    forgetToken()
    setLost(true)
    setToken(undefined)
  }, [])
  const enter = (given: string, onDevice: boolean) => {
    keepToken(given, onDevice)
    setLost(false)
    setToken(given)
  }
  const leave = () => {
    leaveEverywhere()
    setLost(false)
    setToken(undefined)
  }

  if (token === undefined) return <SignInPage isLost={isLost} onEnter={enter} />
  // A new token begins with nothing in memory: what another could read is not for this one.
  return (
    <Signed key={token} token={token} onLost={lose} onLeave={leave}>
      {children}
    </Signed>
  )
}

interface SignedProps {
  readonly token: string
  readonly onLost: () => void
  readonly onLeave: () => void
  readonly children: ReactNode
}

function Signed({ token, onLost, onLeave, children }: SignedProps) {
  const lost = useRef(onLost)
  const [queries] = useState(() => createQueries(() => lost.current()))
  const [client] = useState(() => createClient({ token, retries: 1 }))
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
  const { words } = useSpeech()
  const opening = useQuery({
    queryKey: ['session'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const [me, recordTypes] = await Promise.all([client.me({ signal }), client.recordTypes({ signal })])
      return { me, recordTypes }
    }
  })
  const session = useMemo(
    () =>
      opening.data && {
        client,
        me: opening.data.me,
        model: createRecordModel(opening.data.recordTypes),
        signOut: onLeave
      },
    [client, opening.data, onLeave]
  )
  if (session) return <SessionContext value={session}>{children}</SessionContext>
  if (!opening.error) return <FullPageNote quiet>{words.loading}</FullPageNote>
  return (
    <FullPageNote isWhole title={words.wrong} action={words.retry} onAction={() => opening.refetch()}>
      {opening.error instanceof ConnectionError ? words.cannotReach : opening.error.message}
    </FullPageNote>
  )
}

/** What was asked is kept for a moment and asked again when the window is looked at again; what the service refuses is not asked twice. */
function createQueries(onLost: () => void): QueryClient {
  const onError = (error: Error) => {
    if (isProblem(error, 'unauthenticated')) onLost()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => error instanceof ConnectionError && failures < 2
      }
    }
  })
}
