import { type Entity, type Surrounded, valuesOf } from '#domain/entity/entity.ts'
import { levels, type Publication, type PublicationLevel, wemLinks } from '#domain/entity/publication.ts'
import { mediaRelation, primaryRelations } from '#domain/record-types/media-relations.ts'
import { type ProgrammeEntry, programme, programmeOwners } from '#domain/record-types/programme.ts'
import { zoneOfShow } from '#domain/values/zone-of-place.ts'
import { roleCodeOf } from '#formats/description/role-codes.ts'
import { htmlToText } from '#formats/html/html-to-text.ts'
import { addressOf as iriOf } from '#formats/rdf/address-of.ts'
import { describeEntity } from '#formats/rdf/describe-entity.ts'
import { mappingOf } from '#formats/rdf/mapping-of.ts'
import { writeSchemaOrg } from '#formats/rdf/write-jsonld.ts'
import { imageOf } from './card.ts'
import { citeSection, citedParts } from './cite.ts'
import { coverHtml, coversOf } from './covers.ts'
import { editionsOf, expressionTitle } from './editions.ts'
import { factsOf, kindText, langOf, linkTo } from './facts.ts'
import { type Locale, nameOf, nameText, valuesFor } from './locale.ts'
import { type Content, html, type Markup } from './markup.ts'
import { entryOf, nextNight, nightsOf } from './nights.ts'
import { type Page, type PageParts, recordPath } from './page.ts'
import { canonicalPath } from './paging.ts'
import { altOf, captionOf, mediaOf, sizeOf } from './pictures.ts'
import { thumbnailPath } from './picture-files.ts'
import type { RecordContext, Section } from './record-context.ts'
import { recordPhrases } from './record-phrases.ts'
import { referringOf } from './referring.ts'
import { shareLinks } from './share.ts'
import { addressOf, copiesOf, placeKeys, titlesOf, whereIs } from './shelf.ts'
import {
  alsoBy,
  castOf,
  chipsOf,
  kindLine,
  otherFacts,
  playsOf,
  pressKit,
  showsOf,
  stagingsOf,
  textsOf,
  whenLinks
} from './show.ts'

/** The parts of the page of a kind of record. */
interface Layout {
  readonly name: 'show' | 'work' | 'other'
  /** The line above the title. */
  readonly kind?: Content
  /** Directly under the title. */
  readonly lead?: Content
  readonly body: Content
  readonly side?: Content
  /** The media file with its picture. */
  readonly cover: Entity | undefined
  /** The performances that it shows. */
  readonly nights?: readonly ProgrammeEntry[]
  /** The parameters of its lists. */
  readonly lists: readonly string[]
}

/**
 * Maximum number of records of one kind in the description for search engines. Each has a page of
 * its own; describing 100 performances took as long as the rest of the page.
 */
const maxReferrers = 24

/**
 * Describes the performances that the page shows, where a show has more than were read: those that
 * were created first may be over.
 */
function withNights(found: Surrounded, nights: readonly ProgrammeEntry[] = []): Surrounded {
  if (!found.cutOff.includes(programme.ofProduction)) return found
  const described = nights.slice(0, maxReferrers)
  const shown = described.map(({ performance }) => performance)
  const around = described.flatMap(({ performance, venues, halls }) => [performance, ...venues, ...halls])
  return {
    ...found,
    whole: [...found.whole.filter(({ type }) => type !== programme.performance), ...shown],
    related: new Map([...found.related, ...around.map(each => [each.id, each] as const)])
  }
}

