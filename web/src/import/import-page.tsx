import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, ListChecks, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useParams } from '../parts/router.tsx'

import { type Import, isProblem } from '../../../client/index.ts'
import { findAddress } from '../../../src/domain/find/find-state.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useToasts } from '../parts/toasts.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { findChosenFile } from './chosen-files.ts'
import { durationText } from './duration.ts'
import { ImportCounts } from './import-counts.tsx'
import { ImportProgress, ImportState } from './import-state.tsx'
import { mayTakeBack } from './may-import.ts'
import { PreviewLines } from './preview-lines.tsx'
import { Remarks } from './remarks.tsx'
import { importKey, isUnderWay, refreshAll, useImport, useReview } from './use-imports.ts'
import './import.css'

/** One import: progress, counts, remarks, review questions and Undo. */
export default function ImportPage() {
  const { id = '' } = useParams()
  const { words } = useLocale()
  const job = useImport(id)
  useTitle(job.data?.name ?? words.imports)
  if (isProblem(job.error, 'forbidden')) return <FullPageNote isWhole title={words.mayNotImport} />
  if (!job.data) return <QueryNote isWhole query={job} />
  return <ImportView key={id} job={job.data} />
}

function ImportView({ job }: { readonly job: Import }) {
  const { words, moment, whoName } = useLocale()
  const took = secondsOf(job)
  const told = [
    words.importedBy(whoName(job.created_by), moment(job.created_at)),
    took === undefined ? undefined : words.took(durationText(words, took))
  ]
  useRefreshAtEnd(job)
  return (
    <article className="import">
      <header className="import-head">
        <Link className="button ghost" to="/manage/imports">
          <ArrowLeft size={16} aria-hidden="true" /> {words.imports}
        </Link>
        <h1>{job.name}</h1>
        <p className="import-told">
          <ImportState job={job} />
          <span className="soft">{told.filter(each => each !== undefined).join(' · ')}</span>
        </p>
      </header>
      {isUnderWay(job) ? <UnderWay job={job} /> : <Ended job={job} />}
    </article>
  )
}

/** After an import, all cached records may be outdated. */
function useRefreshAtEnd(job: Import) {
  const queries = useQueryClient()
  const wasUnderWay = useRef(isUnderWay(job))
  const isNow = isUnderWay(job)
  useEffect(() => {
    if (wasUnderWay.current && !isNow) void refreshAll(queries)
    wasUnderWay.current = isNow
  }, [isNow, queries])
}

function secondsOf({ started_at, ended_at, state }: Import): number | undefined {
  if (state !== 'done' || started_at === null || ended_at === null) return undefined
  return (Date.parse(ended_at) - Date.parse(started_at)) / 1000
}

function UnderWay({ job }: { readonly job: Import }) {
  const { words } = useLocale()
  const stop = useAct(job)
  return (
    <section className="import-now" aria-live="polite">
      <ImportProgress job={job} />
      <p className="soft">
        {job.state === 'waiting' && `${words.waitingHint} `}
        {job.state === 'undoing' ? words.undoingHint : words.mayLeave}
      </p>
      {job.state !== 'undoing' && (
        <button type="button" className="button" disabled={stop.isPending} onClick={() => stop.mutate('stop')}>
          {words.stop}
        </button>
      )}
    </section>
  )
}

