import { type FormEvent, useRef, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from '../parts/router.tsx'

import { isProblem, type RecordTypeRow, type WrittenEntity } from '../../../client/index.ts'
import { useRecord } from '../data/use-record.ts'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useLatest } from '../parts/use-latest.ts'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { DraftNote } from './draft-note.tsx'
import { type Content, type Draft, dropDraft, findDraft, keepDraft, newDraftName } from './drafts.ts'
import { contentOf, faultsOf, type FormContent, formOf, isSame, madeIn, noFaults, withoutMade } from './form-content.ts'
import { Duplicates } from './duplicates.tsx'
import { FormFoot } from './form-foot.tsx'
import { copyOf, givenContent, likeParameter } from './prefill.ts'
import { RecordFields } from './record-fields.tsx'
import { Templates } from './templates.tsx'
import { useChanges } from './use-changes.ts'
import { useFocusOnFault } from './use-focus-on-fault.ts'
import { newId, toExpression } from './three-levels.ts'
import { useDraft } from './use-draft.ts'
import { useSaving } from './use-saving.ts'
import { writeTogether } from './write-together.ts'

export default function NewRecordPage() {
  const { type = '' } = useParams()
  const { model } = useSession()
  const { words } = useLocale()
  const [query] = useSearchParams()
  const like = query.get(likeParameter)
  const above = like ?? query.get(toExpression) ?? ''
  const original = useRecord(above)
  const row = model.find(type)
  if (!row?.may.includes('write')) return <FullPageNote isWhole title={words.pageNotFound} />
  if (above !== '' && !original.data) return <QueryNote isWhole query={original} />
  const start =
    like !== null && original.data ? copyOf(row, original.data) : givenContent(row, query, original.data?.metadata)
  return <NewForm key={`${type} ${query}`} row={row} start={start} draftName={draftOf(type, query)} />
}

/** Forms that start with content have drafts of their own. */
const draftOf = (type: string, query: URLSearchParams) =>
  newDraftName(query.size === 0 ? type : `${type}?${query.toString()}`)

interface NewFormProps {
  readonly row: RecordTypeRow
  /** The content that the form starts with. */
  readonly start: Content
  readonly draftName: string
}

function NewForm({ row, start, draftName }: NewFormProps) {
  const { client, model } = useSession()
  const { words, typeName, problemText } = useLocale()
  const navigate = useNavigate()
  const { created } = useChanges()
  const [draft, setDraft] = useState(() => findDraft(draftName))
  const [form, setForm] = useState(() => formOf(row, draft?.content ?? start, draft?.made))
  const [faults, setFaults] = useState(noFaults)
  const attempt = useRef({ text: '', key: '', id: '' })
  const place = useFocusOnFault(faults)
  const content = contentOf(form)
  const isUntouched = isSame(content, contentOf(formOf(row, start)))
  const siblings = model.families.get(model.familyOf(row.type)) ?? []
  useTitle(words.newOf(typeName(row.type)))

  const forgetDraft = useDraft(
    draftName,
    isUntouched ? undefined : ({ base: undefined, content, made: madeIn(form) } satisfies Draft)
  )

  const latest = useLatest(form)
  const save = useSaving({
    mutationFn: async (sent: FormContent): Promise<readonly WrittenEntity[]> => {
      // The same key for every attempt: a lost answer does not create a second record.
      const text = JSON.stringify(content)
      if (attempt.current.text !== text) attempt.current = { text, key: crypto.randomUUID(), id: newId(row) }
      const { key, id } = attempt.current
      const record = { type: row.type, ...content }
      const made = madeIn(sent)
      return made.length > 0
        ? writeTogether(client, made, [{ op: 'create', id, ...record }], key)
        : [await client.entities.create(record, { idempotencyKey: key })]
    },
    onSuccess: async (all, sent) => {
      const written = all.at(-1)
      if (!written) return
      forgetDraft()
      await created(all, written)
      // Later typing is a change of the created record.
      if (latest.current === sent) return
      const { version, metadata, relations } = written
      keepDraft(written.id, {
        base: { version, metadata, relations },
        content: contentOf(latest.current),
        made: madeIn(withoutMade(latest.current, madeIn(sent)))
      } satisfies Draft)
    },
    onError: (error, sent) => {
      const index = madeIn(sent).length
      const within = index === 0 ? '' : `/${index}`
      setFaults(
        isProblem(error) ? faultsOf(error, sent, problemText, within) : { ...noFaults, rest: [problemText(error)] }
      )
    }
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setFaults(noFaults)
    // Only if the user is still on this page.
    save.mutate(form, {
      onSuccess: (all, sent) =>
        navigate(`/record/${encodeURIComponent(all.at(-1)?.id ?? '')}${latest.current === sent ? '' : '/edit'}`)
    })
  }
  const discard = () => {
    dropDraft(draftName)
    setDraft(undefined)
    setForm(formOf(row, start))
  }

  return (
    <form ref={place} className="change" onSubmit={submit} noValidate>
      <h1>{words.newOf(typeName(row.type))}</h1>
      {draft && <DraftNote onDiscard={discard} />}
      {siblings.length > 1 && (
        <label className="inline-choice">
          <span>{words.filterType}</span>
          <select value={row.type} onChange={event => navigate(`/new/${event.target.value}`, { replace: true })}>
            {siblings
              .filter(each => each.may.includes('write'))
              .map(each => (
                <option key={each.type} value={each.type}>
                  {typeName(each.type)}
                </option>
              ))}
          </select>
        </label>
      )}
      <Templates
        key={row.type}
        type={row.type}
        // A record that does not exist yet cannot be in a template.
        content={contentOf({ ...form, targets: form.targets.filter(({ made }) => !made) })}
        onUse={chosen => setForm(formOf(row, chosen))}
      />
      <Duplicates row={row} form={form} />
      <RecordFields row={row} form={form} faults={faults} onChange={setForm} />
      <FormFoot faults={[faults]} isBusy={save.isPending} onCancel={() => navigate(-1)} />
    </form>
  )
}
