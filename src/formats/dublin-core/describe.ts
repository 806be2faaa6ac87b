import { table } from '#domain/table.ts'
import { type Entity, type MetadataEntry, valuesOf } from '#domain/entity/entity.ts'
import { textOf } from '#domain/search/index-values.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import { readLink } from '#domain/values/link.ts'
import { replaceTags } from '#domain/values/replace-tags.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Publication, PublicationLevel, RelatedEntity } from '#domain/entity/publication.ts'

/**
 * The fifteen elements, in their usual order.
 * https://www.dublincore.org/specifications/dublin-core/dces/
 */
const dublinCoreElements = [
  'title',
  'creator',
  'subject',
  'description',
  'publisher',
  'contributor',
  'date',
  'type',
  'format',
  'identifier',
  'source',
  'language',
  'relation',
  'coverage',
  'rights'
] as const
export type DublinCoreElement = (typeof dublinCoreElements)[number]

export interface DublinCoreValue {
  readonly element: DublinCoreElement
  readonly value: string
  readonly lang?: string
}

/**
 * The Dublin Core element of a metadata key, for any type; keys that are in none of the tables are
 * left out.
 */
const elementByField: Readonly<Record<string, DublinCoreElement>> = table({
  title: 'title',
  name: 'title',
  wording: 'title',
  original_title: 'title',
  description: 'description',
  description_short: 'description',
  credits: 'description',
  edition: 'description',
  summary: 'description',
  contents: 'description',
  note: 'description',
  scope_note: 'description',
  biography: 'description',
  active_dates: 'description',
  performers: 'description',
  thesis: 'description',
  award: 'description',
  numbering: 'description',
  provenance: 'description',
  technical_details: 'format',
  other_version: 'relation',
  classification: 'subject',
  other_number: 'identifier',
  dewey: 'subject',
  lcc: 'subject',
  udc: 'subject',
  coordinates: 'coverage',
  access: 'rights',
  lccn: 'identifier',
  link: 'identifier',
  publisher_number: 'identifier',
  life_dates: 'description',
  year: 'date',
  year_of_publication: 'date',
  publication_date: 'date',
  copyright_date: 'date',
  premiere_date: 'date',
  start: 'date',
  start_date: 'date',
  literary_type: 'type',
  content_type: 'type',
  mediafile_type: 'type',
  extent: 'format',
  material_type: 'format',
  media_type: 'format',
  mimetype: 'format',
  isbn: 'identifier',
  issn: 'identifier',
  ean: 'identifier',
  code: 'identifier',
  website: 'identifier',
  url: 'identifier',
  external_url: 'identifier',
  series_statement: 'relation',
  host: 'relation',
  parallel_title: 'title',
  other_title: 'title',
  preceding_title: 'relation',
  succeeding_title: 'relation',
  city: 'coverage',
  country: 'coverage',
  copyright: 'rights',
  rights: 'rights',
  licence: 'rights'
})

/** The Dublin Core element of the name of a related entity; `relation` if it is not here. */
const elementByRelation: Readonly<Record<string, DublinCoreElement>> = table({
  refAuthors: 'creator',
  refSubjects: 'subject',
  refZizos: 'subject',
  refSisos: 'subject',
  refGenres: 'type',
  refPublishers: 'publisher',
  refCompanies: 'contributor',
  refLanguages: 'language',
  refPlaces: 'coverage',
  refTimes: 'coverage',
  refVenues: 'coverage',
  refHalls: 'coverage',
  refCoproducers: 'contributor',
  refSupporters: 'contributor',
  refSeasons: 'coverage'
})

/** Relations about the making of the record, not about its subject. */
const leftOut: ReadonlySet<string> = new Set(['refCodeWordings', 'refTargetAudiences', 'refUniformTitles'])

/**
 * Types of the DCMI, by the kind of material.
 * https://www.dublincore.org/specifications/dublin-core/dcmi-type-vocabulary/
 */
const typeByMaterial: Readonly<Record<string, string>> = table({
  word: 'Text',
  serial: 'Text',
  music: 'Sound',
  map: 'Image',
  footage: 'MovingImage',
  mixed_material: 'Collection',
  computer_file: 'Software'
})

/**
 * Describes a publication in Dublin Core: title, date and number of the manifestation, makers and
 * subjects of its works, and its address.
 */
export function describePublication(model: Model, publication: Publication, address?: string): DublinCoreValue[] {
  const { manifestation, expressions } = publication
  const works = expressions.flatMap(({ work }) => work ?? [])
  // A translation has its own language; that of the original counts only if no other is known.
  const hasLanguage = [manifestation, ...expressions].some(level =>
    level.related.some(({ type }) => type === 'refLanguages')
  )
  const hasAuthor = works.some(work => work.related.some(({ type }) => type === 'refAuthors'))
  return inOrder([
    ...fullTitle(manifestation.entity),
    ...fields(manifestation.entity).filter(({ element }) => element !== 'title'),
    ...material(model, manifestation.entity),
    ...works.flatMap(work => related(model, work, hasLanguage ? { refLanguages: undefined } : {})),
    ...expressions.flatMap(expression =>
      related(model, expression, { refAuthors: hasAuthor ? 'contributor' : 'creator' })
    ),
    // An agent named at the manifestation only has made it, or is the only known author; the place
    // of publication is not its subject.
    ...related(model, manifestation, {
      refAuthors: hasAuthor ? 'contributor' : 'creator',
      refPlaces: undefined
    }),
    ...identifiers(manifestation.entity, address)
  ])
}

