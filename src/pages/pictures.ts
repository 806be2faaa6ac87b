import { type Entity, targetsOf, valuesOf } from '#domain/entity/entity.ts'
import { primaryRelations } from '#domain/record-types/media-relations.ts'
import { mediafile } from '#domain/record-types/stage.ts'
import { readLink } from '#domain/values/link.ts'
import { coversOf } from './covers.ts'
import { nameHtml } from './facts.ts'
import { contentPath, isPicture, thumbnailPath } from './picture-files.ts'
import { type Content, html, type Markup } from './markup.ts'
import { pagingOf, skipOf } from './paging.ts'
import { type Locale, valuesFor } from './locale.ts'
import type { RecordContext, Section } from './record-context.ts'

/** Maximum number of media files on a page. */
const pageSize = 48

const list = 'files'

export interface Media extends Section {
  /** The poster, cover or portrait. */
  readonly main: Entity | undefined
}

/**
 * The media files of a record: pictures that lead to the whole picture, trailers, and links to the
 * rest under the names of their categories.
 */
export async function mediaOf(context: RecordContext): Promise<Media> {
  const { parts, locale, words, base, entity, address } = context
  const { catalogue, principal } = parts
  if (!principal.mayRead(mediafile.type)) return { main: undefined, markup: undefined, lists: [] }
  const skip = skipOf(address, list)
  const page = await catalogue.media.list(principal, entity.id, undefined, { skip, limit: pageSize, cursor: undefined })
  const files = page.entities.map(({ json }) => JSON.parse(json) as Entity)
  const pictures = files.filter(isPicture)
  const main =
    (await coversOf(parts, [entity], page.count === files.length ? files : undefined)).get(entity.id) ??
    (skip === 0 ? pictures[0] : undefined)
  const gallery = pictures.filter(({ id }) => id !== main?.id)
  const others = files.flatMap(file => {
    const link = isPicture(file) ? undefined : linkOf(file, base)
    return link === undefined ? [] : [{ file, link, category: String(valuesOf(file, 'mediafile_type')[0] ?? '') }]
  })
  const trailers = others.filter(({ category }) => category === 'trailer')
  const documents = others.filter(({ category }) => category !== 'trailer')
  if (gallery.length + others.length === 0) return { main, markup: undefined, lists: [] }
  const markup = html`<section class="media" id="files"><h2>${words.pictures}</h2>
${trailers.map(
  ({ file, link }) =>
    html`<p><a class="button" href="${link}" rel="nofollow noopener">${hasStandIn(file) && html`<img src="${base}${thumbnailPath(file)}?width=640" alt="${altOf(file, locale)}" loading="lazy"> `}${words.watch}</a></p>`
)}
${gallery.length > 0 && html`<ul class="gallery">${gallery.map(file => html`<li>${pictureOf(file, base, locale)}</li>`)}</ul>`}
${
  documents.length > 0 &&
  html`<ul class="documents">${documents.map(
    ({ file, link, category }) =>
      html`<li><span class="quiet">${locale.label(locale.labels.values, category)}</span> <a href="${link}" rel="nofollow noopener">${nameHtml(parts.model, file, locale)}</a></li>`
  )}</ul>`
}
${pagingOf(address, { list, skip, shown: files.length, count: page.count, size: pageSize, anchor: 'files', label: words.pictures }, locale)}</section>`
  return { main, markup, lists: [list] }
}

/** The address of the bytes of a file, here or elsewhere. */
function linkOf(file: Entity, base: string): string | undefined {
  if (valuesOf(file, 'sha256').length > 0) return `${base}${contentPath(file)}`
  const { address } = readLink(String(valuesOf(file, 'external_url')[0] ?? ''))
  return /^https?:/i.test(address) ? address : undefined
}

/** Whether a picture stands for a video or a recording. */
const hasStandIn = (file: Entity) => Object.values(primaryRelations).some(type => targetsOf(file, type).length > 0)

/** A picture of a gallery, with its credit. */
function pictureOf(file: Entity, base: string, locale: Locale): Markup {
  return html`<figure><a href="${base}${contentPath(file)}"><img src="${base}${thumbnailPath(file)}?width=640" alt="${altOf(file, locale)}" loading="lazy"${sizeOf(file, 640)}></a>${captionOf(file, locale)}</figure>`
}

/** The first text of a media file under some keys, in the language of the page if it has it. */
const textsOf = (file: Entity, keys: readonly string[], { language }: Locale): string[] =>
  keys.flatMap(key => {
    const value = valuesFor(file.metadata, key, language)[0]?.value
    return typeof value === 'string' ? [value] : []
  })

/** The credit and the rights of a picture. */
export function captionOf(file: Entity, locale: Locale): Content {
  const texts = [...new Set(textsOf(file, ['credit', 'copyright'], locale))]
  return texts.length > 0 && html`<figcaption>${texts.join(' · ')}</figcaption>`
}

/** A text in place of a picture: the one written for it, or its description, title or credit. */
export const altOf = (file: Entity, locale: Locale): string =>
  textsOf(file, ['alt_text', 'description', 'title', 'credit', 'copyright'], locale)[0] ?? file.id

/** The proportions of the picture, so that the page does not move when it arrives. */
export function sizeOf(file: Entity, size: number): Content {
  const [width] = valuesOf(file, 'width')
  const [height] = valuesOf(file, 'height')
  if (typeof width !== 'number' || typeof height !== 'number' || width === 0) return undefined
  return html` width="${size}" height="${Math.max(1, Math.round((height * size) / width))}"`
}
