import { type Entity, targetsOf, valuesOf } from '#domain/entity/entity.ts'
import type { Publication } from '#domain/entity/publication.ts'
import { relatedBy, wemLinks } from '#domain/entity/publication.ts'
import { type Filter, isRelatedTo } from '#domain/filter/filter.ts'
import { holdings, item } from '#domain/record-types/holdings.ts'
import { readLink } from '#domain/values/link.ts'
import { readItemState } from '#domain/values/item-state.ts'
import { langOf, linkTo, nameHtml } from './facts.ts'
import { type Locale, valuesFor } from './locale.ts'
import { type Content, html } from './markup.ts'
import type { PageParts } from './page.ts'
import type { RecordContext } from './record-context.ts'

/**
 * Where a publication is: the number of libraries and of copies that are known to be on the shelf,
 * or online.
 */
export function availabilityOf({ items = [], manifestation }: Publication, { words, locale }: RecordContext): Content {
  const isOnline = valuesOf(manifestation.entity, 'link').some(each => /^https?:/i.test(readLink(String(each)).address))
  const libraries = new Set(items.flatMap(({ entity }) => targetsOf(entity, holdings.at)))
  const states = items.map(({ entity }) => readItemState(String(valuesOf(entity, 'status')[0] ?? '')))
  const free = states.filter(each => each === 'shelf').length
  const isAway = states.every(each => each === 'away')
  const where =
    items.length === 0
      ? []
      : [
          libraries.size > 0 ? words.libraries(libraries.size) : words.copies(items.length),
          ...(free > 0 ? [words.onShelf(free)] : isAway ? [words.noneOnShelf] : [])
        ]
  const texts = [where.join(', '), isOnline ? words.readOnline : ''].filter(each => each !== '')
  return (
    texts.length > 0 &&
    html`<span class="${(items.length > 0 && !isAway) || isOnline ? 'available' : 'unavailable'}" lang="${locale.language}">${texts.join(' · ')}</span>`
  )
}

/** Maximum number of libraries, and of wordings of states, that are counted. */
const maxCounted = 500

/** In how many libraries a work is, and how many of the copies are known to be on the shelf. */
export async function whereIs(
  { catalogue, principal }: PageParts,
  work: string
): Promise<{ readonly libraries: number; readonly onShelf: number }> {
  if (!principal.mayRead(item.type)) return { libraries: 0, onShelf: 0 }
  const expressions: Filter = isRelatedTo(wemLinks.expression, [work])
  const { facets } = await catalogue.lists.entities(principal, {
    filter: {
      kind: 'all',
      of: [
        { kind: 'types', types: [item.type] },
        {
          kind: 'related',
          type: holdings.ofPublication,
          of: { kind: 'related', type: wemLinks.manifestation, of: expressions }
        }
      ]
    },
    order: { items: [{ by: 'created' }], ascending: true },
    ...{ skip: 0, limit: 0, cursor: undefined, isCounted: false },
    facets: {
      of: [
        { name: 'libraries', path: { kind: 'relation_key', type: holdings.at } },
        { name: 'states', path: { kind: 'metadata', key: 'status' } }
      ],
      limit: maxCounted
    }
  })
  const free = (facets?.states ?? []).filter(({ value }) => readItemState(value) === 'shelf')
  return {
    libraries: facets?.libraries?.length ?? 0,
    onShelf: free.reduce((sum, { count }) => sum + count, 0)
  }
}

/** The copies that libraries hold: library with a map, place, shelf mark and state of each. */
export function copiesOf(
  { items = [], manifestation }: Publication,
  { parts, locale, words, base }: RecordContext
): Content {
  const { model } = parts
  const linksIn = ({ metadata }: Entity) =>
    valuesFor(metadata, 'link', locale.language)
      .map(({ value }) => readLink(String(value)))
      .filter(({ address }) => /^https?:/i.test(address))
  const linkOut = ({ address, text = address }: ReturnType<typeof readLink>) =>
    html`<a href="${address}" rel="nofollow noopener">${text}</a>`
  const links = linksIn(manifestation.entity)
  if (items.length + links.length === 0) return undefined
  const byLibrary = Map.groupBy(items, item => relatedBy(item, holdings.at)[0]?.entity)
  const copy = (item: Entity) => [
    ...['location', 'shelf_mark', 'volume', 'status', 'licence'].flatMap(key =>
      valuesFor(item.metadata, key, locale.language).map(
        each => html`<span class="copy-${key}"${langOf(each)}>${String(each.value)}</span>`
      )
    ),
    ...linksIn(item).map(linkOut)
  ]
  return html`<section class="copies" id="copies"><h2>${words.whereToFind}</h2><ul>${[...byLibrary].map(
    ([library, copies]) =>
      html`<li><div>${library && html`<strong>${linkTo(model, library, locale, base)}</strong>`}${library && addressOf(library, locale, words.map)}</div><ul>${copies.map(
        ({ entity }) => html`<li>${spaced(copy(entity))}</li>`
      )}</ul></li>`
  )}${links.map(each => html`<li><strong>${linkOut(each)}</strong></li>`)}</ul></section>`
}

const spaced = (parts: readonly Content[]): Content => parts.map((each, at) => html`${at > 0 && ' · '}${each}`)

const addressKeys = ['address', 'postal_code', 'city'] as const

/** The fields that the address of a place and its link to a map are made of. */
export const placeKeys: readonly string[] = [...addressKeys, 'country', 'latitude', 'longitude']

/** The address of a place with a link to a map; nothing where it has none. */
export function addressOf(place: Entity, { language }: Locale, map: string): Content {
  const lines = addressKeys.flatMap(key =>
    valuesFor(place.metadata, key, language)
      .slice(0, 1)
      .map(({ value }) => String(value))
  )
  if (valuesOf(place, 'address').length === 0) return undefined
  const [latitude, longitude] = ['latitude', 'longitude'].map(key => Number(valuesOf(place, key)[0] ?? Number.NaN))
  const country = String(valuesOf(place, 'country')[0] ?? '')
  const query = new URLSearchParams({ query: [...lines, country].filter(each => each !== '').join(', ') })
  const address =
    Number.isFinite(latitude) && Number.isFinite(longitude)
      ? `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`
      : `https://www.openstreetmap.org/search?${query}`
  return html` <span class="place-address">${lines.join(', ')} · <a href="${address}" rel="nofollow noopener">${map}</a></span>`
}

/** The names of records, with semicolons between them. */
export const namesOf = (model: PageParts['model'], entities: readonly Entity[], locale: Locale): Content =>
  entities.map((each, at) => html`${at > 0 && '; '}${nameHtml(model, each, locale)}`)
