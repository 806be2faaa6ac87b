import { type Entity, targetsOf, valuesOf } from '#domain/entity/entity.ts'
import { levels, wemLinks } from '#domain/entity/publication.ts'
import { type Filter, isRelatedTo } from '#domain/filter/filter.ts'
import { programme, programmeOwners } from '#domain/record-types/programme.ts'
import type { Field } from '#domain/record-types/record-type.ts'
import { mediafile } from '#domain/record-types/stage.ts'
import { coverHtml, coversOf } from './covers.ts'
import { factsOf, linkTo, valueHtml } from './facts.ts'
import { nameOf, nameText, valuesFor } from './locale.ts'
import { type Content, html, type Markup } from './markup.ts'
import { recordPath } from './page.ts'
import { pagingOf, skipOf } from './paging.ts'
import { byNextNight, nextFirst, showPosters } from './posters.ts'
import { readRecords } from './read-records.ts'
import { whereIs } from './shelf.ts'
import type { RecordContext, Section } from './record-context.ts'

/* The parts of the page of a production: its texts, people, play and company. */

/** The languages that are spoken, and those of the surtitles. */
const spokenRelations = ['refLanguages', 'refSurtitles'] as const

/** The relations of a production that its page shows in places of their own. */
const placed = [programme.by, programme.genres, 'refAuthors', 'refWorks', programme.at, ...spokenRelations] as const

/** Shows of the same company under a show. */
const maxOthers = 4

/** Kinds of fields that are told in a word or two. */
const shortKinds: ReadonlySet<Field['kind']> = new Set([
  'minutes',
  'age_category',
  'price',
  'date',
  'choice',
  'number',
  'boolean',
  'year'
])

/** The fields of a show that stand on its page as chips, and those that are texts. */
function fieldsOf({ parts: { model }, entity }: RecordContext) {
  const type = model.findType(entity.type)
  const all = Object.entries(type?.fields ?? {}).filter(
    ([key, field]) => !field.isInternal && key !== type?.nameField && key !== type?.statusField && key !== 'subtitle'
  )
  return {
    chips: all.filter(([, { kind }]) => shortKinds.has(kind)),
    texts: all.filter(([, { kind }]) => kind === 'html')
  }
}

/** Short facts of a show: how long, for whom, since when. */
export function chipsOf(context: RecordContext): Content {
  const {
    parts: { model },
    locale,
    words,
    entity,
    related
  } = context
  const chips = fieldsOf(context).chips.flatMap(([key, field]) =>
    valuesFor(entity.metadata, key, locale.language).map(each => {
      const minutes = Number(each.value)
      if (key === 'duration' && minutes > 0)
        return html`<li>${words.hours(Math.floor(minutes / 60), minutes % 60)}</li>`
      if (key === 'premiere_date') return html`<li>${words.premiere} ${locale.date(String(each.value))}</li>`
      if (field.kind === 'age_category') return html`<li>${valueHtml(field, each, locale)}</li>`
      return html`<li>${locale.label(locale.labels.fields, key)}: ${valueHtml(field, each, locale)}</li>`
    })
  )
  const spoken = spokenRelations.flatMap(relation => {
    const languages = targetsOf(entity, relation).flatMap(key => related.get(key) ?? [])
    const names = languages.map(each => nameText(model, each, locale)).join(', ')
    if (languages.length === 0) return []
    return [
      html`<li>${relation === 'refLanguages' ? '' : `${locale.label(locale.labels.relations, relation)}: `}${names}</li>`
    ]
  })
  return chips.length + spoken.length > 0 && html`<ul class="chips facts-short">${chips}${spoken}</ul>`
}

/** The line above the title: genres and companies, else the kind of the record. */
export function kindLine({ parts: { model }, locale, base, entity, related }: RecordContext): Markup {
  const named = [programme.genres, programme.by].flatMap(relation =>
    targetsOf(entity, relation).flatMap(key => related.get(key) ?? [])
  )
  return named.length === 0
    ? html`<p class="kind">${locale.label(locale.labels.types, entity.type)}</p>`
    : html`<p class="kind">${named.map((each, at) => html`${at > 0 && ' · '}${linkTo(model, each, locale, base)}`)}</p>`
}

/** The texts of a show: its description, then the others under their labels. */
export function textsOf(context: RecordContext): Content {
  const { locale, words, entity } = context
  const texts = fieldsOf(context).texts.flatMap(([key, field]) => {
    const values = valuesFor(entity.metadata, key, locale.language)
    return values.length === 0 ? [] : [{ key, markup: values.map(each => valueHtml(field, each, locale)) }]
  })
  const short = texts.find(({ key }) => key === 'description_short')
  const long = texts.find(({ key }) => key === 'description')
  const others = texts.filter(each => each !== short && each !== long && each.key !== credits)
  return [
    (long || short) &&
      html`<section class="reading"><h2>${words.about}</h2>${long && short && html`<div class="lead">${short.markup}</div>`}${(long ?? short)?.markup}</section>`,
    others.map(
      ({ key, markup }) =>
        html`<section class="reading"><h2>${locale.label(locale.labels.fields, key)}</h2>${markup}</section>`
    )
  ]
}

