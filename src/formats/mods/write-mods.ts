import { table } from '#domain/table.ts'
import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { workLevel } from '#domain/entity/owners.ts'
import { textOf } from '#domain/search/index-values.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import { type Link, readLink } from '#domain/values/link.ts'
import { holdings } from '#domain/record-types/holdings.ts'
import type { Model } from '#domain/record-types/model.ts'
import { corporation, person, place, title } from '#domain/record-types/related.ts'
import {
  type Publication,
  type PublicationExpression,
  type PublicationLevel,
  type RelatedEntity,
  relatedBy
} from '#domain/entity/publication.ts'
import { hasScript } from '../description/scripts.ts'
import { hostStatements } from '../description/linked-titles.ts'
import { seriesStatements } from '../description/series.ts'
import { readHost, readWithScheme } from '../description/statements.ts'
import { ownAgency } from '../marc/compose-record.ts'
import { modsNamespace, schemaInstanceNamespace } from '../xml/namespaces.ts'
import { element, elementOf, type Xml } from '../xml/write-xml.ts'

/** The MODS terms for the kinds of material. */
const resourceByMaterial: Readonly<Record<string, string>> = table({
  word: 'text',
  serial: 'text',
  music: 'sound recording',
  map: 'cartographic',
  footage: 'moving image',
  mixed_material: 'mixed material',
  computer_file: 'software, multimedia'
})

/**
 * Writes a publication in MODS 3.7. Several works in one publication are parts of it
 * (`relatedItem`), each with its makers; the properties of a single work are those of the
 * publication itself. https://www.loc.gov/standards/mods/
 */
export function writeMods(model: Model, publication: Publication, address?: string, agency = ownAgency): Xml {
  const { manifestation, expressions } = publication
  const { entity } = manifestation
  const [first] = expressions
  const only = expressions.length === 1 ? first : undefined
  const works = expressions.flatMap(({ work }) => work ?? [])
  const title = textIn(entity, 'title') ?? entity.id
  return element(
    'mods',
    {
      xmlns: modsNamespace,
      'xmlns:xsi': schemaInstanceNamespace,
      version: '3.7',
      'xsi:schemaLocation': `${modsNamespace} http://www.loc.gov/standards/mods/v3/mods-3-7.xsd`
    },
    element('titleInfo', {}, ...elementOf('title', title), ...elementOf('subTitle', textIn(entity, 'subtitle'))),
    ...titleInfos('translated', textsIn(entity, 'parallel_title')),
    ...titleInfos('alternative', textsIn(entity, 'other_title')),
    ...titlesInScripts(entity),
    ...(only?.work ? workTitles(only.work, title) : []),
    // Readers that ignore the parts of a publication find everybody here, once each.
    ...once([
      ...works.flatMap(work => names(model, work, 'aut')),
      ...expressions.flatMap(each => names(model, each, undefined)),
      ...names(model, manifestation, undefined)
    ]),
    ...elementOf('typeOfResource', resourceType(model, entity)),
    ...distinct(works.flatMap(work => relatedBy(work, 'refGenres').map(each => nameOf(model, each)))).flatMap(genre =>
      elementOf('genre', genre)
    ),
    ...originInfo(model, manifestation),
    ...languages(manifestation, expressions),
    ...physicalDescription(entity),
    ...distinct(
      [manifestation, ...expressions, ...works].flatMap(level =>
        relatedBy(level, 'refTargetAudiences').map(each => nameOf(model, each))
      )
    ).flatMap(audience => elementOf('targetAudience', audience)),
    ...textsIn(entity, 'summary').flatMap(each => elementOf('abstract', each)),
    ...textsIn(entity, 'contents').flatMap(each => elementOf('tableOfContents', each)),
    ...elementOf('note', textIn(entity, 'responsibility'), { type: 'statement of responsibility' }),
    ...noteTypes.flatMap(([key, type]) => textsIn(entity, key).flatMap(each => elementOf('note', each, { type }))),
    ...works.flatMap(work => subjects(model, work)),
    ...['scale', 'coordinates'].flatMap(key =>
      distinct(works.flatMap(work => textsIn(work.entity, key))).map(each =>
        element('subject', {}, element('cartographics', {}, element(key, {}, each)))
      )
    ),
    ...once([manifestation, ...works].flatMap(level => classifications(level))),
    ...Object.entries(classAuthorities).flatMap(([key, authority]) =>
      textsIn(entity, key).flatMap(each => elementOf('classification', each, { authority }))
    ),
    ...textsIn(entity, 'classification')
      .map(readWithScheme)
      .map(({ number, scheme }) => element('classification', { authority: scheme }, number)),
    ...seriesStatements(manifestation).map(series =>
      element('relatedItem', { type: 'series' }, element('titleInfo', {}, element('title', {}, series)))
    ),
    ...hostStatements(manifestation).map(hostElement),
    ...(['preceding', 'succeeding'] as const).flatMap(type =>
      textsIn(entity, `${type}_title`).map(title =>
        element('relatedItem', { type }, element('titleInfo', {}, element('title', {}, title)))
      )
    ),
    ...textsIn(entity, 'other_version').map(otherVersion),
    ...(only ? [] : expressions.map(each => constituent(model, each))),
    ...identifiers(entity),
    ...textsIn(entity, 'link').map(each => linkElement(readLink(each))),
    ...textsIn(entity, 'access').flatMap(each => elementOf('accessCondition', each)),
    ...(publication.items ?? []).map(each => itemElement(model, each)),
    ...(address === undefined
      ? []
      : [element('location', {}, element('url', { access: 'object in context', usage: 'primary display' }, address))]),
    element(
      'recordInfo',
      {},
      element('recordCreationDate', { encoding: 'w3cdtf' }, entity.audit.created.at),
      element('recordChangeDate', { encoding: 'w3cdtf' }, entity.audit.updated.at),
      element('recordIdentifier', { source: agency || undefined }, entity.id)
    )
  )
}

