import { useIsFetching } from '@tanstack/react-query'
import { CircleHelp, CircleUser, ListTree, LogOut, Plus, Settings2 } from 'lucide-react'
import { type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { Link, NavLink, useLocation } from '../parts/router.tsx'

import { basePath } from '../base-path.ts'
import { mayImport } from '../import/may-import.ts'
import { SearchStateProvider } from '../find/search-state.tsx'
import { SearchBox } from '../find/search-box.tsx'
import { ErrorBoundary } from '../parts/error-boundary.tsx'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { GoToProvider } from '../parts/go-to.tsx'
import { siteName } from '../parts/site-name.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { KeysHelp } from './keys-help.tsx'
import { LanguageAndTheme } from './language-and-theme.tsx'
import { Logo } from './logo.tsx'
import './shell.css'

/** The frame of every page: home link, search box, menu and account. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { words } = useLocale()
  const { me, model } = useSession()
  const { pathname } = useLocation()
  const mayWrite = model.types.some(row => row.may.includes('write'))

  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    // A new page starts at its top.
    scrollTo(0, 0)
    // The link that led here is gone, so the focus moves to the page, not to the menu. The search
    // box keeps the focus while somebody types in it.
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true })
  }, [pathname])

  return (
    <GoToProvider>
      <SearchStateProvider>
        <a className="skip" href="#main">
          {words.skipToContent}
        </a>
        <header className="shell">
          <Link to="/" className="home">
            <Logo />
            <span>{siteName}</span>
          </Link>
          <SearchBox />
          <nav aria-label={words.menu}>
            {model.classifications.length > 0 && (
              <NavLink to="/browse" className="button ghost">
                <ListTree size={18} aria-hidden="true" /> <span>{words.browse}</span>
              </NavLink>
            )}
            {mayWrite && (
              <NavLink to="/new" className="button ghost">
                <Plus size={18} aria-hidden="true" /> <span>{words.add}</span>
              </NavLink>
            )}
            {(me.is_admin || mayImport(model)) && (
              <NavLink to="/manage" className="button ghost">
                <Settings2 size={18} aria-hidden="true" /> <span>{words.manage}</span>
              </NavLink>
            )}
            <AccountMenu />
          </nav>
        </header>
        <Main place={main}>{children}</Main>
        <KeysHelp />
      </SearchStateProvider>
    </GoToProvider>
  )
}

/** Milliseconds without requests after which a page counts as open. */
const openedAfter = 300

/** Milliseconds after which a page counts as open in any case. */
const maxOpening = 10_000

interface MainProps {
  readonly place: RefObject<HTMLElement | null>
  readonly children: ReactNode
}

/**
 * The content of the page. It is a component of its own so that the number of running requests does
 * not redraw the frame.
 */
function Main({ place, children }: MainProps) {
  const { words } = useLocale()
  const { pathname } = useLocation()
  const fetching = useIsFetching()
  const [opened, setOpened] = useState('')
  useEffect(() => {
    if (fetching > 0) return
    // The answers of a part may lead to further requests.
    const timer = setTimeout(() => setOpened(pathname), openedAfter)
    return () => clearTimeout(timer)
  }, [fetching, pathname])
  useEffect(() => {
    const timer = setTimeout(() => setOpened(pathname), maxOpening)
    return () => clearTimeout(timer)
  }, [pathname])
  return (
    <main ref={place} id="main" tabIndex={-1} className={opened === pathname ? '' : 'opening'} data-fetching={fetching}>
      <ErrorBoundary resetKey={pathname}>
        <Suspense fallback={<FullPageNote quiet>{words.loading}</FullPageNote>}>{children}</Suspense>
      </ErrorBoundary>
    </main>
  )
}

function AccountMenu() {
  const { words } = useLocale()
  const { displayName, signOut } = useSession()
  return (
    <>
      <button type="button" className="button ghost" popoverTarget="account" aria-label={words.signedInAs(displayName)}>
        <CircleUser size={20} aria-hidden="true" />
      </button>
      <div id="account" popover="auto" className="account">
        <p>{words.signedInAs(displayName)}</p>
        <LanguageAndTheme />
        <a className="button" href={`${basePath}/help`} hrefLang="en">
          <CircleHelp size={16} aria-hidden="true" /> {words.documentation}
        </a>
        <button type="button" className="button" onClick={signOut}>
          <LogOut size={16} aria-hidden="true" /> {words.signOut}
        </button>
      </div>
    </>
  )
}
