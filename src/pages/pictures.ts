import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { type Content, html } from './markup.ts'
import type { PageParts } from './page.ts'

/** Maximum number of pictures on a page. */
const maxPictures = 8

export interface Pictures {
  /** The path of the first picture, as it was uploaded. */
  readonly first: string | undefined
  markup(base: string): Content
}

/** The pictures of a record whose bytes are here, as thumbnails that lead to the whole picture. */
export async function picturesOf({ catalogue, principal }: PageParts, id: string): Promise<Pictures> {
  const page = await catalogue.media
    .list(principal, id, undefined, { skip: 0, limit: 50, cursor: undefined })
    .catch(() => undefined)
  const files = (page?.entities ?? []).map(({ json }) => JSON.parse(json) as Entity)
  const pictures = files.filter(isPicture).slice(0, maxPictures)
  return {
    first: pictures[0] && contentPath(pictures[0]),
    markup: base =>
      pictures.length > 0 &&
      html`<div class="pictures">${pictures.map(
        file =>
          html`<a href="${base}${contentPath(file)}"><img src="${base}${thumbnailPath(file)}" alt="${altOf(file)}" loading="lazy"${sizeOf(file)}></a>`
      )}</div>`
  }
}

/** Whether a media file is a picture whose bytes are here and that a browser can show. */
export const isPicture = (file: Entity) =>
  valuesOf(file, 'sha256').length > 0 && /^image\/(?:png|jpeg|webp|avif)$/.test(String(valuesOf(file, 'mimetype')[0]))

/** The path of the bytes of a media file. */
export const contentPath = ({ id }: Entity) => `/mediafiles/${encodeURIComponent(id)}/content`

/** The path of the thumbnail of a media file. */
export const thumbnailPath = ({ id }: Entity) => `/mediafiles/${encodeURIComponent(id)}/thumbnail`

/** A text in place of a picture: its description, title or credit; empty where it has none. */
const altOf = (file: Entity) =>
  String(
    ['description', 'title', 'copyright'].flatMap(key => valuesOf(file, key)).find(each => typeof each === 'string') ??
      ''
  )

/** The proportions of the picture, so that the page does not move when it arrives. */
function sizeOf(file: Entity): Content {
  const [width] = valuesOf(file, 'width')
  const [height] = valuesOf(file, 'height')
  if (typeof width !== 'number' || typeof height !== 'number' || width === 0) return undefined
  return html` width="320" height="${Math.max(1, Math.round((height * 320) / width))}"`
}
