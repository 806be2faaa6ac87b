import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { type Publication, type PublicationLevel, relatedBy, wemLinks } from '#domain/entity/publication.ts'
import { zoneOfShow } from '#domain/values/zone-of-place.ts'
import { holdings } from '#domain/record-types/holdings.ts'
import { programmeOwners } from '#domain/record-types/programme.ts'
import { toCitation } from '#formats/citations/to-citation.ts'
import { writeCoins } from '#formats/citations/coins.ts'
import { htmlToText } from '#formats/html/html-to-text.ts'
import { addressOf } from '#formats/rdf/address-of.ts'
import { describeEntity } from '#formats/rdf/describe-entity.ts'
import { surroundingsOf } from '#formats/rdf/mapping-of.ts'
import { writeSchemaOrg } from '#formats/rdf/write-jsonld.ts'
import { factsOf, langOf, linkTo, valueHtml } from './facts.ts'
import { type Locale, nameOf, nameText, valuesFor } from './locale.ts'
import { type Content, html, type Markup } from './markup.ts'
import { listOf, type Page, type PageParts, recordPath } from './page.ts'
import { picturesOf } from './pictures.ts'
import { performancesOf } from './performances.ts'
import { readRecords } from './read-records.ts'
import { editionsOf } from './editions.ts'

/** Maximum number of referring records that a page lists for each kind of relation. */
const maxReferring = 100

/** The page of one record. Throws `not_found` for a record that visitors may not read. */
export async function recordPage(parts: PageParts, identifier: string, skip: number, locale: Locale): Promise<Page> {
  const { catalogue, model, principal, publicUrl, timeZone } = parts
  const found = await catalogue.entities.readSurroundings(principal, identifier, type => surroundingsOf(model, type))
  const { entity, related } = found
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  const name = nameOf(model, entity, locale.language)
  const zone = zoneOfShow(entity, key => related.get(key)) ?? timeZone
  const title = titleOf(parts, entity, related, locale, zone)
  const [publication] = (await catalogue.publications.readMany(principal, [entity.id], { withItems: true })).values()
  const pictures = await picturesOf(parts, entity.id)
  const makers = makersOf(parts, publication, entity, related)
  const sections: Content[] = [
    publication !== undefined && itemsOf(parts, publication, locale),
    publication !== undefined && linksOf(parts, publication, locale),
    publication === undefined
      ? factsOf(model, entity, locale, base, { related, zone })
      : publicationFacts(parts, publication, locale, base),
    isWork(parts, entity) && (await editionsOf(parts, entity.id, skip, locale)),
    Object.hasOwn(programmeOwners, entity.type) && (await performancesOf(parts, entity, locale)),
    publication === undefined && !isWork(parts, entity) && (await referringOf(parts, entity, locale, base)),
    publication !== undefined && citeLinks(publication, locale, base),
    formatLinks(entity, locale, base)
  ]
  const [subtitle] = valuesFor(entity.metadata, 'subtitle', locale.language)
  return {
    title,
    description: describe(
      entity,
      title,
      makers.map(each => String(nameOf(model, each, locale.language).value))
    ),
    path: recordPath(entity.id),
    ...(publication ? { kind: 'book' } : {}),
    image: pictures.first && publicUrl + pictures.first,
    jsonLd: writeSchemaOrg(describeEntity(model, publicUrl, found), addressOf(publicUrl, entity.id)),
    body: html`<article class="record"><header>
<p class="kind">${locale.label(locale.labels.types, entity.type)}</p>
<h1${langOf(name)}>${title}</h1>
${subtitle && html`<p class="subtitle"${langOf(subtitle)}>${String(subtitle.value)}</p>`}
${makers.length > 0 && html`<p class="makers">${joined(makers.map(each => linkTo(model, each, locale, base)))}</p>`}
</header>${pictures.markup(base)}${sections}${
      publication &&
      html`<span class="Z3988" title="${writeCoins(toCitation(publication), publicUrl + recordPath(entity.id))}"></span>`
    }</article>`
  }
}

/** The name of a record; that of a part, such as a performance, follows the name of the whole. */
function titleOf(
  { model }: PageParts,
  entity: Entity,
  related: ReadonlyMap<string, Entity>,
  locale: Locale,
  zone: string
): string {
  const name = nameText(model, entity, locale, zone)
  const { partOf } = model.findType(entity.type) ?? {}
  const whole = entity.relations.flatMap(({ type, key }) => (type === partOf ? (related.get(key) ?? []) : []))[0]
  return whole === undefined ? name : `${nameText(model, whole, locale)} · ${name}`
}

const isWork = ({ model }: PageParts, { type }: Entity) => model.umbrellaOf(type) === 'work'

const joined = (items: readonly Content[]): Content => items.map((each, index) => html`${index > 0 && ', '}${each}`)

/** The people and organisations that made it, of a publication at all its levels. */
function makersOf(
  { model }: PageParts,
  publication: Publication | undefined,
  entity: Entity,
  related: ReadonlyMap<string, Entity>
): Entity[] {
  const levels: readonly (PublicationLevel | undefined)[] = publication
    ? [...publication.expressions.flatMap(each => [each.work, each]), publication.manifestation]
    : []
  const all = publication
    ? levels.flatMap(level => level?.related.map(each => each.entity) ?? [])
    : entity.relations.flatMap(({ key }) => related.get(key) ?? [])
  const makers = all.filter(each => model.findType(each.type)?.isMaker)
  return [...new Map(makers.map(each => [each.id, each])).values()].slice(0, 12)
}

/**
 * The facts of a publication, then those of the expressions it contains and of their works. A title
 * that is that of the publication is not repeated.
 */