/** Where a copy is: the library, and the place and number on its shelves. */
function itemElement(model: Model, item: PublicationLevel): Xml {
  const [library] = relatedBy(item, holdings.at)
  const [location, shelfMark, note] = ['location', 'shelf_mark', 'note'].map(key => textIn(item.entity, key))
  const details = [
    ...elementOf('subLocation', location),
    ...elementOf('shelfLocator', shelfMark),
    ...elementOf('electronicLocator', textIn(item.entity, 'link')),
    ...elementOf('note', note),
    ...elementOf('enumerationAndChronology', textIn(item.entity, 'volume'), { unitType: '1' })
  ]
  const copy = element(
    'copyInformation',
    {},
    ...details,
    ...elementOf('itemIdentifier', textIn(item.entity, 'barcode'))
  )
  return element(
    'location',
    {},
    ...elementOf('physicalLocation', library && nameOf(model, library)),
    element('holdingSimple', {}, copy)
  )
}

/** Notes with their MODS types; a general note has none. */
const noteTypes: readonly (readonly [key: string, type: string | undefined])[] = [
  ['note', undefined],
  ['performers', 'performers'],
  ['credits', 'creation/production credits'],
  ['thesis', 'thesis'],
  ['award', 'awards'],
  ['numbering', 'date/sequential designation'],
  ['provenance', 'ownership'],
  ['technical_details', 'system details']
]

const classAuthorities = { dewey: 'ddc', lcc: 'lcc', udc: 'udc' } as const

const linkElement = ({ address, text }: Link): Xml =>
  element('location', {}, element('url', text === undefined ? {} : { displayLabel: text }, address))

/** Another physical form or edition, with its ISBN or ISSN. */
function otherVersion(text: string): Xml {
  const [title = '', ...numbers] = text.split(' ; ')
  return element(
    'relatedItem',
    { type: 'otherFormat' },
    element('titleInfo', {}, element('title', {}, title)),
    ...numbers.map(each => element('identifier', { type: readIsbn(each) ? 'isbn' : 'issn' }, each))
  )
}

function hostElement(host: string): Xml {
  const { title, part } = readHost(host)
  return element(
    'relatedItem',
    { type: 'host' },
    element('titleInfo', {}, element('title', {}, title)),
    ...(part === undefined ? [] : [element('part', {}, element('text', {}, part))])
  )
}

/** The title in the original script. */
const titlesInScripts = ({ metadata }: Entity): Xml[] =>
  metadata.flatMap(({ key, value, lang }) =>
    key === 'title' && hasScript(lang)
      ? [
          element(
            'titleInfo',
            { type: 'alternative', lang: lang?.slice(0, -5), script: lang?.slice(-4) },
            element('title', {}, textOf(value))
          )
        ]
      : []
  )

