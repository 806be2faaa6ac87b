import { type Entity, targetsOf, valuesOf } from '#domain/entity/entity.ts'
import { levels } from '#domain/entity/publication.ts'
import { type Filter, isRelatedTo } from '#domain/filter/filter.ts'
import { findModelOf } from '#domain/find/find-model.ts'
import { readFindState } from '#domain/find/find-state.ts'
import { programme, venuesOf } from '#domain/record-types/programme.ts'
import { season } from '#domain/record-types/stage.ts'
import { htmlToText } from '#formats/html/html-to-text.ts'
import { sanitizeHtml } from '#formats/html/sanitize-html.ts'
import { imageOf } from './card.ts'
import { coverHtml, coversOf } from './covers.ts'
import { langOf, linkTo, nameHtml } from './facts.ts'
import { listOf as search, titlesOf } from './find-page.ts'
import { cityOf, type Locale, nameOf, valuesFor } from './locale.ts'
import { type Content, html, Markup } from './markup.ts'
import { baseOf, type Page, type PageParts, recordPath, searchForm } from './page.ts'
import { thumbnailPath } from './picture-files.ts'
import { byNextNight, nextFirst, showPosters } from './posters.ts'
import { readRecords } from './read-records.ts'
import { recordPhrases } from './record-phrases.ts'
import { type Block, type Words, wordsIn } from './site.ts'

/** Maximum number of covers in a row of titles, and of posters of shows. */
const maxCovers = 12

/** Maximum number of performances among those of the week. */
const maxPerformances = 15

/** Cards of performances in a row of a wide screen. */
const cardsInRow = 5

/** Maximum number of the next shows that are read to find one with a poster. */
const maxUpcoming = 24

/** A week, in milliseconds. */
const week = 7 * 86_400_000

/** Maximum length of the text about the featured show, in characters. */
const maxLead = 240

/** Everything that a block is made with. */
interface Start {
  readonly parts: PageParts
  readonly locale: Locale
  /** The path of files, and of pages in the reader's language. */
  readonly base: string
  readonly home: string
}

interface Made {
  readonly content: Content
  /** The address of a picture for previews of links. */
  readonly image?: string | undefined
}

/** The first page: the blocks that the house chose, in their order. Empty ones are left out. */
export async function startPage(parts: PageParts, locale: Locale): Promise<Page> {
  const { publicUrl, site } = parts
  const { phrases, language } = locale
  const base = baseOf(publicUrl)
  const start: Start = { parts, locale, base, home: base + locale.prefix }
  const made = await Promise.all(site.start.map(async block => ({ block, ...(await makeBlock(start, block)) })))
  const shown = made.filter(({ content }) => content !== undefined && content !== false)
  const description = site.description && wordsIn(site.description, language)
  const isFeatured = shown.some(({ block }) => block.block === 'featured')
  const image = shown.find(each => each.image !== undefined)?.image
  return {
    title: site.name,
    description: description ?? phrases.searchHint,
    path: '/',
    hasSearch: !isFeatured,
    image,
    body: html`${
      isFeatured
        ? html`<h1 class="visually-hidden">${site.name}</h1>`
        : html`<div class="welcome"><h1>${site.name}</h1>${description !== undefined && html`<p class="lead">${description}</p>`}${searchForm(start.home, '', phrases)}</div>`
    }${shown.map(({ content }) => content)}`
  }
}

async function makeBlock(start: Start, block: Block): Promise<Made> {
  switch (block.block) {
    case 'featured':
      return featured(start, block)
    case 'week':
      return { content: await thisWeek(start, block.title) }
    case 'shows':
      return { content: await shows(start, block) }
    case 'new':
      return { content: await newTitles(start, block.title) }
    case 'shelf':
      return { content: await shelf(start, block) }
    case 'text':
      return { content: textBlock(start, block) }
  }
}

/** The heading of a block, with a link to all of it. */
const headOf = ({ home }: Start, title: Content, all?: { readonly address: string; readonly text: string }): Markup =>
  html`<div class="section-head"><h2>${title}</h2>${all && html`<a href="${home}${all.address}">${all.text} →</a>`}</div>`

