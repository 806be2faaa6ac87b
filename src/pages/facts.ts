import { type Entity, type Json, type MetadataEntry, valuesOf } from '#domain/entity/entity.ts'
import { levels } from '#domain/entity/publication.ts'
import { priceText } from '#domain/labels/price.ts'
import { readLink } from '#domain/values/link.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Field } from '#domain/record-types/record-type.ts'
import { classTypes, title as uniformTitle } from '#domain/record-types/related.ts'
import { sanitizeHtml } from '#formats/html/sanitize-html.ts'
import { type Locale, nameOf, nameText, type ShownValue, valuesFor } from './locale.ts'
import { type Content, html, Markup } from './markup.ts'
import { recordPath } from './page.ts'

/** The field that stands under the title of a page, not among its facts. */
const subtitle = 'subtitle'

export interface FactOptions {
  readonly related: ReadonlyMap<string, Entity>
  /** Fields and relations that are shown elsewhere on the page. */
  readonly hidden?: ReadonlySet<string>
  /** The time zone of moments. */
  readonly zone?: string | undefined
  /** Rows that the page has already; those of this list are added to it. */
  readonly told?: Set<string>
}

/** The fields and relations of a record, as a list of terms. */
export function factsOf(
  model: Model,
  entity: Entity,
  locale: Locale,
  base: string,
  { related, hidden, zone, told }: FactOptions
): Content {
  const { labels } = locale
  const type = model.findType(entity.type)
  const rows: [string, Content[]][] = []
  const others = otherNames(model, entity, locale)
  const nameField = type?.nameField ?? ''
  if (others.length > 0 && !hidden?.has(nameField)) rows.push([locale.label(labels.fields, nameField), others])
  for (const [key, field] of Object.entries(type?.fields ?? {})) {
    if (field.isInternal || [type?.nameField, type?.statusField, subtitle].includes(key) || hidden?.has(key)) continue
    const values = valuesFor(entity.metadata, key, locale.language)
    if (values.length > 0)
      rows.push([locale.label(labels.fields, key), values.map(each => valueHtml(field, each, locale, zone))])
  }
  const title = nameText(model, entity, locale)
  const classes: Content[] = []
  // A role that stands beside a name is not told again.
  const hasRoles = entity.relations.some(({ metadata = [] }) => valuesOf({ metadata }, 'role').length > 0)
  for (const [relation, relations] of Map.groupBy(entity.relations, each => each.type)) {
    if (hidden?.has(relation) || (relation === roleDesignations && hasRoles)) continue
    const shown = relations.flatMap(({ key, metadata }) => {
      const target = related.get(key)
      if (!target || (target.type === uniformTitle.type && nameText(model, target, locale) === title)) return []
      const [code] = relation === roleDesignations ? valuesOf(target, 'code') : []
      const role = code === undefined ? undefined : locale.role(String(code))
      return role === undefined || role === code
        ? [linkTo(model, target, locale, base, { metadata })]
        : [html`<a href="${base}${locale.prefix}${recordPath(target.id)}">${role}</a>`]
    })
    const label = locale.label(labels.relations, relation)
    const isClass = relations.some(({ key }) => classTypes.has(related.get(key)?.type ?? ''))
    if (isClass) classes.push(...shown.map(each => html`${label} ${each}`))
    else if (shown.length > 0) rows.push([label, shown])
  }
  if (classes.length > 0) rows.push([locale.phrases.classes, classes])
  const isNew = ([label, values]: (typeof rows)[number]) => {
    const text = html`${label}: ${values}`.text
    return !told?.has(text) && (told?.add(text) ?? true)
  }
  const left = rows.filter(isNew)
  return (
    left.length > 0 &&
    html`<dl class="facts">${left.map(
      ([label, values]) => html`<dt>${label}</dt>${values.map(value => html`<dd>${value}</dd>`)}`
    )}</dl>`
  )
}

/** The relation to terms for roles, which are known by their codes in every language. */
const roleDesignations = 'refCodeWordings'

/** The names of a record in other languages and scripts than the one that it is shown by. */
function otherNames(model: Model, entity: Entity, { language }: Locale): Content[] {
  const key = model.findType(entity.type)?.nameField
  const shown = nameOf(model, entity, language)
  return entity.metadata
    .filter(each => each.key === key && each.lang !== shown.lang && each.value !== (shown.filed ?? shown.value))
    .filter(({ value }) => typeof value === 'string' && value !== '')
    .map(({ value, lang }) => spanOf(value, lang))
}

interface LinkOptions {
  /** The metadata of the relation. */
  readonly metadata?: readonly MetadataEntry[] | undefined
  /** The time zone of a moment in the name. */
  readonly zone?: string | undefined
}

/** A link to the page of a record, with its role where the relation has one. */
export function linkTo(
  model: Model,
  entity: Entity,
  locale: Locale,
  base: string,
  { metadata = [], zone }: LinkOptions = {}
): Markup {
  const name = nameOf(model, entity, locale.language)
  const texts = (key: string) =>
    valuesOf({ metadata }, key)
      .flat()
      .filter(each => typeof each === 'string')
  const roles = [...texts('role').map(locale.role), ...texts('part'), ...texts('instrument'), ...texts('date')]
  return html`<a href="${base}${locale.prefix}${recordPath(entity.id)}"${langOf(name)}>${nameText(model, entity, locale, zone)}</a>${roles.length > 0 && html` <span class="role">(${roles.join(', ')})</span>`}`
}

/**
 * The attributes of an element with a text of a record: its language where the record gives it, and
 * the direction of its letters.
 */
export const langOf = ({ lang }: Pick<ShownValue, 'lang'>): Content =>
  html`${lang !== undefined && html` lang="${lang}"`} dir="auto"`

/** The name of a record as text with its language. */
export const nameHtml = (model: Model, entity: Entity, locale: Locale): Content =>
  html`<span${langOf(nameOf(model, entity, locale.language))}>${nameText(model, entity, locale)}</span>`

/** The kind of a record in words: works and expressions of texts need no more than that. */
export function kindText(model: Model, type: string, { labels, label }: Locale): string {
  const umbrella = model.umbrellaOf(type)
  const isText = type === model.typesNamed(umbrella)[0] && umbrella !== levels[2]
  return label(labels.types, isText ? umbrella : type).replace(/\s?: /, ' · ')
}

/** The value of a field in markup. */
export function valueHtml(field: Field, shown: ShownValue, locale: Locale, zone?: string): Content {
  const text = textOf(shown.value)
  switch (field.kind) {
    case 'html':
      return html`<div class="text"${langOf(shown)}>${new Markup(sanitizeHtml(text).html)}</div>`
    case 'choice':
    case 'age_category':
      return locale.label(locale.labels.values, text)
    case 'price':
      return priceText(locale.tag, text)
    case 'minutes':
      return locale.phrases.minutes(text)
    case 'date':
      return locale.date(text)
    case 'moment':
      return html`<time datetime="${text}">${locale.moment(text, zone)}</time>`
    case 'boolean':
      return shown.value === true || text === 'true' ? locale.phrases.yes : locale.phrases.no
    default:
      if (field.isAddress && /^https?:/i.test(text)) {
        const { address, text: words = address } = readLink(text)
        return html`<a href="${address}" rel="nofollow noopener">${words}</a>`
      }
      return html`<span${langOf(shown)}>${text}</span>`
  }
}

const textOf = (value: Json) => (value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value))

/** A value in its language. */
export const spanOf = (value: Json, lang: string | undefined): Markup =>
  html`<span${langOf(lang === undefined ? {} : { lang })}>${String(value)}</span>`
