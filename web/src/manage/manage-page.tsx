import { Navigate, NavLink, Outlet, useLocation } from 'react-router'

import { mayImport } from '../import/may-import.ts'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { useSiteWords } from './use-site-words.ts'
import './manage.css'

/**
 * The administration pages: imports for users who may write everything, the rest for
 * administrators.
 */
export default function ManagePage() {
  const { me, model } = useSession()
  const { words } = useLocale()
  const siteWords = useSiteWords()
  const { pathname } = useLocation()
  const hasImports = mayImport(model)
  // The first page that the user may open.
  if (/^\/manage\/?$/.test(pathname))
    return <Navigate to={me.is_admin || !hasImports ? '/manage/tokens' : '/manage/imports'} replace />
  if (!me.is_admin && !pathname.startsWith('/manage/imports')) return <FullPageNote isWhole title={words.adminOnly} />
  return (
    <div className="manage">
      <nav className="tabs" aria-label={words.manage}>
        {me.is_admin && <NavLink to="/manage/tokens">{words.tokens}</NavLink>}
        {me.is_admin && <NavLink to="/manage/webhooks">{words.webhooks}</NavLink>}
        {me.is_admin && <NavLink to="/manage/site">{siteWords.site}</NavLink>}
        {hasImports && <NavLink to="/manage/imports">{words.imports}</NavLink>}
      </nav>
      <Outlet />
    </div>
  )
}
