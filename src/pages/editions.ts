import { noLabels } from '#catalogue/lists/list-entities.ts'
import { type Entity, targetsOf, valuesOf } from '#domain/entity/entity.ts'
import {
  levels,
  type PublicationExpression,
  type PublicationLevel,
  relatedBy,
  wemLinks
} from '#domain/entity/publication.ts'
import type { Facet } from '#domain/filter/facets.ts'
import { type Filter, isRelatedTo } from '#domain/filter/filter.ts'
import { coverHtml, coversOf } from './covers.ts'
import { kindText, langOf, linkTo, spanOf } from './facts.ts'
import { nameOf, nameText, valuesFor } from './locale.ts'
import { type Content, html } from './markup.ts'
import { recordPath } from './page.ts'
import { addressWith, pagingOf, skipOf } from './paging.ts'
import { readRecords } from './read-records.ts'
import type { RecordContext, Section } from './record-context.ts'
import { roleCodeOf } from '#formats/description/role-codes.ts'
import { availabilityOf, type Copies, copiesOfEach, namesOf } from './shelf.ts'

/** Editions on one page of a work. */
const pageSize = 50

/**
 * Maximum number of languages to narrow by, of expressions that are read for their languages, of
 * those without an edition, and of those with one that are left out by their ids.
 */
const [maxLanguages, maxExpressions, maxBare, maxKnown] = [12, 100, 50, 1000]

/** The parameters: the page, and the language. */
const [list, languageName] = ['skip', 'in'] as const

export interface Editions extends Section {
  readonly count: number
  /** Languages of its expressions; 0 where it has only one, or too many to count. */
  readonly languages: number
  /** The cover of one of them. */
  readonly cover: Entity | undefined
}

/**
 * The editions of a work under their language and translator, a page at a time: each with its
 * cover, year and publisher, and where it can be had.
 */
export async function editionsOf(context: RecordContext): Promise<Editions> {
  const { parts, locale, words, address, entity } = context
  const { catalogue, principal } = parts
  const asked = address.parameters.get(languageName)
  const counted = asked === null ? undefined : await countEditions(context)
  const known = counted && (await languagesOf(context, counted))
  const language = known?.find(({ id }) => id === asked)
  const skip = skipOf(address, list)
  const page = await catalogue.lists.entities(principal, {
    filter: editionFilter(context, language?.id),
    order: { items: [{ by: 'metadata', key: 'year_of_publication' }], ascending: true },
    ...{ skip, limit: pageSize, cursor: undefined, languages: noLabels },
    facets: { of: [expressionFacet], limit: maxKnown }
  })
  const languages = known ?? (await languagesOf(context, page))
  const withEdition = (page.facets?.[expressionFacet.name] ?? []).map(({ value }) => value)
  const shown = page.entities.map(({ id }) => id)
  const [read, copies, bare] = await Promise.all([
    catalogue.publications.readMany(principal, shown),
    copiesOfEach(parts, shown),
    skip === 0 && !language && bareExpressions(context, withEdition)
  ])
  const publications = [...read.values()]
  const covers = await coversOf(
    parts,
    publications.map(({ manifestation }) => manifestation.entity)
  )
  const ofWork = publications.flatMap(publication =>
    publication.expressions
      .filter(({ work }) => work?.entity.id === entity.id)
      .slice(0, 1)
      .map(expression => ({ publication, expression }))
  )
  const groups = [...Map.groupBy(ofWork, ({ expression }) => expression.entity.id).values()].sort(
    (one, other) => rankOf(one[0]?.expression) - rankOf(other[0]?.expression)
  )
  const total = languages.length > 1 && language ? languages.reduce((sum, { count }) => sum + count, 0) : page.count
  const chip = (id: string | undefined, text: Content) =>
    html`<li><a href="${addressWith(address, { [languageName]: id, [list]: undefined })}#editions"${id === language?.id && html` aria-current="true"`}>${text}</a></li>`
  const markup = html`<section class="editions" id="editions"><h2>${locale.phrases.editions} <span class="count">${locale.number(page.count)}</span></h2>
${
  languages.length > 1 &&
  html`<nav aria-label="${words.languagesOfEditions}"><ul class="chips">${chip(undefined, words.allLanguages(language ? '' : locale.number(total)).trim())}${languages.map(
    ({ id, record, count }) => chip(id, html`${namesOf(parts.model, [record], locale)} ${locale.number(count)}`)
  )}</ul></nav>`
}
${page.count === 0 && html`<p>${locale.phrases.noEditions}</p>`}
${groups.map(group => {
  const [first] = group
  return (
    first &&
    html`<section class="expression"><h3>${expressionTitle(context, first.expression)}</h3><ul>${group.map(
      ({ publication: { manifestation } }) => {
        const { id } = manifestation.entity
        return editionLine(context, manifestation, { cover: covers.get(id), copies: copies.get(id) })
      }
    )}</ul></section>`
  )
})}
${pagingOf(address, { list, skip, shown: page.entities.length, count: page.count, size: pageSize, anchor: 'editions', label: locale.phrases.editions }, locale)}
${bare}</section>`
  return {
    markup,
    lists: [list],
    count: page.count,
    languages: languages.length < maxLanguages ? languages.length : 0,
    cover: covers.values().next().value
  }
}