const titleInfos = (type: string, titles: readonly string[]): Xml[] =>
  titles.map(each => element('titleInfo', { type }, ...elementOf('title', each)))

/** The titles of the work, if they differ from that of the publication. */
function workTitles({ entity, related }: PublicationLevel, title: string): Xml[] {
  const uniform = related
    .filter(({ type }) => type === 'refUniformTitles')
    .flatMap(each => textsIn(each.entity, 'title'))
  const [first] = uniform.length > 0 ? uniform : textsIn(entity, 'title')
  const original = textIn(entity, 'original_title')
  return [
    ...(first === undefined || (first === title && uniform.length === 0)
      ? []
      : [element('titleInfo', { type: 'uniform' }, element('title', {}, first))]),
    ...(original === undefined || original === title
      ? []
      : [element('titleInfo', { type: 'alternative', displayLabel: 'Original title' }, element('title', {}, original))])
  ]
}

function names(model: Model, level: PublicationLevel | undefined, usualRole: string | undefined): Xml[] {
  return relatedBy(level, 'refAuthors').flatMap(each => {
    const name = nameOf(model, each)
    if (name === undefined) return []
    const role = each.metadata.filter(({ key }) => key === 'role').map(({ value }) => textOf(value))[0] ?? usualRole
    return [
      nameElement(
        model,
        each.entity,
        name,
        ...(role === undefined || role === '' ? [] : [element('role', {}, roleTerm(role))])
      )
    ]
  })
}

function nameElement(model: Model, entity: Entity, name: string, ...roles: readonly Xml[]): Xml {
  // A record type with the years of a life is one of persons.
  const isPerson = model.fieldOf(entity.type, 'life_dates') !== undefined
  return element(
    'name',
    { type: isPerson ? 'personal' : 'corporate' },
    element('namePart', {}, name),
    ...elementOf('namePart', textIn(entity, 'life_dates'), { type: 'date' }),
    ...roles
  )
}

/** Roles are stored as relator codes or as words. */
const roleTerm = (role: string) =>
  /^[a-z]{3}$/.test(role)
    ? element('roleTerm', { type: 'code', authority: 'marcrelator' }, role)
    : element('roleTerm', { type: 'text' }, role)

function resourceType(model: Model, { type }: Entity): string | undefined {
  const material = type.slice(model.umbrellaOf(type).length + 1)
  return Object.hasOwn(resourceByMaterial, material) ? resourceByMaterial[material] : undefined
}

function originInfo(model: Model, level: PublicationLevel): Xml[] {
  const { entity } = level
  const parts = [
    ...relatedBy(level, 'refPlaces').map(each =>
      element('place', {}, element('placeTerm', { type: 'text' }, nameOf(model, each) ?? each.entity.id))
    ),
    ...relatedBy(level, 'refPublishers').flatMap(each => elementOf('publisher', nameOf(model, each))),
    ...elementOf('dateIssued', textIn(entity, 'year_of_publication')),
    ...textsIn(entity, 'copyright_date').map(date => element('copyrightDate', {}, date)),
    ...textsIn(entity, 'publication_date').map(date => element('dateOther', { type: 'as written' }, date)),
    ...elementOf('edition', textIn(entity, 'edition')),
    ...textsIn(entity, 'frequency').map(each => element('frequency', {}, each))
  ]
  return parts.length > 0 ? [element('originInfo', {}, ...parts)] : []
}

function languages(manifestation: PublicationLevel, expressions: readonly PublicationExpression[]): Xml[] {
  const codes = [manifestation, ...expressions].flatMap(level =>
    relatedBy(level, 'refLanguages').map(each => textIn(each.entity, 'code') ?? '')
  )
  return distinct(codes).map(code =>
    element(
      'language',
      {},
      element('languageTerm', { type: 'code', authority: code.length === 3 ? 'iso639-3' : 'rfc5646' }, code)
    )
  )
}

function physicalDescription(entity: Entity): Xml[] {
  const parts = [
    ...textsIn(entity, 'material_type').map(form => element('form', {}, form)),
    ...textsIn(entity, 'media_type').map(form => element('form', { authority: 'rdamedia' }, form)),
    ...textsIn(entity, 'extent').map(extent => element('extent', {}, extent))
  ]
  return parts.length > 0 ? [element('physicalDescription', {}, ...parts)] : []
}

