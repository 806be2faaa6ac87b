import { type Entity, valuesOf } from '#domain/entity.ts'
import { textOf } from '#domain/index-values.ts'
import { readIsbn } from '#domain/isbn.ts'
import { type Publication, type PublicationLevel, type RelatedEntity, relatedBy } from '#domain/publication.ts'
import { roleCodeOf } from '../role-codes.ts'
import { pagesIn, readSeries, splitName } from '../statements.ts'
import { type Citation, type CitedName, type CitedRole, citedRoles, kindOfCitation, nameForms } from './citation.ts'

/** By the code of the role. */
const roleByCode: Readonly<Record<string, CitedRole>> = {
  ...{
    aut: 'author',
    cre: 'author',
    aus: 'author',
    lbt: 'author',
    art: 'author',
    pht: 'author',
    ctg: 'author',
    prg: 'author'
  },
  ...{ edt: 'editor', com: 'editor', pbd: 'editor', trl: 'translator', ill: 'illustrator', cmp: 'composer' },
  ...{ drt: 'director', fmd: 'director', nrt: 'narrator', prf: 'performer', act: 'performer', sng: 'performer' }
}

/** What there is to cite of a publication. */
export function toCitation(publication: Publication): Citation {
  const { manifestation, expressions } = publication
  const works = expressions.flatMap(({ work }) => work ?? [])
  const { entity } = manifestation
  const [series] = textsOf(entity, 'series_statement')
  const [extent = ''] = textsOf(entity, 'extent')
  const [subtitle] = textsOf(entity, 'subtitle')
  const [title = entity.id] = textsOf(entity, 'title')
  const isTranslation = expressions.some(each => peopleOf(each, 'author').some(({ role }) => role === 'translator'))
  const [work] = works
  const [originalTitle] =
    work && isTranslation ? [...textsOf(work.entity, 'original_title'), ...textsOf(work.entity, 'title')] : []
  return {
    id: entity.id,
    kind: kindOfCitation(entity.type),
    title: subtitle === undefined ? title : `${title}: ${subtitle}`,
    names: gatherNames([
      ...works.flatMap(each => peopleOf(each, 'author')),
      // Whoever is named at these levels without a role may have done anything.
      ...expressions.flatMap(each => peopleOf(each, undefined)),
      ...peopleOf(manifestation, undefined)
    ]),
    publisher: nameOf(relatedBy(manifestation, 'refPublishers')[0]),
    place: nameOf(relatedBy(manifestation, 'refPlaces')[0]),
    year: textsOf(entity, 'year_of_publication')[0],
    edition: textsOf(entity, 'edition')[0],
    isbns: [...new Set(textsOf(entity, 'isbn').map(each => readIsbn(each)?.comparable ?? each))],
    issn: textsOf(entity, 'issn')[0],
    series: series === undefined ? undefined : readSeries(series),
    pages: pagesIn(extent),
    language: languageOf([manifestation, ...expressions]),
    originalTitle
  }
}

interface Person {
  readonly role: CitedRole
  readonly entity: Entity
}

function peopleOf(level: PublicationLevel, withoutRole: CitedRole | undefined): Person[] {
  return relatedBy(level, 'refAuthors').flatMap(({ entity, metadata }) => {
    const named = metadata.filter(({ key }) => key === 'role').map(({ value }) => textOf(value))
    const roles = named.length === 0 ? [withoutRole] : named.map(role => roleByCode[roleCodeOf(role) ?? ''])
    return roles.flatMap(role => (role === undefined ? [] : [{ role, entity }]))
  })
}

/** Each name once in each role, in the order of the levels. */
function gatherNames(people: readonly Person[]): Citation['names'] {
  const names = Object.fromEntries(
    citedRoles.map(role => {
      const ofRole = new Map(people.filter(each => each.role === role).map(({ entity }) => [entity.id, entity]))
      return [role, [...ofRole.values()].flatMap(toName)]
    })
  )
  return names as unknown as Citation['names']
}

function toName(entity: Entity): CitedName[] {
  const [name] = textsOf(entity, 'name')
  if (name === undefined) return []
  return [(Object.hasOwn(nameForms, entity.type) ? splitName(name) : undefined) ?? { literal: name }]
}

const nameOf = (related: RelatedEntity | undefined) => related && textsOf(related.entity, 'name')[0]

/** The language of a publication in one; of one in several, none. */
function languageOf(levels: readonly PublicationLevel[]): string | undefined {
  for (const level of levels) {
    const codes = relatedBy(level, 'refLanguages').flatMap(({ entity }) => textsOf(entity, 'code').slice(0, 1))
    if (codes.length > 1) return undefined
    const [code] = codes
    if (code === undefined) continue
    try {
      return Intl.getCanonicalLocales(code)[0]
    } catch {
      return undefined
    }
  }
  return undefined
}

/** The texts of a field on one line each, without empty ones. */
const textsOf = (entity: Pick<Entity, 'metadata'>, key: string): string[] =>
  valuesOf(entity, key)
    .map(value =>
      textOf(value)
        .replaceAll(/[\s\p{Cc}]+/gu, ' ')
        .trim()
    )
    .filter(text => text !== '')
