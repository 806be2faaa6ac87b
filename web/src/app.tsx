import { lazy } from 'react'
import { BrowserRouter, Navigate, Route, Routes } from 'react-router'

import { ToastProvider } from './parts/toasts.tsx'
import { SessionGate } from './session/session.tsx'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { Shell } from './shell/shell.tsx'
import { StartPage } from './start/start-page.tsx'
import { SpeechProvider } from './words/words.tsx'

// Each part is loaded when it is first gone to.
const FindPage = lazy(() => import('./find/find-page.tsx'))
const RecordPage = lazy(() => import('./record/record-page.tsx'))
const EditPage = lazy(() => import('./change/edit-page.tsx'))
const MergePage = lazy(() => import('./change/merge-page.tsx'))
const NewPage = lazy(() => import('./change/new-page.tsx'))
const NewPublicationPage = lazy(() => import('./change/new-publication-page.tsx'))
const NewRecordPage = lazy(() => import('./change/new-record-page.tsx'))
const ManagePage = lazy(() => import('./manage/manage-page.tsx'))
const TokensPage = lazy(() => import('./manage/tokens-page.tsx'))
const WebhooksPage = lazy(() => import('./manage/webhooks-page.tsx'))
const HistoryPage = lazy(() => import('./record/history-page.tsx'))

export function App() {
  return (
    <SpeechProvider>
      <ToastProvider>
        <SessionGate>
          <BrowserRouter>
            <Routes>
              <Route element={<Shell />}>
                <Route index element={<StartPage />} />
                <Route path="find" element={<FindPage />} />
                <Route path="record/:id" element={<RecordPage />} />
                <Route path="record/:id/history" element={<HistoryPage />} />
                <Route path="record/:id/edit" element={<EditPage />} />
                <Route path="record/:id/merge" element={<MergePage />} />
                <Route path="new" element={<NewPage />} />
                <Route path="new/publication" element={<NewPublicationPage />} />
                <Route path="new/:type" element={<NewRecordPage />} />
                <Route path="manage" element={<ManagePage />}>
                  <Route index element={<Navigate to="/manage/tokens" replace />} />
                  <Route path="tokens" element={<TokensPage />} />
                  <Route path="webhooks" element={<WebhooksPage />} />
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