/** The editions of the work, of all languages or one. */
function editionFilter({ parts: { model, principal }, entity }: RecordContext, language: string | undefined): Filter {
  const ofWork = isRelatedTo(wemLinks.expression, [entity.id])
  return {
    kind: 'all',
    of: [
      { kind: 'types', types: principal.readableTypes.filter(each => model.umbrellaOf(each) === levels[2]) },
      {
        kind: 'related',
        type: wemLinks.manifestation,
        of: language === undefined ? ofWork : { kind: 'all', of: [ofWork, isRelatedTo('refLanguages', [language])] }
      }
    ]
  }
}

/**
 * The expressions that have an edition: they are left out of those without one, and tell the
 * languages.
 */
const expressionFacet: Facet = { name: 'expressions', path: { kind: 'relation_key', type: wemLinks.manifestation } }

/** Counts the editions of a work, of all languages or one. */
const countEditions = (context: RecordContext, language?: string, of: readonly Facet[] = [expressionFacet]) =>
  context.parts.catalogue.lists.entities(context.parts.principal, {
    filter: editionFilter(context, language),
    order: { items: [{ by: 'created' }], ascending: true },
    ...{ skip: 0, limit: 0, cursor: undefined, languages: noLabels },
    facets: { of, limit: maxKnown }
  })

interface Language {
  readonly id: string
  readonly count: number
  readonly record: Entity
}

const byCount = (one: Language, other: Language) => other.count - one.count

/**
 * The languages of the expressions of a work, with the number of editions in each; nothing where it
 * has only one.
 */
async function languagesOf(
  context: RecordContext,
  { count, facets }: Awaited<ReturnType<typeof countEditions>>
): Promise<readonly Language[]> {
  const { parts, entity } = context
  const found = facets?.[expressionFacet.name] ?? []
  if (found.length > maxExpressions) return languagesInIndex(context)
  const counts = new Map(found.map(each => [each.value, each.count]))
  const countOf = (id: string) => counts.get(id) ?? 0
  const isOwn = (key: string) => key === entity.id || entity.identifiers.includes(key)
  const expressions = [...(await readRecords(parts, [...counts.keys()]))].filter(([, each]) =>
    targetsOf(each, wemLinks.expression).some(isOwn)
  )
  // Else an edition has several expressions of the work.
  if (expressions.reduce((sum, [id]) => sum + countOf(id), 0) !== count) return languagesInIndex(context)
  const spoken = expressions.flatMap(([id, each]) =>
    targetsOf(each, 'refLanguages').map(key => ({ key, count: countOf(id) }))
  )
  const records = await readRecords(
    parts,
    spoken.map(({ key }) => key)
  )
  const all = [...Map.groupBy(spoken, ({ key }) => records.get(key)?.id ?? '')].flatMap(([id, group]) => {
    const record = records.get(group[0]?.key ?? '')
    return record ? [{ id, record, count: group.reduce((sum, each) => sum + each.count, 0) }] : []
  })
  return all.length < 2 ? [] : all.sort(byCount).slice(0, maxLanguages)
}

