import { useIsFetching } from '@tanstack/react-query'
import { useEffect } from 'react'

import { basePath } from './base-path.ts'
import { ErrorBoundary } from './parts/error-boundary.tsx'
import { pageGroupAt } from './page-groups.ts'
import { lazyPages } from './parts/lazy-page.tsx'
import { loadTypefacesLate } from './parts/slow-line.ts'
import { RoutedPage, type Routes } from './parts/router.tsx'
import { ToastProvider } from './parts/toasts.tsx'
import { whenIdle } from './parts/when-idle.ts'
import { SessionGate } from './session/session.tsx'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { Shell } from './shell/shell.tsx'
import { StartPage } from './start/start-page.tsx'
import { LocaleProvider } from './i18n/locale.tsx'

const reading = lazyPages('reading-pages', () => import('./reading-pages.ts'))
const changing = lazyPages('changing-pages', () => import('./changing-pages.ts'))
const marc = lazyPages('marc-pages', () => import('./marc-pages.ts'))
const bulk = lazyPages('bulk-pages', () => import('./bulk-pages.ts'))
const managing = lazyPages('managing-pages', () => import('./managing-pages.ts'))

const groups = {
  'reading-pages': reading,
  'changing-pages': changing,
  'marc-pages': marc,
  'bulk-pages': bulk,
  'managing-pages': managing
}

const FindPage = reading.page('FindPage')
const RecordPage = reading.page('RecordPage')
const BrowsePage = reading.page('BrowsePage')
const HistoryPage = reading.page('HistoryPage')

const EditPage = changing.page('EditPage')
const NewPage = changing.page('NewPage')
const NewPublicationPage = changing.page('NewPublicationPage')
const NewPerformancesPage = changing.page('NewPerformancesPage')
const NewRecordPage = changing.page('NewRecordPage')

const MarcPage = marc.page('MarcPage')
const NewMarcPage = marc.page('NewMarcPage')

const BulkEditPage = bulk.page('BulkEditPage')
const DuplicatesPage = bulk.page('DuplicatesPage')
const MergePage = bulk.page('MergePage')

const ManagePage = managing.page('ManagePage')

const routes: Routes = {
  '/': StartPage,
  '/find': FindPage,
  '/browse': BrowsePage,
  '/browse/:type': BrowsePage,
  '/find/change': BulkEditPage,
  '/find/duplicates': DuplicatesPage,
  '/record/:id': RecordPage,
  '/record/:id/history': HistoryPage,
  '/record/:id/edit': EditPage,
  '/record/:id/marc': MarcPage,
  '/record/:id/merge': MergePage,
  '/new': NewPage,
  '/new/publication': NewPublicationPage,
  '/new/marc': NewMarcPage,
  '/new/performances': NewPerformancesPage,
  '/new/:type': NewRecordPage,
  '/manage': ManagePage,
  '/manage/*': ManagePage
}

/** Loads the script of the page that the address names ahead of drawing it. */
export async function preloadRoute() {
  const group = pageGroupAt(location.pathname.slice(basePath.length))
  // A failure is reported where the page is drawn.
  if (group !== undefined) await groups[group].preload().catch(() => {})
}

/** Loads the pages that most people open next, once this one has what it shows. */
function NextPages() {
  const isBusy = useIsFetching() > 0
  useEffect(() => (isBusy ? undefined : whenIdle(loadLast)), [isBusy])
  return null
}

function loadLast() {
  reading
    .preload()
    .catch(() => {})
    .then(loadTypefacesLate)
}

export function App() {
  return (
    <ErrorBoundary>
      <LocaleProvider>
        <ToastProvider>
          <SessionGate>
            <Shell>
              <RoutedPage routes={routes} otherwise={NotFoundPage} />
              <NextPages />
            </Shell>
          </SessionGate>
        </ToastProvider>
      </LocaleProvider>
    </ErrorBoundary>
  )
}