const titleOr = ({ locale }: Start, title: Words | undefined, usual: string) =>
  title === undefined ? usual : wordsIn(title, locale.language)

/** Performances that begin in a period, the next first, where visitors may read any. */
async function performancesIn({ parts }: Start, from: number, to: number, limit: number): Promise<Entity[]> {
  const { catalogue, principal } = parts
  if (!principal.mayRead(programme.performance)) return []
  const filter: Filter = {
    kind: 'all',
    of: [
      { kind: 'types', types: [programme.performance] },
      { kind: 'field', path: { kind: 'metadata', key: 'start' }, test: { kind: 'instant', from, to } }
    ]
  }
  const page = await catalogue.lists.entities(principal, {
    filter,
    order: { items: [{ by: 'metadata', key: 'start' }], ascending: true },
    ...{ skip: 0, limit, cursor: undefined, isCounted: false }
  })
  return page.entities.map(({ json }) => JSON.parse(json) as Entity)
}

const startOf = (performance: Entity) => String(valuesOf(performance, 'start')[0] ?? '')

/** The address where tickets of a performance are sold, unless there are none. */
function ticketsOf({ parts }: Start, performance: Entity): string | undefined {
  const [address] = valuesOf(performance, 'url')
  if (stateOf(parts, performance) !== undefined || typeof address !== 'string') return undefined
  return /^https?:/i.test(address) ? address : undefined
}

/** The state of a performance that is not as planned. */
function stateOf({ model }: PageParts, performance: Entity): string | undefined {
  const [state] = valuesOf(performance, 'status')
  const [asPlanned] = model.fieldOf(performance.type, 'status')?.of ?? []
  return typeof state === 'string' && state !== asPlanned ? state : undefined
}

/** The performances of the next seven days: when, what, where, and their tickets or their state. */
async function thisWeek(start: Start, title: Words | undefined): Promise<Content> {
  const { parts, locale, base, home } = start
  const { model, now } = parts
  const found = await performancesIn(start, now(), now() + week, maxPerformances)
  // Whole rows of cards; the programme has all.
  const performances = found.slice(
    0,
    found.length > cardsInRow ? found.length - (found.length % cardsInRow) : undefined
  )
  if (performances.length === 0) return undefined
  const productions = await readRecords(
    parts,
    performances.flatMap(each => targetsOf(each, programme.ofProduction))
  )
  const productionOf = (each: Entity) => productions.get(targetsOf(each, programme.ofProduction)[0] ?? '')
  const venues = await readRecords(
    parts,
    performances.flatMap(each => venuesOf(each, productionOf(each)))
  )
  const zoneOf = await parts.catalogue.productions.zones(parts.principal, performances)
  const cards = performances.map(performance => {
    const production = productionOf(performance)
    const zone = zoneOf(performance)
    const clock = locale.clock(startOf(performance), zone)
    const state = stateOf(parts, performance)
    const tickets = ticketsOf(start, performance)
    const places = venuesOf(performance, production).flatMap(key => venues.get(key) ?? [])
    const isSameClock = locale.clock(startOf(performance), parts.timeZone)?.time === clock?.time
    return html`<li><time datetime="${startOf(performance)}"><span class="weekday">${clock?.weekday}</span> <span class="time">${clock?.time}</span> <span class="date">${clock?.day} <small>${clock?.month}</small></span></time>
<div class="what"><a href="${home}${recordPath((production ?? performance).id)}">${production ? nameHtml(model, production, locale) : locale.label(locale.labels.types, performance.type)}</a>${
      places.length > 0 &&
      html`<span class="where">${places.map((each, at) => html`${at > 0 && ', '}${linkTo(model, each, locale, base)}`)}</span>`
    }${!isSameClock && html`<span class="where">${locale.phrases.localTime(cityOf(zone))}</span>`}</div>${
      (state !== undefined || tickets !== undefined) &&
      html`<div class="week-state">${state === undefined ? html`<a class="button button-small" href="${tickets}" rel="noopener">${locale.phrases.tickets}</a>` : html`<span class="chip ${state === 'postponed' ? 'chip-warn' : 'chip-bad'}">${locale.label(locale.labels.values, state)}</span>`}</div>`
    }</li>`
  })
  const heading = titleOr(start, title, locale.phrases.onStage)
  const all = { address: '/programme', text: recordPhrases[locale.language].allNights }
  return html`<section>${headOf(start, heading, all)}<ul class="week">${cards}</ul></section>`
}

