import { Navigate, NavLink, Outlet, useLocation } from 'react-router'

import { mayImport } from '../bring-in/may-import.ts'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { useSession } from '../session/session.tsx'
import { useSpeech } from '../words/words.tsx'
import './manage.css'

/** What those see who look after the catalogue: imports for whoever may write everything, the rest for admins. */
export default function ManagePage() {
  const { me, model } = useSession()
  const { words } = useSpeech()
  const { pathname } = useLocation()
  const hasImports = mayImport(model)
  // The way in leads to the first thing that is there for them.
  if (/^\/manage\/?$/.test(pathname))
    return <Navigate to={me.is_admin || !hasImports ? '/manage/tokens' : '/manage/imports'} replace />
  if (!me.is_admin && !pathname.startsWith('/manage/imports')) return <FullPageNote isWhole title={words.adminOnly} />
  return (
    <div className="manage">
      <nav className="tabs" aria-label={words.manage}>
        {me.is_admin && <NavLink to="/manage/tokens">{words.tokens}</NavLink>}
        {me.is_admin && <NavLink to="/manage/webhooks">{words.webhooks}</NavLink>}
        {hasImports && <NavLink to="/manage/imports">{words.imports}</NavLink>}
      </nav>
      <Outlet />
    </div>
  )
}