function publicationFacts({ model }: PageParts, publication: Publication, locale: Locale, base: string): Markup {
  const { manifestation, expressions } = publication
  const links = new Set<string>([...Object.values(wemLinks), linkField])
  const facts = (level: PublicationLevel) => {
    const related = new Map(level.related.map(each => [keyOf(level, each.entity), each.entity]))
    return factsOf(model, level.entity, locale, base, { related, hidden: links })
  }
  const title = nameText(model, manifestation.entity, locale)
  const heading = ({ entity }: PublicationLevel) => {
    const kind = locale.label(locale.labels.types, entity.type)
    return nameText(model, entity, locale) === title
      ? html`<a href="${base}${locale.prefix}${recordPath(entity.id)}">${kind}</a>`
      : html`${kind}: ${linkTo(model, entity, locale, base)}`
  }
  return html`${facts(manifestation)}${expressions.map(
    expression =>
      html`<section class="level"><h2>${heading(expression)}</h2>${facts(expression)}${
        expression.work &&
        html`<section class="level"><h3>${heading(expression.work)}</h3>${facts(expression.work)}</section>`
      }</section>`
  )}`
}

/** The copies that libraries hold: library, place, shelf mark and state of each. */
function itemsOf({ model, publicUrl }: PageParts, { items = [] }: Publication, locale: Locale): Content {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  if (items.length === 0) return false
  const lines = items.map(item => {
    const libraries = relatedBy(item, holdings.at).map(({ entity }) => linkTo(model, entity, locale, base))
    const details = ['location', 'shelf_mark', 'volume', 'status'].flatMap(key =>
      valuesFor(item.entity.metadata, key, locale.language).map(
        each => html`<span${langOf(each)}>${String(each.value)}</span>`
      )
    )
    return joined([...libraries, ...details])
  })
  return html`<section class="holdings"><h2>${locale.label(locale.labels.reverse, holdings.ofPublication)}</h2>${listOf(lines)}</section>`
}

/** The field of a publication with addresses where it can be read or borrowed. */
const linkField = 'link'

/** The addresses of a publication. */
function linksOf({ model }: PageParts, { manifestation: { entity } }: Publication, locale: Locale): Content {
  const field = model.fieldOf(entity.type, linkField)
  const links = valuesFor(entity.metadata, linkField, locale.language)
  if (field === undefined || links.length === 0) return false
  return html`<section class="links"><h2>${locale.label(locale.labels.fields, linkField)}</h2>${listOf(
    links.map(each => valueHtml(field, each, locale))
  )}</section>`
}

/** The key by which a level refers to a related entity: any of its identifiers. */
function keyOf({ entity }: PublicationLevel, { id, identifiers }: Entity): string {
  return entity.relations.find(({ key }) => key === id || identifiers.includes(key))?.key ?? id
}

/** Records that refer to this one, by the kind of relation. */
async function referringOf(parts: PageParts, entity: Entity, locale: Locale, base: string): Promise<Content> {
  const { catalogue, model, principal } = parts
  const { references, countByType } = await catalogue.entities.listReferences(principal, entity.id, {
    skip: 0,
    limit: maxReferring
  })
  const shown = references.filter(({ type }) => model.findType(type)?.partOf === undefined)
  const records = await readRecords(
    parts,
    shown.map(each => each.id)
  )
  return [...Map.groupBy(shown, each => each.relationType)].map(([relation, group]) => {
    const families = [...new Set(group.map(each => locale.label(locale.labels.families, model.umbrellaOf(each.type))))]
    const label = Object.hasOwn(locale.labels.reverse, relation)
      ? locale.label(locale.labels.reverse, relation)
      : families.join(', ')
    const count = countByType[relation] ?? group.length
    return html`<section><h2>${label} (${locale.number(count)})</h2>${listOf(
      group.flatMap(({ id }) => {
        const record = records.get(id)
        return record ? [linkTo(model, record, locale, base)] : []
      })
    )}</section>`
  })
}

const citationFormats = { bibtex: 'BibTeX', ris: 'RIS', csl: 'CSL JSON' } as const

function citeLinks({ manifestation }: Publication, { phrases }: Locale, base: string): Markup {
  const address = `${base}/entities/${encodeURIComponent(manifestation.entity.id)}`
  return html`<section><h2>${phrases.cite}</h2>${listOf(
    Object.entries(citationFormats).map(
      ([format, label]) => html`<a href="${address}?format=${format}" rel="nofollow">${label}</a>`
    )
  )}</section>`
}

function formatLinks({ id }: Entity, { phrases }: Locale, base: string): Markup {
  const address = `${base}/entities/${encodeURIComponent(id)}`
  const formats = { json: 'JSON', jsonld: 'JSON-LD', turtle: 'Turtle' }
  return html`<section><h2>${phrases.formats}</h2>${listOf(
    Object.entries(formats).map(
      ([format, label]) => html`<a href="${address}?format=${format}" rel="nofollow">${label}</a>`
    )
  )}</section>`
}

/** Maximum length of a description, in characters. */
const maxDescription = 300

/** A short text for previews: the description of the record, or its title and makers. */
function describe(entity: Entity, title: string, makers: readonly string[]): string {
  const [text] = ['description_short', 'description'].flatMap(key => valuesOf(entity, key))
  const plain = typeof text === 'string' ? htmlToText(text).replace(/\s+/g, ' ').trim() : ''
  const [year] = ['year_of_publication', 'year'].flatMap(key => valuesOf(entity, key))
  const known = [title, makers.join(', '), year === undefined || year === null ? '' : String(year)]
  const description = plain === '' ? known.filter(each => each !== '').join('. ') : plain
  return description.length > maxDescription ? `${description.slice(0, maxDescription - 1)}…` : description
}