const subjectElements = [
  ['refSubjects', 'topic'],
  ['refPlaces', 'geographic'],
  ['refTimes', 'temporal']
] as const

/** A subject: the name of a person, corporation or place, the title of a work, or a term. */
function subjectTerm(model: Model, { entity }: RelatedEntity, name: string, text: string): Xml {
  if (entity.type === person.type || entity.type === corporation.type) return nameElement(model, entity, text)
  if (entity.type === place.type) return element('geographic', {}, text)
  const isTitle = entity.type === title.type || model.umbrellaOf(entity.type) === workLevel
  return isTitle ? element('titleInfo', {}, element('title', {}, text)) : element(name, {}, text)
}

const subjects = (model: Model, work: PublicationLevel): Xml[] =>
  subjectElements.flatMap(([relation, name]) =>
    relatedBy(work, relation).flatMap(each => {
      const text = nameOf(model, each)
      return text === undefined ? [] : [element('subject', {}, subjectTerm(model, each, name, text))]
    })
  )

const classifications = (level: PublicationLevel): Xml[] =>
  ['refSisos', 'refZizos'].flatMap(relation =>
    relatedBy(level, relation).flatMap(({ entity }) => {
      const [code] = valuesOf(entity, 'code')
      const codes = Array.isArray(code) ? code.map(textOf) : code === undefined ? [] : [textOf(code)]
      return codes.flatMap(each => elementOf('classification', each, { authority: entity.type }))
    })
  )

/** Removes equal elements. */
const once = (elements: readonly Xml[]): Xml[] => [...new Map(elements.map(each => [each.markup, each])).values()]

/** One of several works in a publication. */
function constituent(model: Model, expression: PublicationExpression): Xml {
  const title = textIn(expression.entity, 'title') ?? expression.entity.id
  return element(
    'relatedItem',
    { type: 'constituent' },
    element('titleInfo', {}, element('title', {}, title)),
    ...(expression.work ? workTitles(expression.work, title) : []),
    ...names(model, expression.work, 'aut'),
    ...names(model, expression, undefined)
  )
}

function identifiers(entity: Entity): Xml[] {
  const isbns = new Set(textsIn(entity, 'isbn').map(each => readIsbn(each)?.comparable ?? each))
  const isIsbn = (other: string) => isbns.has(readIsbn(other.replace(/^urn:isbn:/i, ''))?.comparable ?? '')
  return [
    ...textsIn(entity, 'isbn').map(isbn => element('identifier', { type: 'isbn' }, readIsbn(isbn)?.comparable ?? isbn)),
    ...textsIn(entity, 'issn').map(issn => element('identifier', { type: 'issn' }, issn)),
    ...textsIn(entity, 'ean').map(ean => element('identifier', { type: 'ean' }, ean)),
    ...textsIn(entity, 'lccn').map(lccn => element('identifier', { type: 'lccn' }, lccn)),
    ...textsIn(entity, 'publisher_number').map(each => element('identifier', { type: 'music publisher' }, each)),
    ...(['isbn', 'issn'] as const).flatMap(type =>
      textsIn(entity, `cancelled_${type}`).map(each => element('identifier', { type, invalid: 'yes' }, each))
    ),
    ...textsIn(entity, 'other_number')
      .map(readWithScheme)
      .map(({ number, scheme }) => element('identifier', { type: scheme }, number)),
    ...entity.identifiers
      .slice(2)
      .filter(other => !isIsbn(other))
      .map(other => element('identifier', { type: /^(?:urn|https?):/i.test(other) ? 'uri' : 'local' }, other))
  ]
}

function nameOf(model: Model, { entity }: RelatedEntity): string | undefined {
  return textIn(entity, model.findType(entity.type)?.nameField ?? 'name')
}

const textsIn = (entity: Entity, key: string): string[] =>
  valuesOf(entity, key)
    .map(textOf)
    .filter(text => text !== '')

const textIn = (entity: Entity, key: string): string | undefined => textsIn(entity, key)[0]

const distinct = (texts: readonly (string | undefined)[]): string[] => [
  ...new Set(texts.filter((text): text is string => text !== undefined && text !== ''))
]