function Ended({ job }: { readonly job: Import }) {
  const { model } = useSession()
  const { words, number } = useLocale()
  const [isTakingBack, setTakingBack] = useState(false)
  const act = useAct(job)
  const isUndone = job.state === 'undone'
  const hasWritten = !job.is_preview && !isUndone && Object.keys(job.entities).length > 0
  const canGoOn = job.state === 'stopped' || job.state === 'failed'
  return (
    <>
      {job.failure !== null && (
        <div className="note note-bad">
          <strong>{words.importFailed}</strong>
          <p>{job.failure}</p>
        </div>
      )}
      {job.state === 'stopped' && <p className="note">{words.stoppedHint}</p>}
      {isUndone && (
        <p className="note">
          {words.importUndone} {job.counts.kept > 0 && words.notUndoneRecords(job.counts.kept, number(job.counts.kept))}{' '}
          {words.importAgain}
        </p>
      )}
      <div className="import-actions">
        {job.is_preview && <ImportPreviewed job={job} />}
        {!job.is_preview && !isUndone && <ToReview job={job} />}
        {hasWritten && (
          <Link className="button" to={findAddress({ addedBy: `import:${job.id}`, view: 'records' })}>
            {words.showRecords}
          </Link>
        )}
        {canGoOn && (
          <button type="button" className="button" disabled={act.isPending} onClick={() => act.mutate('resume')}>
            {words.goOn}
          </button>
        )}
        {hasWritten && mayTakeBack(model) && (
          <button type="button" className="button danger" onClick={() => setTakingBack(true)}>
            <Undo2 size={16} aria-hidden="true" /> {words.undoImport}
          </button>
        )}
      </div>
      <div className="import-columns">
        {!isUndone && <ImportCounts job={job} />}
        <div>
          {job.is_preview && <PreviewLines job={job} />}
          <Remarks job={job} />
        </div>
      </div>
      {isTakingBack && <TakeBack job={job} onClose={() => setTakingBack(false)} />}
    </>
  )
}

/** Stops, continues or undoes the import; the answer is its new state. */
function useAct(job: Import) {
  const { client } = useSession()
  const { problemText } = useLocale()
  const queries = useQueryClient()
  const { say } = useToasts()
  return useMutation({
    mutationFn: (action: 'stop' | 'resume' | 'undo') => client.imports[action](job.id),
    onSuccess: now => queries.setQueryData(importKey(job.id), now),
    onError: error => say(problemText(error))
  })
}

function ToReview({ job }: { readonly job: Import }) {
  const { words, number } = useLocale()
  const open = useReview(job.id, false)
  const settled = useReview(job.id, true)
  const questions = open.data?.pages.flatMap(page => page.questions) ?? []
  const hasSettled = (settled.data?.pages[0]?.questions.length ?? 0) > 0
  if (questions.length === 0 && !hasSettled) return null
  const count = `${number(questions.length)}${open.hasNextPage ? '+' : ''}`
  return (
    <Link className={questions.length > 0 ? 'button primary' : 'button'} to={`/manage/imports/${job.id}/review`}>
      <ListChecks size={16} aria-hidden="true" />
      {questions.length > 0 ? words.toReview(open.hasNextPage ? 2 : questions.length, count) : words.review}
    </Link>
  )
}

/** Starts the import after a preview. */
function ImportPreviewed({ job }: { readonly job: Import }) {
  const { client } = useSession()
  const { words, problemText } = useLocale()
  const { say } = useToasts()
  const navigate = useNavigate()
  const chosen = findChosenFile(job.id)
  const send = useMutation({
    mutationFn: async () => chosen && client.imports.add(chosen.file, chosen.settings),
    onError: error => say(problemText(error))
  })
  // Only if the user is still on this page.
  const begin = () => send.mutate(undefined, { onSuccess: made => made && navigate(`/manage/imports/${made.id}`) })
  if (job.state !== 'done') return null
  return (
    <>
      <p>{chosen ? words.previewWroteNothing : words.chooseAgain}</p>
      {chosen ? (
        <button type="button" className="button primary" disabled={send.isPending} onClick={begin}>
          {send.isPending ? words.sendingFile : words.importNow}
        </button>
      ) : (
        <Link className="button" to="/manage/imports/new">
          {words.chooseFile}
        </Link>
      )}
    </>
  )
}

function TakeBack({ job, onClose }: { readonly job: Import; readonly onClose: () => void }) {
  const { words, number } = useLocale()
  const { say } = useToasts()
  const act = useAct(job)
  const created = Object.values(job.entities as Readonly<Record<string, { created: number }>>).reduce(
    (sum, counts) => sum + counts.created,
    0
  )
  return (
    <ConfirmDialog
      title={words.confirmUndoImport(job.name)}
      does={words.undoImport}
      isDisabled={act.isPending}
      onConfirm={() =>
        act.mutate('undo', {
          onSuccess: () => {
            say(words.undoingImport)
            onClose()
          }
        })
      }
      onClose={onClose}
    >
      <p className="note note-warn">{words.confirmUndoImportHint(created, number(created))}</p>
      <p className="hint section-title">{words.undoImportStays}</p>
    </ConfirmDialog>
  )
}
