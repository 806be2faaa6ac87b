import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { invalidWith, notFound } from '#domain/errors.ts'
import { type ProgrammeEntry, programmeOwners } from '#domain/record-types/programme.ts'
import { momentIn } from '#domain/values/time-zone.ts'
import { dayText, localTimeOf } from './clock.ts'
import { coverHtml, coversOf } from './covers.ts'
import { linkTo } from './facts.ts'
import { type Locale, nameOf, nameText } from './locale.ts'
import { type Content, html } from './markup.ts'
import { cityOf, clocksOf, nightOf } from './nights.ts'
import type { Page, PageParts } from './page.ts'
import { addressWith, type ListAddress, pagingOf, skipOf } from './paging.ts'
import { type Days, programmeDays } from './programme-days.ts'
import { recordPhrases } from './record-phrases.ts'

/** Performances on one page, and the maximum number that the days of a programme may have. */
const [pageSize, maxNights] = [100, 5000]

/** A day, and the largest distance of a clock from UTC, in milliseconds. */
const [day, farthest] = [86_400_000, 14 * 3_600_000]

/**
 * The programme of today, of the weekend or of a week, day by day: of the whole catalogue, or of a
 * season, venue or company. A day is that of the venue.
 */
export async function programmePage(parts: PageParts, parameters: URLSearchParams, locale: Locale): Promise<Page> {
  const { model, publicUrl } = parts
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  const address: ListAddress = { path: '/programme', base: base + locale.prefix, parameters }
  const words = recordPhrases[locale.language]
  const when = daysNamed(parameters.get('when') ?? 'week')
  const owner = await findOwner(parts, parameters.get('of') ?? undefined)
  const [first, last] = daysOf(parts, when, parameters.get('date'))
  const { nights: all, isCut } = await nightsOf(parts, owner, first, last)
  const ofAge = (entry: ProgrammeEntry) =>
    (entry.production ? valuesOf(entry.production, 'age_category') : []).map(String)
  const ofCity = ({ venues }: ProgrammeEntry) => venues.flatMap(each => cityOf(each, locale) ?? [])
  const choices = [
    { name: 'city', label: words.cities, every: words.allCities, of: ofCity, text: (value: string) => value },
    {
      name: 'age',
      label: words.ages,
      every: words.everyAge,
      of: ofAge,
      text: (value: string) => locale.label(locale.labels.values, value)
    }
  ]
  const chosen = all.filter(entry =>
    choices.every(({ name, of }) => !parameters.get(name) || of(entry).includes(parameters.get(name) ?? ''))
  )
  const skip = skipOf(address, 'dates')
  const shown = chosen.slice(skip, skip + pageSize)
  const covers = await coversOf(
    parts,
    shown.flatMap(({ production }) => production ?? [])
  )
  const title = owner ? `${nameText(model, owner, locale)} · ${words[when]}` : `${words.programme} · ${words[when]}`
  const clocks = clocksOf(parts, shown, locale)
  const days = Map.groupBy(shown, each => localTimeOf(each, parts.timeZone).day)
  const to = (changes: Readonly<Record<string, string | undefined>>) =>
    addressWith(address, { ...changes, dates: undefined })
  const week = (at: number) => new Date(Date.parse(first) + at * day).toISOString().slice(0, 10)
  return {
    title,
    description: `${dayText(locale, 'longDay', first)} – ${dayText(locale, 'longDay', last)}`,
    path: `/programme?${new URLSearchParams({ when, ...(owner ? { of: owner.id } : {}) })}`,
    // Every week has a page; those of other weeks than this would have no end.
    ...(parameters.has('date') ? { isUnlisted: true } : {}),
    body: html`<div class="programme"><h1>${words[when]}</h1>${owner && html`<p>${linkTo(model, owner, locale, base)}</p>`}
<p class="quiet">${first === last ? dayText(locale, 'longDay', first) : `${dayText(locale, 'longDay', first)} – ${dayText(locale, 'longDay', last)}`}</p>
<nav aria-label="${words.programme}"><ul class="chips">${programmeDays.map(
      each =>
        html`<li><a href="${to({ when: each, date: undefined })}"${each === when && !parameters.has('date') && html` aria-current="true"`}>${words[each]}</a></li>`
    )}</ul></nav>
${choices.map(choice => chipsOf(choice, all, parameters, to))}
${chosen.length === 0 && html`<p>${words.nothingThen}</p>`}
${isCut && html`<p class="notice">${words.tooManyNights(locale.number(maxNights))}</p>`}
${[...days].map(
  ([date, nights]) =>
    html`<h2>${dayText(locale, 'longDay', date)}</h2><ol class="night-list">${nights.map(entry =>
      nightOf(parts, entry, locale, {
        owner,
        base,
        day: undefined,
        hasClock: clocks.areMixed,
        picture: pictureOf(parts, entry, covers, locale, base)
      })
    )}</ol>`
)}
${clocks.note}
${pagingOf(address, { list: 'dates', skip, shown: shown.length, count: chosen.length, size: pageSize, anchor: 'content', label: words.programme }, locale)}
${
  when === 'week' &&
  html`<nav class="paging" aria-label="${words.week}"><a href="${to({ date: week(-7) })}" rel="nofollow">${words.previousWeek}</a><a href="${to({ date: week(7) })}" rel="nofollow">${words.nextWeek}</a></nav>`
}</div>`
  }
}

