import { noLabels } from '#catalogue/lists/list-entities.ts'
import { type Entity, targetsOf, valuesOf } from '#domain/entity/entity.ts'
import type { Publication } from '#domain/entity/publication.ts'
import { relatedBy, wemLinks } from '#domain/entity/publication.ts'
import { type Filter, isRelatedTo } from '#domain/filter/filter.ts'
import { holdings, item, library } from '#domain/record-types/holdings.ts'
import { readLink } from '#domain/values/link.ts'
import { readItemState } from '#domain/values/item-state.ts'
import { langOf, linkTo, nameHtml } from './facts.ts'
import { type Locale, valuesFor } from './locale.ts'
import { type Content, html } from './markup.ts'
import type { PageParts } from './page.ts'
import type { RecordContext } from './record-context.ts'

/** The copies of a publication or a work, by the libraries that hold them and by their states. */
export interface Copies {
  readonly count: number
  readonly libraries: number
  /** Numbers of copies that are known to be on the shelf, and to be elsewhere. */
  readonly onShelf: number
  readonly away: number
}

/**
 * Where a publication is: the number of libraries and of copies that are known to be on the shelf,
 * or online.
 */
export function availabilityOf(
  copies: Copies | undefined,
  manifestation: Entity,
  { words, locale }: RecordContext
): Content {
  const isOnline = valuesOf(manifestation, 'link').some(each => /^https?:/i.test(readLink(String(each)).address))
  const isAway = copies !== undefined && copies.away === copies.count
  const where = copies
    ? [
        copies.libraries > 0 ? words.libraries(copies.libraries) : words.copies(copies.count),
        ...(copies.onShelf > 0 ? [words.onShelf(copies.onShelf)] : isAway ? [words.noneOnShelf] : [])
      ]
    : []
  const texts = [where.join(', '), isOnline ? words.readOnline : ''].filter(each => each !== '')
  return (
    texts.length > 0 &&
    html`<span class="${(copies && !isAway) || isOnline ? 'available' : 'unavailable'}" lang="${locale.language}">${texts.join(' · ')}</span>`
  )
}

/** Maximum number of libraries, and of wordings of states, that are counted. */
const maxCounted = 500

/** Copies of a publication are read up to this number; more are counted in the index. */
const maxRead = 20

const isItem: Filter = { kind: 'types', types: [item.type] }

const itemsOf = (manifestations: readonly string[]): Filter => ({
  kind: 'all',
  of: [isItem, isRelatedTo(holdings.ofPublication, manifestations)]
})

const firstCreated = { items: [{ by: 'created' }], ascending: true } as const

/** Counts the copies of each of some publications; those without copies are left out. */
export async function copiesOfEach(
  parts: PageParts,
  manifestations: readonly string[]
): Promise<ReadonlyMap<string, Copies>> {
  const { catalogue, principal } = parts
  if (!principal.mayRead(item.type) || manifestations.length === 0) return new Map()
  const { facets } = await catalogue.lists.entities(principal, {
    filter: itemsOf(manifestations),
    order: firstCreated,
    ...{ skip: 0, limit: 0, cursor: undefined, isCounted: false, languages: noLabels },
    facets: {
      of: [{ name: 'copies', path: { kind: 'relation_key', type: holdings.ofPublication } }],
      limit: manifestations.length
    }
  })
  const [few, many] = [[], []] as [string[], string[]]
  for (const { value, count } of facets?.copies ?? []) (count > maxRead ? many : few).push(value)
  const found = await Promise.all(many.map(async id => [id, await countCopies(parts, itemsOf([id]))] as const))
  const copies = new Map(found)
  if (few.length === 0) return copies
  const page = await catalogue.lists.entities(principal, {
    filter: itemsOf(few),
    order: firstCreated,
    ...{ skip: 0, limit: few.length * maxRead, cursor: undefined, isCounted: false }
  })
  const items = page.entities.map(({ json }) => JSON.parse(json) as Entity)
  for (const [id = '', own] of Map.groupBy(items, each => targetsOf(each, holdings.ofPublication)[0])) {
    const states = own.map(each => readItemState(String(valuesOf(each, 'status')[0] ?? '')))
    copies.set(id, {
      count: own.length,
      libraries: new Set(own.flatMap(each => targetsOf(each, holdings.at))).size,
      onShelf: states.filter(each => each === 'shelf').length,
      away: states.filter(each => each === 'away').length
    })
  }
  return copies
}

/** Counts the copies that a filter finds. */
async function countCopies({ catalogue, principal }: PageParts, filter: Filter): Promise<Copies> {
  const { count, facets } = await catalogue.lists.entities(principal, {
    filter,
    order: firstCreated,
    ...{ skip: 0, limit: 0, cursor: undefined, languages: noLabels },
    facets: {
      of: [
        { name: 'libraries', path: { kind: 'relation_key', type: holdings.at } },
        { name: 'states', path: { kind: 'metadata', key: 'status' } }
      ],
      limit: maxCounted
    }
  })
  const inState = (state: ReturnType<typeof readItemState>) =>
    (facets?.states ?? []).reduce((sum, each) => sum + (readItemState(each.value) === state ? each.count : 0), 0)
  return { count, libraries: facets?.libraries?.length ?? 0, onShelf: inState('shelf'), away: inState('away') }
}

/** Counts the copies of a work, in all its editions. */
export async function whereIs(parts: PageParts, work: string): Promise<Copies | undefined> {
  if (!parts.principal.mayRead(item.type)) return undefined
  const ofWork: Filter = { kind: 'related', type: wemLinks.manifestation, of: isRelatedTo(wemLinks.expression, [work]) }
  return countCopies(parts, {
    kind: 'all',
    of: [isItem, { kind: 'related', type: holdings.ofPublication, of: ofWork }]
  })
}

/** A link from the page of a library to the titles of its copies. */
export async function titlesOf({ parts, locale, words, base, entity }: RecordContext): Promise<Content> {
  const { catalogue, principal } = parts
  if (entity.type !== library.type || !principal.mayRead(item.type)) return undefined
  const { count } = await catalogue.lists.entities(principal, {
    filter: { kind: 'all', of: [isItem, isRelatedTo(holdings.at, [entity.id])] },
    order: firstCreated,
    ...{ skip: 0, limit: 0, cursor: undefined }
  })
  const address = `${base}${locale.prefix}/find?libraries=${encodeURIComponent(entity.id)}`
  return count > 0 && html`<p><a class="button" href="${address}">${words.allOfLibrary(locale.number(count))}</a></p>`
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
