import { Download } from 'lucide-react'

import type { Entity } from '../../../client/index.ts'
import { isEmpty, textOf, valuesOf } from '../data/record-model.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useLocale } from '../i18n/locale.tsx'
import { useSession } from '../session/session.tsx'
import { FocalPoint } from './focal-point.tsx'
import { useMediaAddress } from './use-media-address.ts'
import './media.css'

/** The preview and download of a media file, on the page of its record. */
export function MediaPreview({ entity }: { readonly entity: Entity }) {
  const { words } = useLocale()
  const { model } = useSession()
  const nameOf = useNameOf()
  const hasBytes = !isEmpty(valuesOf(entity, 'sha256')[0])
  const address = useMediaAddress(entity.id, hasBytes)
  if (address === undefined) return null
  const kind = textOf(valuesOf(entity, 'mimetype')[0] ?? '').split('/')[0]
  const description = textOf(valuesOf(entity, 'description')[0] ?? nameOf(entity))
  return (
    <section className="media-preview" aria-label={words.media}>
      {kind === 'image' &&
        (model.may('write', entity.type) ? (
          <FocalPoint entity={entity} address={address} description={description} />
        ) : (
          <img src={address} alt={description} />
        ))}
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
