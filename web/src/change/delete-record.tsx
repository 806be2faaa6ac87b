import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from '../parts/router.tsx'

import type { Entity } from '../../../client/index.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useReferenceCounts } from '../data/use-record.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { useChanges } from './use-changes.ts'

/** Confirms a deletion, shows its effect on other records, and offers Undo afterwards. */
export function DeleteRecord({ entity, onClose }: { readonly entity: Entity; readonly onClose: () => void }) {
  const { client } = useSession()
  const { words, number, problemText } = useLocale()
  const nameOf = useNameOf()
  const navigate = useNavigate()
  const { deleted } = useChanges()
  const counts = useReferenceCounts(entity.id)
  const [fault, setFault] = useState<string>()
  const referring = Object.values(counts.data ?? {}).reduce((sum, count) => sum + count, 0)
  const remove = useMutation({
    mutationFn: () => client.entities.delete(entity.id, { ifMatch: entity.version, detach: referring > 0 }),
    onSuccess: async () => {
      navigate('/', { replace: true })
      await deleted(entity)
    },
    onError: error => setFault(problemText(error))
  })
  return (
    <ConfirmDialog
      title={words.confirmDelete(nameOf(entity))}
      does={referring > 0 ? words.deleteAnyway : words.delete}
      isDisabled={remove.isPending || !counts.data}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{referring > 0 ? words.stillReferenced(number(referring)) : words.confirmDeleteHint}</p>
      {fault !== undefined && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
    </ConfirmDialog>
  )
}
