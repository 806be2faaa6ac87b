import { useEffect } from 'react'
import { BrowserRouter, Route, Routes } from 'react-router'

import { basePath } from './base-path.ts'
import { ErrorBoundary } from './parts/error-boundary.tsx'
import { lazyPage, lazyPart } from './parts/lazy-page.tsx'
import { ToastProvider } from './parts/toasts.tsx'
import { whenIdle } from './parts/when-idle.ts'
import { SessionGate } from './session/session.tsx'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { Shell } from './shell/shell.tsx'
import { StartPage } from './start/start-page.tsx'
import { LocaleProvider } from './i18n/locale.tsx'

// Each page is loaded when it is first opened.
const { Page: FindPage, preload: loadFind } = lazyPage('find-page', () => import('./find/find-page.tsx'))
const { Page: RecordPage, preload: loadRecord } = lazyPage('record-page', () => import('./record/record-page.tsx'))
const BrowsePage = lazyPart('browse-page', () => import('./browse/browse-page.tsx'))
const EditPage = lazyPart('edit-page', () => import('./change/edit-page.tsx'))
const MergePage = lazyPart('merge-page', () => import('./change/merge-page.tsx'))
const NewPage = lazyPart('new-page', () => import('./change/new-page.tsx'))
const NewPublicationPage = lazyPart('new-publication-page', () => import('./change/new-publication-page.tsx'))
const NewPerformancesPage = lazyPart('new-performances-page', () => import('./change/new-performances-page.tsx'))
const NewRecordPage = lazyPart('new-record-page', () => import('./change/new-record-page.tsx'))
const BulkEditPage = lazyPart('bulk-edit-page', () => import('./bulk-edit/bulk-edit-page.tsx'))
const ManagePage = lazyPart('manage-page', () => import('./manage/manage-page.tsx'))
const ImportPage = lazyPart('import-page', () => import('./import/import-page.tsx'))
const ImportsPage = lazyPart('imports-page', () => import('./import/imports-page.tsx'))
const NewImportPage = lazyPart('new-import-page', () => import('./import/new-import-page.tsx'))
const ReviewPage = lazyPart('review-page', () => import('./import/review-page.tsx'))
const TokensPage = lazyPart('tokens-page', () => import('./manage/tokens-page.tsx'))
const WebhooksPage = lazyPart('webhooks-page', () => import('./manage/webhooks-page.tsx'))
const HistoryPage = lazyPart('history-page', () => import('./record/history-page.tsx'))

export function App() {
  // The pages that most people open next are loaded while they read.
  useEffect(() => whenIdle(() => Promise.all([loadFind(), loadRecord()]).catch(() => {})), [])
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
                  <Route path="record/:id" element={<RecordPage />} />
                  <Route path="record/:id/history" element={<HistoryPage />} />
                  <Route path="record/:id/edit" element={<EditPage />} />
                  <Route path="record/:id/merge" element={<MergePage />} />
                  <Route path="new" element={<NewPage />} />
                  <Route path="new/publication" element={<NewPublicationPage />} />
                  <Route path="new/performances" element={<NewPerformancesPage />} />
                  <Route path="new/:type" element={<NewRecordPage />} />
                  <Route path="manage" element={<ManagePage />}>
                    <Route path="tokens" element={<TokensPage />} />
                    <Route path="webhooks" element={<WebhooksPage />} />
                    <Route path="imports" element={<ImportsPage />} />
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
