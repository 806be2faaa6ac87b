import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import type { Entity, MediaCategory } from '../../../client/index.ts'
import { useChanges } from '../change/use-changes.ts'
import { textOf, valuesOf } from '../data/record-model.ts'
import { isPicture } from '../data/use-covers.ts'
import { useToasts } from '../parts/toasts.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { CropDialog } from './crop-dialog.tsx'

export const categoryField = 'mediafile_type'

/**
 * Crops a stored picture of a record. The part becomes a file of its own beside the picture, which
 * stays, and takes its place in lists.
 */
export function CropFile({ entity, file }: { readonly entity: Entity; readonly file: Entity }) {
  const { client } = useSession()
  const { words, problemText } = useLocale()
  const { say } = useToasts()
  const { tell } = useChanges()
  const queries = useQueryClient()
  const [original, setOriginal] = useState<File>()
  const text = (key: string) => textOf(valuesOf(file, key)[0] ?? '')
  const name = text('filename') || file.id
  const isPrimary = entity.relations.some(({ type, key }) => type === 'refPrimaryMediafile' && key === file.id)
  const setPrimary = (id: string) =>
    client.send('PUT /entities/{id}/set_primary_mediafile/{mediafile_id}', {
      path: { id: entity.id, mediafile_id: id }
    })
  const open = useMutation({
    mutationFn: async () => new File([await client.media.content(file.id)], name, { type: text('mimetype') }),
    onSuccess: setOriginal,
    onError: error => say(problemText(error))
  })
  const add = useMutation({
    mutationFn: async (cropped: File) => {
      const title = words.croppedName(text('title') || name)
      const description = text('description')
      const made = await client.media.add(entity.id, cropped, cropped.name, {
        [categoryField]: text(categoryField) as MediaCategory,
        title,
        ...(description === '' ? {} : { description })
      })
      if (isPrimary) await setPrimary(made.id)
      tell(words.created(title), async () => {
        if (isPrimary) await setPrimary(file.id)
        await client.entities.delete(made.id, { detach: true })
      })
    },
    onError: error => say(problemText(error)),
    onSettled: () => queries.invalidateQueries()
  })
  if (!isPicture(file)) return null
  return (
    <>
      <button
        type="button"
        className="link-button"
        disabled={open.isPending || add.isPending}
        onClick={() => open.mutate()}
      >
        {words.cropFile}
        <span className="visually-hidden"> {name}</span>
      </button>
      {original && (
        <CropDialog
          file={original}
          onCropped={cropped => {
            setOriginal(undefined)
            add.mutate(cropped)
          }}
          onClose={() => setOriginal(undefined)}
        />
      )}
    </>
  )
}