/** The page of one record. Throws `not_found` for a record that visitors may not read. */
export async function recordPage(
  parts: PageParts,
  identifier: string,
  parameters: URLSearchParams,
  locale: Locale
): Promise<Page> {
  const { catalogue, model, principal, publicUrl, timeZone } = parts
  const around = (type: string) => mappingOf(model, type)
  const found = await catalogue.entities.readSurroundings(principal, identifier, around, maxReferrers)
  const { entity, related } = found
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  const address = { path: recordPath(entity.id), base: base + locale.prefix, parameters }
  const words = recordPhrases[locale.language]
  const context: RecordContext = { parts, locale, words, base, address, entity, related }
  const zone = zoneOfShow(entity, key => related.get(key)) ?? timeZone
  const title = titleOf(context, zone)
  const [publication] = (await catalogue.publications.readMany(principal, [entity.id], { withItems: true })).values()
  const makers = makersOf(context, publication)
  const layout = await layoutOf(context, publication, zone)
  const name = nameOf(model, entity, locale.language)
  const [subtitle] = valuesFor(entity.metadata, 'subtitle', locale.language)
  const page = publicUrl + recordPath(entity.id)
  const image = layout.cover && `${publicUrl}${thumbnailPath(layout.cover)}?width=1280`
  const cited = publication && citedParts(publication, page)
  const isShow = layout.name === 'show'
  return {
    title,
    description: describe(
      entity,
      title,
      makers.map(each => nameText(model, each.entity, locale))
    ),
    path: canonicalPath(address, layout.lists),
    ...(publication ? { kind: 'book' } : {}),
    image: await imageOf(parts, locale, entity, layout.cover),
    jsonLd: withPage(
      writeSchemaOrg(describeEntity(model, publicUrl, withNights(found, layout.nights)), iriOf(publicUrl, entity.id)),
      page,
      image
    ),
    ...(cited ? { head: cited.head } : {}),
    body: html`<article class="record record-${layout.name}">${pictureOf(context, layout, makers[0]?.entity)}
<header class="record-head">${layout.kind ?? html`<p class="kind">${kindText(model, entity.type, locale)}</p>`}
<h1${langOf(name)}>${title}</h1>
${subtitle && html`<p class="subtitle"${langOf(subtitle)}>${String(subtitle.value)}</p>`}
${!isShow && makers.length > 0 && html`<p class="makers">${makers.map(({ entity: maker, metadata }, at) => html`${at > 0 && '; '}${linkTo(model, maker, locale, base, { metadata })}${datesOf(maker)}`)}</p>`}
${layout.lead}${shareLinks(context, title, page, publication !== undefined)}</header>
<div class="record-body">${layout.body}${cited && citeSection(context, cited)}</div>
<aside class="record-side" aria-label="${locale.phrases.formats}">${layout.side}${formatLinks(entity, locale, base)}</aside>${cited?.coins}</article>`
  }
}

/** Makes the parts of the page of a record, by its kind. */
async function layoutOf(context: RecordContext, publication: Publication | undefined, zone: string): Promise<Layout> {
  const { parts, entity } = context
  if (publication) return publicationLayout(context, publication)
  if (entity.type === programme.production) return showLayout(context)
  if (entity.type === programme.performance) return nightLayout(context, zone)
  if (parts.model.umbrellaOf(entity.type) === levels[0]) return workLayout(context)
  return otherLayout(context, zone)
}

async function showLayout(context: RecordContext): Promise<Layout> {
  const [nights, media, referring, plays, others] = await Promise.all([
    nightsOf(context),
    mediaOf(context),
    referringOf(context, new Set()),
    playsOf(context),
    alsoBy(context)
  ])
  return {
    name: 'show',
    kind: kindLine(context),
    lead: [chipsOf(context), nights.next && nextNight(context, nights.next)],
    body: [nights.markup, ...[textsOf(context), castOf(context), media.markup, plays, others], referring.markup],
    side: [otherFacts(context, nights.markup !== undefined), pressKit(context)],
    cover: media.main,
    nights: nights.shown,
    lists: [...nights.lists, ...media.lists, ...referring.lists]
  }
}

/** One performance: that night first, then the show. */
async function nightLayout(context: RecordContext, zone: string): Promise<Layout> {
  const { parts, locale, base, entity, related } = context
  const entry = entryOf(context)
  const { production } = entry
  const ofShow: RecordContext | undefined = production && { ...context, entity: production }
  const hidden = new Set([programme.ofProduction, programme.at, 'refAuthors', 'start', 'end', 'status', 'url'])
  return {
    name: 'show',
    kind: ofShow && kindLine(ofShow),
    lead: [ofShow && chipsOf(ofShow), nextNight(context, entry)],
    body: [
      production && html`<p class="whole">${linkTo(parts.model, production, locale, base)}</p>`,
      castOf(context),
      ofShow && [textsOf(ofShow), castOf(ofShow), await alsoBy(ofShow)]
    ],
    side: [
      entry.venues.map(each => addressOf(each, locale, context.words.map)),
      factsOf(parts.model, entity, locale, base, { related, zone, hidden })
    ],
    cover: production && (await coversOf(parts, [production])).get(production.id),
    lists: []
  }
}

