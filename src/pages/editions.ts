import type { MetadataEntry } from '#domain/entity/entity.ts'
import { linkTo, spanOf } from './facts.ts'
import type { Locale } from './locale.ts'
import { type Content, html } from './markup.ts'
import { type PageParts, recordPath } from './page.ts'
import { readRecords } from './read-records.ts'

/** Editions on one page of a work. */
const pageSize = 100

/** A level of a tree as `readTree` gives it. */
interface TreeLevel {
  readonly id: string
  readonly type: string
  readonly metadata: Readonly<Record<string, { readonly value: MetadataEntry['value']; readonly lang?: string }>>
  readonly relations: readonly { readonly type: string; readonly name?: unknown; readonly title?: unknown }[]
}
interface TreeExpression extends TreeLevel {
  readonly manifestations: readonly TreeLevel[]
}

/** The expressions of a work with their editions, a page at a time. */
export async function editionsOf(parts: PageParts, workId: string, skip: number, locale: Locale): Promise<Content> {
  const { catalogue, model, principal, publicUrl } = parts
  const { phrases } = locale
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  const tree = await catalogue.publications.tree(principal, workId, { skip, limit: pageSize })
  const { expressions } = JSON.parse(`{${tree.members}}`) as { readonly expressions: readonly TreeExpression[] }
  const shown = expressions.filter(each => each.manifestations.length > 0 || tree.count === 0)
  const records = await readRecords(
    parts,
    shown.flatMap(each => [each.id, ...each.manifestations.map(({ id }) => id)])
  )
  const link = ({ id }: TreeLevel) => {
    const record = records.get(id)
    return record ? linkTo(model, record, locale, base) : id
  }
  const address = (at: number) => `${base}${locale.prefix}${recordPath(workId)}${at > 0 ? `?skip=${at}` : ''}`
  return html`<section><h2>${phrases.editions} (${locale.number(tree.count)})</h2>
${tree.count === 0 && html`<p>${phrases.noEditions}</p>`}
${shown.map(
  expression =>
    html`<section class="level"><h3>${link(expression)}</h3><ul>${expression.manifestations.map(
      each => html`<li>${link(each)}${details(each)}</li>`
    )}</ul></section>`
)}
<nav class="paging" aria-label="${phrases.pages}">${skip > 0 && html`<a rel="prev" href="${address(Math.max(0, skip - pageSize))}">${phrases.previous}</a>`}${
    skip + tree.shown < tree.count && html`<a rel="next" href="${address(skip + tree.shown)}">${phrases.next}</a>`
  }</nav></section>`
}

/** The details by which readers tell editions apart: year, edition statement, material, ISBN. */
function details({ metadata }: TreeLevel): Content {
  const known = ['year_of_publication', 'edition', 'material_type', 'isbn'].flatMap(key => {
    const { value, lang } = metadata[key] ?? { value: '' }
    return value === null || value === '' ? [] : [spanOf(value, lang)]
  })
  return (
    known.length > 0 && html` <span class="details">${known.map((each, at) => html`${at > 0 && ' · '}${each}`)}</span>`
  )
}
