import { noLabels } from '#catalogue/lists/list-entities.ts'
import { type Entity, targetsOf, valuesOf } from '#domain/entity/entity.ts'
import { levels, wemLinks } from '#domain/entity/publication.ts'
import { type Filter, isRelatedTo } from '#domain/filter/filter.ts'
import { holdings } from '#domain/record-types/holdings.ts'
import { makers, pseudonymRelation } from '#domain/record-types/pseudonyms.ts'
import { roleCodeOf } from '#formats/description/role-codes.ts'
import { coverHtml, coversOf } from './covers.ts'
import { linkTo } from './facts.ts'
import { nameOf, nameText } from './locale.ts'
import { type Content, html } from './markup.ts'
import { addressWith, pagingOf, skipOf } from './paging.ts'
import { readRecords } from './read-records.ts'
import type { RecordContext, Section } from './record-context.ts'

/** Records of one list on one page. */
const pageSize = 50

/** Maximum number of pseudonyms of a person whose works are listed with those of the person. */
const maxPseudonyms = 50

/** Maximum number of lists on a page: kinds of records by kinds of relations. */
const maxLists = 12

/** The field with the year of a record of a family. */
const yearFields: Readonly<Record<string, string>> = {
  [levels[0]]: 'year',
  [levels[1]]: 'year',
  [levels[2]]: 'year_of_publication'
}

const sortName = 'sort'

/** The languages of a version of a work, which tell it from the others. */
const languagesOf = (record: Entity) => targetsOf(record, 'refLanguages')

/** One list: the records of a family that refer to a record by a relation. */
interface Referring {
  readonly relation: string
  readonly family: string
  readonly types: readonly string[]
  /** The record, and its pseudonyms where they count as the record. */
  readonly ids: readonly string[]
  readonly count: number
}

/**
 * The records that refer to a record, by relation and kind, each list with its own pages. Lists of
 * works can be ordered by title or by year. The works of a person include those under pseudonyms.
 */
export async function referringOf(context: RecordContext, hidden: ReadonlySet<string>): Promise<Section> {
  const { parts, locale, words, base, entity, address } = context
  const { catalogue, model, principal } = parts
  const { lists: all, pseudonyms } = await listsOf(context, hidden)
  const isByYear = address.parameters.get(sortName) === 'year'
  const lists = await Promise.all(
    all.slice(0, maxLists).map(async each => {
      const list = `${each.relation}.${each.family}`
      const skip = skipOf(address, list)
      const year = yearFields[each.family]
      const [type = ''] = each.types
      const by = isByYear && year !== undefined ? year : (model.findType(type)?.nameField ?? '')
      const page = await catalogue.lists.entities(principal, {
        filter: { kind: 'all', of: [{ kind: 'types', types: each.types }, isRelatedTo(each.relation, each.ids)] },
        order: { items: [{ by: 'metadata', key: by }], ascending: true },
        ...{ skip, limit: pageSize, cursor: undefined, isCounted: false }
      })
      return { ...each, list, skip, year, records: page.entities.map(({ json }) => JSON.parse(json) as Entity) }
    })
  )
  const covers = await coversOf(
    parts,
    lists.flatMap(({ records }) => records)
  )
  const languages = await readRecords(
    parts,
    lists.flatMap(({ family, records }) => (family === levels[1] ? records.flatMap(languagesOf) : []))
  )
  const families = new Map([...Map.groupBy(all, each => each.family)].map(([family, group]) => [family, group.length]))
  const markup = lists.map(({ relation, family, count, list, skip, year, records }) => {
    const anchor = list.replace('.', '-')
    const label = labelOf(context, relation, family, families.get(family) ?? 1)
    const sortLink = (sort: string | undefined, text: string) =>
      html`<a href="${addressWith(address, { [sortName]: sort, [list]: undefined })}#${anchor}"${isByYear === (sort === 'year') && html` aria-current="true"`}>${text}</a>`
    const page = { list, skip, shown: records.length, count, size: pageSize, anchor, label }
    return html`<section class="referring" id="${anchor}"><h2>${label} <span class="count">${locale.number(count)}</span></h2>
${year !== undefined && count > 1 && html`<p class="orders"><span class="quiet">${words.orderBy}</span> ${sortLink(undefined, words.byTitle)} ${sortLink('year', words.byYear)}</p>`}
<ul class="results">${records.map(record => {
      const cover = { type: record.type, name: nameOf(model, record, locale.language), file: covers.get(record.id) }
      const own = record.relations.filter(each => each.type === relation)
      const by = own.find(each => each.key === entity.id) ?? own.find(each => pseudonyms.has(each.key))
      const pseudonym = pseudonyms.get(by?.key ?? '')
      const roles = (by?.metadata ?? []).filter(({ value }) => roleCodeOf(String(value)) !== 'aut')
      const days = [year === undefined ? undefined : valuesOf(record, year)[0], valuesOf(record, 'premiere_date')[0]]
      const spoken = family === levels[1] ? languagesOf(record).flatMap(key => languages.get(key) ?? []) : []
      const details = [
        ...(pseudonym === undefined ? [] : [words.underName(nameText(model, pseudonym, locale))]),
        ...spoken.map(each => nameText(model, each, locale)),
        ...days
          .filter(each => each !== undefined && each !== null)
          .slice(0, 1)
          .map(each => locale.date(String(each)))
      ]
      return html`<li>${coverHtml(model, cover, base)}<div>${linkTo(model, record, locale, base, { metadata: roles })}${
        details.length > 0 && html` <span class="details">${details.join(', ')}</span>`
      }</div></li>`
    })}</ul>${pagingOf(address, page, locale)}</section>`
  })
  const left = all.slice(maxLists)
  const rest: Content =
    left.length > 0 &&
    html`<section class="referring"><h2>${words.more}</h2><ul>${left.map(
      ({ relation, family, count }) =>
        html`<li><a href="${base}${locale.prefix}/find?related=${relation}:${encodeURIComponent(entity.id)}&amp;type=${family}">${labelOf(context, relation, family, 2)} (${locale.number(count)})</a></li>`
    )}</ul></section>`
  return { markup: [markup, rest], lists: lists.map(({ list }) => list) }
}

