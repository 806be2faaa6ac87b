import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { mediafile } from '#domain/record-types/stage.ts'
import { readLink } from '#domain/values/link.ts'
import { coversOf } from './covers.ts'
import { nameHtml } from './facts.ts'
import { contentPath, isPicture, thumbnailPath } from './picture-files.ts'
import { type Content, html, type Markup } from './markup.ts'
import { pagingOf, skipOf } from './paging.ts'
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
  const main = (await coversOf(parts, [entity])).get(entity.id) ?? (skip === 0 ? pictures[0] : undefined)
  const gallery = pictures.filter(({ id }) => id !== main?.id)
  const others = files.flatMap(file => {
    const link = isPicture(file) ? undefined : linkOf(file, base)
    return link === undefined ? [] : [{ file, link, category: String(valuesOf(file, 'mediafile_type')[0] ?? '') }]
  })
  const trailers = others.filter(({ category }) => category === 'trailer')
  const documents = others.filter(({ category }) => category !== 'trailer')
  if (gallery.length + others.length === 0) return { main, markup: undefined, lists: [] }
  const markup = html`<section class="media" id="files"><h2>${words.pictures}</h2>
${trailers.map(({ link }) => html`<p><a class="button" href="${link}" rel="nofollow noopener">${words.watch}</a></p>`)}
${gallery.length > 0 && html`<ul class="gallery">${gallery.map(file => html`<li>${pictureOf(file, base)}</li>`)}</ul>`}
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

/** A picture of a gallery, with its credit. */
function pictureOf(file: Entity, base: string): Markup {
  const [credit] = valuesOf(file, 'copyright')
  return html`<figure><a href="${base}${contentPath(file)}"><img src="${base}${thumbnailPath(file)}?width=640" alt="${altOf(file)}" loading="lazy"${sizeOf(file, 640)}></a>${
    typeof credit === 'string' && html`<figcaption>${credit}</figcaption>`
  }</figure>`
}

/** A text in place of a picture: its description, title or credit. */
export const altOf = (file: Entity): string =>
  String(
    ['description', 'title', 'copyright'].flatMap(key => valuesOf(file, key)).find(each => typeof each === 'string') ??
      file.id
  )

/** The proportions of the picture, so that the page does not move when it arrives. */
export function sizeOf(file: Entity, size: number): Content {
  const [width] = valuesOf(file, 'width')
  const [height] = valuesOf(file, 'height')
  if (typeof width !== 'number' || typeof height !== 'number' || width === 0) return undefined
  return html` width="${size}" height="${Math.max(1, Math.round((height * size) / width))}"`
}
