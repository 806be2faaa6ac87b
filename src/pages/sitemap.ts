import type { Entity } from '#domain/entity/entity.ts'
import { element, xmlDocument } from '#formats/xml/write-xml.ts'
import { pagesFilter } from './find-page.ts'
import { type PageParts, recordPath } from './page.ts'

/*
 * Sitemaps (sitemaps.org, version 0.9): the addresses of all records that visitors may read, in
 * parts, and an index of the parts. Records stand in the order of their creation, so a part changes
 * only where its records do.
 */

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

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
  const urls = entities.map(({ json }) => {
    const { id, audit } = JSON.parse(json) as Entity
    const location = element('loc', {}, parts.publicUrl + recordPath(id))
    return element('url', {}, location, element('lastmod', {}, audit.updated.at))
  })
  return xmlDocument(element('urlset', { xmlns: namespace }, ...urls))
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
