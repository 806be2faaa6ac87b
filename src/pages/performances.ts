import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { zoneOfPlace } from '#domain/values/zone-of-place.ts'
import type { ProgrammeEntry } from '#catalogue/productions/read-programme.ts'
import { linkTo } from './facts.ts'
import type { Locale } from './locale.ts'
import { type Content, html } from './markup.ts'
import { listOf, type PageParts, recordPath } from './page.ts'

/** Maximum number of performances on a page. */
const maxShown = 200

/** A day, in milliseconds. */
const day = 86_400_000

/** The performances of a record from today on, with a link to its calendar. */
export async function performancesOf(parts: PageParts, owner: Entity, locale: Locale): Promise<Content> {
  const { catalogue, principal, publicUrl, now } = parts
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  const { entries } = await catalogue.productions.programme(principal, owner.id, {
    from: now() - day,
    to: Number.POSITIVE_INFINITY
  })
  if (entries.length === 0) return undefined
  const calendar = `${base}/entities/${encodeURIComponent(owner.id)}/calendar.ics`
  return html`<section><h2>${locale.phrases.performances} (${locale.number(entries.length)})</h2>
${listOf(entries.slice(0, maxShown).map(each => entryOf(parts, each, owner, locale, base)))}
<p><a href="${calendar}" rel="nofollow">${locale.phrases.calendar}</a></p></section>`
}

/**
 * One performance: when, what and where, without the record whose page it is on, and its state
 * where it is not as planned.
 */
function entryOf(
  { model, timeZone }: PageParts,
  entry: ProgrammeEntry,
  owner: Entity,
  locale: Locale,
  base: string
): Content {
  const { performance, production, venues } = entry
  const start = String(valuesOf(performance, 'start')[0] ?? '')
  const state = valuesOf(performance, 'status')[0]
  const [asPlanned] = model.fieldOf(performance.type, 'status')?.of ?? []
  const zone = venues.flatMap(each => zoneOfPlace(each) ?? [])[0] ?? timeZone
  const isChanged = typeof state === 'string' && state !== asPlanned
  return html`<a href="${base}${locale.prefix}${recordPath(performance.id)}"><time datetime="${start}">${locale.moment(start, zone)}</time></a>${
    production && production.id !== owner.id && html` ${linkTo(model, production, locale, base)}`
  }${venues.filter(({ id }) => id !== owner.id).map(each => html` · ${linkTo(model, each, locale, base)}`)}${
    isChanged && html` <strong>${locale.label(locale.labels.values, String(state))}</strong>`
  }`
}
