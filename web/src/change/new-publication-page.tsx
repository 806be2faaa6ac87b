import { type FormEvent, useId, useState } from 'react'
import { useNavigate, useSearchParams } from '../parts/router.tsx'

import { isProblem, type Entity, type MetadataEntry, type RecordTypeRow } from '../../../client/index.ts'
import { textOf } from '../data/record-model.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useRecord, useTree } from '../data/use-record.ts'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { firstText, targetNames, titleIn, useLanguages } from '../record/work-tree.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { DraftNote } from './draft-note.tsx'
import { type Content, dropDraft, findDraft, newDraftName, publication } from './drafts.ts'
import { contentOf, faultsOf, formOf, madeIn, type NewRecord, noFaults } from './form-content.ts'
import { Duplicates } from './duplicates.tsx'
import { FormFoot } from './form-foot.tsx'
import { RecordFields } from './record-fields.tsx'
import { RecordPicker } from './record-picker.tsx'
import { levelsOf, newId, type ThreeLevels, toExpression, toWork } from './three-levels.ts'
import { useChanges } from './use-changes.ts'
import { useFocusOnFault } from './use-focus-on-fault.ts'
import { useDraft } from './use-draft.ts'
import { useSaving } from './use-saving.ts'
import { writeTogether } from './write-together.ts'
import '../record/work-tree.css'
import { RecordName } from '../parts/record-name.tsx'

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
  readonly existing: NewRecord | undefined
  readonly isExisting: boolean
  /** The id of an existing expression of the existing work. */
  readonly expressionId?: string
  readonly levels: readonly LevelDraft[]
}

interface LevelDraft {
  readonly type: string | undefined
  readonly content: Content
  readonly made?: readonly NewRecord[]
}