/**
 * Describes any other entity in Dublin Core: its name, its fields, and the names of its related
 * entities.
 */
export function describeEntity(model: Model, level: PublicationLevel, address?: string): DublinCoreValue[] {
  const { entity } = level
  const own = fields(entity)
  const nameField = model.findType(entity.type)?.nameField ?? 'name'
  const hasTitle = own.some(({ element }) => element === 'title')
  const named = valuesOf(entity, nameField).map(textOf)
  return inOrder([
    // A record without a name of its own, such as a performance, has the name of the whole that it
    // belongs to.
    ...(hasTitle ? [] : (named.length > 0 ? named : [entity.id]).map(value => ({ element: 'title' as const, value }))),
    ...own,
    { element: 'type', value: entity.type },
    ...related(model, level, {}),
    ...identifiers(entity, address)
  ])
}

function fullTitle(entity: Entity): DublinCoreValue[] {
  const [subtitle] = valuesOf(entity, 'subtitle').map(textOf)
  return fields(entity)
    .filter(({ element }) => element === 'title')
    .map((title, index) => (index === 0 && subtitle ? { ...title, value: `${title.value} : ${subtitle}` } : title))
}

function fields(entity: Entity): DublinCoreValue[] {
  return entity.metadata.flatMap(entry => {
    const element = Object.hasOwn(elementByField, entry.key) ? elementByField[entry.key] : undefined
    return element === undefined ? [] : valuesIn(entry).map(value => toValue(element, value, entry))
  })
}

function toValue(element: DublinCoreElement, value: string, { key, lang }: MetadataEntry): DublinCoreValue {
  const isbn = key === 'isbn' ? readIsbn(value) : undefined
  const text = isbn ? `urn:isbn:${isbn.comparable}` : (textByKey[key]?.(value) ?? withoutTags(value))
  return { element, value: text, ...(lang === undefined ? {} : { lang }) }
}

/** Identifiers are written as URIs; of a link without its text. */
const textByKey: Readonly<Record<string, (value: string) => string>> = table({
  issn: value => `urn:issn:${value}`,
  lccn: value => `urn:lccn:${value.replaceAll(/\s+/g, '')}`,
  link: value => readLink(value).address
})

const valuesIn = ({ value }: MetadataEntry): string[] =>
  (Array.isArray(value) ? value : [value]).map(textOf).filter(text => text !== '')

/**
 * Descriptions are HTML; here they become text. Text in other fields that looks like a tag is rare
 * enough to be treated as one.
 */
const withoutTags = (text: string) =>
  /<\/?[a-z]/i.test(text)
    ? replaceTags(text, () => ' ')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&nbsp;', ' ')
        .replaceAll('&amp;', '&')
        .replaceAll(/\s+/g, ' ')
        .trim()
    : text

function material(model: Model, { type }: Entity): DublinCoreValue[] {
  const kind = type.slice(model.umbrellaOf(type).length + 1)
  const value = Object.hasOwn(typeByMaterial, kind) ? typeByMaterial[kind] : undefined
  return value === undefined ? [] : [{ element: 'type', value }]
}

function related(
  model: Model,
  { related: list }: PublicationLevel,
  exceptions: Readonly<Record<string, DublinCoreElement | undefined>>
): DublinCoreValue[] {
  return list.flatMap(each => {
    if (leftOut.has(each.type)) return []
    const element = Object.hasOwn(exceptions, each.type)
      ? exceptions[each.type]
      : Object.hasOwn(elementByRelation, each.type)
        ? elementByRelation[each.type]
        : 'relation'
    const value = element === undefined ? undefined : relatedValue(model, each, element)
    return element === undefined || value === undefined ? [] : [{ element, value }]
  })
}

/** The value of a related entity: the code of a language, the name of any other. */
function relatedValue(model: Model, { entity }: RelatedEntity, element: DublinCoreElement): string | undefined {
  const nameField = model.findType(entity.type)?.nameField
  const [value] = [
    ...(element === 'language' ? valuesOf(entity, 'code') : []),
    ...valuesOf(entity, nameField ?? 'name')
  ]
  const text = value === undefined ? '' : textOf(value)
  return text === '' ? undefined : text
}

const identifiers = (entity: Entity, address: string | undefined): DublinCoreValue[] =>
  [entity.id, ...entity.identifiers.slice(2), ...(address === undefined ? [] : [address])].map(value => ({
    element: 'identifier',
    value
  }))

/** Sorts by element, without duplicates; a creator is not repeated as a contributor. */
function inOrder(values: readonly DublinCoreValue[]): DublinCoreValue[] {
  const seen = new Set(values.flatMap(each => (each.element === 'creator' ? [`contributor ${each.value}`] : [])))
  return dublinCoreElements.flatMap(element =>
    values.filter(each => {
      const key = `${each.element} ${each.value}`
      if (each.element !== element || each.value === '' || seen.has(key)) return false
      seen.add(key)
      return true
    })
  )
}