async function workLayout(context: RecordContext): Promise<Layout> {
  const { parts, locale, base, entity, related } = context
  const [editions, stagings, media, referring, copies] = await Promise.all([
    editionsOf(context),
    stagingsOf(context),
    mediaOf(context),
    referringOf(context, new Set(['refWorks'])),
    whereIs(parts, entity.id)
  ])
  const originals = valuesFor(entity.metadata, 'original_title', locale.language)
  const { libraries = 0, onShelf = 0 } = copies ?? {}
  const { words } = context
  const counted = [
    ...(editions.count > 0 ? [locale.phrases.editionsOfWork(editions.count, locale.number(editions.count))] : []),
    ...(editions.languages > 1 ? [words.inLanguages(editions.languages)] : [])
  ].join(' ')
  const where = [
    ...(counted === '' ? [] : [counted]),
    ...(libraries > 0 ? [words.atLibraries(libraries)] : []),
    ...(onShelf > 0 ? [words.onShelf(onShelf)] : [])
  ].join(', ')
  return {
    name: 'work',
    lead: html`<p class="work-lead">${originals.slice(0, 1).map(each => html`<i${langOf(each)}>${String(each.value)}</i>. `)}${[...valuesOf(entity, 'year').map(String), ...(where === '' ? [] : [where])].join(' · ')}</p>${
      libraries > 0 && html`<p><a class="button" href="#editions">${words.whereToFind}</a></p>`
    }`,
    body: [editions.markup, media.markup, referring.markup],
    side: [
      stagings.markup,
      factsOf(parts.model, entity, locale, base, {
        related,
        hidden: new Set(['refAuthors', 'original_title', 'year', ...pictureRelations])
      })
    ],
    cover: media.main ?? editions.cover,
    lists: [...editions.lists, ...stagings.lists, ...media.lists, ...referring.lists]
  }
}

const pictureRelations = [mediaRelation, ...Object.values(primaryRelations)]

async function publicationLayout(context: RecordContext, publication: Publication): Promise<Layout> {
  const { words, base, locale } = context
  const [media, referring] = await Promise.all([mediaOf(context), referringOf(context, new Set())])
  const all = [...publication.expressions.flatMap(each => [each.work, each]), publication.manifestation]
  const hasRoles = all.some(level => level?.related.some(({ metadata }) => valuesOf({ metadata }, 'role').length > 0))
  const told = new Set<string>()
  const works = [...new Set(publication.expressions.flatMap(({ work }) => work?.entity.id ?? []))]
  return {
    name: 'work',
    body: [
      copiesOf(publication, context),
      levelFacts(context, publication.manifestation, hasRoles, told),
      works.length === 1 &&
        html`<p class="whole"><a href="${base}${locale.prefix}${recordPath(works[0] ?? '')}#editions">${words.allEditions} →</a></p>`,
      media.markup,
      referring.markup
    ],
    side: aboveFacts(context, publication, hasRoles, told),
    cover: media.main,
    lists: [...media.lists, ...referring.lists]
  }
}

/** People, places, terms; and seasons, venues and companies with their programmes. */
async function otherLayout(context: RecordContext, zone: string): Promise<Layout> {
  const { parts, locale, words, base, entity, related } = context
  const rules = Object.hasOwn(programmeOwners, entity.type) ? programmeOwners[entity.type] : undefined
  const none: Section & { readonly next?: undefined } = { markup: undefined, lists: [] }
  const [nights, shows, media, referring, titles] = await Promise.all([
    rules ? nightsOf(context) : none,
    rules ? showsOf(context) : none,
    mediaOf(context),
    referringOf(context, new Set(rules?.productionsBy ? [rules.productionsBy] : [])),
    titlesOf(context)
  ])
  const address = addressOf(entity, locale, words.map)
  const days = (rules?.days ?? []).flatMap(key => valuesOf(entity, key).map(each => locale.date(String(each))))
  const nameField = parts.model.findType(entity.type)?.nameField ?? ''
  const hidden = new Set([
    ...[...pictureRelations, 'life_dates'],
    ...(rules ? [nameField, ...(rules.days ?? [])] : []),
    ...(address ? placeKeys : [])
  ])
  const facts = factsOf(parts.model, entity, locale, base, { related, zone, hidden })
  return {
    name: 'other',
    lead: [
      valuesOf(entity, 'life_dates').length > 0 && html`<p>${datesOf(entity)}</p>`,
      address && html`<p>${address}</p>`,
      titles,
      days.length > 0 && html`<p class="quiet">${days.join(' – ')}</p>`,
      nights.next && [nextNight(context, nights.next), whenLinks(context)],
      !rules && facts
    ],
    body: [shows.markup, nights.markup, media.markup, referring.markup],
    side: rules && facts,
    cover: media.main,
    lists: [...nights.lists, ...shows.lists, ...media.lists, ...referring.lists]
  }
}

