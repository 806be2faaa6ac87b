import { lazy, useEffect } from 'react'
import { BrowserRouter, Route, Routes } from 'react-router'

import { lazyPage } from './parts/lazy-page.tsx'
import { ToastProvider } from './parts/toasts.tsx'
import { SessionGate } from './session/session.tsx'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { Shell } from './shell/shell.tsx'
import { StartPage } from './start/start-page.tsx'
import { SpeechProvider } from './words/words.tsx'

// Each part is loaded when it is first gone to.
const { Page: FindPage, preload: loadFind } = lazyPage(() => import('./find/find-page.tsx'))
const { Page: RecordPage, preload: loadRecord } = lazyPage(() => import('./record/record-page.tsx'))
const BrowsePage = lazy(() => import('./browse/browse-page.tsx'))
const EditPage = lazy(() => import('./change/edit-page.tsx'))
const MergePage = lazy(() => import('./change/merge-page.tsx'))
const NewPage = lazy(() => import('./change/new-page.tsx'))
const NewPublicationPage = lazy(() => import('./change/new-publication-page.tsx'))
const NewRecordPage = lazy(() => import('./change/new-record-page.tsx'))
const ChangeManyPage = lazy(() => import('./change-many/change-many-page.tsx'))
const ManagePage = lazy(() => import('./manage/manage-page.tsx'))
const ImportPage = lazy(() => import('./bring-in/import-page.tsx'))
const ImportsPage = lazy(() => import('./bring-in/imports-page.tsx'))
const NewImportPage = lazy(() => import('./bring-in/new-import-page.tsx'))
const ReviewPage = lazy(() => import('./bring-in/review-page.tsx'))
const TokensPage = lazy(() => import('./manage/tokens-page.tsx'))
const WebhooksPage = lazy(() => import('./manage/webhooks-page.tsx'))
const HistoryPage = lazy(() => import('./record/history-page.tsx'))

export function App() {
  // Where most go next is loaded while they read.
  useEffect(() => {
    const idle = requestIdleCallback(() => Promise.all([loadFind(), loadRecord()]).catch(() => {}))
    return () => cancelIdleCallback(idle)
  }, [])
  return (
    <SpeechProvider>
      <ToastProvider>
        <SessionGate>
          {/* At once, not when React finds the time: a box that is ticked must not untick itself for a moment. */}
          <BrowserRouter useTransitions={false}>
            <Routes>
              <Route element={<Shell />}>
                <Route index element={<StartPage />} />
                <Route path="find" element={<FindPage />} />
                <Route path="browse/:type?" element={<BrowsePage />} />
                <Route path="find/change" element={<ChangeManyPage />} />
                <Route path="record/:id" element={<RecordPage />} />
                <Route path="record/:id/history" element={<HistoryPage />} />
                <Route path="record/:id/edit" element={<EditPage />} />
                <Route path="record/:id/merge" element={<MergePage />} />
                <Route path="new" element={<NewPage />} />
                <Route path="new/publication" element={<NewPublicationPage />} />
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
    </SpeechProvider>
  )
}
