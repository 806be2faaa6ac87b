import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { Link, useNavigate, useParams } from '../parts/router.tsx'

import { type Entity, isProblem, type WrittenEntity } from '../../../client/index.ts'
import { DraftNote } from '../change/draft-note.tsx'
import { dropDraft, findDraft, formDraftName } from '../change/drafts.ts'
import { noFaults } from '../change/form-content.ts'
import { FormFoot } from '../change/form-foot.tsx'
import { useChanges } from '../change/use-changes.ts'
import { toExpression } from '../change/three-levels.ts'
import { useDraft } from '../change/use-draft.ts'
import { useSaving } from '../change/use-saving.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { recordKey } from '../data/use-record.ts'
import { useLocale } from '../i18n/locale.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useTitle } from '../parts/use-title.ts'
import { Differences } from '../record/history-page.tsx'
import { useSession } from '../session/session.tsx'
import { LinesArea } from './lines-area.tsx'
import { lineAt, type MarcJson, type ReadLines, readLines, toLines } from './marc-lines.ts'
import type { RecordKind } from './marc-templates.ts'
import { marcWords } from './marc-words.ts'
import { useLiveCheck } from './use-live-check.ts'
import '../change/change.css'
import './marc.css'

/** A source record as it was read, or one that is begun. */
interface Shown {
  /** Undefined for a new record. */
  readonly entity: Entity | undefined
  readonly text: string
  /** Identifies this state of the record. */
  readonly tag: string
}

/** The text of the editor, and the state of the record that it was made from. */
type MarcDraft = Pick<Shown, 'text' | 'tag'>