/** The picture of a record, large, with its credit; a cover made of its name where it has none. */
function pictureOf({ parts, locale, base, entity }: RecordContext, { cover, name }: Layout, maker: Entity | undefined) {
  const { model } = parts
  if (cover === undefined) {
    const made = {
      type: entity.type === programme.performance ? programme.production : entity.type,
      name: { ...nameOf(model, entity, locale.language), value: nameText(model, entity, locale) },
      maker: maker && nameOf(model, maker, locale.language),
      file: undefined
    }
    const markup = coverHtml(model, made, base)
    return markup && html`<div class="record-picture">${markup}</div>`
  }
  const path = `${base}${thumbnailPath(cover)}`
  return html`<figure class="record-picture"><img src="${path}?width=640" srcset="${path}?width=320 320w, ${path}?width=640 640w, ${path}?width=1280 1280w" sizes="${name === 'show' ? '(width < 56rem) 100vw, 24rem' : '15rem'}" alt="${altOf(cover, locale)}"${sizeOf(cover, 640)} fetchpriority="high">${captionOf(cover, locale)}</figure>`
}

/** The name of a record; that of a part, such as a performance, follows the name of the whole. */
function titleOf({ parts: { model }, entity, related, locale }: RecordContext, zone: string): string {
  const name = nameText(model, entity, locale, zone)
  const { partOf } = model.findType(entity.type) ?? {}
  const whole = entity.relations.flatMap(({ type, key }) => (type === partOf ? (related.get(key) ?? []) : []))[0]
  return whole === undefined ? name : `${nameText(model, whole, locale)} · ${name}`
}

interface Maker {
  readonly entity: Entity
  /** The metadata of the relation: the role, once, whichever levels name it. */
  readonly metadata: Entity['metadata']
}

/** Maximum number of makers under a title. */
const maxMakers = 12

/** The people and organisations that made it, each once, of a publication at all its levels. */
function makersOf({ parts: { model }, entity, related }: RecordContext, publication: Publication | undefined): Maker[] {
  const levelsOf: readonly (PublicationLevel | undefined)[] = publication
    ? [...publication.expressions.flatMap(each => [each.work, each]), publication.manifestation]
    : []
  const all = publication
    ? levelsOf.flatMap(level => level?.related ?? [])
    : entity.relations.flatMap(({ type, key, metadata = [] }) => {
        const target = related.get(key)
        return target ? [{ type, metadata, entity: target }] : []
      })
  const made = all.filter(each => each.type !== subjects && model.findType(each.entity.type)?.isMaker)
  return [...Map.groupBy(made, each => each.entity.id).values()].slice(0, maxMakers).flatMap(group => {
    const [first] = group
    const named = group.flatMap(({ metadata }) => valuesOf({ metadata }, 'role').flat())
    // The author is the one without a role.
    const roles = [...new Set(named)].filter(role => roleCodeOf(String(role)) !== 'aut')
    return first ? [{ entity: first.entity, metadata: roles.map(value => ({ key: 'role', value })) }] : []
  })
}

/** The relation to what a work is about, which may be a person. */
const subjects = 'refSubjects'

/** The dates of the life of a person. */
const datesOf = (maker: Entity): Content => {
  const [dates] = valuesOf(maker, 'life_dates')
  return typeof dates === 'string' && dates !== '' && html` <span class="life">${dates.replace('-', '–')}</span>`
}

/**
 * The facts of one level of a publication, without people, who stand under the title, and without
 * the relations between levels.
 */
function levelFacts(
  { parts, locale, base }: RecordContext,
  level: PublicationLevel,
  hasRoles: boolean,
  told: Set<string>,
  elsewhere: readonly string[] = []
): Content {
  const hidden = new Set<string>([
    ...[...Object.values(wemLinks), 'link', 'refAuthors'],
    ...[...pictureRelations, ...elsewhere]
  ])
  if (hasRoles) hidden.add('refCodeWordings')
  const related = new Map(level.related.map(each => [keyOf(level, each.entity), each.entity]))
  return factsOf(parts.model, level.entity, locale, base, { related, hidden, told })
}

/**
 * The facts of the expressions and works above a publication, which the page does not tell already:
 * an expression under its language and translator, a work under its name.
 */