/** Reads the name of the days. Throws `invalid` for an unknown one. */
function daysNamed(name: string): Days {
  const found = programmeDays.find(each => each === name)
  if (found === undefined)
    throw invalidWith([{ pointer: 'when', message: `Must be one of ${programmeDays.join(', ')}, not "${name}"` }])
  return found
}

/** The record whose programme is asked for. Throws `not_found` where it has none. */
async function findOwner({ catalogue, principal }: PageParts, id: string | undefined): Promise<Entity | undefined> {
  if (id === undefined || id === '') return undefined
  const { entity } = await catalogue.entities.readSurroundings(principal, id, () => ({ follow: [], referrers: {} }))
  if (!Object.hasOwn(programmeOwners, entity.type)) throw notFound('programme of an entity', id)
  return entity
}

/** The first and the last day of a programme: today, the weekend (from Friday), or seven days. */
function daysOf({ now, timeZone }: PageParts, when: Days, date: string | null): [string, string] {
  const today = momentIn(timeZone, now()).slice(0, 10)
  const asked = date ?? today
  if (!/^\d{4}-\d\d-\d\d$/.test(asked) || Number.isNaN(Date.parse(asked)))
    throw invalidWith([{ pointer: 'date', message: `Must be a day such as 2027-01-18, not "${asked}"` }])
  const start = Date.parse(asked)
  const at = (days: number) => new Date(start + days * day).toISOString().slice(0, 10)
  // Days of the week, from Monday.
  const weekday = (new Date(start).getUTCDay() + 6) % 7
  if (when === 'today') return [asked, asked]
  return when === 'week' ? [asked, at(6)] : [at(Math.max(0, 4 - weekday)), at(6 - weekday)]
}

/** The performances of some days by the clocks of their venues. */
async function nightsOf(
  { catalogue, principal, timeZone }: PageParts,
  owner: Entity | undefined,
  first: string,
  last: string
): Promise<{ readonly nights: ProgrammeEntry[]; readonly isCut: boolean }> {
  const period = { from: Date.parse(first) - farthest, to: Date.parse(last) + day + farthest }
  const found: ProgrammeEntry[] = []
  let count = 1
  while (found.length < count && found.length < maxNights) {
    const page = await catalogue.productions.performances(principal, { owner, period, skip: found.length, limit: 500 })
    count = page.entries.length === 0 ? 0 : page.count
    found.push(...page.entries)
  }
  const nights = found.filter(entry => {
    const { day: date } = localTimeOf(entry, timeZone)
    return date >= first && date <= last
  })
  return { nights, isCut: found.length < count }
}

interface Choice {
  /** The parameter. */
  readonly name: string
  readonly label: string
  /** The words for no choice. */
  readonly every: string
  readonly of: (entry: ProgrammeEntry) => readonly string[]
  readonly text: (value: string) => string
}

/** Links to the performances with one value, where there are several values. */
function chipsOf(
  { name, label, every, of, text }: Choice,
  entries: readonly ProgrammeEntry[],
  parameters: URLSearchParams,
  to: (changes: Readonly<Record<string, string | undefined>>) => string
): Content {
  const chosen = parameters.get(name) || undefined
  const values = [...new Set([...entries.flatMap(of), ...(chosen === undefined ? [] : [chosen])])].sort()
  if (values.length < 2) return undefined
  const chip = (value: string | undefined, words: string) =>
    html`<li><a href="${to({ [name]: value })}"${value === chosen && html` aria-current="true"`}>${words}</a></li>`
  return html`<nav aria-label="${label}"><ul class="chips">${chip(undefined, every)}${values.map(each => chip(each, text(each)))}</ul></nav>`
}

function pictureOf(
  { model }: PageParts,
  { production }: ProgrammeEntry,
  covers: ReadonlyMap<string, Entity>,
  { language }: Locale,
  base: string
): Content {
  if (production === undefined) return html`<span class="entry-cover"></span>`
  const name = nameOf(model, production, language)
  return coverHtml(model, { type: production.type, name, file: covers.get(production.id) }, base)
}
