import { type FormEvent, useEffect, useId, useState } from 'react'

import { ConnectionError, createClient, isProblem } from '../../../client/index.ts'
import { basePath } from '../base-path.ts'
import { LanguageAndTheme } from '../shell/language-and-theme.tsx'
import { Logo } from '../shell/logo.tsx'
import { siteName } from '../parts/site-name.ts'
import { useLocale } from '../i18n/locale.tsx'
import { askOtherTabs, type Credentials } from './token-storage.ts'
import type { OfferedIssuer } from './issuer-sign-in.ts'
import { signInFaultText } from './sign-in-fault-text.ts'
import './sign-in.css'

/** The reason why the sign-in page is shown. */
export type SignInNote =
  | { readonly kind: 'lost' | 'left' }
  | { readonly kind: 'over' | 'left here only'; readonly issuerName: string }
  | { readonly kind: 'failed'; readonly issuerName: string; readonly fault: unknown }

interface SignInProps {
  readonly note: SignInNote | undefined
  readonly onEnter: (credentials: Credentials, onDevice: boolean) => void
}

export function SignInPage({ note, onEnter }: SignInProps) {
  const { words } = useLocale()
  const [issuers, setIssuers] = useState<readonly OfferedIssuer[]>()

  useEffect(() => (note ? undefined : askOtherTabs(credentials => onEnter(credentials, false))), [note, onEnter])
  useEffect(() => {
    const calling = new AbortController()
    createClient({ baseUrl: basePath })
      .send('GET /sign-in/issuers', { signal: calling.signal })
      // Signing in with a token still works.
      .then(
        ({ data }) => data.issuers,
        () => []
      )
      .then(found => calling.signal.aborted || setIssuers(found))
    return () => calling.abort()
  }, [])
  useEffect(() => {
    document.title = `${words.signIn} · ${siteName}`
  }, [words])

  return (
    <div className="sign-in">
      <main className="sign-in-card">
        <Logo size={44} />
        <h1>{siteName}</h1>
        <p className="sign-in-intro">{words.signInIntro}</p>
        <Note note={note} />
        {issuers && issuers.length > 0 && (
          <>
            <IssuerChoice issuers={issuers} />
            <p className="sign-in-or">{words.orWithToken}</p>
          </>
        )}
        {issuers && <TokenForm isOnlyWay={issuers.length === 0} onEnter={onEnter} />}
      </main>
      <footer className="sign-in-foot">
        <LanguageAndTheme />
      </footer>
    </div>
  )
}

function Note({ note }: { readonly note: SignInNote | undefined }) {
  const { words } = useLocale()
  if (!note || note.kind === 'left') return null
  const text = {
    lost: () => words.tokenNoLongerHolds,
    over: words.signInOver,
    'left here only': words.signedOutHereOnly,
    failed: (issuerName: string) => signInFaultText(words, note.kind === 'failed' ? note.fault : undefined, issuerName)
  }[note.kind]
  return (
    <p className="note note-warn" role="alert">
      {text('issuerName' in note ? note.issuerName : '')}
    </p>
  )
}

function IssuerChoice({ issuers }: { readonly issuers: readonly OfferedIssuer[] }) {
  const { words } = useLocale()
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  const begin = async (offered: OfferedIssuer) => {
    setBusy(true)
    setFault(undefined)
    try {
      if (!isSecureContext) return setFault(words.signInFaults.insecure(offered.name))
      const { beginSignIn } = await import('./issuer-sign-in.ts')
      await beginSignIn(offered, location.pathname + location.search + location.hash)
    } catch (error) {
      setFault(signInFaultText(words, error, offered.name))
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="sign-in-issuers">
      {issuers.map((offered, index) => (
        <button
          key={offered.issuer}
          type="button"
          className="button primary wide"
          disabled={isBusy}
          // biome-ignore lint/a11y/noAutofocus: there is nothing else to do on this page
          autoFocus={index === 0}
          onClick={() => begin(offered)}
        >
          {words.signInWith(offered.name)}
        </button>
      ))}
      {fault !== undefined && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}

interface TokenFormProps {
  readonly isOnlyWay: boolean
  readonly onEnter: SignInProps['onEnter']
}

function TokenForm({ isOnlyWay, onEnter }: TokenFormProps) {
  const { words } = useLocale()
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const tokenId = useId()
  const faultId = useId()

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const token = String(form.get('token') ?? '').trim()
    setBusy(true)
    try {
      await createClient({ baseUrl: basePath, token }).me()
      onEnter({ token }, form.get('stay') === 'on')
    } catch (error) {
      const isRefused = isProblem(error, 'unauthenticated')
      const isAway = error instanceof ConnectionError
      setFault(isRefused ? words.tokenRefused : isAway ? words.cannotReach : (error as Error).message)
      setBusy(false)
    }
  }

  return (
    <form onSubmit={submit}>
      <label htmlFor={tokenId}>{words.token}</label>
      <input
        id={tokenId}
        name="token"
        type="password"
        autoComplete="current-password"
        required
        // biome-ignore lint/a11y/noAutofocus: there is nothing else to do on this page
        autoFocus={isOnlyWay}
        aria-invalid={fault !== undefined}
        aria-describedby={faultId}
        onChange={() => setFault(undefined)}
      />
      <p
        id={faultId}
        className={fault === undefined ? 'hint' : 'fault'}
        role={fault === undefined ? undefined : 'alert'}
      >
        {fault ?? words.tokenHint}
      </p>
      <label className="check">
        <input type="checkbox" name="stay" /> {words.staySignedIn}
      </label>
      <button type="submit" className={isOnlyWay ? 'button primary wide' : 'button wide'} disabled={isBusy}>
        {words.signIn}
      </button>
    </form>
  )
}