/** The productions of the next performances, each once, in their order, and these performances. */
async function nextShows({ parts }: Start): Promise<ReadonlyMap<Entity, Entity>> {
  const { catalogue, principal, now } = parts
  if (!principal.mayRead(programme.performance) || !principal.mayRead(programme.production)) return new Map()
  const page = await catalogue.lists.entities(principal, {
    filter: { kind: 'types', types: [programme.production] },
    order: nextFirst,
    ...{ skip: 0, limit: maxUpcoming, cursor: undefined, isCounted: false }
  })
  const shows = page.entities.map(({ json }) => JSON.parse(json) as Entity)
  const summaries = await catalogue.lists.summarise(principal, shows, { now: now(), nights: ['next_performance'] })
  const next = shows.flatMap(show => {
    const performance = summaries.get(show.id)?.next_performance
    return performance ? [[show, performance] as const] : []
  })
  return new Map(next)
}

/** The show that the house features; else the next one with a poster. */
async function featured(start: Start, { record, text }: Block & { readonly block: 'featured' }): Promise<Made> {
  const { parts, locale, home } = start
  const { model, principal } = parts
  const { phrases, language } = locale
  const named = record === undefined ? undefined : (await readRecords(parts, [record])).get(record)
  const upcoming = record === undefined ? await nextShows(start) : new Map<Entity, Entity>()
  const candidates = named ? [named] : [...upcoming.keys()]
  const covers = await coversOf(parts, candidates)
  const show = named ?? candidates.find(({ id }) => covers.has(id))
  if (show === undefined) return { content: undefined }
  const file = covers.get(show.id)
  const nights = ['next_performance'] as const
  const next =
    upcoming.get(show) ??
    (await parts.catalogue.lists.summarise(principal, [show], { now: parts.now(), nights })).get(show.id)
      ?.next_performance
  const zoneOf = await parts.catalogue.productions.zones(parts.principal, next ? [next] : [])
  const companies = await readRecords(parts, targetsOf(show, programme.by))
  const [subtitle] = valuesFor(show.metadata, 'subtitle', language)
  const tickets = next && ticketsOf(start, next)
  const name = nameOf(model, show, language)
  return {
    image: await imageOf(parts, locale, show, file),
    content: html`<section class="hero"><div>${next && html`<p class="eyebrow">${phrases.nextPerformance(shortMoment(locale, next, zoneOf(next)))}</p>`}
<h2><a href="${home}${recordPath(show.id)}"${langOf(name)}>${String(name.value)}</a></h2>
${subtitle && html`<p class="subtitle"${langOf(subtitle)}>${String(subtitle.value)}</p>`}
<p class="by">${[...new Set(companies.values())].map((each, at) => html`${at > 0 && ' · '}${nameHtml(model, each, locale)}`)}</p>
${text === undefined ? leadOf(show, locale) : html`<p class="lead">${wordsIn(text, language)}</p>`}
<div class="actions">${tickets !== undefined && html`<a class="button" href="${tickets}" rel="noopener">${phrases.tickets}</a>`}<a class="button${tickets !== undefined && ' button-quiet'}" href="${home}${recordPath(show.id)}">${phrases.aboutShow}</a></div></div>
${posterHtml(start, show, { file, isFeatured: true })}</section>`
  }
}

