import { nightsOfRun, type Summary } from '#catalogue/lists/summarise.ts'
import { type Entity, targetsOf, valuesOf } from '#domain/entity/entity.ts'
import type { Order } from '#domain/filter/order.ts'
import { programme } from '#domain/record-types/programme.ts'
import { daysText, timeIn } from './clock.ts'
import { coverHtml, coversOf } from './covers.ts'
import { linkTo, nameHtml } from './facts.ts'
import { type Locale, nameOf } from './locale.ts'
import { type Content, html } from './markup.ts'
import type { PageParts } from './page.ts'
import { readRecords } from './read-records.ts'

export interface PosterOptions {
  readonly locale: Locale
  readonly base: string
  /** The record whose page it is on: its name is left out, and only its performances count. */
  readonly owner?: Entity | undefined
  readonly isSmall?: boolean
  /** The first and last performances of the shows, where they are known. */
  readonly summaries?: ReadonlyMap<string, Summary>
}

/** The order in which pages of shows are read: by the next performance, then the newest first. */
export const nextFirst: Order = {
  items: [
    { by: 'next', relation: programme.ofProduction, key: 'start' },
    { by: 'metadata', key: 'premiere_date', isReversed: true }
  ],
  ascending: true
}

/**
 * Orders the shows of a page by their next performances, or by a premiere to come where none is
 * known. Those that are over come last, in their given order.
 */
export function byNextNight(shows: readonly Entity[], summaries: ReadonlyMap<string, Summary>, now: number): Entity[] {
  const startOf = (show: Entity) => {
    const next = summaries.get(show.id)?.next_performance
    const start = Date.parse(String(next ? valuesOf(next, 'start')[0] : valuesOf(show, 'premiere_date')[0]))
    return start >= now ? start : Infinity
  }
  return shows.toSorted((one, other) => (startOf(one) === startOf(other) ? 0 : startOf(one) - startOf(other)))
}

/** The days of a show, from the first to the last; undefined where none are known. */
export function runOf(
  { premiere, last_night: last = premiere }: Summary,
  zoneOf: (night: Entity) => string,
  locale: Locale,
  now: number
): string | undefined {
  const dayOf = (night: Entity) => timeIn(night, zoneOf(night)).day
  return premiere && last && daysText(locale, dayOf(premiere), dayOf(last), now)
}

/** The performances that the run of shows is told by. */
export const runNights = (summaries: Iterable<Summary>): Entity[] =>
  [...summaries].flatMap(each => [each.premiere ?? [], each.last_night ?? []].flat())

/** Shows as posters with their companies, the days on which they are played, and their ages. */
export async function showPosters(
  parts: PageParts,
  shows: readonly Entity[],
  { locale, base, owner, isSmall, ...given }: PosterOptions
): Promise<Content> {
  const { catalogue, model, principal, now } = parts
  const [covers, companies, summaries] = await Promise.all([
    coversOf(parts, shows),
    readRecords(
      parts,
      shows.flatMap(each => targetsOf(each, programme.by))
    ),
    given.summaries ?? catalogue.lists.summarise(principal, shows, { now: now(), owner, nights: nightsOfRun })
  ])
  const zoneOf = await catalogue.productions.zones(principal, runNights(summaries.values()))
  const items = shows.map(show => {
    const makers = targetsOf(show, programme.by).flatMap(key => companies.get(key) ?? [])
    const [opening] = valuesOf(show, 'premiere_date')
    const days =
      runOf(summaries.get(show.id) ?? {}, zoneOf, locale, now()) ??
      (opening !== undefined && locale.date(String(opening)))
    const [age] = valuesOf(show, 'age_category')
    const named = makers.filter(({ id }) => id !== owner?.id)
    const cover = {
      type: show.type,
      name: nameOf(model, show, locale.language),
      maker: makers[0] && nameOf(model, makers[0], locale.language),
      file: covers.get(show.id)
    }
    return html`<li>${coverHtml(model, cover, base, 320)}<p class="name">${linkTo(model, show, locale, base)}</p>${
      named.length > 0 &&
      html`<span class="about">${named.map((each, at) => html`${at > 0 && ' · '}${nameHtml(model, each, locale)}`)}</span>`
    }${days && html`<span class="about">${days}</span>`}${
      age !== undefined &&
      !isSmall &&
      html`<span class="chip">${locale.label(locale.labels.values, String(age))}</span>`
    }</li>`
  })
  return html`<ul class="posters${isSmall && ' posters-small'}">${items}</ul>`
}
