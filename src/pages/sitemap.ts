import type { Entity } from '#domain/entity/entity.ts'
import { element, xmlDocument } from '#formats/xml/write-xml.ts'
import { coversOf, mayHavePicture } from './covers.ts'
import { pagesFilter } from './find-page.ts'
import { type PageParts, recordPath } from './page.ts'
import { thumbnailPath } from './picture-files.ts'

/*
 * Sitemaps (sitemaps.org, version 0.9): the addresses of all records that visitors may read, in
 * parts, and an index of the parts. Records stand in the order of their creation, so a part changes
 * only where its records do.
 */

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** The extension for pictures, one for each record. */
const imageNamespace = 'http://www.google.com/schemas/sitemap-image/1.1'

/** Records in one part; the format allows 50,000. */
const sitemapSize = 10_000

const byCreation = { items: [{ by: 'created' }], ascending: true } as const

/** The index of the parts. */
export async function sitemapIndex(parts: PageParts, size = sitemapSize): Promise<string> {
  const { count } = await listPart(parts, 0, 0, true)
  const numbers = Array.from({ length: Math.max(1, Math.ceil(count / size)) }, (_, index) => index + 1)
  const sitemaps = numbers.map(number =>
    element('sitemap', {}, element('loc', {}, `${parts.publicUrl}/sitemap-${number}.xml`))
  )
  return xmlDocument(element('sitemapindex', { xmlns: namespace }, ...sitemaps))
}

/** One part, counted from 1; undefined where there is none. */
export async function sitemapPart(parts: PageParts, number: number, size = sitemapSize): Promise<string | undefined> {
  const { entities } = await listPart(parts, (number - 1) * size, size, false)
  if (entities.length === 0 && number > 1) return undefined
  const records = entities.map(({ json }) => JSON.parse(json) as Entity)
  const pictures = await picturesOf(parts, records)
  const urls = records.map(({ id, audit }) => {
    const location = element('loc', {}, parts.publicUrl + recordPath(id))
    const file = pictures.get(id)
    const address = file && `${parts.publicUrl}${thumbnailPath(file)}?width=1280`
    const image = address === undefined ? [] : [element('image:image', {}, element('image:loc', {}, address))]
    return element('url', {}, location, element('lastmod', {}, audit.updated.at), ...image)
  })
  return xmlDocument(element('urlset', { xmlns: namespace, 'xmlns:image': imageNamespace }, ...urls))
}

/** Records whose pictures are read at once. */
const pictureBatch = 50

/** The pictures of some records; only of those that may have one are any read. */
async function picturesOf(parts: PageParts, records: readonly Entity[]): Promise<ReadonlyMap<string, Entity>> {
  const pictured = records.filter(mayHavePicture)
  const pictures = new Map<string, Entity>()
  for (let at = 0; at < pictured.length; at += pictureBatch)
    for (const [id, file] of await coversOf(parts, pictured.slice(at, at + pictureBatch))) pictures.set(id, file)
  return pictures
}

const listPart = ({ catalogue, ...parts }: PageParts, skip: number, limit: number, isCounted: boolean) =>
  catalogue.lists.entities(parts.principal, {
    filter: pagesFilter({ catalogue, ...parts }),
    order: byCreation,
    ...{ skip, limit, cursor: undefined, isCounted }
  })

/** The rules for search engines: pages of records are theirs to read, searches are not. */
export function robotsText(publicUrl: string, isPublic: boolean): string {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  if (!isPublic) return 'User-agent: *\nDisallow: /\n'
  const refused = ['/find', '/entities', '/export', '/oai', '/sru', '/reconcile', '/changes']
  const lines = refused.map(path => `Disallow: ${base}${path}\n`).join('')
  return `User-agent: *\n${lines}Allow: ${base}/record/\nSitemap: ${publicUrl}/sitemap.xml\n`
}