/** The beginning of the short description of a show, as plain text. */
function leadOf(show: Entity, { language }: Locale): Content {
  const [value] = ['description_short', 'description'].flatMap(key => valuesFor(show.metadata, key, language))
  if (typeof value?.value !== 'string') return undefined
  const plain = htmlToText(value.value).replaceAll(/\s+/g, ' ').trim()
  const cut = plain.length > maxLead ? `${plain.slice(0, plain.lastIndexOf(' ', maxLead))} …` : plain
  return cut !== '' && html`<p class="lead"${langOf(value)}>${cut}</p>`
}

/** Day and time of a performance, without the year. */
function shortMoment(locale: Locale, performance: Entity, zone: string): string {
  const clock = locale.clock(startOf(performance), zone)
  return clock ? `${clock.weekday} ${clock.day} ${clock.month}, ${clock.time}` : startOf(performance)
}

interface Poster {
  readonly file: Entity | undefined
  readonly maker?: Entity | undefined
  /** The picture of the featured show is the first and largest of the page, and loaded first. */
  readonly isFeatured?: boolean
}

/** The poster or cover of a record, in a frame of its own size, so that the page does not move. */
function posterHtml({ parts, locale, base }: Start, entity: Entity, { file, maker, isFeatured }: Poster): Content {
  const { model } = parts
  const nameIn = (each: Entity) => nameOf(model, each, locale.language)
  if (file === undefined)
    return coverHtml(model, { type: entity.type, name: nameIn(entity), maker: maker && nameIn(maker), file }, base)
  const path = `${base}${thumbnailPath(file)}`
  const sizes = isFeatured
    ? html` srcset="${path}?width=320 320w, ${path}?width=640 640w" sizes="(width < 48rem) 90vw, 22rem" fetchpriority="high"`
    : html` loading="lazy"`
  return html`<span class="entry-cover"><span class="cover cover-book"><img class="thumbnail" src="${path}?width=320" alt=""${sizes}></span></span>`
}

/** The shows of a season, as posters: of the one named, or of that of today. */
async function shows(start: Start, block: Block & { readonly block: 'shows' }): Promise<Content> {
  const { parts, locale, base } = start
  const { catalogue, model, principal } = parts
  if (!principal.mayRead(programme.production)) return undefined
  const current =
    block.record === undefined
      ? await seasonOfToday(parts)
      : (await readRecords(parts, [block.record])).get(block.record)
  const productions = current === undefined ? [] : await showsOf(parts, current)
  const isSeason = current !== undefined && productions.length > 0
  const owner = isSeason ? current : undefined
  const found = (isSeason ? productions : [...(await nextShows(start)).keys()]).slice(0, maxCovers)
  if (found.length === 0) return undefined
  const summaries = await catalogue.lists.summarise(principal, found, { now: parts.now(), owner })
  const shown = byNextNight(found, summaries, parts.now())
  const usual = isSeason
    ? String(nameOf(model, current, locale.language).value)
    : locale.label(locale.labels.families, programme.production)
  const address = isSeason ? recordPath(current.id) : `/find?type=${programme.production}`
  return html`<section>${headOf(start, titleOr(start, block.title, usual), { address, text: locale.phrases.showAll })}${await showPosters(parts, shown, { locale, base, owner, summaries })}</section>`
}

/** The season of today, or the next one. */
async function seasonOfToday({ catalogue, principal, now }: PageParts): Promise<Entity | undefined> {
  if (!principal.mayRead(season.type)) return undefined
  const page = await catalogue.lists.entities(principal, {
    filter: { kind: 'types', types: [season.type] },
    order: { items: [{ by: 'metadata', key: 'start_date' }], ascending: false },
    ...{ skip: 0, limit: maxCovers, cursor: undefined, isCounted: false }
  })
  const today = new Date(now()).toISOString().slice(0, 10)
  const seasons = page.entities.map(({ json }) => JSON.parse(json) as Entity)
  const dayOf = (each: Entity, key: string) => String(valuesOf(each, key)[0] ?? '')
  const current = seasons.find(each => dayOf(each, 'start_date') <= today && today <= dayOf(each, 'end_date'))
  return current ?? seasons.findLast(each => dayOf(each, 'start_date') > today)
}

