import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { element, type Xml, xmlDocument } from '#formats/xml/write-xml.ts'
import { htmlToText } from '#formats/html/html-to-text.ts'
import { filterOf, titlesOf } from './find-page.ts'
import { type Locale, nameText } from './locale.ts'
import { type PageParts, recordPath } from './page.ts'
import { zonesOf } from './zones.ts'

/** Entries of a feed. */
const maxEntries = 50

/** The newest records of a search as an Atom feed (RFC 4287); of all where the search is empty. */
export async function feedOf(parts: PageParts, text: string, type: string, locale: Locale): Promise<string> {
  const { catalogue, model, principal, publicUrl, now } = parts
  const { entities } = await catalogue.lists.entities(principal, {
    filter: type === '' ? titlesOf(parts, text) : filterOf(parts, { text, type, by: [] }),
    order: { items: [{ by: 'created' }], ascending: false },
    ...{ skip: 0, limit: maxEntries, cursor: undefined, isCounted: false }
  })
  const records = entities.map(({ json }) => JSON.parse(json) as Entity)
  const zoneOf = await zonesOf(parts, records)
  const query = new URLSearchParams(Object.entries({ q: text, type }).filter(([, value]) => value !== '')).toString()
  const suffix = query === '' ? '' : `?${query}`
  const updated = records[0]?.audit.created.at ?? new Date(now()).toISOString()
  return xmlDocument(
    element(
      'feed',
      { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': locale.language },
      element('title', {}, text === '' ? `Libretto: ${locale.phrases.newTitles}` : `Libretto: ${text}`),
      element('id', {}, `${publicUrl}/feed.atom${suffix}`),
      element('updated', {}, updated),
      element('author', {}, element('name', {}, 'Libretto')),
      element('link', { rel: 'self', href: `${publicUrl}/feed.atom${suffix}` }),
      element('link', { rel: 'alternate', type: 'text/html', href: `${publicUrl}/find${suffix}` }),
      ...records.map(each => entryOf(each, nameText(model, each, locale, zoneOf(each)), publicUrl))
    )
  )
}

function entryOf(entity: Entity, title: string, publicUrl: string): Xml {
  const [summary] = ['description_short', 'description'].flatMap(key => valuesOf(entity, key))
  return element(
    'entry',
    {},
    element('title', {}, title),
    element('id', {}, `urn:uuid:${entity._id}`),
    element('published', {}, entity.audit.created.at),
    element('updated', {}, entity.audit.updated.at),
    element('link', { rel: 'alternate', type: 'text/html', href: publicUrl + recordPath(entity.id) }),
    ...(typeof summary === 'string' ? [element('summary', {}, htmlToText(summary))] : [])
  )
}

/** The OpenSearch 1.1 description, by which browsers offer the catalogue as a search engine. */
export function openSearchDescription(publicUrl: string): string {
  const url = (type: string, path: string) => element('Url', { type, template: `${publicUrl}${path}?q={searchTerms}` })
  return xmlDocument(
    element(
      'OpenSearchDescription',
      { xmlns: 'http://a9.com/-/spec/opensearch/1.1/' },
      element('ShortName', {}, 'Libretto'),
      element('Description', {}, 'Search the catalogue'),
      element('InputEncoding', {}, 'UTF-8'),
      url('text/html', '/find'),
      url('application/atom+xml', '/feed.atom')
    )
  )
}
