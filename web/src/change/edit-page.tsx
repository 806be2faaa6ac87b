import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { useNavigate, useParams } from '../parts/router.tsx'

import { type Client, type Entity, isProblem, type RecordTypeRow, type WrittenEntity } from '../../../client/index.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { editQuestion, recordToEditKey } from '../data/use-record.ts'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useLatest } from '../parts/use-latest.ts'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { DraftNote } from './draft-note.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { Duplicates } from './duplicates.tsx'
import { type Content, type Draft, dropDraft, findDraft } from './drafts.ts'
import {
  contentOf,
  faultsOf,
  type FormContent,
  formOf,
  isSame,
  joinContents,
  madeIn,
  noFaults,
  withoutMade
} from './form-content.ts'
import { FormFoot } from './form-foot.tsx'
import { RecordFields } from './record-fields.tsx'
import { useAnchoredField } from './use-anchored-field.ts'
import { useChanges } from './use-changes.ts'
import { useFocusOnFault } from './use-focus-on-fault.ts'
import { useDraft } from './use-draft.ts'
import { useSaving } from './use-saving.ts'
import { writeTogether } from './write-together.ts'

export default function EditPage() {
  const { id = '' } = useParams()
  const { client, model } = useSession()
  const { words } = useLocale()
  const queries = useQueryClient()
  const record = useQuery(editQuestion(client, id))
  // A form that is opened again begins with the record as it is then, also where it was read early.
  useEffect(() => () => queries.removeQueries({ queryKey: recordToEditKey(id) }), [queries, id])
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
  /** The record that the form was made from. */
  readonly base: Content
}

/**
 * Saves a form. Changes by others of other fields are combined with it, by the service or, where
 * new records are created with it, here.
 */
async function write(client: Client, id: string, { form, content, version, base }: Sent): Promise<WrittenEntity> {
  const made = madeIn(form)
  if (made.length === 0) return client.entities.replace(id, content, { ifMatch: version, merge: true })
  const send = async (entity: Content, ifMatch: number) => {
    const written = await writeTogether(client, made, [{ op: 'replace', id, entity, if_match: ifMatch }])
    return written.at(-1) as WrittenEntity
  }
  try {
    return await send(content, version)
  } catch (error) {
    if (!isProblem(error, 'version_mismatch')) throw error
    const theirs = await client.entities.read(id)
    const joined = joinContents(base, content, theirs, () => false)
    if (joined.conflicts.length > 0) throw error
    return send(joined.content, theirs.version)
  }
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
  const [form, setForm] = useState(() => formOf(row, draft?.content ?? entity, draft?.made))
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
    isChanged ? ({ base: { version, metadata, relations }, content, made: madeIn(form) } satisfies Draft) : undefined
  )

  const latest = useLatest(form)
  /** Whether the form is unchanged since it was sent. */
  const isWhole = (sent: Sent) => latest.current === sent.form
  const show = () => navigate(`/record/${encodeURIComponent(entity.id)}`)
  const save = useSaving({
    mutationFn: (sent: Sent) => write(client, entity.id, sent),
    onSuccess: async (written, sent) => {
      const made = madeIn(sent.form)
      await saved(written.version === base.version ? base.version : written.version - 1, written, made)
      if (isWhole(sent)) return forgetDraft()
      setForm(current => withoutMade(current, made))
      // Later typing continues from the saved record, unless others changed it too: then it is
      // combined on the next save.
      if (isSame({ metadata: written.metadata, relations: written.relations }, sent.content)) setBase(written)
    },
    onError: async (error, sent) => {
      if (isProblem(error, 'version_mismatch')) setTheirs(await client.entities.read(entity.id))
      else if (isProblem(error)) {
        const index = madeIn(sent.form).length
        setFaults(faultsOf(error, sent.form, problemText, index === 0 ? '' : `/${index}`))
      } else setFaults({ ...noFaults, rest: [problemText(error)] })
    }
  })
  // Only if the user is still here and has not typed on.
  const send = (given: Sent) => save.mutate(given, { onSuccess: (_, sent) => isWhole(sent) && show() })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setFaults(noFaults)
    send({ form, content, version: base.version, base })
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
      {draft && <DraftNote onDiscard={discard} />}
      <Duplicates row={row} form={form} entity={entity} />
      <RecordFields row={row} form={form} faults={faults} onChange={setForm} />
      <FormFoot faults={[faults]} isBusy={save.isPending} isIdle={!isChanged} onCancel={show} />
      {theirs && (
        <ConflictDialog
          base={base}
          mine={content}
          made={madeIn(form)}
          theirs={theirs}
          onClose={() => setTheirs(undefined)}
          onSettle={settled => {
            setTheirs(undefined)
            setBase(theirs)
            const joined = formOf(row, settled, madeIn(form))
            setForm(joined)
            send({ form: joined, content: settled, version: theirs.version, base: theirs })
          }}
        />
      )}
    </form>
  )
}
