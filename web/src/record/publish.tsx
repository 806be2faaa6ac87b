import { useMutation, useQuery } from '@tanstack/react-query'
import { Megaphone } from 'lucide-react'
import { useState } from 'react'
import { Link } from '../parts/router.tsx'

import type { Entity } from '../../../client/index.ts'
import { fieldAnchor } from '../change/field-anchor.ts'
import { useChanges } from '../change/use-changes.ts'
import { textOf, valuesOf } from '../data/record-model.ts'
import { recordKey } from '../data/use-record.ts'
import { useLocale } from '../i18n/locale.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useSession } from '../session/session.tsx'

const published = 'published'

/** Publishes a production, or says what is missing and leads there. */
export function Publish({ entity }: { readonly entity: Entity }) {
  const { model } = useSession()
  const { words } = useLocale()
  const [isOpen, setOpen] = useState(false)
  const status = textOf(valuesOf(entity, 'status')[0] ?? '')
  const isMeant = entity.type === model.stage.production?.type && model.may('write', entity.type)
  if (!isMeant || status === published) return null
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        <Megaphone size={16} aria-hidden="true" /> {words.publish}
      </button>
      {isOpen && <PublishDialog entity={entity} onClose={() => setOpen(false)} />}
    </>
  )
}

interface PublishDialogProps {
  readonly entity: Entity
  readonly onClose: () => void
}

function PublishDialog({ entity, onClose }: PublishDialogProps) {
  const { client } = useSession()
  const { words, fieldName, valueName, problemText } = useLocale()
  const { saved } = useChanges()
  const readiness = useQuery({
    queryKey: [...recordKey(entity.id), 'readiness'],
    queryFn: async ({ signal }) =>
      (await client.send('GET /entities/{id}/readiness', { path: { id: entity.id }, signal })).data
  })
  const publish = useMutation({
    mutationFn: () =>
      client.entities.patch(
        entity.id,
        { metadata: [{ key: 'status', value: published }] },
        { ifMatch: entity.version, merge: true }
      ),
    onSuccess: async written => {
      onClose()
      await saved(written.version - 1, written)
    }
  })
  const { data } = readiness
  const unfinished = data?.categories.filter(({ done, agrees }) => !done || !agrees) ?? []
  return (
    <ConfirmDialog
      title={words.publish}
      does={words.publish}
      isSafe
      isDisabled={!data?.publishable || publish.isPending}
      onConfirm={() => publish.mutate()}
      onClose={onClose}
    >
      {!data && <QueryNote query={readiness} />}
      {data && data.missing.length > 0 && (
        <div className="note note-warn">
          <p>{words.publishMissing}</p>
          <ul>
            {data.missing_fields.map(key => (
              <li key={key}>
                <Link to={`/record/${encodeURIComponent(entity.id)}/edit${fieldAnchor(key)}`}>{fieldName(key)}</Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      {data && unfinished.length > 0 && (
        <div className="publish-unfinished">
          <p>{words.publishUnfinished}</p>
          <ul className="plain-list">
            {unfinished.map(({ category, declared }) => (
              <li key={category}>
                {valueName(category)}: {valueName(declared)}
              </li>
            ))}
          </ul>
        </div>
      )}
      {data && data.missing.length === 0 && unfinished.length === 0 && <p>{words.publishReady}</p>}
      {publish.error && (
        <p className="note note-bad" role="alert">
          {problemText(publish.error)}
        </p>
      )}
    </ConfirmDialog>
  )
}