/** The same where editions have several expressions of the work: each language by a query. */
async function languagesInIndex(context: RecordContext): Promise<readonly Language[]> {
  const { parts, entity } = context
  const { facets } = await parts.catalogue.lists.entities(parts.principal, {
    filter: isRelatedTo(wemLinks.expression, [entity.id]),
    order: { items: [{ by: 'created' }], ascending: true },
    ...{ skip: 0, limit: 0, cursor: undefined, isCounted: false, languages: noLabels },
    facets: { of: [{ name: 'languages', path: { kind: 'relation_key', type: 'refLanguages' } }], limit: maxLanguages }
  })
  const ids = (facets?.languages ?? []).map(({ value }) => value)
  if (ids.length < 2) return []
  const records = await readRecords(parts, ids)
  const counted = await Promise.all(ids.map(async id => ({ id, ...(await countEditions(context, id, [])) })))
  const all = counted.flatMap(({ id, count }) => {
    const record = records.get(id)
    return record && count > 0 ? [{ id, count, record }] : []
  })
  return all.sort(byCount)
}

/** Originals come before translations, then the oldest. */
const rankOf = (expression: PublicationExpression | undefined): number => {
  const year = Number(expression ? (valuesOf(expression.entity, 'year')[0] ?? 9999) : 9999)
  return (expression && peopleOf(expression).some(({ code }) => code === 'trl') ? 10_000 : 0) + year
}

/** The people of an expression, with the codes of their roles. */
const peopleOf = (expression: PublicationExpression) =>
  relatedBy(expression, 'refAuthors').flatMap(({ entity, metadata }) =>
    valuesOf({ metadata }, 'role').map(role => ({ entity, role: String(role), code: roleCodeOf(String(role)) }))
  )

/** The language of an expression, then its translator and what else tells it apart. */
export function expressionTitle(
  { parts: { model }, locale, words, base, entity }: RecordContext,
  expression: PublicationExpression
) {
  const languages = relatedBy(expression, 'refLanguages').map(each => each.entity)
  const others = peopleOf(expression).filter(({ code }) => code !== 'aut')
  const people = [...Map.groupBy(others, ({ role }) => role)].map(([role, group]) => {
    const [{ code } = { code: undefined }] = group
    const names = group.map(each => nameText(model, each.entity, locale)).join('; ')
    const phrase =
      code !== undefined && Object.hasOwn(words.by, code) ? words.by[code as keyof typeof words.by] : undefined
    return phrase?.(names) ?? `${locale.role(role)} ${names}`
  })
  const isOriginal =
    people.length === 0 &&
    languages.some(({ id }) => entity.relations.some(each => each.type === 'refLanguages' && each.key === id))
  const [year] = valuesOf(expression.entity, 'year')
  const contents = valuesOf(expression.entity, 'content_type').flat().map(String)
  const usual = model.typesNamed(model.umbrellaOf(expression.entity.type))[0]
  const name = nameOf(model, expression.entity, locale.language)
  const own = nameText(model, expression.entity, locale)
  const details = [
    ...(isOriginal ? [words.original] : people),
    ...(year === undefined ? [] : [String(year)]),
    // One word for the content of the usual kind is "text".
    ...(expression.entity.type === usual
      ? contents.slice(contents.length > 1 ? 0 : 1)
      : contents.length > 0
        ? contents
        : [kindText(model, expression.entity.type, locale)])
  ]
  const link = `${base}${locale.prefix}${recordPath(expression.entity.id)}`
  return html`<a href="${link}">${languages.length > 0 ? namesOf(model, languages, locale) : html`<span${langOf(name)}>${own}</span>`}</a>${
    details.length > 0 && html` <span class="quiet">— ${details.join(', ')}</span>`
  }${languages.length > 0 && own !== nameText(model, entity, locale) && html` <span class="expression-title"${langOf(name)}>${own}</span>`}`
}