function aboveFacts(context: RecordContext, publication: Publication, hasRoles: boolean, told: Set<string>): Content {
  const { parts, locale, base } = context
  const shown = new Set<string>()
  return publication.expressions.map(expression => {
    const { work } = expression
    const isNew = work !== undefined && !shown.has(work.entity.id)
    if (work) shown.add(work.entity.id)
    const title = expressionTitle({ ...context, entity: work?.entity ?? context.entity }, expression)
    return [
      html`<section class="level"><h2>${title}</h2>${levelFacts(context, expression, hasRoles, told, inTitle)}</section>`,
      isNew &&
        html`<section class="level"><p class="quiet">${kindText(parts.model, work.entity.type, locale)}</p><h2>${linkTo(parts.model, work.entity, locale, base)}</h2>${levelFacts(context, work, hasRoles, told)}</section>`
    ]
  })
}

/** Fields and relations in the title of an expression. */
const inTitle = ['content_type', 'year', 'refLanguages']

/** The key by which a level refers to a related entity: any of its identifiers. */
function keyOf({ entity }: PublicationLevel, { id, identifiers }: Entity): string {
  return entity.relations.find(({ key }) => key === id || identifiers.includes(key))?.key ?? id
}

function formatLinks({ id }: Entity, { phrases }: Locale, base: string): Markup {
  const address = `${base}/entities/${encodeURIComponent(id)}`
  const formats = { json: 'JSON', jsonld: 'JSON-LD', turtle: 'Turtle' }
  return html`<details class="formats"><summary>${phrases.formats}</summary><ul>${Object.entries(formats).map(
    ([format, label]) => html`<li><a href="${address}?format=${format}" rel="nofollow">${label}</a></li>`
  )}</ul></details>`
}

/**
 * The description for search engines with the address of the page and the picture. An address that
 * the record gives for itself, such as a web site, then stands for the same thing.
 */
function withPage(json: string, page: string, image: string | undefined): string {
  const { '@context': context, '@graph': graph, ...node } = JSON.parse(json) as Record<string, unknown>
  const [root, ...others] = Array.isArray(graph) ? (graph as Record<string, unknown>[]) : [node]
  const named = [root?.sameAs, root?.url].flat().filter(each => each !== undefined && each !== page)
  const described = {
    ...withNames(root ?? {}, describedIn(root)),
    url: page,
    ...(named.length > 0 ? { sameAs: named.length === 1 ? named[0] : named } : {}),
    ...(image === undefined ? {} : { image })
  }
  return JSON.stringify({
    '@context': context,
    ...(others.length > 0 ? { '@graph': [described, ...others] } : described)
  })
}

type JsonObject = Record<string, unknown>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The nodes that are described anywhere in a value, by their identifiers. */
function describedIn(value: unknown, found = new Map<unknown, JsonObject>()): Map<unknown, JsonObject> {
  for (const each of Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []) {
    if (isObject(each) && '@type' in each) found.set(each['@id'], each)
    describedIn(each, found)
  }
  return found
}

/**
 * A node whose direct members have their own facts: a search engine does not look deeper for the
 * name of an author or the address of a place.
 */
function withNames(node: JsonObject, described: ReadonlyMap<unknown, JsonObject>): JsonObject {
  const filled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(filled)
    const known = isObject(value) && Object.keys(value).length === 1 ? described.get(value['@id']) : undefined
    if (known === undefined) return value
    const facts = Object.entries(known).filter(([key, each]) => !isObject(each) || key === 'address' || key === 'geo')
    return Object.fromEntries(facts.filter(([, each]) => !Array.isArray(each) || each.every(one => !isObject(one))))
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, filled(value)]))
}

/** Maximum length of a description, in characters. */
const maxDescription = 300

/** A short text for previews: the description of the record, or its title and makers. */
function describe(entity: Entity, title: string, makers: readonly string[]): string {
  const [text] = ['description_short', 'description'].flatMap(key => valuesOf(entity, key))
  const plain = typeof text === 'string' ? htmlToText(text).replace(/\s+/g, ' ').trim() : ''
  const [year] = ['year_of_publication', 'year'].flatMap(key => valuesOf(entity, key))
  const known = [title, makers.join('; '), year === undefined || year === null ? '' : String(year)]
  const description = plain === '' ? known.filter(each => each !== '').join('. ') : plain
  return description.length > maxDescription ? `${description.slice(0, maxDescription - 1)}…` : description
}