const credits = 'credits'

/** The people of a show by part or role, then the credits as the company words them. */
export function castOf(context: RecordContext): Content {
  const { parts, locale, words, base, entity, related } = context
  const people = entity.relations.flatMap(({ type, key, metadata = [] }) => {
    const person = type === 'refAuthors' ? related.get(key) : undefined
    if (!person) return []
    const texts = (name: string) =>
      valuesOf({ metadata }, name)
        .flat()
        .filter(each => typeof each === 'string')
    const [own] = [...texts('part'), ...texts('instrument')]
    const isAlternate = valuesOf({ metadata }, 'alternate').includes(true)
    return [{ part: own ?? texts('role').map(locale.role).join(', '), person, isAlternate }]
  })
  const texts = fieldsOf(context).texts.flatMap(([key, field]) =>
    key === credits ? valuesFor(entity.metadata, key, locale.language).map(each => valueHtml(field, each, locale)) : []
  )
  if (people.length + texts.length === 0) return undefined
  return html`<section class="cast"><h2>${words.castAndTeam}</h2>${
    people.length > 0 &&
    html`<dl>${[...Map.groupBy(people, ({ part }) => part)].map(
      ([part, group]) =>
        html`<div><dt>${part === '' ? locale.label(locale.labels.relations, 'refAuthors') : part}</dt>${group.map(
          ({ person, isAlternate }) =>
            html`<dd>${linkTo(parts.model, person, locale, base)}${isAlternate && html` <span class="role">(${locale.label(locale.labels.fields, 'alternate')})</span>`}</dd>`
        )}</div>`
    )}</dl>`
  }${texts.length > 0 && html`<details><summary>${locale.label(locale.labels.fields, credits)}</summary>${texts}</details>`}</section>`
}

/** The facts of a show that have no place of their own. */
export function otherFacts(context: RecordContext, hasNights: boolean): Content {
  const { parts, locale, base, entity, related } = context
  const { chips, texts } = fieldsOf(context)
  const hidden = new Set<string>([...[...chips, ...texts].map(([key]) => key), ...placed])
  if (!hasNights) hidden.delete(programme.at)
  return factsOf(parts.model, entity, locale, base, { related, hidden })
}

/** The works that a show plays, with their editions. */
export async function playsOf({ parts, locale, words, base, entity, related }: RecordContext): Promise<Content> {
  const { model, catalogue, principal, now } = parts
  const named = targetsOf(entity, 'refWorks').flatMap(key => related.get(key) ?? [])
  const above = named.flatMap(each => targetsOf(each, wemLinks.expression))
  const works = [
    ...named.filter(each => model.umbrellaOf(each.type) === levels[0]),
    ...(await readRecords(parts, above)).values()
  ]
  const plays = [...new Map(works.map(each => [each.id, each])).values()].slice(0, 8)
  if (plays.length === 0) return undefined
  const [summaries, copies] = await Promise.all([
    catalogue.lists.summarise(principal, plays, { now: now() }),
    Promise.all(plays.map(({ id }) => whereIs(parts, id)))
  ])
  const covers = await coversOf(parts, [...plays, ...[...summaries.values()].flatMap(({ newest = [] }) => newest)])
  const makers = await readRecords(
    parts,
    plays.flatMap(each => targetsOf(each, 'refAuthors'))
  )
  return html`<section class="plays"><h2>${words.thePlay}</h2><ul>${plays.map((play, at) => {
    const { editions = 0, years = [], newest = [] } = summaries.get(play.id) ?? {}
    const { libraries = 0 } = copies[at] ?? {}
    const names = targetsOf(play, 'refAuthors').flatMap(key => makers.get(key) ?? [])
    const file = [play, ...newest].flatMap(({ id }) => covers.get(id) ?? [])[0]
    const details = [
      ...(editions > 0 ? [locale.phrases.editionsOfWork(editions, locale.number(editions))] : []),
      ...(years.length > 0 ? [years.join('–')] : []),
      ...(libraries > 0 ? [words.atLibraries(libraries)] : [])
    ]
    return html`<li>${coverHtml(model, { type: play.type, name: nameOf(model, play, locale.language), maker: names[0] && nameOf(model, names[0], locale.language), file }, base, 320)}<div><strong>${linkTo(model, play, locale, base)}</strong>${
      names.length > 0 &&
      html`<p>${names.map((each, at) => html`${at > 0 && '; '}${linkTo(model, each, locale, base)}`)}</p>`
    }<p class="quiet">${details.join(' · ')}</p>${editions > 0 && html`<p><a href="${base}${locale.prefix}${recordPath(play.id)}#editions" aria-label="${words.readIt}: ${nameText(model, play, locale)}">${words.readIt} →</a></p>`}</div></li>`
  })}</ul></section>`
}