/** One of the three levels. */
function useLevel(rows: readonly RecordTypeRow[], draft: LevelDraft | undefined) {
  const first = rows.find(({ type }) => type === draft?.type) ?? rows[0]
  const [row, setRow] = useState(first)
  const formAtFirst = (content: Content, made: readonly NewRecord[] = []) =>
    first ? formOf(first, content, made) : { entries: [], targets: [] }
  const [form, setForm] = useState(() => formAtFirst(draft?.content ?? nothing, draft?.made))
  const [faults, setFaults] = useState(noFaults)
  const choose = (type: string) => {
    const chosen = rows.find(each => each.type === type)
    if (!chosen) return
    setRow(chosen)
    setForm(formOf(chosen, contentOf(form), madeIn(form)))
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
  const { created: tellCreated } = useChanges()
  const draftName = newDraftName(givenWork ? `${publication}?${toWork}=${givenWork.id}` : publication)
  const [draft, setDraft] = useState(() => findDraft<PublicationDraft>(draftName))
  const [existing, setExisting] = useState<NewRecord | undefined>(draft?.existing ?? givenWork)
  const [isExisting, setIsExisting] = useState(draft?.isExisting ?? givenWork !== undefined)
  const [expressionId, setExpressionId] = useState(draft?.expressionId ?? '')
  const work = useLevel(levels.works, draft?.levels[0])
  const expression = useLevel(levels.expressions, draft?.levels[1])
  const manifestation = useLevel(levels.manifestations, draft?.levels[2])
  /** Whether the publication is of an expression that exists already. */
  const hasExpression = isExisting && expressionId !== ''
  const [rest, setRest] = useState<readonly string[]>([])
  const place = useFocusOnFault(work.faults, expression.faults, manifestation.faults)
  useTitle(words.addBook)

  const described = [work, expression, manifestation].map(({ row, form }) => ({
    type: row?.type,
    content: contentOf(form),
    made: madeIn(form)
  }))
  const isEmpty =
    existing?.id === givenWork?.id &&
    expressionId === '' &&
    described.every(({ content }) => content.metadata.length === 0 && content.relations.length === 0)
  const kept: PublicationDraft = { existing, isExisting, expressionId, levels: described }
  const forgetDraft = useDraft(draftName, isEmpty ? undefined : kept)
  const discard = () => {
    dropDraft(draftName)
    setDraft(undefined)
    setExisting(givenWork)
    setIsExisting(givenWork !== undefined)
    setExpressionId('')
    for (const level of [work, expression, manifestation]) level.clear()
  }

  /** The levels that are created, in order. */
  const created = [...(isExisting ? [] : [work]), ...(hasExpression ? [] : [expression]), manifestation]
  /** The title of a level is taken over by the levels below, until it is changed there. */
  const titleAbove = (level: Level) =>
    created
      .slice(0, created.indexOf(level))
      .toReversed()
      .flatMap(each => contentOf(each.form).metadata.filter(({ key }) => key === 'title'))[0] ??
    (isExisting && existing ? { key: 'title', value: nameOf(existing) } : undefined)
  const withTitle = (level: Level) => {
    const content = contentOf(level.form)
    const known = titleAbove(level)
    const hasTitle = content.metadata.some(({ key }) => key === 'title')
    return hasTitle || !known ? content : { ...content, metadata: [known, ...content.metadata] }
  }

  const made = madeIn(...created.map(({ form }) => form))
  const save = useSaving({
    mutationFn: () => {
      const relate = (content: Content, type: string, key: string) => ({
        ...content,
        relations: [{ type, key }, ...content.relations]
      })
      const ids = new Map(created.map(level => [level, level.row ? newId(level.row) : '']))
      const workId = ids.get(work) ?? existing?.id ?? ''
      const aboveId = ids.get(expression) ?? expressionId
      const contents = new Map([
        [work, contentOf(work.form)],
        [expression, relate(withTitle(expression), toWork, workId)],
        [manifestation, relate(withTitle(manifestation), toExpression, aboveId)]
      ])
      const lines = created.map(level => ({
        op: 'create' as const,
        id: ids.get(level) ?? '',
        type: level.row?.type,
        ...(contents.get(level) ?? nothing)
      }))
      return writeTogether(client, made, lines)
    },
    onSuccess: async all => {
      forgetDraft()
      const last = all.at(-1)
      if (last) await tellCreated(all, last)
    },
    onError: error => {
      if (!isProblem(error)) return setRest([problemText(error)])
      for (const [index, level] of created.entries())
        level.setFaults(faultsOf(error, level.form, problemText, `/${made.length + index}`))
      if (error.errors.length === 0) setRest([problemText(error)])
    }
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setRest([])
    for (const level of [work, expression, manifestation]) level.setFaults(noFaults)
    // Only if the user is still on this page.
    save.mutate(undefined, { onSuccess: all => navigate(`/record/${encodeURIComponent(all.at(-1)?.id ?? '')}`) })
  }

  return (
    <form ref={place} className="change" onSubmit={submit} noValidate>
      <h1>{words.addBook}</h1>
      {draft && <DraftNote onDiscard={discard} />}
      <section className="step level-work">
        <StepHead title={`1. ${words.stepWork}`} hint={words.stepWorkHint} />
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
            {existing && (
              <p className="picked-name">
                <RecordName record={existing} />
              </p>
            )}
            <RecordPicker
              label={words.chooseRecord(words.work)}
              types={levels.works.map(({ type }) => type)}
              onPick={chosen => {
                setExisting(chosen)
                setExpressionId('')
              }}
            />
          </>
        ) : (
          <LevelFields level={work} made={made} />
        )}
      </section>
      <section className="step level-expression">
        <StepHead title={`2. ${words.stepExpression}`} hint={words.stepExpressionHint} />
        {isExisting && existing && (
          <ExpressionChoice workId={existing.id} chosen={expressionId} onChoose={setExpressionId} />
        )}
        {!hasExpression && (
          <LevelFields level={expression} without={[toWork]} made={made} title={titleAbove(expression)} />
        )}
      </section>
      <section className="step level-manifestation">
        <StepHead title={`3. ${words.stepManifestation}`} hint={words.stepManifestationHint} />
        <LevelFields level={manifestation} without={[toExpression]} made={made} title={titleAbove(manifestation)} />
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

interface ExpressionChoiceProps {
  readonly workId: string
  /** The id of the chosen expression; empty for a new one. */
  readonly chosen: string
  readonly onChoose: (id: string) => void
}

/** The expressions of the work: a new printing of an old translation is of one of them. */
function ExpressionChoice({ workId, chosen, onChoose }: ExpressionChoiceProps) {
  const { words, language, roleName } = useLocale()
  const tree = useTree(workId)
  const languagesOf = useLanguages(tree.data?.expressions ?? [])
  const id = useId()
  if (!tree.data) return <QueryNote query={tree} />
  if (tree.data.expressions.length === 0) return null
  return (
    <div className="field">
      <label htmlFor={id}>{words.whichExpression}</label>
      <select id={id} value={chosen} onChange={event => onChoose(event.target.value)}>
        <option value="">{words.newExpression}</option>
        {tree.data.expressions.map(expression => (
          <option key={expression.id} value={expression.id}>
            {[
              titleIn(expression, language).title,
              ...languagesOf(expression),
              ...targetNames(expression, 'refAuthors', roleName),
              firstText(expression, 'year')
            ]
              .filter(Boolean)
              .join(' · ')}
          </option>
        ))}
      </select>
    </div>
  )
}

interface LevelFieldsProps {
  readonly level: Level
  readonly without?: readonly string[]
  /** The new records of all levels. */
  readonly made: readonly NewRecord[]
  /** The title that is taken over from the level above. */
  readonly title?: MetadataEntry | undefined
}

function LevelFields({ level, without = [], made, title }: LevelFieldsProps) {
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
        made={made}
        titleAbove={textOf(title?.value ?? '')}
        isBrief
      />
    </>
  )
}

const StepHead = ({ title, hint }: { readonly title: string; readonly hint: string }) => (
  <header className="step-head">
    <h2>{title}</h2>
    <p className="hint">{hint}</p>
  </header>
)
