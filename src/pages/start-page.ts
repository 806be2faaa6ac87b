import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import type { Filter } from '#domain/filter/filter.ts'
import { programme } from '#domain/record-types/programme.ts'
import { titlesOf } from './find-page.ts'
import { linkTo } from './facts.ts'
import type { Locale } from './locale.ts'
import { type Content, html } from './markup.ts'
import { listOf, type Page, type PageParts, recordPath, searchForm } from './page.ts'
import { readRecords } from './read-records.ts'
import { resultsOf } from './results.ts'
import { zonesOf } from './zones.ts'

/** New titles on the first page. */
const maxNew = 12

/** Performances on the first page. */
const maxPerformances = 30

/** A week, in milliseconds. */
const week = 7 * 86_400_000

/** The first page: search, new titles, and the performances of the next seven days. */
export async function startPage(parts: PageParts, locale: Locale): Promise<Page> {
  const { catalogue, principal, publicUrl } = parts
  const { phrases } = locale
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  const newest = await catalogue.lists.entities(principal, {
    filter: titlesOf(parts),
    order: { items: [{ by: 'created' }], ascending: false },
    skip: 0,
    limit: maxNew,
    cursor: undefined,
    isCounted: false
  })
  return {
    title: 'Libretto',
    description: phrases.searchHint,
    path: '/',
    hasSearch: true,
    body: html`<h1>${phrases.catalogue}</h1>${searchForm(base, '', phrases)}
${await onStage(parts, locale, base)}
<section><h2>${phrases.newTitles}</h2><ul class="results">${await resultsOf(parts, newest, locale, base)}</ul></section>`
  }
}

/** Performances of the next seven days, where visitors may read any. */
async function onStage(parts: PageParts, locale: Locale, base: string): Promise<Content> {
  const { catalogue, principal, now } = parts
  if (!principal.mayRead(programme.performance)) return undefined
  const filter: Filter = {
    kind: 'all',
    of: [
      { kind: 'types', types: [programme.performance] },
      {
        kind: 'field',
        path: { kind: 'metadata', key: 'start' },
        test: { kind: 'instant', from: now(), to: now() + week }
      }
    ]
  }
  const page = await catalogue.lists.entities(principal, {
    filter,
    order: { items: [{ by: 'metadata', key: 'start' }], ascending: true },
    skip: 0,
    limit: maxPerformances,
    cursor: undefined,
    isCounted: false
  })
  const performances = page.entities.map(({ json }) => JSON.parse(json) as Entity)
  const shown = await readRecords(
    parts,
    performances.flatMap(each => each.relations.map(({ key }) => key))
  )
  const zoneOf = await zonesOf(parts, performances)
  const items = performances.map(performance => {
    const start = String(valuesOf(performance, 'start')[0] ?? '')
    const related = performance.relations.flatMap(({ key }) => {
      const each = shown.get(key)
      return each ? [html` · ${linkTo(parts.model, each, locale, base)}`] : []
    })
    return html`<a href="${base}${locale.prefix}${recordPath(performance.id)}"><time datetime="${start}">${locale.moment(start, zoneOf(performance))}</time></a>${related}`
  })
  return items.length > 0 && html`<section><h2>${locale.phrases.onStage}</h2>${listOf(items)}</section>`
}