/** Other shows of the companies of a show, the newest first. */
export async function alsoBy({ parts, locale, words, base, entity, related }: RecordContext): Promise<Content> {
  const { catalogue, model, principal } = parts
  const companies = targetsOf(entity, programme.by).flatMap(key => related.get(key) ?? [])
  const [company] = companies
  if (company === undefined) return undefined
  const page = await catalogue.lists.entities(principal, {
    filter: {
      kind: 'all',
      of: [
        { kind: 'types', types: [entity.type] },
        isRelatedTo(programme.by, [company.id]),
        { kind: 'not', of: { kind: 'identifiers', identifiers: [entity.id] } }
      ]
    },
    order: { items: [{ by: 'metadata', key: 'premiere_date' }], ascending: false },
    ...{ skip: 0, limit: maxOthers, cursor: undefined }
  })
  if (page.count === 0) return undefined
  const shows = page.entities.map(({ json }) => JSON.parse(json) as Entity)
  return html`<section class="also"><h2>${words.alsoBy(nameText(model, company, locale))}</h2>${await showPosters(parts, shows, { locale, base, owner: company, isSmall: true })}${
    page.count > shows.length &&
    html`<p><a href="${base}${locale.prefix}${recordPath(company.id)}">${locale.phrases.more(locale.number(page.count + 1))}</a></p>`
  }</section>`
}

/** The press kit, where visitors may read the files in it. */
export const pressKit = ({ parts: { principal }, words, base, entity }: RecordContext): Content =>
  principal.mayRead(mediafile.type) &&
  html`<p class="quiet"><a href="${base}/entities/${encodeURIComponent(entity.id)}/press-kit.zip" rel="nofollow">${words.pressKit}</a></p>`

/** Productions on one page of a programme, and beside a work. */
const [pageSize, pageSizeOfWork] = [24, 8]

/** The productions of a season, venue or company as posters, with the days that they are played. */
export async function showsOf(context: RecordContext): Promise<Section> {
  const rules = Object.hasOwn(programmeOwners, context.entity.type) ? programmeOwners[context.entity.type] : undefined
  if (rules?.productionsBy === undefined) return { markup: undefined, lists: [] }
  const { entity, words } = context
  return listShows(context, isRelatedTo(rules.productionsBy, [entity.id]), words.shows, entity)
}

/** The productions of a work, in any translation. */
export const stagingsOf = (context: RecordContext): Promise<Section> =>
  listShows(
    context,
    {
      kind: 'any',
      of: [
        isRelatedTo('refWorks', [context.entity.id]),
        { kind: 'related', type: 'refWorks', of: isRelatedTo(wemLinks.expression, [context.entity.id]) }
      ]
    },
    context.words.onStage
  )

/** The shows that a filter finds; of those of an owner, such as a venue, with its days. */
async function listShows(context: RecordContext, filter: Filter, heading: string, owner?: Entity): Promise<Section> {
  const { parts, locale, base, address } = context
  const { catalogue, principal, now } = parts
  const list = 'shows'
  if (!principal.mayRead(programme.production)) return { markup: undefined, lists: [] }
  const skip = skipOf(address, list)
  const size = owner ? pageSize : pageSizeOfWork
  const page = await catalogue.lists.entities(principal, {
    filter: { kind: 'all', of: [{ kind: 'types', types: [programme.production] }, filter] },
    order: nextFirst,
    ...{ skip, limit: size, cursor: undefined }
  })
  if (page.count === 0) return { markup: undefined, lists: [] }
  const found = page.entities.map(({ json }) => JSON.parse(json) as Entity)
  const summaries = await catalogue.lists.summarise(principal, found, { now: now(), owner })
  const shows = byNextNight(found, summaries, now())
  const options = { locale, base, owner, isSmall: owner === undefined, summaries }
  const paged = { list, skip, shown: shows.length, count: page.count, size, anchor: 'shows', label: heading }
  return {
    markup: html`<section class="shows" id="shows"><h2>${heading} <span class="count">${locale.number(page.count)}</span></h2>${await showPosters(parts, shows, options)}${pagingOf(address, paged, locale)}</section>`,
    lists: [list]
  }
}

/** Links to the programme of today, of the weekend and of the week. */
export const whenLinks = ({ words, locale, base, entity }: RecordContext): Markup =>
  html`<nav class="when" aria-label="${words.programme}"><ul class="chips">${(
    ['today', 'weekend', 'week'] as const
  ).map(
    when =>
      html`<li><a href="${base}${locale.prefix}/programme?when=${when}&amp;of=${encodeURIComponent(entity.id)}">${words[when]}</a></li>`
  )}</ul></nav>`