/** Relations that lead to parts of a record, which its page shows in its own way. */
const partRelations: ReadonlySet<string> = new Set([...Object.values(wemLinks), holdings.ofPublication])

/** The pseudonyms of a person, by id. */
async function pseudonymsOf({ parts, entity }: RecordContext): Promise<ReadonlyMap<string, Entity>> {
  const { entities } = await parts.catalogue.lists.entities(parts.principal, {
    filter: { kind: 'all', of: [{ kind: 'types', types: [entity.type] }, isRelatedTo(pseudonymRelation, [entity.id])] },
    order: { items: [{ by: 'created' }], ascending: true },
    ...{ skip: 0, limit: maxPseudonyms, cursor: undefined, isCounted: false }
  })
  return new Map(entities.map(({ id, json }) => [id, JSON.parse(json) as Entity]))
}

interface Lists {
  readonly lists: readonly Referring[]
  readonly pseudonyms: ReadonlyMap<string, Entity>
}

/** The lists of records that refer to a record, with the number of each. */
async function listsOf(context: RecordContext, hidden: ReadonlySet<string>): Promise<Lists> {
  const { parts, entity } = context
  const { catalogue, model, principal } = parts
  // The number of references would be counted in the database: 78 ms for a language of 66,000.
  const types = await catalogue.entities.listReferenceTypes(principal, entity.id)
  const ofParts = new Set(model.recordTypes.map(({ partOf }) => partOf))
  const pseudonyms: Lists['pseudonyms'] = types.includes(pseudonymRelation) ? await pseudonymsOf(context) : new Map()
  const all = pseudonyms.size === 0 ? types : [...new Set([...types, makers])]
  const relations = all.filter(each => !hidden.has(each) && !partRelations.has(each) && !ofParts.has(each))
  const ofPages = principal.readableTypes.filter(each => model.findType(each)?.partOf === undefined)
  const found = await Promise.all(
    relations.map(async relation => {
      const ids = relation === makers ? [entity.id, ...pseudonyms.keys()] : [entity.id]
      const filter: Filter = {
        kind: 'all',
        of: [{ kind: 'types', types: ofPages }, isRelatedTo(relation, ids)]
      }
      const { facets } = await catalogue.lists.entities(principal, {
        filter,
        order: { items: [{ by: 'created' }], ascending: true },
        facets: { of: [{ name: 'type', path: { kind: 'type' } }], limit: ofPages.length },
        ...{ skip: 0, limit: 0, cursor: undefined, isCounted: false, languages: noLabels }
      })
      const byFamily = Map.groupBy(facets?.type ?? [], ({ value }) => model.umbrellaOf(value))
      return [...byFamily].map(([family, values]) => ({
        ...{ relation, family, ids, types: values.map(({ value }) => value) },
        count: values.reduce((sum, { count }) => sum + count, 0)
      }))
    })
  )
  const rank = ({ family }: Referring) => (family === levels[0] ? 0 : 1)
  const lists = found.flat().sort((one, other) => rank(one) - rank(other) || other.count - one.count)
  return { lists, pseudonyms }
}

/** The name of a list: the relation as seen from here, or the kind of the records. */
function labelOf({ locale, words }: RecordContext, relation: string, family: string, ofFamily: number): string {
  const { labels, label } = locale
  if (Object.hasOwn(labels.reverse, relation)) return label(labels.reverse, relation)
  const kind = family === levels[1] ? words.translations : label(labels.families, family)
  return ofFamily > 1 ? `${kind} (${label(labels.relations, relation).toLocaleLowerCase(locale.language)})` : kind
}
