import { type Entity, valuesOf } from '#domain/entity/entity.ts'

/** Whether a media file is a picture whose bytes are here and that a browser can show. */
export const isPicture = (file: Entity) =>
  valuesOf(file, 'sha256').length > 0 && /^image\/(?:png|jpeg|webp|avif)$/.test(String(valuesOf(file, 'mimetype')[0]))

/** The path of the thumbnail of a media file. */
export const thumbnailPath = ({ id }: Entity) => `/mediafiles/${encodeURIComponent(id)}/thumbnail`

/** The path of a picture for previews of links. */
export const cardPath = (file: Entity) => `${thumbnailPath(file)}?form=card`

/** The path of the bytes of a media file. */
export const contentPath = ({ id }: Entity) => `/mediafiles/${encodeURIComponent(id)}/content`