/** The MARC record of an edition or an authority, edited as text. */
export default function MarcPage() {
  const { id = '' } = useParams()
  const { client } = useSession()
  const { language } = useLocale()
  // Read once and not refetched while editing.
  const shown = useQuery({
    queryKey: [...recordKey(id), 'marc to edit'],
    queryFn: async ({ signal }): Promise<Shown> => {
      const entity = await client.entities.read(id, { signal })
      const { data } = await client.send('GET /entities/{id}/source', { path: { id: entity.id }, signal })
      return { entity, text: toLines(data as MarcJson), tag: `"${entity.version}"` }
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0
  })
  if (isProblem(shown.error, 'not_found')) return <p className="note">{marcWords[language].noRecord}</p>
  if (!shown.data) return <QueryNote isWhole query={shown} />
  return <MarcForm key={shown.data.tag} shown={shown.data} onReload={() => void shown.refetch()} />
}

const nothing: Shown = { entity: undefined, text: '', tag: '' }

/** A record that is begun as text, empty or from a template. */
export const NewMarcPage = () => <MarcForm shown={nothing} onReload={() => {}} />

/** The outcome of a check, and the text that was checked. */
interface Checked {
  readonly text: string
  readonly lines: ReadLines
  readonly answer: WrittenEntity
}

interface MarcFormProps {
  readonly shown: Shown
  readonly onReload: () => void
}

function MarcForm({ shown, onReload }: MarcFormProps) {
  const { entity } = shown
  const { client } = useSession()
  const { words, language, problemText } = useLocale()
  const nameOf = useNameOf()
  const navigate = useNavigate()
  const { refresh, tell } = useChanges()
  const own = marcWords[language]
  const draftName = formDraftName(`marc ${entity?.id ?? 'new'}`)
  const [draft, setDraft] = useState(() => findDraft<MarcDraft>(draftName))
  const [base, setBase] = useState<MarcDraft>(draft ?? shown)
  const [text, setText] = useState(base.text)
  const [checked, setChecked] = useState<Checked>()
  const [faults, setFaults] = useState<readonly string[]>([])
  const [isConflict, setConflict] = useState(false)
  /** The id of the record that a new one is already. */
  const [present, setPresent] = useState<string>()
  const [cursor, setCursor] = useState(0)
  const area = useRef<HTMLTextAreaElement>(null)
  const isChanged = text !== shown.text
  const kind = useKind(entity?.type, text)
  const title = entity === undefined ? own.newRecord : words.marcOf(nameOf(entity))
  useTitle(title)
  const forgetDraft = useDraft(draftName, isChanged ? ({ text, tag: base.tag } satisfies MarcDraft) : undefined)
  const show = (id = entity?.id) => navigate(id === undefined ? '/new' : `/record/${encodeURIComponent(id)}`)

  const send = ({ record }: ReadLines, dryRun: boolean) =>
    entity === undefined
      ? client.entities.createFromSource(record, { dryRun })
      : client.entities.replaceSource(entity.id, record, { ifMatch: base.tag, dryRun })
  const live = useLiveCheck(entity?.id ?? '', isChanged ? text : undefined, lines => send(lines, true))
  const onError = (error: Error) => {
    if (isProblem(error, 'version_mismatch')) setConflict(true)
    else if (isProblem(error, 'identifier_taken')) setPresent((error.problem as { readonly id?: string }).id)
    else if (isProblem(error, 'unavailable')) setFaults([own.isBusy])
    else setFaults(isProblem(error, 'invalid') ? [error.message] : [problemText(error)])
  }
  const check = useMutation({
    mutationFn: async (given: string): Promise<Checked> => {
      const lines = readLines(given)
      return { text: given, lines, answer: await send(lines, true) }
    },
    onSuccess: setChecked,
    onError
  })
  const save = useSaving({
    mutationFn: ({ lines }: Checked) => send(lines, false),
    onSuccess: async written => {
      forgetDraft()
      await refresh()
      const job = written.audit.updated.by.replace(/^import:/, '')
      tell(words.saved(nameOf(written)), () => undoEdit(client, job))
    },
    onError
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setFaults([])
    setPresent(undefined)
    const unreadable = readLines(text).faults
    if (unreadable.length > 0) setFaults(unreadable.map(line => words.marcUnreadable(line + 1)))
    else if (checked?.text === text) save.mutate(checked, { onSuccess: ({ id }) => show(id) })
    else check.mutate(text)
  }
  const discard = () => {
    dropDraft(draftName)
    setDraft(undefined)
    setBase(shown)
    setText(shown.text)
    onReload()
  }
  const goTo = (line: number) => {
    const before = text.split('\n').slice(0, line)
    const start = before.reduce((sum, each) => sum + each.length + 1, 0)
    area.current?.focus()
    area.current?.setSelectionRange(start, start + (text.split('\n')[line]?.length ?? 0))
    setCursor(start)
  }
  const isChecked = checked?.text === text

  return (
    <form className="change marc-editor" onSubmit={submit} noValidate>
      <h1>{title}</h1>
      {draft && <DraftNote onDiscard={discard} />}
      <LinesArea
        area={area}
        text={text}
        cursor={cursor}
        messages={live.messages}
        kind={kind}
        onChange={setText}
        onMove={setCursor}
        onGo={goTo}
      />
      <LiveMessages messages={live.messages} isShown={checked?.text !== text} onGo={goTo} />
      {present !== undefined && (
        <p className="note" role="alert">
          {own.isHere} <Link to={`/record/${encodeURIComponent(present)}/marc`}>{own.editThat}</Link>
        </p>
      )}
      {isConflict && (
        <p className="note" role="alert">
          {words.marcConflict}{' '}
          <button type="button" className="link-button" onClick={discard}>
            {words.marcTakeTheirs}
          </button>{' '}
          <button
            type="button"
            className="link-button"
            onClick={() => {
              setBase({ ...base, tag: '*' })
              setConflict(false)
            }}
          >
            {words.marcKeepMine}
          </button>
        </p>
      )}
      {isChecked && <CheckResult checked={checked} onGo={goTo} />}
      <FormFoot
        faults={[{ ...noFaults, rest: faults }]}
        isBusy={check.isPending || save.isPending}
        isIdle={!isChanged}
        saveName={isChecked ? words.save : words.marcCheck}
        onCancel={() => show()}
      />
    </form>
  )
}

type Client = ReturnType<typeof useSession>['client']

/** Milliseconds between two looks at an undo, which is done in the background. */
const undoInterval = 300

async function undoEdit(client: Client, job: string): Promise<void> {
  let { state, failure } = await client.imports.undo(job)
  while (state === 'undoing') {
    await new Promise(resolve => setTimeout(resolve, undoInterval))
    ;({ state, failure } = await client.imports.read(job))
  }
  if (state !== 'undone') throw new Error(failure ?? state)
}

/** The rules that a record has: of publications or of authorities, in MARC 21 or UNIMARC. */
function useKind(type: string | undefined, text: string): RecordKind {
  const { model } = useSession()
  // UNIMARC has titles and headings in 2XX, and no fixed field 008.
  if (/^2\d\d /m.test(text) && !/^(?:245|008) /m.test(text))
    return /^LDR .{6}[xyz]/m.test(text) ? 'unimarcAuthority' : 'unimarc'
  if (type === undefined) return /^LDR .{6}z/m.test(text) ? 'authority' : 'publication'
  return model.find(type)?.relations.some(each => each.type === toExpression) === true ? 'publication' : 'authority'
}

interface LiveMessagesProps {
  readonly messages: ReadonlyMap<number, readonly string[]>
  readonly isShown: boolean
  readonly onGo: (line: number) => void
}

/** The messages about the text as it is typed, each with a way to its line. */
function LiveMessages({ messages, isShown, onGo }: LiveMessagesProps) {
  const { words, language } = useLocale()
  if (!isShown || messages.size === 0) return null
  const all = [...messages].flatMap(([line, texts]) => texts.map(text => ({ line, text })))
  return (
    <details className="marc-live">
      <summary>{marcWords[language].messages(all.length)}</summary>
      <ul>
        {all.map(({ line, text }) => (
          <li key={`${line} ${text}`}>
            <button type="button" className="link-button" onClick={() => onGo(line)}>
              {words.marcLine(line + 1)}
            </button>{' '}
            {text}
          </li>
        ))}
      </ul>
    </details>
  )
}

interface CheckResultProps {
  readonly checked: Checked
  readonly onGo: (line: number) => void
}

/** The warnings about the text, and the records that saving it would change. */
function CheckResult({ checked, onGo }: CheckResultProps) {
  const { words, typeName } = useLocale()
  const { warnings = [], records = [] } = checked.answer
  const lineOf = (pointer: string) => lineAt(checked.lines, pointer)
  return (
    <section className="marc-check" aria-live="polite">
      <h2>{words.warnings}</h2>
      {warnings.length === 0 ? (
        <p>{words.marcNoWarnings}</p>
      ) : (
        <ul>
          {warnings.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              <button type="button" className="link-button" onClick={() => onGo(lineOf(pointer))}>
                {words.marcLine(lineOf(pointer) + 1)}
              </button>{' '}
              {message}
            </li>
          ))}
        </ul>
      )}
      <h2>{words.marcChanges}</h2>
      {records.length === 0 && <p>{words.marcNoChanges}</p>}
      {records.map(({ id, type, outcome, changes }) => (
        <div key={id}>
          <h3>
            {typeName(type)}
            <span className="soft"> · {words.historyKinds[outcome]}</span>
          </h3>
          <Differences type={type} changes={changes} />
        </div>
      ))}
    </section>
  )
}