/** One edition: cover, year, publisher, what tells it apart, and where it is. */
function editionLine(
  context: RecordContext,
  manifestation: PublicationLevel,
  { cover, copies }: { readonly cover: Entity | undefined; readonly copies: Copies | undefined }
): Content {
  const { parts, locale, base, entity: work } = context
  const { model } = parts
  const { entity } = manifestation
  const texts = (key: string) =>
    valuesOf(entity, key)
      .flat()
      .filter(each => typeof each === 'string' || typeof each === 'number')
      .map(String)
  const publishers = relatedBy(manifestation, 'refPublishers').map(each => each.entity)
  const title = nameText(model, entity, locale)
  const shown = { type: entity.type, name: nameOf(model, entity, locale.language), file: cover }
  const details = ['edition', 'material_type'].flatMap(key =>
    valuesFor(entity.metadata, key, locale.language).map(each => spanOf(each.value, each.lang))
  )
  const made: Content[] = [...(publishers.length > 0 ? [namesOf(model, publishers, locale)] : []), ...details]
  return html`<li class="edition">${coverHtml(model, shown, base)}<b class="edition-year">${texts('year_of_publication')[0]}</b><div>${
    title === nameText(model, work, locale) && made.length > 0
      ? html`<a href="${base}${locale.prefix}${recordPath(entity.id)}">${made.map((each, at) => html`${at > 0 && ' · '}${each}`)}</a>`
      : html`${linkTo(model, entity, locale, base)} <span class="details">${made.map((each, at) => html`${at > 0 && ' · '}${each}`)}</span>`
  }<span class="edition-number">${texts('isbn')[0]}</span></div>${availabilityOf(copies, entity, context)}</li>`
}

/**
 * Whether an expression has an edition: by the ids of those that have one, or, where they are very
 * many, by all editions of the catalogue, which took 14 ms for 100,000.
 */
function isBelowEdition({ parts: { model, principal } }: RecordContext, withEdition: readonly string[]): Filter {
  if (withEdition.length < maxKnown) return { kind: 'identifiers', identifiers: withEdition }
  const types = principal.readableTypes.filter(each => model.umbrellaOf(each) === levels[2])
  return { kind: 'referred', type: wemLinks.manifestation, of: { kind: 'types', types } }
}

/** Expressions that have no edition here. */
async function bareExpressions(context: RecordContext, withEdition: readonly string[]): Promise<Content> {
  const { parts, locale, base, entity } = context
  const { catalogue, principal } = parts
  const page = await catalogue.lists.entities(principal, {
    filter: {
      kind: 'all',
      of: [isRelatedTo(wemLinks.expression, [entity.id]), { kind: 'not', of: isBelowEdition(context, withEdition) }]
    },
    order: { items: [{ by: 'created' }], ascending: true },
    ...{ skip: 0, limit: maxBare, cursor: undefined }
  })
  if (page.count === 0) return undefined
  const expressions = page.entities.map(({ json }) => JSON.parse(json) as Entity)
  const related = await readRecords(
    parts,
    expressions.flatMap(({ relations }) => relations.map(({ key }) => key))
  )
  const level = (each: Entity): PublicationExpression => ({
    entity: each,
    work: undefined,
    related: each.relations.flatMap(({ type, key, metadata = [] }) => {
      const target = related.get(key)
      return target ? [{ type, metadata, entity: target }] : []
    })
  })
  const rest = page.count - expressions.length
  return html`<section class="expression bare"><h3>${locale.phrases.noEditions}</h3><ul>${expressions.map(
    each => html`<li>${expressionTitle(context, level(each))}</li>`
  )}${rest > 0 && html`<li><a href="${base}${locale.prefix}/find?related=${wemLinks.expression}:${encodeURIComponent(entity.id)}&amp;view=records">${locale.phrases.more(locale.number(page.count))}</a></li>`}</ul></section>`
}
