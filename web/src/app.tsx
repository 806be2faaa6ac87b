import { useEffect } from 'react'
import { BrowserRouter, Route, Routes } from 'react-router'

import { basePath } from './base-path.ts'
import { ErrorBoundary } from './parts/error-boundary.tsx'
import { lazyPages } from './parts/lazy-page.tsx'
import { ToastProvider } from './parts/toasts.tsx'
import { whenIdle } from './parts/when-idle.ts'
import { SessionGate } from './session/session.tsx'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { Shell } from './shell/shell.tsx'
import { StartPage } from './start/start-page.tsx'
import { LocaleProvider } from './i18n/locale.tsx'

// Pages that are used together are one script: a file for each would be dozens of requests.
const reading = lazyPages('reading-pages', () => import('./reading-pages.ts'))
const changing = lazyPages('changing-pages', () => import('./changing-pages.ts'))
const managing = lazyPages('managing-pages', () => import('./managing-pages.ts'))

const FindPage = reading.page('FindPage')
const RecordPage = reading.page('RecordPage')
const BrowsePage = reading.page('BrowsePage')
const HistoryPage = reading.page('HistoryPage')

const DuplicatesPage = changing.page('DuplicatesPage')
const EditPage = changing.page('EditPage')
const MarcPage = changing.page('MarcPage')
const MergePage = changing.page('MergePage')
const NewPage = changing.page('NewPage')
const NewPublicationPage = changing.page('NewPublicationPage')
const NewPerformancesPage = changing.page('NewPerformancesPage')
const NewRecordPage = changing.page('NewRecordPage')
const BulkEditPage = changing.page('BulkEditPage')

const ManagePage = managing.page('ManagePage')
const ImportPage = managing.page('ImportPage')
const ImportsPage = managing.page('ImportsPage')
const NewImportPage = managing.page('NewImportPage')
const ReviewPage = managing.page('ReviewPage')
const CopyPage = managing.page('CopyPage')
const SitePage = managing.page('SitePage')
const TokensPage = managing.page('TokensPage')
const WebhooksPage = managing.page('WebhooksPage')

/** Loads the script of the page that the address names ahead of drawing it. */
export async function preloadRoute() {
  const path = location.pathname.slice(basePath.length)
  // A failure is reported where the page is drawn.
  if (/^\/(?:find|record|browse)\b/.test(path)) await reading.preload().catch(() => {})
}

export function App() {
  // The pages that most people open next are loaded while they read.
  useEffect(() => whenIdle(() => reading.preload().catch(() => {})), [])
  return (
    <ErrorBoundary>
      <LocaleProvider>
        <ToastProvider>
          <SessionGate>
            {/* Without transitions: otherwise a ticked box would appear unticked for a moment. */}
            <BrowserRouter basename={basePath} useTransitions={false}>
              <Routes>
                <Route element={<Shell />}>
                  <Route index element={<StartPage />} />
                  <Route path="find" element={<FindPage />} />
                  <Route path="browse/:type?" element={<BrowsePage />} />
                  <Route path="find/change" element={<BulkEditPage />} />
                  <Route path="find/duplicates" element={<DuplicatesPage />} />
                  <Route path="record/:id" element={<RecordPage />} />
                  <Route path="record/:id/history" element={<HistoryPage />} />
                  <Route path="record/:id/edit" element={<EditPage />} />
                  <Route path="record/:id/marc" element={<MarcPage />} />
                  <Route path="record/:id/merge" element={<MergePage />} />
                  <Route path="new" element={<NewPage />} />
                  <Route path="new/publication" element={<NewPublicationPage />} />
                  <Route path="new/performances" element={<NewPerformancesPage />} />
                  <Route path="new/:type" element={<NewRecordPage />} />
                  <Route path="manage" element={<ManagePage />}>
                    <Route path="tokens" element={<TokensPage />} />
                    <Route path="webhooks" element={<WebhooksPage />} />
                    <Route path="site" element={<SitePage />} />
                    <Route path="imports" element={<ImportsPage />} />
                    <Route path="imports/copy" element={<CopyPage />} />
                    <Route path="imports/new" element={<NewImportPage />} />
                    <Route path="imports/:id" element={<ImportPage />} />
                    <Route path="imports/:id/review" element={<ReviewPage />} />
                    <Route path="*" element={<NotFoundPage />} />
                  </Route>
                  <Route path="*" element={<NotFoundPage />} />
                </Route>
              </Routes>
            </BrowserRouter>
          </SessionGate>
        </ToastProvider>
      </LocaleProvider>
    </ErrorBoundary>
  )
}
