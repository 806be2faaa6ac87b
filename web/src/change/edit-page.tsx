import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate, useParams } from 'react-router'

import { type Entity, isProblem, type RecordTypeRow } from '../../../client/index.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { recordKey } from '../data/use-record.ts'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useLatest } from '../parts/use-latest.ts'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { type Content, type Draft, dropDraft, findDraft } from './drafts.ts'
import { contentOf, faultsOf, type FormContent, formOf, isSame, noFaults } from './form-content.ts'
import { FormFoot } from './form-foot.tsx'
import { RecordFields } from './record-fields.tsx'
import { useAnchoredField } from './use-anchored-field.ts'
import { useChanges } from './use-changes.ts'
import { useFocusOnFault } from './use-focus-on-fault.ts'
import { useDraft } from './use-draft.ts'

export default function EditPage() {
  const { id = '' } = useParams()
  const { client, model } = useSession()
  const { words } = useLocale()
  // Read once and not refetched while editing: concurrent changes are combined on saving.
  const record = useQuery({
    queryKey: [...recordKey(id), 'to edit'],
    queryFn: ({ signal }) => client.entities.read(id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0
  })
  if (!record.data) return <QueryNote isWhole query={record} />
  const row = model.find(record.data.type)
  if (!row?.may.includes('write'))
    return (
      <FullPageNote isWhole title={words.notFound}>
        {words.notFoundHint}
      </FullPageNote>
    )
  return <EditForm key={record.data.id} entity={record.data} row={row} />
}

/** The content that is sent, and the form at that moment. */
interface Sent {
  readonly form: FormContent
  readonly content: Content
  readonly version: number
}

interface EditFormProps {
  readonly entity: Entity
  readonly row: RecordTypeRow
}

function EditForm({ entity, row }: EditFormProps) {
  const { client } = useSession()
  const { words, problemText } = useLocale()
  const nameOf = useNameOf()
  const navigate = useNavigate()
  const { saved } = useChanges()
  const [draft, setDraft] = useState(() => findDraft(entity.id))
  const [base, setBase] = useState<NonNullable<Draft['base']>>(draft?.base ?? entity)
  const [form, setForm] = useState(() => formOf(row, draft?.content ?? entity))
  const [faults, setFaults] = useState(noFaults)
  const [theirs, setTheirs] = useState<Entity>()
  const place = useFocusOnFault(faults)
  useAnchoredField(place)
  const content = contentOf(form)
  const isChanged = !isSame(content, { metadata: base.metadata, relations: base.relations })
  useTitle(words.editOf(nameOf(entity)))

  const { version, metadata, relations } = base
  const forgetDraft = useDraft(
    entity.id,
    isChanged ? ({ base: { version, metadata, relations }, content } satisfies Draft) : undefined
  )

  const latest = useLatest(form)
  /** Whether the form is unchanged since it was sent. */
  const isWhole = (sent: Sent) => latest.current === sent.form
  const show = () => navigate(`/record/${encodeURIComponent(entity.id)}`)
  const save = useMutation({
    mutationFn: (sent: Sent) =>
      client.entities.replace(entity.id, sent.content, { ifMatch: sent.version, merge: true }),
    onSuccess: async (written, sent) => {
      await saved(written.version === base.version ? base.version : written.version - 1, written)
      if (isWhole(sent)) return forgetDraft()
      // Later typing continues from the saved record, unless others changed it too: then it is
      // combined on the next save.
      if (isSame({ metadata: written.metadata, relations: written.relations }, sent.content)) setBase(written)
    },
    onError: async (error, sent) => {
      if (isProblem(error, 'version_mismatch')) setTheirs(await client.entities.read(entity.id))
      else if (isProblem(error)) {
        setFaults(faultsOf(error, sent.form, problemText))
      } else setFaults({ ...noFaults, rest: [problemText(error)] })
    }
  })
  // Only if the user is still here and has not typed on.
  const send = (given: Sent) => save.mutate(given, { onSuccess: (_, sent) => isWhole(sent) && show() })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setFaults(noFaults)
    send({ form, content, version: base.version })
  }
  const discard = () => {
    dropDraft(entity.id)
    setDraft(undefined)
    setBase(entity)
    setForm(formOf(row, entity))
  }

  return (
    <form ref={place} className="change" onSubmit={submit} noValidate>
      <h1>{words.editOf(nameOf(entity))}</h1>
      {draft && (
        <p className="note">
          {words.draftRestored}{' '}
          <button type="button" className="link-button" onClick={discard}>
            {words.draftDiscard}
          </button>
        </p>
      )}
      <RecordFields row={row} form={form} faults={faults} onChange={setForm} />
      <FormFoot faults={[faults]} isBusy={save.isPending} isIdle={!isChanged} onCancel={show} />
      {theirs && (
        <ConflictDialog
          base={base}
          mine={content}
          theirs={theirs}
          onClose={() => setTheirs(undefined)}
          onSettle={settled => {
            setTheirs(undefined)
            setBase(theirs)
            const joined = formOf(row, settled)
            setForm(joined)
            send({ form: joined, content: settled, version: theirs.version })
          }}
        />
      )}
    </form>
  )
}
