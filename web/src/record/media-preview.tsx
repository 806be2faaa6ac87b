import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'

import type { Entity } from '../../../client/index.ts'
import { isEmpty, textOf, valuesOf } from '../data/record-model.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useSession } from '../session/session.tsx'
import { useSpeech } from '../words/words.tsx'
import './media.css'

/** So long, in seconds, the address of a file is good for: long enough to see a film. */
const goodFor = 4 * 60 * 60

/** The file itself, on the page of its record: seen, heard or taken away. */
export function MediaPreview({ entity }: { readonly entity: Entity }) {
  const { client } = useSession()
  const { words } = useSpeech()
  const nameOf = useNameOf()
  const hasBytes = !isEmpty(valuesOf(entity, 'sha256')[0])
  // A player cannot send a token; a ticket in the address stands for it, for this file only.
  const { data: ticket } = useQuery({
    queryKey: ['ticket', entity.id],
    enabled: hasBytes,
    staleTime: (goodFor / 2) * 1000,
    queryFn: async ({ signal }) =>
      (
        await client.send('POST /tickets', {
          body: { mediafile_id: entity.id, action: 'download', expires_in: goodFor },
          signal
        })
      ).data
  })
  if (!hasBytes || ticket === undefined) return null
  const address = `/mediafiles/${encodeURIComponent(entity.id)}/content?ticket=${encodeURIComponent(ticket)}`
  const kind = textOf(valuesOf(entity, 'mimetype')[0] ?? '').split('/')[0]
  const description = textOf(valuesOf(entity, 'description')[0] ?? nameOf(entity))
  return (
    <section className="media-preview" aria-label={words.media}>
      {kind === 'image' && <img src={address} alt={description} />}
      {/* biome-ignore lint/a11y/useMediaCaption: there are no captions kept beside a file */}
      {kind === 'video' && <video src={address} controls preload="metadata" aria-label={description} />}
      {/* biome-ignore lint/a11y/useMediaCaption: there are no captions kept beside a file */}
      {kind === 'audio' && <audio src={address} controls preload="metadata" aria-label={description} />}
      <a className="button" href={address} download={textOf(valuesOf(entity, 'filename')[0] ?? '')}>
        <Download size={16} aria-hidden="true" /> {words.download}
      </a>
    </section>
  )
}