/** The productions of a season, those that are played next first. */
async function showsOf({ catalogue, principal }: PageParts, { id }: Entity): Promise<Entity[]> {
  const page = await catalogue.lists.entities(principal, {
    filter: {
      kind: 'all',
      of: [{ kind: 'types', types: [programme.production] }, isRelatedTo('refSeasons', [id])]
    },
    order: nextFirst,
    ...{ skip: 0, limit: maxCovers, cursor: undefined, isCounted: false }
  })
  return page.entities.map(({ json }) => JSON.parse(json) as Entity)
}

/** The newest works; where visitors may read none, the newest of everything that they may. */
async function newTitles(start: Start, title: Words | undefined): Promise<Content> {
  const { parts, locale } = start
  const { catalogue, model, principal } = parts
  const works = principal.readableTypes.filter(each => model.umbrellaOf(each) === levels[0])
  const page = await catalogue.lists.entities(principal, {
    filter: works.length > 0 ? { kind: 'types', types: works } : titlesOf(parts),
    order: { items: [{ by: 'created' }], ascending: false },
    ...{ skip: 0, limit: maxCovers, cursor: undefined, isCounted: false }
  })
  const heading = titleOr(start, title, locale.phrases.newTitles)
  const records = page.entities.map(({ json }) => JSON.parse(json) as Entity)
  return covers(start, records, headOf(start, heading, { address: '/find', text: locale.phrases.catalogue }))
}

/** The results of a search of the house, as covers. */
async function shelf(start: Start, { title, address }: Block & { readonly block: 'shelf' }): Promise<Content> {
  const { parts, locale } = start
  const state = readFindState(new URLSearchParams(address.split('?')[1]), findModelOf(parts.model))
  const { entities, groups } = await search(parts, state, { limit: maxCovers, cursor: undefined })
  const found = new Map(entities.map(({ id, json }) => [id, JSON.parse(json) as Entity]))
  const records = [...(groups?.map(({ head }) => head) ?? found.keys())].flatMap(id => found.get(id) ?? [])
  const all = { address, text: locale.phrases.showAll }
  return covers(start, records, headOf(start, wordsIn(title, locale.language), all))
}

/** Records as a row of covers with their names and makers. */
async function covers(start: Start, records: readonly Entity[], heading: Markup): Promise<Content> {
  const { parts, locale, base } = start
  const { model, principal } = parts
  if (records.length === 0) return undefined
  const summaries = await parts.catalogue.lists.summarise(principal, records, { now: parts.now(), nights: [] })
  const editionsOf = ({ id }: Entity) => summaries.get(id)?.newest ?? []
  const pictures = await coversOf(parts, [...records, ...records.flatMap(editionsOf)])
  const makersOf = (each: Entity) =>
    targetsOf(each, each.type === programme.production ? programme.by : 'refAuthors').slice(0, 2)
  const makers = await readRecords(parts, records.flatMap(makersOf))
  const items = records.map(record => {
    const by = makersOf(record).flatMap(key => makers.get(key) ?? [])
    const [file] = [record, ...editionsOf(record)].flatMap(({ id }) => pictures.get(id) ?? [])
    return html`<li>${posterHtml(start, record, { file, maker: by[0] })}<p class="name">${linkTo(model, record, locale, base)}</p>${
      by.length > 0 &&
      html`<span class="about">${by.map((each, at) => html`${at > 0 && '; '}${nameHtml(model, each, locale)}`)}</span>`
    }</li>`
  })
  return html`<section>${heading}<ul class="posters posters-small">${items}</ul></section>`
}

/** A text of the house: HTML, or plain text with empty lines between paragraphs. */
function textBlock(start: Start, { title, text }: Block & { readonly block: 'text' }): Content {
  const { language } = start.locale
  const written = wordsIn(text, language)
  const body = /<\w/.test(written)
    ? new Markup(sanitizeHtml(written).html)
    : written.split(/\n\s*\n/).map(each => html`<p>${each}</p>`)
  return html`<section>${title !== undefined && headOf(start, wordsIn(title, language))}<div class="prose">${body}</div></section>`
}
