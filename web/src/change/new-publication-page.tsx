import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'

import { type Entity, isProblem, type RecordTypeRow } from '../../../client/index.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useRecord } from '../data/use-record.ts'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { type Content, dropDraft, findDraft, newDraftName, publication } from './drafts.ts'
import { contentOf, faultsOf, formOf, noFaults } from './form-content.ts'
import { Duplicates } from './duplicates.tsx'
import { FormFoot } from './form-foot.tsx'
import { RecordFields } from './record-fields.tsx'
import { RecordPicker } from './record-picker.tsx'
import { levelsOf, newId, type ThreeLevels, toExpression, toWork } from './three-levels.ts'
import { useChanges } from './use-changes.ts'
import { useFocusOnFault } from './use-focus-on-fault.ts'
import { useDraft } from './use-draft.ts'
import '../record/work-tree.css'

/** A publication with its work and its expression, in one form, saved together or not at all. */
export default function NewPublicationPage() {
  const { model } = useSession()
  const { words } = useLocale()
  const levels = levelsOf(model)
  const [query] = useSearchParams()
  const workId = query.get(toWork) ?? ''
  const work = useRecord(workId)
  if (!levels) return <FullPageNote isWhole title={words.pageNotFound} />
  if (workId !== '' && !work.data) return <QueryNote isWhole query={work} />
  return <NewPublication key={workId} levels={levels} work={work.data} />
}

const nothing = { metadata: [], relations: [] }

/** The draft of the three levels. */
interface PublicationDraft {
  readonly existing: Pick<Entity, 'id' | 'type' | 'metadata'> | undefined
  readonly isExisting: boolean
  readonly levels: readonly LevelDraft[]
}

interface LevelDraft {
  readonly type: string | undefined
  readonly content: Content
}

/** One of the three levels. */
function useLevel(rows: readonly RecordTypeRow[], draft: LevelDraft | undefined) {
  const first = rows.find(({ type }) => type === draft?.type) ?? rows[0]
  const [row, setRow] = useState(first)
  const formAtFirst = (content: Content) => (first ? formOf(first, content) : { entries: [], targets: [] })
  const [form, setForm] = useState(() => formAtFirst(draft?.content ?? nothing))
  const [faults, setFaults] = useState(noFaults)
  const choose = (type: string) => {
    const chosen = rows.find(each => each.type === type)
    if (!chosen) return
    setRow(chosen)
    setForm(formOf(chosen, contentOf(form)))
  }
  const clear = () => setForm(formAtFirst(nothing))
  return { rows, row, choose, form, setForm, faults, setFaults, clear }
}

type Level = ReturnType<typeof useLevel>

interface NewPublicationProps {
  readonly levels: ThreeLevels
  /** The work that the publication is of, where it is known. */
  readonly work: Entity | undefined
}

