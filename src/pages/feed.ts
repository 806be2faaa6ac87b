import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { element, type Xml, xmlDocument } from '#formats/xml/write-xml.ts'
import { htmlToText } from '#formats/html/html-to-text.ts'
import { type FindState, findAddress } from '#domain/find/find-state.ts'
import { listOf, titlesOf } from './find-page.ts'
import { type Locale, nameText } from './locale.ts'
import { type PageParts, type Publisher, recordPath } from './page.ts'
import { searchTitle } from './search-title.ts'

/** Entries of a feed. */
const maxEntries = 50

/**
 * The newest results of a search as an Atom feed (RFC 4287); the newest titles where the search is
 * empty.
 */
export async function feedOf(parts: PageParts, state: FindState, locale: Locale): Promise<string> {
  const { catalogue, model, principal, publicUrl, now, site } = parts
  const home = publicUrl + locale.prefix
  const order = { items: [{ by: 'created' }], ascending: false } as const
  const page = { limit: maxEntries, cursor: undefined, order, isCounted: false } as const
  const address = findAddress({ ...state, sort: 'relevance' })
  const suffix = address.replace('/find', '')
  const { entities, groups } =
    suffix === ''
      ? await catalogue.lists.entities(principal, { filter: titlesOf(parts), skip: 0, ...page })
      : await listOf(parts, state, page)
  const found = new Map(entities.map(({ id, json }) => [id, JSON.parse(json) as Entity]))
  const records = [...(groups?.map(({ head }) => head) ?? found.keys())].flatMap(id => found.get(id) ?? [])
  const zoneOf = await parts.catalogue.productions.zones(parts.principal, records)
  const updated = records[0]?.audit.created.at ?? new Date(now()).toISOString()
  return xmlDocument(
    element(
      'feed',
      { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': locale.language },
      element(
        'title',
        {},
        `${site.name}: ${suffix === '' ? locale.phrases.newTitles : (await searchTitle(parts, state, locale)) || locale.phrases.search}`
      ),
      element('id', {}, `${publicUrl}/feed.atom${suffix}`),
      element('updated', {}, updated),
      element('author', {}, element('name', {}, site.name)),
      element('link', { rel: 'self', href: `${home}/feed.atom${suffix}` }),
      element('link', { rel: 'alternate', type: 'text/html', href: `${home}/find${suffix}` }),
      ...records.map(each => entryOf(each, nameText(model, each, locale, zoneOf(each)), home))
    )
  )
}

function entryOf(entity: Entity, title: string, home: string): Xml {
  const [summary] = ['description_short', 'description'].flatMap(key => valuesOf(entity, key))
  return element(
    'entry',
    {},
    element('title', {}, title),
    element('id', {}, `urn:uuid:${entity._id}`),
    element('published', {}, entity.audit.created.at),
    element('updated', {}, entity.audit.updated.at),
    element('link', { rel: 'alternate', type: 'text/html', href: home + recordPath(entity.id) }),
    ...(typeof summary === 'string' ? [element('summary', {}, htmlToText(summary))] : [])
  )
}

/** The OpenSearch 1.1 description, by which browsers offer the catalogue as a search engine. */
export function openSearchDescription({ publicUrl, site }: Publisher): string {
  const url = (type: string, path: string) => element('Url', { type, template: `${publicUrl}${path}?q={searchTerms}` })
  return xmlDocument(
    element(
      'OpenSearchDescription',
      { xmlns: 'http://a9.com/-/spec/opensearch/1.1/' },
      element('ShortName', {}, [...site.name].slice(0, 16).join('')),
      element('LongName', {}, [...site.name].slice(0, 48).join('')),
      element('Description', {}, 'Search the catalogue'),
      element('InputEncoding', {}, 'UTF-8'),
      url('text/html', '/find'),
      url('application/atom+xml', '/feed.atom')
    )
  )
}
