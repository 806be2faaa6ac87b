import { type FormEvent, useEffect, useId, useState } from 'react'

import { ConnectionError, createClient, isProblem } from '../../../client/index.ts'
import { LanguageAndTheme } from '../shell/language-and-theme.tsx'
import { Mark } from '../shell/mark.tsx'
import { useSpeech } from '../words/words.tsx'
import { askOtherTabs } from './kept-token.ts'
import './sign-in.css'

interface SignInProps {
  /** Whether there was a token that no longer holds. */
  readonly isLost: boolean
  readonly onEnter: (token: string, onDevice: boolean) => void
}

export function SignInPage({ isLost, onEnter }: SignInProps) {
  const { words } = useSpeech()
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const tokenId = useId()
  const faultId = useId()

  useEffect(() => {
    let isGone = false
    if (!isLost) askOtherTabs().then(found => found !== undefined && !isGone && onEnter(found, false))
    return () => {
      isGone = true
    }
  }, [isLost, onEnter])
  useEffect(() => {
    document.title = `${words.signIn} · ${words.appName}`
  }, [words])

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const token = String(form.get('token') ?? '').trim()
    setBusy(true)
    try {
      await createClient({ token }).me()
      onEnter(token, form.get('stay') === 'on')
    } catch (error) {
      const isRefused = isProblem(error, 'unauthenticated')
      const isAway = error instanceof ConnectionError
      setFault(isRefused ? words.tokenRefused : isAway ? words.cannotReach : (error as Error).message)
      setBusy(false)
    }
  }

  return (
    <div className="sign-in">
      <main className="sign-in-card">
        <Mark size={44} />
        <h1>{words.appName}</h1>
        <p className="sign-in-intro">{words.signInIntro}</p>
        {isLost && (
          <p className="note note-warn" role="alert">
            {words.tokenNoLongerHolds}
          </p>
        )}
        <form onSubmit={submit}>
          <label htmlFor={tokenId}>{words.token}</label>
          <input
            id={tokenId}
            name="token"
            type="password"
            autoComplete="current-password"
            required
            // biome-ignore lint/a11y/noAutofocus: there is nothing else to do on this page
            autoFocus
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
          <button type="submit" className="button primary wide" disabled={isBusy}>
            {words.signIn}
          </button>
        </form>
      </main>
      <footer className="sign-in-foot">
        <LanguageAndTheme />
      </footer>
    </div>
  )
}