function NewPublication({ levels, work: givenWork }: NewPublicationProps) {
  const { client } = useSession()
  const { words, problemText } = useLocale()
  const nameOf = useNameOf()
  const navigate = useNavigate()
  const { created } = useChanges()
  const draftName = newDraftName(givenWork ? `${publication}?${toWork}=${givenWork.id}` : publication)
  const [draft, setDraft] = useState(() => findDraft<PublicationDraft>(draftName))
  const [existing, setExisting] = useState(draft?.existing ?? givenWork)
  const [isExisting, setIsExisting] = useState(draft?.isExisting ?? givenWork !== undefined)
  const work = useLevel(levels.works, draft?.levels[0])
  const expression = useLevel(levels.expressions, draft?.levels[1])
  const manifestation = useLevel(levels.manifestations, draft?.levels[2])
  const [rest, setRest] = useState<readonly string[]>([])
  const place = useFocusOnFault(work.faults, expression.faults, manifestation.faults)
  useTitle(words.addBook)

  const described = [work, expression, manifestation].map(({ row, form }) => ({
    type: row?.type,
    content: contentOf(form)
  }))
  const isEmpty =
    existing?.id === givenWork?.id &&
    described.every(({ content }) => content.metadata.length === 0 && content.relations.length === 0)
  const kept: PublicationDraft = { existing, isExisting, levels: described }
  const forgetDraft = useDraft(draftName, isEmpty ? undefined : kept)
  const discard = () => {
    dropDraft(draftName)
    setDraft(undefined)
    setExisting(givenWork)
    setIsExisting(givenWork !== undefined)
    for (const level of [work, expression, manifestation]) level.clear()
  }

  /** The title of a level is taken over by the levels below, until it is changed there. */
  const withTitle = (level: Level, above: readonly Level[]) => {
    const content = contentOf(level.form)
    const title = above.flatMap(each => contentOf(each.form).metadata.filter(({ key }) => key === 'title'))[0]
    const known = title ?? (existing && { key: 'title', value: nameOf(existing) })
    const hasTitle = content.metadata.some(({ key }) => key === 'title')
    return hasTitle || !known ? content : { ...content, metadata: [known, ...content.metadata] }
  }

  const save = useMutation({
    mutationFn: async () => {
      const named = [work, expression, manifestation].map(({ row }) => (row ? newId(row) : ''))
      const [newWorkId = '', expressionId = '', manifestationId = ''] = named
      const workId = isExisting ? (existing?.id ?? '') : newWorkId
      const relate = (content: ReturnType<typeof contentOf>, type: string, key: string) => ({
        ...content,
        relations: [{ type, key }, ...content.relations]
      })
      const lines = [
        ...(isExisting ? [] : [{ op: 'create', id: workId, type: work.row?.type, ...contentOf(work.form) }]),
        {
          op: 'create',
          id: expressionId,
          type: expression.row?.type,
          ...relate(withTitle(expression, isExisting ? [] : [work]), toWork, workId)
        },
        {
          op: 'create',
          id: manifestationId,
          type: manifestation.row?.type,
          ...relate(withTitle(manifestation, [expression, ...(isExisting ? [] : [work])]), toExpression, expressionId)
        }
      ]
      await client.send('POST /entities/batch', { query: { atomic: 1 }, body: lines })
      return Promise.all(lines.map(line => client.entities.read(line.id)))
    },
    onSuccess: async made => {
      forgetDraft()
      const last = made.at(-1)
      if (last) await created(made, last)
    },
    onError: error => {
      if (!isProblem(error)) return setRest([problemText(error)])
      const sent = isExisting ? [expression, manifestation] : [work, expression, manifestation]
      for (const [index, level] of sent.entries())
        level.setFaults(faultsOf(error, level.form, problemText, `/${index}`))
      if (error.errors.length === 0) setRest([problemText(error)])
    }
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setRest([])
    for (const level of [work, expression, manifestation]) level.setFaults(noFaults)
    // Only if the user is still on this page.
    save.mutate(undefined, { onSuccess: made => navigate(`/record/${encodeURIComponent(made.at(-1)?.id ?? '')}`) })
  }

  return (
    <form ref={place} className="change" onSubmit={submit} noValidate>
      <h1>{words.addBook}</h1>
      {draft && (
        <p className="note">
          {words.draftRestored}{' '}
          <button type="button" className="link-button" onClick={discard}>
            {words.draftDiscard}
          </button>
        </p>
      )}
      <section className="step level-work">
        <header className="step-head">
          <h2>1. {words.stepWork}</h2>
          <p className="hint">{words.stepWorkHint}</p>
        </header>
        <div role="radiogroup" aria-label={words.stepWork} className="chips">
          {[false, true].map(each => (
            <label key={String(each)} className="check">
              <input type="radio" name="which" checked={isExisting === each} onChange={() => setIsExisting(each)} />
              {each ? words.useExistingWork : words.newWork}
            </label>
          ))}
        </div>
        {isExisting ? (
          <>
            {existing && <p className="picked-name">{nameOf(existing)}</p>}
            <RecordPicker
              label={words.chooseRecord(words.work)}
              types={levels.works.map(({ type }) => type)}
              onPick={setExisting}
            />
          </>
        ) : (
          <LevelFields level={work} />
        )}
      </section>
      <section className="step level-expression">
        <header className="step-head">
          <h2>2. {words.stepExpression}</h2>
          <p className="hint">{words.stepExpressionHint}</p>
        </header>
        <LevelFields level={expression} without={[toWork]} />
      </section>
      <section className="step level-manifestation">
        <header className="step-head">
          <h2>3. {words.stepManifestation}</h2>
          <p className="hint">{words.stepManifestationHint}</p>
        </header>
        <LevelFields level={manifestation} without={[toExpression]} />
      </section>
      <FormFoot
        faults={[work.faults, expression.faults, manifestation.faults, { ...noFaults, rest }]}
        isBusy={save.isPending}
        isIdle={isExisting && !existing}
        onCancel={() => navigate(-1)}
      />
    </form>
  )
}

function LevelFields({ level, without = [] }: { readonly level: Level; readonly without?: readonly string[] }) {
  const { words, typeName } = useLocale()
  if (!level.row) return null
  return (
    <>
      <label className="inline-choice">
        <span>{words.filterType}</span>
        <select value={level.row.type} onChange={event => level.choose(event.target.value)}>
          {level.rows.map(({ type }) => (
            <option key={type} value={type}>
              {typeName(type)}
            </option>
          ))}
        </select>
      </label>
      <Duplicates row={level.row} form={level.form} />
      <RecordFields
        row={level.row}
        form={level.form}
        faults={level.faults}
        onChange={level.setForm}
        without={without}
        isBrief
      />
    </>
  )
}
