import { type FindState, relatedIn } from '#domain/find/find-state.ts'
import { htmlToText } from '#formats/html/html-to-text.ts'
import { valueHtml } from './facts.ts'
import { type Locale, nameText } from './locale.ts'
import { html } from './markup.ts'
import type { PageParts } from './page.ts'
import { readRecords } from './read-records.ts'

/**
 * The words and filters of a search in the language of a reader, for bookmarks and feeds; empty for
 * the search for everything.
 */
export async function searchTitle(parts: PageParts, state: FindState, locale: Locale): Promise<string> {
  const { model } = parts
  const { labels, label, phrases } = locale
  const facets = model.facets.map(facet => ({ ...facet, chosen: state.facets[facet.name] ?? [] }))
  const [relation, target] = relatedIn(state) ?? []
  const records = await readRecords(parts, [
    ...facets.flatMap(({ field, chosen }) => (field ? [] : chosen)),
    ...(target === undefined ? [] : [target])
  ])
  const nameOf = (id: string) => {
    const record = records.get(id)
    return record ? nameText(model, record, locale) : id
  }
  return [
    state.text,
    ...state.types.map(type => label(labels.families, type)),
    ...facets.flatMap(({ name, field, chosen }) => {
      if (chosen.length === 0) return []
      const texts = chosen.map(value =>
        field ? htmlToText(html`${valueHtml(field, { value }, locale)}`.text) : nameOf(value)
      )
      return [`${label(field ? labels.fields : labels.relations, name)}: ${texts.join(', ')}`]
    }),
    state.from === '' && state.to === '' ? '' : `${phrases.years}: ${state.from}–${state.to}`,
    relation === undefined || target === undefined ? '' : `${label(labels.relations, relation)}: ${nameOf(target)}`,
    state.ids.length > 0 ? phrases.around.list : ''
  ]
    .filter(each => each !== '')
    .join(' · ')
}
