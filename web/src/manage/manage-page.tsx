import { Navigate, NavLink, RoutedPage, type Routes, useLocation } from '../parts/router.tsx'

import CopyPage from '../import/copy-page.tsx'
import ImportPage from '../import/import-page.tsx'
import ImportsPage from '../import/imports-page.tsx'
import { mayImport } from '../import/may-import.ts'
import NewImportPage from '../import/new-import-page.tsx'
import ReviewPage from '../import/review-page.tsx'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import SitePage from './site-page.tsx'
import TokensPage from './tokens-page.tsx'
import { useSiteWords } from './use-site-words.ts'
import WebhooksPage from './webhooks-page.tsx'
import './manage.css'

const routes: Routes = {
  '/manage/tokens': TokensPage,
  '/manage/webhooks': WebhooksPage,
  '/manage/site': SitePage,
  '/manage/imports': ImportsPage,
  '/manage/imports/copy': CopyPage,
  '/manage/imports/new': NewImportPage,
  '/manage/imports/:id': ImportPage,
  '/manage/imports/:id/review': ReviewPage
}

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
    return <Navigate to={me.is_admin || !hasImports ? '/manage/tokens' : '/manage/imports'} />
  if (!me.is_admin && !pathname.startsWith('/manage/imports')) return <FullPageNote isWhole title={words.adminOnly} />
  return (
    <div className="manage">
      <nav className="tabs" aria-label={words.manage}>
        {me.is_admin && <NavLink to="/manage/tokens">{words.tokens}</NavLink>}
        {me.is_admin && <NavLink to="/manage/webhooks">{words.webhooks}</NavLink>}
        {me.is_admin && <NavLink to="/manage/site">{siteWords.site}</NavLink>}
        {hasImports && <NavLink to="/manage/imports">{words.imports}</NavLink>}
      </nav>
      <RoutedPage routes={routes} otherwise={NotFoundPage} />
    </div>
  )
}
